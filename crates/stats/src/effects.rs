//! One number for each process of a wave.

use crate::location::{centre, median, trimmed_se, ENOUGH_TO_TRIM, TRIM};
use crate::outliers::MAD_TO_SD;
use crate::spread::mad;

/// The effect of one process: its log level without the changes that all processes share in a round.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessEffect {
    /// 20 % trimmed mean over valid visits, the median below 10 of them. Natural log.
    pub effect: f64,
    /// Standard error of the effect within the process; `None` for a single valid visit. Not the error of a comparison, which comes from
    /// the spread between processes.
    pub standard_error: Option<f64>,
    /// Visit minus effect on the natural-log scale, for valid visits in the order of rounds.
    pub residuals: Vec<f64>,
    /// The round (from 0) of each residual.
    pub rounds: Vec<usize>,
    /// Number of valid visits.
    pub valid: usize,
}

/// Effects of the processes of a wave; rows are rounds, columns processes, `None` a dropped visit.
///
/// Values are natural logs of time per operation. Every process is first centred on its own median. The effect of a round is the median
/// over processes of the centred values, so contestants at different levels have equal weight, even if visits are missing. A round with
/// fewer than two valid visits has no shared effect to remove. A process without a valid visit gives `None`; non-finite times and short
/// rows count as dropped visits.
pub fn process_effects(log_times: &[Vec<Option<f64>>]) -> Vec<Option<ProcessEffect>> {
    let processes = log_times.iter().map(Vec::len).max().unwrap_or(0);
    let at = |round: usize, process: usize| log_times[round].get(process).copied().flatten().filter(|y| y.is_finite());
    let column = |process: usize| (0..log_times.len()).filter_map(move |r| at(r, process).map(|y| (r, y)));
    let centres: Vec<Option<f64>> =
        (0..processes).map(|j| median(&column(j).map(|(_, y)| y).collect::<Vec<_>>())).collect();
    let shared: Vec<f64> = (0..log_times.len())
        .map(|r| {
            let centred: Vec<f64> =
                (0..processes).filter_map(|j| Some(at(r, j)? - centres[j]?)).filter(|v| v.is_finite()).collect();
            if centred.len() < 2 {
                0.0
            } else {
                median(&centred).unwrap_or(0.0)
            }
        })
        .collect();
    (0..processes)
        .map(|j| {
            let (rounds, xs): (Vec<usize>, Vec<f64>) = column(j).map(|(r, y)| (r, y - shared[r])).unzip();
            one_effect(rounds, xs)
        })
        .collect()
}

fn one_effect(rounds: Vec<usize>, xs: Vec<f64>) -> Option<ProcessEffect> {
    let valid = xs.len();
    let effect = centre(&xs)?;
    let standard_error = if valid < ENOUGH_TO_TRIM {
        // For normal data, the median has sqrt(pi/2) times the error of the mean.
        let error = || Some((std::f64::consts::FRAC_PI_2 / valid as f64).sqrt() * MAD_TO_SD * mad(&xs)?);
        if valid < 2 {
            None
        } else {
            error()
        }
    } else {
        trimmed_se(&xs, TRIM)
    };
    let residuals = xs.iter().map(|x| x - effect).collect();
    Some(ProcessEffect { effect, standard_error, residuals, rounds, valid })
}
