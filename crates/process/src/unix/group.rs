//! A helper program that the standard library started in a process group of its own: a compiler with all that it starts.

use super::exit::kill_group;
use super::registry;
use crate::interrupt::{hold_interrupts, Hold};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// A compiler that is asked to end removes its temporary files; it gets so long for that.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(2);

/// The group of a living helper. A second interrupt kills it; the first is left to who waits for the helper. To be dropped when the
/// helper has ended.
#[derive(Debug)]
pub struct Group {
    id: libc::pid_t,
    _hold: Hold,
}

impl Group {
    /// The group of a helper that was started by a command that was [`set_apart`].
    pub fn of(helper: &Child) -> Group {
        let hold = hold_interrupts();
        let id = libc::pid_t::try_from(helper.id()).unwrap_or(0);
        registry::add(id);
        Group { id, _hold: hold }
    }

    /// Asks all of the group to end, gives them a moment, and kills who is left. The helper is reaped.
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
        // It was killed; who cannot be waited for is gone.
        let _ = helper.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        registry::remove(self.id);
    }
}

/// Gives what the command starts a group of its own, so that what it starts in turn can be ended with it, and Ctrl-C is not for it.
pub(crate) fn set_apart(command: &mut Command) {
    command.process_group(0);
}

/// The name that a program gets as its own (`argv[0]`), where the system has one that may differ from its path.
pub fn set_name(command: &mut Command, name: &str) {
    command.arg0(name);
}
