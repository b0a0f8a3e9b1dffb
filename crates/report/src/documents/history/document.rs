use super::spark::chart;
use super::tables::{table, values, word, PageOfRun};
use super::words::{creep_text, measure_again, run_text, runs, step_text};
use super::{drawn, CHARTS_MAX, CHARTS_OF_PAGE};
use crate::documents::history::chart::trend_chart;
use crate::elements::document::{Content, Document, Entry, Fact, List, Medium, More, Volume};
use crate::parts::findings::{follow, gate};
use crate::parts::tabulate::verdict_role;
use crate::words::advice::Hint;
use crate::words::label::short;
use crate::words::number::{percent, ratio};
use crate::words::text::{clean, plural, shell_word, Glyphs, Line, Role};
use tare_analysis::gate::Judgement;
use tare_analysis::history::{Basis, History, HistoryFailure, OtherMachine, Trend, TrendCreep, TrendPoint, TrendStep};
use tare_analysis::Severity;
use tare_stats::STEP_RUNS_MIN;

/// Newest values of a benchmark listed without `-v`.
const VALUES: usize = 10;
/// Trends with charts above the table of a page.
const OPEN_CHARTS: usize = 6;

impl Document {
    /// The document of a history: all benchmarks, or the named ones with their values.
    pub(crate) fn of_history(
        history: &History,
        is_detailed: bool,
        judgement: Option<&Judgement>,
        medium: &Medium,
    ) -> Document {
        let (is_page, glyphs) = (medium.is_page, medium.glyphs);
        let mut document = Document::default();
        if medium.is_quiet() {
            document.add([Content::Brief(brief(history))]);
            return document;
        }
        if is_page {
            document.add([headline(history, judgement)]);
            document.add(gate(judgement));
        }
        document.add([Content::Facts(vec![title(history)])]);
        if !is_detailed {
            document.add([Content::Table(table(history, glyphs, None, true))]);
        }
        document.add(changes(history, &history.trends, medium, None));
        document.add([failures(history, medium)]);
        for trend in history.trends.iter().filter(|_| is_detailed) {
            let mut contents = vec![Content::Heading(clean(&trend.name)), Content::Facts(facts(trend))];
            if !is_page {
                contents.push(Content::Brief(chart(trend, days_of(history, trend), medium.columns, glyphs)));
            }
            document.add(contents);
            let all = is_page || medium.is_verbose();
            let (values, hidden) = values(history, trend, if all { usize::MAX } else { VALUES }, glyphs, None);
            let more = (hidden > 0).then(|| more(format!("{hidden} older values"), "-v"));
            document.add([Content::Table(values)].into_iter().chain(more));
        }
        document.add(not_shown(history));
        if !is_page {
            document.add([Content::Next { run: None, command: next(history, is_detailed) }]);
        }
        document
    }

    pub(crate) fn page_of_history(history: &History, judgement: Option<&Judgement>) -> Document {
        let mut document = Document::default();
        document.add([headline(history, judgement), Content::Facts(vec![title(history)])]);
        document.add(gate(judgement));
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        // Links need a chart as their target.
        let with_charts = drawn(history, CHARTS_OF_PAGE);
        let has_chart = |trend: &Trend| with_charts.iter().any(|one| std::ptr::eq(*one, trend));
        let target = |trend: &Trend| (has_chart(trend).then(|| anchor(history, trend)), None);
        document.add(changes(history, &history.trends, &medium, Some(&target)));
        document.add([failures(history, &medium)]);
        let charts = |most: usize| with_charts.iter().copied().take(most);
        let is_short = history.trends.len() <= OPEN_CHARTS;
        let open = charts(OPEN_CHARTS).filter(|trend| is_short || !trend.steps.is_empty() || trend.creep.is_some());
        let open: Vec<&Trend> = open.collect();
        document.add([Content::Table(table(history, Glyphs::Unicode, Some(&target), false))]);
        document.add(open.into_iter().map(|trend| chart_of(history, trend, true)));
        let without = history.trends.len() - with_charts.len();
        let command = "tare history CASE -o history.html";
        document.add((without > 0).then(|| more(format!("{without} more without charts"), command)));
        for (at, trend) in charts(usize::MAX).enumerate() {
            let has_values = at < CHARTS_MAX;
            let mut contents = vec![chart_of(history, trend, has_values), Content::Sheet(facts(trend))];
            contents.push(match has_values {
                true => Content::Table(values(history, trend, usize::MAX, Glyphs::Unicode, None).0),
                false => {
                    let command = format!("tare history {} -v", shell_word(&clean(&trend.name)));
                    more(plural(trend.points.len(), "value"), &command)
                }
            });
            document.fold_at(clean(&trend.name), self::anchor(history, trend), contents);
        }
        document.add(not_shown(history));
        document
    }
}

pub(super) fn chart_of(history: &History, trend: &Trend, is_spoken: bool) -> Content {
    let why =
        || format!("`{}` has no chart: it cannot be distinguished from an empty loop in any run", clean(&trend.name));
    trend_chart(history, trend, is_spoken).map_or_else(|| Content::Note(why()), Content::chart)
}

fn anchor(history: &History, trend: &Trend) -> String {
    let at = history.trends.iter().position(|other| std::ptr::eq(other, trend)).unwrap_or(0);
    format!("trend-{at}")
}

pub(super) fn headline(history: &History, judgement: Option<&Judgement>) -> Content {
    let changed = steps_in(&history.trends).filter(|(_, step)| step.confirmed && !step.accepted).count();
    let benchmarks = plural(history.trends.len(), "benchmark");
    let creeps = creeps_in(&history.trends).filter(|(_, creep)| !creep.accepted).count();
    let changes = [(changed, "step"), (creeps, "creep")].map(|(n, noun)| (n > 0).then(|| plural(n, noun)));
    let changes: Vec<String> = changes.into_iter().flatten().collect();
    let changes = if changes.is_empty() { "no step".to_owned() } else { changes.join(" and ") };
    let failed = history.runs.last().map_or(0, |run| run.failed.len());
    let failed = if failed > 0 { format!("; {failed} failed in the newest run") } else { String::new() };
    let text = format!("{changes} in the history of {benchmarks} over {}{failed}", runs(history.runs.len()));
    let (verdict, text) = follow(judgement, None, text);
    Content::Headline { verdict, text }
}

pub(super) fn title(history: &History) -> Fact {
    titled(history, history.runs.len(), history.days())
}

/// For one benchmark: the runs that have it.
pub(super) fn title_of(history: &History, trend: &Trend) -> Fact {
    titled(history, trend.points.len(), Some(days_of(history, trend)))
}

fn titled(history: &History, count: usize, days: Option<[&str; 2]>) -> Fact {
    let lead = Line::of(Role::Heading, "history").with(Role::Plain, format!("  {}   ", runs(count)));
    let days = days.map(|[first, last]| match first == last {
        true => clean(first),
        false => format!("{} to {}", clean(first), clean(last)),
    });
    let machine = (!history.runs.is_empty()).then(|| clean(&history.machine.label()));
    let project = (!history.project.is_empty()).then(|| clean(&history.project));
    let branch = history.branch.as_ref().map(|branch| format!("branch {}", clean(branch)));
    Fact::Title { lead, items: days.into_iter().chain(project).chain(branch).chain(machine).collect() }
}

pub(super) fn facts(trend: &Trend) -> Vec<Fact> {
    let basis = match &trend.basis {
        Basis::Ratio { base } => format!("steps are found in ratios to `{}`, measured in the same waves", clean(base)),
        Basis::Time => "steps are found in times at the reference clock".to_owned(),
    };
    let used = trend.used();
    let too_few = format!("{} of the {STEP_RUNS_MIN} runs needed to confirm a step", used);
    let items = std::iter::once(basis).chain((used < STEP_RUNS_MIN).then_some(too_few));
    let before: Vec<String> = trend.earlier.iter().map(|name| format!("`{}`", clean(name))).collect();
    let before = (!before.is_empty()).then(|| format!("called {} before", before.join(", ")));
    let noise = trend.noise().map(|noise| format!("values of neighbouring runs vary by {}", percent(noise)));
    vec![Fact::Items { label: String::new(), items: items.chain(noise).chain(before).collect(), separator: "; " }]
}

fn days_of<'a>(history: &'a History, trend: &Trend) -> [&'a str; 2] {
    let day = |point: Option<&TrendPoint>| {
        let run = point.and_then(|point| history.runs.get(point.run));
        run.map_or("", |run| run.created.split('T').next().unwrap_or_default())
    };
    [day(trend.points.first()), day(trend.points.last())]
}

fn steps_in(trends: &[Trend]) -> impl Iterator<Item = (&Trend, &TrendStep)> {
    let mut all: Vec<(&Trend, &TrendStep)> =
        trends.iter().flat_map(|trend| trend.steps.iter().map(move |step| (trend, step))).collect();
    all.sort_by_key(|(trend, step)| std::cmp::Reverse(trend.points.get(step.at).map(|point| point.run)));
    all.into_iter()
}

fn creeps_in(trends: &[Trend]) -> impl Iterator<Item = (&Trend, &TrendCreep)> {
    let mut all: Vec<(&Trend, &TrendCreep)> =
        trends.iter().filter_map(|trend| Some((trend, trend.creep.as_ref()?))).collect();
    all.sort_by(|(_, a), (_, b)| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
    all.into_iter()
}

/// Link targets of a benchmark's name: an anchor on the same page, and another page of the site.
pub(super) type TargetOf<'a> = &'a dyn Fn(&Trend) -> (Option<String>, Option<String>);

fn again_for_creep(history: &History, trend: &Trend, creep: &TrendCreep) -> Option<Hint> {
    measure_again(history, trend, [creep.first, creep.last], None)
}

fn again_for_step(history: &History, trend: &Trend, step: &TrendStep) -> Option<Hint> {
    measure_again(history, trend, [step.before, step.after], Some(step))
}

fn changes(history: &History, of: &[Trend], medium: &Medium, target: Option<TargetOf>) -> [Content; 2] {
    let entry = |trend: &Trend, text: String, hint: Option<Hint>| {
        let (anchor, page) = target.map(|target| target(trend)).unwrap_or_default();
        Entry { about: format!("`{}`", clean(&trend.name)), text, anchor, page, hint, ..Entry::default() }
    };
    let of_creep = |(trend, creep): (&Trend, &TrendCreep)| {
        entry(trend, creep_text(history, trend, creep), again_for_creep(history, trend, creep))
    };
    let of_step = |(trend, step): (&Trend, &TrendStep)| {
        entry(trend, step_text(history, trend, step), again_for_step(history, trend, step))
    };
    let (creeps, steps) = (creeps_in(of).map(of_creep), steps_in(of).map(of_step));
    let list = |title, entries: Vec<Entry>| List::of(title, Some(entries.len()), entries, medium.most(), "-v");
    [list("creeps", creeps.collect()), list("steps", steps.collect())]
}

/// Failures without a value, one entry per benchmark and kind: the number of runs, and the last of them.
pub(super) fn failures(history: &History, medium: &Medium) -> Content {
    let entry = |(failed, of): (&HistoryFailure, Vec<usize>)| {
        let newest = of.last().and_then(|&run| history.runs.get(run)).map(run_text).unwrap_or_default();
        let is_now = of.last().is_some_and(|run| run + 1 == history.runs.len());
        let last = if is_now { "the newest" } else { "the last one" };
        Entry {
            severity: Some(if is_now { Severity::Error } else { Severity::Note }),
            about: short(&with_job(&failed.name, &failed.job)),
            text: format!("{}; in {} of {}, {last} {newest}", clean(&failed.why), of.len(), runs(history.runs.len())),
            ..Entry::default()
        }
    };
    let entries: Vec<Entry> = history.failures().into_iter().map(entry).collect();
    List::of("failures", Some(entries.len()), entries, medium.most(), "-v")
}

fn with_job(name: &str, job: &str) -> String {
    clean(&if job.is_empty() { name.to_owned() } else { format!("{name}@{job}") })
}

fn more(text: String, command: &str) -> Content {
    Content::More(More { text, command: command.to_owned() })
}

fn brief(history: &History) -> Vec<Line> {
    let line = |trend: &Trend, (word, role): (&str, Role), ratio: String| {
        let text = format!("  {ratio:<5}  {}", clean(&trend.name));
        Line::of(role, format!("{word:<7}")).with(Role::Plain, text)
    };
    let of_step = |(trend, step): (&Trend, &TrendStep)| line(trend, word(step), ratio(step.ratio, &step.interval));
    let of_creep = |(trend, creep): (&Trend, &TrendCreep)| {
        line(trend, ("creep", verdict_role(creep.verdict)), ratio(creep.ratio, &creep.interval))
    };
    let failed = |failed: &HistoryFailure| {
        let text = format!("  {}  {}", short(&with_job(&failed.name, &failed.job)), clean(&failed.why));
        Line::of(Role::Error, "failed ").with(Role::Plain, text)
    };
    let of_newest = history.runs.last().into_iter().flat_map(|run| &run.failed).map(failed);
    creeps_in(&history.trends).map(of_creep).chain(steps_in(&history.trends).map(of_step)).chain(of_newest).collect()
}

/// Hidden content, and how to show it.
pub(super) fn not_shown(history: &History) -> impl Iterator<Item = Content> + '_ {
    let all = history.older + history.runs.len();
    let older = (history.older > 0).then(|| more(format!("{} older", runs(history.older)), &format!("--last {all}")));
    let other = |other: &OtherMachine| {
        let label = clean(&other.machine.label());
        more(format!("{} on another machine", runs(other.runs)), &format!("--machine {}", shell_word(&label)))
    };
    older.into_iter().chain(history.others.iter().map(other))
}

fn next(history: &History, is_detailed: bool) -> Option<String> {
    let of_step = |(trend, step): (&Trend, &TrendStep)| again_for_step(history, trend, step)?.command;
    let of_creep = |(trend, creep): (&Trend, &TrendCreep)| again_for_creep(history, trend, creep)?.command;
    let again = steps_in(&history.trends).filter(|(_, step)| !step.accepted).find_map(of_step);
    let again = again.or_else(|| creeps_in(&history.trends).filter(|(_, creep)| !creep.accepted).find_map(of_creep));
    let first = || {
        let trend = steps_in(&history.trends).map(|(trend, _)| trend).next().or(history.trends.first())?;
        Some(format!("tare history {}", shell_word(&clean(&trend.name))))
    };
    match is_detailed {
        true => again.or_else(|| Some("tare history -o history.html".to_owned())),
        false => first(),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub text: String,
    pub about: String,
    /// The address relative to this page.
    pub page: String,
}

fn links(heading: &str, links: &[Link]) -> Content {
    let entry = |link: &Link| Entry {
        about: clean(&link.text),
        text: clean(&link.about),
        page: Some(link.page.clone()),
        ..Entry::default()
    };
    List::whole(heading, links.iter().map(entry).collect())
}

impl Document {
    /// All benchmarks of a machine, each with its page.
    pub(crate) fn index_of_site(
        history: &History,
        page_of: &dyn Fn(&Trend) -> String,
        others: &[(&str, Vec<Link>)],
    ) -> Document {
        let mut document = Document::default();
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        let target = |trend: &Trend| (None, Some(page_of(trend)));
        document.add([headline(history, None), Content::Facts(vec![title(history)])]);
        document.add(changes(history, &history.trends, &medium, Some(&target)));
        document.add([failures(history, &medium)]);
        document.add([Content::Table(table(history, Glyphs::Unicode, Some(&target), true))]);
        let others = others.iter().filter(|(_, others)| !others.is_empty());
        document.add(others.map(|(heading, others)| links(heading, others)));
        document.add(not_shown(history).filter(|_| history.older > 0).take(1));
        document
    }

    /// A benchmark of a machine: its chart, its changes and its values.
    pub(crate) fn benchmark_of_site(history: &History, trend: &Trend, page_of_run: PageOfRun, up: &[Link]) -> Document {
        let mut document = Document::default();
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        let name = with_job(&trend.name, &trend.job);
        let alone = std::slice::from_ref(trend);
        document.add([Content::Headline { verdict: None, text: name }, Content::Facts(vec![title_of(history, trend)])]);
        document.add([links("pages", up)]);
        document.add([chart_of(history, trend, true), Content::Sheet(facts(trend))]);
        document.add(changes(history, alone, &medium, None));
        let (table, _) = values(history, trend, usize::MAX, Glyphs::Unicode, Some(page_of_run));
        document.add([Content::Table(table)]);
        document
    }
}
