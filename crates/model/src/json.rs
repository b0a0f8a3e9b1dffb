//! JSON of the run and its events. It is read and written only here: this code is large, and is instantiated for each kind of reader and
//! writer.

use crate::{Event, Run};
use serde::de::value::{Error as Unknown, StrDeserializer};
use serde::de::{Error as _, IntoDeserializer};
use serde::Deserialize;
use serde_json::Result;
use std::borrow::Cow;
use std::io::Write;

impl Run {
    /// Reads the text of `run.json`.
    pub fn from_json(text: &[u8]) -> Result<Run> {
        serde_json::from_slice(text)
    }

    /// Writes the text of `run.json`.
    pub fn write_json(&self, writer: &mut dyn Write) -> Result<()> {
        serde_json::to_writer(writer, self)
    }
}

/// A line of `events.jsonl`: `{"event":"measured","launch":1, ...}`. The derived form is `{"measured":{"launch":1, ...}}`.
impl Event {
    /// Writes it without a line end.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let mut outer = Vec::new();
        // The same kind of writer as for a run, so that shared types are compiled once.
        let writer: &mut dyn Write = &mut outer;
        serde_json::to_writer(writer, self)?;
        // Event names contain no quotes, and every event has members.
        let parts = outer.strip_prefix(b"{\"").and_then(|rest| rest.strip_suffix(b"}"));
        let parts = parts.and_then(|rest| Some((rest, rest.iter().position(|byte| *byte == b'"')?)));
        let (rest, end) = parts.ok_or_else(|| serde_json::Error::custom("it is not an event"))?;
        Ok([b"{\"event\":\"", &rest[..end], b"\",", &rest[end + b"\":{".len()..]].concat())
    }

    pub fn from_json(line: &[u8]) -> Result<Event> {
        #[derive(Deserialize)]
        struct Name<'a> {
            #[serde(borrow)]
            event: Cow<'a, str>,
        }
        let Name { event } = serde_json::from_slice(line)?;
        serde_json::from_slice(&[b"{", &*serde_json::to_vec(&event)?, b":", line, b"}"].concat())
    }
}

/// Parses a value by its name in the protocol; None if this version does not know it.
pub fn named<'a, T: Deserialize<'a>>(name: &'a str) -> Option<T> {
    let name: StrDeserializer<'a, Unknown> = name.into_deserializer();
    T::deserialize(name).ok()
}
