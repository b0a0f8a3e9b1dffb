//! How closely the time of a body follows the core's clock: code that computes has exponent 1, code that waits for memory less.

use super::slope::{pooled, Slope};
use tare_stats::special::t_isf;

/// The prior: nine bodies in ten compute and follow the clock, and one waits for memory (decision 0002).
const BODY_KINDS: [BodyKind; 2] = [
    BodyKind { share: 0.9, value: 1.0, variance: 0.1 * 0.1 },
    BodyKind { share: 0.1, value: 0.5, variance: 0.3 * 0.3 },
];
/// Two exponents count as different if the probability of such a difference by chance is at most this.
const KNOWN_TO_DIFFER: f64 = 0.01;
/// If the log range of the clock over launches is below this, it proves nothing: a neighbour can look like memory.
pub const MOVED_MIN: f64 = 0.1;
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponent {
    /// Exponent of the cycle length in its time, 0 to 1.
    pub value: f64,
    /// Variance of the exponent's error; the prior's if there was little drift to learn from.
    pub variance: f64,
}

struct BodyKind {
    share: f64,
    value: f64,
    variance: f64,
}

/// One exponent for compared bodies, from all their evidence. `None` for bodies known to follow the clock more or less closely than the
/// rest, which keep their own. `bodies` has the slope of each and how much the clock moved (log range over launches).
pub fn in_common(bodies: &[(Slope, f64)]) -> Vec<Option<Exponent>> {
    let mut kept: Vec<usize> = (0..bodies.len()).collect();
    // The farthest one goes first, since it distorts what the others are compared with.
    while let Some(farthest) = farthest(bodies, &kept) {
        if kept.len() == 2 {
            return vec![None; bodies.len()];
        }
        kept.retain(|&at| at != farthest);
    }
    let common = among_kinds(pooled(&kept.iter().map(|&at| bodies[at].0).collect::<Vec<_>>()));
    // The common exponent is less certain for a single body: the distance to its own exponent is added to the error.
    let of_body = |at: usize| {
        let away = among_kinds(bodies[at].0).value - common.value;
        Exponent { variance: common.variance + away * away, ..common }
    };
    (0..bodies.len()).map(|at| kept.contains(&at).then(|| of_body(at))).collect()
}

/// The body farthest from all others, if it is known to differ from them.
fn farthest(bodies: &[(Slope, f64)], kept: &[usize]) -> Option<usize> {
    let errors = |at: usize| {
        let others: Vec<Slope> = kept.iter().filter(|&&other| other != at).map(|&other| bodies[other].0).collect();
        errors_apart(bodies[at].0, pooled(&others))
    };
    // If the clock hardly moved, any difference between launches looks like a body that does not follow it.
    let established = kept.iter().copied().filter(|&at| bodies[at].1 >= MOVED_MIN);
    let differ = established.map(|at| (at, errors(at))).filter(|(_, errors)| *errors > 1.0);
    differ.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// Distance of two estimates, relative to the distance at which they are known to differ; 0 if one has no information.
fn errors_apart(a: Slope, b: Slope) -> f64 {
    let launches = a.launches.min(b.launches);
    if a.information <= 0.0 || b.information <= 0.0 || launches < 2 {
        return 0.0;
    }
    let errors = (a.value - b.value).abs() / (1.0 / a.information + 1.0 / b.information).sqrt();
    errors / t_isf(0.5 * KNOWN_TO_DIFFER, (launches - 1) as f64)
}

pub(crate) fn prior() -> Exponent {
    among_kinds(Slope::default())
}

/// How much of the prior remains in an estimate of this variance, from 0 (measured) to 1 (nothing learned).
pub fn assumed_share(variance: f64) -> f64 {
    (variance / prior().variance).min(1.0)
}

/// Mean and variance of the exponent of a body with this evidence: a mixture over the kinds of bodies, weighted by how well each explains
/// it.
pub fn among_kinds(shown: Slope) -> Exponent {
    let of = BODY_KINDS.map(|kind| {
        let variance = 1.0 / (1.0 / kind.variance + shown.information);
        let value = variance * (kind.value / kind.variance + shown.value * shown.information);
        // Density of the evidence among bodies of this kind, up to a common factor.
        let spread = 1.0 + kind.variance * shown.information;
        let away = (shown.value - kind.value).powi(2) * shown.information / spread;
        (kind.share.ln() - 0.5 * (spread.ln() + away), value, variance)
    });
    let likeliest = of.iter().map(|(likely, ..)| *likely).fold(f64::NEG_INFINITY, f64::max);
    let weights = of.map(|(likely, ..)| (likely - likeliest).exp());
    let total: f64 = weights.iter().sum();
    let mean_of = |moment: fn(f64, f64) -> f64| {
        of.iter().zip(weights).map(|((_, value, variance), weight)| weight * moment(*value, *variance)).sum::<f64>()
            / total
    };
    let value = mean_of(|value, _| value);
    let variance = mean_of(|value, variance| variance + value * value) - value * value;
    Exponent { value: value.clamp(0.0, 1.0), variance }
}
