//! A program that Tare did not build: its language is unknown.

use super::Source;

pub(super) const PROGRAM: Source = Source { name: "unknown", ..Source::NONE };
