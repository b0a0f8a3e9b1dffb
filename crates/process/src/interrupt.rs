//! Interrupts by the user: the first asks the host to stop, the second kills it at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

static COUNT: AtomicU32 = AtomicU32::new(0);
/// Number of tasks that want to stop in an orderly way.
static HELD: AtomicU32 = AtomicU32::new(0);

/// Longest time between signals that belong together.
const SOON: Duration = Duration::from_millis(500);

/// Exit status after a second interrupt (`spec/exit-codes.md`).
pub(crate) const EXIT_INTERRUPTED: i32 = 130;
/// Printed when the first interrupt ends the process.
pub(crate) const MESSAGE: &[u8] = b"error: interrupted\n";

/// The effect of an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    /// The first, while interrupts are held: only sets the flag.
    Asks,
    /// The first, otherwise: the process ends with a message.
    Ends,
    /// A repeated one: the process ends.
    EndsAtOnce,
}

/// Counts an interrupt. Uses only atomics, so it is safe in a signal handler.
pub(crate) fn came() -> Came {
    match (COUNT.fetch_add(1, Ordering::SeqCst), HELD.load(Ordering::SeqCst)) {
        (0, 0) => Came::Ends,
        (0, _) => Came::Asks,
        _ => Came::EndsAtOnce,
    }
}

/// Whether SIGINT, SIGTERM or SIGHUP has arrived since [`install_interrupt_handler`].
pub fn interrupted() -> bool {
    COUNT.load(Ordering::SeqCst) > 0
}

/// Whether an interrupt has arrived, or does within half a second. A scheduler or terminal that ends a child and its host signals both, and
/// the child's end may be noticed first.
pub fn interrupted_soon() -> bool {
    let end = Instant::now() + SOON;
    while !interrupted() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupted()
}

/// While this exists, the first interrupt only sets a flag: there is something to clean up.
#[derive(Debug)]
pub struct Hold(());

impl Drop for Hold {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Until the value is dropped, the first interrupt only sets the flag of [`interrupted`]. Every [`crate::Child`] and [`crate::Group`] holds
/// it too.
pub fn hold_interrupts() -> Hold {
    HELD.fetch_add(1, Ordering::SeqCst);
    Hold(())
}
