//! The document of a page with drawings: everything about a run or a comparison, with details folded.

use crate::documents::comparison;
use crate::documents::comparison::Compared;
use crate::documents::run::{counted, next};
use crate::elements::chart::{Chart, Tone};
use crate::elements::document::{Content, Document, Entry, Fact, Kept, List, Medium, More, Part, Volume};
use crate::parts::charts::{case_charts, pair_charts, scaling, sides, strip, timeline, Named, Source};
use crate::parts::comparison::{rows_of, without_row, ORDER};
use crate::parts::failures::{failed, failures, not_built_text};
use crate::parts::findings::{entry, follow, gate, in_headline, ratios, sentence};
use crate::parts::header::{environment, header};
use crate::parts::statistics;
use crate::parts::tabulate::{anchor_of, measured, separate_passes, tabulate_drawn, verdict_role};
use crate::words::again::{again, resume, show};
use crate::words::label::{selector, Naming};
use crate::words::number::ratio;
use crate::words::text::{clean, plural, shell_word, Glyphs, Role};
use std::collections::BTreeSet;
use tare_analysis::gate::Judgement;
use tare_analysis::{
    finding_of_side, Again, CaseReport, CaseTrace, Comparison, ComparisonRow, Finding, How, Report, Severity, Verdict,
};

/// Most cases with all their charts: with more, the page would load slowly.
const DETAILS_MAX: usize = 300;
const FINDINGS_MAX: usize = 200;

fn medium() -> Medium {
    Medium::page(Volume::Verbose, Glyphs::Unicode)
}

impl Document {
    pub fn page_of_run(report: &Report, traces: &[CaseTrace], judgement: Option<&Judgement>, kept: Kept) -> Document {
        let saved = kept.in_store;
        let source = Source { report, traces };
        let naming = Naming::of(report);
        let mut document = Document::default();
        document.add([headline(report, judgement), trust(report, judgement)]);
        document.add(gate(judgement));
        document.add([Content::Facts(header(report))]);
        let detailed = detailed_cases(report);
        let measured_cases = report.cases.iter().filter(|case| measured(case).is_some()).count();
        let mut table = tabulate_drawn(report, Glyphs::Unicode);
        let known: BTreeSet<String> = detailed.iter().map(|case| anchor_of(*case)).collect();
        for row in table.blocks.iter_mut().flat_map(|block| &mut block.rows) {
            if let Some(drawn) = &mut row.drawn {
                drawn.anchor = drawn.anchor.take().filter(|anchor| known.contains(anchor));
            }
        }
        document.add([Content::Table(table)]);
        let left_out = measured_cases.saturating_sub(detailed.len());
        let text = format!("details of {left_out} of {measured_cases} cases are left out");
        let command = if saved { show(&report.run, "-v") } else { String::new() };
        document.add((left_out > 0).then_some(Content::More(More { text, command })));
        document.add(separate_passes(report).map(Content::Note));
        document.add([findings(report, naming, report.findings.iter(), Some(&known))]);
        document.add([failures(report, &medium())]);
        titled(&mut document, "Scaling", scaling(report));
        for case in detailed {
            add_case(&mut document, &source, naming, case, kept);
        }
        titled_fold(&mut document, "Timeline of the run", timeline(&source));
        let facts = header(report).into_iter().chain(environment(report)).collect();
        document.fold("How and where it was measured".to_owned(), [Content::Sheet(facts)]);
        document.fold("How to run it again".to_owned(), run_again(report, saved));
        document
    }

    pub fn page_of_comparison(compared: &Compared, traces: &[CaseTrace], kept: Kept) -> Document {
        let comparison = compared.comparison;
        let source = compared.report.map(|report| Source { report, traces });
        let medium = medium();
        let mut document = Document::default();
        document.add(comparison::head(compared, &medium));
        document.add(gate(compared.judgement));
        let naming = compared.report.map(Naming::of);
        let pairs: Vec<(&ComparisonRow, u32)> = match &source {
            Some(source) => detailed_rows(compared, source),
            None => comparison::saved_rows(comparison),
        };
        let anchor = |row: &ComparisonRow| {
            pairs.iter().find(|(other, _)| std::ptr::eq(*other, row)).map(|(_, case)| anchor_of(*case))
        };
        document.add([Content::Table(comparison::tabulate_drawn(comparison, anchor))]);
        document.add([Content::Table(comparison::tabulate_counts(comparison, Glyphs::Unicode))]);
        let words = [Verdict::Slower, Verdict::Faster, Verdict::Unclear];
        document.add([comparison::remarks(comparison, &words, None, &medium)]);
        document.add([comparison::failures(comparison, &medium)]);
        document.add([comparison::findings(&comparison.findings, &comparison.request, &comparison.run, &medium)]);
        for (row, case) in &pairs {
            match source.as_ref().zip(naming) {
                Some((source, naming)) => add_pair(&mut document, compared, source, naming, row, *case, kept),
                None => comparison::add_saved(&mut document, comparison, row, *case),
            }
        }
        let missing = without_row(comparison);
        document.fold(
            format!("{} could not be compared", plural(missing, "benchmark")),
            comparison::one_sided(comparison, &medium),
        );
        titled_fold(&mut document, "Timeline of the run", source.as_ref().and_then(timeline));
        document.fold("How and where it was measured".to_owned(), [Content::Sheet(comparison::all_facts(compared))]);
        let is_known = !comparison.request.is_unknown();
        let shown = (kept.in_store && !comparison.run.is_empty()).then(|| show(&comparison.run, "-v"));
        let commands = [
            is_known.then(|| Content::hint("to measure it again", again(&comparison.request, &as_before(Vec::new())))),
            shown.map(|command| Content::hint("to see it in a terminal", command)),
        ];
        document.fold("How to run it again".to_owned(), commands.into_iter().flatten());
        document
    }
}

fn titled(document: &mut Document, title: &str, charts: Vec<Chart>) {
    if !charts.is_empty() {
        let heading = Content::Heading(title.to_owned());
        document.add(std::iter::once(heading).chain(charts.into_iter().map(Content::chart)));
    }
}

fn titled_fold(document: &mut Document, title: &str, chart: Option<Chart>) {
    document.fold(title.to_owned(), chart.map(Content::chart));
}

/// The answer in one line: the only ratio as a sentence, otherwise the numbers of faster and slower cases.
fn headline(report: &Report, judgement: Option<&Judgement>) -> Content {
    let (verdict, text) = answer(report);
    let (verdict, text) = follow(judgement, verdict, text);
    Content::Headline { verdict, text }
}

fn answer(report: &Report) -> (Option<(String, Role)>, String) {
    let found: Vec<_> = ratios(report).collect();
    let failed = Some(failed(report).count()).filter(|n| *n > 0);
    let failed: String = failed
        .into_iter()
        .map(|n| format!("{n} failed"))
        .chain(not_built_text(&report.not_built))
        .map(|text| format!("; {}", text.replace('`', "")))
        .collect();
    if let [(case, r)] = &found[..] {
        let naming = Naming::of(report);
        let names = [naming.label(report, *case), naming.label(report, r.baseline)];
        let text = format!("{} takes {} times as long as {}{failed}", names[0], ratio(r.ratio, &r.interval), names[1]);
        let verdict = Some((r.verdict.word().to_uppercase(), verdict_role(r.verdict)));
        return (verdict, text);
    }
    if found.is_empty() {
        let n = report.cases.iter().filter(|case| measured(case).is_some()).count();
        return (None, format!("{} measured{failed}", plural(n, "case")));
    }
    let verdicts: Vec<String> = counted(report).into_iter().map(|(text, _)| text).collect();
    // The total of cases to compare; failed ones have no ratio.
    let all = report.cases.iter().filter(|case| case.contestant).count();
    let cases = match all > found.len() {
        true => format!("{} of {}", found.len(), plural(all, "case")),
        false => plural(found.len(), "case"),
    };
    (None, format!("{cases} compared with a base: {}{failed}", verdicts.join(", ")))
}

fn trust(report: &Report, judgement: Option<&Judgement>) -> Content {
    let of = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let said = [(of(Severity::Error), "error"), (of(Severity::Warning), "warning")];
    let said: Vec<String> = said.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| plural(n, word)).collect();
    let is_in_order =
        failed(report).next().is_none() && report.not_built.is_empty() && in_headline(judgement).is_none();
    Content::Note(match said.is_empty() {
        true if !is_in_order => "no warnings about the measured benchmarks".to_owned(),
        true => "no warnings".to_owned(),
        false => format!("{}: see the findings below the table", said.join(" and ")),
    })
}

/// The cases with all their charts; if there are too many, the most interesting.
fn detailed_cases(report: &Report) -> Vec<u32> {
    let mut cases: Vec<&CaseReport> = report.cases.iter().filter(|case| measured(case).is_some()).collect();
    if cases.len() > DETAILS_MAX {
        let serious: BTreeSet<u32> = report
            .findings
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning)
            .flat_map(|finding| finding.case.into_iter().chain(finding.cases.iter().copied()))
            .collect();
        let rank = |case: &&CaseReport| {
            let verdict = measured(case).and_then(|e| e.ratio.as_ref()).map(|ratio| ratio.verdict);
            (verdict.is_none_or(|v| v == Verdict::Same), !serious.contains(&case.case), case.case)
        };
        cases.sort_by_key(rank);
        cases.truncate(DETAILS_MAX);
    }
    let mut chosen: Vec<u32> = cases.iter().map(|case| case.case).collect();
    chosen.sort_unstable();
    chosen
}

fn findings<'a>(
    report: &Report,
    naming: Naming,
    all: impl Iterator<Item = &'a Finding>,
    known: Option<&BTreeSet<String>>,
) -> Content {
    let one = |finding: &Finding| {
        let anchor = finding.case.map(anchor_of).filter(|anchor| known.is_some_and(|k| k.contains(anchor)));
        Entry { anchor, ..entry(&[finding], sentence(report, naming, finding, 0), &report.request) }
    };
    let entries: Vec<Entry> = all.map(one).collect();
    List::of("findings", Some(entries.len()), entries, FINDINGS_MAX, show(&report.run, "-v"))
}

fn add_case(document: &mut Document, source: &Source, naming: Naming, case: u32, kept: Kept) {
    let Some(member) = source.member(case) else { return };
    let base = source.base_of(&member);
    // The short names suffice if they differ.
    let tells = base.is_none_or(|base| base.case.name != member.case.name);
    let name = |case: &CaseReport| if tells { clean(&case.name) } else { naming.label(source.report, case.case) };
    let tone = Tone::New;
    let own = Named { name: name(member.case), tone, member };
    let base = base.map(|member| Named { name: name(member.case), tone: Tone::Base, member });
    let label = naming.label(source.report, case);
    let mut contents: Vec<Content> = Vec::new();
    if !member.case.description.is_empty() {
        contents.push(Content::Note(clean(&member.case.description)));
    }
    contents.extend(case_charts(&own, base.as_ref()).into_iter().map(Content::chart));
    contents.push(findings(source.report, naming, concerning(source.report, &[case]), None));
    contents.extend(sheet(source.report, naming, member.case));
    // A case alone would have no ratio.
    let compared = base.iter().chain([&own]).map(|named| selector(named.member.case)).collect();
    contents.push(run_one(source.report, compared));
    contents.extend(history_of(&selector(member.case), kept));
    document.fold_at(label, anchor_of(case), contents);
}

fn add_pair(
    document: &mut Document,
    compared: &Compared,
    source: &Source,
    naming: Naming,
    row: &ComparisonRow,
    case: u32,
    kept: Kept,
) {
    let Some(pair) = source.pair(row) else { return };
    let [base, new] = pair;
    let label = clean(&compared.comparison.labels().of(row));
    let mut contents: Vec<Content> = Vec::new();
    if !row.remark.is_empty() {
        contents.push(Content::Note(clean(&row.remark)));
    }
    if let Some(ratio) = &new.estimates.ratio {
        contents.extend(pair_charts(&sides(compared.comparison, pair), ratio).into_iter().map(Content::chart));
    }
    let cases = [base.case.case, new.case.case];
    let of_sides: Vec<Finding> =
        concerning(source.report, &cases).map(|finding| finding_of_side(source.report, finding)).collect();
    contents.push(findings(source.report, naming, of_sides.iter(), None));
    for (side, member) in [(&compared.comparison.base, base), (&compared.comparison.new, new)] {
        contents.push(Content::Heading(clean(&side.name)));
        contents.extend(sheet(source.report, naming, member.case));
    }
    contents.push(run_one(source.report, vec![row.name()]));
    contents.extend(history_of(&row.name(), kept));
    document.fold_at(label, anchor_of(case), contents);
}

/// The rows with all their charts, each with the case in its anchor.
fn detailed_rows<'a>(compared: &Compared<'a>, source: &Source) -> Vec<(&'a ComparisonRow, u32)> {
    let mut found = Vec::new();
    for verdict in ORDER {
        for row in rows_of(compared.comparison, verdict, None).0 {
            if found.len() < DETAILS_MAX / 2 {
                found.extend(source.pair(row).map(|[_, new]| (row, new.case.case)));
            }
        }
    }
    found
}

/// The statistics without the name and the histogram, which the page shows elsewhere.
fn sheet(report: &Report, naming: Naming, case: &CaseReport) -> Vec<Content> {
    let Some(estimates) = measured(case) else { return Vec::new() };
    let mut contents = statistics::sheet(report, naming, case, estimates, Glyphs::Unicode);
    contents.retain(|content| !matches!(content, Content::Heading(_) | Content::Histogram { .. }));
    contents.iter_mut().for_each(without_histogram);
    contents
}

/// The histogram's label describes the values of the statistics.
fn without_histogram(content: &mut Content) {
    let Content::Sheet(facts) = content else { return };
    for at in 0..facts.len() {
        if let Fact::Items { label, .. } = &mut facts[at] {
            if label == "histogram" {
                "values".clone_into(label);
                facts[..=at].rotate_right(1);
            }
        }
    }
}

fn concerning<'a>(report: &'a Report, cases: &'a [u32]) -> impl Iterator<Item = &'a Finding> {
    report.findings.iter().filter(|finding| cases.iter().any(|case| finding.concerns(*case)))
}

fn as_before(only: Vec<String>) -> Again {
    Again { how: How::AsBefore, only }
}

fn run_one(report: &Report, only: Vec<String>) -> Content {
    let command = (!report.request.is_unknown()).then(|| clean(&again(&report.request, &as_before(only))));
    match command {
        Some(command) => Content::hint("to measure this one again", command),
        None => {
            Content::More(More { text: "the command that measured it is unknown".to_owned(), command: String::new() })
        }
    }
}

fn history_of(name: &str, kept: Kept) -> Option<Content> {
    let command = format!("tare history {}", shell_word(&clean(name)));
    kept.in_history.then(|| Content::hint("its history", command))
}

fn run_again(report: &Report, saved: bool) -> Vec<Content> {
    let hint = |text: &str, command: String| Content::hint(text, clean(&command));
    let mut contents = Vec::new();
    if !report.request.is_unknown() {
        contents.push(hint("to measure it again", again(&report.request, &as_before(Vec::new()))));
    }
    contents.extend(resume(report).filter(|_| saved).map(|command| hint("to continue it", command)));
    let medium = Medium { is_page: false, saved, ..medium() };
    contents.extend(next(report, &medium).map(|command| hint("what to do next", command)));
    contents
}

const ROWS_MAX: usize = 20;

impl Document {
    pub(crate) fn draw_cases(&mut self, report: &Report, traces: &[CaseTrace]) {
        let source = Source { report, traces };
        let naming = Naming::of(report);
        for case in &report.cases {
            let Some(member) = source.member(case.case) else { continue };
            let own = Named { name: clean(&case.name), tone: Tone::Nth(0), member };
            let title = naming.label(report, case.case);
            let part = self.parts.iter_mut().find(|part| part.folded.as_ref() == Some(&title));
            if let (Some(part), Some(chart)) = (part, strip(&[&own])) {
                part.contents.push(Content::chart(chart));
            }
        }
    }

    /// Adds the visits of both sides of changed and unclear rows, above the next command.
    pub(crate) fn draw_pairs(&mut self, comparison: &Comparison, report: &Report, traces: &[CaseTrace]) {
        let source = Source { report, traces };
        let labels = comparison.labels();
        let rows = ORDER[..3].iter().flat_map(|verdict| rows_of(comparison, *verdict, None).0);
        let drawn = rows.filter_map(|row| {
            let members = sides(comparison, source.pair(row)?);
            let chart = strip(&members.iter().collect::<Vec<_>>())?;
            let heading = Content::Heading(clean(&labels.of(row)));
            Some(Part { folded: None, anchor: None, contents: vec![heading, Content::chart(chart)] })
        });
        let drawn: Vec<Part> = drawn.take(ROWS_MAX).collect();
        let before_next = self.parts.len().saturating_sub(1);
        self.parts.splice(before_next..before_next, drawn);
    }
}
