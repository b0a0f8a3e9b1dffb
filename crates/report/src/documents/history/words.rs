//! Values and steps as text.

use crate::words::advice::Hint;
use crate::words::again::pattern;
use crate::words::number::{duration, half_width, ratio, ratio_interval, significant};
use crate::words::text::{clean, plural, shell_word, Glyphs};
use tare_analysis::history::{Basis, History, HistoryRun, LeftOut, Trend, TrendCreep, TrendPoint, TrendStep};
use tare_analysis::Verdict;

const REVISION: usize = 8;

pub(crate) fn runs(n: usize) -> String {
    plural(n, "run")
}

pub(crate) fn left_out(why: LeftOut) -> &'static str {
    match why {
        LeftOut::OtherBase => "compared with something else",
        LeftOut::CoreShared => "others used the core",
        LeftOut::OtherTime => "another kind of time",
        LeftOut::NoTime => "cannot be distinguished from zero",
        LeftOut::OtherMethod => "measured by another version of the method",
    }
}

/// The start of a revision, with a mark for uncommitted changes: `4f2c1a90`, `4f2c1a90+`.
pub(super) fn revision(run: &HistoryRun) -> String {
    let short: String = run.revision.iter().flat_map(|revision| revision.chars()).take(REVISION).collect();
    let dirty = if run.dirty && !short.is_empty() { "+" } else { "" };
    clean(&format!("{short}{dirty}"))
}

pub(super) fn minute(run: &HistoryRun) -> String {
    clean(&run.created.chars().take(16).collect::<String>().replace('T', " "))
}

/// A run within a sentence: `7f3a21bc of 2026-01-31, commit 4f2c1a90`.
pub(super) fn run_text(run: &HistoryRun) -> String {
    let day = run.created.split('T').next().unwrap_or_default();
    let revision = revision(run);
    let commit = if revision.is_empty() { String::new() } else { format!(", commit {revision}") };
    format!("{} of {}{commit}", clean(&run.run), clean(day))
}

/// The value of a point with its interval: `1.284 µs ±0.3 %`.
pub(super) fn number(trend: &Trend, point: &TrendPoint, glyphs: Glyphs) -> Option<String> {
    let value = trend.value(point)?;
    let interval = trend.interval(point);
    Some(match (&trend.basis, interval) {
        (Basis::Ratio { .. }, Some(interval)) => format!("{} {}", ratio(value, &interval), ratio_interval(&interval)),
        (Basis::Ratio { .. }, None) => significant(value, 4),
        (Basis::Time, Some(interval)) => {
            format!("{} {}", duration(value, glyphs), half_width(value, &interval, glyphs))
        }
        (Basis::Time, None) => duration(value, glyphs),
    })
}

pub(crate) fn value_text(history: &History, trend: &Trend, point: &TrendPoint, glyphs: Glyphs) -> String {
    let run = history.runs.get(point.run).map(run_text).unwrap_or_default();
    let names: Vec<&str> = history.names_of(point.run).collect();
    let names = if names.is_empty() { String::new() } else { format!(", baseline {}", clean(&names.join(", "))) };
    let value = number(trend, point, glyphs).unwrap_or_else(|| "no value".to_owned());
    format!("{run}{names}: {value}")
}

/// A step as a sentence: the change, its start, and what else changed.
pub(crate) fn step_text(history: &History, trend: &Trend, step: &TrendStep) -> String {
    let run = |at: usize| trend.points.get(at).and_then(|point| history.runs.get(point.run));
    let mut text =
        format!("{} {} {}", step.verdict.word(), ratio(step.ratio, &step.interval), ratio_interval(&step.interval));
    if let (Some(old), Some(likely), Some(new)) = (run(step.before), run(step.at), run(step.after)) {
        let of_one = || format!(" since run {}; before it {}", run_text(new), run_text(old));
        let likely = || format!(", most likely since run {}", run_text(likely));
        let is_one = !trend.points[step.before + 1..step.after].iter().any(|point| point.left_out.is_none());
        text.push_str(&match is_one {
            true => of_one(),
            false => format!(" after run {}, by run {}{}", run_text(old), run_text(new), likely()),
        });
    }
    for change in &step.changes {
        let or_none = |value: &str| if value.is_empty() { "none".to_owned() } else { clean(value) };
        text.push_str(&format!("; {} changed from {} to {}", change.what, or_none(&change.from), or_none(&change.to)));
    }
    if !step.confirmed {
        text.push_str("; not confirmed yet: more runs will decide");
    }
    text.push_str(&commits_text(history, trend, [step.before, step.after]));
    text + &accepted_text(trend, step.accepted)
}

pub(crate) fn creep_text(history: &History, trend: &Trend, creep: &TrendCreep) -> String {
    let run = |at: usize| trend.points.get(at).and_then(|point| history.runs.get(point.run)).map(run_text);
    let (first, last) = (run(creep.first).unwrap_or_default(), run(creep.last).unwrap_or_default());
    let text = format!(
        "{} {} {} gradually over {}, without a step: from run {first} to run {last}",
        creep.verdict.word(),
        ratio(creep.ratio, &creep.interval),
        ratio_interval(&creep.interval),
        runs(history.runs_of(trend, creep)),
    );
    text + &accepted_text(trend, creep.accepted)
}

/// `; accepted up to run 7f3a21bc: a faster start is worth it`.
fn accepted_text(trend: &Trend, is_accepted: bool) -> String {
    let Some(accepted) = trend.accepted.as_ref().filter(|_| is_accepted) else { return String::new() };
    let reason = if accepted.reason.is_empty() { String::new() } else { format!(": {}", clean(&accepted.reason)) };
    format!("; accepted up to run {}{reason}", clean(&accepted.run))
}

const COMMITS: usize = 3;

/// The commits between the two ends of a step, as far as the repository knows them.
fn commits_text(history: &History, trend: &Trend, [before, after]: [usize; 2]) -> String {
    let run = |at: usize| trend.points.get(at).map(|point| point.run);
    let (Some(before), Some(after)) = (run(before), run(after)) else { return String::new() };
    let Some(between) = history.commits.iter().find(|one| one.before == before && one.after == after) else {
        return String::new();
    };
    let named: Vec<String> =
        between.newest.iter().take(COMMITS).map(|one| clean(&format!("{} {}", one.revision, one.title))).collect();
    let more = between.count.saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match named.is_empty() {
        true => String::new(),
        false => format!("; {} between them: {}{more}", plural(between.count, "commit"), named.join(", ")),
    }
}

/// Digits of a revision in a command, enough for a large repository.
const REVISION_TYPED: usize = 12;

/// A revision that is safe in a shell: hexadecimal digits only, since it may come from someone else's file.
pub(super) fn typed(run: &HistoryRun) -> Option<&str> {
    let revision = run.revision.as_deref().filter(|_| !run.dirty)?;
    let is_commit = !revision.is_empty() && revision.bytes().all(|b| b.is_ascii_hexdigit());
    is_commit.then(|| revision.get(..REVISION_TYPED).unwrap_or(revision))
}

/// The command that measures both ends again, if they are commits: each commit of a confirmed step, otherwise both side by side.
pub(super) fn measure_again(
    history: &History,
    trend: &Trend,
    [before, after]: [usize; 2],
    step: Option<&TrendStep>,
) -> Option<Hint> {
    let run = |at: usize| Some(trend.points.get(at)?.run);
    let commit = |at: usize| typed(history.runs.get(run(at)?)?);
    let (old, new) = (commit(before)?, commit(after)?);
    let name = shell_word(&pattern(&trend.name));
    let of_ends = history.commits.iter().find(|one| Some(one.before) == run(before) && Some(one.after) == run(after));
    let (text, command) = match step {
        Some(step) if step.confirmed && of_ends.is_some_and(|between| between.count > 1) => {
            let way = if step.verdict == Verdict::Faster { "--faster " } else { "" };
            ("find the commit", format!("tare bisect {old} {new} {way}--filter {name}"))
        }
        _ => ("measure both side by side", format!("tare compare {old} {new} --filter {name}")),
    };
    (old != new).then(|| Hint { text: text.to_owned(), command: Some(command) })
}
