/// How a child ended, and its resource use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    pub status: ExitStatusKind,
    /// Peak resident memory, in bytes. `None` if unknown: the system starts this count at the host's resident size, so it reveals nothing
    /// about a smaller child (see [`crate::Child::peak_resident_bytes`]).
    pub peak_memory_bytes: Option<u64>,
    /// CPU time in user code of the child and of the children it waited for, in ns.
    pub user_ns: u64,
    /// CPU time in the system for the same, in ns.
    pub system_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatusKind {
    Code(i32),
    Signal(i32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finished {
    /// From just before the new process became the program until its end was noticed, in ns.
    pub elapsed_ns: u64,
    /// How it ended, and its resource use in that time.
    pub exit: Exit,
}
