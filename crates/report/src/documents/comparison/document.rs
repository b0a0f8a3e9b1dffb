//! The document of a comparison: the verdict, then changes. Unchanged rows are shown on request.

use super::notes::{failures, findings, one_sided, remarks};
use super::tabulate::{tabulate, tabulate_counts};
use super::Compared;
use crate::elements::document::{Content, Document, Fact, Medium, Volume};
use crate::parts::comparison::{
    counts, decide_shortly, decide_with, design, headline, rows_of, side_text, without_row, ORDER,
};
use crate::parts::findings::{follow, gate};
use crate::parts::header::{core, environment, header, machine_line, stopped};
use crate::parts::jobs;
use crate::words::advice::worst_command;
use crate::words::again::{is_watch, resume, show};
use crate::words::text::{clean, plural};
use tare_analysis::Verdict;

const SAME_SHOWN_MAX: usize = 5;

impl Document {
    pub fn of_comparison(compared: &Compared, medium: &Medium) -> Document {
        let comparison = compared.comparison;
        let (is_page, is_quiet) = (medium.is_page, medium.is_quiet());
        let table = |words: &[Verdict], top| {
            Content::Table(tabulate(comparison, words, top, medium.is_verbose(), medium.glyphs))
        };
        // A page has the unchanged rows too, folded. A few unchanged rows and nothing else are the result.
        let is_all_same =
            comparison.rows.len() <= SAME_SHOWN_MAX && comparison.count(Verdict::Same) == comparison.rows.len();
        let words = match (medium.is_verbose() || is_all_same) && !is_page {
            true => &ORDER[..],
            false => &ORDER[..3],
        };
        let mut document = Document::default();
        document.add(head(compared, medium));
        document.add(gate(compared.judgement.filter(|_| is_page)));
        if !is_page && !is_quiet {
            document.add([Content::Facts(facts(compared))]);
        }
        document.add([table(words, compared.top)]);
        if is_page {
            let same = plural(comparison.count(Verdict::Same), "benchmark");
            document.fold(format!("{same} the same"), [table(&[Verdict::Same], None)]);
        }
        if !is_quiet {
            document.add([Content::Table(tabulate_counts(comparison, medium.glyphs))]);
        }
        if !is_quiet {
            document.add([remarks(comparison, words, compared.top, medium)]);
            let missing = without_row(comparison);
            let title = format!("{} could not be compared", plural(missing, "benchmark"));
            document.fold(title, one_sided(comparison, medium));
        }
        document.add([failures(comparison, medium)]);
        document.add([findings(&comparison.findings, &comparison.request, &comparison.run, medium)]);
        if is_page {
            document.fold("How and where it was measured".to_owned(), [Content::Facts(all_facts(compared))]);
        } else {
            document.add([next(compared, medium)]);
        }
        document
    }
}

pub(crate) fn head(compared: &Compared, medium: &Medium) -> Vec<Content> {
    let comparison = compared.comparison;
    let (word, text, role) = headline(comparison);
    // A screen depends only on its run; the gate's result is shown separately.
    let judgement = compared.judgement.filter(|_| medium.is_page);
    let (verdict, text) = follow(judgement, Some((word, role)), text);
    let items = counts(comparison, medium.glyphs);
    let mut contents = vec![Content::Headline { verdict, text }];
    if medium.is_page {
        let of = format!("`{}` against `{}`", clean(&comparison.new.name), clean(&comparison.base.name));
        contents.push(Content::Counts { of, items });
        contents.push(Content::Facts(compared.report.map(stopped).into_iter().collect()));
    } else if items.len() > 1 {
        contents.push(Content::Counts { of: String::new(), items });
    }
    contents
}

fn facts(compared: &Compared) -> Vec<Fact> {
    let comparison = compared.comparison;
    let mut facts = vec![
        Fact::new("base", vec![side_text(&comparison.base)]),
        Fact::new("new", vec![side_text(&comparison.new)]),
        Fact::new("how", design(comparison)),
    ];
    if let Some(report) = compared.report {
        facts.insert(0, stopped(report));
        let job = jobs::only(report).map(|job| job.strip_prefix("job ").map_or_else(|| job.clone(), str::to_owned));
        facts.push(Fact::new("job", job.into_iter().collect()));
        facts.push(jobs::fact(report));
        facts.push(Fact::new("on", vec![machine_line(report)]));
        let items = core(report, "with exceptions: see `core-shared`");
        facts.push(Fact::Items { label: "core".to_owned(), items, separator: "; " });
    }
    facts
}

/// The same for readers who did not run the command, with the whole environment.
pub(crate) fn all_facts(compared: &Compared) -> Vec<Fact> {
    let comparison = compared.comparison;
    let mut facts = vec![
        Fact::new("", vec![format!("base: {}", side_text(&comparison.base))]),
        Fact::new("", vec![format!("new: {}", side_text(&comparison.new))]),
        Fact::new("", design(comparison)),
    ];
    facts.extend(compared.report.iter().flat_map(|report| header(report).into_iter().chain(environment(report))));
    facts
}

/// The run and the next command: resume it, decide unclear rows, follow the most urgent advice, or look closer.
fn next(compared: &Compared, medium: &Medium) -> Content {
    let comparison = compared.comparison;
    let run = Some(clean(&comparison.run)).filter(|run| medium.saved && !run.is_empty());
    let resume = compared.report.and_then(resume).filter(|_| medium.saved && !is_watch(&comparison.request));
    let unclear = || {
        let rows = rows_of(comparison, Verdict::Unclear, None).0;
        let short = run.as_ref().and_then(|_| decide_shortly(comparison, &rows));
        short.or_else(|| decide_with(comparison, &rows))
    };
    let advised = || worst_command(&comparison.findings, &comparison.request, run.as_deref().unwrap_or_default());
    let flag = if medium.is_verbose() { "--md" } else { "-v" };
    let more = || run.as_ref().map(|run| show(run, flag));
    // A watch continues by itself, and its comparison cannot be repeated by its command.
    let again = || if is_watch(&comparison.request) { None } else { unclear().or_else(advised) };
    let command = resume.or_else(again).or_else(more).map(|command| clean(&command));
    Content::Next { run: run.filter(|_| medium.volume != Volume::Quiet), command }
}
