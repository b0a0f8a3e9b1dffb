//! Reads one run: its whole document, or only the head for a list.

use crate::events::{check_schema, read_first};
use crate::files::{self, open_to_read, Links};
use crate::lock::Lock;
use crate::{Attachments, StoreError};
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;
use tare_model::{Event, Run, RunStatus};

#[derive(Debug, Clone, PartialEq)]
pub struct RunInfo {
    pub id: String,
    /// UTC, RFC 3339.
    pub created: String,
    /// State; `Open` while it is being written, or if it was killed.
    pub status: RunStatus,
    pub running: bool,
    /// Its document exists but is unreadable.
    pub damaged: bool,
    pub cases: usize,
    /// Failed cases; 0 without a document.
    pub failed: usize,
    /// Duration, in s; 0 without a document.
    pub elapsed_s: f64,
    pub command: Vec<String>,
    /// Size of its files, in bytes.
    pub bytes: u64,
}

/// The parts of `run.json` for a list, without the measurements.
#[derive(Deserialize)]
struct Head {
    schema: String,
    id: String,
    created: String,
    command: Vec<String>,
    plan: PlanHead,
    results: Vec<ResultHead>,
    status: RunStatus,
    elapsed_s: f64,
}

#[derive(Deserialize)]
struct PlanHead {
    cases: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct ResultHead {
    failure: Option<FailureHead>,
}

#[derive(Deserialize)]
struct FailureHead {
    cause: CauseHead,
}

#[derive(Deserialize)]
struct CauseHead {
    kind: String,
}

impl ResultHead {
    /// Skipped cases have not failed.
    fn is_failed(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.cause.kind != "skipped")
    }
}

pub(super) fn created(folder: &Path) -> Option<String> {
    match read_first(&folder.join("events.jsonl")) {
        Ok(Event::RunStarted { created, .. }) => Some(created),
        _ => read_head(&folder.join("run.json")).ok().map(|head| head.created),
    }
}

#[derive(Deserialize)]
struct SchemaHead {
    schema: String,
}

pub(super) fn load_document(path: &Path, links: Links) -> Result<Run, StoreError> {
    let text = files::read(path, links).map_err(StoreError::reading(path))?;
    // The head is parsed separately only to explain an error, so that a million measurements are read once.
    let run = match Run::from_json(&text) {
        Ok(run) => run,
        Err(error) => {
            let head: Option<SchemaHead> = serde_json::from_slice(&text).ok();
            head.map_or(Ok(()), |head| check_schema(path, &head.schema))?;
            return Err(StoreError::damaged_json(path, error.line(), &error));
        }
    };
    check_schema(path, &run.schema)?;
    run.validate().map_err(|error| StoreError::damaged(path, None, error))?;
    Ok(run)
}

/// Distinguishes a damaged run from another tool's results.
pub(super) fn begins_like_a_run(path: &Path) -> bool {
    const HEAD: u64 = 4096;
    let mut head = Vec::new();
    let read = open_to_read(path, Links::Follow).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains("\"schema\"")
}

fn read_head(path: &Path) -> Result<Head, StoreError> {
    let file = open_to_read(path, Links::Refuse).map_err(StoreError::reading(path))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| StoreError::damaged_json(path, error.line(), &error))
}

pub(super) fn info(folder: &Path) -> Result<RunInfo, StoreError> {
    let running = Lock::is_held(folder);
    let size = |name: &str| fs::metadata(folder.join(name)).map_or(0, |data| data.len());
    let bytes = size("run.json") + size("events.jsonl") + Attachments::in_folder(folder).bytes();
    let document = folder.join("run.json");
    if let Ok(head) = read_head(&document) {
        check_schema(folder, &head.schema)?;
        return Ok(RunInfo {
            id: head.id,
            created: head.created,
            status: head.status,
            running,
            damaged: false,
            cases: head.plan.cases.len(),
            failed: head.results.iter().filter(|r| r.is_failed()).count(),
            elapsed_s: head.elapsed_s,
            command: head.command,
            bytes,
        });
    }
    match read_first(&folder.join("events.jsonl"))? {
        Event::RunStarted { id, created, command, plan, .. } => Ok(RunInfo {
            id,
            created,
            status: RunStatus::Open,
            running,
            damaged: document.exists(),
            cases: plan.cases.len(),
            failed: 0,
            elapsed_s: 0.0,
            command,
            bytes,
        }),
        _ => Err(StoreError::damaged(folder, Some(1), "the first event is not `run-started`")),
    }
}
