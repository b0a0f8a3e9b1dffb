//! Forms that other tools read, templates, compressed files and the job summary, as a user gets them.

use crate::support::{json, reference, Place, ROOT, SHORT};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;

/// The benchmark that takes longer in the second run.
const SLOW: &str = "parse long";

/// A place with a recorded run of several launches and another one in files: in the second one a case takes four times as long. The others
/// take 0.01 % longer, since equal values would be those of the first run once more.
fn two_runs(name: &str) -> Place {
    let place = Place::new(name);
    let mut run =
        json(&std::fs::read_to_string(format!("{ROOT}/fixtures/foreign/tare-run-1.json")).expect("a fixture"));
    place.write("a.json", &run.to_string());
    let mut cases = run["plan"]["cases"].as_array().expect("cases").iter();
    let slow = cases.position(|case| case["benchmark"]["name"] == SLOW).expect("it is there");
    for launch in run["launches"].as_array_mut().expect("launches") {
        let factor = if launch["case"] == slow { 4.0 } else { 1.0001 };
        for series in launch["series"].as_array_mut().expect("series") {
            for name in ["elapsed_ns", "cpu_ns", "process_cpu_ns", "window_ns"] {
                let column = series["columns"].get_mut(name).and_then(Value::as_array_mut);
                for value in column.into_iter().flatten() {
                    *value = (value.as_f64().expect("a number") * factor).into();
                }
            }
        }
    }
    run["id"] = "0b5e55ed".into();
    place.write("b.json", &run.to_string());
    place
}

/// The verdict and the ratio of the slow benchmark, and the verdicts of all others.
fn compared(place: &Place, base: &str, new: &str) -> (Vec<(String, f64)>, Vec<String>) {
    let found = json(&place.ends_with(0, ["compare", base, new, "--format", "json"]));
    let rows = found["comparison"]["rows"].as_array().expect("rows").iter().filter(|row| row["metric"].is_null());
    let (mut of_it, mut of_others) = (Vec::new(), Vec::new());
    for row in rows {
        let verdict = row["verdict"].as_str().expect("a verdict").to_owned();
        // Not every form has names with spaces.
        let key: String = row["key"].as_str().expect("a key").chars().filter(|c| c.is_alphanumeric()).collect();
        match key.to_lowercase().ends_with(&SLOW.replace(' ', "")) {
            true => of_it.push((verdict, row["ratio"].as_f64().expect("a ratio"))),
            false => of_others.push(verdict),
        }
    }
    (of_it, of_others)
}

#[test]
fn what_is_written_for_other_tools_says_what_the_run_says() {
    let place = two_runs("foreign");
    let (of_runs, others_of_runs) = compared(&place, "a.json", "b.json");
    assert!(
        of_runs.len() == 1 && of_runs[0].0 == "slower" && others_of_runs.len() == 1,
        "{of_runs:?} {others_of_runs:?}"
    );
    // Repetitions of one process, as those tools make them, get no verdict from a single file.
    let forms = [
        ("go", "go.txt", "slower"),
        ("pyperf", "pyperf.json", "slower"),
        ("bdn-full", "bdn-full.json", "slower"),
        ("bdn-brief", "bdn-brief.json", "unclear"),
        ("google-benchmark", "google-benchmark.json", "unclear"),
        ("hyperfine", "hyperfine.json", "unclear"),
    ];
    let files = |side: &str| forms.map(|(_, end, _)| format!("{side}.{end}"));
    for side in ["a", "b"] {
        let words = files(side).into_iter().flat_map(|file| ["-o".to_owned(), file]);
        place.ends_with(0, ["show".to_owned(), format!("./{side}.json"), "-q".to_owned()].into_iter().chain(words));
        let words = [
            "show",
            &format!("./{side}.json"),
            "--template",
            "nanobench-json",
            "-o",
            &format!("{side}.nanobench.json"),
        ];
        place.ends_with(0, words);
    }
    let all = forms.into_iter().map(|(_, end, verdict)| (end, verdict)).chain([("nanobench.json", "unclear")]);
    for (end, verdict) in all {
        let (found, others) = compared(&place, &format!("a.{end}"), &format!("b.{end}"));
        assert_eq!(found.len(), 1, "{end}: {found:?}");
        assert_eq!(found[0].0, verdict, "{end}");
        assert!((found[0].1 / of_runs[0].1 - 1.0).abs() < 0.02, "{end}: {found:?} {of_runs:?}");
        assert_eq!(others.len(), others_of_runs.len(), "{end}");
        assert!(others.iter().all(|verdict| verdict != "slower" && verdict != "faster"), "{end}: {others:?}");
    }
}

#[test]
fn every_form_is_a_file_and_a_flag() {
    let place = Place::new("all-forms");
    place.ends_with(0, ["run", reference(), "-q"].into_iter().chain(SHORT));
    let forms = [
        ("stack-overflow", "r.stackoverflow.md", "\n    findings ("),
        ("jira", "r.jira.txt", "||"),
        ("asciidoc", "r.adoc", "|==="),
        ("junit", "r.junit.xml", "<testcase "),
        ("github-action", "r.github-action.json", "\"unit\": \"ns/op\""),
        ("openmetrics", "r.prom", "tare_time_seconds{"),
        ("google-benchmark", "r.google-benchmark.json", "\"real_time\": "),
        ("go", "r.go.txt", " ns/op"),
        ("pyperf", "r.pyperf.json", "\"values\": ["),
        ("hyperfine", "r.hyperfine.json", "\"times\": ["),
        ("bdn-full", "r.bdn-full.json", "\"LaunchIndex\": 1"),
        ("bdn-brief", "r.bdn-brief.json", "\"OriginalValues\": ["),
        ("bdn-full-xml", "r.bdn-full.xml", "<LaunchIndex>1</LaunchIndex>"),
        ("bdn-brief-xml", "r.bdn-brief.xml", "<OriginalValues>"),
    ];
    let outputs = forms.iter().flat_map(|(_, file, _)| ["-o", file]);
    place.ends_with(0, ["show", "latest", "-o", "r.bdn-full.json.gz"].into_iter().chain(outputs));
    for (flag, file, holds) in forms {
        let text = place.read(file);
        assert!(text.contains(holds), "{file}: {text}");
        assert!(!text.contains("NaN") || file.ends_with(".xml"), "{file}");
        assert_eq!(text, place.ends_with(0, ["show", "latest", &format!("--{flag}")]), "{file}");
    }
    // A form that is named decides, unless the file says that it is of another.
    let outputs = ["-o", "n.json", "-o", "n.log", "-o", "n.html"];
    let named = place.ends_with(0, ["show", "latest", "--bdn-full"].into_iter().chain(outputs));
    assert!(named == place.read("n.json") && named == place.read("n.log") && named == place.read("r.bdn-full.json"));
    assert!(place.read("n.html").starts_with("<!doctype html>"));
    let mut unpacked = String::new();
    let packed = std::fs::File::open(place.join("r.bdn-full.json.gz")).expect("a file");
    GzDecoder::new(packed).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, place.read("r.bdn-full.json"));
    // What was written compressed is a side like any other.
    let plain = "r.bdn-full.json";
    let of = |new| json(&place.ends_with(0, ["compare", plain, new, "--format", "json"]))["comparison"]["rows"].clone();
    let rows = of("r.bdn-full.json.gz");
    assert!(rows == of(plain) && rows.as_array().is_some_and(|rows| !rows.is_empty()), "{rows:#}");
    // When nothing can be measured they say so, each in its form.
    let outputs = forms.iter().flat_map(|(_, file, _)| ["-o", file]);
    place.ends_with(2, ["run", "no-such-file"].into_iter().chain(outputs));
    for (_, file, _) in forms {
        let text = place.read(file);
        if file.ends_with(".json") {
            json(&text);
        }
        assert!(file == "r.github-action.json" || file == "r.prom" || text.contains("no-such-file"), "{file}: {text}");
    }
    assert!(place.read("r.prom").contains("tare_exit_code 2\n"));
    // Two sides that hold no measurements are refused by name.
    place.write("x.json", &place.run_json().to_string());
    let refused = place.fails_with(2, ["compare", "x.json", "x.json", "-o", "x.go.txt"]);
    assert!(refused.contains("the format `go`") && refused.contains("`tare show RUN --go`"), "{refused}");
}

#[test]
fn a_template_makes_a_file_or_is_printed() {
    let place = Place::new("templates");
    place.ends_with(0, ["run", reference(), "-q"].into_iter().chain(SHORT));
    place.write("t.csv.jinja", "{% for case in cases %}{{ case.label }};{{ case.time_ns is number }}\n{% endfor %}");
    let printed = place.ends_with(0, ["show", "latest", "--template", "t.csv.jinja"]);
    assert!(printed.lines().count() >= 4 && printed.lines().all(|line| line.contains(';')), "{printed}");
    let screen = place.ends_with(0, ["show", "latest", "--template", "t.csv.jinja", "-o", "made.csv"]);
    assert_eq!((place.read("made.csv"), screen), (printed, place.ends_with(0, ["show", "latest"])));
    let words = ["run", reference(), "--template", "nanobench-boxplot", "-o", "box.html"];
    place.ends_with(0, words.into_iter().chain(SHORT));
    let page = place.read("box.html");
    assert!(page.contains("<rect class=\"box\"") && !page.contains("<script") && !page.contains("http"), "{page}");
    // A wrong template is refused before anything is measured.
    place.write("wrong.jinja", "one\n{% if run %}\n");
    let refused = place.fails_with(2, ["run", reference(), "--template", "wrong.jinja"]);
    assert!(refused.starts_with("error: the template `wrong.jinja`, line "), "{refused}");
    place.write("unknown.jinja", "one\n{{ cases[0].tme }}\n");
    let refused = place.fails_with(2, ["show", "latest", "--template", "unknown.jinja"]);
    assert!(refused.contains("`unknown.jinja`, line 2: undefined value: `cases[0].tme`"), "{refused}");
    assert!(refused.contains("hint: `tare help templates` lists names, types and filters"), "{refused}");
    for (given, said) in
        [("nanobench-xml", "there is no template `nanobench-xml`"), ("no/such.jinja", "there is no template file")]
    {
        let refused = place.fails_with(2, ["show", "latest", "--template", given]);
        assert!(refused.contains(said), "{refused}");
    }
    let refused = place.fails_with(2, ["show", "latest", "--csv", "--template", "t.csv.jinja"]);
    assert!(refused.contains("exclude each other"), "{refused}");
}

#[test]
fn the_job_summary_is_appended_to() {
    let place = Place::new("summary");
    let refused = place.fails_with(2, ["run", reference(), "--job-summary"].into_iter().chain(SHORT));
    assert!(refused.contains("`GITHUB_STEP_SUMMARY`"), "{refused}");
    place.write("summary", "# Of another step\n");
    for (words, code) in [(&["run", reference()][..], 0), (&["run", "no-such-file"], 2)] {
        let mut command =
            place.command(words.iter().copied().chain(["--job-summary", "-q"]).chain(SHORT.into_iter().skip(1)));
        let output = command.env("GITHUB_STEP_SUMMARY", place.join("summary")).output().expect("tare runs");
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = place.read("summary");
    let parts = ["# Of another step\n", "\n| ", "### Tare: nothing was measured"];
    let places: Vec<Option<usize>> = parts.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
}

/// hyperfine's form means the runs of a command: all of them, each in seconds.
#[test]
fn times_of_commands_are_those_of_their_runs() {
    let place = Place::new("hyperfine-form");
    place.ends_with(0, ["time", "--quick", "-N", "true", "-o", "t.hyperfine.json", "-q"]);
    let found: Value = json(&place.read("t.hyperfine.json"));
    let result = &found["results"][0];
    assert_eq!(result["command"], "true");
    let times = result["times"].as_array().expect("times").len();
    let visits: usize = place.run_json()["launches"]
        .as_array()
        .expect("launches")
        .iter()
        .flat_map(|launch| launch["series"].as_array().expect("series"))
        .filter(|series| series["stage"] == "actual")
        .map(|series| series["round"].as_array().expect("rounds").len())
        .sum();
    assert!(times > 0 && times <= visits, "{times} of {visits}");
    assert!(result["user"].is_number() && result["system"].is_number(), "{result}");
}
