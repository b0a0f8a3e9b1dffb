//! The order of visits in a round: random, and balanced so that a drift within the round hits every case alike.

use tare_stats::rng::Rng;

/// One round over `width` children of each of `cases` cases: pairs (case, child), both from 0. The children of each case are shuffled; a
/// random order of the cases is walked forth and back, with a new order for every two layers. With `pairs`, children of the same number
/// follow each other.
pub fn round(cases: usize, width: usize, pairs: bool, rng: &mut Rng) -> Vec<(usize, usize)> {
    let mut children: Vec<Vec<usize>> = (0..cases).map(|_| (0..width).collect()).collect();
    for of_case in &mut children {
        rng.shuffle(of_case);
    }
    if pairs {
        let first = children.first().cloned().unwrap_or_default();
        children.fill(first);
    }
    let mut order: Vec<usize> = (0..cases).collect();
    let mut visits = Vec::with_capacity(cases * width);
    let mut forth = false;
    for layer in (0..width).map(|layer| children.iter().map(|of_case| of_case[layer]).collect::<Vec<_>>()) {
        forth = !forth;
        if forth {
            rng.shuffle(&mut order);
        } else {
            order.reverse();
        }
        visits.extend(order.iter().map(|&case| (case, layer[case])));
    }
    visits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_child_once_and_abba() {
        let mut rng = Rng::new(5);
        let mut firsts = [0; 2];
        for _ in 0..2000 {
            let visits = round(2, 4, false, &mut rng);
            let mut sorted = visits.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 8);
            let cases: Vec<usize> = visits.iter().map(|v| v.0).collect();
            assert!(cases[0] == cases[3] && cases[1] == cases[2] && cases[0] != cases[1], "{cases:?}");
            assert!(cases[4] == cases[7] && cases[5] == cases[6] && cases[4] != cases[5], "{cases:?}");
            firsts[cases[0]] += 1;
        }
        assert!(firsts.iter().all(|&n| n > 850), "the first side is random: {firsts:?}");
    }

    #[test]
    fn children_of_a_pair_follow_each_other() {
        let mut rng = Rng::new(5);
        for _ in 0..100 {
            let visits = round(2, 4, true, &mut rng);
            assert!(visits.chunks(2).all(|two| two[0].1 == two[1].1 && two[0].0 != two[1].0), "{visits:?}");
        }
    }
}
