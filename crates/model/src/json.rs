//! The run and its events as JSON. They are read and written here alone: code that does this is large, and is made anew for each kind of
//! reader and writer.

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

/// A line of `events.jsonl`: `{"event":"measured","launch":1, ...}`. Derived code has it as `{"measured":{"launch":1, ...}}`.
impl Event {
    /// Writes it, without the end of the line.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let mut outer = Vec::new();
        // For the same kind of writer as a run's, so that there is one code for what both hold.
        let writer: &mut dyn Write = &mut outer;
        serde_json::to_writer(writer, self)?;
        // A name has no quote in it, and no event is without members.
        let parts = outer.strip_prefix(b"{\"").and_then(|rest| rest.strip_suffix(b"}"));
        let parts = parts.and_then(|rest| Some((rest, rest.iter().position(|byte| *byte == b'"')?)));
        let (rest, end) = parts.ok_or_else(|| serde_json::Error::custom("it is not an event"))?;
        Ok([b"{\"event\":\"", &rest[..end], b"\",", &rest[end + b"\":{".len()..]].concat())
    }

    /// Reads it.
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

/// A value by its name in the protocol; None for one that this version does not know.
pub fn named<'a, T: Deserialize<'a>>(name: &'a str) -> Option<T> {
    let name: StrDeserializer<'a, Unknown> = name.into_deserializer();
    T::deserialize(name).ok()
}
