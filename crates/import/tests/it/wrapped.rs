//! JSON among other things, several documents in one file, and numbers of a locale, for all tools that write JSON.

use crate::files::text;
use crate::{read, refused};
use tare_analysis::SavedDesign;

const JSON: [&str; 7] = [
    "benchmarkdotnet-report-full.json",
    "google-benchmark.json",
    "hyperfine.json",
    "jmh.json",
    "nanobench.json",
    "pyperf.json",
    "pytest-benchmark.json",
];

#[test]
fn text_may_stand_around_every_json() {
    for file in JSON {
        let bare = text(file);
        let expected = read(bare);
        for wrapped in [
            format!("[info] loading 12 files\n{bare}"),
            format!("{bare}\nsaved to disk\n"),
            format!("Running ./bench {{fast}}\n{{\"level\":\"info\",\"n\":[1]}}\n{bare}\nPASS\n"),
            format!("{{\"machine\": \"m\", \"benches\": [{bare}], \"note\": [[\"x\"]]}}"),
            format!("\u{1b}[1mresult\u{1b}[0m: {bare}"),
        ] {
            assert_eq!(read(&wrapped), expected, "{file}\n{}", &wrapped[..60]);
        }
    }
}

#[test]
fn documents_of_one_file_are_processes() {
    for file in JSON {
        let one = text(file);
        let expected = read(one);
        // A repeated document is a copy, and reported as such.
        let twice = read(&format!("{one}\n{one}"));
        assert_eq!(twice.cases.len(), expected.cases.len(), "{file}");
        assert!(twice.findings.iter().any(|f| f.code.name() == "same-data"), "{file}: {:?}", twice.findings);
        assert!(twice.detail.ends_with(", 2 documents in one file, each counted as a process"), "{}", twice.detail);
    }
    let of = |ns: u32| {
        format!(r#"{{"context": {{}}, "benchmarks": [{{"name": "A", "real_time": {ns}, "time_unit": "ns"}}]}}"#)
    };
    let saved = read(&[of(5), of(6), of(7)].join("\n"));
    assert_eq!(
        (saved.cases[0].design, saved.cases[0].launches.as_slice()),
        (SavedDesign::Launches, [[5.0], [6.0], [7.0]].map(|l| l.to_vec()).as_slice())
    );
    let listed = read(&format!("[{}]", [of(5), of(6)].join(",\n")));
    assert_eq!(listed.cases[0].processes(), 2);
    // A truncated or broken document loses only itself, and is named.
    let cut = read(&format!("{}\n{}\n{}", of(5), of(6), &of(7)[..40]));
    assert_eq!((cut.cases[0].processes(), cut.failed[0].key.as_str()), (2, "document 3"));
    assert!(cut.failed[0].failure.cause.text().contains("is cut off"), "{:?}", cut.failed);
    // The form of a document's end cannot be recognised, but that it is one can.
    let pyperf = text("pyperf.json");
    let cut = read(&format!("{pyperf}\n{}", &pyperf[..2000]));
    assert_eq!((cut.failed.len(), cut.failed[0].key.as_str()), (1, "document 2"));
    let wrong = read(&format!(r#"{{"context": {{}}, "benchmarks": [{{"name": "A"}}]}} {}"#, of(5)));
    assert_eq!((wrong.cases[0].processes(), wrong.failed.len()), (1, 1));
    assert_eq!(wrong.failed[0].key, "document 1", "it stands first");
}

#[test]
fn every_json_that_is_cut_says_so() {
    for file in JSON {
        let whole = text(file).trim_end().to_owned();
        for length in [40, whole.len() / 3, whole.len() - 3] {
            let cut: String = whole.chars().take(length).collect();
            let (message, _) = refused(&cut);
            assert!(message.contains("is cut off: the JSON ends at line "), "{file} {length}: {message}");
        }
    }
}

#[test]
fn numbers_of_a_locale_are_refused() {
    for number in ["1,000,000", "4,012", "4,0123e+01", "0,125", "1.000.000", "1,00,0000"] {
        let row = format!(r#"{{"name": "A", "iterations": 9, "real_time": {number}, "time_unit": "ns"}}"#);
        let (message, hint) = refused(&format!(r#"{{"context": {{}}, "benchmarks": [{row}]}}"#));
        assert!(message.contains(&format!("expected, found `{number}`")), "{message}");
        assert!(hint.contains("`LC_ALL=C`"), "{hint}");
    }
}

#[test]
fn templates_of_nanobench() {
    let row = r#"{"title": "till", "name": "sum", "median(elapsed)": 1e-06}"#;
    for text in [
        format!("[{row}]"),
        format!(r#"{{"results": [{row}]}}"#),
        format!(r#"{{"machine": "m", "benches": [{{"results": [{row}]}}]}}"#),
    ] {
        let saved = read(&text);
        assert_eq!((saved.tool.as_str(), saved.cases[0].key.as_str()), ("nanobench", "till/sum"), "{text}");
    }
    let saved =
        read(&format!(r#"{{"results": [{row}, {{"title": "till", "name": "pay", "batch": 1, "totalTime": 1}}]}}"#));
    assert_eq!((saved.cases.len(), saved.failed[0].name.as_str()), (1, "till/pay"));
    assert_eq!(refused(r#"{"results": []}"#).0, "`given` is a result of nanobench or hyperfine without benchmarks");
    // Title and name are separate fields, whatever they contain.
    let named =
        |title: &str, name: &str| format!(r#"{{"title": "{title}", "name": "{name}", "median(elapsed)": 1e-06}}"#);
    let saved = read(&format!("[{}, {}]", named("a/b", "c"), named("a", "b/c")));
    let keys: Vec<&str> = saved.cases.iter().map(|c| c.key.as_str()).collect();
    assert_eq!((keys, saved.findings.len()), (vec!["a/b/c@a/b", "a/b/c@a"], 0));
    // Two renders with different benchmarks are all read.
    let saved = read(&format!("{{\"results\": [{}]}}\n{{\"results\": [{}]}}\n", named("t", "a"), named("t", "b")));
    assert_eq!(saved.cases.len(), 2);
}
