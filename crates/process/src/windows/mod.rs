//! Windows: all that Tare needs to show, compare, import and keep results, and to run helper programs (git). Benchmark programs are not
//! started yet: the link of the protocol is two descriptors, and no front end takes handles of Windows in their place.

mod child;
pub(crate) mod files;
mod group;
mod interrupt;
mod system;

pub use child::{child_link, poll_any, Child, ProgramTimer};
pub use group::{kill_all as kill_children, set_name, Group};
pub(crate) use group::{never_wait, set_apart};
pub use interrupt::install_interrupt_handler;
pub use system::{
    allowed_processors, available_memory_bytes, is_terminal, monotonic_ns, pin, terminal_width, try_lock,
};
pub(crate) use system::{pin_this_thread, thread_cpu_ns};

/// Windows has no signals.
pub fn signal_name(_signal: i32) -> &'static str {
    "unknown signal"
}

/// Windows has no signals.
pub(crate) fn ended_by_signal(_status: std::process::ExitStatus) -> Option<i32> {
    None
}
