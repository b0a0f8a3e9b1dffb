use tare_analysis::history::{HistoryBase, HistoryFailure, HistoryMachine, HistoryPoint, HistoryRun};
use tare_stats::Interval;

pub fn run(id: usize, cpu: &str) -> HistoryRun {
    HistoryRun {
        run: format!("{id:08x}"),
        created: format!("2026-01-{:02}T00:00:00Z", id % 28 + 1),
        project: String::new(),
        tare: "0.1.0".into(),
        method: "waves-2".into(),
        machine: HistoryMachine { cpu: cpu.into(), processors: 2, architecture: "x86_64".into() },
        os: "Debian".into(),
        revision: (id % 2 == 0).then(|| format!("{id:040x}")),
        branch: (id % 3 == 0).then(|| "main".into()),
        dirty: id == 3,
        cycle_ns: Some(0.25),
        minimum_effect: 0.01,
        command: vec!["tare".into(), "run".into(), "it's \"x\"".into()],
        failed: failures(id),
    }
}

/// Failures without a value, so that one run lacks a benchmark of the others.
fn failures(id: usize) -> Vec<HistoryFailure> {
    let failed = HistoryFailure { name: "g/b".into(), job: String::new(), why: "exit status 1".into() };
    if id == 4 {
        vec![failed]
    } else {
        Vec::new()
    }
}

pub fn point(key: &str, time_ns: Option<f64>, base: bool) -> HistoryPoint {
    HistoryPoint {
        key: key.into(),
        name: format!("g/{key}"),
        job: String::new(),
        compiler: "gcc 12".into(),
        flags: "-O2".into(),
        time_ns,
        interval: time_ns.map(|ns| Interval { lower: ns * 0.99, upper: ns * 1.01 }),
        is_cpu_time: false,
        is_shared: key == "b",
        at_reference: true,
        base: base.then(|| HistoryBase {
            name: "g/a".into(),
            identity: "case a".into(),
            ratio: 1.5,
            interval: Interval { lower: 1.4, upper: 1.6 },
        }),
    }
}
