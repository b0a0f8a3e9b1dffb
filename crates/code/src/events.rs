//! Events of the .NET runtime about itself: which calls its compiler inlined, and who allocates. It writes both into an event file
//! (`DOTNET_EnableEventPipe`).

mod allocated;
mod decisions;
mod file;

pub use allocated::{allocated, Allocated, TICK_BYTES};
pub use decisions::inlined_late;
use file::Event;

/// The events that are read, by the runtime's numbers.
const ALLOCATED: u32 = 10;
const LOADED: u32 = 143;
const LOADED_BEFORE: u32 = 144;
const INLINED: u32 = 185;
const TAIL_CALLED: u32 = 188;
const NOT_INLINED: u32 = 192;

/// The payload of an event, read from its beginning.
struct Fields<'d>(&'d [u8]);

impl<'d> Fields<'d> {
    fn of(event: &Event<'d>) -> Fields<'d> {
        Fields(event.payload)
    }

    fn take(&mut self, bytes: usize) -> Option<&'d [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// A zero-terminated UTF-16 text.
    fn text(&mut self) -> Option<String> {
        let units: Vec<u16> = self.0.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let end = units.iter().position(|unit| *unit == 0)?;
        self.take(2 * end + 2)?;
        Some(String::from_utf16_lossy(&units[..end]))
    }
}

/// A method by its names in events.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct MethodName {
    class: String,
    name: String,
    signature: String,
}

impl MethodName {
    fn read(fields: &mut Fields) -> Option<MethodName> {
        Some(MethodName { class: fields.text()?, name: fields.text()?, signature: fields.text()? })
    }

    /// `System.String.Concat`.
    fn full(&self) -> String {
        match self.class.is_empty() {
            true => self.name.clone(),
            false => format!("{}.{}", self.class, self.name),
        }
    }
}

#[cfg(test)]
mod tests;
