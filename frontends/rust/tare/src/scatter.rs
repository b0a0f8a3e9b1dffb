//! Where the blocks of a benchmark lie, anew for each seed.
//!
//! A block at the beginning moves all that come after it, together. That is not enough: two buffers that are allocated one
//! after the other keep their distance, and where it is a multiple of 4096 bytes (two blocks of 4 kB, all that the system
//! maps in pages of their own) loads and stores of the one wait for those of the other, in every launch alike. So the heap
//! gets holes of random sizes with blocks between them. The allocator takes the smallest hole that fits, so that
//! neighbours in time are no neighbours in memory, and their distance is another in each launch.
//!
//! The stack is moved for every iteration: one position in ten can make a body a third slower, where its frames lie at the distance of a
//! page from what it reads, and a launch that stayed at one would be slow throughout.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// Small random numbers (splitmix64).
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

/// Frames of this many bytes and a little more move the stack.
const FRAME: usize = 48;
/// At most so many of them: about a page.
const FRAMES: u64 = 48;
/// From one iteration to the next, so that a few lie all over the page (about 0.618 of the frames, and prime to them).
const FRAMES_STEP: u64 = 29;
/// Holes begin at this power of two: smaller blocks are reused by their exact size only.
const HOLE_MIN: u32 = 10;
/// And end at twice this one. Their memory is not touched: they cost addresses, not pages.
const HOLE_MAX: u32 = 20;
/// Holes between a power of two and the next.
const HOLES: usize = 4;
/// Greatest length of a block that keeps two holes apart, bytes.
const BETWEEN: u64 = 500;
/// Freeing a block of this size has glibc take blocks up to it from the heap instead of mapping pages, as it does anyway once
/// a body has freed one. Pages begin at multiples of 4096, so that all blocks would lie alike.
const LARGEST: usize = (32 << 20) - 8192;

type Block = Vec<MaybeUninit<u8>>;

fn block(bytes: usize) -> Block {
    black_box(Vec::with_capacity(bytes))
}

/// Offsets of heap and stack, as long as it lives.
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

    /// Runs `run` deeper in the stack, each time elsewhere.
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
        // How large a frame is the compiler knows.
        let seen = positions(7);
        let parts: BTreeSet<usize> = seen.iter().map(|position| position / 1024).collect();
        assert!(seen.len() >= FRAMES as usize / 2 && parts.len() == 4, "{seen:?}");
    }
}
