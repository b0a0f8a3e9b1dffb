//! Where nothing can be attached.

use super::Event;

const WHY: &str = "events can only be counted on Linux";

pub(in super::super) fn possible(events: Vec<Event>) -> (Vec<Event>, Vec<(String, String)>) {
    (Vec::new(), events.into_iter().map(|event| (event.label, WHY.to_owned())).collect())
}

/// Nothing can be attached.
pub(in super::super) struct Attached;

impl Attached {
    pub(in super::super) fn to(_: u32, _: &[Event]) -> Result<Attached, String> {
        Err(WHY.to_owned())
    }

    pub(in super::super) fn enable(&mut self) -> Result<(), String> {
        Err(WHY.to_owned())
    }

    pub(in super::super) fn disable(&mut self) -> Result<(), String> {
        Err(WHY.to_owned())
    }

    pub(in super::super) fn read(&mut self) -> Result<Vec<u64>, String> {
        Err(WHY.to_owned())
    }
}
