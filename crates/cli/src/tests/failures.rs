//! Text and exit code of every failure.

use crate::console::failure_lines;
use crate::failure::Failure;
use std::io;
use std::path::PathBuf;
use tare_build::discover::{DiscoverError, Skipped};
use tare_build::revision::{RevisionError, SideError};
use tare_build::toolchain::{BuildFailure, ProgramChange};
use tare_model::CommandLine;
use tare_model::{FailureKind, Step};
use tare_runner::RunError;
use tare_store::StoreError;

fn full() -> io::Error {
    io::Error::from(io::ErrorKind::StorageFull)
}

fn denied() -> io::Error {
    io::Error::from(io::ErrorKind::PermissionDenied)
}

fn discover() -> Vec<Failure> {
    let path = || PathBuf::from("bench.zig");
    [
        DiscoverError::NotFound { path: path() },
        DiscoverError::Unreadable { path: path(), source: denied() },
        DiscoverError::NotBuilt { path: path(), speaks: false },
        DiscoverError::NotBuilt { path: "bench.rb".into(), speaks: false },
        DiscoverError::Nothing {
            path: ".".into(),
            seen: vec!["`Cargo.toml` has no bench target".into()],
            sources: Vec::new(),
            unbuilt: None,
        },
        DiscoverError::Manifest { path: "Cargo.toml".into(), reason: "line 3: expected `]`".into() },
        DiscoverError::NotUtf8 { path: path() },
        DiscoverError::AllSkipped {
            path: ".".into(),
            skipped: vec![Skipped {
                name: "app/parse".into(),
                bench: "parse".into(),
                why: "uses criterion".into(),
                instead: "`cargo bench --package app --bench parse` runs it".into(),
                missing: None,
            }],
        },
        DiscoverError::NoSuch { what: "bench target", name: "prase".into(), known: vec!["parse".into()] },
        DiscoverError::NotCargo { flag: "--features" },
    ]
    .map(Failure::Discover)
    .into()
}

fn store() -> Vec<Failure> {
    let path = || PathBuf::from(".tare/runs/7f3a21bc/events.jsonl");
    let runs = || PathBuf::from(".tare/runs");
    let safe =
        "the measurements so far are safe in `.tare/runs/7f3a21bc`; free disk space, then `tare run --resume 7f3a21bc`";
    [
        StoreError::NotFound { asked: "ff".into(), runs: runs(), known: vec!["7f3a21bc".into()] },
        StoreError::NotFound { asked: "latest".into(), runs: runs(), known: vec![] },
        StoreError::Ambiguous { asked: "7".into(), candidates: vec!["7f3a21bc".into(), "70000001".into()] },
        StoreError::BadReference { asked: "zebra".into() },
        StoreError::NotARun { path: "go.txt".into() },
        StoreError::IdTaken { id: "7f3a21bc".into() },
        StoreError::Locked { id: "7f3a21bc".into(), pid: 4711 },
        StoreError::AlreadyFinished { id: "7f3a21bc".into() },
        StoreError::Damaged { path: path(), line: Some(7), reason: "expected value at line 1 column 2".into() },
        StoreError::OtherSchema { path: path(), found: "3.0".into(), known: "2.0", is_newer: true },
        StoreError::OtherSchema { path: path(), found: "1.0".into(), known: "2.0", is_newer: false },
        StoreError::CannotRead { path: path(), source: denied() },
        StoreError::CannotWrite { path: path(), safe: String::new(), source: full() },
        StoreError::CannotWrite { path: path(), safe: safe.into(), source: full() },
    ]
    .map(Failure::Store)
    .into()
}

fn too_large() -> tare_picture::PictureError {
    tare_picture::PictureError { width: 784.0, height: 40_112.0 }
}

fn others() -> Vec<Failure> {
    let build = BuildFailure {
        target: "bench.cpp".into(),
        command: vec!["g++".into(), "-O2".into(), "bench.cpp".into()],
        status: "exit status 1".into(),
        output: "bench.cpp:3:1: error: expected ';'\n    3 | }\n".into(),
        hint: Some("include the header: `#include <tare.h>`".into()),
        lacking: false,
    };
    let failure = tare_model::Failure {
        cause: FailureKind::Signal { signal: 11, name: "SIGSEGV".into() },
        step: Step::List,
        output: vec!["loading tables".into()],
    };
    let slow = tare_model::Failure { cause: FailureKind::Timeout { seconds: 60.0 }, step: Step::Start, output: vec![] };
    let silent = tare_model::Failure { cause: FailureKind::EarlyExit { status: 0 }, step: Step::Start, output: vec![] };
    vec![
        Failure::Usage { what: "the extension of `out` is not an output format".into(), hint: "use .md".into() },
        Failure::Build(Box::new(build)),
        Failure::List {
            program: "bench".into(),
            command: vec!["./bench".into(), "--x".into()],
            language: "c++".into(),
            failure: Box::new(failure),
        },
        Failure::List {
            program: "ls".into(),
            command: vec!["/bin/ls".into(), "-l".into()],
            language: "unknown".into(),
            failure: Box::new(silent),
        },
        Failure::List {
            program: "bench.py".into(),
            command: vec!["python3".into(), "bench.py".into()],
            language: "python".into(),
            failure: Box::new(slow),
        },
        Failure::NoBenchmarks { programs: vec!["bench.cpp".into()], language: "c++".into() },
        Failure::NothingMatched {
            selection: "`--filter strol`".into(),
            of: 12,
            nearest: vec!["parse/strtol".into()],
            list: "tare list".into(),
        },
        Failure::NothingMatched {
            selection: "`--filter zzz`".into(),
            of: 1,
            nearest: vec![],
            list: "tare list -- ./child".into(),
        },
        Failure::NothingMatched { selection: "`--filter zzz`".into(), of: 1, nearest: vec![], list: String::new() },
        Failure::NothingMatched {
            selection: "`--filter a` `--exclude *`".into(),
            of: 2,
            nearest: vec![],
            list: "tare list".into(),
        },
        Failure::NothingMatched {
            selection: "`--filter '/(join|tree)'`".into(),
            of: 9,
            nearest: vec![],
            list: "tare list".into(),
        },
        Failure::CannotWrite { what: "`out.csv`".into(), source: full() },
        Failure::CannotWrite { what: "`out.csv`".into(), source: denied() },
        Failure::CannotWrite { what: "`dots.png`".into(), source: io::Error::other(too_large()) },
        Failure::NoHome { variable: "XDG_CACHE_HOME" },
        Failure::Run(RunError::NotListed("bench".into())),
        Failure::ProgramChanged {
            program: "bench".into(),
            change: ProgramChange::Gone("/tmp/bench".into()),
            id: "7f3a21bc".into(),
            command: vec!["tare".into(), "run".into(), "bench".into(), "--filter".into(), "a b*".into()],
        },
        Failure::ProgramChanged {
            program: "bench".into(),
            change: ProgramChange::Changed("/tmp/bench".into()),
            id: "7f3a21bc".into(),
            command: vec!["tare".into(), "run".into(), "bench".into()],
        },
        Failure::UnknownTopic { asked: "finding".into(), topics: vec!["findings".into(), "files".into()] },
        Failure::UnknownTopic { asked: "zebras".into(), topics: vec!["findings".into(), "files".into()] },
        Failure::Config {
            path: "tare.toml".into(),
            reason:
                "TOML parse error at line 2, column 1\n  |\n2 | budgit = \"3s\"\n  | ^^^^^^\nunknown field `budgit`"
                    .into(),
        },
        Failure::OfSide {
            side: "main".into(),
            ignored: Some("core/dist/index.js".into()),
            failure: Box::new(Failure::NoBenchmarks { programs: vec!["bench.cpp".into()], language: "c++".into() }),
        },
        Failure::OfSide {
            side: "main".into(),
            ignored: None,
            failure: Box::new(Failure::NoBenchmarks { programs: vec!["bench.cpp".into()], language: "c++".into() }),
        },
        Failure::CannotRead { path: "before.json".into(), source: denied() },
        Failure::NothingInCommon {
            base: vec!["parse/old".into()],
            new: vec!["parse/new".into(), "a".into()],
            gated: false,
        },
        Failure::Side(SideError::NoSuchPath { text: "./nowhere".into() }),
        Failure::Revision(RevisionError::git_missing()),
        Failure::Step {
            flag: "--setup",
            command: "make all".into(),
            status: "exit status 2".into(),
            output: vec!["make: *** No rule to make target 'all'.  Stop.".into()],
        },
        Failure::Import(tare_import::read("x.json", b"{}").expect_err("no result")),
        Failure::Undecided {
            what: "no benchmark is slower in `HEAD` than in `v1`".into(),
            hint: "choose ends further apart; the comparison: `tare show 7f3a21bc`".into(),
        },
        Failure::Interrupted,
    ]
}

#[test]
fn every_failure() {
    let mut text = String::new();
    for failure in discover().into_iter().chain(store()).chain(others()) {
        let lines: Vec<String> =
            failure_lines(&failure, &CommandLine::default()).iter().map(|line| line.plain()).collect();
        let number = failure.exit_code().number();
        text.push_str(&format!("{}\n(exit code {number})\n\n", lines.join("\n")));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn every_failure_but_an_interrupt_has_a_hint() {
    for failure in discover().into_iter().chain(store()).chain(others()) {
        let is_interrupt = matches!(failure, Failure::Interrupted);
        assert_eq!(failure.hints(&CommandLine::default()).is_empty(), is_interrupt, "{failure:?}");
    }
}
