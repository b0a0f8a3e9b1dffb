//! The file: what is put in comes out, beside other writers, after damage, and from older and newer versions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tare_analysis::history::{HistoryBase, HistoryFailure, HistoryMachine, HistoryPoint, HistoryRun};
use tare_history::{set_aside, HistoryError, HistoryFile, Keep, Range, SCHEMA_VERSION};
use tare_stats::Interval;

fn run(id: usize, cpu: &str) -> HistoryRun {
    HistoryRun {
        run: format!("{id:08x}"),
        created: format!("2026-01-{:02}T00:00:00Z", id % 28 + 1),
        tare: "0.1.0".into(),
        method: "waves-2".into(),
        machine: HistoryMachine { cpu: cpu.into(), processors: 2, architecture: "x86_64".into() },
        os: "Debian".into(),
        revision: (id % 2 == 0).then(|| format!("{id:040x}")),
        dirty: id == 3,
        cycle_ns: Some(0.25),
        minimum_effect: 0.01,
        command: vec!["tare".into(), "run".into(), "it's \"x\"".into()],
        failed: failures(id),
    }
}

/// What gave no value: one run lacks a benchmark that others have.
fn failures(id: usize) -> Vec<HistoryFailure> {
    let failed = HistoryFailure { name: "g/b".into(), job: String::new(), why: "exit status 1".into() };
    if id == 4 {
        vec![failed]
    } else {
        Vec::new()
    }
}

fn point(key: &str, time_ns: Option<f64>, base: bool) -> HistoryPoint {
    HistoryPoint {
        key: key.into(),
        name: format!("g/{key}"),
        job: String::new(),
        compiler: "gcc 12".into(),
        flags: "-O2".into(),
        time_ns,
        interval: time_ns.map(|ns| Interval { lower: ns * 0.99, upper: ns * 1.01 }),
        is_cpu_time: false,
        is_shared: key == "b",
        at_reference: true,
        base: base.then(|| HistoryBase {
            name: "g/a".into(),
            identity: "case a".into(),
            ratio: 1.5,
            interval: Interval { lower: 1.4, upper: 1.6 },
        }),
    }
}

fn filled(path: &Path) -> HistoryFile {
    let mut file = HistoryFile::open(path).expect("a history");
    for id in 0..6 {
        let points = [point("a", Some(10.0 + id as f64), false), point("b", None, true)];
        file.append(&run(id, "one"), &points).expect("added");
    }
    file.append(&run(7, "two"), &[point("a", Some(99.0), false)]).expect("added");
    file
}

#[test]
fn what_is_put_in_comes_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = filled(&folder.path().join("history.db"));
    let machines = file.machines().expect("machines");
    assert_eq!(machines.iter().map(|m| (m.machine.cpu.as_str(), m.runs)).collect::<Vec<_>>(), [("two", 1), ("one", 6)]);
    let cases = file.cases().expect("cases");
    assert_eq!(cases.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["g/a", "g/b"]);
    let all = Range { machine: machines[1].id, cases: None, last: 4 };
    let (runs, older, kept) = file.read(&all).expect("values");
    assert_eq!((runs.len(), older, kept.len()), (4, 2, 8));
    assert_eq!(runs[1], run(3, "one"));
    let of_run = |at: usize| kept.iter().filter(move |one| one.run == at).map(|one| &one.point);
    assert_eq!(of_run(1).collect::<Vec<_>>(), [&point("a", Some(13.0), false), &point("b", None, true)]);
    let one = Range { machine: machines[0].id, cases: Some(vec![cases[1].id]), last: 4 };
    assert_eq!(file.read(&one).expect("values").0.len(), 0, "that machine has no such benchmark");
}

#[test]
fn a_run_that_is_added_again_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = filled(&folder.path().join("history.db"));
    file.append(&run(2, "one"), &[point("a", Some(50.0), false)]).expect("added");
    assert!(file.has("00000002").expect("read") && !file.has("0000000f").expect("read"));
    let machine = file.machines().expect("machines")[1].id;
    let (runs, _, kept) = file.read(&Range { machine, cases: None, last: 100 }).expect("values");
    assert_eq!((runs.len(), kept.len()), (6, 11));
    assert_eq!(kept.iter().find(|one| one.run == 2).expect("there").point.time_ns, Some(50.0));
}

#[test]
fn old_runs_are_removed_and_named_ones_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = filled(&folder.path().join("history.db"));
    let named = BTreeSet::from(["00000001".to_owned()]);
    let dropped = file.prune(&Keep::Newest(3), &named).expect("pruned");
    assert_eq!(dropped, ["00000000", "00000002"]);
    let dropped = file.prune(&Keep::Since("2026-01-06T00:00:00Z".into()), &named).expect("pruned");
    assert_eq!(dropped, ["00000003", "00000004"]);
    assert_eq!(file.machines().expect("machines").iter().map(|m| m.runs).collect::<Vec<_>>(), [1, 2]);
    assert!(file.prune(&Keep::Newest(9), &named).expect("pruned").is_empty());
}

#[test]
fn names_that_no_value_has_go_with_the_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let mut file = filled(&path);
    let mut other = point("c", Some(1.0), true);
    (other.compiler, other.flags) = ("gcc 13".into(), "-O3".into());
    other.base.iter_mut().for_each(|base| base.identity = "case c".into());
    let early = HistoryRun { created: "2025-01-01T00:00:00Z".into(), ..run(9, "one") };
    file.append(&early, &[other]).expect("added");
    let rows = || {
        let connection = rusqlite::Connection::open(&path).expect("SQLite");
        ["series", "build", "base"].map(|table| -> i64 {
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).expect("a number")
        })
    };
    assert_eq!(rows(), [3, 2, 2]);
    assert_eq!(file.prune(&Keep::Newest(6), &BTreeSet::new()).expect("pruned"), ["00000009"]);
    assert_eq!(rows(), [2, 1, 1]);
}

#[test]
fn damage_behind_the_first_page_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let file = filled(&path);
    file.check().expect("whole");
    drop(file);
    let mut bytes = fs::read(&path).expect("a file");
    bytes[4096..].fill(0x5a);
    fs::write(&path, &bytes).expect("written");
    let found = HistoryFile::open(&path).and_then(|file| file.check());
    assert!(found.expect_err("damaged").is_damage());
}

#[test]
fn two_writers_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let path = &path;
            scope.spawn(move || {
                for id in 0..10 {
                    // Each of them also opens, and one of them makes, the file.
                    let mut file = HistoryFile::open(path).expect("a history");
                    file.append(&run(100 * writer + id, "one"), &[point("a", Some(1.0), true)]).expect("added");
                }
            });
        }
    });
    let file = HistoryFile::open(&path).expect("a history");
    assert_eq!(file.machines().expect("machines")[0].runs, 20);
}

#[test]
fn what_is_no_history_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    assert!(HistoryFile::open_existing(&path).expect("no error").is_none());
    fs::write(&path, "this is no database at all, whatever its name says".repeat(100)).expect("a file");
    let error = HistoryFile::open_existing(&path).expect_err("damaged");
    assert!(error.is_damage() && error.to_string().contains("not a database"), "{error}");
    let aside = set_aside(&path).expect("moved");
    assert!(aside.ends_with("history.db.damaged-1") && !path.exists());
    // A file that ends too early.
    drop(filled(&path));
    let text = fs::read(&path).expect("a file");
    fs::write(&path, &text[..5000]).expect("a file");
    let read = HistoryFile::open(&path).and_then(|file| file.machines());
    assert!(read.expect_err("damaged").is_damage());
    assert!(set_aside(&path).expect("moved").ends_with("history.db.damaged-2"));
}

#[test]
fn other_versions_and_other_programs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    drop(filled(&path));
    let change = |sql: &str| {
        let connection = rusqlite::Connection::open(&path).expect("SQLite");
        connection.execute_batch(sql).expect("changed");
    };
    change(&format!("PRAGMA user_version = {}", SCHEMA_VERSION + 1));
    let error = HistoryFile::open(&path).expect_err("newer");
    assert!(matches!(error, HistoryError::Newer { .. }), "{error}");
    change(&format!("PRAGMA user_version = {SCHEMA_VERSION}; PRAGMA application_id = 1"));
    let error = HistoryFile::open(&path).expect_err("of somebody else");
    assert!(error.to_string().contains("another program"), "{error}");
    change("PRAGMA user_version = 0");
    assert!(HistoryFile::open(&path).expect_err("of somebody else").is_damage(), "nothing is written into it");
    // A file without a schema becomes one with it.
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").expect("a file");
    assert!(HistoryFile::open(&empty).expect("migrated").machines().expect("read").is_empty());
}

#[cfg(unix)]
#[test]
fn it_is_closed_to_others_and_follows_no_link() {
    use std::os::unix::fs::{symlink, PermissionsExt};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let _open = filled(&path);
    let modes = fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .map(|entry| (entry.file_name(), entry.metadata().expect("there").permissions().mode() & 0o777));
    // The journals too.
    let modes: Vec<_> = modes.collect();
    assert!(modes.len() > 1 && modes.iter().all(|(_, mode)| *mode == 0o600), "{modes:?}");
    let link = folder.path().join("link.db");
    symlink(&path, &link).expect("a link");
    assert!(matches!(HistoryFile::open(&link), Err(HistoryError::NotTrusted { .. })));
    for ending in ["-wal", "-shm", "-journal"] {
        let fresh = folder.path().join(format!("fresh{ending}.db"));
        let target = folder.path().join("target");
        symlink(&target, folder.path().join(format!("fresh{ending}.db{ending}"))).expect("a link");
        let error = HistoryFile::open(&fresh).expect_err("a link beside it");
        assert!(error.to_string().contains(&format!(".db{ending}` is ignored: it is a symbolic link")), "{error}");
        assert!(!target.exists() && !fresh.exists(), "nothing is written");
    }
}
