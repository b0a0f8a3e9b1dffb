//! Processes: starting children, exchanging lines with them over the link, watching and killing them, and a few facts that need system
//! calls.
//!
//! This crate keeps `unsafe` in one place. It does not know the protocol: it moves lines of bytes. System calls are in `unix/`. Windows
//! needs WSL (`docs/reference/platforms.md`).

// Some facts are available only on Linux.
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
    /// A path, or a name without `/` to look up in `PATH`. A relative path is relative to the host's working directory, not to `directory`.
    pub program: PathBuf,
    /// Arguments, without the program's name.
    pub args: Vec<OsString>,
    /// Working directory; empty for the host's.
    pub directory: PathBuf,
    /// Changes to the host's environment, in order; `None` removes a variable.
    pub environment: Vec<(OsString, Option<OsString>)>,
    /// Whether it gets a link: two pipes, named by `TARE_LINK=fd:3,4`.
    pub link: bool,
    pub limits: Limits,
    pub treatment: Treatment,
}

#[derive(Debug, Clone, Default)]
pub struct Treatment {
    /// Priority, -20 to 19; `None` keeps the host's.
    pub nice: Option<i32>,
    /// Processors that it may use, on Linux only; empty keeps the host's.
    pub processors: Vec<u32>,
    /// Disables transparent huge pages, on Linux only.
    pub no_huge_pages: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Largest address space, in bytes (`RLIMIT_AS`); `None` keeps the host's limit.
    pub address_space_bytes: Option<u64>,
    /// Whether core files may be written, subject to the host's limit.
    pub core_files: bool,
}

/// Processors that this process may run on, at least 1.
pub fn processors() -> u32 {
    match allowed_processors().len() {
        0 => std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX)),
        count => count as u32,
    }
}
