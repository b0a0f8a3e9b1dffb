//! The protocol pages, the host and the front ends agree with `spec/child.toml`.

use std::collections::BTreeSet;
use tare_protocol::{decode, ErrorKind, Reply, Request};
use xtask::child::{entries, read, spelled, text};

#[test]
fn the_pages_are_fresh() {
    for (path, wanted) in xtask::child::pages().expect("the pages are there") {
        let found = std::fs::read_to_string(&path).expect("it can be read");
        assert!(found == wanted, "{}: run `cargo xtask child`", path.display());
    }
}

/// Replies with only their required members.
const LEAST: [&str; 10] = [
    r#"{"reply":"hello","protocol":1,"language":"c","front_end":"x","clock":"c","clock_resolution_ns":1,"unroll":1,"capabilities":[]}"#,
    r#"{"reply":"benchmark","index":0,"group":"","name":"x","parameters":[]}"#,
    r#"{"reply":"measured","elapsed_ns":[1]}"#,
    r#"{"reply":"error","kind":"version"}"#,
    r#"{"reply":"end","count":0}"#,
    r#"{"reply":"set","benchmarks":1}"#,
    r#"{"reply":"opened"}"#,
    r#"{"reply":"checked"}"#,
    r#"{"reply":"diagnosed","metrics":{}}"#,
    r#"{"reply":"collected"}"#,
];

/// The host reads each member as the page describes it: a value of another type is an error, and so is leaving out a required one.
#[test]
fn the_host_reads_every_member_by_its_type() {
    let file = read().expect("the file");
    let mut seen = 0;
    for line in LEAST {
        let least: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let is_wrong = |reply: &serde_json::Value| match decode(reply.to_string().as_bytes()) {
            Ok(Reply::Benchmark(benchmark)) => benchmark.invalid.is_some(),
            other => other.is_err(),
        };
        assert!(!is_wrong(&least), "{line}");
        let kind = least["reply"].as_str().expect("a kind");
        let others = entries(&file, "replies").into_iter().filter(|entry| text(entry, "reply") == kind);
        for entry in entries(&file, kind).into_iter().chain(others) {
            let name = text(entry, "name");
            let mut reply = least.clone();
            reply[name] = if text(entry, "type").starts_with("number") { "x".into() } else { 5.into() };
            assert!(is_wrong(&reply), "`{kind}`: the host does not read `{name}` as the page says");
            reply.as_object_mut().expect("an object").remove(name);
            assert_eq!(is_wrong(&reply), text(entry, "required").starts_with("yes"), "`{kind}`: `{name}`");
            seen += 1;
        }
    }
    let all = ["replies", "hello", "benchmark", "measured"].map(|list| entries(&file, list).len());
    assert_eq!(seen, all.iter().sum::<usize>());
}

#[test]
fn the_host_knows_every_kind_of_error() {
    for entry in entries(&read().expect("the file"), "errors") {
        let kind = ErrorKind::from(text(entry, "kind").to_owned());
        assert!(!matches!(kind, ErrorKind::Other(_)), "{kind:?}");
    }
}

#[test]
fn the_requests_of_the_host_are_those_of_the_page() {
    let file = read().expect("the file");
    let (name, values) = ("n".to_owned(), vec!["1".to_owned()]);
    let (iterations, invocations, lead) = (1, 2, 3);
    let measure =
        |windows| Request::Measure { which: tare_model::Loop::Workload, iterations, invocations, lead, windows };
    let sent = [
        Request::Hello { version: 1 },
        Request::List,
        Request::Set { name: name.clone(), values },
        Request::Open { index: 0, seed: 0, key: None },
        Request::Open { index: 0, seed: 0, key: Some(name.clone()) },
        Request::Check,
        measure(0),
        measure(4),
        Request::Diagnose { name, iterations, invocations, lead },
        Request::Randomize { seed: 0 },
        Request::Collect,
        Request::Close,
        Request::Bye,
    ];
    let shape = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_open = words[0] == "hello" || words[0] == "set";
        (words[0].to_owned(), if is_open { 0 } else { words.len() })
    };
    let sent: Vec<_> = sent.iter().map(|request| shape(&request.encode())).collect();
    let of_page: Vec<_> = entries(&file, "verbs").iter().map(|entry| shape(text(entry, "request"))).collect();
    assert_eq!(sent, of_page);
}

fn part<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, after) = text.split_once(begin).unwrap_or_else(|| panic!("no `{begin}`"));
    after.split_once(end).unwrap_or_else(|| panic!("no `{end}`")).0
}

fn quoted(text: &str, mark: char) -> Vec<String> {
    text.split(mark).skip(1).step_by(2).map(str::to_owned).collect()
}

/// The word before `end` in each line with `mark`.
fn words(text: &str, mark: &str, end: char) -> Vec<String> {
    let word =
        |line: &str| line.split_once(end).and_then(|(before, _)| before.split(' ').next_back().map(str::to_owned));
    text.lines().filter(|line| line.contains(mark)).filter_map(word).collect()
}

fn source(path: &str) -> String {
    let path = xtask::root().join("frontends").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn options_of(language: &str) -> Vec<String> {
    match language {
        "cpp" => {
            let text = source("cpp/include/tare/detail/declare.hpp");
            let mut names = words(part(&text, "class Options {", "\nprivate:"), " Self& ", '(');
            names.extend(words(part(&text, "class Benchmark :", "\nprivate:"), " Benchmark& ", '('));
            // One is for other headers, the other is the former name of an option.
            names.retain(|name| !["fed", "describe"].contains(&name.as_str()));
            names
        }
        "rust" => {
            let text = source("rust/tare-macros/src/options.rs");
            // The first option in each row of a table, and options outside tables.
            let rows = text
                .lines()
                .filter(|line| line.starts_with("    (\""))
                .filter_map(|row| quoted(row, '"').into_iter().next());
            rows.chain(quoted(part(&text, "const OTHERS", "];\n"), '"')).collect()
        }
        "python" => words(part(&source("python/tare/_declare.py"), "def bench(", ") -> Any:"), " = _UNSET", ':'),
        "javascript" => quoted(part(&source("javascript/lib/declare.js"), "OPTIONS = new Set([", "]);"), '\''),
        "javascript, types" => words(part(&source("javascript/index.d.ts"), "interface Options<", "\n}"), "?: ", '?'),
        _ => words(part(&source("java/src/tare/Benchmark.java"), "@interface Benchmark {", "\n}"), " default ", '('),
    }
}

#[test]
fn front_ends_have_the_options_by_their_names() {
    let file = read().expect("the file");
    let is_of_word = |c: &char| c.is_alphanumeric() || *c == '_';
    for front_end in ["cpp", "rust", "python", "javascript", "javascript, types", "java"] {
        let language = front_end.split(',').next().expect("a word");
        let of_page = entries(&file, "options").into_iter().filter_map(|option| spelled(option, language));
        let of_page: BTreeSet<String> =
            of_page.map(|text| text.trim_start_matches('.').chars().take_while(is_of_word).collect()).collect();
        assert_eq!(options_of(front_end).into_iter().collect::<BTreeSet<_>>(), of_page, "{front_end}");
    }
}
