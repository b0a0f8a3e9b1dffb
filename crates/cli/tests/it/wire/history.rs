//! A history: made of runs, shown in every form, never in the way of a run.

use super::page::{browser, seen};
use crate::support::{err, json, out, reference, Place, ROOT, SHORT};
use serde_json::{json as value, Value};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A recorded run with two benchmarks, as so many runs, in which the second is so many times as slow.
pub fn recorded(place: &Place, runs: usize, slow: impl Fn(usize) -> f64) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("fixtures/foreign/tare-run-1.json")).expect("a fixture");
    let fixture = json(&text);
    let make = |at: usize| {
        let mut run = fixture.clone();
        run["id"] = value!(format!("{:08x}", 0xabc0_0000_u32 + at as u32));
        run["created"] = value!(format!("2026-01-{:02}T04:05:06Z", at + 1));
        run["parts"][0]["environment"]["git"] =
            value!({"revision": format!("{:08x}{}", 0xabcd_ef00_u32 + at as u32, "0".repeat(32)), "dirty": false});
        let noise = 1.0 + 0.003 * [0.3, -0.8, 0.5, 0.1, -0.4, 0.9, -0.2][at % 7];
        for launch in run["launches"].as_array_mut().expect("launches") {
            let slow = if launch["case"] == 1 { slow(at) } else { 1.0 };
            for series in launch["series"].as_array_mut().expect("series").iter_mut().filter(|s| s["stage"] == "actual")
            {
                for column in ["elapsed_ns", "cpu_ns", "process_cpu_ns"] {
                    let values = series["columns"][column].as_array_mut().expect("a column");
                    values.iter_mut().for_each(|v| *v = value!(v.as_f64().expect("a number") * slow * noise));
                }
            }
        }
        place.write(&format!("saved/{at:02}.json"), &run.to_string());
        format!("saved/{at:02}.json")
    };
    (0..runs).map(make).collect()
}

/// The same in the history; from `slow_from` on the second benchmark is 1.3 times as slow.
pub fn added(place: &Place, runs: usize, slow_from: usize) {
    added_with(place, runs, |at| if at >= slow_from { 1.3 } else { 1.0 });
}

pub fn added_with(place: &Place, runs: usize, slow: impl Fn(usize) -> f64) {
    let names = recorded(place, runs, slow);
    let text = place.ends_with(0, ["history".to_owned(), "add".to_owned()].into_iter().chain(names));
    assert_eq!(text, format!("added {runs} runs to the history\n"));
}

#[test]
fn a_step_is_found_shown_and_fails_the_gate() {
    let place = Place::new("history");
    added(&place, 16, 10);
    let shown = place.ends_with(0, ["history"]);
    assert!(shown.contains("words/parse long") && shown.contains("slower 1.3"), "{shown}");
    assert!(shown.contains("`tare compare abcdef090000 abcdef0a0000 --filter 'words/parse long'`"), "{shown}");
    let one = place.ends_with(
        0,
        ["history", "parse long", "-o", "h.html", "-o", "h.svg", "-o", "h.png", "-o", "h.csv", "-o", "h.md"],
    );
    assert!(one.contains("since run abc0000a of 2026-01-11") && one.contains("ratios to `words/parse`"), "{one}");
    let all = json(&place.ends_with(0, ["history", "--format", "json"]));
    let trends = all["history"]["trends"].as_array().expect("trends");
    let steps = |name: &str| -> Vec<Value> {
        let trend = trends.iter().find(|trend| trend["name"] == name).expect("a trend");
        trend["steps"].as_array().expect("steps").clone()
    };
    assert_eq!((steps("words/parse").len(), steps("words/parse long").len()), (0, 1));
    assert_eq!(steps("words/parse long")[0]["confirmed"], true);
    assert_eq!(place.read("h.csv").lines().count(), 17);
    assert!(place.read("h.html").contains("Content-Security-Policy") && place.read("h.svg").contains("slower 1.3"));
    assert!(place.png_size("h.png")[0] > 1400);
    assert!(place.read("h.md").contains("words/parse long"));
    // The forms of results are those of a history, too; what makes no sense is refused by name before anything is written.
    place.write("newest.jinja", "{{ kind }}{% for case in cases %} {{ case.label }}{% endfor %}");
    let words = ["history", "-q", "--fail-on", "slower:20%", "-o", "h.junit.xml", "-o", "h.adoc", "-o", "h.prom"];
    place.fails_with(10, words);
    assert!(place.read("h.junit.xml").contains("<failure") && place.read("h.adoc").contains("words/parse long"));
    assert!(place.read("h.prom").contains("tare_gate_passed 0"), "{}", place.read("h.prom"));
    let made = place.ends_with(0, ["history", "--template", "newest.jinja"]);
    assert_eq!(made.trim_end(), "history words/parse words/parse long");
    for (file, said) in [
        ("h.go.txt", "the format `go` needs a run of Tare, with what each visit measured; this is a history"),
        ("h.box.png", "a history has no picture `box`"),
    ] {
        assert!(place.fails_with(2, ["history", "-o", "h2.md", "-o", file]).contains(said), "{file}");
    }
    assert!(!place.join("h2.md").exists());
    assert_eq!(place.tare(["history", "--fail-on", "slower:20%"]).status.code(), Some(10));
    place.ends_with(0, ["history", "--fail-on", "slower:40%", "--fail-on", "faster"]);
    // Of the newest runs alone there is nothing to compare with.
    let newest = place.ends_with(0, ["history", "--last", "5", "-q"]);
    assert_eq!(newest, "");
    place.ends_with(0, ["history", "prune", "--keep", "4"]);
    let left = json(&place.ends_with(0, ["history", "--format", "json"]));
    assert_eq!(left["history"]["runs"].as_array().map(Vec::len), Some(4));
    // Of four runs nothing can be confirmed: a gate that cannot fail says so.
    let gate = place.tare(["history", "--fail-on", "slower"]);
    let warning = String::from_utf8_lossy(&gate.stderr).into_owned();
    assert!(gate.status.success() && warning.contains("warning: the gate cannot fail on `words/parse`"), "{warning}");
}

/// Chooses the first and the last run on the page of a benchmark.
const COMPARE: &str = r#"
const boxes = [...document.querySelectorAll("table.cases input[type=checkbox]")].filter((box) => box.ariaLabel?.startsWith("Compare "));
for (const box of [boxes[0], boxes.at(-1)]) { box.checked = true; box.dispatchEvent(new Event("change")); }
const said = document.querySelector(".compare output").textContent;
return { boxes: boxes.length, said, links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")) };
"#;

/// Chooses the first and the last run on the page of all benchmarks.
const COMPARE_ALL: &str = r#"
const ends = [...document.querySelectorAll(".compare select")];
ends[0].value = String(ends[0].options.length - 1);
ends[0].dispatchEvent(new Event("change"));
const rows = [...document.querySelectorAll("table.cases tbody tr:not(.group)")];
return { runs: ends[0].options.length, from: ends[0].selectedOptions[0].textContent, said: document.querySelector(".compare output").textContent,
  rows: rows.map((row) => row.textContent), shown: rows.every((row) => row.cells[row.cells.length - 1].offsetHeight > 0) };
"#;

#[test]
fn a_site_has_a_page_for_each_benchmark_that_stays_where_it_is() {
    let place = Place::new("history-site");
    added(&place, 16, 10);
    let written = place.tare(["history", "--site", "public", "--fail-on", "slower:20%"]);
    assert_eq!(written.status.code(), Some(10), "the gate counts as without a site");
    let said = err(&written);
    assert!(said.contains("the site has 2 benchmarks and 0 runs; 8 files written: public/index.html"), "{said}");
    let machine = fs::read_dir(place.join("public")).expect("a folder").filter_map(Result::ok);
    let machine = machine.map(|entry| entry.path()).find(|path| path.is_dir()).expect("the folder of the machine");
    let names: Vec<String> = fs::read_dir(&machine)
        .expect("files")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    let page = names.iter().find(|name| name.starts_with("words-parse-long-") && name.ends_with(".html"));
    let page = page.unwrap_or_else(|| panic!("{names:?}"));
    let folder = machine.file_name().expect("a name").to_string_lossy().into_owned();
    let index = place.read("public/index.html");
    assert!(index.contains(&format!("href=\"{folder}/{page}\"")) && index.contains("1 step"), "{page}");
    let feed = place.read("public/feed.xml");
    assert!(feed.contains("<title>words/parse long: slower</title>") && feed.contains(&format!("{folder}/{page}")));
    assert!(place.read("public/badge.svg").contains("1 slower"));
    let badge = place.read(format!("public/{folder}/{}", page.replace(".html", ".svg")));
    assert!(badge.contains("words/parse long") && badge.contains("<text"), "{badge}");
    let path = format!("public/{folder}/{page}");
    assert!(place.read(&path).contains("ratios to `words/parse`"));
    if let Some(browser) = browser() {
        let seen = seen(browser, &place, &path, COMPARE, &[]);
        let said = seen["said"].as_str().unwrap_or_default();
        assert_eq!(seen["boxes"], 16, "{seen}");
        assert!(said.starts_with("abc00000 to abc0000f: ratio 1.3"), "{seen}");
        assert!(seen["links"].as_array().is_some_and(|links| links.contains(&"index.html".into())), "{seen}");
        let all = crate::wire::page::seen(browser, &place, "public/index.html", COMPARE_ALL, &[]);
        let row = |at: usize| all["rows"][at].as_str().unwrap_or_default();
        assert_eq!((&all["runs"], &all["shown"]), (&16.into(), &true.into()), "{all}");
        assert!(all["from"].as_str().is_some_and(|from| from.starts_with("abc00000 of ")), "{all}");
        // What became slower stands first, with the ratio of its own page.
        assert!(
            row(0).contains("parse long") && said.contains("ratio 1.300 [") && row(0).contains("1.300 ["),
            "{said} {all}"
        );
        let mean = all["said"].as_str().unwrap_or_default();
        assert!(
            mean.starts_with("Geometric mean of 2 ratios: 1.1") && mean.contains("intervals above 1: 1, below: 0"),
            "{all}"
        );
    }
    // Nothing is new: nothing is written. A run more changes the pages, and no name of a page.
    let again = err(&place.tare(["history", "--site", "public", "-v"]));
    assert!(again.contains("0 files written, 8 unchanged"), "{again}");
    // The folder of somebody else is left alone.
    place.write("theirs/index.html", "<p>mine</p>");
    place.write("tare.txt", "");
    let refused = place.fails_with(2, ["history", "--site", "theirs"]);
    assert!(refused.contains("`theirs/index.html` was not written by Tare"), "{refused}");
    assert_eq!(place.read("theirs/index.html"), "<p>mine</p>");
    assert!(place.fails_with(2, ["history", "--site", "tare.txt"]).contains("`tare.txt` is not a folder"));
}

#[test]
fn runs_are_recorded_where_the_project_asks_and_never_lost() {
    let place = Place::new("history-record");
    let run = |place: &Place| place.tare(["run", reference(), "-f", "sum/*"].iter().chain(&SHORT));
    assert!(run(&place).status.success());
    assert!(!place.join(".tare/history.db").exists(), "nobody asked");
    place.write("tare.toml", "[history]\nrecord = true\n");
    assert!(run(&place).status.success());
    let mode = fs::metadata(place.join(".tare/history.db")).expect("a history").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let runs = |place: &Place| {
        let all = json(&place.ends_with(0, ["history", "--format", "json"]));
        all["history"]["runs"].as_array().expect("runs").len()
    };
    assert_eq!(runs(&place), 1);
    // What is shown of it cannot be made: the run is stored, and in the history.
    place.write("unknown.jinja", "{{ cases[0].tme }}");
    place.fails_with(2, ["run", reference(), "-f", "sum/*", "--template", "unknown.jinja"].iter().chain(&SHORT));
    assert_eq!(runs(&place), 2);
    // The run of before is in its folder.
    assert!(place.ends_with(0, ["history", "rebuild"]).contains("the history has 3 runs"));
    assert_eq!(runs(&place), 3);
    place.write(".tare/history.db", &"no database ".repeat(1000));
    let with_damage = run(&place);
    let warning = String::from_utf8_lossy(&with_damage.stderr).into_owned();
    assert!(with_damage.status.success() && out(&with_damage).contains("sum"), "{warning}");
    assert!(warning.contains("warning: the run is stored, but is not in the history"), "{warning}");
    let error = place.fails_with(96, ["history"]);
    assert!(error.contains("is damaged") && error.contains("`tare history rebuild`"), "{error}");
    let again = place.tare(["history", "rebuild"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("history.db.damaged-1"));
    assert_eq!(runs(&place), 4);
    // Damage that opening the file does not see.
    let path = place.join(".tare/history.db");
    let mut bytes = fs::read(&path).expect("a history");
    bytes[4096..].fill(0x5a);
    fs::write(&path, bytes).expect("written");
    let again = place.tare(["history", "rebuild"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("history.db.damaged-2"), "{again:?}");
    assert_eq!(runs(&place), 4);
}

#[test]
fn a_creep_is_shown_with_its_sum_and_fails_the_gate_that_asks_for_it() {
    let place = Place::new("history-creep");
    added_with(&place, 28, |at| 1.01_f64.powi(at as i32));
    let shown = place.ends_with(0, ["history", "-o", "h.html", "-o", "h.csv", "-o", "h.md"]);
    assert!(shown.contains("creep 1.30") || shown.contains("creep 1.31"), "{shown}");
    assert!(shown.contains("gradually over 27 runs, without a step: from run abc00000"), "{shown}");
    assert!(shown.contains("`tare compare abcdef000000 abcdef1b0000 --filter 'words/parse long'`"), "{shown}");
    assert!(!shown.contains("steps ("), "{shown}");
    let trends = json(&place.ends_with(0, ["history", "--format", "json"]))["history"]["trends"].clone();
    let creep = trends[1]["creep"].clone();
    assert_eq!((creep["first"].as_u64(), creep["last"].as_u64()), (Some(0), Some(27)), "{trends}");
    assert!(trends[0]["creep"].is_null());
    for file in ["h.html", "h.csv", "h.md"] {
        assert!(place.read(file).contains("creep"), "{file}");
    }
    let gate = |rule: &str| place.tare(["history", "-q", "--fail-on", rule]).status.code();
    assert_eq!([gate("creep"), gate("creep:40%"), gate("slower")], [Some(10), Some(0), Some(0)]);
    // A single run has no history.
    let error = place.fails_with(2, ["show", "saved/00.json", "--fail-on", "creep"]);
    assert!(error.contains("`tare history --fail-on creep`"), "{error}");
    // Of fewer than twenty runs none is seen: a gate that cannot fail says so.
    place.ends_with(0, ["history", "prune", "--keep", "12"]);
    let warning = String::from_utf8_lossy(&place.tare(["history", "--fail-on", "creep"]).stderr).into_owned();
    assert!(warning.contains("a creep is found from 20 runs that can be used, and it has 12"), "{warning}");
}

#[test]
fn what_is_not_there_is_named() {
    let place = Place::new("history-errors");
    assert!(place.fails_with(0, ["history"]).contains("`record = true` in the section `[history]` of `tare.toml`"));
    assert_eq!(json(&place.ends_with(0, ["history", "--format", "json"]))["format"], "tare-history");
    for words in [&["history", "--fail-on", "slower"][..], &["history", "--fail-on", "creep", "-o", "h.html"]] {
        assert!(place.fails_with(11, words).contains("the gate could not decide\n  "));
    }
    added(&place, 2, 9);
    let error = place.fails_with(4, ["history", "parse lnog"]);
    assert!(error.contains("did you mean `words/parse long`?"), "{error}");
    let error = place.fails_with(2, ["history", "--machine", "z80"]);
    assert!(error.contains("the machines are `AMD EPYC, 2 processors`"), "{error}");
    let error = place.fails_with(2, ["history", "-o", "h.pdf"]);
    assert!(error.contains("the extension of `h.pdf` is not an output format"), "{error}");
    let error = place.fails_with(2, ["history", "--fail-on", "limit"]);
    assert!(error.contains("can fail on `slower`, `faster` and `creep` alone"), "{error}");
    assert!(place.fails_with(2, ["history", "prune", "--keep", "x"]).contains("such as 500"));
    assert!(place.fails_with(2, ["history", "prune", "--keep", "0"]).contains("at least 1"));
    assert!(place.fails_with(2, ["history", "prune"]).contains("--keep"));
}
