//! The tables of a history: its benchmarks, and the values of one of them.

use super::document::{Target, TargetOf};
use super::spark::spark;
use super::words::{left_out, minute, revision, runs, typed};
use crate::number::{digits_for, relative_half_width, time_digits};
use crate::table::{Align, Block, Body, Cell, Column, Drawn, Row, Table, Title};
use crate::tabulate::verdict_role;
use crate::{clean, duration, half_width, percent, ratio, Decimal, Glyphs, Role, TimeUnit};
use std::collections::BTreeSet;
use tare_analysis::history::{Basis, History, HistoryRun, Trend, TrendCreep, TrendPoint, TrendStep};
use tare_analysis::Verdict;

/// Characters of a trend in the table.
const SPARK: usize = 24;

/// What a step is called.
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
    let column = |align, priority| Column { align, priority, optional: false };
    let mut titles = vec![Title::of("time"), Title { long: "95 % interval".into(), short: "95 %".into() }];
    let mut columns = vec![column(Align::Right, 0), column(Align::Left, 3)];
    if has_ratio {
        titles.push(Title { long: "ratio to base".into(), short: "ratio".into() });
        columns.push(column(Align::Right, 2));
    }
    titles.push(Title::of("runs"));
    columns.push(column(Align::Right, 4));
    if has_trend {
        titles.push(Title::of("trend"));
        // The newest values stand below each other.
        columns.push(column(Align::Right, 1));
    }
    if is_page {
        titles.push(Title::of("noise"));
        columns.push(column(Align::Right, 4));
    }
    titles.push(Title { long: "newest step".into(), short: "step".into() });
    columns.push(column(Align::Left, 0));
    let row = |trend: &Trend| {
        let point = trend.points.last();
        let mut cells = time_cells(point, unit, glyphs);
        let mut values = vec![point.and_then(|p| p.time_ns), None];
        if has_ratio {
            cells.push(ratio_cell(point));
            values.push(point.and_then(|p| p.ratio));
        }
        cells.push(Cell::text(trend.points.len().to_string()));
        values.push(Some(trend.points.len() as f64));
        if has_trend {
            cells.push(Cell::styled(spark(trend, SPARK, glyphs), Role::Quiet));
            values.push(None);
        }
        if is_page {
            let noise = trend.noise();
            cells.push(Cell::text(noise.map(percent).unwrap_or_default()));
            values.push(noise);
        }
        let (step, creep) = (trend.steps.last(), trend.creep.as_ref());
        cells.push(match creep {
            Some(creep) => creep_cell(history, trend, creep),
            None => step.map_or(Cell::Empty, |step| step_cell(history, trend, step)),
        });
        values.push(creep.map(|creep| creep.ratio).or(step.map(|step| step.ratio)));
        let word = creep.map(|creep| creep.verdict.word()).or(step.map(|step| word(step).0));
        let drawn = target.map(|target| {
            let (anchor, page) = target(trend).map(Target::split).unwrap_or_default();
            Box::new(Drawn { anchor, page, values, word, ..Drawn::default() })
        });
        Row { gap: false, heads: vec![Cell::text(clean(&trend.name))], body: Body::Cells(cells), drawn }
    };
    let block = Block {
        heads: vec!["benchmark".to_owned()],
        titles,
        constants: String::new(),
        full_names: true,
        rows: history.trends.iter().map(row).collect(),
        plot: None,
    };
    Table { columns, naming: 0, blocks: vec![block] }
}

fn time_cells(point: Option<&TrendPoint>, unit: Option<TimeUnit>, glyphs: Glyphs) -> Vec<Cell> {
    let Some((point, value)) = point.and_then(|point| Some((point, point.time_ns?))) else {
        let upper = point.and_then(|point| point.time_interval).map(|interval| interval.upper);
        let text = upper.map_or_else(|| glyphs.dash().to_owned(), |upper| format!("< {}", duration(upper, glyphs)));
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

/// The page of a run in a site, if it has one.
pub(super) type PageOfRun<'a> = &'a dyn Fn(&HistoryRun) -> Option<String>;

/// The newest values of a benchmark, the newest first, and how many older ones there are. Those of a site can be compared with each other.
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
    let column = |align, priority| Column { align, priority, optional: false };
    let mut titles = vec![Title::of("made (UTC)")];
    let mut columns = vec![column(Align::Left, 4)];
    if has_commit {
        titles.push(Title::of("commit"));
        columns.push(column(Align::Left, 0));
    }
    if has_branch {
        titles.push(Title::of("branch"));
        columns.push(column(Align::Left, 2));
    }
    titles.extend([Title::of("time"), Title { long: "95 % interval".into(), short: "95 %".into() }]);
    columns.extend([column(Align::Right, 0), column(Align::Left, 3)]);
    if has_base {
        titles.push(Title { long: "ratio to base".into(), short: "ratio".into() });
        columns.push(column(Align::Right, 0));
    }
    titles.push(Title::of("remark"));
    columns.push(column(Align::Left, 0));
    let row = |(at, point): (usize, &TrendPoint)| {
        let run = history.runs.get(point.run);
        let mut cells = vec![Cell::text(run.map(minute).unwrap_or_default())];
        let url = history.commit_url.as_ref().filter(|_| has_commit);
        let link = url.zip(run.and_then(typed)).map(|(url, commit)| (cells.len(), format!("{url}{commit}")));
        if has_commit {
            cells.push(Cell::text(run.map(revision).unwrap_or_default()));
        }
        if has_branch {
            cells.push(Cell::text(run.and_then(|run| run.branch.as_deref()).map(clean).unwrap_or_default()));
        }
        cells.extend(time_cells(Some(point), unit, glyphs));
        if has_base {
            cells.push(ratio_cell(Some(point)));
        }
        let (text, role) = remark(history, trend, at, point);
        cells.push(Cell::styled(text, role));
        let id = run.map_or("", |run| run.run.as_str());
        let drawn = page_of_run.map(|page_of_run| {
            let ends = trend.value(point).zip(trend.interval(point));
            let comparable = ends.map(|(value, interval)| [value, interval.lower, interval.upper]);
            let comparable = comparable.filter(|values| values.iter().all(|value| value.is_finite() && *value > 0.0));
            let commit = run.and_then(typed).filter(|_| comparable.is_some()).map(str::to_owned);
            // Once for all of them.
            let compare_url = history.compare_url.clone().filter(|_| at + 1 == trend.points.len());
            Box::new(Drawn {
                page: run.and_then(page_of_run),
                comparable,
                commit,
                compare_url,
                link,
                ..Drawn::default()
            })
        });
        Row { gap: false, heads: vec![Cell::text(clean(id))], body: Body::Cells(cells), drawn }
    };
    let rows = trend.points.iter().enumerate().rev().take(most).map(row).collect();
    let heads = vec!["run".to_owned()];
    let block = Block { heads, titles, constants: String::new(), full_names: true, rows, plot: None };
    (Table { columns, naming: 0, blocks: vec![block] }, trend.points.len().saturating_sub(most))
}

/// What is to be said of a value: the step that it begins, its name, why it is not used.
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
