//! Cold caches: flushes the data of the process from the caches before an invocation.
//!
//! It flushes line by line with the instruction for that, which removes a line from the caches of all cores. The time grows with the
//! memory of the process: about 0.2 ms for a small one. Walking through a buffer larger than the last-level cache takes tens of
//! milliseconds on a server, and leaves lines in caches that do not evict in order. Code is not flushed, because the loop and the clock
//! would become cold too. Memory that is both writable and executable, and memory of devices, is skipped.

use std::arch::asm;
use std::ffi::{c_int, c_long, c_uchar, c_void};

/// Whether this platform is supported.
pub(crate) const SUPPORTED: bool = true;

extern "C" {
    fn mincore(start: *mut c_void, length: usize, pages: *mut c_uchar) -> c_int;
    fn sysconf(name: c_int) -> c_long;
    fn syscall(number: c_long, ...) -> c_long;
}

/// Flushes all readable data of the process from the caches.
pub(crate) fn flush() {
    const PAGE_SIZE: c_int = 30;
    /// Pages per call of `mincore`.
    const TOGETHER: usize = 1024;

    // SAFETY: it takes a number.
    let page = unsafe { sysconf(PAGE_SIZE) } as usize;
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let line = line_bytes();
    for mapping in maps.lines() {
        let Some(Data { from, to, is_file }) = data(mapping) else { continue };
        for chunk in (from..to).step_by(TOGETHER * page) {
            let pages = TOGETHER.min((to - chunk) / page);
            let mut resident = [0; TOGETHER];
            // SAFETY: `resident` has room for that many pages; for a mapping that is gone it fails.
            if unsafe { mincore(chunk as *mut c_void, pages * page, resident.as_mut_ptr()) } != 0 {
                continue;
            }
            let resident = if is_file { within_file(chunk, page, &resident[..pages]) } else { &resident[..pages] };
            for (at, _) in resident.iter().enumerate().filter(|(_, resident)| *resident & 1 == 1) {
                let start = chunk + at * page;
                for place in (start..start + page).step_by(line) {
                    // SAFETY: the page is readable and resident.
                    unsafe { flush_line(place) };
                }
            }
        }
    }
    fence();
}

/// Whether a page is readable: the kernel reads the mask before it rejects the first argument. Nothing is changed.
fn is_readable(page: usize) -> bool {
    const RT_SIGPROCMASK: c_long = if cfg!(target_arch = "x86_64") { 14 } else { 135 };
    const EFAULT: c_int = 14;
    // SAFETY: the kernel reads eight bytes there, if it can.
    let status = unsafe { syscall(RT_SIGPROCMASK, -1 as c_long, page, 0_usize, 8_usize) };
    status == 0 || std::io::Error::last_os_error().raw_os_error() != Some(EFAULT)
}

/// The pages of a mapped file up to its end. For files that the caller neither owns nor may write, `mincore` reports all pages as
/// resident, and touching one beyond the end raises SIGBUS.
fn within_file(start: usize, page: usize, resident: &[u8]) -> &[u8] {
    let last = resident.iter().rposition(|resident| resident & 1 == 1);
    let (mut least, mut most) = match last {
        None => return &[],
        Some(last) if is_readable(start + last * page) => return &resident[..=last],
        Some(last) => (0, last),
    };
    while least < most {
        let middle = least + (most - least) / 2;
        if is_readable(start + middle * page) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    &resident[..least]
}

/// A mapping that holds data.
#[derive(Debug, PartialEq)]
struct Data {
    from: usize,
    to: usize,
    is_file: bool,
}

/// The mapping in a line of `/proc/self/maps`, if it holds data; the kernel's own pages are left out.
fn data(mapping: &str) -> Option<Data> {
    let mut words = mapping.split_whitespace();
    let (range, rights) = (words.next()?, words.next()?);
    let is_file = words.nth(2)? != "0";
    let name = words.next().unwrap_or("");
    let of_kernel = name.starts_with("[v");
    // Shared memory is below `/dev/` too.
    let shared = name.starts_with("/dev/shm/") || name.starts_with("/dev/zero");
    let device = name.starts_with("/dev/") && !shared;
    if !rights.starts_with('r') || rights.contains('x') || of_kernel || device {
        return None;
    }
    let (from, to) = range.split_once('-')?;
    Some(Data { from: usize::from_str_radix(from, 16).ok()?, to: usize::from_str_radix(to, 16).ok()?, is_file })
}

fn line_bytes() -> usize {
    #[cfg(target_arch = "x86_64")]
    let bytes = 64;
    #[cfg(target_arch = "aarch64")]
    let bytes = {
        let cache_type: u64;
        // SAFETY: Linux lets every process read this register.
        unsafe { asm!("mrs {}, ctr_el0", out(reg) cache_type, options(nomem, nostack, preserves_flags)) };
        4 << ((cache_type >> 16) & 15)
    };
    bytes
}

/// # Safety
/// `place` is readable.
unsafe fn flush_line(place: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("clflush [{}]", in(reg) place, options(nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("dc civac, {}", in(reg) place, options(nostack, preserves_flags));
    }
}

/// Waits until all flushes are complete.
fn fence() {
    // SAFETY: it orders loads and stores.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mfence", options(nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("dsb ish", options(nostack, preserves_flags));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_what_can_be_read_and_not_run() {
        let of = |from, to, is_file| Some(Data { from, to, is_file });
        let line = "00400000-00452000 rw-p 00000000 08:02 173521 /usr/bin/x y";
        assert_eq!(data(line), of(0x40_0000, 0x45_2000, true));
        assert_eq!(data("7f00-7fff r--p 00000000 00:00 0"), of(0x7f00, 0x7fff, false));
        for shared in ["/dev/shm/a b", "/dev/zero (deleted)"] {
            assert_eq!(data(&format!("7f00-7fff rw-s 00000000 00:01 7 {shared}")), of(0x7f00, 0x7fff, true));
        }
        for other in [
            "00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/x",
            "00400000-00452000 ---p 00000000 00:00 0",
            "7ffd-7fff r--p 00000000 00:00 0 [vvar]",
            "7ffd-7fff rw-s 00000000 00:05 12 /dev/dri/card0",
            "",
        ] {
            assert_eq!(data(other), None, "{other}");
        }
    }

    #[test]
    fn no_page_beyond_the_end_of_a_file_is_touched() {
        use std::os::fd::AsRawFd;

        extern "C" {
            fn mmap(start: usize, bytes: usize, rights: i32, flags: i32, file: i32, offset: i64) -> usize;
            fn munmap(start: usize, bytes: usize) -> i32;
        }
        const PAGE: usize = 65536; // a multiple of any page's size
        let path = std::env::temp_dir().join(format!("tare-cold-{}", std::process::id()));
        std::fs::write(&path, vec![1; 3 * PAGE]).expect("a file");
        let file = std::fs::File::open(&path).expect("opened");
        std::fs::remove_file(&path).expect("removed");
        // SAFETY: only the kernel reads the mapping, which is unmapped afterwards.
        unsafe {
            let start = mmap(0, 8 * PAGE, 1, 1, file.as_raw_fd(), 0);
            assert!(start != usize::MAX, "mapped");
            // What `mincore` reports to a process that does not own the file.
            let within = |pages: usize| within_file(start, PAGE, &vec![1; pages]).len();
            assert_eq!([1, 2, 3, 4, 5, 8].map(within), [1, 2, 3, 3, 3, 3]);
            assert_eq!(within_file(start, PAGE, &[1, 0, 0, 0]), [1]);
            assert_eq!(within_file(start, PAGE, &[0; 8]), [0; 0]);
            assert_eq!(munmap(start, 8 * PAGE), 0);
        }
    }

    #[test]
    fn nothing_changes_by_it() {
        let numbers: Vec<u64> = (0..10_000).collect();
        flush();
        assert_eq!(numbers.iter().sum::<u64>(), 49_995_000);
    }
}
