//! Who allocates in a program of .NET: the runtime writes an event with its stack for each 100 kB.

use super::file::{Event, Trace};
use super::{Fields, MethodName, ALLOCATED, LOADED, LOADED_BEFORE};
use crate::names::harmless;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes between two events.
pub const TICK_BYTES: u64 = 100 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocated {
    /// Class and name of each method on the stack, outermost first.
    pub stack: Vec<(String, String)>,
    /// The type of the object at the event.
    pub of: String,
    /// Bytes since the previous event.
    pub bytes: u64,
}

struct MethodCode {
    end: u64,
    named: MethodName,
}

/// The allocations within a time range, in s since 1970.
pub fn allocated(file: &[u8], time_s: &Range<f64>) -> Result<Vec<Allocated>, String> {
    let trace = Trace::read(file)?;
    let places: BTreeMap<u64, MethodCode> =
        trace.events.iter().filter(|event| [LOADED, LOADED_BEFORE].contains(&event.id)).filter_map(place).collect();
    if places.is_empty() {
        return Err("the runtime wrote no names of its methods".to_owned());
    }
    let name = |address: &u64| -> (String, String) {
        // A return address comes after its call.
        let place = places.range(..*address).next_back().filter(|(_, place)| *address <= place.end);
        place.map_or_else(
            || (String::new(), "[unknown code]".to_owned()),
            |(_, place)| (harmless(&place.named.class), harmless(&place.named.name)),
        )
    };
    let ticks = trace.events.iter().filter(|event| event.id == ALLOCATED && time_s.contains(&trace.time_s(event)));
    let one = |event| {
        let (bytes, of) = tick(event)?;
        let stack = trace.stack(event).iter().rev().map(name).collect();
        Some(Allocated { stack, of: harmless(&of), bytes })
    };
    Ok(ticks.filter_map(one).collect())
}

/// Bytes and type of an allocation.
fn tick(event: &Event) -> Option<(u64, String)> {
    let mut fields = Fields::of(event);
    let few = fields.u32()?;
    // Its kind, and the number of the runtime.
    fields.take(4 + 2)?;
    if event.version < 2 {
        return Some((u64::from(few), String::new()));
    }
    let bytes = fields.u64()?;
    fields.take(8)?;
    Some((bytes, fields.text()?))
}

/// The code of a method, by its start.
fn place(event: &Event) -> Option<(u64, MethodCode)> {
    let mut fields = Fields::of(event);
    fields.take(2 * 8)?;
    let (start, size) = (fields.u64()?, fields.u32()?);
    fields.take(2 * 4)?;
    Some((start, MethodCode { end: start.checked_add(u64::from(size))?, named: MethodName::read(&mut fields)? }))
}
