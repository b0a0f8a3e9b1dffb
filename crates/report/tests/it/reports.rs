//! The mock reports.

use crate::mock::{finding, interval, measured, outcome, report, versus, Mock};
use tare_analysis::{
    Again, CaseEstimates, CaseReport, Code, CoreReport, CoreSummary, CoreUse, Finding, How, MetricReport, NetTime,
    Outcome, Quantity, Report, Sentence, Severity, Verdict,
};
use tare_model::{Better, CoreWidth, Failure, FailureKind, Metric, Per, Step};

fn metric(name: &str, unit: &str, value: f64) -> MetricReport {
    let metric =
        Metric { name: name.into(), unit: unit.into(), better: Better::Lower, per: Per::Operation, exact: false };
    MetricReport { metric, diagnoser: None, value, launches: vec![value; 12], occurs: 1.0, ratio: None }
}

/// Two languages, a baseline, the four verdicts.
fn parse() -> Vec<CaseReport> {
    let mock = |name, language| Mock { group: "parse", name, language, parameters: &[] };
    let with = |value, share, allocations, ratio| {
        outcome(CaseEstimates {
            metrics: vec![
                metric(Metric::ALLOCATIONS, "", allocations),
                metric(Metric::ALLOCATED_BYTES, "B", allocations * 48.0),
            ],
            ratio,
            ..measured(value, share)
        })
    };
    vec![
        mock("json-small", "c++").base(with(1022.4, 0.003, 2.0, None)),
        mock("json-small", "rust").case(with(1284.1, 0.004, 3.0, versus(0, 1.256, 0.005, Verdict::Slower))),
        mock("json-small-fast", "rust").case(with(812.9, 0.002, 0.0, versus(0, 0.7951, 0.003, Verdict::Faster))),
        mock("json-same", "rust").case(with(1024.0, 0.003, 2.5, versus(0, 1.0016, 0.004, Verdict::Same))),
        mock("json-large", "rust").case(with(1071.0, 0.061, 41.0, versus(0, 1.048, 0.062, Verdict::Unclear))),
    ]
}

/// Parameters: one varies, one is the same everywhere; two comparisons.
fn sort() -> Vec<CaseReport> {
    let mock = |name, parameters| Mock { group: "sort", name, language: "c++", parameters };
    let large: &[(&str, &str)] = &[("n", "1000000"), ("kind", "random")];
    let small: &[(&str, &str)] = &[("n", "1000"), ("kind", "random")];
    let with = |value, ratio| {
        outcome(CaseEstimates { ratio, cycles: None, at_reference_clock: false, ..measured(value, 0.011) })
    };
    let mut skewed = measured(61_200_000.0, 0.011);
    skewed.time = NetTime::Resolved { value_ns: 61_200_000.0, interval: Some(interval(61_200_000.0, 0.012, 0.034)) };
    skewed.ratio = versus(7, 0.7846, 0.02, Verdict::Faster);
    vec![
        mock("std::sort", small).base(with(31_415.0, None)),
        mock("radix", small).case(with(9_120.0, versus(5, 0.2903, 0.012, Verdict::Faster))),
        mock("std::sort", large).base(with(78_000_000.0, None)),
        mock("radix", large).case(outcome(skewed)),
    ]
}

/// Times that are hard to show, and names that are.
fn extremes() -> Vec<CaseReport> {
    let mock = |name, language| Mock { group: "", name, language, parameters: &[] };
    let below = CaseEstimates { time: NetTime::Below { upper_ns: 0.0304 }, cycles: None, ..measured(0.01, 0.9) };
    let mut single = measured(3.2e12, 0.01);
    single.time = NetTime::Resolved { value_ns: 3.2e12, interval: None };
    single.launches.truncate(1);
    single.quantity = Quantity::Cpu;
    vec![
        mock("empty", "c++").case(outcome(below)),
        mock("add", "c++").case(outcome(measured(0.2514, 0.62))),
        mock("an-hour-of-work", "rust").case(outcome(single)),
        mock("構文解析/çédille", "rust").case(outcome(measured(48.3, 0.0004))),
        mock("deserialise-a-large-document-with-many-nested-objects-and-a-long-name-v2", "c++")
            .case(outcome(measured(88_100.0, 0.021))),
        mock("has\tcontrol\u{1b}[31m", "c++").case(outcome(measured(1.3, 0.02))),
    ]
}

/// One case of each kind of failure, and one that was not measured.
fn failures() -> Vec<CaseReport> {
    let kinds = [
        ("missing", FailureKind::NotStarted { reason: "No such file or directory".into() }, Step::Start),
        ("crash", FailureKind::Signal { signal: 11, name: "SIGSEGV".into() }, Step::Body),
        ("exits", FailureKind::EarlyExit { status: 3 }, Step::SetUp),
        (
            "throws",
            FailureKind::Exception {
                message: "invalid argument".into(),
                exception: Some("std::invalid_argument".into()),
                place: Some("bench.cpp:12".into()),
            },
            Step::IterationSetUp,
        ),
        ("ends-badly", FailureKind::Failed { message: "`make all` exited with status 2".into() }, Step::Body),
        ("hangs", FailureKind::Timeout { seconds: 60.0 }, Step::Body),
        ("floods", FailureKind::OutputFlood { bytes: 300 << 20 }, Step::Body),
        (
            "babbles",
            FailureKind::Protocol {
                reason: "R8: it replied `opened` instead of `measured`".into(),
                request: Some("measure workload 1 1 0".into()),
                front_end: Some("tare-cpp 0.1.0".into()),
            },
            Step::Body,
        ),
        ("newer", FailureKind::Version { versions: vec![2, 3] }, Step::Start),
        ("grows", FailureKind::MemoryGrowth { bytes: 120 << 20, invocations: 4096 }, Step::Body),
        ("forks", FailureKind::StrayProcess { count: 2 }, Step::End),
        ("starved", FailureKind::NoValidVisits, Step::Body),
        ("frozen", FailureKind::Clock { said_ns: 0.0, took_ns: 1.3e9, invocations: 1_280_000 }, Step::Body),
    ];
    let output = |name: &str| match name {
        "crash" => (1..=7).map(|i| format!("reading block {i} of 7")).collect(),
        "throws" => vec!["terminate called after throwing an instance of 'std::invalid_argument'".to_owned()],
        _ => Vec::new(),
    };
    let mut cases: Vec<CaseReport> = kinds
        .into_iter()
        .map(|(name, cause, step)| {
            let failure = Failure { cause, step, output: output(name) };
            Mock { group: "broken", name, language: "c++", parameters: &[] }.case(Outcome::Failed { failure })
        })
        .collect();
    cases.push(Mock { group: "broken", name: "never", language: "rust", parameters: &[] }.case(Outcome::NotMeasured));
    cases
}

/// All at once.
pub fn everything() -> Report {
    let cases: Vec<CaseReport> = parse().into_iter().chain(sort()).chain(extremes()).chain(failures()).collect();
    let mut report = report(cases);
    report.findings = findings();
    report
}

/// A finding whose numbers are values of its sentence, as those of the analysis are.
fn two_modes(case: u32, times: [&str; 2], launches: [usize; 2], name: &str) -> Finding {
    let evidence = Sentence::new("{fast} in {many} launches and {slow} in {few} launches")
        .text("fast", times[0])
        .text("slow", times[1])
        .count("many", launches[0])
        .count("few", launches[1]);
    let again = Again::only(How::Launches(24), [name]);
    let advice = "more launches tell how often each mode comes";
    Finding { evidence, ..finding(Code::TwoModes, Severity::Warning, Some(case), "", advice, Some(again)) }
}

fn findings() -> Vec<Finding> {
    vec![
        finding(
            Code::DebugBuild,
            Severity::Error,
            Some(10),
            "bench.cpp was built without optimisation",
            "build with optimisation",
            Some(Again::new(How::AsBefore)),
        ),
        two_modes(4, ["1.02 µs", "1.12 µs"], [8, 4], "parse/json-large"),
        two_modes(8, ["61.0 ms", "66.4 ms"], [9, 3], "sort/radix[n=1000000, kind=random]"),
        finding(
            Code::Drift,
            Severity::Warning,
            Some(3),
            "the time rose by 1.4 % from the first wave to the last",
            "times are not steady over the session",
            None,
        ),
        finding(
            Code::NoisyHost,
            Severity::Warning,
            None,
            "27 % of the visits were preempted, tasks waited for a CPU 11 % of the time",
            "stop other programs, or take the longer profile",
            Some(Again::new(How::Longer)),
        ),
        finding(
            Code::HeavyTail,
            Severity::Note,
            Some(0),
            "4 of 285 visits are high outliers",
            "the longest took 1.31 times the median",
            None,
        ),
        finding(
            Code::FewLaunches,
            Severity::Note,
            Some(11),
            "1 launch gives no interval",
            "give it more time",
            Some(Again::only(How::Longer, ["an-hour-of-work"])),
        ),
        finding(
            Code::FailedToDecide,
            Severity::Note,
            Some(4),
            "the ratio is 0.983 to 1.113; the same within 12 %",
            "about 20 launches per side would decide it",
            Some(Again::only(How::Launches(20), ["parse/json-small", "parse/json-large"])),
        ),
        finding(
            Code::LayoutLimited,
            Severity::Note,
            None,
            "code layout was not varied between launches",
            "differences below 3 % may be luck of the layout",
            None,
        ),
    ]
}

/// A run beside a neighbour: most times alone on the core, one of all windows, one of which nobody knows.
pub fn beside_a_neighbour() -> Report {
    let mut report = simple();
    report.environment.core_width = Some(CoreWidth { cycles_per_addition: 0.2541, source: "machine profile".into() });
    let core = |alone_ns: f64, alone_share, times, slow_down: Option<f64>| {
        let shared_ns = slow_down.map(|slower| alone_ns * slower);
        let alone_ns = Some(alone_ns).filter(|_| times == CoreUse::Alone || slow_down.is_some());
        Some(CoreReport { times, windows: 2880, alone_share, slow_down, alone_ns, shared_ns })
    };
    let cores = [
        core(9.134, 0.584, CoreUse::Alone, Some(1.72)),
        core(4.021, 0.612, CoreUse::Alone, Some(1.22)),
        core(6.77, 0.034, CoreUse::Any, Some(1.70)),
    ];
    for (case, core) in report.cases.iter_mut().zip(cores) {
        let Outcome::Measured(estimates) = &mut case.outcome else { panic!("measured") };
        estimates.core = core;
        estimates.visits.shared = 9;
        for launch in &mut estimates.launches {
            launch.alone_share = core.map(|c| c.alone_share * (0.9 + 0.02 * f64::from(launch.launch % 5)));
        }
    }
    report.core = Some(CoreSummary {
        windows: 8640,
        alone_share: 0.41,
        cycles_per_addition: Some(0.2541),
        source: Some("machine profile".into()),
        cases_alone: 2,
        cases_any: 1,
        cases_not_judged: 0,
    });
    report.findings = vec![finding(
        Code::CoreShared,
        Severity::Warning,
        Some(2),
        "others used the core 97 % of the time, and the time shown includes that; sharing makes this code take 1.70 times as long",
        "run again, run for longer, or use another processor (`--cpu N`, see `tare doctor`)",
        Some(Again::only(How::Longer, ["parse/strtol", "parse/stoi"])),
    )];
    report
}

/// What most runs look like: one language, one group, nothing to complain of.
pub fn simple() -> Report {
    let mock = |name| Mock { group: "parse", name, language: "c++", parameters: &[] };
    let free = |value, ratio| {
        let metrics = vec![metric(Metric::ALLOCATIONS, "", 0.0)];
        outcome(CaseEstimates { metrics, ratio, ..measured(value, 0.003) })
    };
    let mut report = report(vec![
        mock("strtol").base(free(9.134, None)),
        mock("from_chars").case(free(4.021, versus(0, 0.4402, 0.003, Verdict::Faster))),
        mock("stoi").case(free(11.52, versus(0, 1.261, 0.004, Verdict::Slower))),
    ]);
    report.programs.truncate(1);
    report.elapsed_s = 3.42;
    report
}

/// The verdicts alone.
pub fn compared() -> Report {
    let mut report = report(parse().into_iter().chain(sort()).collect());
    report.findings =
        everything().findings.into_iter().filter(|f| matches!(f.code, Code::TwoModes | Code::FailedToDecide)).collect();
    report
}
