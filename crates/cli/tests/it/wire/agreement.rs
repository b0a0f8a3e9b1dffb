//! What a stored run shows does not contradict itself, in any form: the ratio of two times lies within the interval of their ratio.

use crate::support::{json, Place, ROOT};

/// Two jobs on a core 10 % below its reference: by itself, one followed the clock and the other did not.
const MIXED_CLOCKS: &str = "fixtures/runs/mixed-clocks.json";

#[test]
fn times_at_a_far_clock_agree_with_their_ratio_in_every_form() {
    let place = Place::new("agreement");
    std::fs::copy(format!("{ROOT}/{MIXED_CLOCKS}"), place.join("run.json")).expect("a fixture");
    let screen = place.ends_with(0, ["show", "run.json", "-o", "r.csv", "-o", "r.html", "-o", "r.md", "-o", "r.json"]);
    let row = |name: &str| {
        let line = screen.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {screen}"));
        let time = line.split(" ns").next().and_then(|text| text.split_whitespace().last());
        (line.to_owned(), time.and_then(|time| time.parse::<f64>().ok()).expect("a time"))
    };
    let ((_, base), (line, fast)) = (row("1.00  base"), row(" fast "));
    let interval = line.split(['[', ']']).nth(1).expect("an interval");
    let ends: Vec<f64> = interval.split(", ").map(|end| end.parse().expect("a number")).collect();
    assert!((ends[0]..=ends[1]).contains(&(fast / base)) && !line.ends_with('!'), "{screen}");
    assert!(!screen.contains("times-and-ratio"), "{screen}");
    let mut rows = csv_rows(&place.read("r.csv"));
    let new = rows.pop().expect("two rows");
    let number = |row: &std::collections::BTreeMap<String, String>, name: &str| row[name].parse::<f64>().expect(name);
    let of_times = number(&new, "time_ns") / number(&rows[0], "time_ns");
    assert!(number(&new, "ratio_lower") <= of_times && of_times <= number(&new, "ratio_upper"), "{of_times}");
    assert_eq!((new["ratio_of_times"].as_str(), new["at_reference_clock"].as_str()), ("", "true"));
    assert_eq!(rows[0]["at_reference_clock"], "true");
    let report = json(&place.read("r.json"));
    let estimates = |case: usize| report["report"]["cases"][case]["outcome"].clone();
    let ns = |case: usize| estimates(case)["time"]["value_ns"].as_f64().expect("a time");
    assert!((ns(1) / ns(0) - of_times).abs() < 1e-9 && estimates(1)["ratio"]["ratio_of_times"].is_null());
    for file in ["r.html", "r.md"] {
        let text = place.read(file);
        assert!(text.contains("563.0") && !text.contains("times-and-ratio"), "{file}");
    }
}

/// The rows of a CSV without quoted fields but for the settings of jobs, by the names of their columns.
fn csv_rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let fields = |line: &str| {
        let (mut fields, mut is_quoted) = (vec![String::new()], false);
        for c in line.trim_end().chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => fields.push(String::new()),
                c => fields.last_mut().expect("a field").push(c),
            }
        }
        fields
    };
    let mut lines = text.lines().map(fields);
    let names = lines.next().expect("names");
    lines.map(|values| names.iter().cloned().zip(values).collect()).collect()
}
