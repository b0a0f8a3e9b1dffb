//! The children that live, in a form that a signal handler may read: a fixed table of atomic numbers.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Most children that are known to the handler of a second interrupt. More can be started; those are killed by
/// the system when the host dies.
const SLOTS: usize = 4096;

static LIVE: [AtomicI32; SLOTS] = [const { AtomicI32::new(0) }; SLOTS];

/// How many of the first ones were ever in use: the others need no look.
static USED: AtomicUsize = AtomicUsize::new(0);

fn used() -> &'static [AtomicI32] {
    LIVE.get(..USED.load(Ordering::SeqCst)).unwrap_or(&LIVE)
}

pub(crate) fn add(pid: libc::pid_t) {
    for (index, slot) in LIVE.iter().enumerate() {
        // Before the number is there, so that it is never overlooked.
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

/// Kills the groups of all live children. Does only what a signal handler may do.
pub fn kill_all() {
    for slot in used() {
        let pid = slot.load(Ordering::SeqCst);
        if pid > 1 {
            // SAFETY: a plain system call, allowed in handlers; the number is that of a child which was not reaped.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
    }
}

/// Children and helpers that live now, but for one.
#[cfg(target_os = "linux")]
pub(crate) fn others_than(pid: libc::pid_t) -> BTreeSet<libc::pid_t> {
    used().iter().map(|slot| slot.load(Ordering::SeqCst)).filter(|live| *live != 0 && *live != pid).collect()
}
