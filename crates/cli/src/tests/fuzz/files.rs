//! Fuzzed readers of files: run events, the history, programs, and the output of runtimes.

use super::texts::text;
use std::fs;
use std::path::PathBuf;
use tare_analysis::history::{history as history_of, HistoryOptions};
use tare_code::elf::Elf;
use tare_code::{allocated, collect, inlined_late, of_runtime, LoopRequest, Method};
use tare_history::{HistoryDb, Range};
use tare_store::{RunRef, Store};
use tempfile::TempDir;

thread_local! {
    /// A folder in memory per thread, because tests run in parallel.
    static MEMORY: TempDir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder in memory");
}

fn folder(name: &str) -> PathBuf {
    let folder = MEMORY.with(|memory| memory.path().join(name));
    fs::create_dir_all(&folder).expect("a folder in memory");
    folder
}

/// `events.jsonl`: reading it again after a resumed run has cut off a torn end gives the same events.
pub(super) fn events(input: &[u8]) {
    let project = folder("events");
    let run = project.join(".tare/runs/7f3a0c11");
    fs::create_dir_all(&run).expect("a folder in memory");
    let file = run.join("events.jsonl");
    let _ = fs::remove_file(run.join("run.json"));
    fs::write(&file, input).expect("memory takes it");
    let store = Store::open(&project).expect("it is of this user");
    let reference = RunRef::Prefix("7f3a0c11".to_owned());
    let Ok(read) = store.load(&reference) else { return };
    let _ = store.list();
    let Ok((resumed, writer)) = store.resume(&reference) else { return };
    drop(writer);
    let left = fs::read(&file).expect("it is there");
    assert!(input.starts_with(&left), "resuming changed what was written");
    assert_eq!(resumed.launches.len(), read.launches.len());
    let again = store.load(&reference).expect("what was read is read again");
    // Compared as text, because a time may be NaN.
    assert_eq!(format!("{again:?}"), format!("{read:?}"));
}

pub(super) fn history(input: &[u8]) {
    let folder = folder("history");
    let path = folder.join("history.db");
    for journal in ["-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(folder.join(format!("history.db{journal}")));
    }
    fs::write(&path, input).expect("memory takes it");
    let Ok(Some(mut history)) = HistoryDb::open_existing(&path) else { return };
    let _ = history.check();
    let Ok(machines) = history.machines() else { return };
    for machine in machines.iter().take(3) {
        let project = machine.project.clone();
        let _ = history.cases(&project);
        let renames = history.renames(&project).unwrap_or_default();
        let accepted = history.accepted(&project).unwrap_or_default();
        let range = Range { project, machine: machine.id, branch: None, cases: None, last: 50 };
        if let Ok((runs, _, kept)) = history.read(&range) {
            let renames = renames.into_iter().map(|one| (one.old, one.new)).collect();
            let options = HistoryOptions { minimum_effect: None, renames, accepted };
            super::shown::history(&history_of(runs, kept, &options));
        }
    }
}

/// A program: the code of its first functions.
pub(super) fn elf(input: &[u8]) {
    let Some(elf) = Elf::read(input) else { return };
    let _ = (elf.relocations().len(), elf.variables().len(), elf.dynamic_functions().len(), elf.is_fixed());
    for function in elf.functions_in_order().iter().take(4) {
        let request = LoopRequest {
            program: "program",
            start: function.address,
            depth: 2,
            leaves: true,
            is_last: false,
            own_files: &[],
        };
        if let Ok(code) = collect(input, &request, &|_| None) {
            super::shown::code(&code);
        }
    }
}

/// Compilation lists of runtimes: the first byte chooses the format.
pub(super) fn runtime(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let method = Method { class: "Bench.Sort", name: "Body" };
    match kind % 3 {
        0 => {
            let Some(listing) = text(rest) else { return };
            if let Ok(code) = of_runtime(listing, &method, "program", 3) {
                super::shown::code(&code);
            }
        }
        1 => drop(allocated(rest, &(0.0..f64::MAX))),
        _ => {
            if let Ok(calls) = inlined_late(rest, &method, "program", 3) {
                let _ = calls.text(100);
            }
        }
    }
}
