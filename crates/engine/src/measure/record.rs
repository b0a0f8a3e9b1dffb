//! The run as measured so far, and the events that were not taken yet.

use tare_model::{Event, Run};

#[derive(Debug)]
pub(crate) struct Record {
    pub run: Run,
    events: Vec<Event>,
}

impl Record {
    /// For a new run; `None` if the event is not `run-started`.
    pub fn begin(event: Event) -> Option<Record> {
        Some(Record { run: Run::of(&event)?, events: vec![event] })
    }

    pub fn resume(run: Run) -> Record {
        Record { run, events: Vec::new() }
    }

    pub fn add(&mut self, event: Event) {
        // The engine makes events only for launches and cases that exist; a violation would show as a missing row.
        let applied = self.run.apply(&event);
        debug_assert_eq!(applied, Some(()), "{event:?}");
        self.events.push(event);
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}
