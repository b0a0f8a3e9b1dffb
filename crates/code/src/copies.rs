//! Matches the instructions in further copies of the body with the shown ones.

use std::collections::BTreeMap;

/// Greatest product of shown and hidden instructions that is searched.
const PAIRS_MAX: usize = 16 << 20;

/// An instruction by its address, and what it shares with its copies: its operation and its place.
pub(crate) type Keyed = (u64, (String, Option<u32>));

/// The copies of each shown instruction, by its address. Copies keep the order of the shown code, so each hidden instruction belongs to the
/// next equal shown one.
pub(crate) fn copies(shown: &[Keyed], hidden: &[Keyed]) -> BTreeMap<u64, Vec<u64>> {
    let mut found: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    if shown.len().saturating_mul(hidden.len()) > PAIRS_MAX {
        return found;
    }
    let mut next = 0;
    for (address, key) in hidden {
        let from_next = (0..shown.len()).map(|ahead| (next + ahead) % shown.len());
        if let Some(at) = from_next.into_iter().find(|at| shown[*at].1 == *key) {
            found.entry(shown[at].0).or_default().push(*address);
            next = at + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed(start: u64, text: &str) -> Vec<Keyed> {
        let key = |word: &str| (word.to_owned(), None);
        (start..).zip(text.split(' ')).map(|(address, word)| (address, key(word))).collect()
    }

    #[test]
    fn each_copy_is_found_in_the_order_of_the_body() {
        let body = keyed(10, "load add add store");
        let found = copies(&body, &keyed(20, "push load add add store load add pause add store pop"));
        assert_eq!(found[&10], [21, 25]);
        assert_eq!(found[&11], [22, 26]);
        assert_eq!(found[&12], [23, 28]);
        assert_eq!(found[&13], [24, 29]);
        assert_eq!(found.len(), 4);
        assert!(copies(&[], &body).is_empty() && copies(&body, &[]).is_empty());
    }
}
