//! One run in every form: the live screen and `tare show` are the same bytes, and other readers read the files.

use crate::support::{have, python, reference, skip, Place, FIXED, ROOT, SHORT};
use std::io::Read;

#[test]
fn show_prints_what_the_live_run_printed_in_every_form() {
    let place = Place::new("show");
    let forms: [(&[&str], &[&str]); 6] = [
        (&[], &[]),
        (&["-q"], &["-q"]),
        (&["--ascii", "-v"], &["--ascii", "-v"]),
        (&["--color", "always"], &["--color", "always"]),
        (&["--format", "md"], &["--md"]),
        (&["--format", "measurements"], &["--measurements"]),
    ];
    for (run, show) in forms {
        let live = place.ends_with(0, ["run", reference()].iter().chain(&SHORT).chain(run));
        let folder = place.only_run();
        let id = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let names = [id.as_str(), &id[..4], folder.to_str().expect("UTF-8"), "latest"];
        // Of all names once: which run is meant has nothing to do with the form.
        for name in &names[if run.is_empty() { 0 } else { 3 }..] {
            let shown = place.ends_with(0, ["show", *name].iter().chain(show));
            assert_eq!(live, shown, "{run:?} {name}");
        }
        std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    }
}

#[test]
fn a_failed_case_is_shown_alike_live_and_later() {
    let place = Place::new("show-failed");
    let program = place.misbehave("segfault@body");
    for (run, show) in [(&["-v"][..], &["-v"][..]), (&["--format", "md"], &["--md"])] {
        let live = place.ends_with(100, ["run", &program].iter().chain(&FIXED).chain(run));
        assert_eq!(live, place.ends_with(0, ["show", "latest"].iter().chain(show)));
        std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    }
}

#[test]
fn files_are_the_same_as_the_forms_of_show() {
    let place = Place::new("files");
    let pictures = [
        "r.svg",
        "r.bars.svg",
        "r.box.svg",
        "r.density.svg",
        "r.strip.svg",
        "r.mean.svg",
        "r.timeline.svg",
        "r.scaling.svg",
    ];
    let names = [&["r.txt", "r.md", "r.html", "r.csv", "r.json", "r.measurements.csv"][..], &pictures].concat();
    let in_pixels = ["r.strip.png"];
    let outputs = names.iter().chain(&in_pixels).flat_map(|name| ["-o", name]);
    let two = ["run", reference(), "--filter", "sum/formula*"];
    let screen = place.ends_with(0, two.into_iter().chain(SHORT).chain(outputs));
    assert_eq!(place.read("r.txt"), screen);
    let flags = [
        "--md",
        "--html",
        "--csv",
        "--json",
        "--measurements",
        "--svg",
        "--bars",
        "--box",
        "--density",
        "--strip",
        "--mean",
        "--timeline",
        "--scaling",
    ];
    for (file, flag) in names[1..].iter().zip(flags) {
        // What can show nothing is an error where only that was asked for.
        let code = if ["--mean", "--scaling"].contains(&flag) { 4 } else { 0 };
        assert_eq!(place.read(file), place.ends_with(code, ["show", "latest", flag]), "{file}");
    }
    let said = place.fails_with(4, ["show", "latest", "-o", "again.scaling.svg"]);
    assert!(said.contains("warning: `again.scaling.svg` shows nothing: no numeric parameter"), "{said}");
    let said = place.fails_with(2, ["show", "latest", "-o", "again.nonsense.svg"]);
    assert!(said.contains("`again.nonsense.svg`") && said.contains(".flame.svg"), "{said}");
    place.ends_with(4, ["show", "latest", "-o", "again.flamegraph.svg"]);
    // And again from the stored run.
    let again = place.tare(["show", "latest", "-o", "again.csv"]);
    assert_eq!((again.status.code(), crate::support::err(&again).as_str()), (Some(0), "wrote again.csv\n"));
    assert_eq!(place.read("again.csv"), place.read("r.csv"));
    assert_eq!(crate::support::err(&place.tare(["show", "latest", "-q", "-o", "again.csv"])), "");
    for file in pictures {
        let text = place.read(file);
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && text.ends_with("</svg>\n"), "{file}");
        // No parameter of the reference child is a number with three values, and there are too few launches.
        let why = match file {
            "r.scaling.svg" => "nothing to draw: no numeric parameter",
            "r.mean.svg" => "nothing to draw: no case has four launches",
            _ => "",
        };
        assert_eq!(text.contains("nothing to draw"), !why.is_empty(), "{file}");
        assert!(text.contains(why) && (!why.is_empty() || text.contains("<path")), "{file}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{file}");
    }
    for file in in_pixels {
        let svg = place.read(file.replace(".png", ".svg"));
        let size = ["width", "height"].map(|side| {
            let number = svg.split(&format!(" {side}=\"")).nth(1).and_then(|rest| rest.split('"').next());
            number.and_then(|text| text.parse::<f64>().ok()).expect("a size")
        });
        assert_eq!(place.png_size(file), size.map(|points| (2.0 * points).ceil() as u32), "{file}");
    }
    let left: Vec<_> = std::fs::read_dir(place.join("")).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".r.")), "{left:?}");
}

/// The theme of a picture is in its name; letters that its font has not are named.
#[test]
fn a_picture_has_a_theme_and_letters_of_other_scripts() {
    let place = Place::new("pictures");
    let text = std::fs::read_to_string(format!("{ROOT}/fixtures/foreign/tare-run-1.json")).expect("a fixture");
    place.write("plain.json", &text);
    let follows = place.ends_with(0, ["show", "./plain.json", "--svg"]);
    let names = ["p.dark.svg", "p.light.svg", "p.dark.png", "p.dark.svg.gz"];
    place.ends_with(0, ["show", "./plain.json"].into_iter().chain(names.iter().flat_map(|name| ["-o", name])));
    let (dark, light) = (place.read("p.dark.svg"), place.read("p.light.svg"));
    assert!(follows.contains("@media (prefers-color-scheme:dark)") && !(dark.clone() + &light).contains("@media"));
    assert!(dark.len() > light.len() && follows.len() > dark.len(), "{dark}");
    assert!(place.png_size("p.dark.png")[0] > 1000);
    let packed = std::fs::read(place.join("p.dark.svg.gz")).expect("a file");
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, dark);
    place.write("names.json", &text.replace("\"parse long\"", "\"漢字\""));
    let output = place.tare(["show", "./names.json", "-q", "-o", "n.png", "-o", "n.svg"]);
    let said = crate::support::err(&output);
    let wanted = "warning: `n.png` shows boxes for letters that are neither Latin, Greek nor Cyrillic: 字 漢; browsers show them in `-o n.svg`\n";
    assert_eq!((output.status.code(), said.as_str()), (Some(0), wanted));
}

const READ_FORMS: &str = r#"
import csv, json, math, sys
folder = sys.argv[1]
report = json.load(open(f"{folder}/r.json", encoding="utf-8"), parse_constant=lambda name: sys.exit(f"{name} is no JSON"))
assert (report["format"], report["version"]) == ("tare-report", "1.0")
rows = list(csv.DictReader(open(f"{folder}/r.csv", encoding="utf-8", newline=""), strict=True))
cases = report["report"]["cases"]
assert len(rows) == len(cases), (len(rows), len(cases))
number = lambda text: float(text) if text else None
for row, case in zip(rows, cases):
    assert None not in row and None not in row.values(), "a row is as long as the head"
    assert row["case"] == case["key"] and row["group"] == case["group"] and row["name"] == case["name"]
    outcome = case["outcome"]
    assert row["outcome"] == outcome["outcome"]
    if outcome["outcome"] != "measured":
        assert row["failure"], row
        continue
    if outcome["time"]["kind"] == "resolved":
        assert number(row["time_ns"]) == outcome["time"]["value_ns"]
    assert number(row["raw_ns"]) == (outcome["raw"] and outcome["raw"]["value"])
    assert number(row["wall_ns"]) == outcome["wall_ns"]
    assert int(row["launches"]) == len(outcome["launches"])
    if outcome["ratio"]:
        assert number(row["ratio"]) == outcome["ratio"]["ratio"] and row["verdict"] == outcome["ratio"]["verdict"]
# Every raw measurement of the run stands in the table of measurements.
run = json.load(open(sys.argv[2], encoding="utf-8"))
table = list(csv.DictReader(open(f"{folder}/r.measurements.csv", encoding="utf-8", newline=""), strict=True))
raw = sorted((l["id"], s["stage"], e) for l in run["launches"] for s in l["series"] for e in s["columns"]["elapsed_ns"])
reported = sorted((int(r["launch"]), r["stage"], float(r["elapsed_ns"])) for r in table)
assert raw == reported, (len(raw), len(reported), raw[:3], reported[:3])
# So do the windows of every iteration, and the readings between them.
for name in ("window_ns", "width_ns"):
    raw_of = sorted((l["id"], s["stage"], sum(s["columns"].get(name, []))) for l in run["launches"] for s in l["series"])
    found = {}
    for r in table:
        found.setdefault((int(r["launch"]), r["stage"]), []).extend(float(v) for v in r[name].split())
    total = {}
    for launch, stage, value in raw_of:
        total[launch, stage] = total.get((launch, stage), 0.0) + value
    assert all(abs(sum(found.get(k, [])) - v) <= 1e-9 * abs(v) for k, v in total.items()), name
    assert any(total.values()), name
# Markdown: all rows of a table have as many cells as its head.
cells = lambda line: line.replace("\\|", "").count("|")
lines = open(f"{folder}/r.md", encoding="utf-8").read().splitlines()
tables = 0
for n, line in enumerate(lines):
    if n and line.startswith("|") and set(line) <= set("|-: "):
        tables += 1
        width, at = cells(lines[n - 1]), n
        while at < len(lines) and lines[at].startswith("|"):
            assert cells(lines[at]) == width, lines[at]
            at += 1
assert tables >= 1
print(len(raw), "measurements,", len(rows), "rows")
"#;

#[test]
fn other_readers_read_the_files() {
    if !have("python3") {
        return skip("files are read by Python", "no python3");
    }
    let place = Place::new("readers");
    let program = place.misbehave("exception@body");
    let outputs = ["r.md", "r.csv", "r.json", "r.measurements.csv"].iter().flat_map(|name| ["-o", name]);
    place.ends_with(100, ["run", reference(), &program].into_iter().chain(SHORT).chain(outputs));
    let run = place.only_run().join("run.json");
    let reported = python(READ_FORMS, [place.join("").as_os_str(), run.as_os_str()]);
    assert!(reported.contains("8 rows"), "{reported}");
}
