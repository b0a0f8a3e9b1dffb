//! The reference children keep all rules; each breaker in `fixtures/children` breaks its own and no other. A play of all scenes takes
//! some seconds, so that most children are played only what shows their own fault; `TARE_TEST_LONG=1` plays all.

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

/// Folder with the built fixtures.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let out = scratch::scratch(&std::env::temp_dir(), "tare-conformance");
        let done = Command::new("sh").arg(root().join("fixtures/children/build.sh")).arg(&out).status();
        assert!(done.expect("sh runs").success(), "the fixtures are built by a C compiler");
        out
    })
}

/// How many seconds a child may take for a step, at one try after the other: on a busy machine one that works needs more, and one
/// that hangs is not waited for longer than once.
const HANGING: [u64; 3] = [2, 20, 300];
const WORKING: [u64; 3] = [20, 60, 300];
/// For what hangs before anything else: every scene waits.
const SILENT: [u64; 3] = [1, 20, 300];

/// Whether everything is to be played.
fn long() -> bool {
    std::env::var_os("TARE_TEST_LONG").is_some()
}

/// Leaves out what only a long test plays, and says so.
fn short_of<'a, T>(cases: &'a [T], is_short: impl Fn(&T) -> bool, what: &str) -> Vec<&'a T> {
    if long() {
        return cases.iter().collect();
    }
    println!("skipped: {what}: TARE_TEST_LONG=1 plays it");
    cases.iter().filter(|case| is_short(case)).collect()
}

/// The scene compares times, or takes long.
fn is_heavy(scene: &script::Scene) -> bool {
    use Examination::{Cost, Growth, Lead, Nanoseconds, Overhead, Windows};
    let is_timed = |step: &Step| matches!(step, Step::Examine(Nanoseconds | Growth | Lead | Overhead | Windows | Cost));
    scene.long || scene.steps.iter().any(is_timed)
}

/// Plays the scenes of these rules (of all, when none is named) until the report is as wanted, each time with more patience. What
/// the last try shows is given, be it wanted or not.
fn play(
    command: &[&str],
    rules: &[u32],
    patience: [u64; 3],
    wanted: impl Fn(&ConformanceReport) -> bool,
) -> ConformanceReport {
    play_scenes(command, |scene| rules.is_empty() || rules.contains(&scene.rule), patience, wanted)
}

fn play_scenes(
    command: &[&str],
    is_played: impl Fn(&script::Scene) -> bool,
    patience: [u64; 3],
    wanted: impl Fn(&ConformanceReport) -> bool,
) -> ConformanceReport {
    let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
    let mut scenes = script::scenes();
    scenes.retain(is_played);
    let mut report = run(&[], &Options::default());
    for seconds in patience {
        let step_timeout = Duration::from_secs(seconds);
        let options = Options { step_timeout, total_timeout: step_timeout * 30, long: true };
        report = Player::new(&command, &options).play(&scenes);
        if wanted(&report) {
            break;
        }
    }
    report
}

/// Plays the scenes of these rules and those that look at every reply, all in a long test.
fn misbehave(
    mode: &str,
    rules: &[u32],
    patience: [u64; 3],
    wanted: impl Fn(&ConformanceReport) -> bool,
) -> ConformanceReport {
    let is_played =
        |scene: &script::Scene| long() || rules.contains(&scene.rule) || (scene.rule == 7 && !is_heavy(scene));
    play_scenes(&[&built().join("misbehave").to_string_lossy(), mode], is_played, patience, wanted)
}

/// Several at a time: most of a play is waiting for nothing to come.
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
    const RULES: [u32; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 18, 19, 20, 21];
    let passes = |report: &ConformanceReport| RULES.iter().all(|rule| report.outcome(*rule) == Outcome::Pass);
    let commands = [vec![c.as_str()], vec!["python3", "-S", &python], vec!["python3", "-S", &slow, "slow"]];
    let commands = short_of(&commands, |command| command.len() < 4, "the reference child that starts slowly");
    each(&commands, |command| {
        // 100,000 measurements at once are asked of the one in C.
        let is_played = |scene: &script::Scene| long() || !scene.long || command.len() == 1;
        let report = play_scenes(command, is_played, WORKING, |report| report.passed() && passes(report));
        assert!(report.passed() && report.broken().is_empty() && passes(&report), "{}", render(&report));
    });
}

/// With the benchmarks that every front end ships all rules are tested but R17.
#[test]
fn the_conformance_benchmarks_test_what_others_cannot_show() {
    let c = built().join("conformance-child").to_string_lossy().into_owned();
    let python = root().join("spec/conformance/child.py").to_string_lossy().into_owned();
    let cold = root().join("fixtures/children/breaker.py").to_string_lossy().into_owned();
    let passes = |report: &ConformanceReport| {
        (1..=RULES).filter(|rule| *rule != 17).all(|rule| report.outcome(rule) == Outcome::Pass)
    };
    let commands = [vec![c.as_str()], vec!["python3", "-S", &python], vec!["python3", "-S", &cold, "cold"]];
    let what = "the conformance benchmarks of Python, with all scenes and cold";
    each(&short_of(&commands, |command| command.len() < 2, what), |command| {
        let report = play_scenes(command, |scene| long() || !scene.long, WORKING, |r| r.passed() && passes(r));
        assert!(report.passed() && passes(&report), "{}", render(&report));
    });
    // The other scenes are played to the reference child, which is the same program with other benchmarks.
    let is_of_them = |scene: &script::Scene| !scene.benchmarks.is_empty() && !is_heavy(scene);
    let kept = |report: &ConformanceReport| {
        report.scenes.iter().all(|scene| matches!(scene.outcome, Outcome::Pass | Outcome::NotApplicable))
            && [12, 14, 15, 18, 20, 21, 22, 23, 24, 25].iter().all(|rule| report.outcome(*rule) == Outcome::Pass)
    };
    let report = play_scenes(&["python3", "-S", &python], is_of_them, WORKING, kept);
    assert!(kept(&report), "{}", render(&report));
    // Who does not have them sees which scenes were left out.
    let report = play(&[&built().join("reference-child").to_string_lossy()], &[14, 16], WORKING, |_| true);
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
    ("all-three", &[10, 12, 15, 21]),
];

#[test]
fn wrong_numbers_are_seen() {
    let python = root().join("fixtures/children/breaker.py").to_string_lossy().into_owned();
    let breakers = short_of(&SHIPPED_BREAKERS, |(mode, _)| *mode != "all-three", "a child that breaks several rules");
    each(&breakers, |(mode, rules)| {
        // Those that count and compare texts: how busy the machine is does not matter to them. That `bye` is not answered shows
        // where the clean-up throws.
        let shows = |rule: u32| rules.contains(&rule) || (*mode == "silent-bye" && rule == 20);
        let is_exact = |scene: &script::Scene| !is_heavy(scene) && (long() || shows(scene.rule));
        // A dropped invocation shows where failures are counted too: more may be broken, these must be.
        let wanted = |report: &ConformanceReport| rules.iter().all(|rule| report.broken().contains(rule));
        let report = play_scenes(&["python3", "-S", &python, mode], is_exact, WORKING, wanted);
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
        let is_played = |scene: &script::Scene| long() || !is_heavy(scene) || *mode == "windows";
        let report = play_scenes(&[&child, mode], is_played, WORKING, |report| report.broken().is_empty());
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
        // Of the others only what a failure can touch.
        let is_played = |scene: &script::Scene| match *mode == MODES[0] && long() {
            true => true,
            false => !is_heavy(scene) && matches!(scene.rule, 7 | 8 | 12 | 13 | 20),
        };
        let as_wanted = |report: &ConformanceReport| report.passed() && report.outcome(12) == wanted;
        let report = play_scenes(&["python3", "-S", &python, mode], is_played, HANGING, as_wanted);
        assert!(as_wanted(&report), "{mode}\n{}", render(&report));
    });
}

/// The mode and the rules that it breaks.
const BREAKERS: [(&str, &[u32]); 44] = [
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
    ("silent-on-unknown", &[9]),
    ("exit-on-unknown", &[9]),
    ("before-hello", &[10]),
    ("made-up-digest", &[21]),
    ("lax-arguments", &[9]),
    ("stateless", &[9, 10, 11, 12]),
    ("opened-after-failure", &[12]),
    ("ready-after-failure", &[12]),
    ("duplicate-names", &[13]),
    ("changing-list", &[13]),
    ("wrong-count", &[13]),
    ("index-from-1", &[13]),
    ("ignores-invocations", &[15]),
    ("ignores-lead", &[15]),
    ("microseconds", &[7]),
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
    ("takes-windows", &[9]),
    ("nonsense@check", &[7]),
    ("half-exit@list", &[8]),
    ("not-utf8@open", &[7]),
    ("too-long@check", &[7]),
    ("bye-3", &[20]),
    ("setsid@end", &[20]),
    ("fork@end", &[20]),
];

#[test]
fn each_breaker_is_named_by_its_rule() {
    if !long() {
        println!("skipped: the breakers in the scenes of rules which they keep: TARE_TEST_LONG=1 plays it");
    }
    each(&BREAKERS, |(mode, rules)| {
        let report = misbehave(mode, rules, HANGING, |report| report.broken() == *rules);
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
        let report = misbehave(mode, rules, SILENT, |report| report.broken() == *rules);
        assert_eq!(report.broken(), *rules, "{mode}\n{}", render(&report));
    });
}

#[test]
fn a_should_is_an_advice() {
    let is_advice = |report: &ConformanceReport| report.outcome(1) == Outcome::Advice && report.passed();
    let report = misbehave("waits-without-link", &[1], HANGING, is_advice);
    assert!(is_advice(&report), "{}", render(&report));
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
    let text = render(&misbehave("ready-after-failure", &[12], HANGING, |report| report.broken() == [12]));
    for part in ["R12  FAIL", "(states.txt:", "> close", "1 failed", "hint: the rules are in spec/protocol.md"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}
