//! What is compared is shown in times of one kind: wall or CPU time, alone on the core or not, and brought to the reference clock alike.
//! Else the ratio of two times in a table would not be the ratio beside them (decision 0036).

use crate::exponent::in_common;
use crate::ratio::{why_all_windows, AllWindows};
use crate::report::{CoreUse, Quantity};
use crate::times::{CaseTimes, FollowsClock, TimeChoice};
use tare_model::{CaseGroup, Run, VisitTraits};

/// Bodies of which one waits in so many more (as a share) of its visits do not do the same.
const WAITS_DIFFER: f64 = 0.5;

/// Brings the times of each group that has a baseline to one kind, as far as that is one for all of them.
pub(crate) fn in_groups(run: &Run, times: &mut [CaseTimes]) {
    for (number, group) in run.plan.groups.iter().enumerate() {
        let cases = compared(group, times);
        let [base, ..] = cases[..] else { continue };
        same_traits(run, base, &cases, times);
        same_quantity(run, &cases, times);
        same_windows(run, number as u32, base, &cases, times);
        same_clock(run, &cases, times);
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

/// The times of these cases by another choice.
fn again(run: &Run, cases: &[usize], times: &mut [CaseTimes], choice: TimeChoice) {
    for &case in cases {
        times[case] = times[case].again(run, choice);
    }
}

/// What both sides of a ratio are taken to do beside computing, where they seem to do the same and their visits say different things of it: each
/// is near the line from which preempted visits count. Were they left out on one side only, that side would look faster.
pub(crate) fn traits_of_both(base: &CaseTimes, new: &CaseTimes) -> Option<VisitTraits> {
    let wait_alike = (base.waits_share() - new.waits_share()).abs() < WAITS_DIFFER;
    (wait_alike && base.traits != new.traits).then(|| base.traits.of_both(new.traits))
}

/// The same for all where at least half of the ratios need it.
fn same_traits(run: &Run, base: usize, cases: &[usize], times: &mut [CaseTimes]) {
    let of_both = cases[1..].iter().filter_map(|&case| traits_of_both(&times[base], &times[case]));
    let of_both: Vec<VisitTraits> = of_both.collect();
    if 2 * of_both.len() < cases.len() - 1 {
        return;
    }
    if let Some(traits) = of_both.into_iter().reduce(VisitTraits::of_both) {
        again(run, cases, times, TimeChoice { traits: Some(traits), ..TimeChoice::default() });
    }
}

/// CPU time for all where one needs it and all can have it; else wall time.
fn same_quantity(run: &Run, cases: &[usize], times: &mut [CaseTimes]) {
    let is = |quantity: Quantity, times: &[CaseTimes]| cases.iter().all(|&case| times[case].quantity == quantity);
    if is(Quantity::Wall, times) || is(Quantity::Cpu, times) {
        return;
    }
    let choice = |quantity| TimeChoice { quantity: Some(quantity), ..TimeChoice::default() };
    again(run, cases, times, choice(Quantity::Cpu));
    if !is(Quantity::Cpu, times) {
        again(run, cases, times, choice(Quantity::Wall));
    }
}

/// All windows for all where at least half of the ratios have to be of all windows. Fewer do not make the times of all others those of a
/// shared core: their rows are marked.
fn same_windows(run: &Run, group: u32, base: usize, cases: &[usize], times: &mut [CaseTimes]) {
    let why: Vec<Option<AllWindows>> =
        cases[1..].iter().map(|&case| why_all_windows(group, &times[base], &times[case])).collect();
    let Some(first) = why.iter().flatten().next().copied() else { return };
    if 2 * why.iter().flatten().count() < why.len() {
        return;
    }
    let choice = TimeChoice::all_windows(times[base].quantity);
    for (&case, why) in cases.iter().zip(std::iter::once(None).chain(why)) {
        let had_alone = times[case].core == CoreUse::Alone;
        times[case] = times[case].again(run, choice);
        times[case].all_windows_because = had_alone.then_some(why.unwrap_or(first));
    }
}

/// One exponent for all that do not differ in it; no correction for any where one cannot have it.
fn same_clock(run: &Run, cases: &[usize], times: &mut [CaseTimes]) {
    let corrected = cases.iter().filter(|&&case| times[case].exponent.is_some()).count();
    if corrected == 0 {
        return;
    }
    let choice = |times: &CaseTimes, follows| TimeChoice {
        quantity: Some(times.quantity),
        all_windows: times.core != CoreUse::Alone,
        follows: Some(follows),
        ..TimeChoice::default()
    };
    if corrected < cases.len() {
        for &case in cases {
            times[case] = times[case].again(run, choice(&times[case], FollowsClock::NotCorrected));
        }
        return;
    }
    let shown: Vec<_> = cases.iter().map(|&case| (times[case].exponent_shown, times[case].follows.moved)).collect();
    for (&case, common) in cases.iter().zip(in_common(&shown)) {
        if let Some(exponent) = common {
            times[case] = times[case].again(run, choice(&times[case], FollowsClock::As(exponent)));
        }
    }
}
