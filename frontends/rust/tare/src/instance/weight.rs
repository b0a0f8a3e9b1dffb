//! What an input takes up that is prepared for one invocation: only as many are prepared at a time as stay in the caches.

use std::time::Instant;

use super::Instance;
use crate::memory::{heap_bytes, Counter};
use crate::state::State;

/// Inputs that are made to see what one has on the heap: allocators hand out a few freed blocks of a size without counting them.
const TRIED: u64 = 64;
/// Beyond this one input shows enough, bytes ...
const LARGE: u64 = 64 << 10;
/// ... and beyond this making more of them takes too long, ns.
const SLOW_NS: u128 = 1_000_000;

impl Instance<'_> {
    /// Bytes of a prepared input: its type and what it has on the heap, as far as that is known. None without such inputs.
    pub(crate) fn input_bytes(&mut self) -> Option<u64> {
        let size = self.state.as_ref()?.input_size()?;
        let start = Instant::now();
        let first = self.weigh(1).unwrap_or(0).max(size);
        if first > LARGE || start.elapsed().as_nanos() > SLOW_NS {
            return Some(first);
        }
        // The room of the first one is there already.
        let all = self.weigh(TRIED).map_or(0, |bytes| (bytes + size) / TRIED);
        Some(all.max(size))
    }

    /// Bytes that the heap grows by while `count` inputs are prepared.
    fn weigh(&mut self, count: u64) -> Option<u64> {
        let counter = Counter::find_own();
        let before = heap_bytes();
        if let Some(counter) = counter {
            counter.begin();
        }
        // Whoever measures the body is told that its input failed.
        let made = self.with("iteration-set-up", |state| state.prepare(count));
        let counted = counter.map(|counter| counter.end()[2]);
        let grown = || Some(heap_bytes()?.saturating_sub(before?));
        let bytes = counted.or_else(grown);
        let dropped = self.with("iteration-clean-up", State::discard);
        made.and(dropped).ok()?;
        bytes
    }
}
