//! Pages for users of other tools: every feature has a test or an example, and no sample is longer than its original.

use std::collections::BTreeMap;
use std::fs;
use xtask::root;

/// Answers in rows that have nothing to show.
const ANSWERS: [&str; 4] = ["none", "no effect", "not yet", "the same, "];
/// Paths that show a feature: code of tests or examples, and pages whose commands the tests run or generate.
const SHOWN: [&str; 9] =
    ["/tests/", "/examples/", "crates/", "guides/", "concepts/", "findings/", "reference/", "bench/", "nanobench.md"];

/// Targets of links by their texts, or by a single letter before the link (`Q is [06-quick](...)`).
fn names_of_links(page: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (at, _) in page.match_indices("](") {
        let (before, after) = page.split_at(at);
        let Some(open) = before.rfind('[') else { continue };
        let target = after[2..].split([')', '#']).next().unwrap_or_default().to_owned();
        names.insert(before[open + 1..].to_owned(), target.clone());
        let mut words = before[..open].split_whitespace().rev().filter(|word| *word != "is");
        if let Some(letter) = words.next().filter(|word| word.len() == 1) {
            names.insert(letter.to_owned(), target);
        }
    }
    names
}

/// The rows of all tables with at least three columns, split at bars outside code; short rows are filled up with empty cells.
fn rows(page: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut width = 0;
    for line in page.lines() {
        let Some(inner) = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
            width = 0;
            continue;
        };
        let mut cells: Vec<String> =
            inner.replace("\\|", "\u{1}").split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        if width == 0 {
            width = cells.len();
        } else if width > 2 && !cells[0].starts_with("--") {
            cells.resize(width, String::new());
            rows.push(cells);
        }
    }
    rows
}

/// Whether the last cell names something that shows the feature or, if it is empty, whether the answer says that there is nothing.
fn is_shown(row: &[String], names: &BTreeMap<String, String>) -> bool {
    let (answer, last) = (&row[row.len() - 2], &row[row.len() - 1]);
    if last.is_empty() {
        return ANSWERS.iter().any(|start| answer.starts_with(start));
    }
    last.split(", ").all(|item| {
        let item = item.trim_start_matches("the ").split(" `").next().unwrap_or_default().trim();
        let linked = item.split_once("](").map(|(_, target)| target.trim_end_matches(')').to_owned());
        let named = names.iter().find(|(name, _)| name.trim_start_matches("the ") == item).map(|(_, to)| to.clone());
        linked.or(named).is_some_and(|target| SHOWN.iter().any(|part| target.contains(part)))
    })
}

#[test]
fn every_feature_has_a_test_or_an_example() {
    let mut count = 0;
    let mut missing = Vec::new();
    let pages = [
        "nanobench",
        "google-benchmark",
        "criterion",
        "divan",
        "hyperfine",
        "benchmarkdotnet",
        "pytest-benchmark",
        "pyperf",
        "asv",
        "mitata",
        "tinybench",
        "vitest",
        "go-testing",
        "checklist",
    ];
    for name in pages {
        let page = fs::read_to_string(root().join(format!("docs/from/{name}.md"))).expect("a page");
        let names = names_of_links(&page);
        let rows = rows(&page);
        assert!(rows.len() > 10, "{name}: {} rows", rows.len());
        count += rows.len();
        let bad = rows.iter().filter(|row| !is_shown(row, &names));
        missing.extend(bad.map(|row| format!("{name}: {}", row.join(" | "))));
    }
    assert!(
        missing.is_empty(),
        "{} of {count} rows name no test and no example:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

fn lines(block: &str) -> usize {
    block.lines().filter(|line| !line.trim().is_empty()).count()
}

fn block<'a>(section: &'a str, language: &str) -> &'a str {
    let found = section.split_once(&format!("```{language}\n")).and_then(|(_, rest)| rest.split_once("```"));
    found.map(|(text, _)| text.trim_end()).unwrap_or_default()
}

/// Samples from the introductions of BenchmarkDotNet, with their number of lines without `using` and empty lines.
const ORIGINALS: [(&str, usize); 10] = [
    ("String join", 29),
    ("A list", 13),
    ("Parameters", 10),
    ("Parameters from a function", 14),
    ("Arguments", 17),
    ("Arguments from a function", 14),
    ("Several modes", 15),
    ("Set-up and clean-up", 13),
    ("Operations of an invocation", 16),
    ("Three jobs", 19),
];

#[test]
fn no_sample_of_benchmarkdotnet_is_longer_by_more_than_a_fifth() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a file");
    let page = read("docs/from/benchmarkdotnet-samples.md");
    let sources = [
        ("cpp", read("frontends/cpp/examples/from-benchmarkdotnet.cpp")),
        ("rust", read("frontends/rust/examples/benches/from-benchmarkdotnet.rs")),
    ];
    let sections: BTreeMap<&str, &str> =
        page.split("\n## ").skip(1).filter_map(|section| section.split_once('\n')).collect();
    // The last section is a table of all samples.
    assert_eq!(sections.len(), ORIGINALS.len() + 1);
    for (title, original) in ORIGINALS {
        let section = sections.get(title).unwrap_or_else(|| panic!("no section {title}"));
        let theirs = lines(block(section, "cs")).min(original);
        assert!(theirs > 5, "{title}");
        let commands = section.matches("\n$ ").count();
        for (language, source) in &sources {
            let ours = block(section, language);
            assert!(!ours.is_empty() && source.contains(ours), "{title}: the source has not this form:\n{ours}");
            let count = lines(ours) + commands;
            assert!(5 * count <= 6 * theirs, "{title}: {count} lines of {language}, {theirs} of C#");
        }
    }
}

#[test]
fn tables_and_links_are_read() {
    let page = "Q is [06-quick](../examples/06.cpp).\n\n| a | b | c |\n|---|---|---|\n| x | `a \\| b` | Q |\n| y | none | |\n| z | yes |\n";
    let (names, rows) = (names_of_links(page), rows(page));
    assert_eq!((names["Q"].as_str(), names["06-quick"].as_str()), ("../examples/06.cpp", "../examples/06.cpp"));
    assert_eq!(rows.iter().map(|row| is_shown(row, &names)).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(rows[0][1], "`a | b`");
}
