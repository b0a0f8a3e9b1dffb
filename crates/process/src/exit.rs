//! How a child ended and what it used.

/// How a child ended and what it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Exit status or signal.
    pub status: ExitStatusKind,
    /// Most memory that the process had resident, bytes. `None` when it is not known: the system starts this count at what
    /// the host has resident, so that it tells nothing of a child which is smaller (see [`crate::Child::peak_resident_bytes`]).
    pub peak_memory_bytes: Option<u64>,
    /// CPU time in user code of the child and of those of its children that it waited for, ns.
    pub user_ns: u64,
    /// CPU time in the system for the same, ns.
    pub system_ns: u64,
}

/// Exit status or signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatusKind {
    Code(i32),
    /// It was killed by this signal.
    Signal(i32),
}

/// A program that has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finished {
    /// From the moment at which the new process was about to become the program until its end was known, ns.
    pub elapsed_ns: u64,
    /// How it ended, and what it used from that moment on.
    pub exit: Exit,
}
