//! Results of reading from the link.

use std::io;
use std::time::Duration;

/// Longest line with its line end, bytes (R7 of the protocol).
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// How often the callback of [`crate::Child::receive`] is called.
pub const TICK: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub enum Received {
    /// A whole line without its line end.
    Line(Vec<u8>),
    /// The child closed the link or died; an unfinished line is in [`crate::Child::partial`].
    End,
    /// More than [`LINE_BYTES_MAX`] without a line end. The link is unusable from here on.
    TooLong,
    /// The callback said stop, or the user interrupted.
    Stopped,
    /// The system refused to wait or to read, or the child has no link.
    Failed(io::Error),
}

/// Whether to go on waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    Go,
    /// Stop waiting; the partial line is kept.
    Stop,
}

#[derive(Debug, Clone, Copy)]
pub struct Tick {
    /// Time since the call of [`crate::Child::receive`].
    pub waited: Duration,
}
