//! Revisions of a C file by a real compiler: their code is laid out several times.

use crate::support::{err, git_in, have, json, out, skip, Place};

/// Each step of the body takes a nanosecond and up to 0.1 % more, whatever the machine does meanwhile.
const PROGRAM: &str = r#"// tare-flags: -O1 -g0
#include <tare.h>
#include <unistd.h>
#define STEPS 100
TARE_C_BENCH("mix/chain", .own_time = true, .visit_ns = 100000, .warmup_ns = 1) {
    static unsigned random = 0;
    random = (random == 0 ? (unsigned)getpid() : random) * 1664525u + 1013904223u;
    tare_took(STEPS * (1 + 1e-3 * (random >> 8) / (1 << 24)));
    tare_keep(STEPS);
}
TARE_MAIN()
"#;

#[test]
#[ignore = "compiles many programs"]
fn both_sides_are_compiled_in_several_layouts() {
    if !have("git") || !have("cc") {
        return skip("revisions of a C file", "`git` or `cc` is not installed");
    }
    let place = Place::new("revisions");
    place.write("repo/.gitignore", ".tare\n");
    git_in(&place, &["init", "--quiet", "."]);
    for (text, tag) in [(PROGRAM.to_owned(), "base"), (PROGRAM.replace("STEPS 100", "STEPS 400"), "new")] {
        place.write("repo/bench.c", &text);
        git_in(&place, &["add", "--all"]);
        // A commit of its own: tests share a cache.
        git_in(&place, &["commit", "--quiet", "--message", &format!("{tag} of {}", place.join("").display())]);
        git_in(&place, &["tag", tag]);
    }
    let words = "compare base new --layouts 2 --launches 4 --rounds 8 --fail-on slower:3%";
    let compared = place.command(words.split(' ')).current_dir(place.join("repo")).output().expect("tare runs");
    let (text, said) = (out(&compared), err(&compared));
    assert_eq!(compared.status.code(), Some(10), "{text}\n{said}");
    assert!(text.contains("  mix/chain "), "{text}");
    let run = std::fs::read_dir(place.join("repo/.tare/runs")).expect("runs").flatten().next().expect("a run").path();
    let run = json(&std::fs::read_to_string(run.join("run.json")).expect("a document"));
    let artifacts = run["artifacts"].as_array().expect("artifacts").iter();
    let layouts: Vec<_> = artifacts.filter_map(|one| one["layouts"].as_array().map(Vec::len)).collect();
    assert!(layouts.len() == 2 && !layouts.contains(&0), "{layouts:?}");
}
