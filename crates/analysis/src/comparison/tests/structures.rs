//! Identical code and a true +20 %, in each tool's structure of data, on machines whose noise comes in sessions.

use super::{defaults, side};
use crate::comparison::compare_saved;
use crate::saved::{fact, Saved, SavedCase, SavedDesign};
use crate::verdict::Verdict;
use tare_stats::rng::Rng;

/// Pairs of sides per structure.
const PAIRS: usize = 300;
/// Benchmarks of a side; they share its sessions.
const CASES: usize = 3;

/// Standard deviations on the log scale.
#[derive(Clone, Copy)]
struct Machine {
    /// Of the common offset of a session.
    session: f64,
    /// Of the machine's drift over time, with a memory of [`MEMORY`] processes.
    drift: f64,
    process: f64,
    iteration: f64,
}

const MEMORY: f64 = 4.0;
const QUIET: Machine = Machine { session: 0.01, drift: 0.005, process: 0.01, iteration: 0.01 };
const BUSY: Machine = Machine { session: 0.03, drift: 0.05, process: 0.03, iteration: 0.05 };
/// A loaded machine, like the one on which the data of `options.rs` was made.
const LOADED: Machine = Machine { session: 0.05, drift: 0.2, process: 0.2, iteration: 0.2 };

/// A machine over time.
struct World {
    rng: Rng,
    drift: f64,
    machine: Machine,
}

impl World {
    fn session(&mut self) -> f64 {
        self.machine.session * self.rng.normal()
    }

    /// The values of the next process, for code that takes 100 ns times `ratio`.
    fn process(&mut self, ratio: f64, offset: f64, iterations: usize) -> Vec<f64> {
        let keep = (-1.0 / MEMORY).exp();
        self.drift = keep * self.drift + (1.0 - keep * keep).sqrt() * self.rng.normal();
        let Machine { drift, process, iteration, .. } = self.machine;
        let level = (100.0 * ratio).ln() + offset + drift * self.drift + process * self.rng.normal();
        (0..iterations).map(|_| (level + iteration * self.rng.normal()).exp()).collect()
    }

    fn case(&mut self, i: usize, ratio: f64, offset: f64, processes: usize, iterations: usize) -> SavedCase {
        let launches: Vec<_> = (0..processes).map(|_| self.process(ratio, offset, iterations)).collect();
        let design = if processes == 1 { SavedDesign::Iterations } else { SavedDesign::Launches };
        SavedCase { launches, design, ..SavedCase::new(format!("b{i}"), format!("b{i}")) }
    }

    /// A file of a tool that starts this many processes per benchmark.
    fn file(&mut self, ratio: f64, processes: usize, iterations: usize) -> Saved {
        let offset = self.session();
        side("file", (0..CASES).map(|i| self.case(i, ratio, offset, processes, iterations)).collect())
    }
}

type Make = dyn Fn(&mut World, f64) -> (Saved, Saved);

/// Files of one process each, one side after the other, or alternating and with dates.
fn files(count: usize, in_turn: bool) -> Box<Make> {
    Box::new(move |world, ratio| {
        // All files of a side are made in one go.
        let offsets = [world.session(), if in_turn { 0.0 } else { world.session() }];
        let mut sides = [Vec::new(), Vec::new()];
        for made in 0..2 * count {
            let which = if in_turn { made % 2 } else { made / count };
            let offset = offsets[if in_turn { 0 } else { which }];
            let cases = (0..CASES).map(|i| world.case(i, [1.0, ratio][which], offset, 1, 5)).collect();
            let mut file = side("file", cases);
            file.machine.insert(fact::DATE.to_owned(), format!("{made:04}"));
            sides[which].push(file);
        }
        let [base, new] = sides.map(|parts| Saved::merge("side", parts).expect("a side"));
        (base, new)
    })
}

fn one_file(processes: usize, iterations: usize) -> Box<Make> {
    Box::new(move |world, ratio| (world.file(1.0, processes, iterations), world.file(ratio, processes, iterations)))
}

/// Share of rows with a direction.
fn directed(make: &Make, machine: Machine, ratio: f64) -> f64 {
    let mut world = World { rng: Rng::new(0x6a7e), drift: 0.0, machine };
    let mut count = 0;
    let pairs = PAIRS;
    for _ in 0..pairs {
        let (base, new) = make(&mut world, ratio);
        let rows = compare_saved(&base, &new, &defaults()).rows;
        count += rows.iter().filter(|r| matches!(r.verdict, Verdict::Slower | Verdict::Faster)).count();
    }
    count as f64 / (pairs * CASES) as f64
}

#[test]
#[ignore = "simulation"]
fn identical_code_has_a_verdict_in_one_row_of_a_hundred_at_most() {
    let structures: [(&str, Box<Make>); 7] = [
        (
            "one process with its repetitions (Google Benchmark, Go -count, pytest, nanobench, criterion)",
            one_file(1, 30),
        ),
        ("forks (JMH)", one_file(5, 5)),
        ("launches (BenchmarkDotNet)", one_file(4, 15)),
        ("processes (pyperf)", one_file(20, 3)),
        ("four files a side", files(4, false)),
        ("eight files a side (a folder, go test appended, trees of criterion)", files(8, false)),
        ("eight files a side, in turn", files(8, true)),
    ];
    let mut found = Vec::new();
    for (name, make) in structures {
        for (how, machine) in [("quiet", QUIET), ("busy", BUSY), ("loaded", LOADED)] {
            found.push((name, how, directed(&*make, machine, 1.0)));
        }
    }
    assert!(found.iter().all(|(_, _, share)| *share <= 0.01), "{found:#?}");
}

#[test]
#[ignore = "simulation"]
fn a_change_of_a_fifth_is_found_with_processes_enough() {
    let found = |make: Box<Make>, machine| directed(&*make, machine, 1.2);
    assert!(found(one_file(8, 5), QUIET) > 0.95, "forks of one session");
    assert!(found(files(5, false), QUIET) > 0.95, "five files a side");
    // A busy machine needs files made in alternation.
    assert!(found(files(16, true), BUSY) > 0.95, "in turn");
    assert_eq!(found(one_file(1, 100), QUIET), 0.0, "one process per side");
}
