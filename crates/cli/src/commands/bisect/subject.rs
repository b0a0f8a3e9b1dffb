//! A bisection as a subject of results, templates and pictures.

use super::outcome::{Compared, End, Outcome, TriedCommit};
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_analysis::{ComparisonRow, Verdict};
use tare_build::revision::Commit;
use tare_report::{
    clean, duration, paragraph, percent, ratio, shell_word, Axis, Cell, Chart, Content, CsvFields, Document, Dot,
    DotPlot, Entry, Fact, Filled, Glyphs, Line, List, Measure, Medium, Picture, Plot, Presentation, Role, Subject,
    SubjectKind, Table, Tone, Values, Volume,
};
use tare_stats::bisection::Distance;
use tare_stats::interval::Interval;

const LISTED: usize = 10;
/// If the culprit made less than this share of the whole change, more remains to be found.
const MOST: f64 = 0.8;

pub const KIND: SubjectKind =
    SubjectKind { name: "bisection", phrase: "a bisection", has_measurements: false, pictures: Some(&["svg"]) };

impl Subject for Outcome {
    fn kind(&self) -> &'static SubjectKind {
        &KIND
    }

    fn title(&self) -> String {
        format!("Tare: bisection from {} to {}", self.names[0], self.names[1])
    }

    fn document(&self, shown: &Presentation, reading: &Medium) -> Document {
        let (role, word, text) = headline(self);
        let mut document = Document::default();
        if reading.is_page {
            document.add([Content::Headline { verdict: Some((word, role)), text }]);
        } else {
            // The outcome is never cut.
            let view = tare_report::View { columns: reading.columns, ..shown.view };
            let mut lines = Vec::new();
            paragraph(Line::of(role, word).with(Role::Plain, "  "), &text, 2, &view, &mut lines);
            document.add([Content::Brief(lines)]);
            if reading.volume == Volume::Quiet {
                return document;
            }
        }
        if self.culprit().is_none() {
            document.add([candidates(self)]);
        }
        document.add([Content::Sheet(facts(self, reading.glyphs))]);
        document.add([Content::Table(table(self))]);
        document.add(notes(self).map(Content::Note));
        if !reading.is_page {
            document.add([Content::Next { run: None, command: Some(next(self)) }]);
        }
        document
    }

    fn page(&self, shown: &Presentation) -> Document {
        let mut document = self.document(shown, &Medium::page(Volume::Verbose, Glyphs::Unicode));
        document.add(self.dots().charts.into_iter().map(Content::chart));
        document
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        values.between(&self.names[0], &self.names[1]);
        (values.run, values.elapsed_s) = (&self.ends.run, self.elapsed_s);
        for tried in &self.tried {
            let ratio = tried.ratio().map(|(ratio, interval)| (ratio, Some(interval)));
            let reason = tried.reason.as_deref().unwrap_or_default();
            values.row(&self.commits[tried.commit].commit.short, tried.like(), ratio, reason);
        }
    }

    fn json(&self, _: &Presentation) -> String {
        Outcome::json(self)
    }

    fn csv(&self) -> String {
        CsvFields::csv(self.commits.iter().enumerate().map(|(place, found)| {
            let tried = self.tried.iter().find(|tried| tried.commit == place);
            let ratio = tried.and_then(|tried| tried.ratio());
            let mut fields = CsvFields::default();
            fields.put("benchmark", &self.name);
            fields.put("commit", &found.commit.id);
            fields.put("subject", &found.commit.subject);
            fields.put("author", &found.author.name);
            fields.put("date", &found.author.date);
            fields.number("probability", self.posterior.get(place).copied());
            fields.put("candidate", self.candidates().contains(&place));
            fields.put("like", tried.map_or("", TriedCommit::like));
            fields.number("ratio", ratio.map(|(ratio, _)| ratio));
            fields.interval("ratio", ratio.as_ref().map(|(_, interval)| interval));
            fields.put("reason", tried.and_then(|tried| tried.reason.as_deref()).unwrap_or_default());
            fields
        }))
    }

    fn about(&self) -> String {
        clean(&format!("{}: {} to {}", self.name, self.names[0], self.names[1]))
    }

    fn dots(&self) -> Picture {
        let dot = |tried: &TriedCommit| {
            let (value, interval) = tried.ratio()?;
            let commit = &self.commits[tried.commit].commit;
            let tone = match tried.like() {
                "bad" => Tone::Verdict(self.ends.row.verdict),
                _ => Tone::Base,
            };
            let label = clean(&format!("{} {}", commit.short, commit.subject));
            Some(Dot { label, value, interval: Some(interval), text: with_interval(value, &interval), tone })
        };
        let dots: Vec<Dot> = self.tried.iter().filter_map(dot).collect();
        let label = format!("ratio to {}", clean(&self.names[0]));
        let axis = Axis { label: label.clone(), measure: Measure::Ratio, is_log: true };
        let title = format!("{label} of each commit that was measured, with its 95 % interval");
        let reading = "from the oldest commit to the newest".to_owned();
        let plot = DotPlot { axis, groups: vec![(String::new(), dots)], reference: Some(1.0), band: None };
        let has_dots = plot.groups.iter().any(|(_, dots)| !dots.is_empty());
        let chart = has_dots.then_some(Chart { title, reading, plot: Plot::Dots(plot) });
        let why = Some("nothing to draw: no commit between the ends was measured");
        Picture { title: "bisection", charts: chart.into_iter().collect(), why }
    }

    /// The exit code of a bisection says whether it found a commit; gates do not apply.
    fn judge(&self, _: &Gate, _: Fits) -> Judgement {
        Judgement::default()
    }

    fn what_decides(&self) -> &'static str {
        "measure longer: `tare bisect GOOD BAD --long`"
    }
}

fn headline(outcome: &Outcome) -> (Role, String, String) {
    let verdict = outcome.ends.row.verdict;
    let word = verdict.word();
    let candidates = outcome.candidates().len();
    let culprit = outcome.culprit().map(|place| outcome.commits[place].commit.short.as_str());
    let (lead, text) = match (&outcome.end, culprit) {
        (End::Found(_), Some(culprit)) if outcome.is_confirmed() => (word, format!("since {culprit}")),
        (End::Found(_), None) if outcome.is_confirmed() => {
            ("undecided", format!("{word} since one of {candidates} commits that cannot be told apart"))
        }
        (End::Found(_), Some(culprit)) => {
            let base = outcome.against_parent.as_ref().filter(|compared| !compared.of_parent);
            let base = base.map_or_else(|| "its parent".to_owned(), |compared| clean(&compared.base));
            ("unclear", format!("{word} since {culprit}, but the comparison with {base} does not confirm it"))
        }
        (End::Found(_), None) => {
            ("unclear", format!("{word} since one of {candidates} commits, but a comparison does not confirm it"))
        }
        (End::Unclear(_), _) => ("unclear", format!("{word} since one of {candidates} commits")),
        (End::Stopped(_), _) => {
            ("unclear", format!("stopped early; {word} most likely since one of {candidates} commits"))
        }
    };
    let role = if lead == word { of_verdict(verdict) } else { Role::Warning };
    (role, lead.to_uppercase(), format!("{}: {text}", clean(&outcome.name)))
}

fn of_verdict(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Slower => Role::Bad,
        Verdict::Faster => Role::Good,
        Verdict::Same => Role::Plain,
        Verdict::Unclear => Role::Warning,
    }
}

fn candidates(outcome: &Outcome) -> Content {
    let entry = |place: &usize| {
        let commit = &outcome.commits[*place].commit;
        let text = format!("{:>7}  {}  {}", percent(outcome.posterior[*place]), commit.short, clean(&commit.subject));
        Entry { text, ..Entry::default() }
    };
    let all = outcome.candidates();
    let hidden = all.len().saturating_sub(LISTED);
    let entries = all.iter().take(LISTED).map(entry).collect();
    Content::List(List { title: "candidates".to_owned(), count: None, entries, hidden, command: "--json".to_owned() })
}

fn facts(outcome: &Outcome, glyphs: Glyphs) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |label: &str, text: String| {
        facts.push(Fact::Items { label: label.to_owned(), items: vec![text], separator: ", " });
    };
    if let Some(found) = outcome.culprit().map(|culprit| &outcome.commits[culprit]) {
        add("subject", clean(&found.commit.subject));
        add("author", clean(&found.author.name));
        let minute: String = found.author.date.chars().take(16).collect();
        add("date", clean(&minute.replace('T', " ")));
        add("commit", found.commit.id.clone());
    }
    if let Some(compared) = &outcome.against_parent {
        let name = if compared.of_parent { "parent" } else { "base" };
        add(name, verdict_of(&compared.row, &compared.base, glyphs));
    }
    if let Some(trouble) = &outcome.trouble {
        add("parent", format!("not compared: {}", clean(trouble)));
    }
    let bad = clean(&outcome.names[1]);
    add("ends", format!("{bad} is {}", verdict_of(&outcome.ends.row, &outcome.names[0], glyphs)));
    let measured = outcome.tried.iter().filter(|tried| !tried.runs.is_empty()).count();
    let mut text = format!("{measured} of {} commits between the ends measured", outcome.commits.len() - 1);
    if outcome.tried.len() > measured {
        text.push_str(&format!(", {} left out", outcome.tried.len() - measured));
    }
    if matches!(outcome.end, End::Found(_)) {
        let sure: f64 = outcome.candidates().iter().map(|&place| outcome.posterior[place]).sum();
        // A probability is never shown as certain.
        let sure = if sure > 0.9995 { "over 99.9 %".to_owned() } else { format!("{:.1} %", sure * 100.0) };
        text.push_str(&format!("; probability {sure}"));
    }
    text.push_str(&format!("; {}", duration(outcome.elapsed_s * 1e9, glyphs)));
    add("evidence", text);
    facts
}

/// `slower than v1: ratio 1.61 [1.60, 1.62], 24.1 ns → 38.8 ns`.
pub fn verdict_of(row: &ComparisonRow, base: &str, glyphs: Glyphs) -> String {
    let times = match (row.base_ns, row.new_ns) {
        (Some(base), Some(new)) => glyphs.of(&format!(", {} → {}", duration(base, glyphs), duration(new, glyphs))),
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

fn with_interval(value: f64, interval: &Interval) -> String {
    format!("{} [{}, {}]", ratio(value, interval), ratio(interval.lower, interval), ratio(interval.upper, interval))
}

pub fn of_level(level: &Distance) -> String {
    level.ratio_interval().map(|interval| with_interval(level.ratio(), &interval)).unwrap_or_default()
}

fn table(outcome: &Outcome) -> Table {
    let candidate = |place: usize| if outcome.candidates().contains(&place) { "candidate" } else { "" };
    let [good, bad] = outcome.names.each_ref().map(|name| clean(name));
    let row = |commit: &Commit, [ratio, like, candidate]: [String; 3], text: &str, role: Role| {
        (
            commit.short.clone(),
            [Cell::text(ratio), Cell::styled(like, role), Cell::text(candidate), Cell::text(clean(text))],
        )
    };
    let mut rows =
        vec![row(&outcome.good, ["1".to_owned(), good.clone(), String::new()], &outcome.good.subject, Role::Plain)];
    let of_bad = of_verdict(outcome.ends.row.verdict);
    for tried in &outcome.tried {
        let found = &outcome.commits[tried.commit].commit;
        let (like, role) = match tried.like() {
            "bad" => (bad.clone(), of_bad),
            "good" => (good.clone(), Role::Plain),
            "unclear" => ("unclear".to_owned(), Role::Warning),
            _ => ("left out".to_owned(), Role::Plain),
        };
        let ratio = tried.ratio().map_or_else(String::new, |(ratio, interval)| with_interval(ratio, &interval));
        let text = tried.reason.as_ref().filter(|_| tried.runs.is_empty()).unwrap_or(&found.subject);
        rows.push(row(found, [ratio, like, candidate(tried.commit).to_owned()], text, role));
    }
    if let Some((last, commits)) = outcome.commits.split_last() {
        let ratio = outcome.ends.row.interval.map(|interval| with_interval(outcome.ends.row.ratio, &interval));
        let cells = [ratio.unwrap_or_default(), bad, candidate(commits.len()).to_owned()];
        rows.push(row(&last.commit, cells, &last.commit.subject, of_bad));
    }
    let titles = [format!("ratio to {good}"), "like".into(), "candidate".into(), "subject".into()];
    let column =
        |(at, title): (usize, String)| Filled::left(title, at as u8, rows.iter().map(|(_, cells)| cells[at].clone()));
    let columns = titles.into_iter().enumerate().map(column).collect();
    Table::of("commit", rows.iter().map(|(commit, _)| commit.clone()), columns).with_full_names()
}

fn notes(outcome: &Outcome) -> Option<String> {
    let name = shell_word(&outcome.name);
    let [good, bad] = outcome.names.each_ref().map(|name| shell_word(name));
    let bisect = |good: &str, bad: &str| clean(&format!("`tare bisect {good} {bad} --filter {name}`"));
    match (&outcome.end, outcome.culprit(), outcome.share()) {
        (End::Found(_), Some(culprit), Some(share)) if outcome.is_confirmed() && share < MOST => {
            let commit = &outcome.commits[culprit].commit.short;
            Some(format!(
                "hint: it made {} of the whole change; to find the rest: {} and {}",
                percent(share),
                bisect(&good, &format!("{commit}^")),
                bisect(commit, &bad)
            ))
        }
        (End::Found(_), _, _) if outcome.is_confirmed() => None,
        // The next command already shows it.
        (End::Stopped(_), _, _) => None,
        _ => Some(format!(
            "hint: the change may be made of several small ones; measure longer: {}",
            bisect(&good, &format!("{bad} --long"))
        )),
    }
}

fn next(outcome: &Outcome) -> String {
    match (&outcome.end, &outcome.against_parent) {
        (End::Stopped(_), _) => format!("tare bisect --resume {}", outcome.ends.run),
        (_, Some(Compared { run, .. })) => format!("tare show {run} -v"),
        (_, None) => format!("tare show {} -v", outcome.ends.run),
    }
}
