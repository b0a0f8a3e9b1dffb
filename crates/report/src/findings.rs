//! Findings and remarks below the table.

use crate::advice::{advice_of, sentence_text, Hint};
use crate::document::{Content, Entry, List, More};
use crate::header::plural;
use crate::label::Naming;
use crate::tabulate::measured;
use crate::view::Reading;
use crate::{clean, Role};
use tare_analysis::{Code, Finding, RatioReport, Report, Severity};

/// Notes about what is right more often than wrong: `-v` shows them.
const ASKED_FOR: [Code; 2] = [Code::DifferentResults, Code::NotRepeatable];

/// Whether a finding is worth a line without `-v`.
fn speaks_up(finding: &Finding) -> bool {
    finding.severity > Severity::Note || !ASKED_FOR.contains(&finding.code)
}

/// The findings of a run: on a screen one entry a code, on a page and with `-v` one entry each.
pub(crate) fn findings(report: &Report, reading: &Reading) -> Content {
    let reported: Vec<&Finding> = report.findings.iter().filter(|f| reading.is_verbose() || speaks_up(f)).collect();
    let groups = groups(reported.iter().copied(), reading.is_verbose() || reading.is_page);
    let naming = Naming::of(report);
    let entry =
        |group: Vec<&Finding>| entry(&group, sentence(report, naming, group[0], group.len() - 1), &report.command);
    let more = |n| More { text: format!("{n} more kinds"), command: format!("tare show {} -v", clean(&report.run)) };
    let entries = groups.into_iter().map(entry).collect();
    List::of("findings", Some(reported.len()), entries, reading.most(), more)
}

/// An entry for findings of one code whose evidence is this text, about what a command line measured.
pub(crate) fn entry(group: &[&Finding], text: String, command: &[String]) -> Entry {
    let hint = advice_of(group).map(|advice| Hint::of(&advice, command));
    let first = group.first();
    Entry { severity: first.map(|f| f.severity), code: first.map(|f| f.code), text, hint, ..Entry::default() }
}

/// Findings of one code together.
pub(crate) fn groups<'a>(findings: impl Iterator<Item = &'a Finding>, each: bool) -> Vec<Vec<&'a Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let same = |group: &&mut Vec<&Finding>| {
            !each && group[0].code == finding.code && group[0].severity == finding.severity
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Word and role of a severity.
pub(crate) fn severity(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Note => ("note", Role::Quiet),
        Severity::Warning => ("warning", Role::Warning),
        Severity::Error => ("error", Role::Error),
    }
}

/// `group/name: evidence (and 2 other cases)`.
pub(crate) fn sentence(report: &Report, naming: Naming, finding: &Finding, others: usize) -> String {
    let place = finding.case.map(|case| format!("{}: ", naming.label(report, case))).unwrap_or_default();
    let more = match others {
        0 => String::new(),
        n => format!(" (and {})", plural(n, "other case")),
    };
    format!("{place}{}{more}", sentence_text(&finding.evidence))
}

/// The comparisons of a report with the index of their case.
pub(crate) fn ratios(report: &Report) -> impl Iterator<Item = (u32, &RatioReport)> {
    report.cases.iter().filter_map(|c| Some((c.case, measured(c)?.ratio.as_ref()?)))
}
