//! Reads the vector files, and compares.
#![allow(dead_code)]

use serde_json::Value;
use tare_stats::Interval;

pub fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/method-vectors.json")).unwrap()
}

pub fn reference() -> Value {
    serde_json::from_str(include_str!("../vectors/reference.json")).unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

pub fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Whether an interval lies wholly inside another one; ends may touch.
pub fn is_inside(inner: Interval, outer: Interval) -> bool {
    outer.lower <= inner.lower && inner.upper <= outer.upper
}

#[track_caller]
pub fn close(got: f64, expected: f64, relative: f64) {
    let error = (got - expected).abs();
    assert!(error <= relative * expected.abs() || error < 1e-300, "got {got:e}, expected {expected:e}");
}

#[track_caller]
pub fn near(got: f64, expected: f64, absolute: f64) {
    assert!((got - expected).abs() <= absolute, "got {got:e}, expected {expected:e}");
}

/// The decision of a look, asked for as `tare-analysis` does.
pub fn decide(look: &tare_stats::Look, rule: &tare_stats::StopRule) -> tare_stats::Decision {
    let (difference, same) = (Some(look.rci_99), Some(look.rci_90));
    let bounds = tare_stats::Bounds { estimate: look.estimate, difference, same, agrees: look.waves_agree };
    bounds.decide(rule.minimum_effect_log)
}
