//! The report computed a second time, by an independent program: `tests/recompute.py`.

use crate::common::simulate::{run, Plan};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tare_model::{Draw, Stage};
use tare_stats::noise::Scenario;

#[test]
fn an_independent_program_finds_the_same_numbers() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: an_independent_program_finds_the_same_numbers needs python3");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recompute.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // The third has enough pairs to count, in its later waves, and nine layouts, which repeat. In the fourth, comparisons end without a
    // verdict, with a last look.
    let runs =
        [(Scenario::Quiet, 2, 0.03), (Scenario::Ci, 3, 0.03), (Scenario::Bad, 8, 0.03), (Scenario::Bad, 5, 0.01)];
    for (index, (scenario, waves, effect)) in runs.into_iter().enumerate() {
        let plan = Plan { cases: 3, waves, ns: 5.0, ..Plan::of(scenario.parameters(), 77) };
        let mut run = run(&plan, |at| effect * f64::from(at.case));
        let mut of_case = BTreeMap::new();
        for launch in &mut run.launches {
            let number = of_case.entry(launch.case).or_insert(0);
            launch.draw = Draw { layout: *number, pair: (launch.wave >= 3).then_some(u64::from(*number)), seed: 1 };
            *number += 1;
        }
        run.artifacts[0].layouts = (0..9).filter(|_| index == 2).map(|layout| layout.to_string()).collect();
        for (n, launch) in run.launches.iter_mut().enumerate() {
            // One of the cases counts its operations, with different numbers per iteration.
            let series = launch.series.iter_mut().find(|s| s.stage == Stage::Actual).expect("every launch is measured");
            if launch.case == 1 {
                let columns = &mut series.columns;
                columns.operations = (0..columns.len()).map(|at| 0.5 + (at * 5 % 7) as f64).collect();
                let times = columns.elapsed_ns.iter_mut().zip(&mut columns.cpu_ns).zip(&columns.operations);
                times.for_each(|((wall, cpu), operations)| (*wall, *cpu) = (*wall * operations, *cpu * operations));
            }
            // An occasional preempted visit, and a loop to subtract.
            let series = launch.series.iter_mut().find(|s| s.stage == Stage::Actual).expect("every launch is measured");
            series.columns.elapsed_ns[n % 24] *= 1.7;
            let mut empty = series.clone();
            empty.stage = Stage::Overhead;
            empty.columns.operations.clear();
            let turn = 0.25 + 0.01 * (n * 7 % 5) as f64;
            empty.columns.elapsed_ns.iter_mut().for_each(|e| *e = turn * series.invocations as f64);
            empty.columns.cpu_ns = empty.columns.elapsed_ns.clone();
            launch.series.push(empty);
        }
        let (run_file, report_file) = (folder.join("run.json"), folder.join("report.json"));
        std::fs::write(&run_file, serde_json::to_vec(&run).unwrap()).unwrap();
        std::fs::write(&report_file, serde_json::to_vec(&tare_analysis::analyse(&run)).unwrap()).unwrap();
        let output = Command::new("python3").arg(&script).arg(&run_file).arg(&report_file).output().unwrap();
        let reported = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{reported}\n{}", String::from_utf8_lossy(&output.stderr));
        println!("{scenario:?}: {}", reported.trim());
    }
}
