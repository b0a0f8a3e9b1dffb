//! Reading `events.jsonl`: whole lines are facts, a torn last one is what a killed process was writing.

use crate::files::{open_to_read, Links};
use crate::StoreError;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tare_model::text::plural;
use tare_model::{schema_major, Event, Recorder, Run, SCHEMA_VERSION};

/// Longest line that is read, bytes: a `run-started` of many thousand cases is below this.
const LINE_MAX: u64 = 1 << 30;

/// What a file of events holds.
pub(crate) struct Events {
    /// The fold of its whole lines.
    pub run: Run,
    /// Length of its whole lines in bytes; what follows is torn.
    pub length: u64,
    /// The first damaged line that was left out, if any.
    pub damage: Option<Damage>,
}

/// Lines that could not be read.
pub(crate) struct Damage {
    /// The first of them, from 1.
    pub line: usize,
    pub reason: String,
    /// How many there are.
    pub lines: usize,
}

/// Folds a file of events. A line that is damaged costs what it says and no more; only the first, which says what was to be run,
/// cannot be missed.
pub(crate) fn read_events(path: &Path) -> Result<Events, StoreError> {
    let mut reader = BufReader::new(open_to_read(path, Links::Refuse).map_err(StoreError::reading(path))?);
    let (mut fold, mut length) = (Fold::default(), 0);
    for number in 1.. {
        let Some(line) = read_line(&mut reader, path)? else { break };
        length += line.len() as u64 + 1;
        let reason = match parse(&line, path, number) {
            Ok(event) => match fold.apply(&event) {
                Ok(()) => continue,
                Err(reason) => reason,
            },
            Err(StoreError::Damaged { reason, .. }) if number > 1 => reason,
            Err(error) => return Err(error),
        };
        if number == 1 {
            return Err(StoreError::damaged(path, Some(1), reason));
        }
        let damage = fold.damage.get_or_insert(Damage { line: number, reason, lines: 0 });
        damage.lines += 1;
    }
    let mut run = fold.recorder.run.ok_or_else(|| StoreError::damaged(path, None, "it contains no events"))?;
    check_schema(path, &run.schema)?;
    let uneven = run.leave_out_uneven();
    if uneven > 0 {
        // Where in the file is not known any more.
        let launches = plural(uneven, "launch");
        let reason =
            format!("the measurements of {launches} are left out, because their columns or counts are impossible");
        fold.damage.get_or_insert(Damage { line: 0, reason, lines: 0 });
    }
    run.validate().map_err(|error| StoreError::damaged(path, None, error))?;
    Ok(Events { run, length, damage: fold.damage })
}

/// Events on their way to a run.
#[derive(Default)]
struct Fold {
    recorder: Recorder,
    damage: Option<Damage>,
    /// Launches whose beginning was in a damaged line: of which case they are is unknown.
    lost: BTreeSet<u32>,
}

impl Fold {
    fn apply(&mut self, event: &Event) -> Result<(), String> {
        if let (Some(_), Event::LaunchStarted { launch, .. }) = (&self.damage, event) {
            self.fill_up_to(*launch, event)?;
        }
        if event.launch().is_some_and(|launch| self.lost.contains(&launch)) {
            return Ok(());
        }
        self.recorder.apply(event)
    }

    /// Launches are numbered in order: one that is lost leaves an empty place.
    fn fill_up_to(&mut self, launch: u32, event: &Event) -> Result<(), String> {
        let there = self.recorder.run.as_ref().map_or(0, |run| run.launches.len() as u32);
        // More than were ever lost at once: then the number itself is damaged.
        const LOST_MAX: u32 = 10_000;
        if launch.saturating_sub(there) > LOST_MAX {
            return Ok(());
        }
        for missing in there..launch {
            let mut empty = event.clone();
            if let Event::LaunchStarted { launch, .. } = &mut empty {
                *launch = missing;
            }
            self.recorder.apply(&empty)?;
            self.lost.insert(missing);
        }
        Ok(())
    }
}

/// The first event of a file, which says what was to be run.
pub(crate) fn read_first(path: &Path) -> Result<Event, StoreError> {
    let mut reader = BufReader::new(open_to_read(path, Links::Refuse).map_err(StoreError::reading(path))?);
    let line = read_line(&mut reader, path)?.ok_or_else(|| StoreError::damaged(path, None, "it contains no events"))?;
    parse(&line, path, 1)
}

/// The next whole line without its end; None at the end or when only a torn line is left.
fn read_line(reader: &mut impl BufRead, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let mut line = Vec::new();
    reader.take(LINE_MAX).read_until(b'\n', &mut line).map_err(StoreError::reading(path))?;
    Ok((line.pop() == Some(b'\n')).then_some(line))
}

fn parse(line: &[u8], path: &Path, number: usize) -> Result<Event, StoreError> {
    Event::from_json(line).map_err(|error| {
        // A newer Tare may write events that this one does not know; its schema says so more clearly than the error.
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        let newer = serde_json::from_slice::<Head>(line).ok().and_then(|head| check_schema(path, &head.schema).err());
        newer.unwrap_or_else(|| StoreError::damaged_json(path, number, &error))
    })
}

/// Refuses what another major version wrote.
pub(crate) fn check_schema(path: &Path, found: &str) -> Result<(), StoreError> {
    let (path_of, found_of) = (|| path.to_owned(), || found.to_owned());
    match schema_major(found) {
        None => Err(StoreError::damaged(path, None, format!("`{found}` is not a schema version"))),
        theirs if theirs > schema_major(SCHEMA_VERSION) => {
            Err(StoreError::Newer { path: path_of(), found: found_of(), known: SCHEMA_VERSION })
        }
        theirs if theirs < schema_major(SCHEMA_VERSION) => {
            Err(StoreError::Older { path: path_of(), found: found_of(), known: SCHEMA_VERSION })
        }
        _ => Ok(()),
    }
}
