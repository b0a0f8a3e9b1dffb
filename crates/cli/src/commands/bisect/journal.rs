//! The progress of a bisection, stored beside the run of its ends, for resuming. It holds no measurements, only the ids of their runs.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tare_store::Store;

const FILE: &str = "bisect.json";
const FORMAT: &str = "tare-bisection-journal";
/// Readers refuse any other version.
const VERSION: &str = "2.0";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    pub commit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    format: String,
    version: String,
    pub command: Vec<String>,
    pub folder: PathBuf,
    /// Ids of both ends: branch names on the command line may have moved since.
    pub ends: [String; 2],
    pub run: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmarks: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub tried: Vec<Tried>,
    /// The final comparison: the found commit, the one before it, and the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<[String; 3]>,
}

pub fn has_journal(id: &str, store: &Store) -> bool {
    store.runs_dir().join(id).join(FILE).is_file()
}

impl Journal {
    pub fn new(command: Vec<String>, folder: PathBuf, ends: [String; 2], run: String) -> Journal {
        let (format, version) = (FORMAT.to_owned(), VERSION.to_owned());
        let (benchmarks, key, tried, last) = (None, None, Vec::new(), None);
        Journal { format, version, command, folder, ends, run, benchmarks, key, tried, last }
    }

    /// The journal of the bisection with this id, which is the run id of its ends.
    pub fn read(id: &str, store: &Store) -> Result<Journal, Failure> {
        let reference = store.reference(id).map_err(Failure::Store)?;
        let path = store.locate(&reference).map_err(Failure::Store)?.join(FILE);
        let wrong = |what: String, hint: &str| Err(Failure::Usage { what, hint: hint.to_owned() });
        if !path.is_file() {
            let what = format!("run `{id}` is not the start of a bisection");
            return wrong(what, "list the runs with `tare runs`; `tare bisect GOOD BAD` starts a new one");
        }
        let text = tare_store::read_text(&path).map_err(|source| Failure::CannotRead { path: path.clone(), source })?;
        let reason = match serde_json::from_str::<Journal>(&text) {
            Ok(journal) if journal.version == VERSION && journal.format == FORMAT => return Ok(journal),
            Ok(journal) => format!("it has the version {}, not {VERSION}", tare_report::clean(&journal.version)),
            Err(error) => error.to_string(),
        };
        let what = format!("the bisection `{id}` cannot be resumed: `{}`: {reason}", path.display());
        wrong(what, "start a new one: `tare bisect GOOD BAD`")
    }

    pub fn write(&self, store: &Store) -> Result<(), Failure> {
        let path = store.runs_dir().join(&self.run).join(FILE);
        tare_store::write_atomically(&path, 0o600, |writer| {
            serde_json::to_writer_pretty(&mut *writer, self)?;
            writer.write_all(b"\n")
        })
        .map_err(Failure::writing(&path))
    }
}
