//! `waves-disagree`: the ratio of two cases changes from wave to wave by more than their launches explain.

use super::{Code, Context, How, Measured, Observation, Search, Sentence, Unit};
use tare_stats::sequential::between_wave_p;

/// Significance level. The method warns from .01 on; here every row of a table is tested, so it is stricter.
const LEVEL: f64 = 0.001;
/// Smallest spread of the ratio between waves (log standard deviation) that is reported.
const SPREAD_MIN: f64 = 0.02;
const WAVES_MIN: usize = 3;

pub(super) const SEARCH: Search = Search::of_cases(find).may_be_the_machine().told_by(&[Code::Drift]);

pub(super) fn find(context: &Context, m: Measured) -> Option<Observation> {
    let baseline = m.estimates.ratio.as_ref()?.baseline;
    // Effects of a neighbour on the core are reported by `core-shared`.
    if context.is_shared_time(baseline) {
        return None;
    }
    let waves = &context.pair(m.case)?.waves;
    let p = between_wave_p(waves).filter(|p| *p < LEVEL && waves.len() >= WAVES_MIN);
    p?;
    let mean = |side: &[f64]| tare_stats::location::mean(side);
    let differences: Vec<f64> = waves.iter().filter_map(|w| Some(mean(&w.b)? - mean(&w.a)?)).collect();
    let spread = tare_stats::spread::sd(&differences).filter(|sd| *sd >= SPREAD_MIN)?;
    let (least, most) =
        differences.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &d| (lo.min(d), hi.max(d)));
    let evidence = Sentence::new("the ratio was {least} in one wave and {most} in another")
        .number("least", least.exp(), Unit::Ratio)
        .number("most", most.exp(), Unit::Ratio);
    let advice = "something other than the code changes, so the interval is too narrow: check whether more waves agree";
    Some(Observation::warning(evidence, advice).weighing(spread).again(How::Longer))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Again, How};

    /// Two cases; the second has a separate shift in each wave.
    fn findings(shift: impl Fn(u32, u32) -> f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        for case in 0..2 {
            let index = builder.case("g", ["a", "b"][case as usize], case == 0);
            twelve_launches(&mut builder, index, 100.0, |wave, _, _| shift(case, wave));
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_case_that_changes_with_the_waves_is_told() {
        let found = findings(|case, wave| if case == 1 { [0.0, 0.1, -0.05][wave as usize] } else { 0.0 });
        let one: Vec<_> = found.iter().filter(|f| f.code.name() == "waves-disagree").collect();
        assert_eq!(one.len(), 1, "{:?}", codes(&found));
        let evidence = &one[0].evidence;
        assert!(
            evidence.to_string().starts_with("the ratio was 0.9")
                && evidence.to_string().contains(" in one wave and 1.10"),
            "{evidence}"
        );
        assert_eq!(one[0].advice.again, Some(Again::only(How::Longer, ["g/a", "g/b"])));
    }

    #[test]
    fn a_machine_that_changes_for_both_is_not() {
        assert!(!codes(&findings(|_, wave| 0.1 * f64::from(wave))).contains(&"waves-disagree"));
        assert!(!codes(&findings(|_, _| 0.0)).contains(&"waves-disagree"));
    }
}
