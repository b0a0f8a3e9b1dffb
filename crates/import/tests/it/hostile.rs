//! No file content causes a panic, long run time or large memory use.

use crate::files::{CRITERION, RESULTS};
use crate::{read, refused};
use proptest::prelude::*;
use tare_analysis::{compare_saved, SavedOptions};
use tare_import::{read_folder, ImportError};

/// Reads a file and compares its content with itself; problems must have texts.
fn swallow(bytes: &[u8]) {
    match tare_import::read("given", bytes) {
        Ok(saved) => {
            let comparison = compare_saved(&saved, &saved, &SavedOptions::default());
            assert!(comparison.rows.iter().filter(|row| row.metric.is_none()).count() <= saved.cases.len());
        }
        Err(error) => check(&error),
    }
}

fn check(error: &ImportError) {
    let (message, hint) = (error.to_string(), error.hint());
    assert!(message.starts_with('`') && !hint.is_empty(), "{message}");
    assert!(message.len() < 1000, "a message is a line, not a file: {} bytes", message.len());
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, close: &str| {
        let text = format!("{{\"results\": [{{\"command\": {}1{}}}]}}", open.repeat(100_000), close.repeat(100_000));
        refused(&text).0
    };
    assert!(deep("[", "]").starts_with("`given` is nested deeper than 64 levels at line 1, column"));
    assert!(deep("{\"a\":", "}").starts_with("`given` is nested deeper than 64 levels"));
    swallow("[".repeat(1_000_000).as_bytes());
    swallow("{\"schema\": \"2.0\", \"plan\": ".repeat(50_000).as_bytes());
}

#[test]
fn too_much_is_refused() {
    let large = vec![b' '; (64 << 20) + 1];
    let error = tare_import::read("given", &large).expect_err("too large");
    assert_eq!(error.to_string(), "`given` is larger than 64 MiB");
    let values = "1,".repeat(1_000_001);
    let many = format!(r#"{{"results": [{{"command": "x", "times": [{values}1]}}]}}"#);
    assert_eq!(refused(&many).0, "`given` has more than 1000000 measured values");
}

#[test]
#[ignore = "long: four million JSON values"]
fn too_many_json_values_are_refused() {
    let nodes = format!(r#"{{"results": [{}1]}}"#, "1,".repeat(4_000_001));
    assert_eq!(refused(&nodes).0, "`given` has more than 4000000 JSON values");
}

#[test]
fn long_names_do_not_make_long_messages() {
    let long = "x".repeat(100_000);
    swallow(format!(r#"{{"results": [{{"command": "a", "times": {{"{long}": 1}}}}]}}"#).as_bytes());
    swallow(format!(r#"{{"results": [{{"command": "a", "{long}": 1, "times": "{long}"}}]}}"#).as_bytes());
    swallow(format!(r#"{{"{long}": 1}}"#).as_bytes());
    swallow(format!(r#"{{"schema": "{long}", "plan": {{"{long}": "{long}"}}, "launches": []}}"#).as_bytes());
    swallow(format!(r#"{{"schema": "2.0", "plan": {{"cases": "{long}"}}, "launches": []}}"#).as_bytes());
    swallow(long.as_bytes());
}

#[test]
fn many_keys_and_names_stay_fast() {
    let fields: Vec<String> = (0..200_000).map(|i| format!("\"k{i}\": 1")).collect();
    swallow(format!(r#"{{"results": [{{{}, "command": "x", "times": [1]}}]}}"#, fields.join(",")).as_bytes());
    let results = vec![r#"{"command": "same", "times": [1]}"#; 20_000].join(",");
    assert_eq!(read(&format!(r#"{{"results": [{results}]}}"#)).cases.len(), 20_000);
}

#[test]
fn odd_texts_and_numbers() {
    let command =
        |text: &str| read(&format!(r#"{{"results": [{{"command": "{text}", "times": [1]}}]}}"#)).cases[0].key.clone();
    assert_eq!(command(r"\u00e9\ud83d\ude00\n\/"), "é😀\n/");
    assert_eq!(command(r"\ud83d alone"), "\u{fffd} alone");
    assert_eq!(command(r"\ud83d\u0041"), "\u{fffd}");
    assert_eq!(command("tab\there"), "tab\there");
    for broken in [
        r#"{"results": "\x"}"#,
        r#"{"results": "\u12"#,
        r#"{"results": 1.2.3}"#,
        r#"{"results": --1}"#,
        "{\"results\": tru}",
    ] {
        swallow(broken.as_bytes());
        refused(broken);
    }
}

#[test]
fn every_cut_of_every_fixture_is_answered() {
    for (_, bytes) in RESULTS {
        let step = (bytes.len() / 75).max(1);
        (0..bytes.len()).step_by(step).for_each(|end| swallow(&bytes[..end]));
    }
}

/// Mutates a file: one piece is replaced.
fn mutated(bytes: &[u8], at: usize, length: usize, insert: &[u8]) -> Vec<u8> {
    let at = at % bytes.len();
    let end = (at + length).min(bytes.len());
    [&bytes[..at], insert, &bytes[end..]].concat()
}

/// Inserted pieces, most of which mean something to a parser.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&[u8]> = vec![
        b"",
        b"0",
        b"-1",
        b"1e400",
        b"-1e400",
        b"1e-400",
        b"NaN",
        b"-Infinity",
        b"null",
        b"true",
        b"\"\"",
        b"[]",
        b"{}",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b":",
        b"\"",
        b"\\",
        b"\\u",
        b"\n",
        b"18446744073709551616",
        b"4294967295",
        b"\xff",
        b"\xc3",
        b"BenchmarkX 1 2 ns/op\n",
        b"pkg: q\n",
        b"1e308",
        b"5e-324",
        b"0.0",
    ];
    prop_oneof![proptest::sample::select(known).prop_map(<[u8]>::to_vec), proptest::collection::vec(any::<u8>(), 0..8),]
}

/// Number of random inputs: the usual number in `./test all`, a quarter of it in `./test`.
#[allow(clippy::disallowed_methods)]
fn inputs() -> ProptestConfig {
    let usual = ProptestConfig::default();
    let cases = if std::env::var_os("TARE_TEST_LONG").is_some() { usual.cases } else { usual.cases / 4 };
    ProptestConfig { cases, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(inputs())]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        swallow(&bytes);
    }

    #[test]
    fn any_text_with_a_known_beginning(
        beginning in proptest::sample::select(vec!["{\"results\":", "{\"context\":", "[{\"jmhVersion\":", "{\"schema\":\"2.0\",\"plan\":", "goos: x\n", "{\"Action\":"]),
        rest in ".{0,200}",
    ) {
        swallow(format!("{beginning}{rest}").as_bytes());
    }

    #[test]
    fn changed_fixtures(
        file in 0..RESULTS.len(),
        changes in proptest::collection::vec((any::<usize>(), 0usize..40, piece()), 1..4),
    ) {
        let mut bytes = RESULTS[file].1.to_vec();
        for (at, length, insert) in changes {
            bytes = mutated(&bytes, at, length, &insert);
            if bytes.is_empty() { break; }
        }
        swallow(&bytes);
    }

    /// The analysis is most sensitive to numbers, so whole tokens are replaced, which keeps the JSON valid.
    #[test]
    fn changed_numbers_of_runs(places in proptest::collection::vec((any::<usize>(), 0usize..9), 1..6)) {
        let mut text = String::from_utf8(RESULTS[0].1.to_vec()).expect("text");
        const NUMBERS: [&str; 9] = ["0", "-1", "1e308", "5e-324", "1e18", "4294967295", "0.5", "null", "18446744073709551615"];
        for (at, number) in places {
            let digits: Vec<usize> = text.match_indices([':', '[', ',']).map(|(i, _)| i + 1)
                .filter(|&i| text[i..].starts_with(|c: char| c.is_ascii_digit())).collect();
            let begin = digits[at % digits.len()];
            let end = begin + text[begin..].find([',', ']', '}']).unwrap_or(0);
            text.replace_range(begin..end, NUMBERS[number]);
        }
        swallow(text.as_bytes());
    }

    #[test]
    fn changed_folders(file in 0..CRITERION.len(), at in any::<usize>(), length in 0usize..40, insert in piece()) {
        let mut files: Vec<(String, Vec<u8>)> = CRITERION.iter().map(|(p, b)| ((*p).to_owned(), b.to_vec())).collect();
        files[file].1 = mutated(&files[file].1, at, length, &insert);
        if let Err(error) = read_folder("x", &files, "new") {
            check(&error);
        }
    }
}
