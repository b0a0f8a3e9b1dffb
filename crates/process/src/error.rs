use std::io;
use std::path::PathBuf;

/// Why a child could not be started. The texts are fragments that follow "could not be started: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    #[error("program {} not found", program.display())]
    NotFound { program: PathBuf },
    /// The system refused to run the program.
    #[error("{} cannot be executed: {source}", program.display())]
    Exec {
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    #[error("cannot change to directory {}: {source}", directory.display())]
    Directory {
        directory: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An argument, a path or a variable holds a zero byte.
    #[error("{what} contains a zero byte")]
    ZeroByte {
        /// Which part of the command.
        what: &'static str,
    },
    /// Tare does not support starting children on this system.
    #[error("Tare does not start benchmark programs on {system} yet; it shows, compares and keeps results there")]
    NotOn { system: &'static str },
    /// Not enough descriptors, processes or memory.
    #[error("{step} failed: {source}")]
    System {
        step: &'static str,
        /// The system's reason.
        source: io::Error,
    },
}

impl StartError {
    pub(crate) fn system(step: &'static str) -> impl FnOnce(io::Error) -> StartError {
        move |source| StartError::System { step, source }
    }
}
