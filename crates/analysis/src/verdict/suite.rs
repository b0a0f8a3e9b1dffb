//! The rules from evidence to a verdict, over all comparisons of a suite.

use super::{Evidence, Minimum, Purpose, Reason, Ruling, Uncertainty, Verdict};
use tare_stats::multiplicity::benjamini_hochberg;
use tare_stats::sequential::Decision;

/// Number of comparisons from which verdicts are corrected for it.
const SUITE_MIN: usize = 5;
const SUITE_RATE: f64 = 0.05;

/// Comparisons that are judged together, with their p-values of no change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Suite {
    /// Corrected p-values by index; `None` for a comparison without one.
    q: Vec<Option<f64>>,
    comparisons: usize,
}

pub(crate) fn judge_all(all: &[(Evidence, Minimum)]) -> Vec<Ruling> {
    let suite = Suite::of(all.iter().map(|(evidence, _)| evidence.p));
    all.iter().enumerate().map(|(at, (evidence, minimum))| suite.judge(at, evidence, minimum)).collect()
}

/// The verdict of a comparison outside of suites.
pub(crate) fn judge_alone(evidence: &Evidence, minimum: &Minimum) -> Ruling {
    Suite::default().judge(0, evidence, minimum)
}

impl Suite {
    /// From the p-values of all comparisons; `None` for one without.
    pub fn of(p: impl Iterator<Item = Option<f64>>) -> Suite {
        let p: Vec<Option<f64>> = p.collect();
        let known: Vec<f64> = p.iter().copied().flatten().collect();
        let mut corrected = benjamini_hochberg(&known).into_iter();
        let q = p.into_iter().map(|p| p.and_then(|_| corrected.next())).collect();
        Suite { q, comparisons: known.len() }
    }

    fn is_corrected(&self) -> bool {
        self.comparisons >= SUITE_MIN
    }

    pub fn judge(&self, at: usize, evidence: &Evidence, minimum: &Minimum) -> Ruling {
        let q = self.q.get(at).copied().flatten();
        let (verdict, reason) = match &evidence.objection {
            Some(objection) if objection.bars_all() => (Verdict::Unclear, Some(Reason::Objection(objection.clone()))),
            _ => self.decide(q, evidence, minimum),
        };
        let gets_verdict = evidence.objection.as_ref().is_none_or(|objection| !objection.bars_every_change());
        Ruling {
            verdict,
            reason,
            q,
            is_corrected: self.is_corrected(),
            minimum_effect: if gets_verdict { self.needed(evidence, minimum) } else { f64::INFINITY },
            margin: evidence.same().map(|interval| interval.reach().exp_m1()),
        }
    }

    fn decide(&self, q: Option<f64>, evidence: &Evidence, minimum: &Minimum) -> (Verdict, Option<Reason>) {
        let least = minimum.effect_log;
        let bounds = evidence.bounds();
        let is_small = bounds.estimate.abs() < least;
        let small = |is_certain| Reason::BelowMinimum { minimum: least.exp_m1(), is_certain };
        let unless = |verdict: Verdict| match self.against(q, evidence, minimum) {
            Some(reason) => (Verdict::Unclear, Some(reason)),
            None => (verdict, None),
        };
        match bounds.decide(least) {
            Decision::Slower => unless(Verdict::Slower),
            Decision::Faster => unless(Verdict::Faster),
            Decision::Same => (Verdict::Same, bounds.excludes_zero().then(|| small(true))),
            Decision::Undecided if !bounds.excludes_zero() => {
                let source = evidence.uncertainty.as_ref().and_then(Uncertainty::student).map(|student| student.of);
                let needed = self.needed(evidence, minimum);
                (Verdict::Unclear, source.map(|of| Reason::WithinNoise { of, needed }))
            }
            Decision::Undecided if is_small => (Verdict::Unclear, Some(small(false))),
            Decision::Undecided => unless(Verdict::Unclear),
        }
    }

    /// The reason against a difference that the interval shows.
    fn against(&self, q: Option<f64>, evidence: &Evidence, minimum: &Minimum) -> Option<Reason> {
        if let Some(q) = q.filter(|q| self.is_corrected() && *q > SUITE_RATE) {
            return Some(Reason::Corrected { comparisons: self.comparisons, q });
        }
        if let Some(objection) = &evidence.objection {
            return Some(Reason::Objection(objection.clone()));
        }
        let noise_ns = minimum.noise_ns;
        let difference_ns = evidence.difference_ns.filter(|difference| difference.abs() <= noise_ns)?;
        Some(Reason::BelowNoise { difference_ns, noise_ns })
    }

    /// The smallest change that gets a verdict, as a share, whatever the other comparisons show.
    fn needed(&self, evidence: &Evidence, minimum: &Minimum) -> f64 {
        let among_others = if self.is_corrected() { SUITE_RATE / self.comparisons as f64 } else { 1.0 };
        let confidence = 1.0 - among_others.min(1.0 - Purpose::Difference.confidence());
        let student = evidence.uncertainty.as_ref().and_then(Uncertainty::student);
        student.map_or(0.0, |student| student.reach(confidence)).max(minimum.effect_log).exp_m1()
    }
}
