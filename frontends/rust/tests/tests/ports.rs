//! The guides for users of criterion and divan: each of their benchmarks has a Tare version with no more lines, which is built and run.

use std::fs;
use std::process::Command;

/// The fenced blocks of a page tagged with this word, without empty lines.
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

/// Checks the README's claim. Newer language features that clippy does not know by version are found by building.
#[test]
#[ignore = "builds all of it once more: ./test all"]
fn the_oldest_rust_builds_it() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let rust = fs::read_to_string(manifest).unwrap();
    let oldest = rust.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    let toolchain = format!("{oldest}.0");
    let rustup = |words: &[&str]| Command::new("rustup").args(["run", &toolchain, "cargo"]).args(words).output();
    if !rustup(&["--version"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: Rust {oldest} is not installed (rustup toolchain install {toolchain})");
        return;
    }
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/oldest");
    let built =
        rustup(&["build", "--workspace", "--benches", "--manifest-path", manifest, "--target-dir", target]).unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
