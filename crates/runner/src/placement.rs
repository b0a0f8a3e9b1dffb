//! On which processor a wave measures: where the core is shared least, as far as a short look before the wave shows. Where none is clearly
//! better and nothing is compared, waves use all in turn: the caches and predictors of a core can stay in one state for seconds, and a run
//! of a second on a single core would report the time in that state (decision 0014).
//!
//! Only threads of bodies that compute alone are kept on a processor. All contestants of a wave are kept on the same.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tare_process::CoreReading;
use tare_stats::alone_windows;

/// Each processor is looked at for so long.
const LOOK: Duration = Duration::from_millis(3);
/// A look holds for so long: it must not cost more than a hundredth of the time.
const HOLDS: Duration = Duration::from_millis(600);
/// More processors than this are not looked at: the system finds a quiet one of many by itself.
const PROCESSORS_MAX: usize = 4;
/// A processor is chosen when its share of undisturbed time alone is greater than that of the worst by this.
const CLEAR: f64 = 0.25;
/// Below this on some processor, the system places the threads of cases that are compared with nothing: it sees who else wants to run.
const QUIET: f64 = 0.5;

/// Where waves measure.
#[derive(Debug)]
pub struct Placement {
    fixed: Option<u32>,
    candidates: Vec<u32>,
    looked: Option<Instant>,
    /// Of each processor that could be looked at, its share of undisturbed time alone.
    shares: Vec<(u32, f64)>,
    /// Whose turn it is, by group.
    turns: BTreeMap<u32, u32>,
}

impl Placement {
    /// `fixed`: the processor that the user named.
    pub fn new(fixed: Option<u32>) -> Placement {
        let allowed = tare_process::allowed_processors();
        let is_choice = fixed.is_none() && (2..=PROCESSORS_MAX).contains(&allowed.len());
        let candidates = if is_choice { allowed } else { Vec::new() };
        Placement { fixed, candidates, looked: None, shares: Vec::new(), turns: BTreeMap::new() }
    }

    /// The processor of the wave that begins now; None: wherever the system puts its children. `level`: cycles an addition of a core
    /// that is not shared.
    ///
    /// `group`: that of the wave, where nothing is compared. Where no processor is clearly better, its waves use all in turn.
    /// Contestants are always kept on the best: a system that moves them sees its own processes, but no neighbour, and launches that were
    /// on two processors differ by what the neighbours of both do.
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
        // Each group by itself, so that it is on all of them equally often. Groups do not all begin with the same.
        let turn = self.turns.entry(group).or_insert(group);
        *turn = turn.wrapping_add(1);
        Some(self.candidates[*turn as usize % self.candidates.len()])
    }

    fn are_quiet(&self) -> bool {
        self.shares.len() == self.candidates.len() && self.shares.iter().all(|(_, share)| *share >= QUIET)
    }
}

/// Share of the windows of a look in which nobody else had the processor or used its core.
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
            // All are quiet, as far as a look shows that holds until the test is over.
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
