//! A shared history: the same results as a file, many writers, killed processes and databases, roles and passwords.

use crate::database::{refused, Database};
use crate::made::{point, run};
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{chown, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tare_analysis::history::{Accepted, HistoryRun};
use tare_history::{Address, HistoryDb, HistoryError, Keep, Range, Renamed};

/// All query results of a history, without row numbers.
fn answers(history: &mut HistoryDb) -> String {
    let mut said = String::new();
    for machine in history.machines().expect("machines") {
        said += &format!("{:?}\n", (&machine.project, &machine.machine, machine.runs, &machine.branches));
        let cases = history.cases(&machine.project).expect("cases");
        said += &format!("{:?}\n", cases.iter().map(|c| (&c.key, &c.name, &c.job)).collect::<Vec<_>>());
        for branch in [None, Some("main".to_owned())] {
            for cases in [None, cases.first().map(|case| vec![case.id])] {
                let range = Range {
                    project: machine.project.clone(),
                    machine: machine.id,
                    branch: branch.clone(),
                    cases,
                    last: 4,
                };
                let (runs, older, mut kept) = history.read(&range).expect("values");
                kept.sort_by(|a, b| (&a.point.key, a.run).cmp(&(&b.point.key, b.run)));
                said += &format!("{older} {runs:?} {kept:?}\n");
            }
        }
        said += &format!("{:?}\n", history.renames(&machine.project).expect("renames"));
        said += &format!("{:?}\n", history.accepted(&machine.project).expect("accepted"));
    }
    said
}

fn fill(history: &mut HistoryDb) {
    for id in 0..6 {
        let points = [
            point("a", Some(10.0 + id as f64), false),
            point("b", None, true),
            point("it's \t\\N", Some(0.1 + 0.2), true),
        ];
        history.append(&run(id, "one"), &points).expect("added");
    }
    // The same names in another project, another machine, a replaced run, a run without values, texts of any kind.
    let other = HistoryRun { project: "other".into(), os: "a\0b\nc".replace('\0', "\u{fffd}"), ..run(8, "one") };
    history.append(&other, &[point("a", Some(99.0), false)]).expect("added");
    history.append(&run(9, "two"), &[]).expect("added");
    history.append(&run(3, "one"), &[point("a", Some(5e-324), false), point("a", Some(1e300), false)]).expect("added");
    // Too long for a B-tree of PostgreSQL.
    let mut long = point("long", Some(1.0), true);
    long.flags = (0..4000).map(|n| format!("-D{n}")).collect();
    long.key = long.flags.clone();
    history.append(&run(10, "one"), &[long]).expect("added");
    let renames = [Renamed { old: "g/o".into(), new: "g/a".into() }, Renamed { old: "x".into(), new: "y".into() }];
    history.rename("", &renames).expect("kept");
    history.rename("", &[Renamed { old: "x".into(), new: "z".into() }]).expect("kept");
    let accepted = |run: &str| Accepted {
        key: "a".into(),
        job: String::new(),
        run: run.into(),
        created: "2026-01-01T00:00:00Z".into(),
        reason: "it's \"fine\"".into(),
    };
    history.accept("", &[accepted("00000001")]).expect("kept");
    history.accept("", &[accepted("00000002")]).expect("kept");
}

#[test]
fn both_engines_answer_the_same() {
    let Some(database) = Database::start(&[]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = HistoryDb::open(&folder.path().join("history.db")).expect("a history");
    assert!(HistoryDb::connect_existing(&database.address()).expect("reached").is_none());
    let mut shared = database.open();
    for history in [&mut file, &mut shared] {
        fill(history);
    }
    assert_eq!(answers(&mut file), answers(&mut shared));
    let pruned = |history: &mut HistoryDb| {
        let named = BTreeSet::from(["00000001".to_owned()]);
        let dropped = history.prune("", &Keep::Newest(3), &named).expect("pruned");
        let forgotten =
            (history.forget_rename("", "x"), history.forget_accepted("", "a", ""), history.forget_rename("", "x"));
        format!("{dropped:?} {forgotten:?} {:?} {}", history.has("00000002", "2026-01-03T00:00:00Z"), answers(history))
    };
    assert_eq!(pruned(&mut file), pruned(&mut shared));
    shared.check().expect("whole");
}

#[test]
fn ten_writers_lose_no_row() {
    const WRITERS: usize = 10;
    const RUNS: usize = 100;
    let Some(database) = Database::start(&["fsync=off"]) else { return };
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let database = &database;
            scope.spawn(move || {
                // One of them creates the tables, and all add the same names.
                for id in 0..RUNS {
                    let run = run(1000 * writer + id, ["one", "two"][writer % 2]);
                    let points = [point("a", Some(1.0), true), point(&format!("n{id}"), Some(2.0), false)];
                    // On a busy machine a writer may wait too long for the others, and retries as `tare history push` does.
                    loop {
                        match HistoryDb::connect(&database.address())
                            .and_then(|mut history| history.append(&run, &points))
                        {
                            Err(HistoryError::Busy { .. }) => {}
                            added => break added.expect("added"),
                        }
                    }
                }
            });
        }
    });
    let counts =
        "SELECT (SELECT count(*) FROM tare.run), (SELECT count(*) FROM tare.point), (SELECT count(*) FROM tare.series),
                  (SELECT count(DISTINCT key) FROM tare.series)";
    assert_eq!(database.sql(counts).expect("counted"), "1000|2000|101|101");
}

/// Not a test, but a process for one to kill: it writes until then.
#[test]
fn endless_writer() {
    let Ok(url) = std::env::var("TARE_TEST_ENDLESS") else { return };
    let mut history = HistoryDb::connect(&Address::parse(&url).expect("an address")).expect("a history");
    for id in 0.. {
        history.append(&run(id, "one"), &many()).expect("added");
        println!("added");
    }
}

/// Enough values for a slow transaction.
fn many() -> Vec<tare_analysis::history::HistoryPoint> {
    (0..MANY).map(|n| point(&format!("n{n}"), Some(1.0), true)).collect()
}

const MANY: usize = 2000;

fn halves(database: &Database) -> String {
    let sql = format!(
        "SELECT count(*) FROM tare.run WHERE (SELECT count(*) FROM tare.point WHERE point.run = run.id) <> {MANY}"
    );
    database.sql(&sql).expect("counted")
}

#[test]
fn a_writer_that_is_killed_leaves_nothing_half_done() {
    let Some(database) = Database::start(&["fsync=off"]) else { return };
    let mut killed = 0;
    for wait_ms in [150, 230, 370] {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "postgres::endless_writer", "--nocapture"]);
        command.env("TARE_TEST_ENDLESS", database.url("owner", "")).stdout(Stdio::piped());
        let mut writer = command.spawn().expect("started");
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(writer.stdout.take().expect("a pipe")));
        // It is writing by now, and continues.
        lines.find(|line| line.as_ref().is_ok_and(|line| line == "added")).expect("it writes").expect("text");
        std::thread::sleep(Duration::from_millis(wait_ms));
        writer.kill().expect("killed");
        writer.wait().expect("gone");
        killed += 1;
        // No waiting, and no partial runs.
        database.open().append(&run(90_000 + killed, "two"), &many()).expect("added");
        assert_eq!(halves(&database), "0");
    }
}

#[test]
fn a_database_that_is_killed_keeps_what_it_said_it_has() {
    let Some(mut database) = Database::start(&[]) else { return };
    let address = database.address();
    let writer = std::thread::spawn(move || {
        let mut history = HistoryDb::connect(&address).expect("a history");
        let mut added = 0;
        loop {
            match history.append(&run(added, "one"), &many()) {
                Ok(()) => added += 1,
                Err(error) => return (added, error),
            }
        }
    });
    let until = Instant::now() + Duration::from_secs(120);
    let written = || database.sql("SELECT count(*) > 2 FROM tare.run").is_ok_and(|said| said == "t");
    while !written() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    database.kill();
    let (added, error) = writer.join().expect("no panic");
    assert!(matches!(error, HistoryError::Unreachable { .. }), "{error:?}");
    assert!(matches!(refused(HistoryDb::connect(&database.address())), HistoryError::Unreachable { .. }));
    database.up();
    let mut history = database.open();
    assert_eq!(halves(&database), "0");
    for id in 0..added {
        assert!(history.has(&format!("{id:08x}"), &run(id, "one").created).expect("read"), "run {id} of {added}");
    }
    // Lost runs are added again, existing ones are not duplicated.
    for id in 0..=added {
        history.append(&run(id, "one"), &many()).expect("added");
    }
    assert_eq!(database.sql("SELECT count(*) FROM tare.run").expect("counted"), (added + 1).to_string());
}

#[test]
fn a_role_that_may_only_read_reads_and_tables_of_another_version_are_refused() {
    let Some(database) = Database::start(&["fsync=off"]) else { return };
    fill(&mut database.open());
    let grant = "CREATE ROLE pages LOGIN; GRANT USAGE ON SCHEMA tare TO pages; GRANT SELECT ON ALL TABLES IN SCHEMA tare TO pages;";
    database.sql(grant).expect("granted");
    let pages = database.address_of("pages");
    let mut history = HistoryDb::connect_existing(&pages).expect("opened").expect("there");
    assert_eq!(answers(&mut history), answers(&mut database.open()));
    let error = refused(history.append(&run(1, "one"), &[]));
    assert!(matches!(error, HistoryError::NotAllowed { .. }), "{error:?}");
    assert_eq!(history.machines().expect("still usable").len(), 3);
    for (number, is_older) in [(1, true), (99, false)] {
        database.sql(&format!("UPDATE tare.version SET number = {number}")).expect("made another");
        for opened in [HistoryDb::connect(&database.address()).map(Some), HistoryDb::connect_existing(&pages)] {
            let error = refused(opened);
            assert!(matches!(error, HistoryError::OtherSchema { found, .. } if found == number), "{error:?}");
            assert_eq!(error.is_damage(), is_older);
        }
    }
    // A role that cannot create the tables.
    database.sql("DROP SCHEMA tare CASCADE").expect("gone");
    assert!(matches!(refused(HistoryDb::connect(&pages)), HistoryError::NotAllowed { .. }));
}

#[test]
fn passwords_come_from_the_environment_and_are_never_shown() {
    const PASSWORD: &str = r"it's:se\cret";
    let Some(database) = Database::start(&["fsync=off"]) else { return };
    database.open();
    let grant = r"CREATE ROLE writer LOGIN PASSWORD 'it''s:se\cret'; GRANT ALL ON SCHEMA tare TO writer; GRANT ALL ON ALL TABLES IN SCHEMA tare TO writer";
    database.sql(grant).expect("granted");
    fs::write(database.data().join("pg_hba.conf"), "local all owner trust\nlocal all all scram-sha-256\n")
        .expect("written");
    database.sql("SELECT pg_reload_conf()").expect("read again");
    let url = database.url("writer", "");
    let with = |name: &'static str, value: &str| {
        let value = value.to_owned();
        Address::of(&url, &|asked| (asked == name).then(|| value.clone())).expect("an address")
    };
    // The database reloads its rules with a delay.
    let until = Instant::now() + Duration::from_secs(60);
    while HistoryDb::connect(&with("PGUSER", "x")).is_ok() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    HistoryDb::connect(&with("PGPASSWORD", PASSWORD)).expect("the environment");
    let file = database.folder().join("pgpass");
    fs::write(&file, "# mine\nlocalhost:5432:postgres:other:x\n*:*:*:writer:it's\\:se\\\\cret\n").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("private");
    let of_file = with("PGPASSFILE", &file.display().to_string());
    HistoryDb::connect(&of_file).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("open");
    let error = refused(HistoryDb::connect(&with("PGPASSFILE", &file.display().to_string())));
    assert!(error.to_string().contains("chmod 600"), "{error}");
    let error = refused(HistoryDb::connect(&with("PGPASSWORD", "wr0ng")));
    let shown = format!("{error} {error:?} {:?} {of_file:?}", with("PGPASSWORD", PASSWORD));
    assert!(matches!(error, HistoryError::Refused { .. }), "{shown}");
    assert!(!shown.contains("wr0ng") && !shown.contains("cret"), "{shown}");
    let error = refused(HistoryDb::connect(&with("PGUSER", "x")));
    assert!(matches!(error, HistoryError::Refused { .. }) && error.to_string().contains("password"), "{error}");
}

#[test]
fn addresses_that_cannot_be_used_say_why_and_repeat_no_password() {
    let of = |url: &str, name: &'static str, value: &'static str| {
        Address::of(url, &|asked| (asked == name).then(|| value.to_owned()))
    };
    for (url, why) in [
        ("mysql://a@b/c", "postgres://"),
        ("postgres://a:s3cret@b/c", "it holds a password"),
        ("postgres://a:s3/cret@b/c", "it holds a password"),
        ("postgres://a@b/c?password=s3cret", "it holds a password"),
        ("postgres://b/c", "`PGUSER`"),
        ("postgres://a@b:s3cret/c", "port"),
        ("postgres://a@b/c?sslmode=verify-ca", "verify-full"),
        ("postgres://a@b/c?colour=s3cret", "colour"),
    ] {
        let error = refused(of(url, "", "")).to_string();
        assert!(error.contains(why) && !error.contains("cret"), "{url}: {error}");
    }
    let place = |url: &str, name: &'static str, value: &'static str| {
        of(url, name, value).expect("an address").place().to_owned()
    };
    assert_eq!(place("postgres://a@b:1/c", "PGPASSWORD", "s3cret"), "postgres://a@b:1/c");
    assert_eq!(place("postgresql:///c?host=h", "PGUSER", "me"), "postgres://me@h/c");
    assert_eq!(place("postgres://a@/c", "PGHOST", "/run/x"), "postgres://a@/run/x/c");
    let nowhere = of("postgres://a@127.0.0.1:1/c", "PGPASSWORD", "s3cret").expect("an address");
    let error = refused(HistoryDb::connect(&nowhere));
    assert!(matches!(error, HistoryError::Unreachable { .. }) && !error.to_string().contains("s3cret"), "{error:?}");
}

/// Creates an authority and a certificate for `localhost`.
fn certificates(folder: &Path, owner: &Path) -> bool {
    let openssl = |words: &[&str]| {
        let done = Command::new("openssl").args(words).current_dir(folder).stdin(Stdio::null()).output();
        done.is_ok_and(|done| done.status.success())
    };
    let made = openssl(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "ca.key",
        "-out",
        "ca.crt",
        "-days",
        "9",
        "-subj",
        "/CN=Authority",
    ]) && openssl(&[
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "host.key",
        "-out",
        "host.csr",
        "-subj",
        "/CN=localhost",
    ]) && fs::write(folder.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
        .is_ok()
        && openssl(&[
            "x509",
            "-req",
            "-in",
            "host.csr",
            "-CA",
            "ca.crt",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-out",
            "host.crt",
            "-days",
            "9",
            "-extfile",
            "names",
        ]);
    let of = fs::metadata(owner).expect("there");
    made && ["host.key", "host.crt"].iter().all(|name| {
        let to = owner.join(name);
        fs::copy(folder.join(name), &to).is_ok()
            && chown(&to, Some(of.uid()), Some(of.gid())).is_ok()
            && fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).is_ok()
    })
}

#[test]
fn the_modes_of_tls_mean_what_they_mean_elsewhere() {
    let Some(mut database) = Database::start(&["fsync=off"]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    if !certificates(folder.path(), &database.data()) {
        println!("skipped: there is no `openssl` that makes certificates");
        return;
    }
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    database.kill();
    let port = format!("port={free}");
    database.change(&[
        "listen_addresses=127.0.0.1",
        &port,
        "ssl=on",
        "ssl_cert_file=host.crt",
        "ssl_key_file=host.key",
    ]);
    database.up();
    database.sql("CREATE ROLE other LOGIN").expect("made");
    let rules = "local all all trust\nhostssl all owner 127.0.0.1/32 trust\nhostnossl all other 127.0.0.1/32 trust\n";
    fs::write(database.data().join("pg_hba.conf"), rules).expect("written");
    database.kill();
    database.up();
    let connect = |user: &str, host: &str, more: &str| {
        let url = format!("postgres://{user}@{host}:{free}/postgres?{more}");
        HistoryDb::connect_existing(&Address::of(&url, &|_| None)?).map(|_| ())
    };
    let roots = |name: &str| format!("sslmode=verify-full&sslrootcert={}", folder.path().join(name).display());
    for (host, more) in [
        ("127.0.0.1", ""),
        ("localhost", "sslmode=prefer"),
        ("127.0.0.1", "sslmode=require"),
        ("localhost", &roots("ca.crt")),
    ] {
        connect("owner", host, more).unwrap_or_else(|error| panic!("{host} {more}: {error}"));
    }
    connect("other", "127.0.0.1", "sslmode=disable").expect("without TLS");
    for (host, more) in [
        ("127.0.0.1", "sslmode=disable"),
        // A certificate for another name, one from an unknown authority, a missing file.
        ("127.0.0.1", roots("ca.crt").as_str()),
        ("localhost", "sslmode=verify-full"),
        ("localhost", &roots("nothing")),
    ] {
        let error = refused(connect("owner", host, more));
        assert!(
            matches!(error, HistoryError::Refused { .. } | HistoryError::Address { .. }),
            "{host} {more}: {error:?}"
        );
    }
}
