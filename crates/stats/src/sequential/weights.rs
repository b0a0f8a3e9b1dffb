//! How much each wave counts.

use super::look::{reduce, Reduced, Wave};
use crate::location::{mean, median};

/// Waves in which both sides have effects, and the weight of each; the weights have a mean of 1.
///
/// Where a neighbour leaves few windows, or the time ends in the middle of a wave, its launches have few visits that count. Such a wave has
/// the weight `1 / (m + v)`, where v is one over the number of visits of a launch and m is the median of v over the waves. What a visit took
/// has no part in that: by their scatter, waves would count less in which launches of one side were slow for a while. A wave whose v is not
/// known counts as the median one, and all waves count the same where none is known. The floor m keeps waves from counting more than twice as
/// much as the median one: visits are not all that makes effects vary.
pub(super) fn weighted(waves: &[Wave]) -> Vec<(&Wave, Reduced, f64)> {
    let reduced: Vec<(&Wave, Reduced)> = waves.iter().filter_map(|wave| Some((wave, reduce(wave)?))).collect();
    let weights = by_visits(&reduced).unwrap_or_else(|| vec![1.0; reduced.len()]);
    reduced.into_iter().zip(weights).map(|((wave, reduced), weight)| (wave, reduced, weight)).collect()
}

fn by_visits(waves: &[(&Wave, Reduced)]) -> Option<Vec<f64>> {
    let inverse = |(wave, _): &(&Wave, Reduced)| wave.inverse_visits.filter(|v| v.is_finite() && *v >= 0.0);
    let known: Vec<f64> = waves.iter().filter_map(inverse).collect();
    let usual = median(&known).filter(|usual| *usual > 0.0)?;
    let weights: Vec<f64> = waves.iter().map(|wave| usual / (usual + inverse(wave).unwrap_or(usual))).collect();
    let centre = mean(&weights).filter(|centre| *centre > 0.0)?;
    Some(weights.iter().map(|weight| weight / centre).collect())
}

/// Weighted mean of the differences of waves, and the sum of the weighted squares about it.
pub(super) fn centre(differences: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = differences.iter().map(|(_, weight)| weight).sum();
    let centre = differences.iter().map(|(difference, weight)| difference * weight).sum::<f64>() / total;
    let squares: f64 = differences.iter().map(|(difference, weight)| weight * (difference - centre).powi(2)).sum();
    // The second sum is zero in exact arithmetic; it takes back the rounding of the centre.
    let rest: f64 = differences.iter().map(|(difference, weight)| weight * (difference - centre)).sum();
    (centre, (squares - rest * rest / total).max(0.0))
}
