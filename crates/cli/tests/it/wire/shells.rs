//! Completions and manual pages, as the programs take them that they are for.

use crate::support::{err, have, out, skip, Place};
use std::process::Command;

/// What bash offers for a line whose last word is incomplete.
const ASK: &str = r#"source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_tare tare "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}""#;

fn script(place: &Place, shell: &str) -> String {
    let script = place.ends_with(0, ["completions", shell]);
    place.write(&format!("tare.{shell}"), &script);
    script
}

#[test]
fn bash_completes_commands_flags_and_values() {
    let place = Place::new("completions");
    script(&place, "bash");
    if !have("bash") {
        return skip("completions of bash", "bash is not installed");
    }
    for (line, wanted) in [
        ("tare comp", "compare"),
        ("tare run --qui", "--quick"),
        ("tare run --color al", "always"),
        ("tare run x.cpp --format ju", "junit"),
        ("tare history acc", "accept"),
        ("tare completions f", "fish"),
        ("tare init typ", "typescript"),
        ("tare help gloss", "glossary"),
    ] {
        let words = line.split(' ');
        let ask = place
            .other("bash")
            .args(["--norc", "-c", ASK, "bash", "tare.bash"])
            .args(words)
            .output()
            .expect("bash runs");
        assert!(out(&ask).lines().any(|offer| offer == wanted), "{line}: {} {}", out(&ask), err(&ask));
    }
}

#[test]
fn other_shells_take_their_scripts() {
    let place = Place::new("completions-others");
    for (shell, words) in [("zsh", &["-n", "tare.zsh"][..]), ("fish", &["--no-execute", "tare.fish"])] {
        assert!(script(&place, shell).contains("compare"), "{shell}");
        if !have(shell) {
            skip(&format!("completions of {shell}"), &format!("{shell} is not installed"));
            continue;
        }
        let done = place.other(shell).args(words).output().expect("it runs");
        assert!(done.status.success() && done.stderr.is_empty(), "{shell}: {}", err(&done));
    }
    for shell in ["powershell", "elvish"] {
        assert!(script(&place, shell).contains("compare"), "{shell}");
    }
    let said = place.fails_with(2, ["completions", "tcsh"]);
    assert!(said.contains("bash, elvish, fish, powershell, zsh"), "{said}");
}

#[test]
fn manual_pages_render_without_warnings() {
    let place = Place::new("manual");
    let said = place.fails_with(0, ["help", "--man", "man/man1"]);
    assert!(said.contains("manual pages to `man/man1`"), "{said}");
    let page = place.read("man/man1/tare-run.1");
    assert!(page.contains("EXAMPLES") && page.contains("\\-\\-memory\\-randomization"), "{page}");
    if !have("groff") {
        return skip("manual pages", "groff is not installed");
    }
    for page in std::fs::read_dir(place.join("man/man1")).expect("the pages").flatten() {
        let done = Command::new("groff")
            .args(["-man", "-Tutf8", "-ww", "-rLL=80n"])
            .arg(page.path())
            .output()
            .expect("groff runs");
        assert!(done.status.success() && done.stderr.is_empty(), "{:?}: {}", page.path(), err(&done));
    }
    place.write("file", "");
    let said = place.fails_with(110, ["help", "--man", "file/below"]);
    assert!(said.contains("cannot write `file/below`"), "{said}");
}
