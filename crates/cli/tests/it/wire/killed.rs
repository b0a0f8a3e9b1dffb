//! `kill -9` at any moment: not one measurement that was written is lost, the run can be resumed, and the children are gone.

use crate::support::{eventually, long, reference, wait_until, Place};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tare_stats::Rng;

/// A run of some tenths of a second: two waves of four children.
const RUN: [&str; 9] = ["--filter", "strlen", "--quick", "--launches", "8", "--rounds", "8", "--invocations", "5000"];

/// How often each measurement is there: launch, stage, round and elapsed time.
type Measurements = BTreeMap<(u64, String, u64, String), u32>;

fn add(all: &mut Measurements, launch: &Value, stage: &Value, round: &Value, elapsed: &Value) {
    let stage = stage.as_str().expect("a stage").to_owned();
    let key = (launch.as_u64().expect("a launch"), stage, round.as_u64().expect("a round"), elapsed.to_string());
    *all.entry(key).or_default() += 1;
}

/// What the whole lines of the events hold.
fn in_events(path: &Path) -> Measurements {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut all = Measurements::new();
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if event["event"] == "measured" {
            for elapsed in event["columns"]["elapsed_ns"].as_array().expect("a column") {
                add(&mut all, &event["launch"], &event["stage"], &event["round"], elapsed);
            }
        }
    }
    all
}

/// What the document holds.
fn in_document(run: &Value) -> Measurements {
    let mut all = Measurements::new();
    for launch in run["launches"].as_array().expect("launches") {
        for series in launch["series"].as_array().expect("series") {
            let rounds = series["round"].as_array().expect("rounds");
            let elapsed = series["columns"]["elapsed_ns"].as_array().expect("a column");
            assert_eq!(rounds.len(), elapsed.len());
            for (round, elapsed) in rounds.iter().zip(elapsed) {
                add(&mut all, &launch["id"], &series["stage"], round, elapsed);
            }
        }
    }
    all
}

fn is_within(part: &Measurements, whole: &Measurements) -> bool {
    part.iter().all(|(key, count)| whole.get(key).copied().unwrap_or(0) >= *count)
}

/// The size of the events of the only run; nothing before there is one.
fn written(place: &Place) -> u64 {
    let file = place.runs().pop().and_then(|folder| std::fs::metadata(folder.join("events.jsonl")).ok());
    file.map_or(0, |file| file.len())
}

/// Starts `tare`, kills it when it has written so much, which comes at the same place of a run however busy the machine is; false when
/// it had ended by itself.
fn kill_after(place: &Place, args: &[&str], bytes: u64) -> bool {
    let mut tare = place.start(args);
    let mut ended = false;
    wait_until("so much is written", || {
        ended = tare.try_wait().expect("its status").is_some();
        ended || written(place) >= bytes
    });
    tare.kill().expect("killed");
    tare.wait().expect("an end");
    let gone = eventually(Duration::from_secs(300), || place.processes().is_empty());
    assert!(gone, "killed after {bytes} bytes, tare left {:?}", place.processes());
    !ended
}

#[test]
fn a_killed_run_loses_nothing() {
    let kills: u64 = if long() { 100 } else { 3 };
    let seed = std::env::var("TARE_TEST_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("TARE_TEST_SEED={seed}");
    let mut random = Rng::new(seed);
    let args: Vec<&str> = ["run", reference()].into_iter().chain(RUN).collect();
    let untouched = Place::new("whole");
    untouched.ends_with(0, &args);
    let whole = written(&untouched);
    let finished = |run: &Value| {
        let launches = run["launches"].as_array().expect("launches").iter();
        launches.filter(|launch| launch["outcome"] == "finished").count()
    };
    let wanted = finished(&untouched.run_json());
    assert!(wanted >= 4);
    let (mut done, mut measured, mut resumed_twice) = (0_u64, 0_u64, 0_u64);
    while done < kills {
        let what = format!("kill {done}, TARE_TEST_SEED={seed}");
        let place = Place::new("killed");
        // One of each part of the file: chance must not make all of them come before anything is measured.
        let part = whole * 11 / 10 / kills;
        let killed = kill_after(&place, &args, part * done + random.below(part));
        done += u64::from(killed);
        let Some(folder) = place.runs().pop().filter(|folder| !in_whole_lines(folder).is_empty()) else {
            // Killed before the first event was written: there is nothing to lose, and nothing in the way.
            place.ends_with(0, ["runs"]);
            place.ends_with(0, &args);
            continue;
        };
        let mut before = in_events(&folder.join("events.jsonl"));
        let is_finished = || place.ends_with(0, ["runs", "--json"]).contains("\"state\": \"finished\"");
        if !is_finished() && done < kills && random.below(2) == 0 {
            let more = written(&place) + random.below(whole);
            done += u64::from(kill_after(&place, &["run", "--resume", "latest"], more));
            let both = in_events(&folder.join("events.jsonl"));
            assert!(is_within(&before, &both), "{what}: the second part lost what the first had");
            before = both;
            resumed_twice += 1;
        }
        if !is_finished() {
            place.ends_with(0, ["run", "--resume", "latest"]);
        }
        let run = place.run_json();
        assert_eq!(run["status"], "finished", "{what}");
        let after = in_document(&run);
        assert!(is_within(&before, &after), "{what}: {} of {} are there", after.len(), before.len());
        assert_eq!(in_events(&folder.join("events.jsonl")), after, "{what}: the document is the fold of the events");
        assert!(run["results"].as_array().expect("results").iter().all(|r| r["complete"] == true), "{what}");
        assert!(finished(&run) >= wanted, "{what}: {} launches, not {wanted}", finished(&run));
        measured += u64::from(killed && !before.is_empty());
    }
    println!("{done} kills, {measured} of runs that had measured something, {resumed_twice} of runs that were resumed");
    assert!(measured >= (kills / 4).max(1), "the kills came too early: {measured} of {done}");
}

/// The whole lines of the events of a run.
fn in_whole_lines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
}

/// What a crash of the machine may leave: half a line at the end, no document, the lock of a dead process.
#[test]
fn a_torn_last_line_is_cut_off() {
    let place = Place::new("torn");
    let args: Vec<&str> = ["run", reference(), "--order", "name"].into_iter().chain(RUN).collect();
    place.ends_with(0, &args);
    let events = place.only_run().join("events.jsonl");
    let text = std::fs::read_to_string(&events).expect("events");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.truncate(lines.len() / 2);
    let torn = format!("{}\n{}", lines.join("\n"), "{\"event\":\"meas");
    std::fs::write(&events, &torn).expect("written");
    std::fs::write(place.only_run().join("lock"), "999999999 1\n").expect("written");
    std::fs::remove_file(place.only_run().join("run.json")).expect("removed");
    let before = in_events(&events);
    assert!(place.ends_with(0, ["runs"]).contains("unfinished"));
    let shown = place.ends_with(0, ["show", "latest"]);
    assert!(shown.contains("strlen"), "{shown}");
    let next = shown.lines().last().unwrap_or_default();
    assert!(next.starts_with("next: tare run --resume ") && next.ends_with(" --order name"), "{shown}");
    place.ends_with(0, ["run", "--resume", "latest"]);
    assert!(is_within(&before, &in_document(&place.run_json())));
}

/// The narrow moment between the last event and the document: everything is measured, and nothing says so yet.
#[test]
fn a_run_killed_before_its_document_was_written_is_finished_by_resuming_it() {
    let place = Place::new("late");
    let args: Vec<&str> = ["run", reference()].into_iter().chain(RUN).collect();
    let live = place.ends_with(0, &args);
    let before = in_document(&place.run_json());
    // A damaged document hides the events: nothing is offered that would refuse it.
    std::fs::write(place.only_run().join("run.json"), "{").expect("written");
    let runs = place.ends_with(0, ["runs"]);
    assert!(runs.contains("  damaged  ") && runs.contains("next: tare show "), "{runs}");
    std::fs::remove_file(place.only_run().join("run.json")).expect("removed");
    let runs = place.ends_with(0, ["runs"]);
    assert!(runs.contains("next: tare run --resume "), "{runs}");
    let resumed = place.ends_with(0, ["run", "--resume", "latest"]);
    assert_eq!(in_document(&place.run_json()), before, "nothing was left to measure");
    assert_eq!(place.run_json()["request"]["verb"], "run");
    // The time that the run took is not the same, nor how busy the machine was meanwhile, of which findings tell.
    let rows = |screen: &str| {
        let is_table = |line: &&str| !line.starts_with("findings (") && !line.starts_with("next: ");
        // Nor which rows have a mark for that.
        let unmarked = |line: &str| line.trim_end_matches(['!', ' ']).to_owned();
        screen.lines().skip(2).take_while(is_table).map(unmarked).collect::<Vec<_>>()
    };
    assert!(rows(&live).iter().any(|row| row.contains("strlen")), "{live}");
    assert_eq!(rows(&resumed), rows(&live));
    // All runs are finished: then no column says so.
    let runs = place.ends_with(0, ["runs"]);
    assert!(runs.contains("next: tare show ") && !runs.contains("unfinished"), "{runs}");
}
