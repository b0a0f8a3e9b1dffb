//! Where the ratio of the two times shown is not within the interval of the ratio beside them, which is marked.

use crate::finding::{Sentence, Unit};
use tare_stats::interval::Interval;

/// By so little beyond the interval, as a share, a ratio of times does not mislead.
const BARELY: f64 = 0.02;

/// The ratio of these two times shown; None where it is within the interval of the ratio beside them, or barely beyond it.
pub(crate) fn ratio_of_times(times: [f64; 2], interval: Interval) -> Option<f64> {
    let ratio = times[1] / times[0];
    let beyond = (interval.lower / ratio).max(ratio / interval.upper);
    (ratio.is_finite() && beyond > 1.0 + BARELY).then_some(ratio)
}

/// That the times shown have this ratio, which is another one than that beside them.
pub fn other_ratio(ratio_of_times: f64) -> Sentence {
    Sentence::new("the times shown have the ratio {ratio-of-times}: the ratio compares visits of the same rounds, each time is of all its own")
        .number("ratio-of-times", ratio_of_times, Unit::Ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_another_ratio_count_from_two_percent_on() {
        let interval = Interval { lower: 0.431, upper: 0.436 };
        let of = |time: f64| ratio_of_times([1.0, time], interval).is_some();
        assert_eq!([0.433, 0.4301, 0.425, 0.42, 0.44, 0.45].map(of), [false, false, false, true, false, true]);
        assert_eq!(ratio_of_times([0.0, 1.0], interval), None);
    }
}
