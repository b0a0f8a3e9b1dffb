//! Processes: starting children, talking to them over the link, watching and killing them, and the few facts about the
//! system that need a call into it.
//!
//! This crate exists so that `unsafe` stands in one place. It knows nothing of the protocol: it moves lines of bytes.
//! Linux comes first; other Unix systems have a path of their own that does the same with less (see [`Child::start`]).

#[cfg(not(unix))]
compile_error!("tare-process needs Unix: another system is one more file beside `launch_linux.rs`");

mod child;
mod child_end;
mod core_probe;
mod descendants;
mod dialogue;
mod error;
mod exit;
mod fd;
mod group;
pub mod helper;
mod interrupt;
#[cfg(any(not(target_os = "linux"), test))]
mod launch_command;
#[cfg(target_os = "linux")]
mod launch_linux;
mod link;
mod output;
mod plan;
mod registry;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod stepped;
mod strays;
mod system;
mod tree;
mod watch;
mod whole;

pub use child::{poll_any, Child};
pub use child_end::child_link;
pub use core_probe::{watch_core, CoreReading};
pub use descendants::Descendants;
pub use dialogue::{Dialogue, HelperReply};
pub use error::StartError;
pub use exit::{signal_name, Exit, ExitStatusKind};
pub use group::Group;
pub use interrupt::{hold_interrupts, install_interrupt_handler, interrupted, interrupted_soon, Hold};
pub use link::{Received, Tick, Wait, LINE_BYTES_MAX, TICK};
pub use registry::kill_all as kill_children;
pub use system::{
    allowed_processors, available_memory_bytes, is_terminal, monotonic_ns, pin, processors, terminal_width, try_lock,
};
pub use whole::{Finished, ProgramTimer};

use std::ffi::OsString;
use std::path::PathBuf;

/// What to start and how.
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
