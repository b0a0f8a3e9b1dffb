use crate::elements::document::{Content, Document, Entry, List, Medium};
use crate::parts::failures::{crowds, failed, failure_text, failures, in_brief, not_built_text};
use crate::parts::findings::{findings, gate, ratios, sentence};
use crate::parts::header::{environment, header};
use crate::parts::statistics;
use crate::parts::tabulate::{measured, separate_passes, tabulate, tabulate_groups, verdict_role, why_not};
use crate::words::advice::{severity, worst_command};
use crate::words::again::{again as command_again, helps, is_watch, resume, shorter, show};
use crate::words::label::{short, Naming};
use crate::words::number::{duration, percent, ratio, ratio_interval};
use crate::words::text::{clean, plural, Line, Role};
use std::collections::HashSet;
use tare_analysis::gate::Judgement;
use tare_analysis::{
    each_once, Again, CaseReport, Code, GroupReport, Outcome, Report, ScalingReport, Severity, Verdict, LISTED_MAX,
};

impl Document {
    pub fn of_run(report: &Report, judgement: Option<&Judgement>, medium: &Medium) -> Document {
        let mut document = Document::default();
        if medium.is_quiet() {
            document.add([tally(report), Content::Brief(brief(report))]);
            return document;
        }
        document.add(gate(judgement.filter(|_| medium.is_page)));
        let environment = Content::Sheet(if medium.is_verbose() { environment(report) } else { Vec::new() });
        document.add([Content::Facts(header(report)), environment]);
        let left_out = left_out(report, medium);
        document.add([Content::Table(match left_out.is_empty() {
            true => tabulate(report, medium.glyphs),
            false => tabulate_groups(report, &without(report, &left_out), medium.glyphs),
        })]);
        document.add(left_out.into_iter().map(|(note, _)| Content::Note(note)));
        document.add(separate_passes(report).map(Content::Note));
        let naming = Naming::of(report);
        for case in report.cases.iter().filter(|_| medium.is_verbose()) {
            if let Some(estimates) = measured(case) {
                let sheet = statistics::sheet(report, naming, case, estimates, medium.glyphs);
                document.fold(naming.label(report, case.case), sheet);
            }
        }
        document.add([growth(report, naming, medium)]);
        document.add([findings(report, medium)]);
        document.add([failures(report, medium)]);
        if !medium.is_page {
            document.add(closing(report, medium));
        }
        document
    }
}

/// Up to this number, cases that were not measured or failed alike have their own rows.
const MISSING_ROWS: usize = 20;

/// One line for unmeasured cases, or for equal failures, whose rows would hide the measured ones.
fn left_out(report: &Report, medium: &Medium) -> Vec<(String, Vec<u32>)> {
    if medium.is_verbose() {
        return Vec::new();
    }
    let names = match medium.saved {
        true => format!(": `{}` names them", show(&report.run, "-v")),
        false => String::new(),
    };
    let all = plural(report.cases.len(), "case");
    let missing: Vec<u32> = report.cases.iter().filter(|case| is_missing(case)).map(|case| case.case).collect();
    let missing = (missing.len() > MISSING_ROWS && !medium.is_page)
        .then(|| (format!("{} of {all} were not measured, since {}{names}", missing.len(), why_not(report)), missing));
    let alike = crowds(report, MISSING_ROWS).into_iter();
    let alike = alike.map(|(text, cases)| (format!("{} of {all} failed alike ({text}){names}", cases.len()), cases));
    missing.into_iter().chain(alike).collect()
}

fn is_missing(case: &CaseReport) -> bool {
    matches!(case.outcome, Outcome::NotMeasured)
}

fn without(report: &Report, left_out: &[(String, Vec<u32>)]) -> Vec<GroupReport> {
    let left_out: HashSet<u32> = left_out.iter().flat_map(|(_, cases)| cases.iter().copied()).collect();
    let mut groups = report.groups.clone();
    for group in &mut groups {
        group.cases.retain(|case| !left_out.contains(case));
    }
    groups.retain(|group| !group.cases.is_empty());
    groups
}

fn growth(report: &Report, naming: Naming, medium: &Medium) -> Content {
    const SHOWN: usize = 8;
    let most = if medium.is_verbose() { usize::MAX } else { SHOWN };
    let entry = |growth: &ScalingReport| {
        let label = growth.cases.first().and_then(|case| report.cases.get(*case as usize)).map(|case| {
            let others = case.parameters.iter().filter(|p| p.name != growth.parameter).cloned().collect();
            naming.with(report, &CaseReport { parameters: others, ..case.clone() })
        });
        let grows = match growth.order.trim_start_matches("O(").trim_end_matches(')') {
            "1" => duration(growth.coefficient_ns, medium.glyphs),
            function => {
                let constant = growth.constant_ns.map(|ns| format!(" + {}", duration(ns, medium.glyphs)));
                let function = function.replace('n', &clean(&growth.parameter));
                format!(
                    "{} × {function}{}",
                    duration(growth.coefficient_ns, medium.glyphs),
                    constant.unwrap_or_default()
                )
            }
        };
        let or: String = growth.or.iter().map(|order| format!(" or {order}")).collect();
        let left = percent(growth.unexplained);
        Entry {
            about: format!("`{}`", label.unwrap_or_default()),
            text: format!("{}{or} by {}, {grows}, {left} unexplained", growth.order, clean(&growth.parameter)),
            ..Entry::default()
        }
    };
    let entries = report.scaling.iter().map(entry).collect();
    List::of("growth", None, entries, most, show(&report.run, "-v"))
}

/// The number of cases per verdict: `1 faster`, `2 slower`.
pub(crate) fn counted(report: &Report) -> Vec<(String, Role)> {
    let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unclear];
    let count = |verdict| (verdict, ratios(report).filter(|(_, r)| r.verdict == verdict).count());
    let some = verdicts.into_iter().map(count).filter(|(_, n)| *n > 0);
    some.map(|(verdict, n)| (format!("{n} {}", verdict.word()), verdict_role(verdict))).collect()
}

/// The counts as text: `1 faster, 2 slower, 1 failed`.
pub(crate) fn tally(report: &Report) -> Content {
    let mut items = counted(report);
    let failed = failed(report).count();
    if failed > 0 {
        items.push((format!("{failed} failed"), Role::Error));
    }
    let missing = report.cases.iter().filter(|case| is_missing(case)).count();
    if missing > 0 {
        items.push((format!("{missing} not measured"), Role::Warning));
    }
    items.extend(not_built_text(&report.not_built).map(|text| (text, Role::Error)));
    Content::Counts { of: plural(report.cases.len(), "case"), items }
}

/// The counts, if the table is too long to count, and the next command.
fn closing(report: &Report, medium: &Medium) -> Vec<Content> {
    const COUNTED_AT_A_GLANCE: usize = 6;
    let has_failed = failed(report).next().is_some() || !report.not_built.is_empty();
    let is_long = report.cases.len() > COUNTED_AT_A_GLANCE || has_failed;
    let counts = is_long.then(|| tally(report));
    counts.into_iter().chain([Content::Next { run: None, command: next(report, medium) }]).collect()
}

pub(crate) fn next(report: &Report, medium: &Medium) -> Option<String> {
    if let Some(command) = resume(report).filter(|_| medium.saved) {
        return Some(clean(&command));
    }
    // The same as the finding's advice, for consistency.
    let decides = report.findings.iter().filter(|f| f.code == Code::FailedToDecide && !report.request.is_unknown());
    let unclear = || ratios(report).filter(|(_, r)| r.verdict == Verdict::Unclear);
    let needed = |most| {
        Again::for_all(decides.clone().filter_map(|f| f.advice.again.as_ref()), most)
            .or_else(|| Again::for_all(unclear().filter_map(|(_, r)| r.decide_with.as_ref()), most))
            .filter(|how| helps(&report.request, how))
    };
    let stored = if medium.saved { report.run.as_str() } else { "" };
    let undecided = || {
        let short = needed(usize::MAX).and_then(|how| shorter(&report.request, &how, stored));
        short.or_else(|| needed(LISTED_MAX).map(|how| command_again(&report.request, &how)))
    };
    // If every comparison has a verdict, measuring again is not the next step.
    let is_decided = ratios(report).next().is_some() && unclear().next().is_none();
    let advised = || if is_decided { None } else { worst_command(&report.findings, &report.request, stored) };
    // A failure is shown completely before anything is measured again.
    let has_failed = medium.saved && !medium.is_verbose() && failed(report).next().is_some();
    let show = medium.saved.then(|| show(&report.run, if medium.is_verbose() { "--md" } else { "-v" }));
    // Unmeasured cases come before unclear ones.
    let unmeasured = || {
        let out_of_time = report.findings.iter().find(|f| f.code == Code::OutOfTime && !report.request.is_unknown());
        let how = out_of_time?.advice.again.as_ref()?;
        shorter(&report.request, how, stored).or_else(|| Some(command_again(&report.request, how)))
    };
    // A watch continues by itself.
    let is_over = has_failed || is_watch(&report.request);
    let again = || if is_over { None } else { unmeasured().or_else(undecided).or_else(advised) };
    again().map(|c| clean(&c)).or(show)
}

/// Benchmarks that a run's screen advises to measure again: those with an unclear comparison, and those of findings.
pub fn undecided(report: &Report) -> Vec<String> {
    let unclear = ratios(report).filter(|(_, r)| r.verdict == Verdict::Unclear);
    let unclear = unclear.filter_map(|(_, r)| r.decide_with.as_ref());
    let advised = report.findings.iter().filter_map(|finding| finding.advice.again.as_ref());
    each_once(unclear.chain(advised).flat_map(|again| &again.only))
}

fn brief(report: &Report) -> Vec<Line> {
    let naming = Naming::of(report);
    let mut lines = Vec::new();
    for (case, r) in ratios(report).filter(|(_, r)| r.verdict != Verdict::Same) {
        let mut line = Line::of(verdict_role(r.verdict), format!("{:<7}", r.verdict.word()));
        line.push(Role::Plain, format!("  {:<5} {}", ratio(r.ratio, &r.interval), ratio_interval(&r.interval)));
        line.push(Role::Plain, format!("  {}", short(&naming.label(report, case))));
        lines.push(line);
    }
    for (names, text) in in_brief(report) {
        lines.push(Line::of(Role::Error, "error:").with(Role::Plain, format!(" {names}  {text}")));
    }
    for failed in &report.not_built {
        let text = format!(" {}  {}", clean(&failed.program), failure_text(&failed.failure));
        lines.push(Line::of(Role::Error, "error:").with(Role::Plain, text));
    }
    for finding in report.findings.iter().filter(|f| f.severity >= Severity::Warning) {
        let (word, role) = severity(finding.severity);
        let text = format!(" {}  {}", finding.code, sentence(report, naming, finding, 0));
        lines.push(Line::of(role, format!("{word}:")).with(Role::Plain, text));
    }
    lines
}
