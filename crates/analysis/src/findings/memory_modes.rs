//! `memory-modes`: the memory was randomized between visits, and the code is slower in some places than in others.

use super::shared::{is_shared_beyond, points};
use super::two_modes::quantum;
use super::{Context, Measured, Observation, Search, Sentence, Unit};
use tare_stats::location::median;
use tare_stats::modes::{dither, lowland};
use tare_stats::spread::variance;

/// Fewest visits for modes.
const VISITS_MIN: usize = 40;
/// Most values to analyse: more of them show no more.
const VALUES_MAX: usize = 2000;
const SENSITIVITY: f64 = 0.5;
/// Smallest share of a mode.
const SHARE_MIN: f64 = 0.03;
/// Smallest distance (log) of two modes.
const DISTANCE_MIN: f64 = 0.01;
/// Distance of two modes in their own standard deviations; halves of a normal sample have 2.65.
const APART_MIN: f64 = 3.2;
const NAMED: usize = 4;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(context: &Context, measured: Measured) -> Option<Observation> {
    if !measured.times.memory_randomized {
        return None;
    }
    let logs: Vec<f64> = measured.times.launches.iter().flat_map(|launch| launch.log_ns.iter().copied()).collect();
    let modes = modes(&logs, quantum(context, measured), context.run.plan.seed)?;
    let points = points(measured);
    // Effects of the machine hit all children of a round; places in memory are drawn for each of them.
    if modes.len() < 2
        || modes.windows(2).all(|pair| is_shared_beyond(&points, 0.5 * (pair[0].top() + pair[1].bottom())))
    {
        return None;
    }
    let count = modes.iter().map(|mode| mode.logs.len()).sum::<usize>() as f64;
    let one = |mode: &Mode, pattern: &str| {
        Some(Sentence::new(pattern).number("time", measured.shown_ns(mode.centre()?), Unit::Ns).number(
            "share",
            mode.logs.len() as f64 / count,
            Unit::Share,
        ))
    };
    let mut evidence = Sentence::new("{modes} times by place in memory: ").count("modes", modes.len());
    for (at, mode) in modes.iter().take(NAMED).enumerate() {
        let pattern = if at == 0 { "{time} in {share} of the places" } else { ", {time} in {share}" };
        evidence = evidence.then(one(mode, pattern)?);
    }
    if modes.len() > NAMED {
        evidence = evidence.then(Sentence::new(" and {more} more").count("more", modes.len() - NAMED));
    }
    let (first, last) = (modes.first()?.centre()?, modes.last()?.centre()?);
    let advice = "the time shown is the mean over all places: align the data if you always want the fast time";
    Some(Observation::note(evidence, advice).weighing(last - first))
}

struct Mode {
    logs: Vec<f64>,
}

impl Mode {
    fn centre(&self) -> Option<f64> {
        median(&self.logs)
    }

    fn bottom(&self) -> f64 {
        self.logs.first().copied().unwrap_or(f64::NAN)
    }

    fn top(&self) -> f64 {
        self.logs.last().copied().unwrap_or(f64::NAN)
    }

    /// Whether they are no further apart than halves of one mode would be, or too small to be a mode.
    fn is_one_with(&self, other: &Mode, all: usize) -> bool {
        let squares = |mode: &Mode| variance(&mode.logs).unwrap_or(0.0) * (mode.logs.len() - 1) as f64;
        let values = self.logs.len() + other.logs.len();
        let sd = ((squares(self) + squares(other)) / (values - 2).max(1) as f64).sqrt();
        let distance = self.centre().zip(other.centre()).map_or(0.0, |(low, high)| high - low);
        let least = self.logs.len().min(other.logs.len()) as f64;
        least < SHARE_MIN * all as f64 || distance < DISTANCE_MIN || distance < APART_MIN * sd
    }
}

/// The modes of log times, fastest first; `None` for too few times.
fn modes(logs: &[f64], quantum: f64, seed: u64) -> Option<Vec<Mode>> {
    if logs.len() < VISITS_MIN {
        return None;
    }
    let step = logs.len().div_ceil(VALUES_MAX).max(1);
    let some: Vec<f64> = logs.iter().copied().step_by(step).collect();
    let mut sorted = dither(&some, quantum, seed);
    let found = lowland(&sorted, SENSITIVITY)?;
    sorted.sort_by(f64::total_cmp);
    let mut modes: Vec<Mode> = Vec::new();
    let mut from = 0;
    for mode in &found {
        let to = sorted.partition_point(|x| *x <= mode.range.upper).max(from);
        if to > from {
            modes.push(Mode { logs: sorted[from..to].to_vec() });
        }
        from = to;
    }
    // Ends: each turn removes one.
    while let Some(at) = (1..modes.len()).find(|&at| modes[at - 1].is_one_with(&modes[at], sorted.len())) {
        let upper = modes.remove(at);
        modes[at - 1].logs.extend(upper.logs);
    }
    Some(modes)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::Outcome;

    /// Twelve launches whose visits fall into places at random.
    fn run(randomized: bool, place: impl Fn(u64) -> f64) -> crate::Report {
        let mut builder = RunBuilder::new();
        let case = builder.case("copy", "a", false);
        let lot = |n: u32, round: usize| (u64::from(n) * 24 + round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        twelve_launches(&mut builder, case, 100.0, |_, n, round| place(lot(n, round)));
        builder.run.plan.policy.memory_randomization = randomized;
        builder.child().capabilities.push("randomize".to_owned());
        crate::analyse(&builder.run())
    }

    fn three(lot: u64) -> f64 {
        match lot % 10 {
            0..=5 => 0.0,
            6..=8 => 0.5,
            _ => 1.0,
        }
    }

    #[test]
    fn places_with_other_times_are_modes_and_all_of_them_count() {
        let report = run(true, three);
        assert_eq!(codes(&report.findings), ["memory-modes"], "{:?}", report.findings);
        let text = report.findings[0].evidence.to_string();
        assert!(
            text.starts_with("3 times by place in memory: 100") || text.starts_with("3 times by place in memory: 99"),
            "{text}"
        );
        assert_eq!(text.matches(" ns in ").count(), 3, "{text}");
        // The trimmed mean would leave the slowest tenth out.
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        let crate::NetTime::Resolved { value_ns, .. } = estimates.time else { panic!("resolved") };
        let expected = 100.0 * (0.3_f64 * 0.5 + 0.1).exp();
        assert!((value_ns / expected).ln().abs() < 0.03, "{value_ns} and not {expected}");
    }

    #[test]
    fn a_case_that_is_compared_with_nothing_has_modes_too() {
        let mut builder = RunBuilder::new();
        let case = builder.case("copy", "a", false);
        for wave in 0..4 {
            let slow = |round: u64| if (round * 7 + u64::from(wave)) % 5 < 2 { 0.4 } else { 0.0 };
            let logs: Vec<f64> = (0..20).map(|round| 100.0_f64.ln() + slow(round) + 1e-4 * round as f64).collect();
            builder.launch(case, wave, &logs);
        }
        builder.run.plan.policy.memory_randomization = true;
        builder.child().capabilities.push("randomize".to_owned());
        let found = crate::analyse(&builder.run()).findings;
        assert!(codes(&found).contains(&"memory-modes"), "{found:?}");
    }

    #[test]
    fn one_time_everywhere_is_nothing() {
        assert!(run(true, |_| 0.0).findings.is_empty());
        // Several modes without randomization get another remark.
        assert!(!codes(&run(false, three).findings).contains(&"memory-modes"));
    }
}
