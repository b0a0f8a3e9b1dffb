//! Content below the tables: remarks, benchmarks of one side, failures, findings.

use crate::elements::document::{Content, Entry, List, Medium};
use crate::parts::comparison::{decide_with, remarks as grouped_remarks, rows_of, some_of};
use crate::parts::failures;
use crate::parts::findings::{entry, groups, list, shortened, LISTED_MAX};
use crate::words::advice::{sentence_text, Hint};
use crate::words::label::short;
use crate::words::text::clean;
use tare_analysis::{Comparison, Design, Finding, Severity, Verdict};
use tare_model::CommandLine;

/// Why verdicts are not stronger, one entry per reason; on a page, also what decides the unclear ones.
pub(crate) fn remarks(comparison: &Comparison, words: &[Verdict], top: Option<usize>, medium: &Medium) -> Content {
    let top = top.filter(|_| !medium.is_page);
    let rows: Vec<_> = words.iter().flat_map(|&verdict| rows_of(comparison, verdict, top).0).collect();
    let remark = |(remark, labels): (&str, Vec<String>)| Entry {
        about: some_of(&labels.iter().map(|label| short(label)).collect::<Vec<String>>()),
        ..Entry::text(clean(remark))
    };
    let mut entries: Vec<Entry> = grouped_remarks(comparison, &rows).into_iter().map(remark).collect();
    if medium.is_page {
        let command = decide_with(comparison, &rows_of(comparison, Verdict::Unclear, None).0);
        entries.extend(command.map(|command| Entry {
            hint: Some(Hint { text: String::new(), command: Some(clean(&command)) }),
            ..Entry::text("what decides the unclear ones".to_owned())
        }));
    }
    List::of("remarks", None, entries, medium.most(), "-v")
}

/// Benchmarks of one side only, and those that were not reached.
pub(crate) fn one_sided(comparison: &Comparison, medium: &Medium) -> Vec<Content> {
    let most = if medium.is_verbose() { usize::MAX } else { medium.most().min(LISTED_MAX) };
    let listed = |title: &str, texts: Vec<String>| {
        let entries: Vec<Entry> = texts.into_iter().map(Entry::text).collect();
        List::of(title, Some(entries.len()), entries, most, if medium.is_page { "" } else { "-v" })
    };
    let (only_base, only_new) = (&comparison.only_base, &comparison.only_new);
    let names = |all: &[String]| all.iter().map(|name| short(&clean(name))).collect();
    let mut contents = vec![listed("only in base", names(only_base)), listed("only in new", names(only_new))];
    if let (Some(old), Some(new), false) = (only_base.first(), only_new.first(), medium.is_page) {
        let is_long = [old, new].iter().any(|name| short(&clean(name)) != clean(name));
        let (old, new) = if is_long { ("OLD", "NEW") } else { (old.as_str(), new.as_str()) };
        let example = format!("--rename {}", tare_model::text::in_quotes(&format!("{}={}", clean(old), clean(new))));
        contents.push(Content::hint("to compare a renamed benchmark", example));
    }
    let why_not = |name: &String| match comparison.why_not.get(name) {
        Some(why) => format!("{}: {}", short(&clean(name)), clean(why)),
        None => short(&clean(name)),
    };
    let not_measured = comparison.not_measured.iter().map(why_not).collect();
    contents.push(listed(comparison.not_measured_word(), not_measured));
    let skipped = |row: &tare_analysis::SkippedRow| format!("{}: {}", short(&clean(&row.name)), clean(&row.text()));
    contents.push(listed("skipped", comparison.skipped.iter().map(skipped).collect()));
    contents
}

pub(crate) fn failures(comparison: &Comparison, medium: &Medium) -> Content {
    let entry = |row: &tare_analysis::FailedRow| {
        let side = if row.side == 0 { &comparison.base } else { &comparison.new };
        // Named as in the tables and by `tare run`, unless several share the name.
        let is_repeated = comparison.failed.iter().any(|other| other.name == row.name && other.key != row.key);
        let name = if is_repeated || row.name.is_empty() { &row.key } else { &row.name };
        let about = format!("{} of `{}`", short(&clean(name)), clean(&side.name));
        let entry = failures::entry(about, &row.failure, &row.language);
        match comparison.design != Design::Interleaved && failures::is_of_file(&row.failure) {
            true => failures::without_step(entry, &row.failure),
            false => entry,
        }
    };
    failures::list(comparison.failed.iter().map(entry).collect(), medium, "-v")
}

/// The findings, one entry for equal ones; with `-v` one entry each.
pub(crate) fn findings(all: &[Finding], request: &CommandLine, run: &str, medium: &Medium) -> Content {
    let reported = all.iter().filter(|f| !medium.is_quiet() || f.severity >= Severity::Warning);
    let entry = |group: Vec<&Finding>| {
        let others = group.len() - 1;
        let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        let entry = entry(&group, format!("{}{more}", sentence_text(&group[0].evidence)), request);
        let entry = shortened(entry, &group, request, medium, run);
        Entry { hint: entry.hint.filter(|_| !medium.is_quiet()), ..entry }
    };
    list(all.len(), groups(reported, medium.is_verbose()), medium.most(), entry, "-v")
}
