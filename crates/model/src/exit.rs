//! The exit codes of `tare`, documented for scripts.

/// Why `tare` ended. `spec/exit-codes.md` is the page for users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// Success.
    Ok = 0,
    /// An internal error.
    Bug = 1,
    /// Wrong flags, arguments or configuration.
    Usage = 2,
    /// No benchmark matched.
    NothingMatched = 4,
    /// A gate failed: something is slower than allowed.
    GateFailed = 10,
    /// A gate could not be decided.
    GateUndecided = 11,
    /// Something that Tare needs is missing.
    SetUp = 96,
    /// A case failed.
    CaseFailed = 100,
    /// A build failed.
    BuildFailed = 101,
    /// A program could not list its benchmarks.
    ListFailed = 102,
    /// A conformance test found a broken rule.
    ProtocolBroken = 103,
    /// A result could not be written.
    CannotWrite = 110,
    /// Stopped by the user.
    Interrupted = 130,
}

impl ExitCode {
    pub fn number(self) -> i32 {
        self as i32
    }
}
