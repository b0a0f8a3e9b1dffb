//! Interrupts by the user: the first asks the host to stop, the second ends it at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

static COUNT: AtomicU32 = AtomicU32::new(0);
/// Pieces of work that want to be asked to stop, and not to be cut off.
static HELD: AtomicU32 = AtomicU32::new(0);

/// How far apart signals that belong together may come.
const SOON: Duration = Duration::from_millis(500);

/// Exit status after a second interrupt (`spec/exit-codes.md`).
pub(crate) const EXIT_INTERRUPTED: i32 = 130;
/// What is said where the first interrupt ends the process.
pub(crate) const MESSAGE: &[u8] = b"error: interrupted\n";

/// What an interrupt does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    /// The first, while something is held: the flag is set.
    Asks,
    /// The first, while nothing is held: the process ends with a message.
    Ends,
    /// One more: the process ends.
    EndsAtOnce,
}

/// Counts an interrupt. Only atomics: what a handler may do.
pub(crate) fn came() -> Came {
    match (COUNT.fetch_add(1, Ordering::SeqCst), HELD.load(Ordering::SeqCst)) {
        (0, 0) => Came::Ends,
        (0, _) => Came::Asks,
        _ => Came::EndsAtOnce,
    }
}

/// True when SIGINT, SIGTERM or SIGHUP has come since [`install_interrupt_handler`].
pub fn interrupted() -> bool {
    COUNT.load(Ordering::SeqCst) > 0
}

/// Whether an interrupt has come, or comes within half a second: who ends a child and its host, as a scheduler and a terminal do, sends a signal
/// to each, and the end of the child may be seen first.
pub fn interrupted_soon() -> bool {
    let end = Instant::now() + SOON;
    while !interrupted() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupted()
}

/// While this value lives, the first interrupt asks and does not end the process: there is something to put away.
#[derive(Debug)]
pub struct Hold(());

impl Drop for Hold {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::SeqCst);
    }
}

/// From now on the first interrupt only sets the flag of [`interrupted`], until the value is dropped. Every [`crate::Child`] and every
/// [`crate::Group`] holds it too.
pub fn hold_interrupts() -> Hold {
    HELD.fetch_add(1, Ordering::SeqCst);
    Hold(())
}
