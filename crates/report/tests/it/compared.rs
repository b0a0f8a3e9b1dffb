//! Invented comparisons: everything at once, nothing changed, saved data.

use crate::mock;
use tare_analysis::gate::{Judgement, Violation};
use tare_analysis::{
    Again, Code, Comparison, ComparisonRow, Decide, Design, FailedRow, How, Report, Severity, Side, Verdict,
};
use tare_model::{Argument, CommandLine, Failure, FailureKind, Parameter, Step};
use tare_stats::interval::Interval;

pub fn row(name: &str, verdict: Verdict, base_ns: f64, ratio: f64, half: f64) -> ComparisonRow {
    let (group, name) = name.rsplit_once('/').unwrap_or(("", name));
    let unclear = verdict == Verdict::Unclear;
    ComparisonRow {
        key: format!("bench.cpp:{group}/{name}"),
        group: group.into(),
        name: name.into(),
        parameters: Vec::new(),
        language: "c++".into(),
        base_ns: Some(base_ns),
        new_ns: Some(base_ns * ratio),
        own_errors: None,
        metric: None,
        ratio,
        interval: Some(Interval { lower: ratio - half, upper: ratio + half }),
        verdict,
        p: Some(if unclear { 0.21 } else { 0.000_002 }),
        q: Some(if unclear { 0.24 } else { 0.000_006 }),
        certified_margin: Some((ratio - 1.0).abs() + 0.9 * half),
        minimum_effect: 0.01,
        asked_effect: 0.01,
        is_exact: false,
        looks: 3,
        launches: [12, 12],
        several_modes: false,
        ratio_of_times: None,
        remark: String::new(),
        decide_with: unclear.then(|| Decide::Again(Again::only(How::Longer, [format!("{group}/{name}")]))),
    }
}

fn side(name: &str, detail: &str) -> Side {
    Side { name: name.into(), detail: detail.into() }
}

pub fn comparison(design: Design, rows: Vec<ComparisonRow>) -> Comparison {
    let logs: f64 = rows.iter().map(|r| r.ratio.ln()).sum();
    let saved = design != Design::Interleaved;
    Comparison {
        request: CommandLine::new("compare").with(Argument::word("main")).with(Argument::word("worktree")),
        run: if saved { String::new() } else { "7f3a21bc".into() },
        base: side("main", "c0ffee12 Parse numbers by hand"),
        new: side("worktree", "c0ffee12 with changes"),
        design,
        geometric_mean: (!rows.is_empty()).then(|| (logs / rows.len() as f64).exp()),
        rows,
        only_base: Vec::new(),
        only_new: Vec::new(),
        not_measured: Vec::new(),
        selectors: Default::default(),
        why_not: Default::default(),
        values: std::collections::BTreeMap::new(),
        new_costs: Vec::new(),
        counted: Vec::new(),
        failed: Vec::new(),
        skipped: Vec::new(),
        layout_limited: false,
        findings: Vec::new(),
        elapsed_s: if saved { 0.0 } else { 41.3 },
    }
}

pub fn everything() -> Comparison {
    let sized = |n: &str, row: ComparisonRow| ComparisonRow {
        parameters: vec![Parameter::new("n", n)],
        key: format!("{}[n={n}]", row.key),
        ..row
    };
    let mut rows = vec![
        row("parse/json-large", Verdict::Slower, 88_100.0, 1.0511, 0.009),
        row("lex/a-tokeniser-with-quite-a-long-name-indeed", Verdict::Slower, 1_284.0, 1.312, 0.02),
        row("lex/utf8", Verdict::Unclear, 940.0, 1.009, 0.05),
        sized("10", row("sort/std", Verdict::Faster, 310.0, 0.8204, 0.004)),
        sized("1000", row("sort/std", Verdict::Same, 41_700.0, 1.0007, 0.003)),
        row("hash/fnv", Verdict::Same, 0.31, 1.0, 0.006),
        row("<b>|evil|`\x1b[31m", Verdict::Unclear, 12.0, 0.997, 0.02),
    ];
    rows[2].several_modes = true;
    rows[2].remark = "no verdict after correction for the number of comparisons (q = 0.24)".into();
    rows[4].remark = "a real difference, but below the minimum effect".into();
    rows[5].base_ns = None;
    let failure = Failure {
        cause: FailureKind::Signal { signal: 11, name: "SIGSEGV".into() },
        step: Step::Body,
        output: vec!["loading tables".into(), "table 7 is empty".into()],
    };
    Comparison {
        only_base: vec!["parse/old".into()],
        only_new: vec!["parse/new".into(), "parse/newer[n=1]".into()],
        not_measured: vec!["io/disk".into()],
        failed: vec![FailedRow {
            key: "bench.cpp:io/net".into(),
            name: "io/net".into(),
            language: "c++".into(),
            side: 1,
            failure,
        }],
        layout_limited: true,
        findings: vec![
            mock::finding(
                Code::Preempted,
                Severity::Warning,
                None,
                "lex/utf8 of `main`: 212 of 288 visits were preempted",
                "stop what else runs",
                Some(Again::new(How::AsBefore)),
            ),
            mock::finding(
                Code::LayoutLimited,
                Severity::Note,
                None,
                "`bench.cpp`: one code layout per side, and layout alone can change a time by 2 to 4 %: the minimum effect is 3 %",
                "compare sources, so that several layouts can be built",
                None,
            ),
        ],
        ..comparison(Design::Interleaved, rows)
    }
}

pub fn nothing_changed() -> Comparison {
    let row = |name, base| row(name, Verdict::Same, base, 1.001, 0.004);
    comparison(Design::Interleaved, vec![row("parse/json-large", 88_100.0), row("parse/json-small", 1_022.0)])
}

pub fn saved() -> Comparison {
    let bare = |row: ComparisonRow, remark: &str| ComparisonRow {
        interval: None,
        p: None,
        q: None,
        certified_margin: None,
        minimum_effect: 0.05,
        asked_effect: 0.05,
        is_exact: false,
        launches: [1, 1],
        looks: 0,
        remark: remark.into(),
        ..row
    };
    let beyond = "one process a side, but beyond the ×1.53 that luck is taken to explain";
    let within = "one process a side: not beyond the ×1.53 that luck is taken to explain";
    let rows = vec![
        bare(row("Parse/Json", Verdict::Slower, 88_100.0, 1.9, 0.0), beyond),
        bare(row("Parse/Xml", Verdict::Unclear, 90_100.0, 1.12, 0.0), within),
        bare(row("Parse/Csv", Verdict::Unclear, 70_100.0, 0.93, 0.0), within),
        bare(row("Sort/Std", Verdict::Faster, 310.0, 0.41, 0.0), beyond),
    ];
    Comparison {
        base: side("before.json", "benchmark-dotnet 0.13.10, 2026-02-03"),
        new: side("after.json", "benchmark-dotnet 0.13.12, 2026-02-04"),
        findings: vec![mock::finding(
            Code::OtherMachine,
            Severity::Warning,
            None,
            "cpu: `AMD EPYC 7763` and `Intel Xeon 8370C`",
            "measure both sides on one machine: a ratio between machines is not a ratio between programs",
            None,
        )],
        ..comparison(Design::SavedIterations, rows)
    }
}

pub fn empty() -> Comparison {
    Comparison { not_measured: vec!["io/disk".into()], ..comparison(Design::Interleaved, Vec::new()) }
}

pub fn judgement() -> Judgement {
    let violation = |benchmark: &str, rule: &str, evidence: &str| Violation {
        benchmark: benchmark.into(),
        rule: rule.into(),
        evidence: evidence.into(),
    };
    Judgement {
        failed: vec![
            violation("parse/json-large", "slower:3%", "ratio 1.051 [1.042, 1.060]"),
            violation("lex/utf8", "time <= 250 ns", "940.0 ns [930.0 ns, 951.0 ns]"),
        ],
        undecided: vec![violation("lex/utf8", "unclear", "ratio 1.009 [0.959, 1.059]")],
        notes: vec![violation("", "prase/*", "it matches no benchmark that was measured")],
    }
}

pub fn report() -> Report {
    crate::reports::simple()
}
