//! Tables of false alarms and power, from the whole engine and analysis on simulated machines.

use std::fmt::Write;
use tare_model::{Effort, Policy};
use tare_simulation::{
    beside, centre, comparison, comparison_in, coverage, coverage_in, suite, Body, Comparison, Neighbour, Program,
    Scene,
};
use tare_stats::noise::{Neighbours, Parameters, Scenario};

/// Number of runs behind each figure.
#[derive(Debug, Clone, Copy)]
pub struct Repeats {
    /// A/A runs per machine and profile.
    same: u64,
    /// Sessions per true change.
    power: u64,
    /// Suites of equal pairs.
    suites: u64,
    plain: u64,
    /// Launches for the long-run centre.
    centre: u64,
    /// Sessions of each kind with a neighbour on the core.
    beside: u64,
}

/// For the page in the docs.
pub const FULL: Repeats = Repeats { same: 1000, power: 200, suites: 20, plain: 400, centre: 40_000, beside: 60 };
/// For a quick look.
pub const QUICK: Repeats = Repeats { same: 60, power: 20, suites: 2, plain: 60, centre: 10_000, beside: 12 };

const SCENARIOS: [(Scenario, &str); 3] = [(Scenario::Quiet, "quiet"), (Scenario::Ci, "ci"), (Scenario::Bad, "bad")];
const PROFILES: [(Effort, &str); 3] = [(Effort::Quick, "quick"), (Effort::Default, "default"), (Effort::Long, "long")];
const PAIRS: usize = 100;
/// True changes whose power is measured.
const EFFECTS: [f64; 5] = [0.003, 0.01, 0.02, 0.03, 0.05];
/// Numbers of cases in a plain run.
const CASES: [usize; 3] = [1, 4, 16];

/// All tables as Markdown.
///
/// # Errors
/// If a run does not end as expected.
pub fn tables(repeats: Repeats) -> Result<String, String> {
    let mut text = String::from(
        "| machine | profile | A/A alarms | ungated | SAME | waves | +0.3 % alarm/SAME | +1 % alarm | +2 % | +3 % | +5 % \
         | wrong way | coverage | launches per side | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let of_runs = PROFILES.map(|(profile, name)| (format!("run {name}"), Policy::of(profile)));
    let compare = Policy::comparison(Effort::Default);
    let in_time = Policy { budget_s: Some(2.0), ..compare };
    let compared_by = [("compare".to_owned(), compare), ("compare, 2 s".to_owned(), in_time)];
    let policies = of_runs.into_iter().chain(compared_by);
    text += &rows(each(policies), |((scenario, machine), (profile, policy))| {
        compared(*scenario, &format!("{machine} | {profile}"), policy, repeats)
    })?;
    text +=
        "\n| machine | suites | with an alarm | alarms of all pairs | SAME | s per suite |\n|---|---|---|---|---|---|\n";
    text += &rows(SCENARIOS.iter(), |(scenario, machine)| suites(*scenario, machine, repeats))?;
    text += "\n| machine | profile | cases | launch offsets | this session | long run | half-width | s per session |\n\
             |---|---|---|---|---|---|---|---|\n";
    text += &rows(each(PROFILES.into_iter()), |((scenario, machine), (profile, name))| {
        intervals(*scenario, &format!("{machine} | {name}"), &Policy::of(*profile), repeats)
    })?;
    text += "\n";
    text += &periods(repeats)?;
    text += "\n";
    text += &neighbour(repeats)?;
    Ok(text)
}

/// Number of calls from one slow call to the next ...
const PERIODS: [f64; 6] = [2.0, 7.0, 16.0, 64.0, 100.0, 1000.0];
/// ... and mean times of such bodies, ns.
const MEANS_NS: [f64; 5] = [1e4, 2e5, 1e6, 3.8e6, 5e7];

/// Times of bodies in which every nth call takes ten times as long as the others. If a period is longer than a launch, the launch has at
/// most one slow call.
fn periods(repeats: Repeats) -> Result<String, String> {
    let names: String = PERIODS.iter().map(|every| format!(" each {every}. |")).collect();
    let mut text = format!("| mean | profile |{names}\n|---|---|{}\n", "---|".repeat(PERIODS.len()));
    let each = MEANS_NS.iter().flat_map(|mean_ns| [PROFILES[0], PROFILES[1]].map(|profile| (*mean_ns, profile)));
    text += &rows(each, |&(mean_ns, (profile, name))| {
        let cell = |every: &f64| {
            let scene = |seed| {
                let bodies = vec![Body::slow_in_turn("b", mean_ns, *every)];
                Scene::new(Scenario::Quiet, bodies, seed).with(Policy::of(profile))
            };
            let found = coverage_in(scene, None, repeats.beside, 99)?;
            let half_width = percent_of("±", found.half_widths, found.intervals, 1);
            Ok(format!(" {}, {half_width} |", of(found.run as f64, found.intervals, 2)))
        };
        let cells = PERIODS.iter().map(cell).collect::<Result<String, String>>()?;
        Ok(format!("| {} ms | {name} |{cells}\n", mean_ns * 1e-6))
    })?;
    Ok(text)
}

/// Every machine combined with each of these.
fn each<T: Clone>(of: impl Iterator<Item = T> + Clone) -> impl Iterator<Item = ((Scenario, &'static str), T)> {
    SCENARIOS.into_iter().flat_map(move |machine| of.clone().map(move |item| (machine, item)))
}

/// Neighbours on the core: share of time, and mean length in s of the shorter stretches.
const NEIGHBOURS: [(f64, f64); 17] = [
    (0.0, 1e-3),
    (0.2, 4e-5),
    (0.5, 4e-5),
    (0.8, 4e-5),
    (0.2, 2e-4),
    (0.5, 2e-4),
    (0.2, 4e-4),
    (0.5, 4e-4),
    (0.8, 4e-4),
    (0.2, 4e-3),
    (0.5, 4e-3),
    (0.8, 4e-3),
    (0.95, 4e-3),
    (0.5, 4e-2),
    (0.8, 4e-2),
    (0.95, 4e-2),
    (1.0, 4e-3),
];
/// Neighbours with this share, in stretches of 1 ms, that come and go too fast for windows in this share of all 30 ms periods.
const RESTLESS: [(f64, f64); 2] = [(0.1, 0.15), (0.1, 0.3)];
/// Factor by which a neighbour slows code that fills the core.
const SLOWDOWN: f64 = 1.7;

type Change = fn(&mut Scene);

/// Other kinds of neighbours; all use the core half of the time unless their name says otherwise.
const OTHERS: [(&str, Change); 13] = [
    ("code takes 1.0 times as long", |scene| slow(scene, 1.0, 1.0)),
    ("1.2 times", |scene| slow(scene, 1.2, 1.2)),
    ("1.9 times", |scene| slow(scene, 1.9, 1.9)),
    ("base 1.3, new 1.8 times", |scene| slow(scene, 1.3, 1.8)),
    ("level from the run", |scene| scene.profile = false),
    ("level from the run, never alone", |scene| {
        scene.profile = false;
        scene.neighbour = Some(Neighbour::of(1.0, 4e-3));
    }),
    ("placebo", |scene| placebo(scene)),
    ("placebo, 1.0 times as long", |scene| {
        slow(scene, 1.0, 1.0);
        placebo(scene);
    }),
    ("new disturbs all its readings, no neighbour", |scene| {
        scene.neighbour = None;
        spoil(scene, 1.0);
    }),
    ("new disturbs 0.3 of its readings", |scene| spoil(scene, 0.3)),
    ("new disturbs all its readings", |scene| spoil(scene, 1.0)),
    ("beside new only", |scene| scene.bodies[0].spared = true),
    ("machine *ci*", |scene| {
        let ci = Scene::new(Scenario::Ci, Vec::new(), 0);
        (scene.noise, scene.preemption) = (ci.noise, ci.preemption);
    }),
];

fn slow(scene: &mut Scene, base: f64, new: f64) {
    let last = scene.bodies.len() - 1;
    scene.bodies[0].slowdown = base;
    scene.bodies[last].slowdown = new;
}

fn spoil(scene: &mut Scene, share: f64) {
    scene.bodies.iter_mut().skip(1).for_each(|body| body.spoils = share);
}

fn placebo(scene: &mut Scene) {
    scene.neighbour.iter_mut().for_each(|neighbour| neighbour.placebo = true);
}

/// The tables of a machine with a shared core.
///
/// # Errors
/// If a run does not end as expected.
pub fn neighbour(repeats: Repeats) -> Result<String, String> {
    let mut text = String::from(
        "| neighbour | stretches | profile | reported alone | windows alone | bias | coverage | half-width | s | all windows: bias | \
         half-width |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    text += &rows(NEIGHBOURS.iter(), |(share, shorter_s)| {
        let name = format!("{} | {}", percent(*share), stretches(*shorter_s));
        neighbour_times(&name, Neighbour::of(*share, *shorter_s), repeats)
    })?;
    text += &rows(RESTLESS.iter(), |(share, restless)| {
        let name = format!("{}, restless in {} | {}", percent(*share), percent(*restless), stretches(1e-3));
        neighbour_times(&name, Neighbour { restless: *restless, ..Neighbour::of(*share, 1e-3) }, repeats)
    })?;
    text += "\n| neighbour | stretches | A/A alarms | SAME | alone | +2 % | +5 % | wrong way | bias | coverage | launches per side | \
             s | all windows: alarms | SAME | +2 % | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    text += &rows(NEIGHBOURS.iter(), |(share, shorter_s)| {
        let name = format!("{} | {}", percent(*share), stretches(*shorter_s));
        neighbour_words(&name, &|scene| Scene { ..scene.beside(Neighbour::of(*share, *shorter_s), SLOWDOWN) }, repeats)
    })?;
    text += &rows(OTHERS.iter(), |(name, change)| {
        let name = format!("{name} | {}", stretches(4e-3));
        let scene = |scene: Scene| {
            let mut scene = scene.beside(Neighbour::of(0.5, 4e-3), SLOWDOWN);
            change(&mut scene);
            scene
        };
        neighbour_words(&name, &scene, repeats)
    })?;
    Ok(text)
}

/// Rows of a table, computed by two independent threads from the last row on, since the worst machines take longest. Each row is also
/// printed to stderr when it is done: all of them take half an hour.
fn rows<T: Sync>(
    of: impl Iterator<Item = T>,
    row: impl Fn(&T) -> Result<String, String> + Sync,
) -> Result<String, String> {
    let of: Vec<T> = of.collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let taken = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(index) = of.len().checked_sub(1 + taken) else { return Ok(done) };
            let made = row(&of[index])?;
            eprint!("{made}");
            done.push((index, made));
        }
    };
    let mut all: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let done: Result<Vec<_>, String> =
            threads.into_iter().map(|t| t.join().map_err(|_| "a table panicked".to_owned())?).collect();
        done.map(|parts| parts.into_iter().flatten().collect())
    })?;
    all.sort();
    Ok(all.into_iter().map(|(_, row)| row).collect())
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn stretches(seconds: f64) -> String {
    format!("{} ms", (seconds * 1e6).round() / 1e3)
}

/// A share of `of`; a dash if `of` is 0.
fn of(count: f64, of: usize, digits: usize) -> String {
    if of == 0 {
        return "–".to_owned();
    }
    format!("{:.digits$}", count / of as f64)
}

/// The same in per cent, after this sign.
fn percent_of(sign: &str, count: f64, total: usize, digits: usize) -> String {
    match total {
        0 => of(count, total, digits),
        _ => format!("{sign}{} %", of(100.0 * count, total, digits)),
    }
}

fn neighbour_times(beside_whom: &str, neighbour: Neighbour, repeats: Repeats) -> Result<String, String> {
    let mut text = String::new();
    for (profile, name) in [PROFILES[0], PROFILES[1]] {
        let scene = |windows: bool| {
            move |seed| {
                let bodies = vec![Body { turn_ns: 0.0, ..Body::of("b", 1000.0) }];
                let programs = vec![Program { windows, ..Program::NATIVE }];
                let plain = Scene { programs, ..Scene::new(Scenario::Quiet, bodies, seed).with(Policy::of(profile)) };
                plain.beside(neighbour, SLOWDOWN)
            }
        };
        let found = beside(scene(true), repeats.beside, 77)?;
        let all = beside(scene(false), repeats.beside.div_ceil(4), 77)?;
        writeln!(
            text,
            "| {beside_whom} | {name} | {} | {} | {} | {} | {} | {:.1} | {} | {} |",
            of(found.alone as f64, found.runs, 3),
            of(found.windows_alone, found.runs, 2),
            percent_of("", found.bias, found.alone, 2),
            of(found.covered as f64, found.intervals, 3),
            percent_of("±", found.half_widths, found.intervals, 2),
            found.seconds / found.runs as f64,
            percent_of("", all.shared_bias, all.runs, 1),
            percent_of("±", all.shared_half_widths, all.runs, 2),
        )
        .map_err(|e| e.to_string())?;
    }
    Ok(text)
}

fn neighbour_words(name: &str, beside: &dyn Fn(Scene) -> Scene, repeats: Repeats) -> Result<String, String> {
    let runs = |effect: f64, windows: bool, runs: u64| {
        let scene = |seed| {
            let programs = vec![Program { windows, ..Program::NATIVE }];
            let plain = Scene::new(Scenario::Quiet, Body::pair(1000.0, effect), seed);
            let policy = Policy::comparison(Effort::Default);
            beside(Scene { programs, builds: true, ..plain.with(policy) })
        };
        comparison_in(scene, effect, runs, 100_000)
    };
    let few = repeats.beside.div_ceil(4);
    let same = runs(0.0, true, repeats.beside)?;
    let [two, five] = [runs(0.02, true, few)?, runs(0.05, true, few)?];
    let (all, all_two) = (runs(0.0, false, few)?, runs(0.02, false, few)?);
    let alarms = |found: &Comparison| of((found.slower + found.faster) as f64, found.runs, 4);
    let share = |count: usize, found: &Comparison| of(count as f64, found.runs, 3);
    Ok(format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {:+.2} % | {} | {:.1} | {:.1} | {} | {} | {} | {:.1} |\n",
        alarms(&same),
        share(same.same, &same),
        share(same.alone, &same),
        share(two.slower, &two),
        share(five.slower, &five),
        two.faster + five.faster,
        100.0 * two.bias / two.runs as f64,
        share(same.covered, &same),
        same.launches as f64 / same.runs as f64,
        same.seconds / same.runs as f64,
        alarms(&all),
        share(all.same, &all),
        share(all_two.slower, &all_two),
        all.seconds / all.runs as f64,
    ))
}

fn compared(scenario: Scenario, name: &str, policy: &Policy, repeats: Repeats) -> Result<String, String> {
    let same = comparison(scenario, 0.0, policy, repeats.same, 1)?;
    let mut changed = Vec::new();
    for (index, effect) in EFFECTS.iter().enumerate() {
        changed.push(comparison(scenario, *effect, policy, repeats.power, 1_000_000 * (index as u64 + 1))?);
    }
    let share = |count: usize, of: &Comparison| count as f64 / of.runs as f64;
    let launches = share(same.launches, &same);
    let covered: usize = changed.iter().map(|c| c.covered).sum::<usize>() + same.covered;
    let runs: usize = changed.iter().map(|c| c.runs).sum::<usize>() + same.runs;
    let power: Vec<String> = changed[1..].iter().map(|c| format!("{:.3}", share(c.slower, c))).collect();
    let wrong = changed.iter().map(|c| c.faster).sum::<usize>();
    Ok(format!(
        "| {name} | {:.4} | {:.4} | {:.3} | {:.1} | {:.3} / {:.3} | {} | {wrong} | {:.3} | {launches:.1} | {:.1} |\n",
        share(same.slower + same.faster, &same),
        share(same.ungated, &same),
        share(same.same, &same),
        launches / f64::from(policy.width.max(1)),
        share(changed[0].slower + changed[0].faster, &changed[0]),
        share(changed[0].same, &changed[0]),
        power.join(" | "),
        covered as f64 / runs as f64,
        same.seconds / same.runs as f64,
    ))
}

/// Suites of equal pairs under the rules of `tare compare`.
fn suites(scenario: Scenario, name: &str, repeats: Repeats) -> Result<String, String> {
    let found = suite(scenario, PAIRS, &Policy::comparison(Effort::Default), repeats.suites, 4242)?;
    let pairs = (found.suites * PAIRS) as f64;
    Ok(format!(
        "| {name} | {} | {} | {:.4} | {:.3} | {:.0} |\n",
        found.suites,
        found.alarmed,
        found.alarms as f64 / pairs,
        found.same as f64 / pairs,
        found.seconds / found.suites as f64,
    ))
}

fn intervals(scenario: Scenario, name: &str, policy: &Policy, repeats: Repeats) -> Result<String, String> {
    let noise = scenario.parameters();
    let luck = Parameters { drift_sd: 0.0, neighbours: Neighbours { rate: 0.0, ..noise.neighbours }, ..noise };
    let (long_run, of_luck) = (centre(noise, repeats.centre), centre(luck, repeats.centre));
    let mut text = String::new();
    for cases in CASES {
        let runs = (repeats.plain / cases.min(8) as u64).max(10);
        let found = coverage(noise, long_run, cases, policy, runs, 77)?;
        let lucky = coverage(luck, of_luck, cases, policy, runs, 777)?;
        let share = |count: usize| count as f64 / found.intervals as f64;
        let row = format!(
            "| {name} | {cases} | {:.3} | {:.3} | {:.3} | ±{:.2} % | {:.1} |",
            lucky.long_run as f64 / lucky.intervals as f64,
            share(found.run),
            share(found.long_run),
            100.0 * found.half_widths / found.intervals as f64,
            found.seconds / found.runs as f64,
        );
        writeln!(text, "{row}").map_err(|e| e.to_string())?;
    }
    Ok(text)
}
