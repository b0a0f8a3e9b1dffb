//! The children that live, in a form that a signal handler may read: a fixed table of atomic numbers.

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
pub(crate) fn kill_all() {
    for slot in used() {
        let pid = slot.load(Ordering::SeqCst);
        if pid > 1 {
            // SAFETY: a plain system call, allowed in handlers; the number is that of a child which was not reaped.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
    }
}

/// Whether any other child or helper is known.
#[cfg(target_os = "linux")]
pub(crate) fn any_but(pid: libc::pid_t) -> bool {
    used().iter().map(|slot| slot.load(Ordering::SeqCst)).any(|live| live != 0 && live != pid)
}

/// Children of this crate that were started and are not reaped yet.
pub fn process_count() -> u32 {
    let live = used().iter().filter(|slot| slot.load(Ordering::SeqCst) != 0).count();
    u32::try_from(live).unwrap_or(u32::MAX)
}
