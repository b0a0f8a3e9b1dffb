//! The constants say what their docs say.

use crate::saved::{LAUNCH_SD, SESSION_SD, SESSION_SD_AT_REFERENCE, THRESHOLD};

#[test]
fn sessions_differ_within_the_range_of_the_method() {
    let difference = |sd: f64| sd * std::f64::consts::SQRT_2;
    assert!((0.023..0.07).contains(&difference(SESSION_SD)), "{}", difference(SESSION_SD));
    // At the reference clock the threshold lies beyond what sessions do: the 99 % point of their difference.
    assert!(2.576 * difference(SESSION_SD_AT_REFERENCE) < THRESHOLD);
    // Where processes are not known to differ by less, words begin at about half as much again.
    let bound: f64 = 3.0 * difference(LAUNCH_SD);
    assert!((1.50..1.56).contains(&bound.exp()), "{}", bound.exp());
}
