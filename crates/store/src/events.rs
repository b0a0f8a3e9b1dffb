//! Reads `events.jsonl`. A torn last line was being written when the process was killed, and is ignored.

use crate::files::{open_to_read, Links};
use crate::StoreError;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tare_model::{schema_major, Event, Recorder, Run, SCHEMA_VERSION};

/// Longest line read, in bytes; a `run-started` event with many thousands of cases is shorter.
const LINE_MAX: u64 = 1 << 30;

/// Folds a file of events into a run. Returns the length of its whole lines in bytes; a torn line may follow.
pub(crate) fn read_events(path: &Path) -> Result<(Run, u64), StoreError> {
    let mut recorder = Recorder::default();
    let length = each_event(path, |number, event| {
        recorder.apply(&event).map_err(|error| StoreError::damaged(path, Some(number), error))
    })?;
    let run = recorder.run.ok_or_else(|| StoreError::damaged(path, None, "it contains no events"))?;
    check_schema(path, &run.schema)?;
    run.validate().map_err(|error| StoreError::damaged(path, None, error))?;
    Ok((run, length))
}

/// Calls back with each event and its line number. Returns the length of these lines in bytes.
pub(crate) fn each_event(
    path: &Path,
    mut hear: impl FnMut(usize, Event) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let mut reader = BufReader::new(open_to_read(path, Links::Refuse).map_err(StoreError::reading(path))?);
    let mut length = 0;
    for number in 1.. {
        let Some(line) = read_line(&mut reader, path)? else { break };
        length += line.len() as u64 + 1;
        hear(number, parse(&line, path, number)?)?;
    }
    Ok(length)
}

pub(crate) fn read_first(path: &Path) -> Result<Event, StoreError> {
    let mut reader = BufReader::new(open_to_read(path, Links::Refuse).map_err(StoreError::reading(path))?);
    let line = read_line(&mut reader, path)?.ok_or_else(|| StoreError::damaged(path, None, "it contains no events"))?;
    parse(&line, path, 1)
}

/// The next whole line without its line end; None at the end or before a torn line.
fn read_line(reader: &mut impl BufRead, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let mut line = Vec::new();
    reader.take(LINE_MAX).read_until(b'\n', &mut line).map_err(StoreError::reading(path))?;
    Ok((line.pop() == Some(b'\n')).then_some(line))
}

fn parse(line: &[u8], path: &Path, number: usize) -> Result<Event, StoreError> {
    Event::from_json(line).map_err(|error| {
        // A newer Tare may write unknown events; its schema version makes a clearer error.
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        let newer = serde_json::from_slice::<Head>(line).ok().and_then(|head| check_schema(path, &head.schema).err());
        newer.unwrap_or_else(|| StoreError::damaged_json(path, number, &error))
    })
}

pub(crate) fn check_schema(path: &Path, found: &str) -> Result<(), StoreError> {
    let (theirs, known) = (schema_major(found), SCHEMA_VERSION);
    match theirs {
        None => Err(StoreError::damaged(path, None, format!("`{found}` is not a schema version"))),
        theirs if theirs == schema_major(known) => Ok(()),
        theirs => {
            let is_newer = theirs > schema_major(known);
            Err(StoreError::OtherSchema { path: path.to_owned(), found: found.to_owned(), known, is_newer })
        }
    }
}
