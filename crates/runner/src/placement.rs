//! Chooses the processor for a wave: the one whose core is shared least, according to a short look before the wave. If none is clearly
//! better and nothing is compared, waves take turns on all of them: the caches and predictors of a core can stay in one state for seconds,
//! and a run of a second on one core would report the time in that state (decision 0014).
//!
//! Only bodies that compute on a single thread are pinned. All contestants of a wave share one processor.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tare_process::CoreReading;
use tare_stats::alone_windows;

/// How long each processor is looked at.
const LOOK: Duration = Duration::from_millis(3);
/// How long a look stays valid: it must not cost more than a hundredth of the time.
const HOLDS: Duration = Duration::from_millis(600);
/// With more processors than this there is no look: the system finds a quiet one by itself.
const PROCESSORS_MAX: usize = 4;
/// A processor is chosen if its share of undisturbed time exceeds the smallest share by this.
const CLEAR: f64 = 0.25;
/// If any processor is below this, the system places the threads of cases without a baseline: it knows what else wants to run.
const QUIET: f64 = 0.5;

/// Where waves run.
#[derive(Debug)]
pub struct Placement {
    fixed: Option<u32>,
    candidates: Vec<u32>,
    looked: Option<Instant>,
    /// Share of undisturbed time of each processor that could be looked at.
    shares: Vec<(u32, f64)>,
    /// Next turn of each group.
    turns: BTreeMap<u32, u32>,
}

impl Placement {
    /// `fixed`: the processor that the user chose.
    pub fn new(fixed: Option<u32>) -> Placement {
        let allowed = tare_process::allowed_processors();
        let is_choice = fixed.is_none() && (2..=PROCESSORS_MAX).contains(&allowed.len());
        let candidates = if is_choice { allowed } else { Vec::new() };
        Placement { fixed, candidates, looked: None, shares: Vec::new(), turns: BTreeMap::new() }
    }

    /// The processor of the next wave; None: the system places its children. `level`: cycles per addition on an unshared core.
    ///
    /// `group`: the wave's group, if nothing is compared; without a clearly better processor, its waves take turns on all. Contestants
    /// always run on the best: the system knows its own processes but no neighbour, and launches on two processors would differ by what
    /// their neighbours do.
    pub fn of_next_wave(&mut self, group: Option<u32>, level: Option<f64>) -> Option<u32> {
        let Some(level) = level.filter(|_| !self.candidates.is_empty()) else { return self.fixed };
        if self.looked.is_none_or(|looked| looked.elapsed() >= HOLDS) {
            let look = |&processor: &u32| {
                let readings = tare_process::watch_core(processor, LOOK).ok()?;
                Some((processor, quiet_share(&readings, level)))
            };
            self.shares = self.candidates.iter().filter_map(look).collect();
            self.looked = Some(Instant::now());
        }
        let Some(group) = group else {
            return best(&self.shares).filter(|(_, share)| *share > 0.0).map(|(processor, _)| processor);
        };
        let chosen = clearly_best(&self.shares);
        if chosen.is_some() || !self.are_quiet() {
            return chosen;
        }
        // Each group counts its own turns, so that it uses all processors equally often, and starts with another one.
        let turn = self.turns.entry(group).or_insert(group);
        *turn = turn.wrapping_add(1);
        Some(self.candidates[*turn as usize % self.candidates.len()])
    }

    fn are_quiet(&self) -> bool {
        self.shares.len() == self.candidates.len() && self.shares.iter().all(|(_, share)| *share >= QUIET)
    }
}

/// Share of a look's windows in which neither the processor nor its core was used by anything else.
fn quiet_share(readings: &[CoreReading], level: f64) -> f64 {
    let cycles = |r: &CoreReading| if r.undisturbed { r.cycles_per_addition } else { f64::NAN };
    let windows = alone_windows(&readings.iter().map(cycles).collect::<Vec<_>>(), level);
    windows.iter().filter(|alone| **alone).count() as f64 / windows.len().max(1) as f64
}

/// The processor with the greatest share; the first of equals.
fn best(shares: &[(u32, f64)]) -> Option<(u32, f64)> {
    shares.iter().rev().copied().max_by(|a, b| a.1.total_cmp(&b.1))
}

fn clearly_best(shares: &[(u32, f64)]) -> Option<u32> {
    let best = best(shares)?;
    let worst = shares.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 - worst.1 >= CLEAR).then_some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn look(shared_every: usize, preempted_every: usize) -> Vec<CoreReading> {
        let reading = |i: usize| CoreReading {
            cycles_per_addition: if i % shared_every == 0 { 0.4 } else { 0.22 },
            undisturbed: i % preempted_every != 0,
        };
        (1..60).map(reading).collect()
    }

    #[test]
    fn a_processor_that_others_use_is_left_for_one_that_is_clearly_better() {
        let share = |shared, preempted| quiet_share(&look(shared, preempted), 0.22);
        let (quiet, shared, busy) = (share(99, 99), share(4, 99), share(99, 4));
        assert!(quiet == 1.0 && shared < 0.2 && busy < 0.2, "{quiet} {shared} {busy}");
        assert_eq!(clearly_best(&[(0, shared), (1, quiet)]), Some(1));
        assert_eq!(clearly_best(&[(0, quiet), (1, busy), (2, 0.9)]), Some(0));
        assert_eq!(clearly_best(&[(0, 0.9), (1, 0.8)]), None, "no difference is worth a move");
        assert_eq!((clearly_best(&[]), best(&[])), (None, None));
        assert_eq!(best(&[(0, 0.8), (1, 0.8), (2, 0.1)]), Some((0, 0.8)));
        assert_eq!(quiet_share(&[], 0.22), 0.0);
    }

    #[test]
    fn each_group_is_on_all_processors_equally_often() {
        for count in 2..=4_u32 {
            let candidates: Vec<u32> = (10..10 + count).collect();
            // All are quiet according to a look that stays valid until the test is over.
            let looked = Some(Instant::now() + Duration::from_secs(3600));
            let shares = candidates.iter().map(|&processor| (processor, 1.0)).collect();
            let mut placement = Placement { candidates: candidates.clone(), looked, shares, ..Placement::new(None) };
            let mut firsts = BTreeSet::new();
            for group in 0..7 {
                let on: Vec<u32> =
                    (0..count * 3).filter_map(|_| placement.of_next_wave(Some(group), Some(0.22))).collect();
                firsts.insert(on[0]);
                for turns in on.chunks(count as usize) {
                    let mut seen = turns.to_vec();
                    seen.sort_unstable();
                    assert_eq!(seen, candidates, "group {group}");
                }
            }
            assert_eq!(firsts.len(), count as usize, "groups begin on different ones");
        }
    }

    #[test]
    fn contestants_are_on_the_best_processor_clearly_or_not() {
        let looked = Some(Instant::now() + Duration::from_secs(3600));
        for (quiet, shares) in [(false, [(0, 0.3), (1, 0.4)]), (true, [(0, 0.8), (1, 0.9)])] {
            let shares = shares.to_vec();
            let mut known = Placement { candidates: vec![0, 1], looked, shares, ..Placement::new(None) };
            assert_eq!(known.of_next_wave(None, Some(0.22)), Some(1));
            assert_eq!(
                known.of_next_wave(Some(0), Some(0.22)).is_some(),
                quiet,
                "a case by itself takes turns, where all are quiet"
            );
        }
        let shares = vec![(0, 0.0), (1, 0.0)];
        let mut busy = Placement { candidates: vec![0, 1], looked, shares, ..Placement::new(None) };
        assert_eq!(busy.of_next_wave(None, Some(0.22)), None, "others want to run everywhere: the system sees them");
    }

    #[test]
    fn the_processor_that_the_user_named_is_the_one() {
        let mut fixed = Placement::new(Some(0));
        assert_eq!((fixed.of_next_wave(Some(0), None), fixed.of_next_wave(Some(0), Some(0.22))), (Some(0), Some(0)));
        assert_eq!(Placement::new(None).of_next_wave(Some(0), None), None, "nothing is known of the core");
    }
}
