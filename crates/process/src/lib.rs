//! Processes: starting children, talking to them over the link, watching and killing them, and the few facts about the
//! system that need a call into it.
//!
//! This crate exists so that `unsafe` stands in one place. It knows nothing of the protocol: it moves lines of bytes.
//! Calls into the system are in `unix/`. Windows needs the Linux subsystem (`docs/reference/platforms.md`).

// What only Linux tells has no use elsewhere.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

#[cfg(not(unix))]
compile_error!("Tare needs a Unix system; on Windows, use the Linux subsystem (WSL)");

mod core_probe;
mod descendants;
mod dialogue;
mod error;
mod exit;
pub mod files;
pub mod helper;
mod interrupt;
mod link;
mod unix;

pub use core_probe::{watch_core, CoreReading};
pub use descendants::Descendants;
pub use dialogue::{Dialogue, HelperReply};
pub use error::StartError;
pub use exit::{Exit, ExitStatusKind, Finished};
pub use interrupt::{hold_interrupts, interrupted, interrupted_soon, Hold};
pub use link::{Received, Tick, Wait, LINE_BYTES_MAX, TICK};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use unix::stepped;
pub use unix::{
    allowed_processors, available_memory_bytes, child_link, install_interrupt_handler, is_terminal, kill_children,
    monotonic_ns, pin, poll_any, set_name, signal_name, terminal_width, try_lock, user, Child, Group, ProgramTimer,
};

use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The program: a path, or a name without `/` that is looked for in `PATH`. A relative path is relative to the
    /// host's working directory, not to `directory`.
    pub program: PathBuf,
    /// Its arguments, without the program's name.
    pub args: Vec<OsString>,
    /// Working directory of the child; empty for the host's.
    pub directory: PathBuf,
    /// Changes to the host's environment, in order; `None` removes.
    pub environment: Vec<(OsString, Option<OsString>)>,
    /// Gives the child a link: two pipes, named by `TARE_LINK=fd:3,4`.
    pub link: bool,
    /// What it may use.
    pub limits: Limits,
    /// How the system treats it.
    pub treatment: Treatment,
}

/// How the system treats a child.
#[derive(Debug, Clone, Default)]
pub struct Treatment {
    /// Its priority, -20 to 19; `None` leaves the host's.
    pub nice: Option<i32>,
    /// The processors that it may use, on Linux alone; empty leaves the host's.
    pub processors: Vec<u32>,
    /// It gets no transparent huge pages, on Linux alone.
    pub no_huge_pages: bool,
}

/// Limits of a child.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Most address space of the process, bytes (`RLIMIT_AS`); `None` leaves the host's limit.
    pub address_space_bytes: Option<u64>,
    /// Core files are written as the host's limit says; false: never.
    pub core_files: bool,
}

/// Processors that this process may run on, at least 1.
pub fn processors() -> u32 {
    match allowed_processors().len() {
        0 => std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX)),
        count => count as u32,
    }
}
