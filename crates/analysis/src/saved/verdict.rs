//! From the values of a pair to what they can carry: an interval over launches, or a bound that luck alone does not reach.

use super::{SavedCase, SavedDesign, SavedOptions};
use crate::clock::EXPONENT_SIGMAS;
use crate::times::centre;
use tare_stats::interval::Interval;
use tare_stats::location::mean;
use tare_stats::modes::m_value;
use tare_stats::special::{t_isf, t_sf};
use tare_stats::spread::{sd, variance};

/// Launches a side from which their spread is taken from themselves (method 7.1: below 4 no interval is told).
pub(super) const LAUNCHES_MIN: usize = 4;
/// Standard deviations beyond which a difference is not luck, where the standard deviation is an assumption.
const ASSUMED_SIGMAS: f64 = 3.0;
/// Values from which modes are looked for (bdn.md 5: ResultsComparer's bound).
const MODE_VALUES_MIN: usize = 12;
/// m-value from which a sample is marked (bdn.md 3.2): at most 2 % of unimodal samples reach it (method 7.5).
const SEVERAL_MODES: f64 = 2.8;
/// Two lengths of a cycle are the same reference clock within this, as a share.
const SAME_CLOCK: f64 = 1e-6;

/// What a pair says of the log of its ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Evidence {
    /// Both sides have launches enough.
    Launches(LaunchEvidence),
    /// A side has too few processes to tell how much they differ.
    Assumed(AssumedEvidence),
}

/// Difference of the mean logs of launches with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LaunchEvidence {
    /// Log of new / base.
    pub estimate: f64,
    /// Its standard error: of the launches of both sides, of the offsets of both sessions and of the corrections of their clocks.
    pub error: f64,
    /// How far the estimate may be off because nobody knows how closely the body follows the clocks of the sessions (log).
    pub clock_bound: f64,
    /// Degrees of freedom by Welch and Satterthwaite; the offsets of sessions are taken as known.
    pub df: f64,
    /// Both sides are runs of Tare on one machine at one reference clock.
    pub at_reference: bool,
}

/// Difference of the values with a bound that is assumed, not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AssumedEvidence {
    /// Log of new / base.
    pub estimate: f64,
    /// What the luck of processes is taken to explain (log).
    pub bound: f64,
}

impl Evidence {
    /// Log of new / base.
    pub(super) fn estimate(&self) -> f64 {
        match self {
            Evidence::Launches(e) => e.estimate,
            Evidence::Assumed(e) => e.estimate,
        }
    }

    /// p-value of no change; None where nothing in the data says how much sessions and processes differ.
    pub(super) fn p(&self) -> Option<f64> {
        match self {
            Evidence::Launches(e) => Some(e.p()),
            Evidence::Assumed(_) => None,
        }
    }
}

impl LaunchEvidence {
    /// Half of the interval at this confidence (log).
    pub(super) fn reach(&self, confidence: f64) -> f64 {
        (t_isf((1.0 - confidence) / 2.0, self.df) * self.error).hypot(self.clock_bound)
    }

    /// One less the greatest confidence at which the interval excludes no change.
    fn p(&self) -> f64 {
        let beyond = (self.estimate.powi(2) - self.clock_bound.powi(2)).max(0.0).sqrt();
        (2.0 * t_sf(beyond / self.error, self.df)).min(1.0)
    }

    /// The interval of the ratio at this confidence.
    pub(super) fn ratio_interval(&self, confidence: f64) -> Interval {
        let reach = self.reach(confidence);
        Interval { lower: (self.estimate - reach).exp(), upper: (self.estimate + reach).exp() }
    }
}

/// What a pair says. Both sides have values (see `pairing`).
pub(super) fn evidence(base: &SavedCase, new: &SavedCase, one_machine: bool, options: &SavedOptions) -> Evidence {
    let at_reference = one_machine && same_clock(base, new);
    if let (Some(a), Some(b)) = (launch_logs(base), launch_logs(new)) {
        if let Some(evidence) = from_launches(&a, &b, sessions(base, new, at_reference, options)) {
            return Evidence::Launches(evidence);
        }
    }
    Evidence::Assumed(from_assumption(base, new, options))
}

fn same_clock(base: &SavedCase, new: &SavedCase) -> bool {
    let lengths = base.reference_cycle_ns.zip(new.reference_cycle_ns);
    lengths.is_some_and(|(a, b)| (a / b - 1.0).abs() < SAME_CLOCK)
}

/// One value (log) for each launch of a case that has enough of them: the 20 % trimmed mean of its logs, as in a run (method 5.1).
pub(super) fn launch_logs(case: &SavedCase) -> Option<Vec<f64>> {
    let logs: Vec<f64> = match case.design {
        SavedDesign::Launches => case.launches.iter().filter_map(|l| centre(&logs(l))).collect(),
        SavedDesign::Iterations | SavedDesign::Summary(_) => return None,
    };
    (logs.len() >= LAUNCHES_MIN).then_some(logs)
}

fn logs(values: &[f64]) -> Vec<f64> {
    values.iter().filter(|v| v.is_finite() && **v > 0.0).map(|v| v.ln()).collect()
}

/// What both sessions are off by, each as a whole.
struct Sessions {
    at_reference: bool,
    variance: f64,
    clock_bound: f64,
}

fn sessions(base: &SavedCase, new: &SavedCase, at_reference: bool, options: &SavedOptions) -> Sessions {
    let offsets = 2.0 * options.session_sd(at_reference).powi(2);
    // The body is the same on both sides, and so is what is not known of it: where both clocks are off alike it does no harm.
    let shift = |case: &SavedCase| case.clock_variance.sqrt().copysign(case.clock_away);
    Sessions {
        at_reference,
        variance: offsets + base.clock_variance + new.clock_variance,
        clock_bound: EXPONENT_SIGMAS * (shift(new) - shift(base)).abs(),
    }
}

fn from_launches(base: &[f64], new: &[f64], sessions: Sessions) -> Option<LaunchEvidence> {
    let part = |x: &[f64]| Some((variance(x)? / x.len() as f64, (x.len() - 1) as f64));
    let ((a, df_a), (b, df_b)) = (part(base)?, part(new)?);
    let total = a + b + sessions.variance;
    // Satterthwaite's sum; the variance of sessions is taken as known, so it adds to the sum and not to its uncertainty.
    let uncertain = a * a / df_a + b * b / df_b;
    let df = if uncertain > 0.0 { (total * total / uncertain).min(1e6) } else { 1e6 };
    let (estimate, error) = (mean(new)? - mean(base)?, total.sqrt());
    (estimate.is_finite() && error.is_finite() && df.is_finite()).then_some(LaunchEvidence {
        estimate,
        error,
        df,
        clock_bound: sessions.clock_bound,
        at_reference: sessions.at_reference,
    })
}

fn from_assumption(base: &SavedCase, new: &SavedCase, options: &SavedOptions) -> AssumedEvidence {
    let statistic = Statistic::for_both(base, new);
    let estimate = match (statistic.log_value(base), statistic.log_value(new)) {
        (Some(a), Some(b)) => b - a,
        _ => f64::NAN,
    };
    AssumedEvidence { estimate, bound: assumed_bound(&[base, new], options) }
}

/// What the luck of processes is taken to explain of these cases together (log).
pub(super) fn assumed_bound(cases: &[&SavedCase], options: &SavedOptions) -> f64 {
    let launch_sd = options.assumed_launch_sd();
    let variance: f64 = cases.iter().map(|c| launch_sd.powi(2) / c.processes() as f64 + within(c)).sum();
    ASSUMED_SIGMAS * variance.sqrt()
}

/// Squared standard error of a case from the scatter inside its processes alone, as if its values were independent: too small,
/// but not nothing.
fn within(case: &SavedCase) -> f64 {
    let squared = match case.design {
        SavedDesign::Summary(s) => s.sd_ns.zip(s.mean_ns.or(s.median_ns)).map(|(sd, mean)| {
            let relative = sd / mean;
            relative * relative / s.values.unwrap_or(1).max(1) as f64
        }),
        _ => {
            let all = logs(&case.launches.concat());
            sd(&all).map(|sd| sd * sd / all.len() as f64)
        }
    };
    squared.filter(|v| v.is_finite()).unwrap_or(0.0)
}

/// Which one number stands for a case: both sides must have the same.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Statistic {
    /// Mean over processes of the trimmed mean of logs.
    Centre,
    /// Median.
    Median,
    /// Arithmetic mean.
    Mean,
}

impl Statistic {
    fn for_both(base: &SavedCase, new: &SavedCase) -> Statistic {
        let summaries: Vec<_> = [base, new]
            .iter()
            .filter_map(|c| match c.design {
                SavedDesign::Summary(s) => Some(s),
                _ => None,
            })
            .collect();
        if summaries.is_empty() {
            Statistic::Centre
        } else if summaries.iter().all(|s| s.median_ns.is_some()) {
            Statistic::Median
        } else {
            Statistic::Mean
        }
    }

    fn log_value(self, case: &SavedCase) -> Option<f64> {
        if let SavedDesign::Summary(summary) = case.design {
            let value = match self {
                Statistic::Mean => summary.mean_ns.or(summary.median_ns),
                _ => summary.median_ns.or(summary.mean_ns),
            };
            return value.filter(|v| *v > 0.0).map(f64::ln);
        }
        let values = || case.launches.concat().into_iter().filter(|v| v.is_finite() && *v > 0.0).collect::<Vec<f64>>();
        match self {
            Statistic::Centre => {
                let centres: Vec<f64> = case.launches.iter().filter_map(|l| centre(&logs(l))).collect();
                mean(&centres)
            }
            Statistic::Median => tare_stats::location::median(&values()).map(f64::ln),
            Statistic::Mean => mean(&values()).map(f64::ln),
        }
    }
}

/// The time of a case with the loop, ns an operation: what ratios are made of.
pub(super) fn centre_ns(case: &SavedCase) -> Option<f64> {
    let statistic = Statistic::for_both(case, case);
    statistic.log_value(case).map(f64::exp).filter(|v| v.is_finite())
}

/// Whether the values of a case have several modes. Coarse clocks make steps that look like modes (method 7.5), so samples of
/// few different values are not judged.
pub(super) fn has_several_modes(case: &SavedCase) -> bool {
    let values = case.launches.concat();
    if values.len() < MODE_VALUES_MIN {
        return false;
    }
    let mut different: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    different.sort_unstable();
    different.dedup();
    2 * different.len() >= values.len() && m_value(&values) > SEVERAL_MODES
}
