//! Denormal numbers: an experiment takes them for zero. What one side gains by that and the other does not is what they cost.

use super::{said, Evidence, Pair, Says, Source, Unit};

pub const SOURCE: Source = Source::of("denormals", look);

/// The gain of one side over that of the other from which it is no chance: the experiment is one launch.
const GAIN: f64 = 0.6;
/// The other takes about as long as before, by this factor: on a busy machine a time has more in it than what the thread computes.
const AS_BEFORE: f64 = 2.5;

fn look(pair: &Pair) -> Vec<Evidence> {
    let (Some(flushed), [Some(base_ns), Some(new_ns)]) = (pair.values("denormals/flushed"), pair.times_ns) else {
        return Vec::new();
    };
    let [base, new] = [flushed[0] / base_ns, flushed[1] / new_ns];
    let is_as_before = (1.0 / AS_BEFORE..AS_BEFORE).contains(&base.max(new));
    if pair.works_in_threads() || !is_as_before || base.min(new) >= GAIN * base.max(new) {
        return Vec::new();
    }
    // What is left of the slower side's time where it gains as little as the other.
    let ns = if new < base { new_ns * (1.0 - new / base) } else { -base_ns * (1.0 - base / new) };
    let text = "denormal numbers: an experiment took them for zero, and then the time is".to_owned();
    let evidence = said("denormals", text, pair.cycles(ns));
    vec![Evidence { values: Some(flushed), unit: Unit::Time, says: Says::What, is_measured: true, ..evidence }]
}
