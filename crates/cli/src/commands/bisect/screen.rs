//! A bisection as lines of a terminal.

use super::outcome::{Compared, End, Like, Outcome, TriedCommit};
use tare_analysis::{ComparisonRow, Contrast, Verdict};
use tare_report::{clean, cut_end, duration, paragraph, percent, ratio, shell_word, width, Glyphs, Line, Role, View};
use tare_stats::bisection::Distance;
use tare_stats::interval::Interval;

/// Candidates that are listed.
const LISTED: usize = 10;
/// A culprit that made less than this share of the whole change leaves something to be found.
const MOST: f64 = 0.8;

/// The screen without its headline and its next command.
pub fn lines(outcome: &Outcome, view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    if outcome.culprit().is_none() {
        of_candidates(outcome, view, &mut lines);
    }
    for (name, text) in facts(outcome, view.glyphs) {
        let start = Line::of(Role::Quiet, format!("  {name:<width$}", width = LABEL - 2));
        match name {
            "commit" => lines.push(start.with(Role::Command, text)),
            _ => paragraph(start, &text, LABEL, view, &mut lines),
        }
    }
    lines.push(Line::new());
    lines.extend(table(outcome, view));
    let notes = notes(outcome);
    if !notes.is_empty() {
        lines.push(Line::new());
    }
    for note in notes {
        paragraph(Line::of(Role::Hint, "hint: "), &note, 6, view, &mut lines);
    }
    lines
}

/// What came of it: a word, and the rest of the line.
pub fn headline(outcome: &Outcome) -> (Role, String, String) {
    let verdict = outcome.ends.row.verdict;
    let name = clean(&outcome.name);
    let word = verdict.word();
    let candidates = outcome.candidates().len();
    let short = |place: usize| outcome.commits[place].commit.short.clone();
    let (role, lead, text) = match (&outcome.end, outcome.culprit()) {
        (End::Found(_), Some(culprit)) if outcome.is_confirmed() => {
            (of_verdict(verdict), word, format!("since {}", short(culprit)))
        }
        (End::Found(_), None) if outcome.is_confirmed() => {
            (Role::Warning, "undecided", format!("{word} since one of {candidates} commits that cannot be told apart"))
        }
        (End::Found(_), Some(culprit)) => (
            Role::Warning,
            "unclear",
            format!("{word} since {}, but the comparison with {} does not confirm it", short(culprit), base(outcome)),
        ),
        (End::Found(_), None) => (
            Role::Warning,
            "unclear",
            format!("{word} since one of {candidates} commits, but a comparison does not confirm it"),
        ),
        (End::Unclear(_), _) => (Role::Warning, "unclear", format!("{word} since one of {candidates} commits")),
        (End::Stopped(_), _) => {
            (Role::Warning, "unclear", format!("stopped early; {word} most likely since one of {candidates} commits"))
        }
    };
    (role, lead.to_uppercase(), format!("{name}: {text}"))
}

/// What the culprit was compared with.
fn base(outcome: &Outcome) -> String {
    match &outcome.against_parent {
        Some(compared) if !compared.of_parent => clean(&compared.base),
        _ => "its parent".to_owned(),
    }
}

pub fn of_verdict(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Slower => Role::Bad,
        Verdict::Faster => Role::Good,
        Verdict::Same => Role::Plain,
        Verdict::Unclear => Role::Warning,
    }
}

/// The commits among which it is.
fn of_candidates(outcome: &Outcome, view: &View, lines: &mut Vec<Line>) {
    let candidates = outcome.candidates();
    for &place in candidates.iter().take(LISTED) {
        let found = &outcome.commits[place];
        let probability = percent(outcome.posterior[place]);
        let line = Line::of(Role::Plain, format!("  {probability:>7}  "))
            .with(Role::Command, found.commit.short.clone())
            .with(Role::Plain, format!("  {}", clean(&found.commit.subject)));
        lines.push(line.fit(view.columns, view.glyphs));
    }
    if candidates.len() > LISTED {
        lines.push(Line::of(Role::Quiet, format!("  {} more: `--json`", candidates.len() - LISTED)));
    }
}

/// Columns of a label.
const LABEL: usize = 12;

/// `2026-11-20 22:17`.
fn day(date: &str) -> String {
    clean(&date.chars().take(16).collect::<String>().replace('T', " "))
}

/// The culprit, what it was compared with, both ends, and how sure it is.
pub fn facts(outcome: &Outcome, glyphs: Glyphs) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(found) = outcome.culprit().map(|culprit| &outcome.commits[culprit]) {
        facts.push(("subject", clean(&found.commit.subject)));
        facts.push(("author", clean(&found.author.name)));
        facts.push(("date", day(&found.author.date)));
        facts.push(("commit", found.commit.id.clone()));
    }
    if let Some(compared) = &outcome.against_parent {
        let name = if compared.of_parent { "parent" } else { "base" };
        facts.push((name, verdict_of(&compared.row, &compared.base, glyphs)));
    }
    if let Some(trouble) = &outcome.trouble {
        facts.push(("parent", format!("not compared: {}", clean(trouble))));
    }
    let bad = clean(&outcome.names[1]);
    facts.push(("ends", format!("{bad} is {}", verdict_of(&outcome.ends.row, &outcome.names[0], glyphs))));
    let measured = outcome.tried.iter().filter(|tried| !tried.runs.is_empty()).count();
    let left_out = outcome.tried.len() - measured;
    let sure: f64 = outcome.candidates().iter().map(|&place| outcome.posterior[place]).sum();
    let mut text = format!("{} of {} commits between the ends measured", measured, outcome.commits.len() - 1);
    if left_out > 0 {
        text.push_str(&format!(", {left_out} left out"));
    }
    if matches!(outcome.end, End::Found(_)) {
        text.push_str(&format!("; probability {}", sureness(sure)));
    }
    text.push_str(&format!("; {}", duration(outcome.elapsed_s * 1e9, glyphs)));
    facts.push(("evidence", text));
    facts
}

/// A probability is never shown as certain.
fn sureness(share: f64) -> String {
    match share {
        s if s > 0.9995 => "over 99.9 %".to_owned(),
        s => format!("{:.1} %", s * 100.0),
    }
}

/// `slower than v1: ratio 1.61 [1.60, 1.62], 24.1 ns → 38.8 ns`.
pub fn verdict_of(row: &ComparisonRow, base: &str, glyphs: Glyphs) -> String {
    let times = match (row.base_ns, row.new_ns) {
        (Some(base), Some(new)) => {
            let arrow = if glyphs == Glyphs::Ascii { "->" } else { "→" };
            format!(", {} {arrow} {}", duration(base, glyphs), duration(new, glyphs))
        }
        _ => String::new(),
    };
    let than = match row.verdict {
        Verdict::Slower | Verdict::Faster => format!("{} than", row.verdict.word()),
        Verdict::Same => "the same as".to_owned(),
        Verdict::Unclear => "unclear against".to_owned(),
    };
    format!("{than} {}: {}{times}", clean(base), ratio_of(row))
}

/// `ratio 1.61 [1.60, 1.62]`.
pub fn ratio_of(row: &ComparisonRow) -> String {
    match &row.interval {
        Some(interval) => format!("ratio {}", with_interval(row.ratio, interval)),
        None => format!("ratio {:.3}", row.ratio),
    }
}

pub fn with_interval(value: f64, interval: &Interval) -> String {
    format!("{} [{}, {}]", ratio(value, interval), ratio(interval.lower, interval), ratio(interval.upper, interval))
}

/// What a measurement of a commit said, for the progress.
pub fn measured(contrast: &Contrast, towards: Distance, names: &[String; 2], glyphs: Glyphs) -> String {
    let bad = Some(towards.bad());
    let like = TriedCommit { commit: 0, levels: Vec::new(), runs: Vec::new(), bad, reason: None, passing: false };
    let ratio = contrast.level.ratio_interval().map(|interval| with_interval(contrast.level.ratio(), &interval));
    glyphs.of(&format!("ratio to {} {}: {}", names[0], ratio.unwrap_or_default(), like_text(like.like(), names)))
}

fn like_text(like: Like, names: &[String; 2]) -> String {
    match like {
        Like::Good => format!("like {}", clean(&names[0])),
        Like::Bad => format!("like {}", clean(&names[1])),
        Like::Unclear => "unclear".to_owned(),
        Like::NotMeasured => "left out".to_owned(),
    }
}

/// A row of the table.
pub struct Row {
    pub mark: &'static str,
    pub commit: String,
    pub ratio: String,
    pub like: String,
    pub role: Role,
    pub text: String,
}

/// What was measured, from the old end to the new.
pub fn rows(outcome: &Outcome) -> Vec<Row> {
    let names = &outcome.names;
    let mut rows = vec![Row {
        mark: " ",
        commit: outcome.good.short.clone(),
        ratio: "1".to_owned(),
        like: clean(&names[0]),
        role: Role::Plain,
        text: clean(&outcome.good.subject),
    }];
    rows.extend(outcome.tried.iter().map(|tried| row(outcome, tried)));
    let last = outcome.commits.len() - 1;
    rows.push(Row {
        mark: mark(outcome, last),
        commit: outcome.commits[last].commit.short.clone(),
        ratio: outcome.ends.row.interval.map_or_else(String::new, |i| with_interval(outcome.ends.row.ratio, &i)),
        like: clean(&names[1]),
        role: of_verdict(outcome.ends.row.verdict),
        text: clean(&outcome.commits[last].commit.subject),
    });
    rows
}

fn table(outcome: &Outcome, view: &View) -> Vec<Line> {
    let rows = rows(outcome);
    let of_ratio = format!("ratio to {}", clean(&outcome.names[0]));
    let widest =
        |title: &str, of: &dyn Fn(&Row) -> &str| rows.iter().map(|row| width(of(row))).fold(width(title), usize::max);
    let commit = widest("commit", &|row| &row.commit);
    let ratio = widest(&of_ratio, &|row| &row.ratio);
    let like = widest("like", &|row| &row.like);
    let mut lines = Vec::new();
    let mut title = Line::of(Role::Quiet, "  commit");
    for (text, at) in
        [(of_ratio.as_str(), commit + 4), ("like", commit + ratio + 6), ("subject", commit + ratio + like + 8)]
    {
        title.pad_to(at);
        title.push(Role::Quiet, text);
    }
    lines.push(title.fit(view.columns, view.glyphs));
    for row in rows {
        let mut line = Line::of(Role::Warning, format!("{} ", row.mark)).with(Role::Command, row.commit);
        line.pad_to(commit + 4);
        line.push(Role::Plain, row.ratio);
        line.pad_to(commit + ratio + 6);
        line.push(row.role, row.like);
        line.pad_to(commit + ratio + like + 8);
        let room = view.columns.saturating_sub(line.width());
        line.push(Role::Plain, cut_end(&row.text, room, view.glyphs));
        lines.push(line.fit(view.columns, view.glyphs));
    }
    lines
}

fn mark(outcome: &Outcome, place: usize) -> &'static str {
    if outcome.candidates().contains(&place) {
        ">"
    } else {
        " "
    }
}

fn row(outcome: &Outcome, tried: &TriedCommit) -> Row {
    let like = tried.like();
    let found = &outcome.commits[tried.commit];
    Row {
        mark: mark(outcome, tried.commit),
        commit: found.commit.short.clone(),
        ratio: tried.ratio().map_or_else(String::new, |(ratio, interval)| with_interval(ratio, &interval)),
        like: like_text(like, &outcome.names).trim_start_matches("like ").to_owned(),
        role: match like {
            Like::Bad => of_verdict(outcome.ends.row.verdict),
            Like::Unclear => Role::Warning,
            Like::Good | Like::NotMeasured => Role::Plain,
        },
        text: match (&tried.reason, tried.runs.is_empty()) {
            (Some(reason), true) => clean(reason),
            _ => clean(&found.commit.subject),
        },
    }
}

/// What is left to find, and how.
pub fn notes(outcome: &Outcome) -> Vec<String> {
    let name = shell_word(&outcome.name);
    let [good, bad] = outcome.names.each_ref().map(|name| shell_word(name));
    let bisect = |good: &str, bad: &str| clean(&format!("`tare bisect {good} {bad} --filter {name}`"));
    match (&outcome.end, outcome.culprit(), outcome.share()) {
        (End::Found(_), Some(culprit), Some(share)) if outcome.is_confirmed() && share < MOST => {
            let commit = &outcome.commits[culprit].commit.short;
            vec![format!(
                "it made {} of the whole change; to find the rest: {} and {}",
                percent(share),
                bisect(&good, &format!("{commit}^")),
                bisect(commit, &bad)
            )]
        }
        (End::Found(_), _, _) if outcome.is_confirmed() => Vec::new(),
        // The next command says it.
        (End::Stopped(_), _, _) => Vec::new(),
        _ => vec![format!(
            "the change may be made of several small ones; measure longer: {}",
            bisect(&good, &format!("{bad} --long"))
        )],
    }
}

/// What to type now.
pub fn next(outcome: &Outcome) -> String {
    match (&outcome.end, &outcome.against_parent) {
        (End::Stopped(_), _) => format!("tare bisect --resume {}", outcome.ends.run),
        (_, Some(Compared { run, .. })) => format!("tare show {run} -v"),
        (_, None) => format!("tare show {} -v", outcome.ends.run),
    }
}
