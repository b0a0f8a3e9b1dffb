//! Where the ratio of the two times shown is not within the interval of the ratio beside them. Both are right: they answer two questions.
//! The row is marked and says which (decision 0036).

use super::RatioReport;
use crate::finding::{Sentence, Unit};
use crate::visits::{AllWindows, CaseTimes};
use serde::Serialize;
use std::fmt;
use tare_stats::interval::Interval;
use tare_stats::location::mean;

/// The ratio of the times shown is not within the interval of the ratio.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Disagreement {
    /// The ratio of the times shown.
    pub ratio_of_times: f64,
    /// What most of the difference comes from.
    pub because: Because,
}

/// What the ratio has and the times have not, or the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The times are at the reference clock, which both follow more or less closely.
    Clock,
    /// The ratio is of all windows, and one of the times is not.
    Windows,
    /// Each time is without the loop as it was measured beside that body; the ratio takes the same loop off both.
    Loop,
    /// The ratio sets launches against those that ran at the same time; a time is of all launches.
    Launches,
}

impl Because {
    /// It is a matter of the last digits: the loop, or which launches count.
    pub fn is_minor(self) -> bool {
        matches!(self, Because::Loop | Because::Launches)
    }

    fn text(self) -> &'static str {
        match self {
            Because::Clock => {
                "the two follow the core's clock to different degrees: the ratio is at the clock of this run, the times are at the reference clock"
            }
            Because::Windows => "the ratio uses all windows, but one of the times uses only windows alone on the core",
            Because::Loop => "each time is without its own loop, but the ratio takes the mean of both loops off both sides",
            Because::Launches => {
                "the ratio compares launches that ran at the same time, but the times are means over all launches"
            }
        }
    }
}

/// By so little beyond the interval, as a share, a ratio of times does not mislead if its cause is minor.
const BARELY: f64 = 0.02;

impl Disagreement {
    /// None where the ratio of these two times is within the interval. `parts` are the logs of what makes the difference.
    pub(crate) fn between(times: [f64; 2], interval: Interval, parts: &[(Because, f64)]) -> Option<Disagreement> {
        /// What the last digits of a computer make of equal numbers.
        const ROUNDING: f64 = 1e-9;
        let ratio = times[1] / times[0];
        let is_within = ratio >= interval.lower * (1.0 - ROUNDING) && ratio <= interval.upper * (1.0 + ROUNDING);
        if is_within || !ratio.is_finite() {
            return None;
        }
        let because = parts.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?.0;
        let beyond = (interval.lower / ratio).max(ratio / interval.upper).ln();
        if because.is_minor() && beyond < BARELY {
            return None;
        }
        Some(Disagreement { ratio_of_times: ratio, because })
    }

    /// The same as a sentence with its number.
    pub(crate) fn sentence(&self) -> Sentence {
        Sentence::new("the times shown have the ratio {ratio-of-times}: ")
            .number("ratio-of-times", self.ratio_of_times, Unit::Ratio)
            .then(self.because.text().into())
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}

/// Of these times, whose cases show these, and which the ratio takes in all windows for this reason. `has_loop`: a loop is subtracted from
/// what is shown.
pub(crate) fn of_pair(
    times: [&CaseTimes; 2],
    shown: [f64; 2],
    ratio: &RatioReport,
    all_windows: Option<AllWindows>,
    has_loop: bool,
) -> Option<Disagreement> {
    let gross = |times: &CaseTimes| mean(&times.launches.iter().map(|l| l.value).collect::<Vec<_>>());
    let with_loop = gross(times[1])? - gross(times[0])?;
    // The loop makes the same difference to both, unless it was measured to be another one beside each.
    let (ratio_with_loop, ratio_without) = (ratio.with_loop(ratio.ratio.ln()), ratio.ratio.ln());
    let beside = (shown[1] / shown[0]).ln() - with_loop - (ratio_without - ratio_with_loop);
    let (of_loop, of_mean) = if has_loop { (beside, 0.0) } else { (0.0, beside) };
    // The ratio takes the clock out of both with one exponent.
    let common = match times.map(|t| t.exponent) {
        [Some(base), Some(new)] => 0.5 * (base + new),
        _ => 0.0,
    };
    let of_clock = |times: &CaseTimes| (common - times.exponent.unwrap_or(common)) * times.clock_away;
    let clock = of_clock(times[1]) - of_clock(times[0]);
    let rest = with_loop - clock - ratio_with_loop + of_mean;
    let of_rest = match all_windows {
        Some(_) => Because::Windows,
        None => Because::Launches,
    };
    Disagreement::between(shown, ratio.interval, &[(Because::Clock, clock), (Because::Loop, of_loop), (of_rest, rest)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_cause_counts_from_two_percent_on() {
        let interval = Interval { lower: 0.431, upper: 0.436 };
        let of = |time: f64, because| Disagreement::between([1.0, time], interval, &[(because, 0.1)]).is_some();
        assert_eq!([0.433, 0.4301, 0.425, 0.42].map(|time| of(time, Because::Loop)), [false, false, false, true]);
        assert_eq!([0.433, 0.4301, 0.42].map(|time| of(time, Because::Clock)), [false, true, true]);
        assert!(of(0.45, Because::Launches) && !of(0.44, Because::Launches));
    }
}
