//! Reading `events.jsonl`: whole lines are facts, a torn last one is what a killed process was writing.

use crate::StoreError;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tare_model::{Event, Recorder, Run, SCHEMA_VERSION};

/// Longest line that is read, bytes: a `run-started` of many thousand cases is below this.
const LINE_MAX: u64 = 1 << 30;

/// What a file of events holds.
pub(crate) struct Events {
    /// The fold of its whole lines.
    pub run: Run,
    /// Length of its whole lines in bytes; what follows is torn.
    pub length: u64,
}

/// Folds a file of events.
pub(crate) fn read_events(path: &Path) -> Result<Events, StoreError> {
    let mut reader = BufReader::new(File::open(path).map_err(StoreError::reading(path))?);
    let (mut recorder, mut length) = (Recorder::default(), 0);
    for number in 1.. {
        let Some(line) = read_line(&mut reader, path)? else { break };
        let event = parse(&line, path, number)?;
        recorder.apply(&event).map_err(|error| StoreError::damaged(path, Some(number), error))?;
        length += line.len() as u64 + 1;
    }
    let run = recorder.into_run().ok_or_else(|| StoreError::damaged(path, None, "it holds no event"))?;
    check_schema(path, &run.schema)?;
    Ok(Events { run, length })
}

/// The first event of a file, which says what was to be run.
pub(crate) fn read_first(path: &Path) -> Result<Event, StoreError> {
    let mut reader = BufReader::new(File::open(path).map_err(StoreError::reading(path))?);
    let line = read_line(&mut reader, path)?.ok_or_else(|| StoreError::damaged(path, None, "it holds no event"))?;
    parse(&line, path, 1)
}

/// The next whole line without its end; None at the end or when only a torn line is left.
fn read_line(reader: &mut impl BufRead, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let mut line = Vec::new();
    reader.take(LINE_MAX).read_until(b'\n', &mut line).map_err(StoreError::reading(path))?;
    Ok((line.pop() == Some(b'\n')).then_some(line))
}

fn parse(line: &[u8], path: &Path, number: usize) -> Result<Event, StoreError> {
    serde_json::from_slice(line).map_err(|error| {
        // A newer Tare may write events that this one does not know; its schema says so more clearly than the error.
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        let newer = serde_json::from_slice::<Head>(line).ok().and_then(|head| check_schema(path, &head.schema).err());
        newer.unwrap_or_else(|| StoreError::damaged(path, Some(number), error))
    })
}

/// Refuses what a newer major version wrote.
pub(crate) fn check_schema(path: &Path, found: &str) -> Result<(), StoreError> {
    let major = |version: &str| version.split('.').next().and_then(|n| n.parse::<u32>().ok());
    match major(found) {
        None => Err(StoreError::damaged(path, None, format!("`{found}` is not a schema version"))),
        Some(theirs) if Some(theirs) > major(SCHEMA_VERSION) => {
            Err(StoreError::Newer { path: path.to_owned(), found: found.to_owned(), known: SCHEMA_VERSION })
        }
        Some(_) => Ok(()),
    }
}
