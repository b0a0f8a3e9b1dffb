//! Findings and remarks below the table.

use crate::elements::document::{Content, Entry, List, Medium};
use crate::parts::comparison::violation_text;
use crate::parts::tabulate::measured;
use crate::words::advice::{advice_of, sentence_text, shorter_of, Hint};
use crate::words::again::show;
use crate::words::label::{short, Naming};
use crate::words::text::{clean, plural, Role};
use tare_analysis::gate::{Judgement, Violation};
use tare_analysis::{Code, Finding, RatioReport, Report, Severity};
use tare_model::CommandLine;

/// Notes that are usually unproblematic; `-v` shows them.
const ASKED_FOR: [Code; 2] = [Code::DifferentResults, Code::NotRepeatable];

/// The findings of a run: on a screen one entry for equal ones, on a page and with `-v` one entry each.
pub(crate) fn findings(report: &Report, medium: &Medium) -> Content {
    let is_full = medium.is_verbose() || medium.is_page;
    let is_shown = |f: &&Finding| is_full || f.severity > Severity::Note || !ASKED_FOR.contains(&f.code);
    let reported = report.findings.iter().filter(is_shown);
    let groups = groups(reported, is_full);
    let naming = Naming::of(report);
    let entry = |group: Vec<&Finding>| {
        let entry = entry(&group, sentence(report, naming, group[0], group.len() - 1), &report.request);
        shortened(entry, &group, &report.request, medium, &report.run)
    };
    list(report.findings.len(), groups, medium.most(), entry, &show(&report.run, "-v"))
}

/// A list of grouped findings. `count` is their number, the same in every form, as an entry for several says so.
pub(crate) fn list<'a>(
    count: usize,
    mut groups: Vec<Vec<&'a Finding>>,
    most: usize,
    entry: impl Fn(Vec<&'a Finding>) -> Entry,
    command: &str,
) -> Content {
    groups.truncate(most);
    let hidden = count - groups.iter().map(Vec::len).sum::<usize>();
    Content::List(List {
        title: "findings".to_owned(),
        count: Some(count),
        entries: groups.into_iter().map(entry).collect(),
        hidden,
        command: command.to_owned(),
    })
}

/// An entry for findings of one kind with this evidence, and the advice for the request.
pub(crate) fn entry(group: &[&Finding], text: String, request: &CommandLine) -> Entry {
    let hint = advice_of(group).map(|advice| Hint::of(&advice, request));
    let first = group.first();
    Entry { severity: first.map(|f| f.severity), code: first.map(|f| f.code), text, hint, ..Entry::default() }
}

/// The same with a hint that names the stored run instead of many benchmarks.
pub(crate) fn shortened(entry: Entry, group: &[&Finding], request: &CommandLine, medium: &Medium, run: &str) -> Entry {
    let run = if medium.saved { run } else { "" };
    let Some(hint) = entry.hint.clone().filter(|hint| hint.command.is_some()) else { return entry };
    match shorter_of(group.iter().copied(), request, run) {
        Some(command) => Entry { hint: Some(Hint { command: Some(clean(&command)), ..hint }), ..entry },
        None => entry,
    }
}

/// Whether two findings differ only in numbers and names. Another sentence with the same code explains something else.
fn is_alike(one: &Finding, other: &Finding) -> bool {
    let same =
        (one.code, one.severity, one.evidence.template()) == (other.code, other.severity, other.evidence.template());
    same && (!one.code.quotes() || one.evidence == other.evidence)
}

pub(crate) fn groups<'a>(findings: impl Iterator<Item = &'a Finding>, each: bool) -> Vec<Vec<&'a Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let same = |group: &&mut Vec<&Finding>| !each && is_alike(group[0], finding);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// `group/name: evidence (and 2 other cases)`.
pub(crate) fn sentence(report: &Report, naming: Naming, finding: &Finding, others: usize) -> String {
    let place = finding.case.map(|case| format!("{}: ", short(&naming.label(report, case)))).unwrap_or_default();
    let more = match others {
        0 => String::new(),
        n => format!(" (and {})", plural(n, "other case")),
    };
    format!("{place}{}{more}", sentence_text(&finding.evidence))
}

pub(crate) fn ratios(report: &Report) -> impl Iterator<Item = (u32, &RatioReport)> {
    report.cases.iter().filter_map(|c| Some((c.case, measured(c)?.ratio.as_ref()?)))
}

pub(crate) const LISTED_MAX: usize = 20;

/// The headline's text about a gate that did not pass, and whether it failed.
pub(crate) fn in_headline(judgement: Option<&Judgement>) -> Option<(&'static str, bool)> {
    let judgement = judgement?;
    match (judgement.failed.is_empty(), judgement.undecided.is_empty()) {
        (false, _) => Some(("the gate failed", true)),
        (true, false) => Some(("the gate could not decide", false)),
        (true, true) => None,
    }
}

/// Adds the gate to a headline. A failed gate replaces a good verdict, which moves to the text.
pub(crate) fn follow(
    judgement: Option<&Judgement>,
    verdict: Option<(String, Role)>,
    text: String,
) -> (Option<(String, Role)>, String) {
    let Some((said, has_failed)) = in_headline(judgement) else { return (verdict, text) };
    match verdict {
        Some((word, role)) if has_failed && role != Role::Bad => {
            (Some(("GATE FAILED".to_owned(), Role::Error)), format!("{}: {text}", word.to_lowercase()))
        }
        None if has_failed => (Some(("GATE FAILED".to_owned(), Role::Error)), text),
        verdict => (verdict, format!("{text}; {said}")),
    }
}

pub(crate) fn gate(judgement: Option<&Judgement>) -> Vec<Content> {
    let Some(judgement) = judgement else { return Vec::new() };
    let list = |title: &str, violations: &[Violation]| {
        let entries = violations.iter().map(|violation| Entry::text(clean(&violation_text(violation)))).collect();
        List::of(title, None, entries, LISTED_MAX, "")
    };
    vec![
        list("the gate failed", &judgement.failed),
        list("the gate could not decide", &judgement.undecided),
        list("undecided limits not requested by `--fail-on`", &judgement.notes),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_analysis::Sentence;

    #[test]
    fn another_sentence_of_the_same_code_is_shown() {
        let shared = |share: f64| {
            let of = tare_analysis::Unit::Share;
            Sentence::new("others used the core {shared} of the time").number("shared", share, of)
        };
        let finding = |evidence| Finding::new(Code::CoreShared, Severity::Warning, evidence, "run again");
        let all = [
            finding(shared(0.2)),
            finding("the ratio uses all windows".into()),
            finding(shared(0.3)),
            finding(Sentence::quoting("one")),
            finding(Sentence::quoting("other")),
        ];
        let sizes = |each| groups(all.iter(), each).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!((sizes(false), sizes(true)), (vec![2, 1, 1, 1], vec![1; 5]));
    }
}
