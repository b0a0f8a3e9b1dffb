//! How closely the time of a body follows the core's clock: code that computes has exponent 1, code that waits for memory less.

use super::slope::{pooled, Slope};
use tare_stats::special::t_isf;

/// What is known before anything is measured: nine bodies in ten compute and follow the clock, and one waits for memory (decision 0002).
const BODY_KINDS: [BodyKind; 2] = [
    BodyKind { share: 0.9, value: 1.0, variance: 0.1 * 0.1 },
    BodyKind { share: 0.1, value: 0.5, variance: 0.3 * 0.3 },
];
/// Probability with which the exponents of two bodies seem to be two by chance, where they count as two.
const KNOWN_TO_DIFFER: f64 = 0.01;
/// Log range of the clock over launches below which it shows nothing for certain: a neighbour can look like memory.
pub const MOVED_MIN: f64 = 0.1;
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponent {
    /// With which power of the length of a cycle its time grows, 0 to 1.
    pub value: f64,
    /// Variance of the error of the exponent: that of the prior where there was little drift to learn from.
    pub variance: f64,
}

struct BodyKind {
    share: f64,
    value: f64,
    variance: f64,
}

/// One exponent for bodies that are compared with each other, from what all of them show. None for those that are known to follow the
/// clock more or less closely than the rest: they keep their own. Each comes with by how much the clock moved (log range over launches).
pub fn in_common(bodies: &[(Slope, f64)]) -> Vec<Option<Exponent>> {
    let mut kept: Vec<usize> = (0..bodies.len()).collect();
    // The one that is farthest from all others goes first, since it moves what the others are set against.
    while let Some(farthest) = farthest(bodies, &kept) {
        if kept.len() == 2 {
            return vec![None; bodies.len()];
        }
        kept.retain(|&at| at != farthest);
    }
    let common = among_kinds(pooled(&kept.iter().map(|&at| bodies[at].0).collect::<Vec<_>>()));
    // What is known of the common one is not all that is known of this body: how far its own is away is part of the error.
    let of_body = |at: usize| {
        let away = among_kinds(bodies[at].0).value - common.value;
        Exponent { variance: common.variance + away * away, ..common }
    };
    (0..bodies.len()).map(|at| kept.contains(&at).then(|| of_body(at))).collect()
}

/// Of these bodies the one that is farthest from all others, where it is known to differ from them.
fn farthest(bodies: &[(Slope, f64)], kept: &[usize]) -> Option<usize> {
    let errors = |at: usize| {
        let others: Vec<Slope> = kept.iter().filter(|&&other| other != at).map(|&other| bodies[other].0).collect();
        errors_apart(bodies[at].0, pooled(&others))
    };
    // Where the clock hardly moved, what launches differ by for any reason looks like a body that does not follow it.
    let established = kept.iter().copied().filter(|&at| bodies[at].1 >= MOVED_MIN);
    let differ = established.map(|at| (at, errors(at))).filter(|(_, errors)| *errors > 1.0);
    differ.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// How far two estimates are apart, as a share of the distance from which they are known to differ; 0 where one of them says nothing.
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

/// How much of the prior is left in an estimate of this variance, from 0 (nothing: it was measured) to 1 (nothing was learned).
pub fn assumed_share(variance: f64) -> f64 {
    (variance / prior().variance).min(1.0)
}

/// Mean and variance of the exponent of a body that shows this: it is of one of the kinds, and how likely of which depends on what it shows.
pub fn among_kinds(shown: Slope) -> Exponent {
    let of = BODY_KINDS.map(|kind| {
        let variance = 1.0 / (1.0 / kind.variance + shown.information);
        let value = variance * (kind.value / kind.variance + shown.value * shown.information);
        // The density of what it shows among bodies of this kind, but for a factor that all kinds share.
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
