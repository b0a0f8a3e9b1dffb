//! The comparison within a run: pairs of builds whose children were interleaved.

use super::saved::says_something;
use crate::estimate::NetTime;
use crate::finding::{Advice, Again, Code, Decide, Finding, How, Sentence, Severity, Unit};
use crate::ratio::{other_ratio, RatioReport};
use crate::report::{
    CaseReport, Comparison, ComparisonRow, CountRow, Design, FailedRow, MetricReport, Outcome, Report, Side, SkippedOn,
    SkippedRow, NOTHING,
};
use crate::saved::{metric_counts, metric_rows, saved_metric, SavedCase};
use crate::verdict::{Reason, Remedy};
use std::collections::{BTreeMap, HashMap, HashSet};
use tare_model::{LanguageFacts, Run, SideFacts};

/// Whether a run is a comparison of two sides (see `tare_engine::plan_comparison`).
pub fn is_comparison(run: &Run) -> bool {
    run.sides.is_some()
}

/// The comparison of a run whose plan has a pair of builds in each group (see `tare_engine::plan_comparison`).
pub fn compare_run(run: &Run, report: &Report) -> Comparison {
    let Pairs { rows, counts, mut failed, skipped, mut not_measured, why_not, .. } = pairs(run, report);
    let sides = run.sides.clone().unwrap_or_default();
    for (which, side) in sides.both() {
        for program in &side.missing.failed {
            let (key, failure) = (program.program.clone(), program.failure.clone());
            let (name, language) = (key.clone(), String::new());
            failed.push(FailedRow { key, name, language, side: which as u32, failure });
            not_measured.extend(program.partners.iter().cloned());
        }
    }
    let side = |side: &SideFacts| Side { name: side.name.clone(), detail: side.detail.clone() };
    let limited = layout_limited(run);
    let mut findings: Vec<Finding> = limited.iter().cloned().collect();
    findings.extend(of_cases(report));
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    Comparison {
        run: run.id.clone(),
        request: run.wanted(),
        base: side(&sides.base),
        new: side(&sides.new),
        design: Design::Interleaved,
        geometric_mean: super::geometric_mean(&rows),
        layout_limited: limited.is_some(),
        rows,
        only_base: sides.base.missing.alone,
        only_new: sides.new.missing.alone,
        not_measured,
        selectors: BTreeMap::new(),
        why_not,
        values: BTreeMap::new(),
        new_costs: Vec::new(),
        counted: counts,
        failed,
        skipped,
        findings,
        elapsed_s: report.elapsed_s,
    }
}

#[derive(Default)]
struct Pairs {
    rows: Vec<ComparisonRow>,
    counts: Vec<CountRow>,
    failed: Vec<FailedRow>,
    skipped: Vec<SkippedRow>,
    not_measured: Vec<String>,
    why_not: BTreeMap<String, String>,
    repeated: HashSet<String>,
}

fn repeated(report: &Report) -> HashSet<String> {
    let mut keys: HashMap<String, &str> = HashMap::new();
    let mut repeated = HashSet::new();
    for case in &report.cases {
        if *keys.entry(case.selector()).or_insert(&case.key) != case.key {
            repeated.insert(case.selector());
        }
    }
    repeated
}

fn pairs(run: &Run, report: &Report) -> Pairs {
    let mut pairs = Pairs { repeated: repeated(report), ..Pairs::default() };
    for group in &run.plan.groups {
        let Some(base) = group.baseline.map(|base| &report.cases[base as usize]) else { continue };
        for new in group.contestants().map(|case| &report.cases[case as usize]) {
            let failures = [(0, base), (1, new)].into_iter().filter_map(|(side, case)| failed_row(side, case));
            let before = pairs.failed.len();
            pairs.failed.extend(failures);
            let has_failed = pairs.failed.len() > before;
            match row(run, report, base, new) {
                Some(row) => {
                    let (base, new) = (with_metrics(base), with_metrics(new));
                    let of_metrics = metric_rows(&row, &base, &new);
                    pairs.counts.extend(metric_counts(&row, &base, &new));
                    pairs.rows.push(row);
                    // Nothing on both sides is not worth a row.
                    pairs.rows.extend(of_metrics.into_iter().filter(says_something));
                }
                None => pairs.without_row(base, new, has_failed),
            }
        }
    }
    pairs
}

impl Pairs {
    /// Records a pair that cannot be compared; one that failed already has a row.
    fn without_row(&mut self, base: &CaseReport, new: &CaseReport, has_failed: bool) {
        let why = match (reason_to_skip(base), reason_to_skip(new)) {
            _ if base.is_nothing() || new.is_nothing() => Some(NOTHING.to_owned()),
            _ if has_failed => return,
            (Some(_), Some(reason)) => {
                let (key, name) = (new.key.clone(), new.selector());
                self.skipped.push(SkippedRow { key, name, on: SkippedOn::Both, reason: reason.to_owned() });
                return;
            }
            (Some(reason), None) => Some(SkippedRow::not_compared(SkippedOn::Base, reason)),
            (None, Some(reason)) => Some(SkippedRow::not_compared(SkippedOn::New, reason)),
            (None, None) => None,
        };
        let name = match self.repeated.contains(&new.selector()) {
            true => new.key.clone(),
            false => new.selector(),
        };
        self.why_not.extend(why.map(|why| (name.clone(), why)));
        self.not_measured.push(name);
    }
}

fn reason_to_skip(case: &CaseReport) -> Option<&str> {
    match &case.outcome {
        Outcome::Skipped { reason } => Some(reason),
        _ => None,
    }
}

fn failed_row(side: u32, case: &CaseReport) -> Option<FailedRow> {
    match &case.outcome {
        Outcome::Failed { failure } => {
            let (key, name, language) = (case.key.clone(), case.selector(), case.language.clone());
            Some(FailedRow { key, name, language, side, failure: failure.clone() })
        }
        _ => None,
    }
}

fn row(run: &Run, report: &Report, base: &CaseReport, new: &CaseReport) -> Option<ComparisonRow> {
    let (a, b) = (base.estimates()?, new.estimates()?);
    let ratio: &RatioReport = b.ratio.as_ref()?;
    let net = NetTime::resolved_ns;
    Some(ComparisonRow {
        key: new.key.clone(),
        group: new.group.clone(),
        name: new.name.clone(),
        parameters: new.parameters.clone(),
        language: new.language.clone(),
        base_ns: net(&a.time),
        new_ns: net(&b.time),
        own_errors: None,
        metric: None,
        ratio: ratio.ratio,
        interval: Some(ratio.interval),
        verdict: ratio.verdict,
        p: Some(ratio.p),
        q: Some(ratio.q),
        certified_margin: Some(ratio.certified_margin),
        minimum_effect: ratio.minimum_effect,
        asked_effect: ratio.minimum_effect,
        is_exact: false,
        looks: ratio.looks,
        launches: [a.launches.len(), b.launches.len()],
        several_modes: report
            .findings
            .iter()
            .any(|f| f.code == Code::TwoModes && (f.concerns(base.case) || f.concerns(new.case))),
        ratio_of_times: ratio.ratio_of_times,
        remark: with_other_ratio(ratio.reason.as_ref(), ratio.ratio_of_times),
        decide_with: decide_with(run, new.selector(), ratio),
    })
}

pub(crate) fn with_other_ratio(reason: Option<&Reason>, ratio_of_times: Option<f64>) -> String {
    let parts = [reason.map(ToString::to_string), ratio_of_times.map(|ratio| other_ratio(ratio).to_string())];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn with_metrics(case: &CaseReport) -> SavedCase {
    let metrics: &[MetricReport] = case.estimates().map_or(&[], |estimates| &estimates.metrics);
    let named = || SavedCase::new(case.key.clone(), case.name.clone());
    SavedCase { metrics: metrics.iter().map(|metric| saved_metric(metric, named())).collect(), ..named() }
}

fn decide_with(run: &Run, name: String, ratio: &RatioReport) -> Option<Decide> {
    let remedy = Remedy::Again {
        only: vec![name],
        is_cut_short: ratio.looks < run.plan.policy.waves_max,
        can_be_longer: run.can_be_longer(),
        margin: ratio.certified_margin,
    };
    remedy.of(ratio.verdict, ratio.reason.as_ref())
}

/// The finding that code layout was not varied, if so: for which programs, and what it means for the verdicts.
fn layout_limited(run: &Run) -> Option<Finding> {
    let compared = |at: usize| run.plan.cases.iter().any(|c| c.artifact as usize == at);
    let fixed: Vec<_> = run
        .artifacts
        .iter()
        .enumerate()
        .filter(|(at, a)| compared(*at) && a.has_fixed_layout())
        .map(|(_, a)| a)
        .collect();
    let is_given = fixed.iter().all(|a| LanguageFacts::of_any(&a.language).layout_is_given);
    let few = fixed.iter().any(|a| a.layouts.len() > 1);
    let mut names: Vec<String> = fixed.into_iter().map(|a| a.name.clone()).collect();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let layouts = if few { "few code layouts per side" } else { "one code layout per side" };
    let evidence = Sentence::new("{programs}: ")
        .then(layouts.into())
        .then(", and layout alone can change a time by 2 to 4 %: the minimum effect is {minimum}".into())
        .names("programs", names)
        .number("minimum", run.plan.policy.minimum_effect, Unit::Limit);
    let advice = match is_given {
        true => {
            let text = "nothing to do: Tare cannot change the order of code in this language, so changes below the minimum effect are not reported";
            Advice { text: text.into(), again: None }
        }
        false => {
            let text = "compare revisions, folders or sources, and do not ask for fewer than 8 layouts, so that `tare` can build several";
            Advice { text: text.into(), again: Some(Again::new(How::FreeLayouts)) }
        }
    };
    Some(Finding { advice, ..Finding::new(Code::LayoutLimited, Severity::Note, evidence, "") })
}

/// The findings of the run, with the names of benchmark and side in their evidence.
fn of_cases(report: &Report) -> impl Iterator<Item = Finding> + '_ {
    // Undecided comparisons have their own table, the layout is mentioned above, a comparison shows no intervals of single times, and its
    // rows have remarks.
    const ELSEWHERE: [Code; 4] = [Code::FailedToDecide, Code::LayoutLimited, Code::FewLaunches, Code::TimesAndRatio];
    let mine = |f: &&Finding| !ELSEWHERE.contains(&f.code);
    report.findings.iter().filter(mine).map(|finding| finding_of_side(report, finding))
}

/// Turns a finding of the run into one of the comparison: it names benchmark and side.
pub fn finding_of_side(report: &Report, finding: &Finding) -> Finding {
    let place = finding.case.and_then(|case| {
        let case = report.cases.get(case as usize)?;
        let side = case.side.as_str();
        Some(Sentence::new("{benchmark} of `{side}`: ").name("benchmark", case.selector()).name("side", side))
    });
    let evidence = place.unwrap_or_default().then(finding.evidence.clone());
    // The rows of a comparison are not the cases of its run.
    Finding { case: None, cases: Vec::new(), evidence, advice: advice(finding), ..finding.clone() }
}

fn advice(finding: &Finding) -> Advice {
    let text = match finding.code {
        Code::DifferentResults => "check whether the change is meant to alter the result".into(),
        _ => finding.advice.text.clone(),
    };
    let again = finding.advice.again.as_ref().map(|again| {
        // A filter selects both sides of a benchmark.
        let mut only = again.only.clone();
        only.dedup();
        Again { how: again.how, only }
    });
    Advice { text, again }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::verdict::Verdict;
    use tare_model::{Better, Metric};

    #[test]
    fn what_a_child_measures_beside_the_time_has_rows_of_its_own() {
        let mut builder = RunBuilder::new();
        let metric = |name: &str| Metric { name: name.to_owned(), better: Better::Lower, ..Metric::default() };
        builder.child().metrics = vec![metric("allocations"), metric("collections")];
        let (base, new) = (builder.case("g", "a", true), builder.case("g", "b", false));
        for (case, each) in [(base, 2.0), (new, 3.0)] {
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            for launch in builder.run.launches.iter_mut().filter(|launch| launch.case == case) {
                let series = &mut launch.series[0];
                let allocations = vec![each * series.invocations as f64; series.columns.len()];
                let collections = vec![0.0; series.columns.len()];
                let named = [("allocations".to_owned(), allocations), ("collections".to_owned(), collections)];
                series.columns.metrics = named.into();
            }
        }
        builder.compared();
        let run = builder.run();
        let comparison = super::compare_run(&run, &crate::analyse(&run));
        let metrics: Vec<_> = comparison.rows.iter().map(|row| row.metric.as_ref().map(|m| m.unit.as_str())).collect();
        // Nothing was collected on either side.
        assert_eq!(metrics, [None, Some("allocations/op")]);
        let row = &comparison.rows[1];
        assert!((row.ratio - 1.5).abs() < 1e-9 && row.verdict == Verdict::Slower, "{row:?}");
        let mean = comparison.geometric_mean.expect("a mean");
        assert!((mean - comparison.rows[0].ratio).abs() < 1e-12, "of times alone");
    }

    #[test]
    fn a_language_that_gives_no_say_in_layouts_has_no_advice_to_build_several() {
        let limited = |language: &str| {
            let mut builder = RunBuilder::new();
            for (name, is_base) in [("a", true), ("b", false)] {
                let case = builder.case("g", name, is_base);
                twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            }
            builder.compared();
            for artifact in &mut builder.run.artifacts {
                artifact.language = language.to_owned();
                artifact.layouts = Vec::new();
            }
            let run = builder.run();
            super::layout_limited(&run).expect("it is limited").advice
        };
        let can = limited("c++");
        assert!(can.text.to_string().starts_with("compare revisions") && can.again.is_some());
        let cannot = limited("go");
        assert!(cannot.text.to_string().starts_with("nothing to do") && cannot.again.is_none());
    }
}
