//! What comes over the link, and how it is waited for.

use std::io;
use std::time::Duration;

/// Longest line with its line end, bytes (R7 of the protocol).
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// How often the callback of [`crate::Child::receive`] is asked whether to go on.
pub const TICK: Duration = Duration::from_millis(100);

/// What came over the link.
#[derive(Debug)]
pub enum Received {
    /// A whole line without its line end.
    Line(Vec<u8>),
    /// The child closed the link or died; what it wrote of an unfinished line is in [`crate::Child::partial`].
    End,
    /// More than [`LINE_BYTES_MAX`] without a line end. The link is of no use any more.
    TooLong,
    /// The callback said stop, or the user interrupted.
    Stopped,
    /// The system refused to wait or to read; or the child was started without a link.
    Failed(io::Error),
}

/// Whether to go on waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    Go,
    /// Stop waiting; what came of the line is kept.
    Stop,
}

/// What the callback receives.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    /// Time since the call of [`crate::Child::receive`].
    pub waited: Duration,
}
