//! The level of an unshared core, as found by several programs: one that stands alone is the odd one.

use super::probe::STEPS_MAX;
use super::windows::{fastest_ns, low_readings, CLOCK_RANGE};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::{ChildFacts, Launch, LevelFound, Run, WidthProbe};
use tare_stats::{unshared_level, SHARED_MIN};

/// Levels within this share of each other are one: those of a core alone repeat to 0.4 % in native code, to 4 % in a runtime.
pub const LEVELS_AGREE: f64 = 1.05;
/// Findings of a probe that are remembered ...
const REMEMBERED: usize = 12;
/// ... and per benchmark among them: as many as overrule a single one far below.
const OF_ONE: usize = OVERRULE;
/// The source of a width that does not come from the profile.
const THIS_RUN: &str = "this run";
/// This many agreeing runs count more than a single finding far below them. A run counts once, as all of it may have had a neighbour.
const OVERRULE: usize = 3;
/// Levels closer than this do not differ because of a neighbour.
const NEAR: f64 = 1.0 + SHARED_MIN;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgreedLevel {
    pub cycles_per_addition: f64,
    pub findings: usize,
}

impl AgreedLevel {
    pub fn holds(&self, level: f64) -> bool {
        level.max(self.cycles_per_addition) <= level.min(self.cycles_per_addition) * LEVELS_AGREE
    }
}

fn is_possible(cycles_per_addition: f64) -> bool {
    cycles_per_addition.is_finite() && cycles_per_addition * STEPS_MAX >= 1.0
}

/// The level on which findings agree, each given with the benchmark and the run that found it. It is the lowest, as a neighbour lengthens
/// readings; if three runs agree, the lowest on which two findings do. Among levels closer than a neighbour makes them, the one found by
/// more benchmarks counts, else the higher one: an overlong clock probe makes a level too low.
pub fn agreed_level<'a>(found: impl IntoIterator<Item = (&'a str, &'a str, f64)>) -> Option<AgreedLevel> {
    let mut found: Vec<(&str, &str, f64)> = found.into_iter().filter(|(.., level)| is_possible(*level)).collect();
    found.sort_by(|a, b| a.2.total_cmp(&b.2));
    let from = |start: usize| {
        let end = found.partition_point(|(.., level)| *level <= found[start].2 * LEVELS_AGREE);
        &found[start..end]
    };
    let runs = |start: usize| from(start).iter().map(|(_, run, _)| run).collect::<BTreeSet<_>>().len();
    let most = (0..found.len()).map(runs).max()?;
    let least = if most >= OVERRULE { 2 } else { 1 };
    let starts = || (0..found.len()).filter(|start| from(*start).len() >= least);
    let lowest = found[starts().next()?].2;
    let near = starts().filter(|start| found[*start].2 < lowest * NEAR);
    // Findings in an older profile have no benchmark.
    let who =
        |start: usize| from(start).iter().map(|(by, ..)| by).filter(|by| !by.is_empty()).collect::<BTreeSet<_>>().len();
    let best = from(near.max_by_key(|start| (who(*start), *start))?);
    let mut agreed = AgreedLevel { cycles_per_addition: best[best.len() / 2].2, findings: 0 };
    agreed.findings = found.iter().filter(|(.., level)| agreed.holds(*level)).count();
    Some(agreed)
}

/// Remembers what a run found, unless a neighbour explains it.
pub fn remember(known: &mut Vec<LevelFound>, new: LevelFound) {
    let agreed = agreed_level(known.iter().map(LevelFound::vote)).filter(|agreed| agreed.findings > 1);
    let most = agreed.map_or(f64::INFINITY, |agreed| agreed.cycles_per_addition * NEAR);
    if !is_possible(new.cycles_per_addition) || new.cycles_per_addition >= most {
        return;
    }
    let mut before = known.iter().filter(|found| found.by == new.by).count();
    known.retain(|found| {
        let is_too_old = found.by == new.by && before >= OF_ONE;
        before -= usize::from(is_too_old);
        !is_too_old
    });
    known.push(new);
    known.drain(..known.len().saturating_sub(REMEMBERED));
}

/// The level shown by the launches of cases with one width probe, in the newest part of a run.
pub fn level_of_cases(run: &Run, cases: &[u32]) -> Option<f64> {
    let newest = run.parts.len().saturating_sub(1);
    let launches = run.launches.iter().filter(|l| cases.contains(&l.case) && l.part as usize == newest);
    let launches: Vec<(&Launch, &ChildFacts)> =
        launches.filter_map(|launch| Some((launch, run.child_of(launch.case)?))).collect();
    let cycle_ns = |(launch, facts): &(&Launch, &ChildFacts)| Some(fastest_ns(&launch.series)? / facts.probe_cycles?);
    let reference = run.newest_environment().clock_reference.as_ref().map(|reference| reference.cycle_ns);
    let fastest = launches.iter().filter_map(cycle_ns).chain(reference).fold(f64::INFINITY, f64::min);
    let is_final = |launch: &&(&Launch, &ChildFacts)| cycle_ns(launch).is_some_and(|ns| ns <= CLOCK_RANGE * fastest);
    let readings = launches.iter().filter(is_final).flat_map(|(launch, facts)| low_readings(&launch.series, facts));
    let readings: Vec<f64> = readings.collect();
    unshared_level(&readings).filter(|level| is_possible(*level))
}

/// The levels that the benchmarks of a run found, by probe, except those that always had a neighbour.
pub fn levels_found(run: &Run) -> Vec<(WidthProbe, String, f64)> {
    // Of the cases of a benchmark, the first: its sides, jobs and parameters run mostly the same code.
    let mut found = BTreeMap::new();
    for (case, planned) in (0..).zip(&run.plan.cases) {
        let probe = run.child_of(case).map_or(WidthProbe::None, |facts| facts.width_probe());
        if matches!(probe, WidthProbe::Native | WidthProbe::OfRuntime(_)) {
            if let Some(level) = level_of_cases(run, &[case]) {
                found.entry((probe, planned.benchmark.full_name())).or_insert(level);
            }
        }
    }
    let mut lowest = BTreeMap::new();
    for ((probe, _), level) in &found {
        let of_run = run.newest_environment().core_width_by(probe).filter(|width| width.source == THIS_RUN);
        let lowest = lowest.entry(probe.clone()).or_insert(of_run.map_or(*level, |width| width.cycles_per_addition));
        *lowest = level.min(*lowest);
    }
    let all = found.into_iter().map(|((probe, by), level)| (probe, by, level));
    all.filter(|(probe, _, level)| *level < lowest[probe] * NEAR).collect()
}

#[cfg(test)]
mod tests {
    use super::{agreed_level, remember};
    use tare_model::LevelFound;

    /// Each found in a separate run.
    fn agreed(found: &[(&str, f64)]) -> Option<f64> {
        let runs: Vec<String> = (0..found.len()).map(|run| run.to_string()).collect();
        let votes = found.iter().zip(&runs).map(|((by, level), run)| (*by, run.as_str(), *level));
        agreed_level(votes).map(|agreed| agreed.cycles_per_addition)
    }

    #[test]
    fn a_run_beside_a_neighbour_counts_once() {
        let of = |run: &'static str| ["b", "c", "d"].map(|by| (by, run, 0.47));
        let found = |runs: &[[(&'static str, &'static str, f64); 3]]| {
            let votes = [("a", "first", 0.25)].into_iter().chain(runs.iter().flatten().copied());
            agreed_level(votes).map(|agreed| agreed.cycles_per_addition)
        };
        assert_eq!(found(&[of("1"), of("2")]), Some(0.25));
        assert_eq!(found(&[of("1"), of("2"), of("3")]), Some(0.47));
    }

    #[test]
    fn a_level_that_stands_alone_is_the_odd_one() {
        let others = [("a", 0.247), ("b", 0.249), ("c", 0.2475)];
        for odd in [0.211, 0.29, 0.13, 1.48, 0.0354, f64::NAN] {
            assert_eq!(agreed(&[&others[..], &[("odd", odd)]].concat()), Some(0.2475), "{odd}");
        }
        assert_eq!(agreed(&[]), None);
        assert_eq!(agreed(&[("odd", 0.0354)]), None, "28 additions in a cycle");
        // A benchmark that finds the same in each run still counts as one.
        assert_eq!(agreed(&[("vector", 0.211), ("vector", 0.212), ("a", 0.247), ("a", 0.2472)]), Some(0.2472));
    }

    #[test]
    fn a_neighbour_is_above_and_a_clock_probe_that_was_too_long_below() {
        assert_eq!(agreed(&[("a", 0.25), ("b", 0.47), ("c", 0.47)]), Some(0.25));
        assert_eq!(agreed(&[("a", 0.25), ("a", 0.25), ("b", 0.47), ("c", 0.47), ("d", 0.47)]), Some(0.25));
        assert_eq!(agreed(&[("a", 0.25), ("b", 0.211)]), Some(0.25));
        assert_eq!(
            agreed(&[("a", 0.25), ("b", 0.124), ("b", 0.124), ("c", 0.25), ("d", 0.25)]),
            Some(0.124),
            "found twice"
        );
    }

    /// The level after each of some runs, starting with one from an older profile.
    fn mended(wrong: f64, runs: &[(&str, f64)]) -> Vec<f64> {
        let found = |run: usize, by: &str, cycles_per_addition: f64| LevelFound {
            by: by.to_owned(),
            cycles_per_addition,
            recorded: run.to_string(),
        };
        let mut known = vec![found(0, "", wrong)];
        let after = (1..).zip(runs).map(|(run, (by, level))| {
            remember(&mut known, found(run, by, *level));
            assert!(known.len() <= 12);
            agreed_level(known.iter().map(LevelFound::vote)).expect("a level").cycles_per_addition
        });
        after.collect()
    }

    #[test]
    fn later_runs_mend_a_wrong_level_in_both_directions() {
        let runs = [("a", 0.2475), ("a", 0.2482), ("a", 0.2475)];
        for times in [1.0 / 1.17, 1.17, 0.5, 2.0, 1.0 / 6.0, 6.0] {
            let after = mended(0.2475 * times, &runs);
            // An older profile's level is replaced at once, unless it was far too low.
            let first = if times == 0.5 { 2 } else { 0 };
            assert!((after[first] / 0.2475 - 1.0).abs() < 0.01, "{times}: {after:?}");
        }
    }

    #[test]
    fn a_neighbour_who_stays_for_days_moves_no_level_that_was_seen_twice() {
        let shared = [("a", 0.47); 40];
        let runs = [&[("a", 0.248), ("b", 0.247)][..], &shared[..]].concat();
        assert!(mended(0.247, &runs).iter().all(|level| (level / 0.2475 - 1.0).abs() < 0.01));
    }
}
