//! Randomises the addresses of a benchmark's heap blocks and stack, from a seed.
//!
//! A block at the start of the heap would move all later ones together. That is not enough: two buffers that are allocated in a row
//! keep their distance, and if it is a multiple of 4096 bytes (two blocks of 4 kB, and everything that the system maps in its own
//! pages), loads and stores of one wait for those of the other, in every launch. So the heap gets holes of random sizes, separated by
//! blocks. The allocator takes the smallest hole that fits, so consecutive allocations are not adjacent, and their distance differs
//! between launches.
//!
//! The stack is moved for every iteration. About one position in ten can make a body a third slower, if its frames are a page apart
//! from what it reads, and a launch that stayed at such a position would be slow throughout.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// A small random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Bytes of a frame that moves the stack; actual frames are slightly larger.
const FRAME: usize = 48;
/// The maximum number of frames: about a page in total.
const FRAMES: u64 = 48;
/// Frames from one iteration to the next, so that a few iterations spread over the page (about 0.618 of `FRAMES`, and coprime to it).
const FRAMES_STEP: u64 = 29;
/// The smallest holes, as a power of two: smaller blocks are only reused for their exact size.
const HOLE_MIN: u32 = 10;
/// The largest holes end at twice this power of two. Their memory is never touched, so they cost addresses, not pages.
const HOLE_MAX: u32 = 20;
/// Holes per power of two.
const HOLES: usize = 4;
/// The maximum size of a block that separates two holes, in bytes.
const BETWEEN: u64 = 500;
/// Freeing a block of this size makes glibc take blocks up to it from the heap instead of mapping pages, as it does anyway once a
/// body has freed one. Mapped blocks would all have the same offset, because pages begin at multiples of 4096.
const LARGEST: usize = (32 << 20) - 8192;

type Block = Vec<MaybeUninit<u8>>;

fn block(bytes: usize) -> Block {
    black_box(Vec::with_capacity(bytes))
}

/// Holds the offsets of heap and stack while it lives.
#[derive(Default)]
pub(crate) struct Scatter {
    _kept: Vec<Block>,
    frames: Option<Cell<u64>>,
}

impl Scatter {
    /// Offsets from a seed; 0: none.
    pub(crate) fn new(seed: u64) -> Scatter {
        if seed == 0 {
            return Scatter::default();
        }
        let mut random = Random(seed);
        let frames = Some(Cell::new(random.below(FRAMES)));
        drop(block(LARGEST));
        let mut sizes = Vec::new();
        for power in HOLE_MIN..=HOLE_MAX {
            for _ in 0..HOLES {
                sizes.push((1 << power) + random.below(1 << power) as usize);
            }
        }
        for last in (1..sizes.len()).rev() {
            sizes.swap(last, random.below(last as u64 + 1) as usize);
        }
        let mut kept = vec![block(16 + random.below(4096) as usize)];
        let mut holes = Vec::new();
        for size in sizes {
            holes.push(block(size));
            kept.push(block(16 + random.below(BETWEEN) as usize));
        }
        drop(holes);
        Scatter { _kept: kept, frames }
    }

    /// Runs `run` deeper in the stack, at another depth each time.
    pub(crate) fn deeper(&self, run: &mut dyn FnMut()) {
        let frames = self.frames.as_ref().map_or(0, |frames| frames.replace((frames.get() + FRAMES_STEP) % FRAMES));
        deeper(frames, run);
    }
}

#[inline(never)]
fn deeper(frames: u64, run: &mut dyn FnMut()) {
    let mut frame = MaybeUninit::<[u8; FRAME]>::uninit();
    black_box(&mut frame);
    if frames == 0 {
        run();
    } else {
        deeper(frames - 1, run);
    }
    black_box(&mut frame);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn positions(seed: u64) -> BTreeSet<usize> {
        let (scatter, mut seen) = (Scatter::new(seed), BTreeSet::new());
        for _ in 0..FRAMES {
            scatter.deeper(&mut || {
                let here = black_box(0u8);
                seen.insert(std::ptr::addr_of!(here) as usize % 4096);
            });
        }
        seen
    }

    #[test]
    fn the_stack_is_elsewhere_each_time_where_there_is_a_seed() {
        assert_eq!(positions(0).len(), 1);
        // The compiler decides the size of a frame.
        let seen = positions(7);
        let parts: BTreeSet<usize> = seen.iter().map(|position| position / 1024).collect();
        assert!(seen.len() >= FRAMES as usize / 2 && parts.len() == 4, "{seen:?}");
    }
}
