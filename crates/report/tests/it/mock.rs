//! A report made by hand that holds every kind of thing a screen must show.

use tare_analysis::{
    Advice, Again, CaseEstimates, CaseReport, Code, Finding, GroupReport, How, LaunchCount, LaunchReport, NetTime,
    Outcome, ProgramReport, Quantity, RatioReport, Report, Sentence, Severity, StageReport, Verdict, VisitCounts,
};
use tare_model::{Argument, Cache, ClockReference, CommandLine, Environment, GitState, Parameter, RunStatus, Stage};
use tare_stats::histogram::adaptive_histogram;
use tare_stats::interval::{Estimate, Interval};
use tare_stats::summary::Summary;

/// A case under construction.
pub struct Mock {
    pub group: &'static str,
    pub name: &'static str,
    pub language: &'static str,
    pub parameters: &'static [(&'static str, &'static str)],
}

impl Mock {
    pub fn case(&self, outcome: Outcome) -> CaseReport {
        let key = format!("{} {}/{}", self.language, self.group, self.name);
        CaseReport {
            parameters: self.parameters.iter().map(|(n, v)| Parameter::new(*n, *v)).collect(),
            language: self.language.into(),
            program: if self.language == "rust" { 1 } else { 0 },
            unit: "op".into(),
            ..CaseReport::new(&key, self.group, self.name, outcome)
        }
    }

    pub fn base(&self, outcome: Outcome) -> CaseReport {
        CaseReport { baseline: true, ..self.case(outcome) }
    }
}

pub fn interval(value: f64, below: f64, above: f64) -> Interval {
    Interval { lower: value * (1.0 - below), upper: value * (1.0 + above) }
}

/// A sample that looks like visits: most near the value, a tail to the right. No randomness: the same in every test.
fn sample(value: f64, spread: f64) -> Vec<f64> {
    let turn = |i: u32| f64::from((i.wrapping_mul(2_654_435_761) >> 12) % 1000) / 1000.0;
    (0..96u32)
        .map(|i| {
            value
                * (1.0
                    + spread * (turn(i) + turn(i + 101) + turn(i + 211) - 1.5)
                    + if i % 31 == 0 { 6.0 * spread } else { 0.0 })
        })
        .collect()
}

/// A measured case of `value` ns with a 95 % interval of ±`share`.
pub fn measured(value: f64, share: f64) -> CaseEstimates {
    let xs = sample(value + 0.3, share.max(0.02) * 2.0);
    let launches = (0..12)
        .map(|i| LaunchReport {
            launch: i,
            wave: i / 4,
            raw_ns: value * (1.0 + share * (f64::from(i % 5) - 2.0)) + 0.3,
            valid: 24 - usize::from(i == 3),
            measured: 24,
            alone_share: None,
            processor: None,
            start_up_ns: Some(1.2e6 + 4e4 * f64::from(i)),
            invocations: 768,
            peak_memory_bytes: Some(3_600_000),
            cycle_ns: Some(0.2688),
        })
        .collect();
    let estimate = |value: f64| Estimate { value, interval: interval(value, share, share), confidence: 0.95 };
    CaseEstimates {
        time: NetTime::Resolved { value_ns: value, interval: Some(interval(value, share, share)) },
        raw: Some(estimate(value + 0.3)),
        overhead: Some(Estimate { value: 0.31, interval: interval(0.31, 0.05, 0.05), confidence: 0.95 }),
        cycles: Some(estimate(value / 0.2688)),
        wall_ns: value * 1.02,
        quantity: Quantity::Wall,
        core: None,
        at_reference_clock: true,
        ratio: None,
        visits: VisitCounts {
            shared: 0,
            measured: 288,
            valid: 285,
            preempted: 2,
            to_own_threads: 0,
            disturbed: 1,
            outliers_low: 1,
            outliers_high: 4,
        },
        launches,
        waves: 3,
        stages: vec![
            StageReport { stage: Stage::Pilot, iterations: 60, invocations: 9_000, elapsed_ns: 9.1e6 },
            StageReport { stage: Stage::Warmup, iterations: 120, invocations: 92_160, elapsed_ns: 1.2e8 },
            StageReport { stage: Stage::Overhead, iterations: 24, invocations: 18_432, elapsed_ns: 6.0e3 },
            StageReport { stage: Stage::Actual, iterations: 288, invocations: 221_184, elapsed_ns: 2.9e8 },
        ],
        summary: Summary::of(&xs),
        histogram: adaptive_histogram(&xs),
        shape: vec![2, 14, 31, 22, 9, 3, 0, 1],
        centre_ns: value + 0.3,
        spread_ns: value * share,
        metrics: Vec::new(),
        rates: Vec::new(),
        events: Vec::new(),
        peak_memory_bytes: Some(3_600_000),
        digest: Some("8f14e45fceea167a".into()),
    }
}

pub fn outcome(estimates: CaseEstimates) -> Outcome {
    Outcome::Measured(Box::new(estimates))
}

pub fn versus(baseline: u32, ratio: f64, share: f64, verdict: Verdict) -> Option<RatioReport> {
    Some(RatioReport {
        baseline,
        ratio,
        interval: interval(ratio, share, share * 1.02),
        interval_99: interval(ratio, share * 1.3, share * 1.3),
        interval_90: interval(ratio, share * 0.9, share * 0.9),
        verdict,
        reason: None,
        p: if verdict == Verdict::Unclear { 0.21 } else { 0.000_02 },
        q: if verdict == Verdict::Unclear { 0.24 } else { 0.000_06 },
        looks: 3,
        certified_margin: (ratio - 1.0).abs() + share,
        minimum_effect: 0.01,
        decide_with: (verdict == Verdict::Unclear).then(|| Again::only(How::Launches(32), ["parse/json-large"])),
        overhead: None,
        ratio_of_times: None,
    })
}

fn environment() -> Environment {
    Environment {
        os: "Debian GNU/Linux 12".into(),
        kernel: "Linux 6.8.0-41-generic".into(),
        architecture: "x86_64".into(),
        libc: Some("glibc 2.36".into()),
        cpu: "AMD EPYC 7763 64-Core Processor".into(),
        processors: 2,
        cores: Some(1),
        smt: Some(true),
        caches: vec![
            Cache { level: 1, kind: "data".into(), size_bytes: 32 << 10 },
            Cache { level: 2, kind: "unified".into(), size_bytes: 512 << 10 },
            Cache { level: 3, kind: "unified".into(), size_bytes: 32 << 20 },
        ],
        memory_bytes: 8 << 30,
        gpus: Vec::new(),
        governor: Some("powersave".into()),
        turbo: None,
        aslr: Some(2),
        thp: Some("madvise".into()),
        clock_source: Some("kvm-clock".into()),
        virtual_machine: Some(true),
        cpu_quota: None,
        load_1min: Some(1.37),
        steal: Some(0.004),
        cpu_pressure: Some(0.11),
        swap_used_bytes: Some(0),
        git: Some(GitState { revision: "c0ffee1234567890c0ffee1234567890c0ffee12".into(), dirty: true, branch: None }),
        clock_reference: Some(ClockReference { cycle_ns: 0.2688, source: "machine profile".into() }),
        core_width: None,
        core_width_of: [].into(),
        calibration: None,
        costs: None,
    }
}

fn program(name: &str, language: &str, compiler: &str, flags: &str) -> ProgramReport {
    ProgramReport {
        name: name.into(),
        language: language.into(),
        compiler: Some(compiler.into()),
        runtime: None,
        flags: Some(flags.into()),
        optimised: Some(true),
        command: vec![format!("/home/me/.cache/tare/9c1f/{name}.bin"), "--size".into(), "two words".into()],
        context: Vec::new(),
    }
}

/// A report of these cases: groups in the order of their first case, everything else filled in.
pub fn report(mut cases: Vec<CaseReport>) -> Report {
    let mut groups: Vec<GroupReport> = Vec::new();
    for (at, case) in cases.iter_mut().enumerate() {
        case.case = at as u32;
        match groups.iter_mut().find(|g| g.name == case.group) {
            Some(group) => group.cases.push(at as u32),
            None => groups.push(GroupReport { name: case.group.clone(), cases: vec![at as u32] }),
        }
    }
    Report {
        run: "7f3a21bc".into(),
        created: "2026-02-03T04:05:06Z".into(),
        tare: "0.1.0".into(),
        method: "waves-1".into(),
        environment: environment(),
        status: RunStatus::Finished,
        request: CommandLine::new("run").with(Argument::word("bench.cpp")),
        is_comparison: false,
        elapsed_s: 41.3,
        launches: LaunchCount { made: 36, planned: Some(36) },
        core: None,
        minimum_effect: 0.01,
        cases,
        groups,
        scaling: Vec::new(),
        findings: Vec::new(),
        programs: vec![
            program("bench.cpp", "c++", "gcc 12.2.0", "-O2"),
            program("bench.rs", "rust", "rustc 1.85.0", "-O"),
        ],
        not_built: Vec::new(),
        attachments: Vec::new(),
        without_baseline: Vec::new(),
        jobs: Vec::new(),
    }
}

pub fn finding(
    code: Code,
    severity: Severity,
    case: Option<u32>,
    evidence: &str,
    text: &str,
    again: Option<Again>,
) -> Finding {
    let advice = Advice { text: text.into(), again };
    Finding { code, severity, case, cases: Vec::new(), evidence: Sentence::quoting(evidence), advice }
}
