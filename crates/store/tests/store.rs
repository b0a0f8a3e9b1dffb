//! The store on a real file system: killed writers, torn lines, concurrent writers, many runs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tare_model::{
    Benchmark, Case, CaseGroup, Columns, CommandLine, Draw, Environment, Event, Job, LaunchOutcome, LevelFound, Plan,
    Run, RunStatus, Stage,
};
use tare_store::{MachineProfile, RunRef, Store, StoreError};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().expect("a folder"))
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn store(&self) -> Store {
        Store::open(self.0.path()).expect("a store")
    }
}

fn started(id: &str, created: &str) -> Event {
    let benchmark = Benchmark { group: "parse".into(), name: "strtol".into(), ..Benchmark::default() };
    let case = Case { artifact: 0, job: 0, side: None, benchmark, key: "c parse/strtol".into() };
    let group = CaseGroup { cases: vec![0], baseline: None, ..CaseGroup::default() };
    Event::RunStarted {
        schema: tare_model::SCHEMA_VERSION.into(),
        id: id.into(),
        created: created.into(),
        tare: "0.1.0".into(),
        method: tare_model::METHOD_VERSION.into(),
        command: vec!["tare".into(), "run".into()],
        request: CommandLine::new("run"),
        environment: Box::new(Environment::default()),
        artifacts: vec![artifact()],
        jobs: vec![Job::default()],
        sides: None,
        missing: Default::default(),
        plan: Box::new(Plan { cases: vec![case], groups: vec![group], seed: 7, ..Plan::default() }),
    }
}

fn artifact() -> tare_model::Artifact {
    let artifact = serde_json::json!({
        "name": "bench.c", "language": "c", "toolchain": "file", "command": ["./bench"], "directory": ".", "hash": "00",
    });
    serde_json::from_value(artifact).expect("an artifact")
}

fn launch(n: u32) -> [Event; 3] {
    let columns = Columns { elapsed_ns: vec![1000.1, 0.1 + 0.2], ..Columns::default() };
    let draw = Draw { layout: u32::MAX, pair: Some(u64::MAX), seed: u64::MAX };
    [
        Event::LaunchStarted { launch: n, case: 0, group: 0, wave: 0, draw, start_ns: 1.5 },
        Event::Measured { launch: n, stage: Stage::Actual, round: 0, invocations: 10, columns },
        Event::LaunchFinished {
            launch: n,
            outcome: LaunchOutcome::Finished,
            peak_memory_bytes: Some(1),
            memory_growth_bytes: Some(-1),
        },
    ]
}

fn finished(status: RunStatus) -> Event {
    Event::RunFinished { status, elapsed_s: 1.5, steal: None, cpu_pressure: Some(0.1) }
}

fn id(run: &str) -> RunRef {
    run.parse().expect("a reference")
}

fn fold(events: &[Event]) -> Run {
    tare_model::fold(events).expect("a run")
}

#[test]
fn a_run_comes_back_as_it_was_from_either_file() {
    let folder = Folder::new();
    let store = folder.store();
    let mut events = vec![started("7f3a21bc", "2026-01-01T00:00:00Z")];
    let mut writer = store.create(&events[0]).expect("a writer");
    for event in launch(0).into_iter().chain([finished(RunStatus::Finished)]) {
        writer.append(&event).expect("appended");
        events.push(event);
    }
    let run = fold(&events);
    let from_events = store.load(&id("7f3a")).expect("folded");
    assert_eq!(from_events, run);
    let path = writer.finish(&run).expect("finished");
    assert_eq!(store.load(&id("7f")).expect("read"), run);
    assert_eq!(store.load(&RunRef::Path(path)).expect("read by path"), run);
    assert_eq!(fs::read_to_string(folder.join(".tare/.gitignore")).expect("ignored"), "*\n");
}

#[test]
fn a_killed_writer_loses_at_most_a_torn_line() {
    let folder = Folder::new();
    let store = folder.store();
    let mut writer = store.create(&started("aaaa0001", "2026-01-01T00:00:00Z")).expect("a writer");
    for event in launch(0) {
        writer.append(&event).expect("appended");
    }
    drop(writer);
    let file = folder.join(".tare/runs/aaaa0001/events.jsonl");
    let whole = fs::metadata(&file).expect("a file").len();
    fs::OpenOptions::new().append(true).open(&file).expect("open").write_all(b"{\"event\":\"meas").expect("torn");

    let (run, mut writer) = store.resume(&id("aaaa0001")).expect("resumed");
    assert_eq!((run.launches.len(), run.status), (1, RunStatus::Open));
    assert_eq!(fs::metadata(&file).expect("a file").len(), whole, "the torn line is cut");
    for event in launch(1).into_iter().chain([finished(RunStatus::Finished)]) {
        writer.append(&event).expect("appended");
    }
    assert_eq!(store.load(&id("aaaa0001")).expect("read").launches.len(), 2);
}

#[test]
fn an_interrupted_run_goes_on_and_a_finished_one_does_not() {
    let folder = Folder::new();
    let store = folder.store();
    let mut events = vec![started("bbbb0001", "2026-01-01T00:00:00Z")];
    let mut writer = store.create(&events[0]).expect("a writer");
    events.push(finished(RunStatus::Interrupted));
    writer.append(&events[1]).expect("appended");
    writer.finish(&fold(&events)).expect("finished");

    let (_, mut writer) = store.resume(&id("bbbb")).expect("resumed");
    let environment = Box::new(Environment { cpu: "another".into(), ..Environment::default() });
    let resumed = Event::RunResumed { at: "2026-01-01T01:00:00Z".into(), environment, before_s: 7.0 };
    for event in [resumed].into_iter().chain(launch(0)) {
        writer.append(&event).expect("appended");
        events.push(event);
    }
    let run = store.load(&id("bbbb")).expect("read");
    assert_eq!(run.launches.len(), 1, "the old document does not hide the new events");
    // Each part has its environment, and each launch names its part.
    assert_eq!((run.parts.len(), run.launches[0].part, run.elapsed_s), (2, 1, 7.0));
    assert_eq!((run.environment().cpu.as_str(), run.environment_of(&run.launches[0]).cpu.as_str()), ("", "another"));
    events.push(finished(RunStatus::Finished));
    writer.append(&events[events.len() - 1]).expect("appended");
    writer.finish(&fold(&events)).expect("finished");
    assert!(matches!(store.resume(&id("bbbb")), Err(StoreError::AlreadyFinished { .. })));
}

#[test]
fn two_writers_are_refused_and_a_stale_lock_is_not() {
    let folder = Folder::new();
    let store = folder.store();
    let writer = store.create(&started("cccc0001", "2026-01-01T00:00:00Z")).expect("a writer");
    let pid = std::process::id();
    assert!(matches!(store.resume(&id("cccc")), Err(StoreError::Locked { pid: p, .. }) if p == pid));
    drop(writer);
    let lock = folder.join(".tare/runs/cccc0001/lock");
    assert!(!lock.exists());
    for stale in [format!("{pid} 1\n"), "4294967295 77\n".to_owned(), String::new(), "nonsense".to_owned()] {
        fs::write(&lock, stale).expect("a lock");
        let (_, writer) = store.resume(&id("cccc")).expect("a stale lock is put aside");
        drop(writer);
    }
}

#[test]
fn runs_are_found_by_prefix_number_and_path() {
    let folder = Folder::new();
    let store = folder.store();
    assert!(matches!(store.load(&id("latest")), Err(StoreError::NotFound { .. })));
    assert!(store.list().expect("a list").is_empty());
    for (n, run) in ["dd000001", "dd000002", "ee000003"].into_iter().enumerate() {
        store.create(&started(run, &format!("2026-01-0{}T00:00:00Z", n + 1))).expect("a writer");
    }
    let name = |text: &str| store.load(&id(text)).map(|run| run.id);
    assert_eq!(name("latest").expect("found"), "ee000003");
    assert_eq!(name("latest~2").expect("found"), "dd000001");
    assert_eq!(name("e").expect("found"), "ee000003");
    assert_eq!(name("dd000002").expect("found"), "dd000002");
    match name("dd") {
        Err(StoreError::Ambiguous { candidates, .. }) => assert_eq!(candidates, ["dd000002", "dd000001"]),
        other => panic!("{other:?}"),
    }
    match name("ff") {
        Err(StoreError::NotFound { known, .. }) => assert_eq!(known.len(), 3),
        other => panic!("{other:?}"),
    }
    assert!(matches!(name("latest~3"), Err(StoreError::NotFound { .. })));
    assert!(matches!(store.create(&started("dd000001", "x")), Err(StoreError::IdTaken { .. })));
    assert!(matches!(store.create(&started("../evil", "x")), Err(StoreError::BadReference { .. })));
}

#[test]
fn a_store_is_found_from_below_but_not_beyond_the_working_copy() {
    let folder = Folder::new();
    let below = folder.join("a/b");
    fs::create_dir_all(&below).expect("folders");
    folder.store().create(&started("ab000001", "2026-01-01T00:00:00Z")).expect("a writer");
    let found = Store::find(&below).expect("found");
    assert_eq!(found.list().expect("a list").len(), 1);
    assert!(found.belongs_to(&folder.join("")));
    let place = folder.0.path().canonicalize().expect("a folder");
    // The temporary folder may itself be in a working copy.
    if !place.ancestors().any(|above| above.join(".git").exists()) {
        assert!(!found.belongs_to(&below), "there is no working copy around both");
    }
    fs::create_dir(folder.join(".git")).expect("a working copy");
    assert!(found.belongs_to(&below));
    fs::create_dir(folder.join("a/.git")).expect("a working copy");
    assert!(Store::find(&below).expect("found").list().expect("a list").is_empty());
}

#[test]
fn lists_and_retention() {
    let folder = Folder::new();
    let store = folder.store();
    let mut last = None;
    for n in 1..=5 {
        let event = started(&format!("ff00000{n}"), &format!("2026-01-0{n}T00:00:00Z"));
        let mut writer = store.create(&event).expect("a writer");
        let end = finished(RunStatus::Finished);
        writer.append(&end).expect("appended");
        if n == 2 {
            writer.finish(&fold(&[event, end])).expect("finished");
        } else if n == 1 {
            last = Some(writer);
        }
    }
    fs::create_dir(folder.join(".tare/runs/0damaged")).expect("a damaged run");
    let list = store.list().expect("a list");
    assert_eq!(
        list.iter().map(|r| r.id.as_str()).collect::<Vec<_>>(),
        ["ff000005", "ff000004", "ff000003", "ff000002", "ff000001"]
    );
    assert_eq!((list[3].status, list[3].cases, list[3].elapsed_s), (RunStatus::Finished, 1, 1.5));
    assert!(list[4].running);
    assert_eq!(store.clean(2).expect("cleaned"), ["ff000003", "ff000002"], "the run that is being written stays");
    drop(last);
    assert_eq!(store.clean(0).expect("cleaned").len(), 3);
}

fn three_launches(store: &Store, id: &str) -> PathBuf {
    let mut events = vec![started(id, "2026-01-01T00:00:00Z")];
    let mut writer = store.create(&events[0]).expect("a writer");
    for event in (0..3).flat_map(launch).chain([finished(RunStatus::Finished)]) {
        writer.append(&event).expect("appended");
        events.push(event);
    }
    writer.finish(&fold(&events)).expect("finished")
}

#[test]
fn a_damaged_line_is_named() {
    let folder = Folder::new();
    let store = folder.store();
    let document = three_launches(&store, "ad000001");
    fs::remove_file(&document).expect("removed");
    let file = folder.join(".tare/runs/ad000001/events.jsonl");
    let text = fs::read_to_string(&file).expect("text");
    let without = |line: usize, put: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line - 1] = put;
        fs::write(&file, lines.join("\n") + "\n").expect("damaged");
        store.load(&id("ad000001"))
    };
    // The second launch's measurement and its start.
    for line in [6, 5] {
        let refused = without(line, "{\"event\":\"meas\u{0}").expect_err("damaged");
        assert!(matches!(refused, StoreError::Damaged { line: Some(at), .. } if at == line), "{refused}");
    }
    let line = text.lines().nth(5).expect("a measurement").replace("\"invocations\":10", "\"invocations\":0");
    assert!(matches!(without(6, &line), Err(StoreError::Damaged { .. })), "impossible counts");
    // Implausible rules would be followed for ever.
    for (rule, value) in [("width", "9999999"), ("waves_max", "9999999"), ("visit_ns", "1e15"), ("rounds", "99999999")]
    {
        let first = text.lines().next().expect("a start");
        let at = first.find(&format!("\"{rule}\":")).expect(rule) + rule.len() + 3;
        let end = at + first[at..].find([',', '}']).expect("an end");
        let refused = without(1, &format!("{}{value}{}", &first[..at], &first[end..])).expect_err(rule);
        assert!(refused.to_string().contains("is damaged"), "{refused}");
        let reason = std::error::Error::source(&refused).map(ToString::to_string).unwrap_or_default();
        assert!(format!("{refused} {reason}").contains(&format!("the rule `{rule}`")), "{refused} {reason}");
    }
    assert!(matches!(without(1, "{"), Err(StoreError::Damaged { line: Some(1), .. })));
    let of_schema = |schema| text.replacen(tare_model::SCHEMA_VERSION, schema, 1);
    fs::write(&file, of_schema("3.0")).expect("newer");
    assert!(matches!(store.load(&id("ad000001")), Err(StoreError::OtherSchema { is_newer: true, .. })));
    // An older Tare wrote other members.
    let older = of_schema("1.0").replace("\"jobs\":[{\"id\":", "\"jobs\":[{\"name\":");
    fs::write(&file, older).expect("older");
    assert!(matches!(store.load(&id("ad000001")), Err(StoreError::OtherSchema { is_newer: false, .. })));
}

#[test]
fn a_damaged_document_is_named_and_made_anew_of_the_events() {
    let folder = Folder::new();
    let store = folder.store();
    let document = three_launches(&store, "ae000001");
    let whole = store.load(&id("ae")).expect("a run");
    let text = fs::read_to_string(&document).expect("text");
    for damage in [&text[..text.len() / 2], "", "{}", "\u{0}"] {
        fs::write(&document, damage).expect("damaged");
        let error = store.load(&id("ae")).expect_err("damaged").to_string();
        assert!(error.contains("run.json` is damaged"), "{error}");
    }
    // Resuming has nothing to measure and writes the document.
    let (run, writer) = store.resume(&id("ae")).expect("resumed");
    writer.finish(&run).expect("finished");
    assert_eq!(
        (store.load(&id("ae")).expect("read"), fs::read_to_string(&document).expect("text")),
        (whole.clone(), text)
    );
    // Without a document, the events are read.
    fs::remove_file(&document).expect("removed");
    assert_eq!(store.load(&id("ae")).expect("read"), whole);
}

#[test]
fn what_is_no_run_is_not_called_damaged() {
    let folder = Folder::new();
    let store = folder.store();
    for (name, text) in [("go.txt", "BenchmarkA 1 2 ns/op"), ("other.json", "{}"), ("empty", "")] {
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        assert!(matches!(store.load(&RunRef::Path(path)), Err(StoreError::NotARun { .. })), "{name}");
    }
    assert!(matches!(store.load(&RunRef::Path(folder.join("."))), Err(StoreError::NotARun { .. })));
    let document = three_launches(&store, "ba000001");
    let text = fs::read_to_string(&document).expect("text");
    fs::write(&document, &text[..text.len() / 2]).expect("damaged");
    let cut = store.load(&RunRef::Path(document.clone())).expect_err("it is cut off");
    let column = text.len() / 2;
    assert!(
        cut.to_string().ends_with(&format!("run.json` is damaged in line 1: it is cut off at column {column}")),
        "{cut}"
    );
    fs::write(&document, text.replacen("\"launches\":[", "\"launches\":[7,", 1)).expect("damaged");
    let wrong = store.load(&RunRef::Path(document)).expect_err("7 is no launch").to_string();
    assert!(wrong.contains(", at column ") && !wrong.contains("at line"), "{wrong}");
}

#[test]
fn nothing_is_waited_for_and_no_link_is_followed() {
    let folder = Folder::new();
    let fifo = |path: &Path| {
        let _ = fs::remove_file(path);
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
        assert!(made.success());
    };
    let store = folder.store();
    let document = three_launches(&store, "af000001");
    let events = document.with_file_name("events.jsonl");
    let baselines = folder.join(".tare/baselines.json");
    fifo(&document);
    assert!(matches!(store.load(&id("af")), Err(StoreError::CannotRead { .. })));
    assert!(matches!(store.load(&RunRef::Path(document.clone())), Err(StoreError::CannotRead { .. })));
    fifo(&events);
    assert!(matches!(store.load(&id("af000001")), Err(StoreError::CannotRead { .. })));
    assert!(store.list().expect("a list").is_empty());
    std::os::unix::fs::symlink("/dev/zero", &baselines).expect("a link");
    assert!(matches!(store.baselines(), Err(StoreError::CannotRead { .. })));
    // Links that a repository can contain, at each level.
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    fs::remove_file(&events).expect("removed");
    let target = elsewhere.join("events.jsonl");
    fs::write(&target, "precious").expect("written");
    std::os::unix::fs::symlink(&target, &events).expect("a link");
    assert!(store.resume(&id("af000001")).is_err());
    assert_eq!(fs::read_to_string(&target).expect("there"), "precious");
    for name in [".tare/runs", ".tare"] {
        fs::remove_dir_all(folder.join(name)).expect("removed");
        std::os::unix::fs::symlink(&elsewhere, folder.join(name)).expect("a link");
        for opened in [Store::open(folder.0.path()), Store::find(folder.0.path())] {
            assert!(matches!(opened, Err(StoreError::NotTrusted { .. })), "{name}");
        }
    }
    fs::remove_file(folder.join(".tare")).expect("removed");
    fs::create_dir(folder.join(".tare")).expect("a folder");
    if std::os::unix::fs::chown(folder.join(".tare"), Some(12345), None).is_err() {
        println!("skipped: a folder of somebody else's: only root can make one");
        return;
    }
    fs::create_dir(folder.join("below")).expect("a folder");
    assert!(matches!(Store::find(&folder.join("below")), Err(StoreError::NotTrusted { .. })));
}

#[test]
fn the_machine_profile_is_private_and_damage_counts_as_absent() {
    let folder = Folder::new();
    let state = folder.join("state/tare");
    let found = |level: f64| LevelFound { by: "g/a".into(), cycles_per_addition: level, recorded: "2026-01-01".into() };
    let profile = |cpu: &str| {
        let mut profile = MachineProfile::new((cpu.to_owned(), 2), 0.2688, "2026-01-01T00:00:00Z".into());
        profile.recent_cycle_ns = vec![0.2688, 0.25];
        profile.widths = [(MachineProfile::NATIVE.to_owned(), vec![found(0.2172)])].into();
        profile
    };
    assert_eq!(MachineProfile::load(&state, "A", 2), (None, None));
    let path = profile("A").save(&state).expect("saved");
    profile("B").save(&state).expect("saved");
    assert_eq!(MachineProfile::load(&state, "A", 2), (Some(profile("A")), None));
    assert_eq!(MachineProfile::load(&state, "A", 4), (None, None), "another number of processors is another machine");
    let mut other = profile("A");
    (other.processors, other.widths) = (4, [(MachineProfile::NATIVE.to_owned(), vec![found(0.3)])].into());
    other.save(&state).expect("saved");
    let levels = |cpu| MachineProfile::native_levels(&state, cpu).len();
    assert_eq!((levels("A"), levels("B"), levels("C")), (2, 1, 0), "all of the model");
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).expect("data").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&state)), (0o600, 0o700));
    }
    fs::write(&path, "{ not json").expect("damaged");
    let (none, note) = MachineProfile::load(&state, "A", 2);
    assert!(none.is_none() && note.is_some());
    profile("A").save(&state).expect("a damaged file is replaced");
    assert_eq!(MachineProfile::load(&state, "A", 2).0, Some(profile("A")));
}
