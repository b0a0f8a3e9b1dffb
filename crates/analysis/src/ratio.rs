//! Ratios within a run: contestants against the baseline of their group, over the waves that they share.

use crate::findings::Decide;
use crate::one_kind::traits_of_both;
use crate::report::{CoreUse, NetTime, Quantity, RatioReport, Verdict};
use crate::times::{CaseTimes, LaunchTimes, Location, TimeChoice};
use crate::verdict::{judge_all, judge_alone, Evidence, Objection, Remedy, Ruling, Spread};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::{Artifact, Draw, Run, RunStatus};
use tare_stats::effects::process_effects;
use tare_stats::interval::Interval;
use tare_stats::location::mean;
use tare_stats::sequential::{between_waves, lambda_of, last_look, looks_with, only_look, Design, Look, Rule, Wave};
use tare_stats::special::t_isf;

/// Waves from which the spread between them is part of an interval: fewer show too little of it.
const WAVES_FOR_SPREAD: usize = 4;
/// Launches of a side that a wave needs.
pub(crate) const LAUNCHES_MIN: usize = 2;
/// Below this time of an invocation a ratio means little, ns.
const TINY_NS: f64 = 2.0;
/// Smallest difference of such an invocation that is reported, ns.
const TINY_EFFECT_NS: f64 = 0.1;

/// The ratio of each case to its baseline, by index of the case.
pub fn ratios(run: &Run, times: &[CaseTimes]) -> Vec<Option<RatioReport>> {
    let mut pairs: Vec<Option<(u32, Pair)>> = vec![None; times.len()];
    for (group, members) in run.plan.groups.iter().enumerate() {
        let failed = |case: u32| run.results[case as usize].failure.is_some();
        let Some(base) = members.baseline.filter(|&base| !failed(base)) else { continue };
        for case in members.contestants().filter(|&case| !failed(case)) {
            let pair = pair(run, group as u32, &times[base as usize], &times[case as usize]);
            pairs[case as usize] = pair.map(|pair| (base, pair));
        }
    }
    let inflation = inflation(pairs.iter().flatten().map(|(_, pair)| pair));
    let mut found: Vec<Option<(u32, &Pair, Look)>> = pairs
        .iter()
        .map(|found| {
            let (base, pair) = found.as_ref()?;
            Some((*base, pair, pair.look(inflation)?))
        })
        .collect();
    let judge = |found: &[Option<(u32, &Pair, Look)>]| {
        let judged = found.iter().flatten().map(|(_, pair, look)| (evidence(look), asked(&pair.rule)));
        judge_all(&judged.collect::<Vec<_>>())
    };
    let mut rulings = judge(&found);
    if run.status == RunStatus::Finished {
        for ((_, pair, look), ruling) in found.iter_mut().flatten().zip(&rulings) {
            if ruling.verdict == Verdict::Unclear {
                *look = pair.last_look(inflation).unwrap_or(*look);
            }
        }
        rulings = judge(&found);
    }
    let mut rulings = rulings.into_iter();
    let names = crate::findings::names(run);
    let of_case = |(case, found): (usize, Option<(u32, &Pair, Look)>)| {
        let (base, _, look) = found?;
        Some(report([names[base as usize], names[case]], base, &look, rulings.next()?))
    };
    found.into_iter().enumerate().map(of_case).collect()
}

/// What a look says.
pub(crate) fn evidence(look: &Look) -> Evidence {
    Evidence {
        estimate: look.estimate,
        spread: Some(Spread::Look(*look)),
        p: Some(look.repeated_p),
        may_be_same: true,
        looks: look.look as u32,
        objection: (!look.waves_agree).then_some(Objection::WavesDisagree),
        difference_ns: None,
    }
}

/// What is asked of it: no difference is too small in ns alone, since the minimum effect of a short invocation is in ns (see [`pair`]).
pub(crate) fn asked(rule: &Rule) -> crate::verdict::Rule {
    crate::verdict::Rule { minimum_effect_log: rule.minimum_effect_log, noise_ns: 0.0 }
}

/// A contestant against its baseline: what was measured, and the rule that applies.
#[derive(Debug, Clone)]
pub struct Pair {
    waves: Vec<Wave>,
    design: Design,
    /// The number of waves is fixed: nobody looks before the last.
    fixed: bool,
    /// What counts as a difference.
    pub rule: Rule,
}

impl Pair {
    /// The newest look; None before both sides have a wave. See [`inflation`].
    pub fn look(&self, inflation: f64) -> Option<Look> {
        if self.fixed {
            return Some(with_waves(only_look(&self.waves, inflation)?, &self.waves));
        }
        looks_with(&self.waves, self.design, inflation).last().copied()
    }

    /// The newest look of a run that has finished, where the time or the plan ended the comparison. None where its verdict ended it: one that it
    /// has by itself may be taken away by lambda or by the correction for many comparisons.
    fn last_look(&self, inflation: f64) -> Option<Look> {
        let alone = judge_alone(&evidence(&self.look(1.0)?), &asked(&self.rule));
        if self.fixed || alone.verdict != Verdict::Unclear {
            return None;
        }
        last_look(&self.waves, self.design, inflation)
    }
}

/// By how much the variance of all ratios of a suite is larger than the spread within waves says (method 5.2): 1 unless at least
/// 20 comparisons show it.
pub fn inflation<'a>(pairs: impl Iterator<Item = &'a Pair>) -> f64 {
    lambda_of(pairs.map(|pair| pair.waves.as_slice())).map_or(1.0, |found| found.inflation())
}

/// A contestant against its baseline; None before there is a time of the baseline.
pub fn pair(run: &Run, group: u32, base: &CaseTimes, contestant: &CaseTimes) -> Option<Pair> {
    let members = run.plan.groups.get(group as usize)?;
    let waves = alike(run, group, [base, contestant]);
    let (waves_min, waves_max) = run.plan.policy.waves_of(members);
    let design = Design { processes_per_side: run.plan.policy.width_of(members) as usize, looks: waves_max as usize };
    // Of an invocation: a third of a nanosecond an element is resolved well when a call works on ten thousand of them.
    let base_ns = centre_ns(base)? * base.operations();
    let mut minimum = run.plan.policy.minimum_effect;
    if base_ns < TINY_NS {
        minimum = minimum.max(TINY_EFFECT_NS / base_ns);
    }
    let rule = Rule { minimum_effect_log: minimum.ln_1p(), max_looks: waves_max as usize, ..Rule::default() };
    Some(Pair { waves, design, fixed: waves_min == waves_max, rule })
}

/// Why a ratio is of all windows although a side has times alone on the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllWindows {
    /// The other side has none.
    OneSide,
    /// The code changes what is kept of its windows.
    SharesDiffer,
    /// In fewer than a third of the waves were there two launches of each that were alone on the core.
    FewWaves,
}

/// None where both sides are compared in the times that are shown of them.
pub fn why_all_windows(group: u32, base: &CaseTimes, new: &CaseTimes) -> Option<AllWindows> {
    match (base.core == new.core, base.core) {
        (false, _) => Some(AllWindows::OneSide),
        (true, CoreUse::Alone) if crate::windows::differ(group, base, new) => Some(AllWindows::SharesDiffer),
        (true, CoreUse::Alone) if !have_waves(group, base, new) => Some(AllWindows::FewWaves),
        _ => None,
    }
}

/// Whether so many waves with launches alone on the core are enough of those that were made: a third. All windows of all waves say more than
/// a few launches.
pub(crate) fn are_enough(alone: usize, made: usize) -> bool {
    alone > 0 && 3 * alone >= made
}

/// Enough waves have launches enough of both.
fn have_waves(group: u32, base: &CaseTimes, new: &CaseTimes) -> bool {
    let waves = |of: fn(&CaseTimes, u32) -> BTreeMap<u32, usize>| {
        let (base, new) = (of(base, group), of(new, group));
        let has = |wave: &u32, side: &BTreeMap<u32, usize>| side.get(wave).is_some_and(|&count| count >= LAUNCHES_MIN);
        base.keys().filter(|wave| has(wave, &base) && has(wave, &new)).count()
    };
    are_enough(waves(CaseTimes::launches_by_wave), waves(CaseTimes::made_by_wave))
}

/// The waves of both sides in times of one kind.
pub fn alike(run: &Run, group: u32, [base, new]: [&CaseTimes; 2]) -> Vec<Wave> {
    if let Some(traits) = traits_of_both(base, new) {
        let of_both = TimeChoice { traits: Some(traits), ..TimeChoice::default() };
        let [base, new] = [base, new].map(|times| times.again(run, of_both));
        return alike(run, group, [&base, &new]);
    }
    let both_as = |quantity| [base, new].map(|t| t.again(run, TimeChoice::all_windows(quantity)));
    let waves_as = |quantity| {
        let [base, new] = both_as(quantity);
        shared_waves(run, group, &base, &new)
    };
    if base.quantity != new.quantity {
        // One side is on CPU time, the other is not: both on CPU time where both may be, else both on wall time.
        let cpu = both_as(Quantity::Cpu);
        return match cpu.iter().all(|t| t.quantity == Quantity::Cpu) {
            true => shared_waves(run, group, &cpu[0], &cpu[1]),
            false => waves_as(Quantity::Wall),
        };
    }
    // Times alone on the core are never set against times of a core that was shared.
    match why_all_windows(group, base, new) {
        None => shared_waves(run, group, base, new),
        Some(_) => waves_as(base.quantity),
    }
}

/// The only look of a fixed plan. From [`WAVES_FOR_SPREAD`] waves on it is the wider of two: over the launches within waves, and over the
/// differences of waves. A neighbour on the core's other thread can slow one side more than the other for the length of a wave;
/// the launches of that wave agree about it, and only the waves show it.
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

fn centre_ns(times: &CaseTimes) -> Option<f64> {
    let values: Vec<f64> = times.launches.iter().map(|l| l.value).collect();
    mean(&values).map(f64::exp)
}

/// Process effects of both sides for each wave of the group in which both have launches.
pub fn shared_waves(run: &Run, group: u32, base: &CaseTimes, contestant: &CaseTimes) -> Vec<Wave> {
    // One exponent for both; a side without a clock probe takes the correction from the other too.
    let exponent = match (base.exponent, contestant.exponent) {
        (Some(a), Some(b)) => 0.5 * (a + b),
        _ => 0.0,
    };
    // What marks the layouts of the contestant.
    let of_another = if have_the_same_layouts(run, base.case, contestant.case) { 0 } else { OF_OTHERS };
    let numbers: BTreeSet<u32> = base.launches.iter().filter(|l| l.group == group).map(|l| l.wave).collect();
    numbers
        .into_iter()
        .filter_map(|number| {
            let of = |times: &CaseTimes| -> Vec<LaunchTimes> {
                let launches = times.launches.iter().filter(|l| l.group == group && l.wave == number);
                launches.map(|l| LaunchTimes { log_ns: times.log_ns_with(l, exponent), ..l.clone() }).collect()
            };
            let (a, b) = (of(base), of(contestant));
            if a.len() < LAUNCHES_MIN || b.len() < LAUNCHES_MIN {
                return None;
            }
            let effects = effects_of([base, contestant], [&a, &b]);
            let counts = effects.iter().flatten().flatten().map(|(_, visits)| 1.0 / *visits as f64);
            let inverse_visits = mean(&counts.collect::<Vec<f64>>());
            let [left, right] = effects.map(|side| side.into_iter().map(|e| Some(e?.0)).collect::<Vec<Option<f64>>>());
            let (a, b) = (with_draws(&a, &left), with_draws(&b, &right));
            let partner = |draw: &Draw| b.iter().position(|(other, _)| draw.is_partner_of(other));
            let pairs = a.iter().enumerate().filter_map(|(at, (draw, _))| Some((at, partner(draw)?))).collect();
            let of_contestant = layouts(run, contestant.case, &b).into_iter().map(|layout| of_another | layout);
            let layouts = (layouts(run, base.case, &a), of_contestant.collect());
            let effects = |side: Vec<(Draw, f64)>| side.into_iter().map(|(_, effect)| effect).collect();
            Some(Wave { pairs, layouts, inverse_visits, a: effects(a), b: effects(b) })
        })
        .collect()
}

/// The effect of each launch of a wave, by side, and how many of its visits count; None without any.
pub(crate) fn effects_of<const SIDES: usize>(
    times: [&CaseTimes; SIDES],
    sides: [&[LaunchTimes]; SIDES],
) -> [Vec<Option<(f64, usize)>>; SIDES] {
    let mut rows = by_rounds(&sides.iter().copied().flatten().collect::<Vec<_>>());
    // Rounds that were added in search of a core alone have some sides only: in them the neighbour would stay in its times.
    if times.iter().any(|t| t.core == CoreUse::Any) {
        let has_all = |row: &Vec<Option<f64>>| {
            let mut rest = row.as_slice();
            sides.iter().all(|side| {
                let (of_side, others) = rest.split_at(side.len());
                rest = others;
                of_side.iter().any(Option::is_some)
            })
        };
        rows.retain(has_all);
    }
    // What one side is made of the other is made of, too.
    let location = times.iter().map(|t| t.location).fold(Location::Trimmed, Location::of_both);
    let effects: Vec<Option<(f64, usize)>> = match location {
        // What makes a visit slow is its own, a place in memory or a collection: rounds do not share it, and none is left out.
        Location::Mean | Location::OverCalls => {
            let of = |column: usize| rows.iter().filter_map(|row| row[column]).collect::<Vec<f64>>();
            let columns = rows.first().map_or(0, Vec::len);
            (0..columns).map(of).map(|values| Some((location.centre(&values)?, values.len()))).collect()
        }
        Location::Trimmed => process_effects(&rows).into_iter().map(|e| e.map(|e| (e.effect, e.valid))).collect(),
    };
    // Where no round is left there are no columns either.
    let mut effects = effects.into_iter();
    sides.map(|side| side.iter().map(|_| effects.next().flatten()).collect())
}

/// The effects that there are, each with what was drawn for its launch.
fn with_draws(launches: &[LaunchTimes], effects: &[Option<f64>]) -> Vec<(Draw, f64)> {
    launches.iter().zip(effects).filter_map(|(launch, &effect)| Some((launch.draw, effect?))).collect()
}

/// Marks the layouts of a contestant that have nothing to do with those of the base.
const OF_OTHERS: u64 = 1 << 63;

/// Layouts of the same number have the functions in the same order, as far as both programs have the same. Where that makes their times no
/// more alike than other layouts do, the launches show it.
fn have_the_same_layouts(run: &Run, base: u32, contestant: u32) -> bool {
    let of = |case: u32| artifact(run, case).map(|artifact| artifact.layouts.len());
    of(base) == of(contestant)
}

fn artifact(run: &Run, case: u32) -> Option<&Artifact> {
    run.artifacts.get(run.plan.cases[case as usize].artifact as usize)
}

/// The layouts of these launches of a case; none where its program has few.
fn layouts(run: &Run, case: u32, launches: &[(Draw, f64)]) -> Vec<u64> {
    let artifact = artifact(run, case);
    launches.iter().filter_map(|(draw, _)| artifact?.layout(draw)).collect()
}

/// Rows are rounds, columns launches.
pub fn by_rounds(launches: &[&LaunchTimes]) -> Vec<Vec<Option<f64>>> {
    let rounds = launches.iter().flat_map(|l| &l.rounds).map(|&r| r as usize + 1).max().unwrap_or(0);
    let mut rows = vec![vec![None; launches.len()]; rounds];
    for (column, launch) in launches.iter().enumerate() {
        for (&round, &log_ns) in launch.rounds.iter().zip(&launch.log_ns) {
            rows[round as usize][column] = Some(log_ns);
        }
    }
    rows
}

fn report(names: [&str; 2], baseline: u32, look: &Look, ruling: Ruling) -> RatioReport {
    let margin = look.rci_90.reach().exp_m1();
    let only = names.map(str::to_owned).to_vec();
    let remedy = Remedy::Again { only, is_cut_short: false, can_be_longer: true, margin };
    let decide_with = match remedy.of(ruling.verdict, ruling.reason.as_ref()) {
        Some(Decide::Again(again)) => Some(again),
        _ => None,
    };
    RatioReport {
        baseline,
        ratio: look.estimate.exp(),
        interval: look.rci_95.map(f64::exp),
        interval_99: look.rci_99.map(f64::exp),
        interval_90: look.rci_90.map(f64::exp),
        verdict: ruling.verdict,
        reason: ruling.reason,
        p: look.repeated_p,
        q: ruling.q.filter(|_| ruling.is_corrected).unwrap_or(look.repeated_p),
        looks: look.look as u32,
        certified_margin: margin,
        minimum_effect: ruling.minimum_effect,
        decide_with,
        disagreement: None,
    }
}

/// The net time of a case when it is resolved, ns; for findings.
pub fn resolved_ns(time: &NetTime) -> Option<f64> {
    match time {
        NetTime::Resolved { value_ns, .. } => Some(*value_ns),
        NetTime::Below { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::{Outcome, RatioReport, Verdict};

    /// The ratio of two cases of which one takes 20 % more than 0.4 ns an operation.
    fn tiny(operations: u64) -> RatioReport {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            builder.run.plan.cases[case as usize].benchmark.operations = operations;
            twelve_launches(&mut builder, case, if name == "a" { 0.4 } else { 0.48 }, |_, _, _| 0.0);
        }
        let report = crate::analyse(&builder.run());
        let Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
        estimates.ratio.clone().expect("compared")
    }

    #[test]
    fn a_body_is_tiny_by_its_invocation_and_not_by_what_the_user_counts() {
        let (one, many) = (tiny(1), tiny(10_000));
        assert_eq!((one.verdict, many.verdict), (Verdict::Same, Verdict::Slower));
        assert!((one.minimum_effect - 0.25).abs() < 0.01, "{}", one.minimum_effect);
        assert!((many.minimum_effect - 0.01).abs() < 1e-9, "{}", many.minimum_effect);
    }

    /// A step within a launch makes its visits scatter and its effect larger: by scatter, that wave would count less, and with it the effect.
    #[test]
    fn a_wave_whose_launches_change_their_speed_counts_in_full() {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0, |wave, _, visit| {
                match name == "b" && wave == 1 && visit % 2 == 0 {
                    true => 0.2,
                    false => 0.0,
                }
            });
        }
        let report = crate::analyse(&builder.run());
        let Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
        let ratio = estimates.ratio.clone().expect("compared").ratio;
        assert!((ratio.ln() - 0.1 / 3.0).abs() < 0.005, "{ratio}");
    }
}
