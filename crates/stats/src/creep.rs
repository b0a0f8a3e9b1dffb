//! Creep in a history: a cost that grows a little with each run over many runs. Each change is too small to be seen, but their sum is not.
//!
//! A straight line also fits three other things, which must be ruled out:
//!
//! 1. **Noise**, including autocorrelated noise: the slope must be [`CLEAR`] standard errors from 0, with the autocorrelation of the
//!    residuals taken into account.
//! 2. **Steps**: the line must fit better than the best levels (Potts, with the penalty of [`crate::steps()`]).
//! 3. **A wandering machine**: the growth must be spread evenly. Each of [`PARTS`] parts of the stretch must exceed the one before by a
//!    share of the mean growth.
//!
//! Only a creep that still goes on is of interest: stretches end with the newest run.

use crate::changepoint::optimal_partition;
use crate::drift::{ols, Trend};
use crate::interval::Interval;
use crate::location::mean;
use crate::sample::usable;
use crate::special::t_isf;
use crate::steps::{noise, noise_of_lag, potts_penalty, tamed, LEVEL_MIN};

/// Fewest runs of a creep.
pub const CREEP_RUNS_MIN: usize = 20;
/// Standard errors that the slope must be from 0. More than a quantile would ask for: it pays for the choice of the stretch, and for
/// autocorrelation that the line hides.
const CLEAR: f64 = 10.0;
const PARTS: usize = 4;
/// Each part must exceed the one before by at least this share of the mean growth between parts.
const EVEN: f64 = 0.5;
/// Larger autocorrelation estimates are cut to this.
const ALIKE_MAX: f64 = 0.9;

/// A change that is spread over many runs, up to the newest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Creep {
    /// Index of its first value.
    pub from: usize,
    /// Its total from the first value to the last, as a natural log of a ratio.
    pub change: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

/// The longest creep in a series of log values, one per run, that ends with the newest run and adds at least `least_change`.
///
/// All arguments are natural logs. `None` if there is no such creep, below [`CREEP_RUNS_MIN`] values, or for a non-finite value.
pub fn creep(log_values: &[f64], least_change: f64) -> Option<Creep> {
    if !usable(log_values) {
        return None;
    }
    let n = log_values.len();
    let mut lengths =
        std::iter::successors(Some(n), |length| Some(length * 2 / 3)).take_while(|l| *l >= CREEP_RUNS_MIN);
    lengths.find_map(|length| of_stretch(&log_values[n - length..], n - length, least_change))
}

fn of_stretch(values: &[f64], from: usize, least_change: f64) -> Option<Creep> {
    let n = values.len();
    let noise = noise(values);
    let tame = tamed(values, noise);
    let places: Vec<f64> = (0..n).map(|at| at as f64).collect();
    let line = ols(&places, &tame)?;
    let rest: Vec<f64> = places.iter().zip(&tame).map(|(x, y)| y - line.intercept - line.slope * x).collect();
    let error = standard_error(&line, &rest);
    let change = line.slope * (n - 1) as f64;
    let is_clear = line.slope.abs() >= CLEAR * error && change.abs() >= least_change;
    if !is_clear || !is_even(&tame, line.slope) || !fits_better(&tame, &rest, noise_of_lag(values, 1)) {
        return None;
    }
    let half = t_isf(0.025, line.df) * error * (n - 1) as f64;
    Some(Creep { from, change, interval: Interval { lower: change - half, upper: change + half } })
}

/// Standard error of the slope for values as autocorrelated as the residuals.
fn standard_error(line: &Trend, rest: &[f64]) -> f64 {
    let squares: f64 = rest.iter().map(|r| r * r).sum();
    let products: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let seen = if squares > 0.0 { products / squares } else { 0.0 };
    // Corrects the bias from estimating the line, which is twice that from estimating a mean.
    let alike = (seen + 2.0 * (1.0 + 3.0 * seen) / rest.len() as f64).clamp(0.0, ALIKE_MAX);
    line.standard_error * ((1.0 + alike) / (1.0 - alike)).sqrt()
}

fn is_even(values: &[f64], slope: f64) -> bool {
    let n = values.len();
    let part = |at: usize| mean(&values[at * n / PARTS..(at + 1) * n / PARTS]).unwrap_or(0.0);
    let growth = slope.abs() * n as f64 / PARTS as f64;
    (1..PARTS).all(|at| (part(at) - part(at - 1)) * slope.signum() >= EVEN * growth)
}

/// Whether the line fits better than levels, which are penalised. The noise is taken between neighbours: at greater distances it would
/// include steps and the growth itself.
fn fits_better(values: &[f64], rest: &[f64], noise: f64) -> bool {
    let penalty = potts_penalty(values.len(), noise);
    let levels = optimal_partition(values, penalty, LEVEL_MIN);
    let of_level = |level: &crate::changepoint::Segment| {
        values[level.start..level.end].iter().map(|y| (y - level.mean).powi(2)).sum::<f64>()
    };
    let of_levels: f64 = levels.iter().map(of_level).sum::<f64>() + penalty * levels.len() as f64;
    // A line has one parameter more than a level.
    rest.iter().map(|r| r * r).sum::<f64>() + 2.0 * penalty < of_levels
}
