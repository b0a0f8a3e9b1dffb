//! The file: stored values come back, with concurrent writers and after damage; other versions are refused.

use crate::made::{point, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tare_analysis::history::HistoryRun;
use tare_history::{set_aside, HistoryDb, HistoryError, Keep, Range, SCHEMA_VERSION};

fn filled(path: &Path) -> HistoryDb {
    let mut file = HistoryDb::open(path).expect("a history");
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
    let mut file = filled(&folder.path().join("history.db"));
    let machines = file.machines().expect("machines");
    assert_eq!(machines.iter().map(|m| (m.machine.cpu.as_str(), m.runs)).collect::<Vec<_>>(), [("two", 1), ("one", 6)]);
    let cases = file.cases("").expect("cases");
    assert_eq!(cases.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["g/a", "g/b"]);
    let all = Range { project: String::new(), machine: machines[1].id, branch: None, cases: None, last: 4 };
    let (runs, older, kept) = file.read(&all).expect("values");
    assert_eq!((runs.len(), older, kept.len()), (4, 2, 8));
    assert_eq!(runs[1], run(3, "one"));
    let of_run = |at: usize| kept.iter().filter(move |one| one.run == at).map(|one| &one.point);
    assert_eq!(of_run(1).collect::<Vec<_>>(), [&point("a", Some(13.0), false), &point("b", None, true)]);
    let one = Range {
        project: String::new(),
        machine: machines[0].id,
        branch: None,
        cases: Some(vec![cases[1].id]),
        last: 4,
    };
    assert_eq!(file.read(&one).expect("values").0.len(), 0, "that machine has no such benchmark");
}

#[test]
fn a_run_that_is_added_again_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = filled(&folder.path().join("history.db"));
    file.append(&run(2, "one"), &[point("a", Some(50.0), false)]).expect("added");
    assert!(file.has("00000002", &run(2, "one").created).expect("read") && !file.has("0000000f", "").expect("read"));
    let machine = file.machines().expect("machines")[1].id;
    let (runs, _, kept) =
        file.read(&Range { project: String::new(), machine, branch: None, cases: None, last: 100 }).expect("values");
    assert_eq!((runs.len(), kept.len()), (6, 11));
    assert_eq!(kept.iter().find(|one| one.run == 2).expect("there").point.time_ns, Some(50.0));
}

#[test]
fn old_runs_are_removed_and_named_ones_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = filled(&folder.path().join("history.db"));
    let named = BTreeSet::from(["00000001".to_owned()]);
    let dropped = file.prune("", &Keep::Newest(3), &named).expect("pruned");
    assert_eq!(dropped, ["00000000", "00000002"]);
    let dropped = file.prune("", &Keep::Since("2026-01-06T00:00:00Z".into()), &named).expect("pruned");
    assert_eq!(dropped, ["00000003", "00000004"]);
    assert_eq!(file.machines().expect("machines").iter().map(|m| m.runs).collect::<Vec<_>>(), [1, 2]);
    assert!(file.prune("", &Keep::Newest(9), &named).expect("pruned").is_empty());
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
    assert_eq!(file.prune("", &Keep::Newest(6), &BTreeSet::new()).expect("pruned"), ["00000009"]);
    assert_eq!(rows(), [2, 1, 1]);
}

#[test]
fn damage_behind_the_first_page_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let mut file = filled(&path);
    file.check().expect("whole");
    drop(file);
    let mut bytes = fs::read(&path).expect("a file");
    bytes[4096..].fill(0x5a);
    fs::write(&path, &bytes).expect("written");
    let found = HistoryDb::open(&path).and_then(|mut file| file.check());
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
                    // Each opens the file, and one creates it.
                    let mut file = HistoryDb::open(path).expect("a history");
                    file.append(&run(100 * writer + id, "one"), &[point("a", Some(1.0), true)]).expect("added");
                }
            });
        }
    });
    let mut file = HistoryDb::open(&path).expect("a history");
    assert_eq!(file.machines().expect("machines")[0].runs, 20);
}

#[test]
fn what_is_no_history_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    assert!(HistoryDb::open_existing(&path).expect("no error").is_none());
    fs::write(&path, "this is no database at all, whatever its name says".repeat(100)).expect("a file");
    let error = HistoryDb::open_existing(&path).expect_err("damaged");
    assert!(error.is_damage() && error.to_string().contains("not a database"), "{error}");
    let aside = set_aside(&path).expect("moved");
    assert!(aside.ends_with("history.db.damaged-1") && !path.exists());
    drop(filled(&path));
    let text = fs::read(&path).expect("a file");
    fs::write(&path, &text[..5000]).expect("a file");
    let read = HistoryDb::open(&path).and_then(|mut file| file.machines());
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
    let error = HistoryDb::open(&path).expect_err("newer");
    assert!(matches!(error, HistoryError::OtherSchema { .. }) && !error.is_damage(), "{error}");
    change(&format!("PRAGMA user_version = {}", SCHEMA_VERSION - 1));
    let error = HistoryDb::open(&path).expect_err("older");
    assert!(matches!(error, HistoryError::OtherSchema { .. }) && error.is_damage(), "it is built again: {error}");
    change(&format!("PRAGMA user_version = {SCHEMA_VERSION}; PRAGMA application_id = 1"));
    let error = HistoryDb::open(&path).expect_err("of somebody else");
    assert!(error.to_string().contains("another program"), "{error}");
    change("PRAGMA user_version = 0");
    assert!(HistoryDb::open(&path).expect_err("of somebody else").is_damage(), "nothing is written into it");
    // A file without a schema gets one.
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").expect("a file");
    assert!(HistoryDb::open(&empty).expect("made").machines().expect("read").is_empty());
}

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
    assert!(matches!(HistoryDb::open(&link), Err(HistoryError::NotTrusted { .. })));
    for ending in ["-wal", "-shm", "-journal"] {
        let fresh = folder.path().join(format!("fresh{ending}.db"));
        let target = folder.path().join("target");
        symlink(&target, folder.path().join(format!("fresh{ending}.db{ending}"))).expect("a link");
        let error = HistoryDb::open(&fresh).expect_err("a link beside it");
        assert!(error.to_string().contains(&format!(".db{ending}` is ignored: it is a symbolic link")), "{error}");
        assert!(!target.exists() && !fresh.exists(), "nothing is written");
    }
}
