//! `drift`: the time changes steadily, over the rounds of every wave (the body changes its input) or over the whole session (the machine,
//! or something that grows outside the process). The core's clock is taken out first.

use super::{waves_disagree, Context, Measured, Observation, Search, Sentence, Unit};
use crate::visits::LaunchTimes;
use tare_stats::drift::{ols, spearman};
use tare_stats::interval::t_interval;
use tare_stats::location::{mean, median};

/// Waves from which a trend can be distinguished from a single change of the machine.
const WAVES_MIN: usize = 3;
/// Waves from which a trend over the session is tested by its line; with fewer it must be large and monotonic.
const WAVES_TESTED: usize = 5;
/// Smallest change (log) over the rounds of a wave.
const WITHIN_MIN: f64 = 0.03;
/// Smallest change (log) over the session, with enough waves to test it ...
const SESSION_MIN: f64 = 0.12;
/// ... and without.
const SESSION_FEW_MIN: f64 = 0.20;
/// Smallest step from wave to wave as a share of the mean step: a machine that changed once does not drift.
const STEADY: f64 = 0.5;
/// Significance level of the line over waves.
const LINE_LEVEL: f64 = 0.001;
/// Significance level of the rank test over launches.
const LEVEL: f64 = 0.001;
/// Share of launches that must all move in one direction.
const AGREE: f64 = 0.8;

pub(super) const SEARCH: Search = Search::of_cases(find).may_be_the_machine();

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let found = within(context, m).or_else(|| session(context, m))?;
    // A trend that the baseline does not have changes the ratio, which the reader must know.
    Some(match waves_disagree::find(context, m) {
        Some(waves) => Observation { advice: waves.advice, again: waves.again, ..found },
        None => found,
    })
}

/// Change over the rounds of a wave, the same in all waves.
fn within(context: &Context, measured: Measured) -> Option<Observation> {
    let waves = measured.waves();
    // In monitoring, the first calls count as they are, and are slower.
    if waves.len() < WAVES_MIN || measured.times.traits.keeps_all {
        return None;
    }
    let change_of = |l: &LaunchTimes| change(&l.rounds, &l.log_ns);
    let mut means = Vec::new();
    let mut changes = Vec::new();
    let mut beyond = Vec::new();
    for wave in waves {
        let here: Vec<f64> = wave.iter().filter_map(|l| change_of(l)).collect();
        let others: Vec<f64> = context.neighbours(wave[0]).filter_map(|(_, l)| change_of(l)).collect();
        if let Some(machine) = median(&others) {
            beyond.extend(here.iter().map(|c| c - machine));
        }
        means.extend(mean(&here));
        changes.extend(here);
    }
    let change = t_interval(&means, 0.95)?;
    let up = changes.iter().filter(|c| **c > 0.0).count();
    let most = up.max(changes.len() - up);
    // Either all waves agree, or the other cases of the same waves rule out the machine.
    let alone = t_interval(&beyond, 0.999)
        .is_some_and(|b| b.value * change.value > 0.0 && !b.interval.contains(0.0) && b.value.abs() >= WITHIN_MIN);
    let certain = !change.interval.contains(0.0) || alone;
    let one_way = most as f64 >= AGREE * changes.len() as f64;
    (one_way && change.value.abs() >= WITHIN_MIN && certain).then(|| {
        let evidence = Sentence::new(if change.value > 0.0 { "the time grows" } else { "the time falls" })
            .then(" by {change} from the first to the last round of a wave, in {same-way} of {launches}".into())
            .number("change", change.value.exp_m1().abs(), Unit::Share)
            .count("same-way", most)
            .number("launches", changes.len() as f64, Unit::Launches);
        let advice =
            "state may grow from call to call, or the code is not warm yet: reset the state in an iteration set-up";
        Observation::warning(evidence, advice).weighing(change.value.abs())
    })
}

/// Change of a launch from its first to its last round (log), by a fitted line.
fn change(rounds: &[u32], log_ns: &[f64]) -> Option<f64> {
    let x: Vec<f64> = rounds.iter().map(|&r| f64::from(r)).collect();
    Some(ols(&x, log_ns)?.slope * (x.last()? - x.first()?))
}

fn session(context: &Context, measured: Measured) -> Option<Observation> {
    let start = |launch: u32| context.run.launches[launch as usize].start_ns;
    let waves = measured.waves();
    let mut points: Vec<(f64, f64)> = waves
        .iter()
        .filter_map(|wave| {
            let times: Vec<f64> = wave.iter().map(|l| start(l.launch)).collect();
            let values: Vec<f64> = wave.iter().map(|l| l.value).collect();
            Some((mean(&times)?, mean(&values)?))
        })
        .collect();
    if points.len() < WAVES_MIN {
        return None;
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let line = ols(&x, &y)?;
    let change = line.slope * (x[x.len() - 1] - x[0]);
    let steps = || y.windows(2).map(|w| (w[1] - w[0]) * change.signum());
    let steady = steps().all(|step| step >= STEADY * change.abs() / (y.len() - 1) as f64);
    let clear = if x.len() >= WAVES_TESTED {
        change.abs() >= SESSION_MIN && line.p < LINE_LEVEL
    } else {
        change.abs() >= SESSION_FEW_MIN && steady
    };
    let launches = &measured.times.launches;
    let starts: Vec<f64> = launches.iter().map(|l| start(l.launch)).collect();
    let values: Vec<f64> = launches.iter().map(|l| l.value).collect();
    let ranks = spearman(&starts, &values)?;
    (clear && ranks.p < LEVEL).then(|| {
let evidence = Sentence::new(if change > 0.0 { "the time grows" } else { "the time falls" })
            .then(" by {change} from the first to the last of {launches}".into())
            .number("launches", launches.len() as f64, Unit::Launches)
            .number("change", change.exp_m1().abs(), Unit::Share);
let advice = "the machine changes (heat, neighbours), or a file or table grows from launch to launch; ratios remain valid";
Observation::warning(evidence, advice).weighing(change.abs())
})
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(shift: impl Fn(u32, u32, usize) -> f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, shift);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_body_that_grows_with_every_round() {
        let found = findings(|_, _, round| 0.003 * round as f64);
        assert_eq!(codes(&found), ["drift"]);
        assert!(found[0].evidence.to_string().starts_with("the time grows by 7."), "{}", found[0].evidence);
        assert!(found[0].evidence.to_string().ends_with("in 12 of 12 launches"), "{}", found[0].evidence);
    }

    #[test]
    fn a_fall_is_a_share_of_the_first_time() {
        // To a quarter: it falls by 75 %, not by 300 %.
        let found = findings(|_, _, round| 0.25_f64.ln() * (round as f64 / 23.0 - 0.5));
        assert!(found[0].evidence.to_string().starts_with("the time falls by 75 %"), "{}", found[0].evidence);
        let found = findings(|wave, _, _| 0.25_f64.ln() * f64::from(wave) / 2.0);
        assert_eq!(codes(&found), ["drift"]);
        assert!(found[0].evidence.to_string().starts_with("the time falls by 7"), "{}", found[0].evidence);
    }

    #[test]
    fn a_session_that_slows_down() {
        let found = findings(|wave, _, _| 0.12 * f64::from(wave));
        assert_eq!(codes(&found), ["drift"]);
        assert!(found[0].evidence.to_string().starts_with("the time grows by 27"));
        assert!(findings(|wave, _, _| 0.02 * f64::from(wave)).is_empty());
    }
}
