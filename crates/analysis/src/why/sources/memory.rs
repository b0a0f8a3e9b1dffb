//! What is allocated.

use super::super::pair::OF_COLLECTED_BYTE;
use super::{said, Counted, Evidence, Pair, Says, Source, Unit};

pub const SOURCE: Source = Source::of("memory", look);

const ALLOCATIONS: Counted =
    Counted { kind: "allocations", metric: "allocations", text: "allocations", each: 60.0, says: Says::What };
const BYTES: Counted =
    Counted { kind: "allocations", metric: "allocated_bytes", text: "allocated bytes", each: 0.05, says: Says::What };

/// Below this share a peak says nothing beside what is allocated.
const PEAK_SHARE: f64 = 0.01;

fn look(pair: &Pair) -> Vec<Evidence> {
    let each = if pair.collected() == 0.0 { BYTES.each } else { OF_COLLECTED_BYTE };
    let counted = [ALLOCATIONS, Counted { each, ..BYTES }].into_iter().filter_map(|counted| counted.look(pair));
    // What lives at the same time costs nothing by itself: it is what the caches have to hold.
    let grew = |[base, new]: &[f64; 2]| (new - base).abs() > PEAK_SHARE * base.max(*new);
    let peak = pair.change("peak_bytes").filter(grew).map(|values| Evidence {
        values: Some(values),
        unit: Unit::Bytes,
        says: Says::HowMuch,
        ..said("peak", "memory in use at the peak of an iteration".to_owned(), 0.0)
    });
    counted.chain(peak).collect()
}
