//! The memory of a prepared input. Only as many inputs are prepared at a time as stay in the caches.

use std::time::Instant;

use super::Instance;
use crate::memory::{heap_bytes, Counter};
use crate::state::State;

/// Inputs that are made to measure one: allocators reuse a few freed blocks of each size without counting them.
const TRIED: u64 = 64;
/// A single input of at least this many bytes is enough.
const LARGE: u64 = 64 << 10;
/// If making one takes longer than this, in ns, making more would take too long.
const SLOW_NS: u128 = 1_000_000;

impl Instance<'_> {
    /// Bytes of a prepared input: its type and, if known, its heap blocks. `None` without such inputs.
    pub(crate) fn input_bytes(&mut self) -> Option<u64> {
        let size = self.state.as_ref()?.input_size()?;
        let start = Instant::now();
        let first = self.weigh(1).unwrap_or(0).max(size);
        if first > LARGE || start.elapsed().as_nanos() > SLOW_NS {
            return Some(first);
        }
        // The room for the first one exists already.
        let all = self.weigh(TRIED).map_or(0, |bytes| (bytes + size) / TRIED);
        Some(all.max(size))
    }

    /// The growth of the heap in bytes while `count` inputs are prepared.
    fn weigh(&mut self, count: u64) -> Option<u64> {
        let counter = Counter::find_own();
        let before = heap_bytes();
        if let Some(counter) = counter {
            counter.begin();
        }
        // A failure of the input is reported when the body is measured.
        let made = self.with("iteration-set-up", |state| state.prepare(count));
        let counted = counter.map(|counter| counter.end()[2]);
        let grown = || Some(heap_bytes()?.saturating_sub(before?));
        let bytes = counted.or_else(grown);
        let dropped = self.with("iteration-clean-up", State::discard);
        made.and(dropped).ok()?;
        bytes
    }
}
