//! Sentences shared by screen and Markdown.

use crate::parts::header::elapsed;
use crate::parts::tabulate::verdict_role;
use crate::words::again;
use crate::words::label::{alike, short};
use crate::words::number::{percent, percent_set, ratio, significant};
use crate::words::text::{clean, plural, Glyphs, Role};
use std::collections::HashSet;
use tare_analysis::gate::Violation;
use tare_analysis::{each_once, Again, Comparison, ComparisonRow, Decide, Design, Labels, Verdict, LISTED_MAX};

pub(crate) const ORDER: [Verdict; 4] = [Verdict::Slower, Verdict::Faster, Verdict::Unclear, Verdict::Same];

/// The overall verdict and its subject: `SLOWER`, `2 of 12 benchmarks`; `SAME within 0.6 %`, `1 benchmark compared`.
pub(crate) fn headline(comparison: &Comparison) -> (String, String, Role) {
    let total = comparison.rows.len();
    if total == 0 {
        let what = match (comparison.not_measured.is_empty(), comparison.failed.is_empty()) {
            (false, _) if !comparison.why_not.is_empty() => "no benchmark has a ratio",
            (true, true) if !comparison.skipped.is_empty() => "all benchmarks that both sides have are skipped",
            (true, true) => "no benchmark is on both sides",
            _ => "no benchmark was measured on both sides",
        };
        return ("NOTHING COMPARED".to_owned(), what.to_owned(), Role::Warning);
    }
    let failed = match comparison.benchmarks_failed() {
        0 => String::new(),
        n => format!("; {n} failed"),
    };
    let verdict = comparison.overall();
    let rows_of = |is_meant: &dyn Fn(&ComparisonRow) -> bool| {
        let rows = comparison.rows.iter().filter(|row| is_meant(row));
        rows.map(ComparisonRow::benchmark).collect::<HashSet<_>>().len()
    };
    let benchmarks = rows_of(&|_| true);
    let n = match verdict {
        // For these, every row must be the same.
        Verdict::Same => benchmarks - rows_of(&|row| row.verdict != Verdict::Same),
        verdict => rows_of(&|row| row.verdict == verdict),
    };
    // Some benchmarks may have no row, so "all" needs a qualifier.
    let is_all = comparison.failed.is_empty() && without_row(comparison) == 0;
    let of_all = if is_all { "benchmark" } else { "compared benchmark" };
    let what = match (n == benchmarks, benchmarks) {
        (true, 1) => "1 benchmark compared".to_owned(),
        (true, _) => format!("all {}", plural(benchmarks, of_all)),
        (false, _) => format!("{n} of {}", plural(benchmarks, "benchmark")),
    };
    // Benchmarks with compared metrics have several rows.
    let in_rows = match (comparison.count(verdict), total) {
        _ if total == benchmarks => String::new(),
        (rows, _) if rows == total => format!(" ({})", plural(total, "row")),
        (rows, _) => format!(" ({rows} of {})", plural(total, "row")),
    };
    let margins = comparison.rows.iter().map(|r| r.certified_margin);
    let within =
        margins.reduce(|a, b| Some(a?.max(b?))).flatten().filter(|m| verdict == Verdict::Same && m.is_finite());
    let within = within.map(|m| format!(" within {}", percent(m))).unwrap_or_default();
    (verdict.word().to_uppercase() + &within, what + &in_rows + &of_few(comparison) + &failed, verdict_role(verdict))
}

pub(crate) fn without_row(comparison: &Comparison) -> usize {
    let alone = comparison.only_base.len() + comparison.only_new.len();
    alone + comparison.not_measured.len() + comparison.skipped.len()
}

/// The ratios of too few processes, so that an obvious change does not go unmentioned.
fn of_few(comparison: &Comparison) -> String {
    let times: Vec<&ComparisonRow> = comparison.rows.iter().filter(|row| row.metric.is_none()).collect();
    let is_few = |row: &&ComparisonRow| row.verdict == Verdict::Unclear && row.minimum_effect.is_infinite();
    let ratios: Vec<f64> = times.iter().map(|row| row.ratio).filter(|ratio| ratio.is_finite()).collect();
    if comparison.design == Design::Interleaved || ratios.is_empty() || !times.iter().all(is_few) {
        return String::new();
    }
    let (least, most) = ends(&ratios);
    let (least, most) = (significant(least, 3), significant(most, 3));
    let shown = if least == most { format!("ratio {least}") } else { format!("ratios {least} to {most}") };
    format!(": {shown}, too few processes for a verdict")
}

/// The smallest change that gets a verdict: `5 %`, `5 % to 12 %` if rows differ, `3 % (1 % for metrics)` if metrics have another.
pub(crate) fn minimum_effect(comparison: &Comparison) -> Option<String> {
    let of_times = effects_of(comparison, |row| row.metric.is_none());
    let of_metrics = effects_of(comparison, |row| row.metric.is_some());
    match (of_times, of_metrics) {
        (Some(times), Some(metrics)) if times != metrics => Some(format!("{times} ({metrics} for metrics)")),
        (times, metrics) => times.or(metrics),
    }
}

fn effects_of(comparison: &Comparison, which: impl Fn(&ComparisonRow) -> bool) -> Option<String> {
    // `ln_1p` and its inverse leave noise in the last digits; effects derived from data have at most two significant digits.
    let text = |effect: f64| match comparison.design {
        Design::Interleaved => percent_set((effect * 1e6).round() / 1e6),
        _ => percent_set(significant(effect, 2).parse().unwrap_or(effect)),
    };
    let effects = || {
        // Any difference in an exact count is real.
        let rows = comparison.rows.iter().filter(|row| which(row) && !row.is_exact);
        rows.map(|row| row.minimum_effect).filter(|effect| effect.is_finite())
    };
    let least = text(effects().min_by(f64::total_cmp)?);
    if comparison.design == Design::Interleaved {
        return Some(least);
    }
    let most = text(effects().max_by(f64::total_cmp)?);
    Some(if least == most { least } else { format!("{least} to {most}") })
}

/// `slower 2 (1.05 … 1.31)`, one text per verdict that occurs; then failures and benchmarks of one side only.
pub(crate) fn counts(comparison: &Comparison, glyphs: Glyphs) -> Vec<(String, Role)> {
    let mut parts = Vec::new();
    for verdict in ORDER {
        let rows = || comparison.rows.iter().filter(|r| r.verdict == verdict);
        let ratios: Vec<f64> = rows().filter(|r| !r.has_no_ratio()).map(|r| r.ratio).collect();
        let count = rows().count();
        if count == 0 {
            continue;
        }
        let range = match verdict {
            Verdict::Slower | Verdict::Faster if !ratios.is_empty() => format!(" ({})", range(&ratios, glyphs)),
            _ => String::new(),
        };
        parts.push((format!("{} {count}{range}", verdict.word()), verdict_role(verdict)));
    }
    let others = [
        (comparison.benchmarks_failed(), "failed", Role::Error),
        (comparison.not_measured.len(), comparison.not_measured_word(), Role::Warning),
        (comparison.only_base.len(), "only in base", Role::Plain),
        (comparison.only_new.len(), "only in new", Role::Plain),
        (comparison.skipped.len(), "skipped", Role::Plain),
    ];
    parts.extend(others.into_iter().filter(|(n, ..)| *n > 0).map(|(n, word, role)| (format!("{word} {n}"), role)));
    parts
}

fn ends(ratios: &[f64]) -> (f64, f64) {
    ratios.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &r| (lo.min(r), hi.max(r)))
}

fn range(ratios: &[f64], glyphs: Glyphs) -> String {
    let (least, most) = ends(ratios);
    let (least, most) = (significant(least, 3), significant(most, 3));
    if least == most {
        least
    } else {
        format!("{least} {} {most}", glyphs.of("…"))
    }
}

pub(crate) fn design(comparison: &Comparison) -> Vec<String> {
    let launches = |side: usize| comparison.rows.iter().map(move |r| r.launches[side]);
    let most = launches(0).chain(launches(1)).max().unwrap_or(0);
    let least = launches(0).chain(launches(1)).min().unwrap_or(0);
    let mut parts = vec![match comparison.design {
        Design::Interleaved => "children of both sides interleaved".to_owned(),
        Design::SavedLaunches => "two saved sessions".to_owned(),
        Design::SavedIterations => "saved iterations of few processes".to_owned(),
        Design::SavedSummary => "saved summaries without individual values".to_owned(),
    }];
    if most > 0 && comparison.design != Design::SavedSummary {
        let range = if least == most { String::new() } else { format!("{least} to ") };
        parts.push(format!("{range}{} per side", plural(most, "launch")));
    }
    parts.extend(minimum_effect(comparison).map(|m| format!("minimum effect {m}")));
    if comparison.rows.len() > 1 {
        parts.extend(comparison.geometric_mean.map(|m| format!("geometric mean of the ratios {}", significant(m, 4))));
    }
    if comparison.elapsed_s > 0.0 {
        parts.push(elapsed(comparison.elapsed_s));
    }
    parts
}

/// The rows with a verdict, largest change first, at most `top`, and the number omitted.
pub(crate) fn rows_of(comparison: &Comparison, verdict: Verdict, top: Option<usize>) -> (Vec<&ComparisonRow>, usize) {
    let mut rows: Vec<&ComparisonRow> = comparison.rows.iter().filter(|r| r.verdict == verdict).collect();
    rows.sort_by(|a, b| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()).then_with(|| a.key.cmp(&b.key)));
    let left_out = rows.len().saturating_sub(top.unwrap_or(rows.len()));
    rows.truncate(rows.len() - left_out);
    (rows, left_out)
}

/// The name of a row, without a metric's unit that its cells show.
pub(crate) fn label(labels: &Labels, row: &ComparisonRow) -> String {
    let name = labels.of(row);
    let in_cells = |unit: &&str| row.metric.as_ref().is_some_and(|metric| metric.unit.ends_with(unit));
    let unit = [" ns", " B"].into_iter().find(in_cells).unwrap_or_default();
    clean(name.strip_suffix(unit).unwrap_or(&name))
}

pub(crate) fn remarks<'a>(comparison: &Comparison, rows: &[&'a ComparisonRow]) -> Vec<(&'a str, Vec<String>)> {
    let labels = comparison.labels();
    let found = alike(rows.iter().filter(|row| !row.remark.is_empty()), |row| &row.remark).into_iter();
    found.map(|of| (of[0].remark.as_str(), of.iter().map(|row| label(&labels, row)).collect())).collect()
}

/// `a`, `a and b`, `a, b and 3 more`.
pub(crate) fn some_of(labels: &[String]) -> String {
    const SHOWN: usize = 3;
    match labels {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if labels.len() <= SHOWN => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} more", labels[..SHOWN - 1].join(", "), labels.len() + 1 - SHOWN),
    }
}

/// One command that decides all unclear rows, for all benchmarks that are decided in the same way.
pub(crate) fn decide_with(comparison: &Comparison, rows: &[&ComparisonRow]) -> Option<String> {
    // If the revisions of saved data are unknown, the command is only a pattern, which cannot be typed.
    let exact = |how: &&Decide| !matches!(how, Decide::Interleaved { sides: None, .. });
    // A command's earlier state cannot be rebuilt; the finding says what decides it.
    let built = |row: &&&ComparisonRow| !row.is_command() || comparison.design == Design::Interleaved;
    let all = || rows.iter().filter(built).filter_map(|r| r.decide_with.as_ref());
    let first = all().find(exact)?.with_only(Vec::new());
    let alike = all().filter(|how| how.with_only(Vec::new()) == first);
    let mut only = each_once(alike.flat_map(Decide::only));
    if only.len() > LISTED_MAX {
        only.clear();
    }
    Some(again::decide(&comparison.request, &first.with_only(only)))
}

/// The same with the stored run, if there are too many benchmarks to list.
pub(crate) fn decide_shortly(comparison: &Comparison, rows: &[&ComparisonRow]) -> Option<String> {
    let again = |how: &Decide| match how {
        Decide::Again(again) => Some(again.clone()),
        Decide::Interleaved { .. } => None,
    };
    let all: Vec<Again> = rows.iter().filter_map(|row| again(row.decide_with.as_ref()?)).collect();
    again::shorter(&comparison.request, &Again::for_all(all.iter(), usize::MAX)?, &comparison.run)
}

/// Benchmarks that a comparison's screen advises to measure again: unclear ones, and those of findings.
pub fn undecided_of_comparison(comparison: &Comparison) -> Vec<String> {
    let unclear = comparison.rows.iter().filter(|row| row.verdict == Verdict::Unclear);
    let unclear = unclear.filter_map(|row| row.decide_with.as_ref()).flat_map(Decide::only);
    let advised = comparison.findings.iter().filter_map(|finding| finding.advice.again.as_ref());
    each_once(unclear.chain(advised.flat_map(|again| &again.only)))
}

/// `parse/json: slower:3%: ratio 1.051 [1.042, 1.061]`.
pub fn violation_text(violation: &Violation) -> String {
    let name = if violation.benchmark.is_empty() {
        String::new()
    } else {
        format!("{}: ", short(&clean(&violation.benchmark)))
    };
    format!("{name}{}: {}", clean(&violation.rule), clean(&violation.evidence))
}

pub(crate) fn side_text(side: &tare_analysis::Side) -> String {
    let detail = clean(&side.detail);
    if detail.is_empty() {
        clean(&side.name)
    } else {
        format!("{}  {detail}", clean(&side.name))
    }
}

/// A ratio without an interval has three digits; from nothing to something, or back, there is none.
pub(crate) fn ratio_text(row: &ComparisonRow) -> String {
    match &row.interval {
        _ if row.is_from_nothing() => "from 0".to_owned(),
        _ if row.is_to_nothing() => "to 0".to_owned(),
        Some(interval) => ratio(row.ratio, interval),
        None => significant(row.ratio, if row.ratio < 1.0 { 2 } else { 3 }),
    }
}
