//! `tare profile` and `--diagnose profile`: which functions samples are in. No share is asserted: on a busy machine there may be few.

use super::page::{browser, seen};
use crate::support::{err, have, out, skip, Place};

/// Two functions of a known split, which the compiler can neither inline nor remove.
const PROGRAM: &str = r#"
#include <tare.h>
#define NOINLINE __attribute__((noinline))
NOINLINE void heavy() { for (int i = 0; i < 3000; ++i) __asm__ volatile("" ::: "memory"); }
NOINLINE void light() { for (int i = 0; i < 1000; ++i) __asm__ volatile("" ::: "memory"); }
TARE_BENCH("p/both", [] { heavy(); light(); });
TARE_BENCH("p/other", [] { light(); });
"#;

/// Zooms to a frame by the keyboard, goes back, and searches.
const ZOOM: &str = r#"
const svg = document.querySelector("svg.chart:has(.frame)");
const frames = [...svg.querySelectorAll(".frame")];
const widths = () => frames.map((frame) => Number(frame.querySelector("rect").getAttribute("width")));
const key = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const whole = widths();
const at = frames.findIndex((frame) => frame.textContent.includes("light()"));
frames[at].focus();
key("Enter");
const zoomed = widths()[at] === svg.viewBox.baseVal.width;
key("Escape");
const back = widths().every((width, at) => width === whole[at]);
const search = document.querySelector(".flame input");
search.value = "HEAVY";
search.dispatchEvent(new Event("input"));
return { zoomed, back, hits: svg.querySelectorAll(".hit").length, said: document.querySelector(".flame span").textContent };
"#;

/// A place with the program, and what a first command says; None where samples cannot be taken here, which is said.
fn profiled(name: &str, words: &[&str]) -> Option<(Place, String)> {
    profiled_program(name, PROGRAM, words)
}

/// The same with another program.
fn profiled_program(name: &str, program: &str, words: &[&str]) -> Option<(Place, String)> {
    let what = "--diagnose profile";
    if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) || !have("c++") {
        skip(what, "it needs a C++ compiler, and Linux on x86-64 or AArch64");
        return None;
    }
    let place = Place::new(name);
    place.write("program.cpp", program);
    let done = place.tare(words);
    if done.status.code() == Some(2) && err(&done).contains("the diagnoser `profile` cannot be started") {
        skip(what, err(&done).lines().next().unwrap_or_default());
        return None;
    }
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    Some((place, out(&done) + &err(&done)))
}

#[test]
fn both_functions_are_named_in_every_form() {
    let words = ["profile", "program.cpp", "both", "--for", "300ms", "--attach", "--ascii", "-o", "p.html"];
    let Some((place, said)) = profiled("profile", &words) else { return };
    for part in
        ["where the time of p/both goes", "heavy()", "light()", "profile.folded", " waits: attach (`perf record"]
    {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
    assert!(!said.contains("p/other"), "{said}");
    let page = place.read("p.html");
    assert!(page.contains("class=\"frame\"") && page.contains("heavy()"), "the page has no flame graph");
    if let Some(browser) = browser() {
        let seen = seen(browser, &place, "p.html", ZOOM, &[]);
        assert_eq!((&seen["zoomed"], &seen["back"]), (&true.into(), &true.into()), "{seen}");
        assert!(
            seen["hits"].as_u64() > Some(0) && seen["said"].as_str().is_some_and(|said| said.contains("frame")),
            "{seen}"
        );
    }
    // All of it from the store, without the program.
    std::fs::remove_file(place.join("program.cpp")).expect("removed");
    let files = ["p.svg", "p.folded", "p.speedscope.json", "p.firefox.json", "p.pprof"];
    let outputs = files.iter().flat_map(|file| ["-o", file]);
    let tree = place.ends_with(0, ["show", "latest", "--ascii", "--flame", "both"].into_iter().chain(outputs));
    assert!(tree.contains("heavy()") && tree.contains("light()"), "{tree}");
    for file in files {
        let content = std::fs::read(place.join(file)).expect("it was written");
        assert!(content.windows(7).any(|part| part == b"heavy()"), "{file}");
    }
    // The body is the root: nothing of Tare is above it.
    let folded = place.read("p.folded");
    assert!(folded.lines().all(|line| !line.starts_with("main") && !line.contains("tare_iterate_")), "{folded}");
    let none = place.fails_with(2, ["show", "latest", "--flame", "nothing"]);
    assert!(none.contains("fits `nothing` has a profile"), "{none}");
}

#[test]
fn programs_without_debug_information_or_symbols_are_profiled_too() {
    let jobs = ["--job", "pie: -pie -fPIE", "--job", "fixed: -no-pie -g0", "--job", "stripped: -s"];
    let words = ["run", "program.cpp", "--filter", "both", "--quick", "--launches", "2", "--rounds", "3"];
    // Where machine code can be read the samples are laid over it.
    let has_code = cfg!(target_arch = "x86_64");
    let diagnosers = if has_code { "code,profile" } else { "profile" };
    let more = ["--diagnose", diagnosers, "--diagnose-for", "200ms", "-o", "p.folded", "-o", "p.html"];
    let Some((place, said)) = profiled("profile-jobs", &[&words[..], &more, &jobs].concat()) else { return };
    let folded = place.read("p.folded");
    let of = |job: &str| -> Vec<&str> { folded.lines().filter(|line| line.contains(&format!("{job};"))).collect() };
    for job in ["pie", "fixed"] {
        assert!(of(job).iter().any(|stack| stack.contains("heavy()")), "{job}: {folded}{said}");
    }
    // Its functions are known by their places.
    assert!(of("stripped").iter().any(|stack| stack.contains("+0x")), "{folded}{said}");
    assert!(!of("stripped").iter().any(|stack| stack.contains("heavy")), "{folded}");
    if has_code {
        let code = place.ends_with(0, ["show", "--code", "-v", "--ascii"]);
        // Of each job, also of the one without names.
        assert_eq!(code.matches(" are in this code\n").count(), 3, "{code}");
        assert!(code.lines().any(|line| line.starts_with("* ")), "{code}");
        assert!(place.read("p.html").contains("<table class=\"code\">"), "the page has the code");
    }
}

/// It measures in a copy of the process.
#[test]
fn the_quick_style_is_profiled_and_its_code_is_read() {
    const QUICK: &str = r#"
#include <tare/bench.hpp>
__attribute__((noinline)) void heavy() { for (int i = 0; i < 3000; ++i) __asm__ volatile("" ::: "memory"); }
int main() { tare::Bench().run("quick", [] { heavy(); }); }
"#;
    let diagnosers = if cfg!(target_arch = "x86_64") { "code,profile" } else { "profile" };
    let words = ["run", "program.cpp", "--quick", "--launches", "2", "--rounds", "3", "--diagnose", diagnosers];
    let words = [&words[..], &["--diagnose-for", "100ms", "--flags", "-g0", "--ascii"]].concat();
    let Some((place, said)) = profiled_program("profile-quick", QUICK, &words) else { return };
    assert!(said.contains("where the time of quick goes") && said.contains("heavy()"), "{said}");
    if diagnosers.starts_with("code") {
        let code = place.ends_with(0, ["show", "--code", "quick"]);
        assert!(
            code.contains(" are in this code\n") && code.contains("call heavy") && code.contains("heavy(): "),
            "{code}"
        );
    }
}

#[test]
fn two_programs_are_one_tree() {
    let words = ["profile", "program.cpp", "p/other", "--for", "200ms", "--before", "before.cpp", "--ascii"];
    let Some((place, _)) = profiled("profile-before", &["list", "program.cpp"]) else { return };
    let before = PROGRAM.replace("\"p/other\", [] { light(); }", "\"p/other\", [] { heavy(); }");
    place.write("before.cpp", &before);
    let done = place.tare(words);
    if done.status.code() == Some(2) {
        return skip("tare profile --before", err(&done).lines().next().unwrap_or_default());
    }
    let tree = place.ends_with(0, ["show", "latest", "--flame", "--ascii"]);
    let marked = |name: &str, mark: &str| tree.lines().any(|line| line.contains(name) && line.contains(mark));
    // Each is nearly all of one side, whatever the machine does.
    assert!(marked("heavy()", " - ") && marked("light()", " + "), "{tree}{}", err(&done));
}

#[test]
fn what_watches_nothing_says_so_and_a_run_without_a_profile_too() {
    if !have("c++") {
        return skip("profiles of no run", "it needs a C++ compiler");
    }
    let place = Place::new("profile-none");
    place.write("program.cpp", PROGRAM);
    let words = ["run", "program.cpp", "--filter", "other", "--quick", "--launches", "2", "--diagnose-for", "1s"];
    let done = place.tare(words);
    assert!(err(&done).contains("`--diagnose-for` has no effect without `--diagnose profile`"), "{}", err(&done));
    let said = place.fails_with(2, ["show", "latest", "--flame"]);
    assert!(said.contains("has no profile") && said.contains("tare profile TARGET CASE"), "{said}");
    let said = place.fails_with(4, ["show", "latest", "-o", "p.folded"]);
    assert!(said.contains("`p.folded` shows nothing: no case has a profile"), "{said}");
    if have("python3") && cfg!(all(target_os = "linux", target_env = "gnu")) {
        is_sampled_by_a_timer(&place);
    } else {
        skip("profiles by a timer", "it needs python3, and Linux with glibc");
    }
}

/// Where the kernel takes no samples.
fn is_sampled_by_a_timer(place: &Place) {
    let words = ["run", "program.cpp", "--filter", "other", "--quick", "--launches", "2", "--rounds", "3", "-v"];
    let allowed = place.command(words.into_iter().chain(["--diagnose", "profile", "--diagnose-for", "300ms"]));
    let mut command = place.other("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/without_samples.py"));
    command.arg(allowed.get_program()).args(allowed.get_args());
    let done = command.output().expect("it starts");
    let said = (out(&done) + &err(&done)).split_whitespace().collect::<Vec<_>>().join(" ");
    if said.contains("no filter can be set") {
        return skip("profiles by a timer", &said);
    }
    assert!(said.contains("a timer in the process took the samples") && said.contains("(EPERM)"), "{said}");
    assert!(said.contains("light()") && said.contains("by a timer in the process"), "{said}");
}
