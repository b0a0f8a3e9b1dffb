//! `fill FILE|URL RUNS CASES [FIRST]`: adds made-up runs to a history, starting with this number, and prints how long additions and queries
//! take. For `bench/history`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use tare_analysis::history::{history, HistoryBase, HistoryMachine, HistoryOptions, HistoryPoint, HistoryRun};
use tare_history::{Address, HistoryDb, HistoryError, Range};
use tare_stats::{Interval, Rng};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let sizes = words.get(1).and_then(|w| w.parse().ok()).zip(words.get(2).and_then(|w| w.parse().ok()));
    let first = words.get(3).map_or(Some(0), |word| word.parse().ok());
    let (Some(place), Some((runs, cases)), Some(first)) = (words.first(), sizes, first) else {
        eprintln!("usage: fill FILE|URL RUNS CASES [FIRST]");
        return ExitCode::from(2);
    };
    match fill(place, [first, runs], cases) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn open(place: &str) -> Result<HistoryDb, HistoryError> {
    match place.contains("://") {
        true => HistoryDb::connect(&Address::parse(place)?),
        false => HistoryDb::open(Path::new(place)),
    }
}

fn fill(place: &str, [first, runs]: [usize; 2], cases: usize) -> Result<(), HistoryError> {
    let mut rng = Rng::new(1);
    let mut spent_ms = Vec::new();
    for at in first..first + runs {
        let points: Vec<HistoryPoint> = (0..cases).map(|case| point(case, at, &mut rng)).collect();
        let start = Instant::now();
        // Opened for each run, as `tare run` does.
        open(place)?.append(&run(at), &points)?;
        spent_ms.push(start.elapsed().as_secs_f64() * 1e3);
    }
    spent_ms.sort_by(f64::total_cmp);
    let of = |share: f64| spent_ms[((spent_ms.len() - 1) as f64 * share) as usize];
    println!("append_median_ms {:.1}\nappend_p99_ms {:.1}\nappend_max_ms {:.1}", of(0.5), of(0.99), of(1.0));
    let mut file = open(place)?;
    let machine = file.machines()?[0].id;
    let one = file.cases("")?.first().map(|case| case.id);
    let range = |cases, last| Range { project: String::new(), machine, branch: None, cases, last };
    let ranges = [
        ("ask_one_of_all_runs_ms", range(one.map(|id| vec![id]), first + runs)),
        ("ask_all_of_100_runs_ms", range(None, 100)),
    ];
    for (name, range) in ranges {
        let start = Instant::now();
        let (runs, _, kept) = file.read(&range)?;
        let read_ms = start.elapsed().as_secs_f64() * 1e3;
        let found = history(runs, kept, &HistoryOptions::default());
        let steps: usize = found.trends.iter().map(|trend| trend.steps.len()).sum();
        println!("{name} {:.1} (reading {read_ms:.1}, {steps} steps)", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

fn run(at: usize) -> HistoryRun {
    HistoryRun {
        run: format!("{at:08x}"),
        created: format!("{}-{:02}-{:02}T{:02}:00:00Z", 2026 + at / 8064, at / 672 % 12 + 1, at / 24 % 28 + 1, at % 24),
        tare: "0.1.0".into(),
        method: "waves-2".into(),
        machine: HistoryMachine { cpu: "made up".into(), processors: 2, architecture: "x86_64".into() },
        os: "Debian GNU/Linux 12 (bookworm)".into(),
        revision: Some(format!("{at:040x}")),
        cycle_ns: Some(0.25),
        minimum_effect: 0.01,
        command: vec!["tare".into(), "run".into(), ".".into()],
        failed: Vec::new(),
        ..HistoryRun::default()
    }
}

/// One case in ten has a 5 % step in the middle of the newest hundred runs.
fn point(case: usize, at: usize, rng: &mut Rng) -> HistoryPoint {
    let changed = if case % 10 == 0 && at >= 950 { 1.05 } else { 1.0 };
    let value = (10.0 + case as f64) * changed * (0.01 * rng.normal()).exp();
    let around = |value: f64| Interval { lower: value * 0.997, upper: value * 1.003 };
    HistoryPoint {
        key: format!("benches/group_{}.cpp:group {}/benchmark number {case}[n=1000]", case / 10, case / 10),
        name: format!("group {}/benchmark number {case}[n=1000]", case / 10),
        job: String::new(),
        compiler: "g++ (Debian 12.2.0-14) 12.2.0".into(),
        flags: "-O2 -std=c++17".into(),
        time_ns: Some(value),
        interval: Some(around(value)),
        is_cpu_time: false,
        is_shared: false,
        at_reference: true,
        base: (case % 2 == 1).then(|| HistoryBase {
            name: format!("group {}/base", case / 10),
            identity: format!("case {}", case / 10),
            ratio: value / 100.0,
            interval: around(value / 100.0),
        }),
    }
}
