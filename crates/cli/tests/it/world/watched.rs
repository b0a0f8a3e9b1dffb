//! Diagnosers that look at a real program: who allocates, system calls, exceptions, instructions in a simulated processor, counters,
//! samples, `tare why`. All tests look at `fixtures/children/watched.cpp`, which is built once for all of them. What is asserted is counted
//! or named, so that none depends on a time.

use crate::support::{err, have, json, out, skip, Place, ROOT};
use crate::wire::page::{browser, seen};
use serde_json::Value;

const FEW: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii", "--no-align"];
const FILTER: &str = "--filter";

/// The two programs.
fn programs() -> [String; 2] {
    ["watched", "changed"].map(|name| format!("{ROOT}/fixtures/children/{name}.cpp"))
}

/// Whether this can be had here; it is skipped by name otherwise.
fn can(what: &str, tools: &[&str]) -> bool {
    let is_here = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    let can = is_here && tools.iter().all(|tool| have(tool));
    if !can {
        skip(what, &format!("it needs {}, and Linux with glibc on x86-64", tools.join(" and ")));
    }
    can
}

/// A metric of a case.
fn value(report: &Value, case: &str, metric: &str) -> Option<f64> {
    let named = |all: &Value, name: &str| all.as_array()?.iter().find(|of| of["name"].as_str() == Some(name)).cloned();
    named(&named(&report["report"]["cases"], case)?["outcome"]["metrics"], metric)?["value"].as_f64()
}

/// On one line: the screen breaks lines anywhere.
fn flat(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_the_body_does_is_counted_from_within_its_process() {
    if !can("diagnosers within the process", &["g++", "cc"]) {
        return;
    }
    let [watched, changed] = programs();
    let place = Place::new("inside");
    let filters = ["sites", "calls", "throws", "sleeps", "text15", "text16"].map(|name| [FILTER, name]).concat();
    let more = ["--diagnose", "allocations,syscalls,threads", "-o", "r.json", "-o", "a.folded"];
    let screen = place.ends_with(0, ["run", &watched].iter().chain(&filters).chain(&more).chain(&FEW));
    let report = json(&place.read("r.json"));
    let of = |case: &str, metric: &str| value(&report, case, metric);
    // Where no process may be traced that is said.
    if !screen.contains("does not allow to trace") {
        assert_eq!((of("calls", "syscalls/made"), of("sites", "syscalls/made")), (Some(3.0), Some(0.0)), "{screen}");
        assert_eq!(of("sleeps", "syscalls/made"), Some(1.0), "{screen}");
        assert_eq!(of("calls", "syscalls/futex_waits"), Some(0.0), "{screen}");
    }
    // A declaration asks for its own benchmark alone; what there is not is said by name.
    assert_eq!((of("throws", "exceptions/thrown"), of("calls", "exceptions/thrown")), (Some(1.0), None), "{screen}");
    let findings = report["report"]["findings"].as_array().expect("findings");
    let lacks: Vec<&Value> = findings.iter().filter(|of| of["code"] == "not-diagnosed").collect();
    assert!(lacks.iter().any(|of| of["evidence"].to_string().contains("no-such")), "{screen}");
    assert!(of("sleeps", "threads/voluntary").is_none_or(|switches| switches > 0.5), "{screen}");
    let memory =
        |case: &str| ["allocations", "allocated_bytes", "peak_bytes"].map(|m| of(case, &format!("memory/{m}")));
    assert_eq!((memory("text15"), memory("text16")), ([Some(0.0); 3], [Some(1.0), Some(17.0), Some(17.0)]), "{screen}");
    // Both tables name the functions that want the memory.
    for part in ["alloc/op", "who allocates in w/sites", "one_large()", "two_small()", "100", "56"] {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    let folded = place.read("a.folded");
    let count = |what: &str, function: &str| -> u64 {
        let its =
            folded.lines().filter(|line| line.contains("w/sites") && line.contains(what) && line.contains(function));
        its.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    };
    let blocks = count(", allocated blocks", "one_large()");
    assert!(blocks > 0, "{folded}");
    assert_eq!(count(", allocated bytes", "one_large()"), 100 * blocks, "{folded}");
    assert_eq!(count(", allocated blocks", "two_small()"), 2 * blocks, "{folded}");
    assert_eq!(count(", allocated bytes", "two_small()"), 56 * blocks, "{folded}");
    assert!(!folded.contains("operator new") && !folded.contains("tare_"), "{folded}");

    // A limit asks for the counts by itself.
    place.write("tare.toml", "[limits]\n\"w/text15\" = { allocations = 0 }\n\"w/text16\" = { allocations = 0 }\n");
    let said = place.fails_with(10, ["run", &watched, FILTER, "w/text*"].iter().chain(&FEW));
    assert!(said.contains("w/text16: allocations <= 0: 1 per operation") && !said.contains("text15: alloc"), "{said}");
    std::fs::remove_file(place.join("tare.toml")).expect("removed");

    // Two sides, from the store: a function that allocates more is marked, and the other is not.
    let words = ["compare", &watched, &changed, FILTER, "sites", FILTER, "mix", "-v", "--layouts", "1"];
    let compared = place.tare(words.into_iter().chain(["--diagnose", "allocations"]).chain(FEW));
    let tree = place.ends_with(0, ["show", "latest", "--flame", "--ascii"]);
    let line = |name: &str| tree.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(line("one_large()").contains(" + ") && line("one_large()").contains(" 300 "), "{tree}");
    assert!(!line("two_small()").contains(" + ") && !line("two_small()").contains(" - "), "{tree}");
    // What one side calls and the other has inlined.
    let text = flat(&out(&compared)).replace(&format!("{ROOT}/fixtures/children/"), "");
    let found = "inlined-differently w/mix of `changed.cpp`: called in `changed.cpp`, inlined in `watched.cpp`: `mix`";
    assert!(text.contains(found) && text.matches(" inlined-differently ").count() == 1, "{text}{}", err(&compared));
}

#[test]
fn instructions_are_counted_exactly_and_exact_counts_have_verdicts_and_limits() {
    if !can("--diagnose instructions", &["valgrind", "g++"]) {
        return;
    }
    let [watched, changed] = programs();
    let place = Place::new("instructions");
    let run = |filters: &[&str], more: &[&str]| {
        let filters: Vec<&str> = filters.iter().flat_map(|name| [FILTER, *name]).collect();
        let screen = place.ends_with(0, ["run", &watched].iter().chain(&filters).chain(more).chain(&FEW));
        (screen, json(&place.read("r.json")))
    };
    let more = ["--limit", "w/nops: instructions <= 100", "--invocations", "64", "-v", "-o", "r.json"];
    let (screen, report) = run(&["nops", "wide"], &[&more[..], &["--diagnose", "instructions"]].concat());
    assert!(screen.contains("instructions/*: measured in a separate pass after the times"), "{screen}");
    // Exactly: the loop around it is that of the empty one.
    assert_eq!(value(&report, "nops", "instructions/executed"), Some(100.0), "{screen}");
    // The loop is predicted right always.
    assert!(value(&report, "nops", "instructions/mispredicted").is_some_and(|count| count < 0.05), "{report}");
    // What valgrind does not know costs its case alone.
    assert!(screen.contains("not-diagnosed") && screen.contains("valgrind does not know an instruction"), "{screen}");
    place.write("tare.toml", "[limits]\n\"w/nops\" = { instructions = 99 }\n");
    place.ends_with(10, ["show", "latest", "--fail-on", "limit"]);
    std::fs::remove_file(place.join("tare.toml")).expect("removed");

    // One more on the other side.
    let words = ["compare", &watched, &changed, FILTER, "nops", "--layouts", "1", "--invocations", "64"];
    let more = ["--diagnose", "instructions", "--fail-on", "counts", "-o", "c.json"];
    place.ends_with(10, words.into_iter().chain(more).chain(FEW));
    let rows = json(&place.read("c.json"))["comparison"]["rows"].clone();
    let is_its = |row: &&Value| row["metric"]["unit"] == "instructions/executed/op";
    let row = rows.as_array().expect("rows").iter().find(is_its).unwrap_or_else(|| panic!("{rows}"));
    assert_eq!((row["verdict"].as_str(), row["ratio"].as_f64()), (Some("slower"), Some(1.01)), "{row}");

    // What cannot be counted by the processor itself is named with what can.
    let words = ["run", &watched, FILTER, "nops", "--diagnose", "counters", "-o", "r.json"];
    let done = place.tare(words.into_iter().chain(FEW));
    if !done.status.success() {
        // A container that forbids all of it.
        assert!(err(&done).contains("cannot be counted"), "{}", err(&done));
        return skip("--diagnose counters", err(&done).lines().next().unwrap_or_default());
    }
    let report = json(&place.read("r.json"));
    let counted = ["cycles", "page_faults"].map(|name| value(&report, "nops", &format!("counters/{name}")));
    let remarks = report["report"]["findings"].to_string();
    assert!(counted.iter().any(Option::is_some), "{report}");
    for (name, counted) in ["cycles", "page_faults"].iter().zip(counted) {
        assert!(counted.is_some() || remarks.contains(name), "{name} is neither counted nor named: {report}");
    }
}

#[test]
fn what_differs_is_counted_whatever_the_times_are() {
    if !can("tare why", &["valgrind", "g++"]) {
        return;
    }
    let [watched, changed] = programs();
    let place = Place::new("why");
    let few = ["--launches", "2", "--rounds", "5", "--layouts", "1", "--invocations", "64", "--ascii", "--no-align"];
    let files = ["-o", "w.json", "-o", "w.csv", "-o", "w.html"];
    let screen = place.ends_with(0, ["why", &watched, &changed, "w/branch"].into_iter().chain(files).chain(few));
    let document = json(&place.read("w.json"));
    let case = &document["cases"][0];
    let evidence = case["evidence"].as_array().expect("evidence");
    // Its rank goes by the times of these few visits.
    let first = evidence.iter().find(|found| found["kind"] == "mispredictions").expect("mispredictions");
    assert_eq!(document["format"].as_str(), Some("tare-why"));
    let values = |at: usize| first["values"][at].as_f64().expect("a count");
    // Of 256 branches in random order every other one.
    assert!(values(0) < 20.0 && (80.0..176.0).contains(&values(1)), "{case}");
    assert!(case["equal"].to_string().contains("\"instructions\""), "{case}");
    assert!(screen.contains("mispredicted branches") && !screen.to_lowercase().contains("because"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 120), "{screen}");
    // One screen: what is attached is named with the evidence.
    assert!(
        screen.lines().filter(|line| !line.starts_with("[")).count() <= 30 && !screen.contains("attachments ("),
        "{screen}"
    );
    assert!(screen.contains("next: tare show ") && screen.contains(" -v"), "{screen}");
    assert!(place.read("w.csv").starts_with("benchmark,rank,kind") && place.read("w.html").contains("mispredicted"));
    // A stored run says it again, and nothing runs for it.
    let again = place.ends_with(0, ["show", "latest", "--ascii"]);
    assert!(again.contains("mispredicted branches"), "{again}");

    // One alone has parts.
    let alone = ["--launches", "2", "--rounds", "5", "--invocations", "64", "--ascii", "--no-align", "-o", "w.json"];
    let screen = place.ends_with(0, ["why", &watched, "w/nops"].into_iter().chain(alone));
    assert!(screen.contains("w/nops: ") && screen.contains("100 instructions (simulated)"), "{screen}");
    let parts = json(&place.read("w.json"))["cases"][0]["parts"].clone();
    assert!(parts.as_array().is_some_and(|parts| parts.len() > 3), "{parts}");
    // A stored run says it again, and is a side like another.
    let again = place.ends_with(0, ["why", "latest", "w/nops", "--ascii"]);
    assert!(again.contains("w/nops: ") && again.contains("100 instructions (simulated)"), "{again}");
    let pair = place.ends_with(0, ["why", "latest", "latest", "--ascii"]);
    assert!(pair.contains("equal on both sides: instructions"), "{pair}");
    for words in [["why", "latest", "nothing"], ["why", &watched, "nothing"]] {
        assert!(place.fails_with(4, words).contains("nothing"));
    }
    place.ends_with(0, ["run", &watched, FILTER, "nops"].iter().chain(&FEW));
    let said = place.fails_with(2, ["why", "latest~1", "latest"]);
    assert!(said.contains("no diagnoser looked at run") && said.contains("--diagnose code,"), "{said}");
}

/// Zooms to a frame by the keyboard, goes back, and searches.
const ZOOM: &str = r#"
const svg = document.querySelector("svg.chart:has(.frame)");
const frames = [...svg.querySelectorAll(".frame")];
const widths = () => frames.map((frame) => Number(frame.querySelector("rect").getAttribute("width")));
const key = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const whole = widths();
const at = frames.findIndex((frame) => frame.textContent.includes("light()"));
frames[at].focus();
key("Enter");
const zoomed = widths()[at] === svg.viewBox.baseVal.width;
key("Escape");
const back = widths().every((width, at) => width === whole[at]);
const search = document.querySelector(".flame input");
search.value = "HEAVY";
search.dispatchEvent(new Event("input"));
return { zoomed, back, hits: svg.querySelectorAll(".hit").length, said: document.querySelector(".flame span").textContent };
"#;

/// Which functions samples are in. No share is asserted: on a busy machine there may be few.
#[test]
fn both_functions_of_a_profile_are_named_in_every_form() {
    if !can("--diagnose profile", &["g++"]) {
        return;
    }
    let [watched, _] = programs();
    let place = Place::new("profile");
    let words = ["profile", &watched, "w/both", "--for", "300ms", "--ascii", "--no-align", "-o", "p.html"];
    let done = place.tare(words);
    if done.status.code() == Some(2) && err(&done).contains("the diagnoser `profile` cannot be started") {
        return skip("--diagnose profile", err(&done).lines().next().unwrap_or_default());
    }
    let said = out(&done) + &err(&done);
    assert_eq!(done.status.code(), Some(0), "{said}");
    for part in ["where the time of w/both goes", "heavy()", "light()", "profile.folded"] {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
    assert!(!said.contains("w/one"), "{said}");
    let page = place.read("p.html");
    assert!(page.contains("class=\"frame\"") && page.contains("heavy()"), "the page has no flame graph");
    if let Some(browser) = browser() {
        let seen = seen(browser, &place, "p.html", ZOOM, &[]);
        assert_eq!((&seen["zoomed"], &seen["back"]), (&true.into(), &true.into()), "{seen}");
        assert!(
            seen["hits"].as_u64() > Some(0) && seen["said"].as_str().is_some_and(|said| said.contains("frame")),
            "{seen}"
        );
    }
    // All of it from the store.
    let files = ["p.svg", "p.folded", "p.speedscope.json", "p.firefox.json", "p.pprof"];
    let outputs = files.iter().flat_map(|file| ["-o", file]);
    let tree = place.ends_with(0, ["show", "latest", "--ascii", "--flame", "both"].into_iter().chain(outputs));
    assert!(tree.contains("heavy()") && tree.contains("light()"), "{tree}");
    for file in files {
        let content = std::fs::read(place.join(file)).expect("it was written");
        assert!(content.windows(7).any(|part| part == b"heavy()"), "{file}");
    }
    // The body is the root: nothing of Tare is above it.
    let folded = place.read("p.folded");
    assert!(folded.lines().all(|line| !line.starts_with("main") && !line.contains("tare_iterate_")), "{folded}");
    let none = place.fails_with(2, ["show", "latest", "--flame", "nothing"]);
    assert!(none.contains("fits `nothing` has a profile"), "{none}");
}

#[test]
#[ignore = "takes many samples"]
fn two_profiled_programs_are_one_tree() {
    if !can("--diagnose profile", &["g++"]) {
        return;
    }
    let [watched, changed] = programs();
    let place = Place::new("profile");
    let words = ["profile", &changed, "w/one", "--for", "200ms", "--before", &watched, "--ascii", "--no-align"];
    let done = place.tare(words);
    if done.status.code() == Some(2) && err(&done).contains("the diagnoser `profile` cannot be started") {
        return skip("--diagnose profile", err(&done).lines().next().unwrap_or_default());
    }
    let tree = place.ends_with(0, ["show", "latest", "--flame", "--ascii"]);
    let marked = |name: &str, mark: &str| tree.lines().any(|line| line.contains(name) && line.contains(mark));
    // Each is all of one side, whatever the machine does.
    assert!(marked("light()", " - ") && marked("heavy()", " + "), "{tree}{}", err(&done));
}

/// Where the kernel takes no samples.
#[test]
#[ignore = "takes many samples"]
fn a_timer_takes_the_samples_where_the_kernel_takes_none() {
    if !can("profiles by a timer", &["g++", "python3"]) {
        return;
    }
    let (place, [watched, _]) = (Place::new("profile-timer"), programs());
    let words = ["run", &watched, FILTER, "both", "-v", "--diagnose", "profile", "--diagnose-for", "300ms"];
    let allowed = place.command(words.into_iter().chain(FEW));
    let mut command = place.other("python3");
    command.arg(format!("{ROOT}/fixtures/without_samples.py")).arg(allowed.get_program()).args(allowed.get_args());
    let done = command.output().expect("it starts");
    let said = flat(&(out(&done) + &err(&done)));
    if said.contains("no filter can be set") {
        return skip("profiles by a timer", &said);
    }
    assert!(said.contains("a timer in the process took the samples") && said.contains("(EPERM)"), "{said}");
    assert!(said.contains("light()") && said.contains("by a timer in the process"), "{said}");
}
