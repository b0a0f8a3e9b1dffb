//! What the thread of a body waits for.

use super::{said, Evidence, Pair, Source, Unit};

pub const SOURCE: Source = Source::of("threads", look);

/// Time off the processor below this share of the time says nothing: it is not known that well.
const SHARE: f64 = 0.1;

fn look(pair: &Pair) -> Vec<Evidence> {
    let most_ns = pair.times_ns.iter().flatten().copied().fold(0.0, f64::max);
    let change = pair.change("threads/off_processor").filter(|[base, new]| (new - base).abs() > SHARE * most_ns);
    let evidence = |values: [f64; 2]| {
        let text = "time that the thread of the body waits and does not compute".to_owned();
        let evidence = said("waits", text, pair.cycles(values[1] - values[0]));
        Evidence { values: Some(values), unit: Unit::Time, ..evidence }
    };
    change.map(evidence).into_iter().collect()
}
