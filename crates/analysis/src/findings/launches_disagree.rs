//! `launches-disagree`: launches differ by far more than their errors, mostly because of memory placement.

use super::{two_modes, Code, Context, Measured, Observation, Search, Sentence, Unit};
use tare_stats::special::f_sf;

/// Smallest spread (log standard deviation) between launches that is reported; 0.5 to 1 % is usual.
const SPREAD_MIN: f64 = 0.025;
const F_MIN: f64 = 9.0;
const LEVEL: f64 = 0.001;

pub(super) const SEARCH: Search = Search::of_cases(find).may_be_the_machine().told_by(&[Code::Drift, Code::WavesDisagree, Code::TwoModes]);

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let (between, within) = spreads(context, m)?;
    if two_modes::launch_modes(context, m).is_some() {
        return None;
    }
    let launches = m.times.launches.len();
    let evidence =
        Sentence::new("{launches} differ by {between} (standard deviation); the error of one launch is only {within}")
            .number("launches", launches as f64, Unit::Launches)
            .number("between", between.exp_m1(), Unit::Share)
            .number("within", within.exp_m1(), Unit::Share);
    let advice = "each process may get a better or worse memory layout: only more launches narrow the interval";
    Some(Observation::warning(evidence, advice).weighing(between).again(two_modes::twice_as_many(launches)))
}

fn spreads(context: &Context, measured: Measured) -> Option<(f64, f64)> {
    let (mut squares, mut df) = (0.0, 0.0);
    let (mut errors, mut error_df) = (Vec::new(), 0.0);
    for wave in measured.waves() {
        let effects: Vec<_> = wave.iter().filter_map(|l| context.effect(l)).collect();
        let mean = effects.iter().map(|e| e.effect).sum::<f64>() / effects.len().max(1) as f64;
        squares += effects.iter().map(|e| (e.effect - mean).powi(2)).sum::<f64>();
        df += effects.len().saturating_sub(1) as f64;
        errors.extend(effects.iter().filter_map(|e| e.standard_error).map(|e| e * e));
        error_df += effects.iter().map(|e| 0.6 * e.valid as f64 - 1.0).sum::<f64>();
    }
    let within = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    if df < 3.0 || errors.is_empty() || error_df < 1.0 {
        return None;
    }
    let total = squares / df;
    let f = total / within.max(1e-12);
    let between = (total - within).max(0.0).sqrt();
    (between >= SPREAD_MIN && f >= F_MIN && f_sf(f, df, error_df) < LEVEL).then_some((between, within.sqrt()))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(spread: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        let luck = |n: u32| f64::from((n * 5) % 12) / 12.0 - 0.5;
        twelve_launches(&mut builder, case, 100.0, |_, n, _| 3.46 * spread * luck(n));
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_busy_machine_is_named_and_no_other_cause() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        let luck = |n: u32| f64::from((n * 5) % 12) / 12.0 - 0.5;
        twelve_launches(&mut builder, case, 100.0, |_, n, _| 0.14 * luck(n));
        for launch in &mut builder.run.launches {
            launch.series[0].columns.elapsed_ns.iter_mut().step_by(12).for_each(|e| *e *= 1.5);
        }
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["launches-disagree"]);
        assert!(found[0].advice.text.to_string().starts_with("the machine was busy"), "{:?}", found[0].advice);
    }

    #[test]
    fn four_per_cent_between_launches_are_told_and_one_is_not() {
        let found = findings(0.04);
        assert_eq!(codes(&found), ["launches-disagree"]);
        assert!(found[0].evidence.to_string().starts_with("12 launches differ by 4."), "{}", found[0].evidence);
        assert!(findings(0.01).is_empty());
    }
}
