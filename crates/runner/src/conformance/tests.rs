//! The reference children keep all rules; each breaker in `fixtures/children` breaks only its own. Playing all scenes takes some seconds,
//! so most children only play those that show their fault; `TARE_TEST_LONG=1` plays all.

use super::player::Player;
use super::script::{Examination, Step};
use super::{render, run, script, ConformanceReport, Options, Outcome, RULES};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

#[path = "../../../../fixtures/scratch.rs"]
mod scratch;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let out = scratch::scratch(&std::env::temp_dir(), "tare-conformance");
        let done = Command::new("sh").arg(root().join("fixtures/children/build.sh")).arg(&out).status();
        assert!(done.expect("sh runs").success(), "the fixtures are built by a C compiler");
        out
    })
}

/// Longest wait for a reply. Only failing tests reach it, since children that hang say so (`tell_silence` in `misbehave.c`).
const PATIENCE: Duration = Duration::from_secs(300);

fn long() -> bool {
    std::env::var_os("TARE_TEST_LONG").is_some()
}

/// Leaves out cases that only a long test plays, and prints which.
fn short_of<'a, T>(cases: &'a [T], is_short: impl Fn(&T) -> bool, what: &str) -> Vec<&'a T> {
    if long() {
        return cases.iter().collect();
    }
    println!("skipped: {what}: TARE_TEST_LONG=1 plays it");
    cases.iter().filter(|case| is_short(case)).collect()
}

fn compares(scene: &script::Scene) -> bool {
    use Examination::{Growth, Overhead, Windows};
    scene.steps.iter().any(|step| matches!(step, Step::Examine(Growth | Overhead | Windows)))
}

fn play(command: &[&str], is_played: impl Fn(&script::Scene) -> bool) -> ConformanceReport {
    let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
    let mut scenes = script::scenes();
    scenes.retain(is_played);
    let options = Options { step_timeout: PATIENCE, total_timeout: PATIENCE * 30, long: true };
    Player::new(&command, &options).play(&scenes)
}

/// Plays the scenes of these rules and those that check every reply; all scenes in a long test.
fn misbehave(mode: &str, rules: &[u32]) -> ConformanceReport {
    let child = built().join("misbehave").to_string_lossy().into_owned();
    let is_of_them = |scene: &script::Scene| rules.contains(&scene.rule) || scene.rule == 7;
    // Real clock times count only in a long test, made-up times always.
    let steady = [child.as_str(), mode, "steady"];
    let words = if long() { &steady[..2] } else { &steady };
    play(words, |scene| long() || (is_of_them(scene) && (!scene.long || compares(scene))))
}

/// Runs tests in parallel: most of the time is spent waiting for silence.
fn each<T: Sync>(cases: &[T], test: impl Fn(&T) + Sync) {
    const THREADS: usize = 12;
    std::thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(THREADS)) {
            let test = &test;
            scope.spawn(move || part.iter().for_each(test));
        }
    });
}

#[test]
fn the_reference_children_keep_all_rules() {
    let c = built().join("reference-child").to_string_lossy().into_owned();
    let python = root().join("spec/reference_child.py").to_string_lossy().into_owned();
    let slow = root().join("fixtures/children/misbehave.py").to_string_lossy().into_owned();
    const RULES: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 19, 20, 21];
    let passes = |report: &ConformanceReport| RULES.iter().all(|rule| report.outcome(*rule) == Outcome::Pass);
    let commands = [vec![c.as_str()], vec!["python3", "-S", &python], vec!["python3", "-S", &slow, "slow"]];
    let commands =
        short_of(&commands, |command| command.len() < 4, "times, and the reference child that starts slowly");
    each(&commands, |command| {
        let report = play(command, |scene| long() || !scene.long);
        assert!(report.passed() && report.broken().is_empty() && passes(&report), "{}", render(&report));
    });
}

/// With the conformance benchmarks, all rules except R17 are tested.
#[test]
fn the_conformance_benchmarks_test_what_others_cannot_show() {
    let c = built().join("conformance-child").to_string_lossy().into_owned();
    let python = root().join("spec/conformance/child.py").to_string_lossy().into_owned();
    let cold = root().join("fixtures/children/breaker.py").to_string_lossy().into_owned();
    // R16 and part of R18 depend on times.
    let is_seen = |rule: &u32| *rule != 17 && (*rule != 16 || long());
    // The child in C has no diagnoser.
    let is_kept = |outcome, rule| outcome == Outcome::Pass || (rule == 23 && outcome == Outcome::NotApplicable);
    let passes =
        |report: &ConformanceReport| (1..=RULES).filter(is_seen).all(|rule| is_kept(report.outcome(rule), rule));
    let commands = [vec![c.as_str()], vec!["python3", "-S", &python], vec!["python3", "-S", &cold, "cold"]];
    let what = "times, and the conformance benchmarks of Python, with all scenes and cold";
    each(&short_of(&commands, |command| command.len() < 2, what), |command| {
        let report = play(command, |scene| long() || !scene.long);
        assert!(report.passed() && passes(&report), "{}", render(&report));
    });
    // The other scenes are played against the reference child, the same program with other benchmarks.
    let is_of_them = |scene: &script::Scene| !scene.benchmarks.is_empty() && !scene.long;
    let kept = |report: &ConformanceReport| {
        report.scenes.iter().all(|scene| matches!(scene.outcome, Outcome::Pass | Outcome::NotApplicable))
            && [12, 14, 15, 18, 20, 21, 22, 23, 24, 25].iter().all(|rule| report.outcome(*rule) == Outcome::Pass)
    };
    let report = play(&["python3", "-S", &python], is_of_them);
    assert!(kept(&report), "{}", render(&report));
    // A child without them reports which scenes were skipped.
    let report = play(&[&built().join("reference-child").to_string_lossy()], |scene| [14, 16].contains(&scene.rule));
    let text = render(&report);
    assert!(text.contains("the child has no benchmark `conformance/trace`"), "{text}");
}

/// Modes of `breaker.py` and the rules that they break.
const SHIPPED_BREAKERS: [(&str, &[u32]); 24] = [
    ("drops-rest", &[12, 15]),
    ("one-set-up", &[15]),
    ("no-lead-set-up", &[15]),
    ("overhead-set-up", &[18]),
    ("list-opens", &[14]),
    ("cleans-after-throw", &[12]),
    ("cleans-after-set-up", &[12]),
    ("keeps-on-failed-close", &[12]),
    ("wrong-step", &[12]),
    ("silent-bye", &[8]),
    ("made-up-digests", &[21]),
    ("repr-texts", &[21]),
    ("long-texts", &[21]),
    ("deaf-to-set", &[22]),
    ("few-under-diagnoser", &[23]),
    ("diagnoses-once", &[23]),
    ("forgets-strategy", &[24]),
    ("odd-strategy", &[24]),
    ("warms-up", &[24]),
    ("forgets-operations", &[25]),
    ("counts-once", &[25]),
    ("folds-width", &[26]),
    ("makes-twice", &[27]),
    ("several", &[12, 15, 21]),
];

#[test]
fn wrong_numbers_are_seen() {
    let python = root().join("fixtures/children/breaker.py").to_string_lossy().into_owned();
    let breakers = short_of(&SHIPPED_BREAKERS, |(mode, _)| *mode != "several", "a child that breaks several rules");
    each(&breakers, |(mode, rules)| {
        // The ones that count and compare texts, which do not depend on machine load. A missing reply to `bye` shows where the clean-up
        // throws.
        let shows = |rule: u32| rules.contains(&rule) || (*mode == "silent-bye" && rule == 20);
        let is_exact = |scene: &script::Scene| !scene.long && (long() || shows(scene.rule));
        // A dropped invocation also shows where failures are counted: at least these rules are broken.
        let wanted = |report: &ConformanceReport| rules.iter().all(|rule| report.broken().contains(rule));
        let report = play(&["python3", "-S", &python, mode], is_exact);
        assert!(wanted(&report), "{mode}\n{}", render(&report));
    });
}

#[test]
#[ignore = "plays all scenes to many children"]
fn legal_oddities_are_no_breaches() {
    const MODES: [&str; 15] = [
        "",
        "batches",
        "metrics",
        "unknown-words",
        "requires",
        "refuses",
        "skips",
        "long-list",
        "empty-list",
        "print@body",
        "print@measure",
        "slow-end",
        "exception@set-up",
        "flood@check",
        "windows",
    ];
    if !long() {
        println!("skipped: times of children with legal oddities: TARE_TEST_LONG=1 plays it");
    }
    let child = built().join("misbehave").to_string_lossy().into_owned();
    each(&MODES, |mode| {
        let report = play(&[&child, mode], |scene| long() || !scene.long);
        assert!(report.broken().is_empty(), "{mode}\n{}", render(&report));
    });
}

#[test]
fn whatever_python_throws_is_told_and_ends_nothing() {
    const MODES: [&str; 5] =
        ["exception@body", "odd-exception@body", "system-exit@clean-up", "recursion@body", "thread@body"];
    let python = root().join("fixtures/children/misbehave.py").to_string_lossy().into_owned();
    each(&MODES, |mode| {
        let wanted = if mode.starts_with("thread") { Outcome::NotApplicable } else { Outcome::Pass };
        // For the others, only scenes that a failure can affect.
        let is_played = |scene: &script::Scene| match *mode == MODES[0] && long() {
            true => true,
            false => !scene.long && matches!(scene.rule, 7 | 8 | 12 | 13 | 20),
        };
        let as_wanted = |report: &ConformanceReport| report.passed() && report.outcome(12) == wanted;
        let report = play(&["python3", "-S", &python, mode], is_played);
        assert!(as_wanted(&report), "{mode}\n{}", render(&report));
    });
}

/// Modes and the rules that they break.
const BREAKERS: [(&str, &[u32]); 38] = [
    ("wrong-version", &[10]),
    ("no-words", &[6, 10]),
    ("version-2", &[7]),
    ("hello-incomplete", &[7]),
    ("greets", &[5]),
    ("twice", &[8]),
    ("frames-also-on-stdout", &[3]),
    ("fixed-descriptors", &[2]),
    ("any-form", &[2]),
    ("short-requests", &[6]),
    ("answers-unknown", &[9]),
    ("made-up-digest", &[21]),
    ("stateless", &[9]),
    ("opened-after-failure", &[12]),
    ("ready-after-failure", &[12]),
    ("duplicate-names", &[13]),
    ("changing-list", &[13]),
    ("wrong-count", &[13]),
    ("index-from-1", &[13]),
    ("ignores-invocations", &[15]),
    ("negative-time", &[7]),
    ("slow-overhead", &[18]),
    ("columns-too-short", &[19]),
    ("columns-too-long", &[19]),
    ("columns-differ", &[19]),
    ("metric-missing", &[19]),
    ("capability-without-column", &[19]),
    ("windows-too-few", &[19]),
    ("readings-differ", &[19]),
    ("windows-sum", &[19]),
    ("windows-too-short", &[15]),
    ("nonsense@check", &[7]),
    ("half-exit@list", &[8]),
    ("not-utf8@open", &[7]),
    ("too-long@check", &[7]),
    ("bye-3", &[20]),
    ("setsid@end", &[20]),
    ("fork@end", &[20]),
];

/// Modes that only clock times reveal.
const TIMED_BREAKERS: [(&str, &[u32]); 2] = [("ignores-lead", &[15]), ("microseconds", &[7])];

#[test]
fn each_breaker_is_named_by_its_rule() {
    if !long() {
        println!(
            "skipped: breakers by the clock, and all in the scenes of rules which they keep: TARE_TEST_LONG=1 plays it"
        );
    }
    let timed: &[(&str, &[u32])] = if long() { &TIMED_BREAKERS } else { &[] };
    each(&[&BREAKERS[..], timed].concat(), |(mode, rules)| {
        let report = misbehave(mode, rules);
        assert_eq!(report.broken(), *rules, "{mode}\n{}", render(&report));
        assert!(!report.passed());
        let worst = report.scenes.iter().find(|scene| scene.outcome == Outcome::Fail).expect("one is broken");
        assert!(!worst.reason.is_empty() && worst.place.contains(".txt:"), "{worst:?}");
    });
}

#[test]
fn what_hangs_is_left() {
    const MODES: [(&str, &[u32]); 6] = [
        ("survives-link", &[4]),
        ("hang@hello", &[8]),
        ("half-hang@check", &[7]),
        ("frames-on-stdout", &[8]),
        ("no-bye", &[8]),
        ("ignore-term-hang@measure", &[8]),
    ];
    each(&MODES, |(mode, rules)| {
        let report = misbehave(mode, rules);
        assert_eq!(report.broken(), *rules, "{mode}\n{}", render(&report));
    });
}

/// A child that makes up consistent times breaks no rule.
#[test]
fn steady_times_break_no_rule() {
    let report = play(&[&built().join("misbehave").to_string_lossy(), "windows", "steady"], compares);
    assert!(report.broken().is_empty() && report.outcome(15) == Outcome::Pass, "{}", render(&report));
}

#[test]
fn a_should_is_an_advice() {
    let is_advice = |report: &ConformanceReport| report.outcome(1) == Outcome::Advice && report.passed();
    let report = misbehave("waits-without-link", &[1]);
    assert!(is_advice(&report), "{}", render(&report));
    // A program that becomes `tare run` of itself is asked not to.
    let report = misbehave("hands-over-without-link", &[1]);
    assert_eq!(report.outcome(1), Outcome::Pass, "{}", render(&report));
}

#[test]
fn what_cannot_start_is_undecided() {
    let report = run(&["/no/such/program".to_owned()], &Options::default());
    assert!(!report.passed() && report.broken().is_empty());
    let text = render(&report);
    assert!(text.contains("could not be started: program /no/such/program not found"), "{text}");
    assert!(!run(&[], &Options::default()).passed(), "nor no command at all");
}

#[test]
fn the_report_shows_the_rule_and_the_evidence() {
    let text = render(&misbehave("ready-after-failure", &[12]));
    for part in ["R12  FAIL", "(states.txt:", "> close", "1 failed", "hint: the rules are in spec/protocol.md"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}
