//! A hash table with open addressing: linear probing, a power of two of places, multiplicative hashing.

/// From numbers other than 0 to numbers.
pub struct Table {
    places: Vec<(u64, u64)>,
    shift: u32,
}

impl Table {
    /// Room for `count` entries at half load.
    pub fn with_capacity(count: usize) -> Self {
        let places = (count.max(4) * 2).next_power_of_two();
        Table { places: vec![(0, 0); places], shift: 64 - places.trailing_zeros() }
    }

    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.places[at].0 != key && self.places[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds or replaces.
    pub fn insert(&mut self, key: u64, value: u64) {
        assert!(key != 0, "0 marks an empty place");
        let at = self.place(key);
        self.places[at] = (key, value);
    }

    /// Looks up.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u64> {
        let (found, value) = self.places[self.place(key)];
        (found != 0).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_put_in() {
        let mut table = Table::with_capacity(1000);
        for key in 1..=1000 {
            table.insert(key * 7919, key);
        }
        assert!((1..=1000).all(|key| table.get(key * 7919) == Some(key)));
        assert_eq!(table.get(3), None);
    }
}
