//! Both sides of a ratio as one value: their times in one kind of time, made once for all that looks at the pair.

use super::waves::LAUNCHES_MIN;
use crate::core::CoreUse;
use crate::visits::{AllWindows, CaseTimes, Quantity, TimeKind};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tare_model::{Run, VisitTraits};
use tare_stats::location::mean;
use tare_stats::spread::sd;

/// Bodies of which one waits in so many more (as a share) of its visits do not do the same.
const WAITS_DIFFER: f64 = 0.5;
/// Kept shares of two sides that differ by so much on average ...
const SHARES_DIFFER: f64 = 0.2;
/// ... and by so many standard errors ...
const ERRORS_DIFFER: f64 = 4.0;
/// ... over so many waves differ because of the code.
const WAVES_MIN: usize = 3;

#[derive(Debug, Clone)]
pub(crate) struct Sides<'a> {
    pub group: u32,
    pub base: Cow<'a, CaseTimes>,
    pub new: Cow<'a, CaseTimes>,
    /// Why both are of all windows although a side has times alone on the core.
    pub all_windows: Option<AllWindows>,
}

impl<'a> Sides<'a> {
    /// Of these times, which stay as they are where they are of one kind.
    pub fn of(run: &Run, group: u32, [base, new]: [&'a CaseTimes; 2]) -> Sides<'a> {
        let shown = Sides { group, base: Cow::Borrowed(base), new: Cow::Borrowed(new), all_windows: None };
        let alike = match traits_of_both(base, new) {
            Some(traits) => shown.again(run, TimeKind { traits: Some(traits), ..TimeKind::default() }),
            None => shown,
        };
        let all_windows = why_all_windows(group, &alike.base, &alike.new);
        let quantities = [alike.base.quantity, alike.new.quantity];
        let in_one = if quantities[0] != quantities[1] {
            // One side is on CPU time, the other is not: both on CPU time where both may be, else both on wall time.
            let cpu = alike.again(run, TimeKind::all_windows(Quantity::Cpu));
            match [&cpu.base, &cpu.new].iter().all(|times| times.quantity == Quantity::Cpu) {
                true => cpu,
                false => alike.again(run, TimeKind::all_windows(Quantity::Wall)),
            }
        } else if all_windows.is_some() {
            // Times alone on the core are never set against times of a core that was shared.
            alike.again(run, TimeKind::all_windows(quantities[0]))
        } else {
            alike
        };
        Sides { all_windows, ..in_one }
    }

    fn again(&self, run: &Run, kind: TimeKind) -> Sides<'a> {
        let again = |times: &CaseTimes| Cow::Owned(times.again(run, kind));
        Sides { base: again(&self.base), new: again(&self.new), ..*self }
    }
}

/// What both sides of a ratio are taken to do beside computing, where they seem to do the same: else one loses more visits.
pub(crate) fn traits_of_both(base: &CaseTimes, new: &CaseTimes) -> Option<VisitTraits> {
    let wait_alike = (base.waits_share() - new.waits_share()).abs() < WAITS_DIFFER;
    (wait_alike && base.traits != new.traits).then(|| base.traits.of_both(new.traits))
}

/// None where both sides are compared in the times that are shown of them.
pub fn why_all_windows(group: u32, base: &CaseTimes, new: &CaseTimes) -> Option<AllWindows> {
    match (base.core == new.core, base.core) {
        (false, _) => Some(AllWindows::OneSide),
        (true, CoreUse::Alone) if differ(group, base, new) => Some(AllWindows::SharesDiffer),
        (true, CoreUse::Alone) if !have_waves(group, base, new) => Some(AllWindows::FewWaves),
        _ => None,
    }
}

/// Whether so many waves with launches alone on the core are enough of those that were made: a third.
pub(crate) fn are_enough(alone: usize, made: usize) -> bool {
    alone > 0 && 3 * alone >= made
}

fn have_waves(group: u32, base: &CaseTimes, new: &CaseTimes) -> bool {
    let waves = |of: fn(&CaseTimes, u32) -> BTreeMap<u32, usize>| {
        let (base, new) = (of(base, group), of(new, group));
        let has = |wave: &u32, side: &BTreeMap<u32, usize>| side.get(wave).is_some_and(|&count| count >= LAUNCHES_MIN);
        base.keys().filter(|wave| has(wave, &base) && has(wave, &new)).count()
    };
    are_enough(waves(CaseTimes::launches_by_wave), waves(CaseTimes::made_by_wave))
}

/// Mean share of its visits that a side of a comparison kept.
pub(crate) fn kept(group: u32, times: &CaseTimes) -> Option<f64> {
    let of_group = times.launches.iter().filter(|l| l.group == group);
    mean(&of_group.filter_map(|l| times.alone_share(l.launch)).collect::<Vec<f64>>())
}

/// Whether the sides kept different shares of their visits: the code itself changes the readings then.
fn differ(group: u32, base: &CaseTimes, new: &CaseTimes) -> bool {
    let shares = |times: &CaseTimes| {
        let mut of: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for launch in times.launches.iter().filter(|l| l.group == group) {
            of.entry(launch.wave).or_default().extend(times.alone_share(launch.launch));
        }
        of
    };
    let (base, new) = (shares(base), shares(new));
    let in_both = base.iter().filter_map(|(wave, base)| Some(mean(new.get(wave)?)? - mean(base)?));
    let differences: Vec<f64> = in_both.collect();
    let (Some(centre), Some(spread)) = (mean(&differences), sd(&differences)) else { return false };
    let error = spread / (differences.len() as f64).sqrt();
    differences.len() >= WAVES_MIN && centre.abs() > SHARES_DIFFER && centre.abs() > ERRORS_DIFFER * error
}
