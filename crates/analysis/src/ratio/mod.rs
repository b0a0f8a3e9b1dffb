//! Ratios within a run: contestants against the baseline of their group, over the waves that they share.

mod calibration;
mod group;
mod of_times;
mod overhead;
mod pair;
mod progress;
mod sides;
mod waves;

pub use calibration::{assess, calibration_pairs, CalibrationPair, Spent};
pub(crate) use group::shown_times;
pub use of_times::other_ratio;
pub(crate) use of_times::ratio_of_times;
pub(crate) use overhead::{common_loop, overhead, without_of};
pub(crate) use pair::{inflation, pair, pairs, Pair};
pub use progress::Progress;
pub(crate) use sides::kept;
pub(crate) use waves::by_rounds;

use crate::finding::{Again, Decide};
use crate::verdict::{judge_all, Evidence, Minimum, Objection, Reason, Remedy, Ruling, Uncertainty, Verdict};
use serde::Serialize;
use tare_model::{Run, RunStatus};
use tare_stats::interval::Interval;
use tare_stats::overhead::Overhead;
use tare_stats::sequential::{Look, StopRule};

#[derive(Debug, Clone, Serialize)]
pub struct RatioReport {
    pub baseline: u32,
    pub ratio: f64,
    /// Repeated 95 % interval: valid at whatever look it stopped.
    pub interval: Interval,
    /// Repeated 99 % interval: what slower and faster are decided on.
    pub interval_99: Interval,
    /// Repeated 90 % interval: what same is decided on.
    pub interval_90: Interval,
    pub verdict: Verdict,
    /// Why it is not stronger; None when there is nothing to say.
    #[serde(skip)]
    pub reason: Option<Reason>,
    /// Repeated p-value of no change.
    pub p: f64,
    /// The same, corrected for the number of comparisons in the suite.
    pub q: f64,
    pub looks: u32,
    /// Smallest margin within which both are the same, as a share (0.01 is 1 %).
    pub certified_margin: f64,
    pub minimum_effect: f64,
    pub decide_with: Option<Again>,
    #[serde(skip)]
    pub overhead: Option<Overhead>,
    /// The ratio of the times shown, where it is beyond the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_of_times: Option<f64>,
}

impl RatioReport {
    /// The log of a ratio of times with the loop, without it.
    pub fn without_loop(&self, log_ratio: f64) -> f64 {
        self.overhead.as_ref().map_or(log_ratio, |overhead| overhead.net(log_ratio))
    }

    /// Of a verdict `same` whose interval excludes no change: the minimum effect, as a share, that the difference is below.
    pub fn below(&self) -> Option<f64> {
        self.verdict.small_difference(Some(self.interval), self.minimum_effect)
    }
}

pub(crate) fn ratios<'a>(run: &Run, pairs: &'a [Option<Pair>]) -> Vec<Option<RatioReport>> {
    let inflation = inflation(pairs.iter().flatten());
    let look = |pair: &'a Option<Pair>| {
        let pair = pair.as_ref()?;
        Some((pair, pair.look(inflation)?))
    };
    let mut found: Vec<Option<(&Pair, Look)>> = pairs.iter().map(look).collect();
    let judge = |found: &[Option<(&Pair, Look)>]| {
        let judged = found.iter().flatten().map(|(pair, look)| (pair.evidence(look), minimum(&pair.rule)));
        judge_all(&judged.collect::<Vec<_>>())
    };
    let mut rulings = judge(&found);
    if run.status == RunStatus::Finished {
        for ((pair, look), ruling) in found.iter_mut().flatten().zip(&rulings) {
            if ruling.verdict == Verdict::Unclear {
                *look = pair.last_look(inflation).unwrap_or(*look);
            }
        }
        rulings = judge(&found);
    }
    let mut rulings = rulings.into_iter();
    let names = crate::finding::names(run);
    let of_case = |(case, found): (usize, Option<(&Pair, Look)>)| {
        let (pair, look) = found?;
        Some(report([names[pair.baseline as usize], names[case]], pair, &look, rulings.next()?, run.can_be_longer()))
    };
    found.into_iter().enumerate().map(of_case).collect()
}

pub(crate) fn evidence(look: &Look) -> Evidence {
    Evidence {
        estimate: look.estimate,
        uncertainty: Some(Uncertainty::Look(*look)),
        p: Some(look.repeated_p),
        may_be_same: true,
        looks: look.look as u32,
        objection: (!look.waves_agree).then_some(Objection::WavesDisagree),
        difference_ns: None,
    }
}

/// What is asked of it: no difference is too small in ns alone, since the minimum effect of a short invocation is in ns (see [`pair`]).
pub(crate) fn minimum(rule: &StopRule) -> Minimum {
    Minimum { effect_log: rule.minimum_effect_log, noise_ns: 0.0 }
}

fn report(names: [&str; 2], pair: &Pair, look: &Look, ruling: Ruling, can_be_longer: bool) -> RatioReport {
    let margin = look.rci_90.reach().exp_m1();
    let only = names.map(str::to_owned).to_vec();
    let remedy = Remedy::Again { only, is_cut_short: false, can_be_longer, margin };
    let decide_with = match remedy.of(ruling.verdict, ruling.reason.as_ref()) {
        Some(Decide::Again(again)) => Some(again),
        _ => None,
    };
    RatioReport {
        baseline: pair.baseline,
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
        overhead: pair.overhead,
        ratio_of_times: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{log_ns, noisy_logs, twelve_launches, RunBuilder};
    use crate::{Objection, Outcome, RatioReport, Reason, Verdict};
    use tare_model::{Effort, Policy};

    /// The ratio of the second case of a run to the first.
    fn ratio_of(builder: RunBuilder) -> RatioReport {
        let report = crate::analyse(&builder.run());
        let Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
        estimates.ratio.clone().expect("compared")
    }

    /// The ratio of two cases of which one takes 20 % more than 0.4 ns an operation.
    fn tiny(operations: u64) -> RatioReport {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            builder.run.plan.cases[case as usize].benchmark.operations = operations;
            twelve_launches(&mut builder, case, if name == "a" { 0.4 } else { 0.48 }, |_, _, _| 0.0);
        }
        ratio_of(builder)
    }

    #[test]
    fn a_body_is_tiny_by_its_invocation_and_not_by_what_the_user_counts() {
        let (one, many) = (tiny(1), tiny(10_000));
        assert_eq!((one.verdict, many.verdict), (Verdict::Same, Verdict::Slower));
        assert!((one.minimum_effect - 0.25).abs() < 0.01, "{}", one.minimum_effect);
        assert!((many.minimum_effect - 0.01).abs() < 1e-9, "{}", many.minimum_effect);
    }

    /// Two cases of a quick run in so many waves of two launches, of which one takes 20 % more.
    fn quick(waves: u32) -> RatioReport {
        let mut builder = RunBuilder::new();
        builder.run.plan.policy = Policy::of(Effort::Quick);
        for (name, ns) in [("a", 100.0), ("b", 120.0)] {
            let case = builder.case("g", name, name == "a");
            for launch in 0..2 * waves {
                builder.launch(case, launch / 2, &noisy_logs(log_ns(ns), 16, u64::from(100 * case + launch)));
            }
        }
        ratio_of(builder)
    }

    #[test]
    fn a_quick_run_shows_a_difference_in_three_waves() {
        let (two, three) = (quick(2), quick(3));
        assert_eq!((two.verdict, three.verdict), (Verdict::Unclear, Verdict::Slower));
        assert_eq!((two.reason, three.reason), (Some(Reason::Objection(Objection::Unconfirmed)), None));
        assert!(two.interval_99.lower > 1.0 && two.decide_with.is_some(), "{:?}", two.interval_99);
    }

    /// A step within a launch makes its visits scatter and its effect larger.
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
