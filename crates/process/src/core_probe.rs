//! Detects work on the other hardware thread of a core: it slows independent additions, but not a chain of dependent ones. The host uses
//! this for its own look at a processor, for `tare doctor`, and never while a child measures.

use crate::unix::{monotonic_ns, pin_this_thread, thread_cpu_ns};
use std::io;
use std::time::Duration;

/// Independent additions per reading. The same number as in the children, because a reading includes the cost of the clock and levels are
/// compared. Clocks step by up to 10 ns; a reading on a wide core takes 80 such steps.
const ADDITIONS: u32 = 14_400;
/// Dependent additions per reading: about as many as in the children's clock probe.
const STEPS: u32 = 32_736;
const TURN: u32 = 96;
/// Time between two readings, in ns. A neighbour comes and goes within 40 µs to 40 ms.
const WINDOW_NS: u64 = 50_000;
/// From this excess of wall time over CPU time, in ns, something else ran on the processor between two readings.
const GAP_NS: u64 = 5_000;

/// A reading of a core's width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreReading {
    /// Cycles per independent addition: 0.25 on an unshared core that issues four at a time.
    pub cycles_per_addition: f64,
    /// The thread had the processor ever since the previous reading.
    pub undisturbed: bool,
}

/// Watches a processor for a time, without sleeping, from a thread pinned to it.
/// Err: when the system cannot pin a thread, or additions cannot be counted on this kind of processor.
pub fn watch_core(processor: u32, time: Duration) -> io::Result<Vec<CoreReading>> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let watch = move || {
        pin_this_thread(processor)?;
        Ok(watch_here(time))
    };
    let thread = std::thread::Builder::new().name("core-probe".to_owned()).spawn(watch)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that watched the processor failed")))
}

fn watch_here(time: Duration) -> Vec<CoreReading> {
    let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let mut readings = Vec::with_capacity((time_ns / WINDOW_NS).min(1 << 20) as usize);
    let start = monotonic_ns();
    let mut wall = start;
    let mut cpu = thread_cpu_ns();
    let mut cycle_before_ns = f64::INFINITY;
    while wall - start < time_ns {
        // A busy wait, so that the core keeps its clock rate.
        while monotonic_ns() - wall < WINDOW_NS {}
        let before = monotonic_ns();
        add_independently(ADDITIONS / TURN);
        let between = monotonic_ns();
        add_in_a_chain(STEPS / TURN);
        let after = monotonic_ns();
        let cpu_now = thread_cpu_ns();
        let undisturbed = (after - wall).saturating_sub(cpu_now - cpu) < GAP_NS;
        (wall, cpu) = (after, cpu_now);
        let cycle_ns = (after - between) as f64 / f64::from(STEPS);
        let addition_ns = (between - before) as f64 / f64::from(ADDITIONS);
        if cycle_ns > 0.0 {
            // An interrupt can only lengthen a chain, so the shorter of the two gives the clock.
            let cycles_per_addition = addition_ns / cycle_ns.min(cycle_before_ns);
            readings.push(CoreReading { cycles_per_addition, undisturbed });
            cycle_before_ns = cycle_ns;
        }
    }
    readings
}

/// `turns` times 96 additions on six registers, enough for the widest cores today. The loop is in assembly too, so that debug builds get
/// the same readings.
#[cfg(target_arch = "x86_64")]
fn add_independently(turns: u32) {
    // SAFETY: arithmetic on declared registers only. A register is added because some cores fold constants away.
    unsafe {
        std::arch::asm!(
            "2:", ".rept 16",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}", "add {e}, {k}", "add {f}, {k}",
            ".endr", "dec {turns:e}", "jnz 2b",
            turns = inout(reg) turns => _, k = in(reg) 1u64,
            a = inout(reg) 1u64 => _, b = inout(reg) 2u64 => _, c = inout(reg) 3u64 => _,
            d = inout(reg) 4u64 => _, e = inout(reg) 5u64 => _, f = inout(reg) 6u64 => _,
            options(nomem, nostack)
        );
    }
}

/// `turns` times 96 additions, each dependent on the one before.
#[cfg(target_arch = "x86_64")]
fn add_in_a_chain(turns: u32) {
    // SAFETY: as above.
    unsafe {
        std::arch::asm!(
            "2:", ".rept 96", "add {sum}, {k}", ".endr", "dec {turns:e}", "jnz 2b",
            turns = inout(reg) turns => _, sum = inout(reg) 1u64 => _, k = in(reg) 1u64, options(nomem, nostack)
        );
    }
}

#[cfg(target_arch = "aarch64")]
fn add_independently(turns: u32) {
    // SAFETY: arithmetic on declared registers only.
    unsafe {
        std::arch::asm!(
            "2:", ".rept 16",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}",
            "add {d}, {d}, {k}", "add {e}, {e}, {k}", "add {f}, {f}, {k}",
            ".endr", "subs {turns:w}, {turns:w}, #1", "b.ne 2b",
            turns = inout(reg) turns => _, k = in(reg) 1u64,
            a = inout(reg) 1u64 => _, b = inout(reg) 2u64 => _, c = inout(reg) 3u64 => _,
            d = inout(reg) 4u64 => _, e = inout(reg) 5u64 => _, f = inout(reg) 6u64 => _,
            options(nomem, nostack)
        );
    }
}

#[cfg(target_arch = "aarch64")]
fn add_in_a_chain(turns: u32) {
    // SAFETY: as above.
    unsafe {
        std::arch::asm!(
            "2:", ".rept 96", "add {sum}, {sum}, {k}", ".endr", "subs {turns:w}, {turns:w}, #1", "b.ne 2b",
            turns = inout(reg) turns => _, sum = inout(reg) 1u64 => _, k = in(reg) 1u64, options(nomem, nostack)
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn add_independently(_turns: u32) {}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn add_in_a_chain(_turns: u32) {}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::watch_core;
    use std::time::Duration;

    #[test]
    fn a_core_adds_several_numbers_a_cycle_when_they_do_not_wait_for_each_other() {
        let processor = crate::allowed_processors()[0];
        let readings = watch_core(processor, Duration::from_millis(100)).expect("watched");
        let mut cycles: Vec<f64> = readings.iter().filter(|r| r.undisturbed).map(|r| r.cycles_per_addition).collect();
        cycles.sort_by(f64::total_cmp);
        match cycles.get(cycles.len() / 2) {
            // The bounds hold even on a shared core.
            Some(middle) => assert!(*middle > 0.05 && *middle < 1.5, "{middle} of {} readings", cycles.len()),
            None => eprintln!("skipped: this thread did not have the processor for 50 µs in 100 ms"),
        }
        assert!(watch_core(u32::MAX, Duration::ZERO).is_err(), "no such processor");
    }
}
