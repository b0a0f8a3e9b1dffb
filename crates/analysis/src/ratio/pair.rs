//! A contestant against its baseline, and the looks at their waves.

use super::overhead;
use super::sides::Sides;
use super::waves::shared_waves;
use super::{evidence, minimum};
use crate::verdict::{judge_alone, Evidence, Objection, Verdict};
use crate::visits::{AllWindows, CaseTimes};
use tare_model::Run;
use tare_stats::interval::Interval;
use tare_stats::location::mean;
use tare_stats::overhead::Overhead;
use tare_stats::sequential::{
    between_waves, lambda_of, last_look, looks_with, only_look, Design, Look, StopRule, Wave,
};
use tare_stats::special::t_isf;

/// Waves from which the spread between them is part of an interval: fewer show too little of it.
const WAVES_FOR_SPREAD: usize = 4;
/// Waves from which a quick run says that two cases differ.
const WAVES_CONFIRMED: usize = 3;
/// Below this time of an invocation a ratio means little, ns.
const TINY_NS: f64 = 2.0;
/// Smallest difference of such an invocation that is reported, ns.
const TINY_EFFECT_NS: f64 = 0.1;

#[derive(Debug, Clone)]
pub struct Pair {
    pub(crate) baseline: u32,
    /// Why it is of all windows although a side has times alone on the core.
    pub(crate) all_windows: Option<AllWindows>,
    pub(crate) waves: Vec<Wave>,
    pub(super) overhead: Option<Overhead>,
    /// By how much (log) the ratio may be off, as the times of both sides are rounded.
    rounded: f64,
    design: Design,
    /// The number of waves is fixed: nobody looks before the last.
    fixed: bool,
    /// Its launches are so few that a difference takes one more wave.
    is_quick: bool,
    pub rule: StopRule,
}

impl Pair {
    /// What a look says. A difference of a quick run takes the wave after it: four launches may all be fast by chance.
    pub(crate) fn evidence(&self, look: &Look) -> Evidence {
        let evidence = evidence(look);
        match evidence.objection {
            None if self.has_few_waves() => Evidence { objection: Some(Objection::Unconfirmed), ..evidence },
            _ => evidence,
        }
    }

    fn has_few_waves(&self) -> bool {
        self.is_quick && self.waves.len() < WAVES_CONFIRMED
    }

    /// The waves so far show a difference, and another one has to confirm it.
    pub(super) fn lacks_confirmation(&self) -> bool {
        let Some(look) = self.look(1.0).filter(|_| self.has_few_waves()) else { return false };
        let verdict = judge_alone(&evidence(&look), &minimum(&self.rule)).verdict;
        matches!(verdict, Verdict::Faster | Verdict::Slower)
    }

    /// The newest look; None before both sides have a wave. See [`inflation`].
    pub fn look(&self, inflation: f64) -> Option<Look> {
        let look = match self.fixed {
            true => with_waves(only_look(&self.waves, inflation)?, &self.waves),
            false => looks_with(&self.waves, self.design, inflation).last().copied()?,
        };
        Some(self.without_loop(look))
    }

    /// The same without the loop, and with what rounding hides, which no number of launches makes smaller.
    fn without_loop(&self, look: Look) -> Look {
        let wider = |of: Interval| Interval { lower: of.lower - self.rounded, upper: of.upper + self.rounded };
        let (rci_90, rci_95, rci_99) = (wider(look.rci_90), wider(look.rci_95), wider(look.rci_99));
        let look = Look { rci_90, rci_95, rci_99, ..look };
        self.overhead.as_ref().map_or(look, |overhead| overhead::without(look, overhead))
    }

    /// The newest look of a run that the time or the plan ended. None where its verdict ended it.
    pub(super) fn last_look(&self, inflation: f64) -> Option<Look> {
        let alone = judge_alone(&evidence(&self.look(1.0)?), &minimum(&self.rule));
        if self.fixed || alone.verdict != Verdict::Unclear {
            return None;
        }
        last_look(&self.waves, self.design, inflation).map(|look| self.without_loop(look))
    }
}

/// By how much the variance of all ratios of a suite exceeds the spread within waves; 1 unless 20 comparisons show it.
pub fn inflation<'a>(pairs: impl Iterator<Item = &'a Pair>) -> f64 {
    lambda_of(pairs.map(|pair| pair.waves.as_slice())).map_or(1.0, |found| found.inflation())
}

/// A contestant against its baseline, in times at the clock with this length of a cycle, ns; None before there is a time of the baseline.
pub fn pair(run: &Run, group: u32, base: &CaseTimes, contestant: &CaseTimes, reference: Option<f64>) -> Option<Pair> {
    let members = run.plan.groups.get(group as usize)?;
    let sides = Sides::of(run, group, [base, contestant]);
    let waves = shared_waves(run, &sides);
    let (waves_min, waves_max) = run.plan.policy.waves_of(members);
    let design = Design { processes_per_side: run.plan.policy.width_of(members) as usize, looks: waves_max as usize };
    // Of an invocation: a third of a nanosecond an element is resolved well when a call works on ten thousand of them.
    let overhead = overhead::of_sides(run, [&sides.base, &sides.new], reference);
    let own_share = 1.0 - overhead.map_or(0.0, |overhead| overhead.of_base());
    let base_ns = own_share * centre_ns(base)? * base.operations();
    let mut minimum = run.plan.policy.minimum_effect;
    if base_ns < TINY_NS {
        minimum = minimum.max(TINY_EFFECT_NS / base_ns);
    }
    let rule = StopRule { minimum_effect_log: minimum.ln_1p(), max_looks: waves_max as usize };
    let (baseline, all_windows) = (base.case, sides.all_windows);
    let (fixed, is_quick) = (waves_min == waves_max, run.plan.policy.takes_confirmation());
    let rounded = base.rounded + contestant.rounded;
    Some(Pair { baseline, all_windows, waves, overhead, rounded, design, fixed, is_quick, rule })
}

pub(crate) fn pairs(run: &Run, times: &[CaseTimes], reference: Option<f64>) -> Vec<Option<Pair>> {
    let mut pairs: Vec<Option<Pair>> = vec![None; times.len()];
    for (group, members) in run.plan.groups.iter().enumerate() {
        let failed = |case: u32| run.results[case as usize].failure.is_some();
        let Some(base) = members.baseline.filter(|&base| !failed(base)) else { continue };
        for case in members.contestants().filter(|&case| !failed(case)) {
            pairs[case as usize] = pair(run, group as u32, &times[base as usize], &times[case as usize], reference);
        }
    }
    pairs
}

/// The only look of a fixed plan. From [`WAVES_FOR_SPREAD`] waves on it is the wider of two: over the launches within waves, and over the
/// differences of waves, since a neighbour can slow one side for the length of a wave.
fn with_waves(look: Look, waves: &[Wave]) -> Look {
    let Some(between) = between_waves(waves).filter(|_| waves.len() >= WAVES_FOR_SPREAD) else { return look };
    let wider = |within: Interval, alpha: f64| {
        let reach = t_isf(alpha / 2.0, between.df) * between.standard_error;
        Interval { lower: within.lower.min(look.estimate - reach), upper: within.upper.max(look.estimate + reach) }
    };
    let p = look.p.max(between.p(look.estimate));
    let (rci_90, rci_95, rci_99) = (wider(look.rci_90, 0.10), wider(look.rci_95, 0.05), wider(look.rci_99, 0.01));
    Look { p, repeated_p: p, rci_90, rci_95, rci_99, ..look }
}

pub(super) fn centre_ns(times: &CaseTimes) -> Option<f64> {
    let values: Vec<f64> = times.launches.iter().map(|l| l.value).collect();
    mean(&values).map(f64::exp)
}
