//! Clocks: wall time, CPU time and context switches of the thread, and the clock probe.
//!
//! The few C functions are declared by hand, so that building a benchmark builds no other crate. They are used on 64-bit
//! Linux, where these layouts are part of the kernel's interface. Elsewhere the child's capabilities leave these columns out.

use std::time::Instant;

/// Dependent one-cycle additions in one probe.
pub(crate) const PROBE_CYCLES: u64 = 32_768;
/// Independent additions in one reading of the width probe.
pub(crate) const WIDTH_ADDITIONS: u64 = 14_400;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system {
    use std::ffi::{c_int, c_long};

    pub(crate) const HAS_CPU: bool = true;

    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: c_long,
    }

    /// `struct rusage`: two `timeval`s (four longs) and fourteen longs.
    #[repr(C)]
    struct Rusage {
        times: [c_long; 4],
        sizes_and_faults: [c_long; 12],
        voluntary_switches: c_long,
        involuntary_switches: c_long,
    }

    extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
        fn getrusage(who: c_int, usage: *mut Rusage) -> c_int;
    }

    const PROCESS: c_int = 2;
    const THREAD: c_int = 3;
    const RUSAGE_THREAD: c_int = 1;

    fn read(clock: c_int) -> u64 {
        let mut time = Timespec { seconds: 0, nanoseconds: 0 };
        // SAFETY: `time` is a `struct timespec` of 64-bit Linux.
        unsafe { clock_gettime(clock, &mut time) };
        time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
    }

    pub(super) fn thread_cpu_ns() -> u64 {
        read(THREAD)
    }

    pub(super) fn process_cpu_ns() -> u64 {
        read(PROCESS)
    }

    pub(super) fn switches() -> (u64, u64) {
        let mut usage =
            Rusage { times: [0; 4], sizes_and_faults: [0; 12], voluntary_switches: 0, involuntary_switches: 0 };
        // SAFETY: `usage` is a `struct rusage` of 64-bit Linux.
        unsafe { getrusage(RUSAGE_THREAD, &mut usage) };
        (usage.voluntary_switches as u64, usage.involuntary_switches as u64)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod system {
    pub(crate) const HAS_CPU: bool = false;
    pub(super) fn thread_cpu_ns() -> u64 {
        0
    }
    pub(super) fn process_cpu_ns() -> u64 {
        0
    }
    pub(super) fn switches() -> (u64, u64) {
        (0, 0)
    }
}

pub(crate) use system::HAS_CPU;

/// Whether the clock probe can be run.
pub(crate) const HAS_PROBE: bool = cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)));

/// CPU time and context switches of the thread so far.
#[derive(Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) cpu_ns: u64,
    pub(crate) process_cpu_ns: u64,
    pub(crate) waits: u64,
    pub(crate) switches: u64,
}

impl Usage {
    /// For before the clock starts: reads CPU time last.
    pub(crate) fn before() -> Usage {
        let (waits, switches) = system::switches();
        let process_cpu_ns = system::process_cpu_ns();
        Usage { cpu_ns: system::thread_cpu_ns(), process_cpu_ns, waits, switches }
    }

    /// For after the clock has stopped: reads CPU time first.
    pub(crate) fn after() -> Usage {
        let cpu_ns = system::thread_cpu_ns();
        let process_cpu_ns = system::process_cpu_ns();
        let (waits, switches) = system::switches();
        Usage { cpu_ns, process_cpu_ns, waits, switches }
    }
}

#[inline]
pub(crate) fn since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

/// Times a chain of [`PROBE_CYCLES`] dependent additions, which shows the current clock rate of the core.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(never)]
pub(crate) fn probe() -> u64 {
    use std::arch::asm;
    let mut sum: u64 = 1;
    let step: u64 = 3;
    let mut left = PROBE_CYCLES / 64;
    let start = Instant::now();
    while left != 0 {
        // Register plus register: some cores fold additions of small constants away.
        // SAFETY: arithmetic on two registers.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            asm!(".rept 64", "add {0}, {1}", ".endr", inout(reg) sum, in(reg) step, options(nomem, nostack));
            #[cfg(target_arch = "aarch64")]
            asm!(".rept 64", "add {0}, {0}, {1}", ".endr", inout(reg) sum, in(reg) step, options(nomem, nostack));
        }
        left -= 1;
    }
    crate::keep(sum);
    since(start).max(1)
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
pub(crate) fn probe() -> u64 {
    1
}

/// The width probe, to be timed: [`WIDTH_ADDITIONS`] independent additions. If the core's other hardware thread is busy, fewer of them
/// complete per cycle, while a dependent chain is as fast as ever. The loop is the same as in the host, the other native
/// children and `spec/protocol.md`, so that all readings are comparable.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(never)]
pub(crate) fn width() {
    use std::arch::asm;
    let turns = WIDTH_ADDITIONS as u32 / 96;
    // SAFETY: arithmetic on registers that are otherwise unused. A register is added, because some cores fold constants away.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "2:", ".rept 16",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}", "add {e}, {k}", "add {f}, {k}",
            ".endr", "dec {turns:e}", "jnz 2b",
            turns = inout(reg) turns => _, k = in(reg) 1u64,
            a = inout(reg) 1u64 => _, b = inout(reg) 2u64 => _, c = inout(reg) 3u64 => _,
            d = inout(reg) 4u64 => _, e = inout(reg) 5u64 => _, f = inout(reg) 6u64 => _,
            options(nomem, nostack)
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
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

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
pub(crate) fn width() {}

/// The smallest step of the clock. If a read takes longer than a step, no two reads are equal, and the smallest difference between
/// the intervals of consecutive reads shows it.
pub(crate) fn resolution_ns() -> u64 {
    let reads: Vec<u64> = (0..1_000).map(|_| since(Instant::now())).collect();
    smallest_step(reads)
}

fn smallest_step(mut reads: Vec<u64>) -> u64 {
    reads.sort_unstable();
    reads.dedup();
    match reads[..] {
        [] | [0] => 1,
        [0, step, ..] => step,
        [least, ..] => reads.windows(2).map(|pair| pair[1] - pair[0]).fold(least, u64::min).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::smallest_step;

    #[test]
    fn the_step_of_a_clock_is_not_what_a_read_costs() {
        assert_eq!(smallest_step(vec![20, 21, 20, 23]), 1, "a clock of 1 ns, read in 20");
        assert_eq!(smallest_step(vec![20, 30, 20, 50]), 10, "steps of 10 ns, read in 20 or 30");
        assert_eq!(smallest_step(vec![0, 0, 42, 41, 83]), 41, "ticks of 41.7 ns, read in less");
        assert_eq!(smallest_step(vec![100, 0, 100]), 100);
        assert_eq!((smallest_step(vec![17]), smallest_step(vec![0]), smallest_step(vec![])), (17, 1, 1));
    }
}
