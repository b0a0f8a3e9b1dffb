//! Unix. Linux-only code is in `launch_linux.rs`, `stepped.rs` and a few conditional parts; other Unix systems use their own, less capable
//! path (see [`Child::start`]).

mod child;
mod child_end;
mod descendants;
mod exit;
mod fd;
mod group;
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
pub(crate) use exit::ended_by_signal;
pub use exit::signal_name;
pub(crate) use group::set_apart;
pub use group::set_name;
pub use group::Group;
pub use interrupt::install_interrupt_handler;
pub use registry::kill_all as kill_children;
pub use system::{
    allowed_processors, available_memory_bytes, is_terminal, monotonic_ns, pin, terminal_width, try_lock, user,
};
pub(crate) use system::{never_wait, pin_this_thread, thread_cpu_ns};
pub use whole::ProgramTimer;
