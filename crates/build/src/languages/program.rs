//! A program that was not built by Tare: its language is unknown.

use super::Source;

pub(super) const PROGRAM: Source = Source { name: "unknown", ..Source::NONE };
