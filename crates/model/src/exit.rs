//! The exit codes of `tare`: a documented type, so that scripts can rely on them.

/// Why `tare` ended as it did. The page for users is `spec/exit-codes.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// All is well.
    Ok,
    /// A mistake in Tare.
    Bug,
    /// Wrong flags, arguments or configuration.
    Usage,
    /// No benchmark matched.
    NothingMatched,
    /// A gate failed: something is slower than allowed.
    GateFailed,
    /// A gate could not be decided.
    GateUndecided,
    /// Something that Tare needs is missing.
    SetUp,
    /// A case failed.
    CaseFailed,
    /// A build failed.
    BuildFailed,
    /// A program could not list its benchmarks.
    ListFailed,
    /// A conformance test found a broken rule.
    ProtocolBroken,
    /// A result could not be written.
    CannotWrite,
    /// Stopped by the user.
    Interrupted,
}

impl ExitCode {
    pub fn number(self) -> i32 {
        match self {
            ExitCode::Ok => 0,
            ExitCode::Bug => 1,
            ExitCode::Usage => 2,
            ExitCode::NothingMatched => 4,
            ExitCode::GateFailed => 10,
            ExitCode::GateUndecided => 11,
            ExitCode::SetUp => 96,
            ExitCode::CaseFailed => 100,
            ExitCode::BuildFailed => 101,
            ExitCode::ListFailed => 102,
            ExitCode::ProtocolBroken => 103,
            ExitCode::CannotWrite => 110,
            ExitCode::Interrupted => 130,
        }
    }
}
