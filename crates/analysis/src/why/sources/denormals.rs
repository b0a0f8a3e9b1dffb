//! Denormal numbers: an experiment takes them for zero. What one side gains by that and the other does not is what they cost.

use super::super::rank::MOST;
use super::{said, Evidence, Pair, Says, Source, Unit};

pub const SOURCE: Source = Source::of("denormals", look);

/// The gain of one side over that of the other from which it is no chance.
const GAIN: f64 = 0.6;
const GAIN_OF_MOST: f64 = 0.9;
/// The other takes as long as before, and both as long as where they were timed, by this factor.
const AS_BEFORE: f64 = 1.4;

fn look(pair: &Pair) -> Vec<Evidence> {
    let (Some(kept), Some(flushed)) = (pair.values("denormals/kept"), pair.values("denormals/flushed")) else {
        return Vec::new();
    };
    // Both are of one process, in turn: what else is on the machine is in both.
    let [base, new] = [flushed[0] / kept[0], flushed[1] / kept[1]];
    let is_as_before = (1.0 / AS_BEFORE..AS_BEFORE).contains(&base.max(new));
    let Some([base_ns, new_ns]) = pair.times_ns[0].zip(pair.times_ns[1]).map(<[f64; 2]>::from) else {
        return Vec::new();
    };
    // An experiment that was disturbed itself shows other times than those that it is to explain.
    let is_undisturbed =
        [kept[0] / base_ns, kept[1] / new_ns].iter().all(|factor| (1.0 / AS_BEFORE..AS_BEFORE).contains(factor));
    // What is left of the slower side's time where it gains as little as the other.
    let ns = if new < base { new_ns * (1.0 - new / base) } else { -base_ns * (1.0 - base / new) };
    // Where both do the same and that is most of what they differ by, a smaller gain is no chance either.
    let is_most = pair.is_same_work() && ns / (new_ns - base_ns) >= MOST;
    let gain = if is_most { GAIN_OF_MOST } else { GAIN };
    if pair.works_in_threads() || !is_undisturbed || !is_as_before || base.min(new) >= gain * base.max(new) {
        return Vec::new();
    }
    let text = "denormal numbers: an experiment took them for zero, and then the time is".to_owned();
    let evidence = said("denormals", text, pair.cycles(ns));
    vec![Evidence { values: Some(flushed), unit: Unit::Time, says: Says::What, is_measured: true, ..evidence }]
}
