//! Allocations per invocation: the diagnoser `memory`.
//!
//! It counts in one of two ways. A program with [`allocator!`](crate::allocator) counts in its own allocator. Any other program that is
//! linked dynamically on Linux is started by the host with an allocator in front of the C library's, which is found by the names of its
//! functions. If there is neither, the request is refused, because a count of 0 would be wrong.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_int;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

pub(crate) use interposed::{heap_bytes, keeps_what_is_freed};

/// The metrics of the diagnoser: name, unit, and what a value refers to.
pub(crate) const METRICS: [(&str, &str, &str); 3] =
    [("allocations", "", "operation"), ("allocated_bytes", "B", "operation"), ("peak_bytes", "B", "iteration")];

/// The allocations of an iteration, in the order of [`METRICS`].
pub(crate) type Counts = [u64; 3];

/// The functions of the host's allocator.
type Begin = unsafe extern "C" fn() -> c_int;
type End = unsafe extern "C" fn(*mut Counts);

static COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// An allocator that counts while `tare run --diagnose memory` measures, and forwards everything to another one.
pub struct Counting<A = System>(A);

impl<A> Counting<A> {
    /// Wraps another allocator.
    pub const fn new(inner: A) -> Counting<A> {
        Counting(inner)
    }
}

#[cold]
fn allocated(bytes: usize, more: i64) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes as u64, Relaxed);
    let live = LIVE.fetch_add(more, Relaxed) + more;
    PEAK.fetch_max(live, Relaxed);
}

#[cold]
fn freed(bytes: usize) {
    LIVE.fetch_sub(bytes as i64, Relaxed);
}

// SAFETY: everything is forwarded to the allocator inside.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            allocated(layout.size(), layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            allocated(layout.size(), layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if COUNTING.load(Relaxed) {
            freed(layout.size());
        }
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            allocated(size, size as i64 - layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { self.0.realloc(block, layout, size) }
    }
}

/// Lets this program count its own allocations for `tare run --diagnose memory`: write `tare::allocator!();` at the top of the bench target.
///
/// It is needed if the host cannot preload its own allocator: for statically linked programs, programs with their own allocator
/// (`tare::allocator!(MiMalloc);`), and systems other than Linux. While nothing is counted, an allocation costs one more load.
#[macro_export]
macro_rules! allocator {
    () => {
        $crate::allocator!(::std::alloc::System);
    };
    ($kind:path) => {
        #[global_allocator]
        static __TARE_ALLOCATOR: $crate::__private::Counting<$kind> = $crate::__private::Counting::new($kind);
    };
    ($kind:ty, $value:expr) => {
        #[global_allocator]
        static __TARE_ALLOCATOR: $crate::__private::Counting<$kind> = $crate::__private::Counting::new($value);
    };
}

/// The allocator that the host put in front of the C library's.
#[cfg(all(target_os = "linux", not(target_feature = "crt-static"), not(miri)))]
mod interposed {
    use super::{Begin, End};
    use std::ffi::{c_char, c_void};

    extern "C" {
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }

    fn function(name: &'static str) -> Option<*mut c_void> {
        // SAFETY: the name ends with a zero; a null handle searches all libraries.
        let found = unsafe { dlsym(std::ptr::null_mut(), name.as_ptr().cast()) };
        (!found.is_null()).then_some(found)
    }

    /// Whether freed memory is kept for a while (AddressSanitizer, up to 256 MiB), so that growth does not mean a leak.
    pub(crate) fn keeps_what_is_freed() -> bool {
        function("__asan_init\0").is_some()
    }

    /// `struct mallinfo2` of the GNU C library: ten numbers. The fifth is the bytes in blocks with their own mapping, the eighth the
    /// bytes in other blocks in use.
    type Info = [usize; 10];

    #[repr(C)]
    struct Returned(Info);

    /// Bytes that the C library's allocator has handed out; `None` if it does not report them. The number is not exact: blocks cached
    /// for the next request of their size count as handed out.
    pub(crate) fn heap_bytes() -> Option<u64> {
        let ask = function("mallinfo2\0")?;
        // SAFETY: wherever this function exists, it has this type.
        let ask = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> Returned>(ask) };
        // SAFETY: it only reads the allocator's statistics.
        let Returned(info) = unsafe { ask() };
        Some((info[4] + info[7]) as u64)
    }

    /// The functions that begin and end a count; `None` if the host's allocator is not loaded.
    pub(super) fn functions() -> Option<(Begin, End)> {
        let (begin, end) = (function("tare_memory_begin\0")?, function("tare_memory_end\0")?);
        // SAFETY: the host's allocator has these functions with these types, and their names are not used elsewhere.
        Some(unsafe {
            (std::mem::transmute::<*mut c_void, Begin>(begin), std::mem::transmute::<*mut c_void, End>(end))
        })
    }
}

#[cfg(not(all(target_os = "linux", not(target_feature = "crt-static"), not(miri))))]
mod interposed {
    use super::{Begin, End};

    pub(crate) fn keeps_what_is_freed() -> bool {
        false
    }

    pub(super) fn functions() -> Option<(Begin, End)> {
        None
    }

    pub(crate) fn heap_bytes() -> Option<u64> {
        None
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Counter {
    /// The allocator of this program.
    Own,
    /// The host's.
    Interposed(Begin, End),
}

fn counts_itself() -> bool {
    COUNTING.store(true, Relaxed);
    let before = ALLOCATIONS.load(Relaxed);
    drop(black_box(Box::new(0_u64)));
    COUNTING.store(false, Relaxed);
    ALLOCATIONS.load(Relaxed) != before
}

/// Whether `hello` names the diagnoser.
pub(crate) fn is_possible() -> bool {
    Counter::find().is_ok()
}

impl Counter {
    /// The allocator of this program, if it counts.
    pub(crate) fn find_own() -> Option<Counter> {
        counts_itself().then_some(Counter::Own)
    }

    /// An allocator that can count here, or the reason why there is none.
    pub(crate) fn find() -> Result<Counter, &'static str> {
        if counts_itself() {
            return Ok(Counter::Own);
        }
        let Some((begin, end)) = interposed::functions() else {
            return Err("nothing counts allocations here: put `tare::allocator!();` at the top of the bench target");
        };
        let mut counts = [0; 3];
        // SAFETY: see `functions`.
        let works = unsafe {
            let works = begin();
            // Allocate as the body would. Twice, to detect an allocator that reuses cached blocks.
            for _ in 0..2 {
                drop(black_box(Box::new(0_u64)));
                drop(black_box(Vec::<u8>::with_capacity(5000)));
            }
            end(&mut counts);
            works
        };
        match (works, counts) {
            (1.., [4, 10_016, _]) => Ok(Counter::Interposed(begin, end)),
            _ => Err("this program has its own allocator: count with `tare::allocator!(ITS_NAME);`"),
        }
    }

    pub(crate) fn begin(self) {
        match self {
            Counter::Own => {
                for counter in [&ALLOCATIONS, &BYTES] {
                    counter.store(0, Relaxed);
                }
                LIVE.store(0, Relaxed);
                PEAK.store(0, Relaxed);
                COUNTING.store(true, Relaxed);
            }
            // SAFETY: see `functions`.
            Counter::Interposed(begin, _) => unsafe {
                begin();
            },
        }
    }

    pub(crate) fn end(self) -> Counts {
        match self {
            Counter::Own => {
                COUNTING.store(false, Relaxed);
                [ALLOCATIONS.load(Relaxed), BYTES.load(Relaxed), PEAK.load(Relaxed).max(0) as u64]
            }
            Counter::Interposed(_, end) => {
                let mut counts = [0; 3];
                // SAFETY: see `functions`.
                unsafe { end(&mut counts) };
                counts
            }
        }
    }
}
