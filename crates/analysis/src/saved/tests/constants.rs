//! The constants say what their docs say.

use crate::saved::options::{SESSION_SD, SESSION_SD_AT_REFERENCE, SESSION_SD_MEASURED};
use crate::saved::THRESHOLD;

#[test]
fn sessions_differ_within_the_range_of_the_method() {
    let difference = |sd: f64| sd * std::f64::consts::SQRT_2;
    assert!((0.023..0.07).contains(&difference(SESSION_SD)), "{}", difference(SESSION_SD));
    // The threshold lies beyond what sessions do at the reference clock, and what remains to be assumed of measured ones: the 99 %
    // point of their difference.
    assert!(2.576 * difference(SESSION_SD_AT_REFERENCE) < THRESHOLD);
    assert!(2.576 * difference(SESSION_SD_MEASURED) < THRESHOLD);
}
