//! Detects the trap of a body that adds to a list which lives on, so that each visit measures something else. The sign is resident memory
//! that grows with every visit or, if the runtime collects, what lives after a collection.

/// Consecutive visits that must all grow.
const VISITS: usize = 6;
/// Smallest growth of a visit that counts, bytes.
const STEP_BYTES: u64 = 256 << 10;
/// A child that grew by this much, and with each of its last visits, is visited further until it reaches the limit or stops growing, bytes.
const DOUBT_BYTES: u64 = 4 << 20;
/// Fewest requests in which a growing body reaches the limit.
const STEPS_TO_LIMIT: f64 = 6.0;
/// Number of collections that must each leave more alive than the one before.
const COLLECTIONS: usize = 4;
/// Smallest growth rate between collections, as a share of the greatest: a heap that is finding its size slows down.
const STEADY: f64 = 0.7;
/// A managed heap takes memory before it gives any back, so its requests may be this much larger.
const MANAGED_ROOM: u64 = 4;

/// How the runtime of a child gives memory back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Heap {
    /// The code frees it: lasting growth is kept memory.
    #[default]
    Freed,
    /// It collects on request: what lives after a collection is kept.
    Collected,
    /// It collects at will: nothing is known below the bound of the host.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeakSign {
    Nothing,
    /// A collection would tell.
    Collect,
    /// Bytes that are kept.
    Leak(u64),
}

#[derive(Debug, Clone, Default)]
pub struct LeakWatch {
    heap: Heap,
    opened_bytes: Option<u64>,
    last_bytes: u64,
    growing: usize,
    invocations: u64,
    /// Invocations of the largest iteration so far.
    largest: u64,
    history: Vec<(u64, u64)>,
    collected: Vec<(u64, u64)>,
    collected_bytes: Option<u64>,
}

impl LeakWatch {
    /// Starts from the memory after opening.
    pub fn opened(bytes: Option<u64>, heap: Heap) -> LeakWatch {
        LeakWatch { heap, opened_bytes: bytes, last_bytes: bytes.unwrap_or(0), ..LeakWatch::default() }
    }

    /// Adds the memory after a request of `invocations` in iterations of at most `size`.
    pub fn visited(&mut self, bytes: Option<u64>, size: u64, invocations: u64, limit_bytes: u64) -> LeakSign {
        let (Some(opened), Some(now)) = (self.opened_bytes, bytes) else { return LeakSign::Nothing };
        self.invocations = self.invocations.saturating_add(invocations);
        self.history.push((self.invocations, now));
        if now < self.last_bytes + STEP_BYTES {
            self.growing = 0;
        } else if size <= self.largest {
            // Inputs of an iteration are made before it: a larger one needs more at once, but keeps nothing.
            self.growing += 1;
        }
        self.largest = self.largest.max(size);
        self.last_bytes = now;
        let grown = now.saturating_sub(opened);
        let lived = self.collected_bytes.unwrap_or(opened);
        match self.heap {
            Heap::Freed if self.growing >= VISITS && grown > limit_bytes => LeakSign::Leak(grown),
            Heap::Collected if now >= lived + limit_bytes => LeakSign::Collect,
            _ => LeakSign::Nothing,
        }
    }

    /// Adds the memory after a collection, or the live bytes if the runtime knows them.
    pub fn collected(&mut self, bytes: Option<u64>, live_bytes: Option<u64>) -> LeakSign {
        let Some(bytes) = bytes else { return LeakSign::Nothing };
        let lives = live_bytes.unwrap_or(bytes);
        let at_start = self.opened_bytes.filter(|_| live_bytes.is_none());
        let lived = self.collected.last().map(|(_, bytes)| *bytes).or(at_start);
        self.last_bytes = bytes;
        self.collected_bytes = Some(bytes);
        self.growing = usize::from(lived.is_some_and(|lived| lives >= lived + STEP_BYTES));
        self.collected.push((self.invocations, lives));
        match self.lives_on() {
            Some(grown) => LeakSign::Leak(grown),
            None => LeakSign::Nothing,
        }
    }

    /// Growth over the last collections, if it goes on near the greatest rate so far.
    fn lives_on(&self) -> Option<u64> {
        let last = &self.collected[self.collected.len().checked_sub(COLLECTIONS)?..];
        let rate = |pair: &[(u64, u64)]| {
            let grown = pair[1].1.saturating_sub(pair[0].1) as f64;
            grown / pair[1].0.saturating_sub(pair[0].0).max(1) as f64
        };
        let most = self.collected.windows(2).map(rate).fold(0.0, f64::max);
        let grows = |pair: &[(u64, u64)]| pair[1].1 >= pair[0].1 + STEP_BYTES && rate(pair) >= STEADY * most;
        last.windows(2).all(grows).then(|| last[COLLECTIONS - 1].1 - last[0].1)
    }

    /// Invocations per request that keep a growing body near `limit_bytes`; `None` if memory did not grow.
    pub fn invocations_max(&self, limit_bytes: u64) -> Option<u64> {
        let grown = self.last_bytes.saturating_sub(self.opened_bytes?);
        let each = grown as f64 / self.invocations.max(1) as f64;
        let room = if self.heap == Heap::Freed { limit_bytes } else { limit_bytes.saturating_mul(MANAGED_ROOM) };
        (self.growing > 0 && grown > 0).then(|| (room as f64 / STEPS_TO_LIMIT / each) as u64)
    }

    /// Whether it grew with every visit but is below the limit: a few further visits will tell.
    pub fn goes_on(&self) -> bool {
        let has_grown = self.opened_bytes.is_some_and(|opened| self.last_bytes >= opened.saturating_add(DOUBT_BYTES));
        self.heap == Heap::Freed && self.growing >= VISITS && has_grown
    }

    pub fn invocations(&self) -> u64 {
        self.invocations
    }

    /// Growth that goes on with the invocations, bytes: twice the growth in their second half, at most the whole growth.
    pub fn bytes(&self) -> Option<i64> {
        let levels = match self.heap {
            Heap::Freed => &self.history,
            Heap::Collected => &self.collected,
            Heap::Unknown => return None,
        };
        let first = match self.heap {
            Heap::Freed => self.opened_bytes?,
            _ => levels.first()?.1,
        } as i64;
        let (done, last) = *levels.last()?;
        let (_, middle) = *levels.iter().find(|(invocations, _)| 2 * u128::from(*invocations) >= u128::from(done))?;
        let (last, middle) = (last as i64, middle as i64);
        Some((2 * (last - middle)).min(last - first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn freed(bytes: u64) -> LeakWatch {
        LeakWatch { largest: 1000, ..LeakWatch::opened(Some(bytes), Heap::Freed) }
    }

    #[test]
    fn a_growing_list_is_found() {
        let mut growth = freed(10 * MIB);
        let found = (1..100)
            .map(|i| growth.visited(Some(10 * MIB + i * 8 * MIB), 1000, 1000, 96 * MIB))
            .find(|seen| *seen != LeakSign::Nothing);
        assert_eq!(found, Some(LeakSign::Leak(104 * MIB)));
        assert_eq!(growth.invocations(), 13_000);
        assert!(growth.bytes() >= Some(96 * MIB as i64), "{:?}", growth.bytes());
    }

    #[test]
    fn a_cache_that_is_filled_once_is_not() {
        let mut growth = freed(MIB);
        let sizes = [100, 200, 300, 400, 400, 400, 400, 400, 400];
        assert!(sizes.iter().all(|&s| growth.visited(Some(s * MIB), 1, 1, 96 * MIB) == LeakSign::Nothing));
        assert_eq!(growth.bytes(), Some(0), "it does not go on");
    }

    #[test]
    fn growth_below_the_limit_is_looked_at_further_while_it_goes_on() {
        let grown = |heap: Heap, steps_kib: &[u64]| {
            let mut growth = LeakWatch { largest: 1000, ..LeakWatch::opened(Some(MIB), heap) };
            let mut bytes = MIB;
            for step in steps_kib {
                bytes += step << 10;
                assert_eq!(growth.visited(Some(bytes), 1000, 1000, 96 * MIB), LeakSign::Nothing);
            }
            growth.goes_on()
        };
        assert!(grown(Heap::Freed, &[1024; 6]));
        assert!(!grown(Heap::Freed, &[1024; 5]), "too few visits");
        assert!(!grown(Heap::Freed, &[300; 8]), "too little");
        assert!(!grown(Heap::Freed, &[4096, 4096, 4096, 4096, 4096, 4096, 0]), "it is over");
        assert!(!grown(Heap::Unknown, &[1024; 6]) && !grown(Heap::Collected, &[1024; 6]), "garbage is no growth");
    }

    #[test]
    fn inputs_of_larger_and_larger_iterations_are_no_leak() {
        let mut growth = LeakWatch::opened(Some(MIB), Heap::Freed);
        for power in 0..12 {
            assert_eq!(
                growth.visited(Some((1 + (1 << power)) * MIB), 1 << power, 1 << power, 24 * MIB),
                LeakSign::Nothing
            );
        }
        for _ in 0..40 {
            assert_eq!(growth.visited(Some(2049 * MIB), 1 << 11, 1 << 11, 24 * MIB), LeakSign::Nothing);
        }
        assert_eq!(growth.bytes(), Some(0));
    }

    #[test]
    fn unknown_memory_says_nothing() {
        let mut growth = LeakWatch::opened(None, Heap::Freed);
        assert_eq!(growth.visited(Some(1 << 40), 1, 1, 0), LeakSign::Nothing);
        assert_eq!(growth.bytes(), None);
    }

    /// The sign of a collecting heap over many visits of 1000 invocations. `lives` gives the memory before and after a collection from the
    /// invocations since the start and since the last collection.
    fn managed(heap: Heap, lives: impl Fn(u64, u64) -> (u64, u64)) -> Option<LeakSign> {
        let mut growth = LeakWatch::opened(Some(50 * MIB), heap);
        let (mut done, mut since) = (0, 0);
        for _ in 0..1000 {
            (done, since) = (done + 1000, since + 1000);
            let (before, after) = lives(done, since);
            let seen = match growth.visited(Some(before), 1000, 1000, 24 * MIB) {
                LeakSign::Collect => {
                    since = 0;
                    growth.collected(Some(after), None)
                }
                seen => seen,
            };
            if seen != LeakSign::Nothing {
                return Some(seen);
            }
        }
        None
    }

    /// The sign and growth of a process that is larger after each collection, if the runtime reports live bytes.
    fn counted(lives: impl Fn(u64) -> u64) -> (Option<LeakSign>, Option<i64>) {
        let mut growth = LeakWatch::opened(Some(50 * MIB), Heap::Collected);
        let found = (1..20).find_map(|n| {
            let resident = Some(50 * MIB + n * 60 * MIB);
            assert_eq!(growth.visited(resident, 1000, 1000, 24 * MIB), LeakSign::Collect);
            Some(growth.collected(resident, Some(lives(n)))).filter(|seen| *seen != LeakSign::Nothing)
        });
        (found, growth.bytes())
    }

    #[test]
    fn a_heap_is_judged_by_what_lives_after_a_collection() {
        // Garbage of 1 kB per invocation that does not survive, as in Go and Java.
        let garbage = |_: u64, since: u64| (50 * MIB + since * 1024, 50 * MIB);
        assert_eq!(managed(Heap::Collected, garbage), None);
        // A heap that keeps the pages it once had: each collection comes later than the one before.
        let keeps = |_: u64, since: u64| (50 * MIB + since * 1024, 50 * MIB + since * 1024);
        assert_eq!(managed(Heap::Collected, keeps), None);
        // One that keeps everything.
        let leaks = |done: u64, _: u64| (50 * MIB + done * 1024, 50 * MIB + done * 1024);
        assert!(matches!(managed(Heap::Collected, leaks), Some(LeakSign::Leak(bytes)) if bytes > 60 * MIB));
        // A heap that takes more than what lives, as a server's collector does. The runtime's count decides.
        assert_eq!(counted(|_| MIB), (None, Some(0)));
        // Memory kept by native code counts as live, even with few objects.
        let (found, bytes) = counted(|n| MIB + n * 60 * MIB);
        assert!(matches!(found, Some(LeakSign::Leak(bytes)) if bytes >= 180 * MIB), "{found:?}");
        assert!(bytes > Some(100 * MIB as i64), "{bytes:?}");
        assert_eq!(managed(Heap::Unknown, leaks), None, "without the request it is left to the bound of the host");
    }
}
