//! `--diagnose instructions` where it cannot be used.

use crate::support::{have, reference, skip, Place};

#[test]
fn a_tool_or_a_language_that_is_missing_is_named() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("python3") {
        return skip("diagnosers that cannot be used", "they need python3 here, and Linux on x86-64");
    }
    let place = Place::new("no-valgrind");
    let words = ["run", reference(), "--diagnose", "instructions"];
    let run = |path: &str| {
        let done = place.command(words).env("PATH", path).output().expect("it starts");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, said) = run("/nowhere");
    assert!(code == Some(2) && said.contains("program `valgrind` not found"), "{said}");
    assert!(said.contains("hint: `tare help instructions` explains what it needs") && !said.contains("tare.toml"));
    if have("valgrind") {
        let (code, said) = run(&std::env::var("PATH").expect("a path"));
        assert!(code == Some(2) && said.contains("does not tell callgrind where its loops are"), "{said}");
    }
}
