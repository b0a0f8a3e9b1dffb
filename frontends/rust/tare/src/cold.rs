//! Cold caches: the data of the process leaves the caches before an invocation.
//!
//! Line by line, by the instruction for it, which takes a line out of the caches of all cores. That takes as long as the process has
//! memory, some 0.2 ms for a small one. Walking through a buffer greater than the last cache takes tens of milliseconds on a server, and leaves
//! lines in caches that do not forget in order. Code is left where it is: cold would be the loop and the clock, too.

/// Whether this platform has it.
pub(crate) const SUPPORTED: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)));

/// Takes all data of the process that can be read out of the caches; nothing where it is not supported.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
pub(crate) fn flush() {
    use std::ffi::{c_int, c_long, c_uchar, c_void};

    extern "C" {
        fn mincore(start: *mut c_void, length: usize, pages: *mut c_uchar) -> c_int;
        fn sysconf(name: c_int) -> c_long;
    }
    const PAGE_SIZE: c_int = 30;
    /// Pages that are looked at together.
    const TOGETHER: usize = 1024;

    // SAFETY: it takes a number.
    let page = unsafe { sysconf(PAGE_SIZE) } as usize;
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let line = line_bytes();
    for mapping in maps.lines() {
        let Some((from, to)) = data(mapping) else { continue };
        for chunk in (from..to).step_by(TOGETHER * page) {
            let pages = TOGETHER.min((to - chunk) / page);
            let mut resident = [0; TOGETHER];
            // SAFETY: there is room for as many pages; of a mapping that is gone it fails.
            if unsafe { mincore(chunk as *mut c_void, pages * page, resident.as_mut_ptr()) } != 0 {
                continue;
            }
            for (at, _) in resident[..pages].iter().enumerate().filter(|(_, resident)| *resident & 1 == 1) {
                let start = chunk + at * page;
                for place in (start..start + page).step_by(line) {
                    // SAFETY: the page can be read and is there.
                    unsafe { flush_line(place) };
                }
            }
        }
    }
    fence();
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
pub(crate) fn flush() {}

/// The range of a line of `/proc/self/maps` that holds data; the kernel's own pages are left out.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn data(mapping: &str) -> Option<(usize, usize)> {
    let mut words = mapping.split_whitespace();
    let (range, rights) = (words.next()?, words.next()?);
    let name = words.nth(3).unwrap_or("");
    let of_kernel = name.starts_with("[v");
    let device = name.starts_with("/dev/");
    if !rights.starts_with('r') || rights.contains('x') || of_kernel || device {
        return None;
    }
    let (from, to) = range.split_once('-')?;
    Some((usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?))
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
fn line_bytes() -> usize {
    64
}

/// # Safety
/// The place can be read.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
unsafe fn flush_line(place: usize) {
    // SAFETY: the caller's.
    unsafe { core::arch::asm!("clflush [{}]", in(reg) place, options(nostack, preserves_flags)) };
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
fn fence() {
    // SAFETY: it orders loads and stores.
    unsafe { core::arch::asm!("mfence", options(nostack, preserves_flags)) };
}

#[cfg(all(target_os = "linux", target_arch = "aarch64", not(miri)))]
fn line_bytes() -> usize {
    let cache_type: u64;
    // SAFETY: Linux lets every process read it.
    unsafe { core::arch::asm!("mrs {}, ctr_el0", out(reg) cache_type, options(nomem, nostack, preserves_flags)) };
    4 << ((cache_type >> 16) & 15)
}

/// # Safety
/// The place can be read.
#[cfg(all(target_os = "linux", target_arch = "aarch64", not(miri)))]
unsafe fn flush_line(place: usize) {
    // SAFETY: the caller's.
    unsafe { core::arch::asm!("dc civac, {}", in(reg) place, options(nostack, preserves_flags)) };
}

#[cfg(all(target_os = "linux", target_arch = "aarch64", not(miri)))]
fn fence() {
    // SAFETY: it orders loads and stores.
    unsafe { core::arch::asm!("dsb ish", options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_what_can_be_read_and_not_run() {
        assert_eq!(data("00400000-00452000 rw-p 00000000 08:02 173521 /usr/bin/x y"), Some((0x40_0000, 0x45_2000)));
        assert_eq!(data("7f00-7fff r--p 00000000 00:00 0"), Some((0x7f00, 0x7fff)));
        for other in [
            "00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/x",
            "00400000-00452000 ---p 00000000 00:00 0",
            "7ffd-7fff r--p 00000000 00:00 0 [vvar]",
            "",
        ] {
            assert_eq!(data(other), None, "{other}");
        }
    }

    #[test]
    fn nothing_changes_by_it() {
        let numbers: Vec<u64> = (0..10_000).collect();
        flush();
        assert_eq!(numbers.iter().sum::<u64>(), 49_995_000);
    }
}
