//! What the thread of a body waits for.

use super::{said, Evidence, Pair, Source, Unit};

pub const SOURCE: Source = Source::of("threads", look);

/// Time off the processor below this share of the time says nothing: it is not known that well.
const SHARE: f64 = 0.1;

fn look(pair: &Pair) -> Vec<Evidence> {
    // A body that has its work done in threads waits for them: what they do is the cause.
    if pair.works_in_threads() {
        return Vec::new();
    }
    let most_ns = pair.times_ns.iter().flatten().copied().fold(0.0, f64::max);
    let can_be = |values: &[f64; 2]| values.iter().zip(pair.times_ns).all(|(off, ns)| ns.is_some_and(|ns| *off <= ns));
    let change = pair.change("threads/off_processor").filter(can_be);
    let change = change.filter(|[base, new]| (new - base).abs() > SHARE * most_ns);
    let evidence = |values: [f64; 2]| {
        let text = "time that the thread of the body waits and does not compute".to_owned();
        let evidence = said("waits", text, pair.cycles(values[1] - values[0]));
        Evidence { values: Some(values), unit: Unit::Time, is_measured: true, ..evidence }
    };
    change.map(evidence).into_iter().collect()
}
