//! The tables of a history: its benchmarks, or the values of one.

use super::document::TargetOf;
use super::spark::spark;
use super::words::{left_out, minute, revision, run_text, runs, typed};
use crate::elements::table::{interval_title, Cell, Compared, Drawn, Filled, Table, Title};
use crate::parts::tabulate::verdict_role;
use crate::words::number::{
    digits_for, duration, half_width, percent, ratio, relative_half_width, time_digits, Decimal, TimeUnit,
};
use crate::words::text::{clean, Glyphs, Role};
use std::collections::BTreeSet;
use tare_analysis::history::{Basis, History, HistoryRun, Trend, TrendCreep, TrendPoint, TrendStep};
use tare_analysis::Verdict;

const SPARK: usize = 24;
/// Newest runs of which any two can be compared on a page: 100 take 4 kB per benchmark.
const COMPARED_RUNS: usize = 100;

pub(super) fn word(step: &TrendStep) -> (&'static str, Role) {
    match step.confirmed {
        true if step.accepted => (step.verdict.word(), Role::Quiet),
        true => (step.verdict.word(), verdict_role(step.verdict)),
        false => (Verdict::Unclear.word(), verdict_role(Verdict::Unclear)),
    }
}

/// A row per benchmark: its newest value, its trend, its newest step.
pub(super) fn table(history: &History, glyphs: Glyphs, target: Option<TargetOf>, has_trend: bool) -> Table {
    let is_page = target.is_some();
    let newest = |trend: &Trend| trend.points.iter().rev().find_map(|point| point.time_ns);
    let times: Vec<f64> = history.trends.iter().filter_map(newest).collect();
    let unit = TimeUnit::of_block(&times);
    let has_ratio = history.trends.iter().any(|trend| matches!(trend.basis, Basis::Ratio { .. }));
    let cells = |of: &dyn Fn(&Trend) -> Cell| history.trends.iter().map(of).collect::<Vec<_>>();
    let values =
        |of: &dyn Fn(&Trend) -> Option<f64>| history.trends.iter().map(of).filter(|_| is_page).collect::<Vec<_>>();
    let time = |trend: &Trend| time_cells(trend.points.last(), unit, glyphs);
    let mut columns = vec![
        Filled::right("time", 0, cells(&|trend| time(trend)[0].clone()))
            .by(values(&|trend| trend.points.last()?.time_ns)),
        Filled::left(interval_title(), 3, cells(&|trend| time(trend)[1].clone())),
    ];
    if has_ratio {
        let title = Title { long: "ratio to base".into(), short: "ratio".into() };
        let column = Filled::right(title, 2, cells(&|trend| ratio_cell(trend.points.last())));
        columns.push(column.by(values(&|trend| trend.points.last()?.ratio)));
    }
    let runs = Filled::right("runs", 4, cells(&|trend| Cell::text(trend.points.len().to_string())));
    columns.push(runs.by(values(&|trend| Some(trend.points.len() as f64))));
    if has_trend {
        // The newest values are aligned.
        columns.push(Filled::right("trend", 1, cells(&|trend| Cell::styled(spark(trend, SPARK, glyphs), Role::Quiet))));
    }
    if is_page {
        let noise = cells(&|trend| Cell::text(trend.noise().map(percent).unwrap_or_default()));
        columns.push(Filled::right("noise", 4, noise).by(values(&Trend::noise)));
    }
    let newest = cells(&|trend| match (&trend.creep, trend.steps.last()) {
        (Some(creep), _) => creep_cell(history, trend, creep),
        (None, step) => step.map_or(Cell::Empty, |step| step_cell(history, trend, step)),
    });
    let ratio = |trend: &Trend| trend.creep.map(|creep| creep.ratio).or(trend.steps.last().map(|step| step.ratio));
    let title = Title { long: "newest step".into(), short: "step".into() };
    columns.push(Filled::left(title, 0, newest).by(values(&ratio)));
    let is_compared = is_page && history.runs.len() > 1;
    let compared: Vec<_> = history.trends.iter().filter(|_| is_compared).map(|trend| series(history, trend)).collect();
    if is_compared {
        let last_two = compared.iter().map(|series| between(series).map_or(Cell::Empty, Cell::text));
        columns.push(Filled::right("between two runs", 1, last_two));
    }
    let names = history.trends.iter().map(|trend| clean(&trend.name));
    let mut table = Table::of("benchmark", names, columns).with_full_names();
    for (row, trend) in table.blocks[0].rows.iter_mut().zip(&history.trends) {
        if let Some((drawn, target)) = row.drawn.as_mut().zip(target) {
            (drawn.anchor, drawn.page) = target(trend);
            drawn.word = trend.creep.map(|creep| creep.verdict.word()).or(trend.steps.last().map(|step| word(step).0));
        }
    }
    if is_compared {
        for (row, series) in table.blocks[0].rows.iter_mut().zip(compared) {
            row.drawn.iter_mut().for_each(|drawn| drawn.comparable.clone_from(&series));
        }
        table.columns.last_mut().into_iter().for_each(|column| column.optional = true);
        let run = |run: &HistoryRun| (run_text(run), typed(run).map(str::to_owned));
        let runs = history.runs.iter().rev().take(COMPARED_RUNS).map(run).collect();
        table.compared = Compared { runs, url: history.compare_url.clone() };
    }
    table
}

/// The values of a benchmark with interval ends, for each of the newest runs.
fn series(history: &History, trend: &Trend) -> Vec<Option<[f64; 3]>> {
    let mut of_run = vec![None; history.runs.len()];
    for point in &trend.points {
        if let Some(value) = of_run.get_mut(point.run) {
            *value = comparable(trend, point);
        }
    }
    of_run.into_iter().rev().take(COMPARED_RUNS).collect()
}

fn comparable(trend: &Trend, point: &TrendPoint) -> Option<[f64; 3]> {
    let ends = trend.value(point).zip(trend.interval(point));
    let values = ends.map(|(value, interval)| [value, interval.lower, interval.upper]);
    values.filter(|values| values.iter().all(|value| value.is_finite() && *value > 0.0))
}

/// The ratio of the newest value to the previous one, with an interval from both of theirs, calculated as on the page for any two runs.
fn between(newest_first: &[Option<[f64; 3]>]) -> Option<String> {
    let [Some(b), Some(a), ..] = newest_first else { return None };
    let half = |of: &[f64; 3], end: usize| (of[end] / of[0]).ln();
    let value = b[0] / a[0];
    let end = |of_b: usize, of_a: usize| half(b, of_b).hypot(half(a, of_a));
    Some(format!("{value:.3} [{:.3}, {:.3}]", value * (-end(1, 2)).exp(), value * end(2, 1).exp()))
}

fn time_cells(point: Option<&TrendPoint>, unit: Option<TimeUnit>, glyphs: Glyphs) -> Vec<Cell> {
    let Some((point, value)) = point.and_then(|point| Some((point, point.time_ns?))) else {
        let upper = point.and_then(|point| point.time_interval).map(|interval| interval.upper);
        let text = upper.map_or_else(|| glyphs.of("–"), |upper| format!("< {}", duration(upper, glyphs)));
        return vec![Cell::styled(text, Role::Value), Cell::Empty];
    };
    let unit = unit.unwrap_or_else(|| TimeUnit::of(value));
    let digits = digits_for(relative_half_width(value, point.time_interval.as_ref()));
    let number = Decimal::of(&time_digits(value / unit.ns(), digits));
    let interval = point.time_interval.map_or_else(String::new, |interval| half_width(value, &interval, glyphs));
    vec![Cell::number(number, Role::Value, unit.symbol(glyphs)), Cell::text(interval)]
}

fn ratio_cell(point: Option<&TrendPoint>) -> Cell {
    let found = point.and_then(|point| Some((point.ratio?, point.ratio_interval?)));
    found.map_or(Cell::Empty, |(value, interval)| {
        Cell::number(Decimal::of(&ratio(value, &interval)), Role::Plain, String::new())
    })
}

/// `creep 1.31 over 27 runs`.
fn creep_cell(history: &History, trend: &Trend, creep: &TrendCreep) -> Cell {
    let mut text =
        format!("creep {} over {}", ratio(creep.ratio, &creep.interval), runs(history.runs_of(trend, creep)));
    if creep.accepted {
        text.push_str(", accepted");
    }
    Cell::styled(text, if creep.accepted { Role::Quiet } else { verdict_role(creep.verdict) })
}

/// `slower 1.10, 5 runs ago`.
fn step_cell(history: &History, trend: &Trend, step: &TrendStep) -> Cell {
    let (word, role) = word(step);
    let ago = match history.runs_since(trend, step) {
        1 => "the newest run".to_owned(),
        n => format!("{n} runs ago"),
    };
    let accepted = if step.accepted { ", accepted" } else { "" };
    Cell::styled(format!("{word} {}, {ago}{accepted}", ratio(step.ratio, &step.interval)), role)
}

pub(super) type PageOfRun<'a> = &'a dyn Fn(&HistoryRun) -> Option<String>;

/// The newest values of a benchmark, newest first, and the number of older ones. On a site they can be compared with each other.
pub(super) fn values(
    history: &History,
    trend: &Trend,
    most: usize,
    glyphs: Glyphs,
    page_of_run: Option<PageOfRun>,
) -> (Table, usize) {
    let has_base = trend.points.iter().any(|point| point.base.is_some());
    let has_commit = history.runs.iter().any(|run| run.revision.is_some());
    let of_points = trend.points.iter().filter_map(|point| history.runs.get(point.run));
    let branches: BTreeSet<&str> = of_points.filter_map(|run| run.branch.as_deref()).collect();
    let has_branch = branches.len() > 1;
    let times: Vec<f64> = trend.points.iter().filter_map(|point| point.time_ns).collect();
    let unit = TimeUnit::of_block(&times);
    let points = || trend.points.iter().enumerate().rev().take(most);
    let run_of = |point: &TrendPoint| history.runs.get(point.run);
    let cells = |of: &dyn Fn(&TrendPoint) -> Cell| points().map(|(_, point)| of(point)).collect::<Vec<_>>();
    let of_run =
        |of: &dyn Fn(&HistoryRun) -> String| cells(&|point| Cell::text(run_of(point).map(of).unwrap_or_default()));
    let time = |point: &TrendPoint| time_cells(Some(point), unit, glyphs);
    let mut columns = vec![Filled::left("made (UTC)", 4, of_run(&minute))];
    if has_commit {
        columns.push(Filled::left("commit", 0, of_run(&revision)));
    }
    if has_branch {
        columns.push(Filled::left("branch", 2, of_run(&|run| run.branch.as_deref().map(clean).unwrap_or_default())));
    }
    columns.push(Filled::right("time", 0, cells(&|point| time(point)[0].clone())));
    columns.push(Filled::left(interval_title(), 3, cells(&|point| time(point)[1].clone())));
    if has_base {
        let title = Title { long: "ratio to base".into(), short: "ratio".into() };
        columns.push(Filled::right(title, 0, cells(&|point| ratio_cell(Some(point)))));
    }
    let remarks = points().map(|(at, point)| {
        let (text, role) = remark(history, trend, at, point);
        Cell::styled(text, role)
    });
    columns.push(Filled::left("remark", 0, remarks));
    let names = points().map(|(_, point)| run_of(point).map(|run| clean(&run.run)).unwrap_or_default());
    let mut table = Table::of("run", names, columns).with_full_names();
    for (row, (_, point)) in table.blocks[0].rows.iter_mut().zip(points()) {
        let Some(page_of_run) = page_of_run else { break };
        let run = run_of(point);
        let commit = run.and_then(typed);
        let comparable: Vec<_> = comparable(trend, point).map(Some).into_iter().collect();
        // In the column after the time of the run.
        let link = history.commit_url.as_ref().zip(commit).map(|(url, commit)| (1, format!("{url}{commit}")));
        row.drawn = Some(Box::new(Drawn {
            page: run.and_then(page_of_run),
            commit: commit.filter(|_| !comparable.is_empty()).map(str::to_owned),
            comparable,
            link,
            ..Drawn::default()
        }));
    }
    table.compared.url = history.compare_url.clone().filter(|_| page_of_run.is_some());
    (table, trend.points.len().saturating_sub(most))
}

/// A remark about a value: the step that it begins, its name, why it is not used.
fn remark(history: &History, trend: &Trend, at: usize, point: &TrendPoint) -> (String, Role) {
    let mut parts: Vec<String> = Vec::new();
    let mut role = Role::Quiet;
    if let Some(step) = trend.steps.iter().find(|step| step.at == at) {
        let mark = if step.confirmed { "" } else { ", not confirmed" };
        let accepted = if step.accepted { ", accepted" } else { "" };
        parts.push(format!("{} {}{mark}{accepted}", step.verdict.word(), ratio(step.ratio, &step.interval)));
        role = word(step).1;
    }
    if let Some(before) = trend.earlier.iter().find(|_| trend.renamed_at == Some(at)) {
        parts.push(format!("called `{}` before", clean(before)));
    }
    parts.extend(history.names_of(point.run).map(|name| format!("baseline {}", clean(name))));
    parts.extend(point.left_out.map(|why| format!("not used: {}", left_out(why))));
    (parts.join("; "), role)
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn a_ratio_of_two_runs_has_its_interval_from_both() {
        let (older, newer) = (Some([1.0, 0.9, 1.1]), Some([2.0, 1.9, 2.2]));
        // 2 exp(-hypot(ln 0.95, ln 1.1)), 2 exp(hypot(ln 1.1, ln 0.9))
        assert_eq!(between(&[newer, older, None]).as_deref(), Some("2.000 [1.795, 2.305]"));
        assert_eq!(between(&[newer, None, older]), None);
    }
}
