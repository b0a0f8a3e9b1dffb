//! `two-modes`: the code has two speeds, between launches or within them. The interval is still valid, but one number hides what happens.

use super::shared::{is_shared, points};
use super::{heavy_tail, Code, Context, How, Measured, Observation, Search, Sentence, Unit};
use crate::visits::LaunchTimes;
use tare_stats::location::median;
use tare_stats::modes::{between_gap, within_modes};
use tare_stats::spread::variance;

/// Fewest launches for a gap between them.
const LAUNCHES_MIN: usize = 8;
/// Launches from which the method's gap test applies as well.
const METHOD_LAUNCHES_MIN: usize = 16;
/// Smallest reported distance (log) between two modes: between launches ...
const BETWEEN_MIN: f64 = 0.02;
/// ... and within them.
const WITHIN_MIN: f64 = 0.01;
/// Smallest share of either mode within launches.
const SHARE_MIN: f64 = 0.10;
/// Distance of two modes within launches in their own standard deviations; halves of a normal sample have 2.65.
const APART_MIN: f64 = 3.2;
/// Most values for the detectors: more of them show no more.
const VALUES_MAX: usize = 2000;
/// Gap in standard errors of a launch.
const GAP_ERRORS: f64 = 4.0;
/// Fewest and most launches to propose.
const PROPOSED_MIN: usize = 16;
const PROPOSED_MAX: usize = 64;

pub(super) const SEARCH: Search = Search::of_cases(|context, m| between(context, m).or_else(|| within(context, m)))
    .may_be_the_machine()
    .told_by(&[Code::Drift, Code::WavesDisagree]);

struct Split {
    cut: usize,
    distance: f64,
    sd: f64,
}

impl Split {
    fn at(sorted: &[f64], cut: usize) -> Option<Split> {
        let (low, high) = sorted.split_at(cut);
        let squares = |side: &[f64]| variance(side).unwrap_or(0.0) * (side.len() - 1) as f64;
        let sd = ((squares(low) + squares(high)) / (sorted.len() - 2).max(1) as f64).sqrt();
        Some(Split { cut, distance: median(high)? - median(low)?, sd })
    }
}

/// Whether launches fall into two clusters that their waves do not explain.
pub(super) fn launch_modes(context: &Context, measured: Measured) -> Option<(usize, f64)> {
    let launches = &measured.times.launches;
    let n = launches.len();
    if n < LAUNCHES_MIN {
        return None;
    }
    let mut sorted: Vec<f64> = launches.iter().map(|l| context.level(l)).collect();
    sorted.sort_by(f64::total_cmp);
    let least = n.div_ceil(10).max(2);
    let cut = (least..=n - least).max_by(|&i, &j| gap(&sorted, i).total_cmp(&gap(&sorted, j)))?;
    let split = Split::at(&sorted, cut)?;
    let errors: Vec<f64> = launches.iter().filter_map(|l| context.effect(l)?.standard_error).collect();
    let error = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len().max(1) as f64).sqrt();
    // About the 99.5 % quantile of the largest gap of a normal sample over the spread on its sides; from simulation.
    let gap_min = 0.5 + 40.0 / n as f64;
    let wide = gap(&sorted, cut) > (gap_min * split.sd).max(GAP_ERRORS * error) && split.distance >= BETWEEN_MIN;
    let confirmed = n < METHOD_LAUNCHES_MIN || between_gap(&sorted, error).is_some();
    let threshold = 0.5 * (sorted[cut] + sorted[cut - 1]);
    (wide && confirmed && is_mixed(context, measured, threshold)).then_some((cut, threshold))
}

fn gap(sorted: &[f64], cut: usize) -> f64 {
    sorted[cut] - sorted[cut - 1]
}

/// Whether most waves that could hold both modes do: else the machine changed between waves.
fn is_mixed(context: &Context, measured: Measured, threshold: f64) -> bool {
    let waves = measured.waves();
    let mixed = waves.iter().filter(|w| {
        let slow = w.iter().filter(|l| context.level(l) > threshold).count();
        slow > 0 && slow < w.len()
    });
    let several = waves.iter().filter(|w| w.len() > 1).count();
    match several {
        0 => true,
        n => 3 * mixed.count() >= n,
    }
}

/// Twice as many launches, within these bounds; `None` if there are that many already.
pub(super) fn twice_as_many(launches: usize) -> Option<How> {
    let wanted = (2 * launches).clamp(PROPOSED_MIN, PROPOSED_MAX);
    (wanted > launches).then_some(How::Launches(wanted as u64))
}

fn between(context: &Context, measured: Measured) -> Option<Observation> {
    let (cut, threshold) = launch_modes(context, measured)?;
    let (fast, slow): (Vec<&LaunchTimes>, Vec<&LaunchTimes>) =
        measured.times.launches.iter().partition(|l| context.level(l) <= threshold);
    let centre = |side: &[&LaunchTimes]| median(&side.iter().map(|l| l.value).collect::<Vec<_>>());
    let (fast_log, slow_log) = (centre(&fast)?, centre(&slow)?);
    let launches = measured.times.launches.len();
    let evidence = Sentence::new("{fast} in {fast-launches}, {slow} in {slow-launches}")
        .number("fast", measured.shown_ns(fast_log), Unit::Ns)
        .number("fast-launches", cut as f64, Unit::Launches)
        .number("slow", measured.shown_ns(slow_log), Unit::Ns)
        .number("slow-launches", (launches - cut) as f64, Unit::Launches);
    let advice = "each process keeps one speed, often set by its memory layout: read both speeds, not their mean";
    Some(Observation::warning(evidence, advice).weighing(slow_log - fast_log).again(twice_as_many(launches)))
}

fn within(context: &Context, measured: Measured) -> Option<Observation> {
    // With randomized memory, `memory-modes` reports the different times.
    if measured.times.memory_randomized || heavy_tail::tail(measured).is_some() {
        return None;
    }
    let points = points(measured);
    let step = points.len().div_ceil(VALUES_MAX).max(1);
    let residuals: Vec<f64> = points.iter().step_by(step).map(|p| p.residual).collect();
    let (split, sorted) = two_means(&residuals)?;
    let minor = split.cut.min(sorted.len() - split.cut) as f64 / sorted.len() as f64;
    let apart = split.distance >= WITHIN_MIN && split.distance >= APART_MIN * split.sd;
    if !apart || minor < SHARE_MIN || is_shared(&points, sorted[split.cut]) {
        return None;
    }
    within_modes(&residuals, quantum(context, measured), context.run.plan.seed).filter(|m| m.modal)?;
    let (low, high) = sorted.split_at(split.cut);
    let centre = measured.estimates.centre_ns.ln();
    let shown = |side: &[f64]| Some(measured.shown_ns(centre + median(side)?));
    let share = low.len() as f64 / sorted.len() as f64;
    let evidence =
        Sentence::new("within a launch, {fast-share} of the visits take {fast} and {slow-share} take {slow}")
            .number("fast-share", share, Unit::Share)
            .number("fast", shown(low)?, Unit::Ns)
            .number("slow-share", 1.0 - share, Unit::Share)
            .number("slow", shown(high)?, Unit::Ns);
    let advice = "the time switches between two values during a launch: look for state that the body keeps, and for garbage collection";
    Some(Observation::warning(evidence, advice).weighing(split.distance))
}

pub(super) fn quantum(context: &Context, measured: Measured) -> f64 {
    super::too_short::resolution(context, measured).map_or(0.0, |r| r.share)
}

/// The cut of a sample that minimises the variance within its sides, and the sorted sample.
fn two_means(values: &[f64]) -> Option<(Split, Vec<f64>)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (n, total) = (sorted.len(), sorted.iter().sum::<f64>());
    let mut below = 0.0;
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, value) in sorted.iter().enumerate().take(n.saturating_sub(1)) {
        below += value;
        let (low, high) = ((index + 1) as f64, (n - index - 1) as f64);
        let between = below * below / low + (total - below).powi(2) / high;
        if between > best.0 {
            best = (between, index + 1);
        }
    }
    if best.1 < 2 || n - best.1 < 2 {
        return None;
    }
    Some((Split::at(&sorted, best.1)?, sorted))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::How;

    fn findings(shift: impl Fn(u32, u32, usize) -> f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 86.1, shift);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn twice_as_many_launches_are_proposed_and_not_fewer_than_there_are() {
        let of = |launches| super::twice_as_many(launches);
        assert_eq!(
            (of(4), of(12), of(36)),
            (Some(How::Launches(16)), Some(How::Launches(24)), Some(How::Launches(64)))
        );
        assert_eq!(of(64), None);
    }

    #[test]
    fn launches_in_two_clusters() {
        let slow = (97.4_f64 / 86.1).ln();
        let found = findings(|_, n, _| if n % 3 == 0 { slow } else { 0.0 });
        assert_eq!(codes(&found), ["two-modes"]);
        let evidence = found[0].evidence.to_string();
        let (fast, rest) = evidence.split_once(" ns in 8 launches, ").expect("launches of both speeds");
        assert!((fast.parse::<f64>().unwrap() - 86.1).abs() < 0.2 && rest.starts_with("97."), "{}", found[0].evidence);
        assert!(rest.ends_with(" ns in 4 launches"), "{}", found[0].evidence);
        assert!(found[0].advice.again.as_ref().is_some_and(|a| a.how == How::Launches(24)));
    }

    #[test]
    fn visits_in_two_clusters() {
        let found = findings(|_, n, round| if (7 * round + n as usize) % 10 < 3 { 0.04 } else { 0.0 });
        assert_eq!(codes(&found), ["two-modes"]);
        assert!(
            found[0].evidence.to_string().starts_with("within a launch, 69 % of the visits take 86."),
            "{}",
            found[0].evidence
        );
    }

    #[test]
    fn a_machine_that_changed_between_waves_is_not_two_modes() {
        let found = findings(|wave, _, _| if wave == 1 { 0.05 } else { 0.0 });
        assert!(!codes(&found).contains(&"two-modes"), "{found:?}");
        assert!(findings(|_, _, _| 0.0).is_empty());
    }
}
