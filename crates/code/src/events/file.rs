//! The event file: blocks of events with their stacks, each event stored as a difference to the one before.

use std::collections::HashMap;

const MAGIC: &[u8] = b"Nettrace";
const FORMAT: &[u8] = b"!FastSerialization.1";
const BEGIN: u8 = 5;
const END: u8 = 6;
/// Flags in the byte before each event of a block.
const HAS_KIND: u8 = 1;
const HAS_SEQUENCE: u8 = 1 << 1;
const HAS_THREAD: u8 = 1 << 2;
const HAS_STACK: u8 = 1 << 3;
const HAS_ACTIVITY: u8 = 1 << 4;
const HAS_RELATED: u8 = 1 << 5;
const HAS_LENGTH: u8 = 1 << 7;

/// The events of a file, by time.
#[derive(Default)]
pub(super) struct Trace<'d> {
    pub events: Vec<Event<'d>>,
    /// Addresses of each stack, innermost first.
    stacks: Vec<Vec<u64>>,
    clock: Clock,
}

pub(super) struct Event<'d> {
    /// Its number within its provider.
    pub id: u32,
    pub version: u32,
    /// Ticks of the file's clock.
    pub at: u64,
    stack: Option<usize>,
    pub payload: &'d [u8],
}

/// Converts ticks to time of day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Clock {
    /// Start of the trace, in s since 1970 and in ticks.
    began_s: f64,
    began: u64,
    rate: f64,
}

struct Reader<'d> {
    bytes: &'d [u8],
    at: usize,
}

impl<'d> Trace<'d> {
    /// Reads a file up to its first incomplete part.
    pub(super) fn read(bytes: &'d [u8]) -> Result<Trace<'d>, String> {
        let mut reader = Reader { bytes, at: 0 };
        let is_one = reader.take(MAGIC.len()) == Some(MAGIC)
            && reader.u32() == Some(FORMAT.len() as u32)
            && reader.take(FORMAT.len()) == Some(FORMAT);
        if !is_one {
            return Err("it is not a file of events that is known here".to_owned());
        }
        let (mut trace, mut kinds, mut stacks) = (Trace::default(), HashMap::new(), HashMap::new());
        // If the process was killed, the last object is incomplete.
        while let Some((name, content)) = reader.object() {
            match name {
                b"Trace" => trace.clock = Clock::read(content).unwrap_or_default(),
                b"MetadataBlock" => blobs(content, |blob| {
                    kinds.extend(kind(blob.payload));
                })?,
                b"StackBlock" => drop(trace.add_stacks(content, &mut stacks)),
                // After it, stack numbers start over.
                b"SPBlock" => stacks.clear(),
                b"EventBlock" => blobs(content, |blob| {
                    let Some(&(id, version)) = kinds.get(&blob.kind) else { return };
                    let stack = stacks.get(&blob.stack).copied();
                    trace.events.push(Event { id, version, at: blob.at, stack, payload: blob.payload });
                })?,
                _ => {}
            }
        }
        // Each thread has blocks of its own.
        trace.events.sort_by_key(|event| event.at);
        Ok(trace)
    }

    /// The stack of an event, innermost first.
    pub(super) fn stack(&self, event: &Event) -> &[u64] {
        event.stack.and_then(|at| self.stacks.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Time of an event, s since 1970.
    pub(super) fn time_s(&self, event: &Event) -> f64 {
        let Clock { began_s, began, rate } = self.clock;
        began_s + (event.at as f64 - began as f64) / rate.max(1.0)
    }

    fn add_stacks(&mut self, content: &[u8], known: &mut HashMap<u32, usize>) -> Option<()> {
        let mut reader = Reader { bytes: content, at: 0 };
        let (first, count) = (reader.u32()?, reader.u32()?);
        for number in 0..count {
            let bytes = reader.u32()? as usize;
            let addresses = reader.take(bytes)?.chunks_exact(8);
            let addresses = addresses.map(|word| word.try_into().map_or(0, u64::from_le_bytes)).collect();
            known.insert(first.wrapping_add(number), self.stacks.len());
            self.stacks.push(addresses);
        }
        Some(())
    }
}

impl Clock {
    fn read(content: &[u8]) -> Option<Clock> {
        let mut reader = Reader { bytes: content, at: 0 };
        let mut date = [0_u64; 8];
        for part in &mut date {
            *part = u64::from(u16::from_le_bytes(reader.take(2)?.try_into().ok()?));
        }
        let (began, rate) = (reader.u64()?, reader.u64()? as f64);
        let [year, month, _, day, hour, minute, second, ms] = date;
        // Days since 1970; years begin in March here.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        let days = days.checked_sub(719_469)?;
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
        Some(Clock { began_s: seconds as f64 + ms as f64 / 1e3, began, rate })
    }
}

impl<'d> Reader<'d> {
    fn take(&mut self, count: usize) -> Option<&'d [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// A number in groups of 7 bits.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..10 {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// The next object: its type's name, and its content.
    fn object(&mut self) -> Option<(&'d [u8], &'d [u8])> {
        /// Bytes of the trace object, which is not a block.
        const TRACE: usize = 48;
        if self.u8()? != BEGIN || self.u8()? != BEGIN {
            return None;
        }
        // The null type of the type, then two versions.
        self.take(1 + 4 + 4)?;
        let length = self.u32()? as usize;
        let name = self.take(length)?;
        self.take(1)?;
        let content = match name {
            b"Trace" => self.take(TRACE)?,
            _ => {
                let size = self.u32()? as usize;
                self.at = self.at.next_multiple_of(4);
                self.take(size)?
            }
        };
        (self.u8()? == END).then_some((name, content))
    }
}

#[derive(Clone, Copy, Default)]
struct Blob<'d> {
    kind: u64,
    stack: u32,
    at: u64,
    payload: &'d [u8],
}

fn blobs<'d>(content: &'d [u8], mut each: impl FnMut(Blob<'d>)) -> Result<(), String> {
    let mut reader = Reader { bytes: content, at: 0 };
    let head = reader.take(4).map(|head| (u16::from_le_bytes([head[0], head[1]]), head[2] & 1));
    let Some((size, is_compressed)) = head else { return Ok(()) };
    if is_compressed == 0 {
        return Err("its events have a form that is not known here".to_owned());
    }
    reader.at = usize::from(size);
    let (mut blob, mut length) = (Blob::default(), 0);
    while next(&mut reader, &mut blob, &mut length).is_some() {
        each(blob);
    }
    Ok(())
}

/// The next event of a block, stored as its differences to the one before.
fn next<'d>(reader: &mut Reader<'d>, blob: &mut Blob<'d>, length: &mut usize) -> Option<()> {
    let has = reader.u8()?;
    if has & HAS_KIND != 0 {
        blob.kind = reader.number()?;
    }
    if has & HAS_SEQUENCE != 0 {
        // A number, a thread, and a processor.
        for _ in 0..3 {
            reader.number()?;
        }
    }
    if has & HAS_THREAD != 0 {
        reader.number()?;
    }
    if has & HAS_STACK != 0 {
        blob.stack = reader.number()? as u32;
    }
    blob.at = blob.at.wrapping_add(reader.number()?);
    for activity in [HAS_ACTIVITY, HAS_RELATED] {
        if has & activity != 0 {
            reader.take(16)?;
        }
    }
    if has & HAS_LENGTH != 0 {
        *length = reader.number()? as usize;
    }
    blob.payload = reader.take(*length)?;
    Some(())
}

/// A metadata event: the number of a kind, and the runtime event that it stands for.
fn kind(payload: &[u8]) -> Option<(u64, (u32, u32))> {
    const PROVIDERS: [&str; 2] = ["Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"];
    let mut fields = super::Fields(payload);
    let (number, provider, id) = (fields.u32()?, fields.text()?, fields.u32()?);
    let (_name, _keywords, version) = (fields.text()?, fields.u64()?, fields.u32()?);
    PROVIDERS.contains(&provider.as_str()).then_some((u64::from(number), (id, version)))
}
