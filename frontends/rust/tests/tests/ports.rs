//! The pages for users of criterion and divan: each of their benchmarks has a form of Tare of no more lines, which is built and run.

use std::fs;

/// The fenced blocks of a page with this word, without empty lines.
fn blocks(page: &str, word: &str) -> Vec<Vec<String>> {
    let fence = format!("```rust {word}\n");
    let parts = page.split(&fence).skip(1).map(|part| part.split("```").next().unwrap());
    parts.map(|part| part.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()).collect()
}

fn check(name: &str) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
    let page = fs::read_to_string(format!("{root}/docs/from/{name}.md")).unwrap();
    let source = fs::read_to_string(format!("{root}/frontends/rust/examples/benches/from-{name}.rs")).unwrap();
    let (theirs, ours) = (blocks(&page, name), blocks(&page, "tare"));
    assert_eq!((theirs.len(), ours.len()), (10, 10), "{name}");
    for (theirs, ours) in theirs.iter().zip(&ours) {
        assert!(ours.len() <= theirs.len(), "{ours:#?} has more lines than {theirs:#?}");
        assert!(source.contains(&ours.join("\n")), "from-{name}.rs does not have {ours:#?}");
    }
}

#[test]
fn criterion_has_no_shorter_form() {
    check("criterion");
}

#[test]
fn divan_has_no_shorter_form() {
    check("divan");
}
