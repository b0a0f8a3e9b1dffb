//! The process group of a helper program, such as a compiler with its descendants, started through the standard library.

use super::exit::kill_group;
use super::registry;
use crate::interrupt::{hold_interrupts, Hold};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How long a terminated compiler may take to remove its temporary files.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(2);

/// The group of a living helper. A second interrupt kills it; the code that waits for the helper handles the first. Drop this when the
/// helper has ended.
#[derive(Debug)]
pub struct Group {
    id: libc::pid_t,
    _hold: Hold,
}

impl Group {
    /// The group of a helper whose command was [`set_apart`].
    pub fn of(helper: &Child) -> Group {
        let hold = hold_interrupts();
        let id = libc::pid_t::try_from(helper.id()).unwrap_or(0);
        registry::add(id);
        Group { id, _hold: hold }
    }

    /// Sends SIGTERM to the group, waits a moment, kills the rest and reaps the helper.
    pub fn end(&self, helper: &mut Child) {
        if self.id > 1 {
            // SAFETY: a plain system call; the helper was not reaped, so that the number is its own.
            unsafe { libc::kill(-self.id, libc::SIGTERM) };
        }
        let begin = Instant::now();
        while matches!(helper.try_wait(), Ok(None)) && begin.elapsed() < PATIENCE {
            thread::sleep(PAUSE);
        }
        kill_group(self.id);
        // It was killed; an error means that it is gone.
        let _ = helper.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        registry::remove(self.id);
    }
}

/// Starts the command in its own process group, so that its descendants can be killed with it and Ctrl-C does not reach it.
pub(crate) fn set_apart(command: &mut Command) {
    command.process_group(0);
}

/// Sets the name that a program sees as its own (`argv[0]`), if the system supports one other than its path.
pub fn set_name(command: &mut Command, name: &str) {
    command.arg0(name);
}
