//! What is compared is shown in times of one kind, else the ratio of two times would not be the ratio beside them.

use super::overhead::same_operations;
use super::sides::{traits_of_both, why_all_windows};
use crate::clock::{in_common, own_cycle_ns, reference_cycle_ns, RISK_MAX};
use crate::core::CoreUse;
use crate::estimate::loop_cost;
use crate::visits::{all_times, AllWindows, CaseTimes, FollowsClock, LoopCost, Quantity, TimeKind};
use tare_model::{CaseGroup, Run, VisitTraits};
use tare_stats::location::median;

/// The times of a run at the clock that they are shown at, and the length of a cycle there, ns: the machine's reference, or the run's own clock
/// where it is so far from the reference that times would be guesses. What is compared within the run has times of one kind.
pub(crate) fn shown_times(run: &Run) -> (Vec<CaseTimes>, Option<f64>) {
    let reference = reference_cycle_ns(run);
    let times = all_times(run, reference);
    let risks: Vec<f64> = times
        .iter()
        .filter(|t| t.exponent.is_some() && !t.launches.is_empty())
        .map(|t| t.clock_variance.sqrt())
        .collect();
    let is_guess = median(&risks).is_some_and(|risk| risk > RISK_MAX);
    let (mut times, reference) = match is_guess.then(|| own_cycle_ns(run)).flatten() {
        Some(own) => (all_times(run, Some(own)), Some(own)),
        None => (times, reference),
    };
    in_groups(run, &mut times, reference);
    (times, reference)
}

/// Brings the times of each group that has a baseline to one kind, as far as that is one for all of them.
fn in_groups(run: &Run, times: &mut [CaseTimes], reference: Option<f64>) {
    for (number, group) in run.plan.groups.iter().enumerate() {
        let cases = compared(group, times);
        let [base, ..] = cases[..] else { continue };
        same_traits(run, base, &cases, times);
        same_quantity(run, &cases, times);
        same_windows(run, number as u32, base, &cases, times);
        same_clock(run, &cases, times);
        same_loop(run, &cases, times, reference);
    }
}

/// The cases of a group that have times and are compared, the baseline first; none where the baseline has none, or nothing is compared with it.
fn compared(group: &CaseGroup, times: &[CaseTimes]) -> Vec<usize> {
    let has_times = |case: &usize| !times[*case].launches.is_empty();
    let Some(base) = group.baseline.map(|base| base as usize).filter(has_times) else { return Vec::new() };
    let contestants = group.contestants().map(|case| case as usize).filter(has_times);
    let all: Vec<usize> = std::iter::once(base).chain(contestants).collect();
    if all.len() > 1 {
        all
    } else {
        Vec::new()
    }
}

fn again(run: &Run, cases: &[usize], times: &mut [CaseTimes], kind: TimeKind) {
    for &case in cases {
        times[case] = times[case].again(run, kind);
    }
}

/// The same for all where at least half of the ratios need it.
fn same_traits(run: &Run, base: usize, cases: &[usize], times: &mut [CaseTimes]) {
    let of_both = cases[1..].iter().filter_map(|&case| traits_of_both(&times[base], &times[case]));
    let of_both: Vec<VisitTraits> = of_both.collect();
    if 2 * of_both.len() < cases.len() - 1 {
        return;
    }
    if let Some(traits) = of_both.into_iter().reduce(VisitTraits::of_both) {
        again(run, cases, times, TimeKind { traits: Some(traits), ..TimeKind::default() });
    }
}

/// CPU time for all where one needs it and all can have it; else wall time.
fn same_quantity(run: &Run, cases: &[usize], times: &mut [CaseTimes]) {
    let is = |quantity: Quantity, times: &[CaseTimes]| cases.iter().all(|&case| times[case].quantity == quantity);
    if is(Quantity::Wall, times) || is(Quantity::Cpu, times) {
        return;
    }
    let kind = |quantity| TimeKind { quantity: Some(quantity), ..TimeKind::default() };
    again(run, cases, times, kind(Quantity::Cpu));
    if !is(Quantity::Cpu, times) {
        again(run, cases, times, kind(Quantity::Wall));
    }
}

/// All windows for all where at least half of the ratios have to be; the rows of fewer are marked.
fn same_windows(run: &Run, group: u32, base: usize, cases: &[usize], times: &mut [CaseTimes]) {
    let why: Vec<Option<AllWindows>> =
        cases[1..].iter().map(|&case| why_all_windows(group, &times[base], &times[case])).collect();
    let Some(first) = why.iter().flatten().next().copied() else { return };
    if 2 * why.iter().flatten().count() < why.len() {
        return;
    }
    let kind = TimeKind::all_windows(times[base].quantity);
    for (&case, why) in cases.iter().zip(std::iter::once(None).chain(why)) {
        let had_alone = times[case].core == CoreUse::Alone;
        times[case] = times[case].again(run, kind);
        times[case].all_windows_because = had_alone.then_some(why.unwrap_or(first));
    }
}

/// One exponent for all that do not differ in it; no correction for any where one cannot have it.
fn same_clock(run: &Run, cases: &[usize], times: &mut [CaseTimes]) {
    let corrected = cases.iter().filter(|&&case| times[case].exponent.is_some()).count();
    if corrected == 0 {
        return;
    }
    let kind = |times: &CaseTimes, follows| TimeKind {
        quantity: Some(times.quantity),
        all_windows: times.core != CoreUse::Alone,
        follows: Some(follows),
        ..TimeKind::default()
    };
    if corrected < cases.len() {
        for &case in cases {
            times[case] = times[case].again(run, kind(&times[case], FollowsClock::NotCorrected));
        }
        return;
    }
    let shown: Vec<_> = cases.iter().map(|&case| (times[case].slope, times[case].exponent_error.cycle_range)).collect();
    for (&case, common) in cases.iter().zip(in_common(&shown)) {
        if let Some(exponent) = common {
            times[case] = times[case].again(run, kind(&times[case], FollowsClock::As(exponent)));
        }
    }
}

/// One loop around the baseline and all whose loop may be the same: a ratio takes one off both, and so must their times.
fn same_loop(run: &Run, cases: &[usize], times: &mut [CaseTimes], reference: Option<f64>) {
    let cost = |case: usize| loop_cost(run, &times[case], reference);
    let Some(base) = cost(cases[0]) else { return };
    let is_alike = |case: &&usize| same_operations([&times[cases[0]], &times[**case]]);
    let costs = cases.iter().filter(is_alike).filter_map(|&case| Some((case, cost(case)?)));
    let (alike, loops): (Vec<usize>, Vec<LoopCost>) = costs.filter(|(_, cost)| base.may_be(*cost)).unzip();
    let common = LoopCost::common(&loops);
    alike.into_iter().for_each(|case| times[case].loop_in_common = common);
}
