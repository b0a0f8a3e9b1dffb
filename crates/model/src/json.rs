//! The run and its events as JSON. They are read and written here alone: code that does this is large, and is made anew for each kind of
//! reader and writer.

use crate::{Event, Run};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Error, Result};
use std::borrow::Cow;
use std::io::Write;

impl Run {
    /// Reads the text of `run.json`.
    ///
    /// # Errors
    /// Where it is not JSON, or not that of a run.
    pub fn from_json(text: &[u8]) -> Result<Run> {
        serde_json::from_slice(text)
    }

    /// Writes the text of `run.json`.
    ///
    /// # Errors
    /// The writer's.
    pub fn write_json(&self, writer: &mut dyn Write) -> Result<()> {
        serde_json::to_writer(writer, self)
    }
}

/// An event as its derived code writes it: `{"measured":{"launch":1, ...}}`.
struct Outer<'a>(&'a Event);

impl Serialize for Outer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Event::serialize(self.0, serializer)
    }
}

/// A line of `events.jsonl`: `{"event":"measured","launch":1, ...}`.
impl Event {
    /// Writes it, without the end of the line.
    ///
    /// # Errors
    /// When a value is not one of JSON.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let mut outer = Vec::new();
        // For the same kind of writer as a run's, so that there is one code for what both hold.
        let writer: &mut dyn Write = &mut outer;
        serde_json::to_writer(writer, &Outer(self))?;
        // `{"NAME":{MEMBERS}}`, where a name has no quote in it, and no event is without members.
        let parts = outer.strip_prefix(b"{\"").and_then(|rest| split(rest, b"\":{"));
        let Some((name, members)) = parts.and_then(|(name, rest)| Some((name, rest.strip_suffix(b"}")?))) else {
            return unlike();
        };
        Ok([b"{\"event\":\"", name, b"\",", members].concat())
    }

    /// Reads it.
    ///
    /// # Errors
    /// When it is not JSON or not an event.
    pub fn from_json(line: &[u8]) -> Result<Event> {
        #[derive(Deserialize)]
        struct Name<'a> {
            #[serde(borrow)]
            event: Cow<'a, str>,
        }
        let name: Name = serde_json::from_slice(line)?;
        Event::deserialize(Inner { name: &name.event, line })
    }
}

/// What is before and behind the first place of a text.
fn split<'a>(text: &'a [u8], at: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let place = text.windows(at.len()).position(|part| part == at)?;
    Some((&text[..place], &text[place + at.len()..]))
}

/// A line whose event is known by name: its members are those of the line.
#[derive(Clone, Copy)]
struct Inner<'a> {
    name: &'a str,
    line: &'a [u8],
}

/// All events are enumerated by name and have named members.
fn unlike<T>() -> Result<T> {
    Err(Error::custom("it is not an event"))
}

impl<'de> Deserializer<'de> for Inner<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        unlike()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Inner<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Inner<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(&mut serde_json::Deserializer::from_slice(self.line))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        unlike()
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.line).deserialize_struct("Event", fields, visitor)
    }
}
