//! Living children in a form that a signal handler can read: a fixed table of atomic numbers.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Most children that the handler of a second interrupt can kill. More can be started; the system kills those when the host dies.
const SLOTS: usize = 4096;

static LIVE: [AtomicI32; SLOTS] = [const { AtomicI32::new(0) }; SLOTS];

/// How many slots from the first were ever used: the rest can be skipped.
static USED: AtomicUsize = AtomicUsize::new(0);

fn used() -> &'static [AtomicI32] {
    LIVE.get(..USED.load(Ordering::SeqCst)).unwrap_or(&LIVE)
}

pub(crate) fn add(pid: libc::pid_t) {
    for (index, slot) in LIVE.iter().enumerate() {
        // Raised before the number is stored, so that the slot is never skipped.
        USED.fetch_max(index + 1, Ordering::SeqCst);
        if slot.compare_exchange(0, pid, Ordering::SeqCst, Ordering::Relaxed).is_ok() {
            return;
        }
    }
}

pub(crate) fn remove(pid: libc::pid_t) {
    for slot in used() {
        if slot.compare_exchange(pid, 0, Ordering::SeqCst, Ordering::Relaxed).is_ok() {
            return;
        }
    }
}

/// Kills the groups of all living children. Safe in a signal handler.
pub fn kill_all() {
    for slot in used() {
        let pid = slot.load(Ordering::SeqCst);
        if pid > 1 {
            // SAFETY: a plain system call, allowed in handlers, on an unreaped child.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
    }
}

/// All living children and helpers except one.
#[cfg(target_os = "linux")]
pub(crate) fn others_than(pid: libc::pid_t) -> BTreeSet<libc::pid_t> {
    used().iter().map(|slot| slot.load(Ordering::SeqCst)).filter(|live| *live != 0 && *live != pid).collect()
}
