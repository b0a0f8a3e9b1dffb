//! What benchmarks declare about how they are run, in C++, C, Rust and a child of its own: the host does it.

use crate::support::{have, skip, Place, ROOT};
use serde_json::Value;

/// Few launches of few visits.
const FEW: [&str; 5] = ["--quick", "--launches", "2", "--rounds", "5"];

/// The benchmark, and its launches.
fn case_of<'a>(run: &'a Value, name: &str) -> (&'a Value, Vec<&'a Value>) {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    let at = cases.iter().position(|case| case["benchmark"]["name"] == name).unwrap_or_else(|| panic!("{name}: {run}"));
    let launches = run["launches"].as_array().expect("launches").iter();
    (&cases[at]["benchmark"], launches.filter(|launch| launch["case"] == at).collect())
}

/// Stages of a launch with the invocations of each of its iterations.
fn stages(launch: &Value) -> Vec<(&str, u64, usize)> {
    let series = launch["series"].as_array().expect("series").iter();
    let of = |s: &Value| s["columns"]["elapsed_ns"].as_array().map_or(0, Vec::len);
    series.map(|s| (s["stage"].as_str().unwrap_or(""), s["invocations"].as_u64().unwrap_or(0), of(s))).collect()
}

/// What every front end's program of this test declares.
fn check(place: &Place, screen: &str) {
    let run = place.run_json();
    assert!(
        run["results"]
            .as_array()
            .expect("results")
            .iter()
            .all(|r| r["failure"]["cause"]["kind"].as_str().is_none_or(|kind| kind == "skipped")),
        "{screen}"
    );
    let (benchmark, launches) = case_of(&run, "cold");
    assert_eq!(benchmark["strategy"], "cold-start");
    assert!(launches.len() == 2 && launches.iter().all(|l| stages(l) == [("actual", 1, 1)]), "{launches:?}");
    let (benchmark, launches) = case_of(&run, "monitored");
    assert_eq!(benchmark["strategy"], "monitoring");
    assert!(launches.len() == 2 && launches.iter().all(|l| stages(l) == [("actual", 1, 5)]), "{launches:?}");
    let (benchmark, launches) = case_of(&run, "batch");
    assert_eq!(benchmark["invocations_max"], 100);
    let all: Vec<_> = launches.iter().flat_map(|launch| stages(launch)).collect();
    // What the loops are warmed up with is no invocation of the body.
    let of_body = all.iter().filter(|(stage, ..)| *stage != "overhead");
    assert!(of_body.clone().all(|(_, invocations, _)| *invocations <= 100) && of_body.count() > 1, "{all:?}");
    let (benchmark, _) = case_of(&run, "sleeps");
    assert_eq!(benchmark["waits"], true);
    for part in ["cold start", "monitoring", "start-up", "steps/op"] {
        assert!(screen.contains(part), "{part} is not in\n{screen}");
    }
    // `launched` returns what its process was started with.
    let text = |name: &str| {
        let at = run["plan"]["cases"].as_array().expect("cases").iter().position(|c| c["benchmark"]["name"] == name);
        run["results"][at.expect("a case")]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(text("launched"), "red=1 --with two words", "{screen}");
    place.assert_nothing_left("declared");
}

const CPP: &str = r#"#include <tare.h>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
static std::uint64_t steps = 0;
static std::string started;
TARE_METRIC("steps", [] { return steps; }).lower_is_better();
struct Typed { tare::param<int> n{"n", {7}}; int run() { return ++steps, n.value(); } };
TARE_BENCH(&Typed::run).name("d/typed");
TARE_BENCH("d/cold", [] { return ++steps; }).cold_start();
TARE_BENCH("d/monitored", [] { steps += 2; }).monitoring();
TARE_BENCH("d/batch", [] { for (int i = 0; i < 2000; ++i) tare::keep(++steps); }).invocations_max(100);
TARE_BENCH("d/sleeps", [] { std::this_thread::sleep_for(std::chrono::microseconds(200)); }).waits();
TARE_BENCH("d/launched", [] { return started; }).environment("COLOUR", "red=1").argument("--with").argument("two words");
TARE_BENCH("d/fed", [](std::string& text) { return text += '!'; }, tare::input([](std::size_t i) { return std::to_string(i); }));
TARE_BENCH("d/given", [](std::string text) { return text.size(); }, tare::input([] { return std::string(40, 'x'); }));
TARE_BENCH("d/in turn", [](const std::string& text) { return text; }, tare::rotate(3, [](std::size_t i) { return std::to_string(i); }));
struct Data { std::string text; void set_up() { text.assign(5000, 'x'); } std::size_t operator()() { return text.find('y'); } };
TARE_BENCH("d/flushed", Data{}).cold_caches().visit_time(std::chrono::microseconds(20));
TARE_BENCH("d/moved", Data{}).memory_randomization();
int main(int argc, char** argv) {
    if (const char* const colour = std::getenv("COLOUR")) started = colour;
    if (argc > 2) started += std::string(" ") + argv[1] + " " + argv[2];
    return tare_main(argc, argv);
}
"#;

const RUST: &str = r#"
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
static STEPS: AtomicU64 = AtomicU64::new(0);
#[tare::metric(lower_is_better)]
fn steps() -> u64 {
    STEPS.load(Relaxed)
}
#[tare::bench(group = "d", n = [7_u32])]
fn typed(n: u32) -> u32 {
    STEPS.fetch_add(1, Relaxed);
    n
}
#[tare::bench(group = "d", cold_start)]
fn cold() -> u64 {
    STEPS.fetch_add(1, Relaxed)
}
#[tare::bench(group = "d", monitoring)]
fn monitored() {
    STEPS.fetch_add(2, Relaxed);
}
#[tare::bench(group = "d", invocations_max = 100)]
fn batch() {
    // Long enough that a hundred are not a matter of the clock probes around them.
    for _ in 0..200 {
        STEPS.fetch_add(1, Relaxed);
    }
}
#[tare::bench(group = "d", waits)]
fn sleeps() {
    std::thread::sleep(std::time::Duration::from_micros(200));
}
#[tare::bench(group = "d", environment = [("COLOUR", "red=1")], arguments = ["--with", "two words"])]
fn launched() -> impl FnMut() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let text = format!("{} {}", std::env::var("COLOUR").unwrap_or_default(), arguments.join(" "));
    move || text.clone()
}
#[tare::bench(group = "d", name = "in turn", results_change)]
fn in_turn() -> impl FnMut() -> String {
    let mut texts = tare::rotate((0..3).map(|n| n.to_string()));
    move || texts.next().clone()
}
#[tare::bench(group = "d", cold_caches)]
fn flushed() -> impl FnMut() -> bool {
    let text = "x".repeat(5000);
    move || text.contains('y')
}
#[tare::bench(group = "d", input = vec![1_u8; 4000])]
fn fed() -> impl FnMut(&mut Vec<u8>) -> usize {
    let text = [2_u8; 8];
    move |bytes| {
        bytes[..8].copy_from_slice(&text);
        bytes.len()
    }
}
#[tare::bench(group = "d", memory_randomization)]
fn moved() -> impl FnMut() -> bool {
    flushed()
}
#[tare::bench(group = "d", n = [1, 2], skip_if = n > 0)]
fn left_out(n: u32) -> u32 {
    n
}
fn main() {
    tare::main();
}
"#;

#[test]
fn cpp_declares_how_it_is_run() {
    let place = Place::new("declared-cpp");
    place.write("d.cpp", CPP);
    let screen = place.ends_with(0, ["run", "d.cpp"].iter().chain(&FEW));
    check(&place, &screen);
    let run = place.run_json();
    assert_eq!(case_of(&run, "typed").0["parameters"][0]["type"], "integer");
    check_inputs(&run);
    assert!(named_not_repeatable(&place), "its inputs make other results");
    assert_eq!(text_of(&run, "fed"), "0!");
    assert_eq!(text_of(&run, "given"), "40");
    check_batches(&run, "fed", 32..64);
    assert_eq!(case_of(&run, "fed").0["invocations_max"], 16384);
    // The caches are cold for the first invocation of an iteration alone.
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    let more =
        ["run", "d.cpp", "--filter", "flushed", "--invocations", "100", "--quick", "--launches", "1", "--rounds", "2"];
    let notes = place.fails_with(0, more);
    let note = "`d/flushed` is measured with 1 invocation per iteration instead of 100: its declaration allows no more";
    assert!(notes.replace("\n  ", " ").contains(note), "{notes}");
    let run = place.run_json();
    let (_, launches) = case_of(&run, "flushed");
    let all: Vec<_> = launches.iter().flat_map(|launch| stages(launch)).collect();
    assert!(all.iter().all(|(_, invocations, _)| *invocations == 1) && !all.is_empty(), "{all:?}");
}

/// What a benchmark returned when it was checked.
fn text_of<'a>(run: &'a Value, name: &str) -> &'a str {
    let at = run["plan"]["cases"].as_array().expect("cases").iter().position(|c| c["benchmark"]["name"] == name);
    run["results"][at.expect("a case")]["text"].as_str().unwrap_or_default()
}

/// Whether the benchmark `in turn` is named as one whose results change.
fn named_not_repeatable(place: &Place) -> bool {
    let screen = place.ends_with(0, ["show", "latest", "-v"]);
    screen.lines().any(|line| line.contains("not-repeatable") && line.contains("in turn"))
}

/// The inputs of an iteration stay in half of the cache that a core has for itself.
fn check_batches(run: &Value, name: &str, input: std::ops::Range<u64>) {
    let (benchmark, launches) = case_of(run, name);
    let bytes = benchmark["input_bytes"].as_u64().expect("the size of an input");
    assert!(input.contains(&bytes), "{bytes}");
    let environment: tare_model::Environment =
        serde_json::from_value(run["parts"][0]["environment"].clone()).expect("an environment");
    let room = tare_analysis::inputs::room_bytes(&environment);
    let prepared = launches.iter().flat_map(|launch| stages(launch)).map(|(_, invocations, _)| invocations * bytes);
    let most = prepared.max().expect("iterations");
    assert!(most <= room && most > room / 8, "{most} of {room} bytes");
}

/// Inputs in turn, cold caches, data in many places.
fn check_inputs(run: &Value) {
    assert_eq!(text_of(run, "in turn"), "0");
    let (benchmark, launches) = case_of(run, "flushed");
    assert!(benchmark["set_ups"].as_array().is_some_and(|steps| steps.iter().any(|s| s == "iteration")), "{benchmark}");
    let all = launches.iter().flat_map(|launch| stages(launch)).filter(|(stage, ..)| *stage == "actual");
    assert!(all.clone().all(|(_, invocations, _)| invocations == 1) && all.count() > 0, "{launches:?}");
    assert_eq!(case_of(run, "moved").0["policy"]["memory_randomization"], true);
}

#[test]
fn rust_declares_how_it_is_run() {
    let place = Place::new("declared-rust");
    place.write("d.rs", RUST);
    let screen = place.ends_with(0, ["run", "d.rs"].iter().chain(&FEW));
    check(&place, &screen);
    let run = place.run_json();
    assert_eq!(case_of(&run, "typed").0["parameters"][0]["type"], "integer");
    check_inputs(&run);
    assert_eq!(text_of(&run, "fed"), "4000");
    check_batches(&run, "fed", 4000..4600);
    assert_eq!(case_of(&run, "in turn").0["results"], "change");
    assert!(!named_not_repeatable(&place), "that they change is declared");
    let skipped = case_of(&run, "left_out").0["skipped"].as_str().expect("a reason");
    assert_eq!(skipped, "`skip_if` leaves out all of its 2 cases");
    assert!(screen.contains("left_out") && screen.contains("skipped: `skip_if`"), "{screen}");
}

/// The reference child in Python declares a cold start: its second call in a process would find a cached result.
#[test]
fn a_cold_start_is_the_first_call_of_each_process() {
    if !have("python3") {
        return skip("a cold start", "python3 is not installed");
    }
    let place = Place::new("cold");
    let child = format!("{ROOT}/spec/reference_child.py");
    let run = ["run", "--filter", "pattern/Compile"].into_iter().chain(FEW).chain(["--", "python3", &child]);
    let screen = place.ends_with(0, run);
    assert!(screen.contains("cold start") && screen.contains("start-up"), "{screen}");
    let run = place.run_json();
    let (_, launches) = case_of(&run, "Compile");
    assert!(launches.len() == 2 && launches.iter().all(|l| stages(l) == [("actual", 1, 1)]), "{launches:?}");
    assert_eq!(run["results"][0]["text"], "1", "the result is asked for, after the measurement");
}

/// Counts the lines of a text; how many there are, only the set-up shows, and with `differ` each process has another number. With
/// `iterations` each iteration has another text. The width probe is one that a compiler folded: a reading takes 50 ns, and no neighbour makes it
/// long enough.
const LINES: &str = r#"
import os, sys, time
sys.dont_write_bytecode = True
import reference_child as reference

class Lines:
    group, baseline = "lines", False

    def set_up(self):
        self.operations = 1000 + (os.getpid() if "differ" in sys.argv else 0)
        self.text = "a line\n" * self.operations

    def body(self):
        return self.text.count("\n")

class Batches(Lines):
    def set_up(self):
        self.lines = 0

    def iteration_set_up(self):
        self.lines = self.lines % 5000 + 1000
        self.text = "a line\n" * self.lines

    def iteration_operations(self):
        return self.lines

def windows_of(invocations, body, marks, clock=time.perf_counter_ns):
    marks[0] = clock()
    marks[1] = marks[0] + 50
    for end in range(2, len(marks), 2):
        reference.loop(invocations, body)
        marks[end] = clock()
        marks[end + 1] = marks[end] + 50

reference.windows_of = windows_of
if "iterations" in sys.argv:
    Lines = Batches
reference.CASES = [(Lines, {})]
reference.main()
"#;

#[test]
fn operations_that_only_the_set_up_shows_are_those_of_the_case() {
    if !have("python3") {
        return skip("operations from a set-up", "python3 is not installed");
    }
    let place = Place::new("operations");
    place.python_child("reference_child.py");
    let child = place.script("lines.py", &format!("#!/usr/bin/env python3{LINES}"));
    let run = |more: &[&str]| {
        let output = ["-o", "r.measurements.csv", "--", &child];
        let flags = ["run"].iter().chain(&FEW).chain(&output).chain(more);
        place.command(flags).output().expect("tare runs")
    };
    let output = run(&[]);
    let screen = crate::support::out(&output);
    assert!(output.status.success(), "{}", crate::support::err(&output));
    assert!(screen.contains("width-probe  the width probe of") && screen.contains("too short"), "{screen}");
    assert!(!screen.contains("core-shared") && !screen.contains("others used the core"), "{screen}");
    let saved = place.run_json();
    assert_eq!(case_of(&saved, "Lines").0["operations"], 1000);
    let csv = place.read("r.measurements.csv");
    let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = rows.next().expect("names");
    let at = |name: &str| names.iter().position(|n| *n == name).expect("a column");
    let (invocations, operations) = (at("invocations"), at("operations"));
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let mut count = 0;
    for row in rows {
        assert_eq!(number(row[operations]), 1000 * number(row[invocations]), "{row:?}");
        count += 1;
    }
    assert!(count > 5, "{count} rows");
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    // Each iteration has another number of lines.
    let output = run(&["iterations"]);
    assert!(output.status.success(), "{}", crate::support::err(&output));
    let saved = place.run_json();
    let (benchmark, launches) = case_of(&saved, "Batches");
    assert_eq!(benchmark["operations"], 1);
    let series = launches[0]["series"].as_array().expect("series").iter().find(|s| s["stage"] == "actual");
    let columns = &series.expect("visits")["columns"];
    let counted: Vec<f64> = serde_json::from_value(columns["operations"].clone()).expect("a column");
    assert!(counted.len() > 5 && [1000.0, 2000.0, 5000.0].iter().all(|n| counted.contains(n)), "{counted:?}");
    let csv = place.read("r.measurements.csv");
    let row = csv.lines().rfind(|line| line.contains(",actual,")).expect("a visit");
    let row: Vec<&str> = row.split(',').collect();
    assert!(number(row[operations]) >= 1000 * number(row[invocations]), "{row:?}");
    let differ = run(&["differ"]);
    let screen = crate::support::out(&differ) + &crate::support::err(&differ);
    assert_eq!(differ.status.code(), Some(100), "{screen}");
    assert!(screen.contains("R25") && screen.contains("the same in every process"), "{screen}");
}
