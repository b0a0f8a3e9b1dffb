//! What a bisection has done so far, kept beside the run of its ends, so that it can be resumed. It holds no measurements: those are
//! in the runs that it names.

use crate::failure::Failure;
use crate::request;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tare_model::{Argument, Request, Run, SideFacts, Sides};
use tare_store::{RunRef, Store};

/// The file in the folder of the run.
const FILE: &str = "bisect.json";
const FORMAT: &str = "tare-bisection-journal";
/// Readers refuse another.
const VERSION: &str = "1.0";
/// Bytes of a journal, at most.
const BYTES_MAX: u64 = 16 << 20;

/// A commit that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    pub commit: String,
    /// The run that measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Why it could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason is none of the commit's own, so that a later measurement may succeed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passing: bool,
}

/// A bisection as far as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    format: String,
    version: String,
    /// The command line that began it.
    pub command: Vec<String>,
    /// Where it was given.
    pub folder: PathBuf,
    /// Ids of both ends: the words of the command line may mean other commits later.
    pub ends: [String; 2],
    /// Id of the run that compared them.
    pub run: String,
    /// Hash of the benchmarks that are laid over each commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmarks: Option<String>,
    /// Key of the benchmark, once it is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What was tried, in its order.
    pub tried: Vec<Tried>,
    /// The last comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
}

/// The commit that was found against the one before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// Ids of both commits.
    pub commits: [String; 2],
    pub run: String,
}

/// Whether a run is the start of a bisection.
pub fn has_journal(id: &str, store: &Store) -> bool {
    let is_begun =
        || request::load(store, &RunRef::Prefix(id.to_owned())).is_ok_and(|run| of_ends(&run, store).is_some());
    store.runs_dir().join(id).join(FILE).is_file() || is_begun()
}

/// The journal of a bisection that ended before it could write one: that of the run of its ends, which has all but the folder. Whose
/// benchmarks were laid over the commits is not in it.
fn of_ends(run: &Run, store: &Store) -> Option<Journal> {
    of_sides(&run.id, &run.request, run.sides.as_ref()?, store)
}

fn of_sides(id: &str, request: &Request, sides: &Sides, store: &Store) -> Option<Journal> {
    let mut words = request.given.iter().filter(|given| given.is_word()).flat_map(Argument::words);
    let is_named = |side: &SideFacts, word: Option<String>| word.is_some_and(|word| word == side.name);
    let is_of_ends = is_named(&sides.base, words.next()) && is_named(&sides.new, words.next());
    if request.verb != "bisect" || !is_of_ends || request.has("--benchmarks-from") || request.has("--resume") {
        return None;
    }
    let commit = |side: &SideFacts| side.detail.split(' ').next().filter(|id| !id.is_empty()).map(str::to_owned);
    let folder = store.root().parent()?.canonicalize().ok()?;
    Some(Journal::new(request.words(), folder, [commit(&sides.base)?, commit(&sides.new)?], id.to_owned()))
}

impl Journal {
    /// A journal of a bisection whose ends were compared.
    pub fn new(command: Vec<String>, folder: PathBuf, ends: [String; 2], run: String) -> Journal {
        let (format, version) = (FORMAT.to_owned(), VERSION.to_owned());
        Journal {
            format,
            version,
            command,
            folder,
            ends,
            run,
            benchmarks: None,
            key: None,
            tried: Vec::new(),
            last: None,
        }
    }

    /// The journal of the bisection with this id, which is that of the run of its ends.
    pub fn read(id: &str, store: &Store) -> Result<Journal, Failure> {
        let reference = store.reference(id).map_err(Failure::Store)?;
        let path = store.locate(&reference).map_err(Failure::Store)?.join(FILE);
        let no_bisection = || Failure::Usage {
            what: format!("run `{id}` is not the start of a bisection"),
            hint: "list the runs with `tare runs`; `tare bisect GOOD BAD` starts a new one".to_owned(),
        };
        let Ok(facts) = std::fs::symlink_metadata(&path) else {
            return of_ends(&request::load(store, &reference)?, store).ok_or_else(no_bisection);
        };
        let size = facts.len();
        let damaged = |reason: String| Failure::Usage {
            what: format!("the bisection `{id}` cannot be resumed: `{}`: {reason}", path.display()),
            hint: "start a new one: `tare bisect GOOD BAD`".to_owned(),
        };
        if size > BYTES_MAX {
            return Err(damaged("it is too large".to_owned()));
        }
        let text = std::fs::read(&path).map_err(|source| Failure::CannotRead { path: path.clone(), source })?;
        let journal: Journal = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        match journal.version == VERSION && journal.format == FORMAT {
            true => Ok(journal),
            false => {
                Err(damaged(format!("it has the version {}, not {VERSION}", tare_report::clean(&journal.version))))
            }
        }
    }

    /// Writes it down, whole or not at all.
    pub fn write(&self, store: &Store) -> Result<(), Failure> {
        let path = store.runs_dir().join(&self.run).join(FILE);
        self.write_to(&path)
    }

    fn write_to(&self, path: &Path) -> Result<(), Failure> {
        tare_store::write_atomically(path, 0o600, |writer| {
            serde_json::to_writer_pretty(&mut *writer, self)?;
            writer.write_all(b"\n")
        })
        .map_err(Failure::writing(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::Concern;

    #[test]
    fn the_run_of_the_ends_is_a_bisection_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let side =
            |name: &str, detail: &str| SideFacts { name: name.into(), detail: detail.into(), ..SideFacts::default() };
        let asked = Request::new("bisect").with(Argument::word("v1")).with(Argument::word("HEAD"));
        let journal = |request: &Request, base: &str| {
            let sides = Sides { base: side(base, "05f2ede8 a subject"), new: side("HEAD", "591926bd another") };
            of_sides("7f3a0001", request, &sides, &store)
        };
        let found = journal(&asked, "v1").expect("a journal");
        assert_eq!(found.ends, ["05f2ede8", "591926bd"]);
        assert_eq!((found.command.join(" ").as_str(), found.run.as_str()), ("tare bisect v1 HEAD", "7f3a0001"));
        assert_eq!(journal(&asked, "55291fa"), None, "it compares a commit with its parent");
        let elsewhere = asked.with(Argument::value("--benchmarks-from", "worktree", Concern::Build));
        assert_eq!(journal(&elsewhere, "v1"), None);
        let compared = Request::new("compare").with(Argument::word("v1")).with(Argument::word("HEAD"));
        assert_eq!(journal(&compared, "v1"), None);
    }
}
