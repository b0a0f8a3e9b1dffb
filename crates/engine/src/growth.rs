//! The trap: a body that adds to a list which lives on. Each visit measures another thing than the one before, and in
//! the end the machine runs out of memory. It is recognised by resident memory that grows with every visit.

/// Consecutive visits that must all grow.
const VISITS: usize = 6;
/// A visit counts as growing when it adds at least this much, bytes.
const STEP_BYTES: u64 = 256 << 10;

/// Requests that a growing body needs at least to reach the limit.
const STEPS_TO_LIMIT: f64 = 6.0;

/// Resident memory of one child since it was opened.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    opened_bytes: Option<u64>,
    last_bytes: u64,
    growing: usize,
    invocations: u64,
}

impl Growth {
    /// Starts from the memory after `open`.
    pub fn opened(bytes: Option<u64>) -> Growth {
        Growth { opened_bytes: bytes, last_bytes: bytes.unwrap_or(0), growing: 0, invocations: 0 }
    }

    /// Takes in the memory after a request of `invocations`; tells the growth in bytes when it is beyond `limit_bytes`.
    pub fn visited(&mut self, bytes: Option<u64>, invocations: u64, limit_bytes: u64) -> Option<u64> {
        let (opened, now) = (self.opened_bytes?, bytes?);
        self.invocations = self.invocations.saturating_add(invocations);
        if now >= self.last_bytes + STEP_BYTES {
            self.growing += 1;
        } else {
            self.growing = 0;
        }
        self.last_bytes = now;
        let grown = now.saturating_sub(opened);
        (self.growing >= VISITS && grown > limit_bytes).then_some(grown)
    }

    /// Invocations that a request may have so that a body which grows as it did until now stays near `limit_bytes`;
    /// None when memory did not grow.
    pub fn invocations_max(&self, limit_bytes: u64) -> Option<u64> {
        let grown = self.last_bytes.saturating_sub(self.opened_bytes?);
        let each = grown as f64 / self.invocations.max(1) as f64;
        (self.growing > 0 && grown > 0).then(|| (limit_bytes as f64 / STEPS_TO_LIMIT / each) as u64)
    }

    /// Invocations since `open`.
    pub fn invocations(&self) -> u64 {
        self.invocations
    }

    /// Growth since `open`, bytes; negative when memory was given back.
    pub fn bytes(&self) -> Option<i64> {
        self.opened_bytes.map(|opened| self.last_bytes as i64 - opened as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_growing_list_is_found() {
        let mut growth = Growth::opened(Some(10 * MIB));
        let found = (1..100).find_map(|i| growth.visited(Some(10 * MIB + i * 8 * MIB), 1000, 96 * MIB));
        assert_eq!(found, Some(104 * MIB));
        assert_eq!(growth.invocations(), 13_000);
    }

    #[test]
    fn a_cache_that_is_filled_once_is_not() {
        let mut growth = Growth::opened(Some(MIB));
        let sizes = [100, 200, 300, 400, 400, 400, 400, 400];
        assert!(sizes.iter().all(|&s| growth.visited(Some(s * MIB), 1, 96 * MIB).is_none()));
    }

    #[test]
    fn unknown_memory_says_nothing() {
        let mut growth = Growth::opened(None);
        assert_eq!(growth.visited(Some(1 << 40), 1, 0), None);
        assert_eq!(growth.bytes(), None);
    }
}
