//! Systems on which nothing can be attached.

use super::Event;

const WHY: &str = "events can only be counted on Linux";

pub(crate) fn possible(events: Vec<Event>) -> (Vec<Event>, Vec<(String, String)>) {
    (Vec::new(), events.into_iter().map(|event| (event.label, WHY.to_owned())).collect())
}

pub(crate) struct Attached;

impl Attached {
    pub(crate) fn to(_: u32, _: &[Event]) -> Result<Attached, String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn enable(&mut self) -> Result<(), String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn disable(&mut self) -> Result<(), String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn read(&mut self) -> Result<Vec<u64>, String> {
        Err(WHY.to_owned())
    }
}
