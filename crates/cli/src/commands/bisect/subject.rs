//! A bisection as a subject: what every form of results, template and picture shows of it.

use super::outcome::{Like, Outcome};
use super::screen;
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_report::{
    clean, paragraph, Axis, Cell, Chart, Content, CsvFields, Document, Dot, DotPlot, Entry, Fact, Filled, Line, List,
    Measure, Medium, Picture, Plot, Presentation, Role, Subject, SubjectKind, Table, Tone, Values, Volume,
};

/// What forms a bisection has.
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
        let (role, word, text) = screen::headline(self);
        let mut document = Document::default();
        if reading.is_page {
            document.add([Content::Headline { verdict: Some((word, role)), text }]);
            document.add([Content::Sheet(screen::facts(self, reading.glyphs).into_iter().map(fact).collect())]);
            document.add([Content::Table(table(self)), notes(self)]);
            return document;
        }
        let view = tare_report::View { columns: reading.columns, ..shown.view };
        // What came of it is never cut.
        let mut lines = Vec::new();
        paragraph(Line::of(role, word).with(Role::Plain, "  "), &text, 2, &view, &mut lines);
        document.add([Content::Brief(lines)]);
        if reading.volume != Volume::Quiet {
            document.add([Content::Brief(screen::lines(self, &view))]);
            document.add([Content::Next { run: None, command: Some(screen::next(self)) }]);
        }
        document
    }

    fn page(&self, shown: &Presentation) -> Document {
        let mut document = self.document(shown, &Medium::page(Volume::Verbose, tare_report::Glyphs::Unicode));
        document.add(self.dots().charts.into_iter().map(Content::chart));
        document
    }

    /// A row for each commit that was tried.
    fn values<'a>(&'a self, values: &mut Values<'a>) {
        values.between(&self.names[0], &self.names[1]);
        (values.run, values.elapsed_s) = (&self.ends.run, self.elapsed_s);
        for tried in &self.tried {
            let ratio = tried.ratio().map(|(ratio, interval)| (ratio, Some(interval)));
            let reason = tried.reason.as_deref().unwrap_or_default();
            values.row(&self.commits[tried.commit].commit.short, word(tried.like()), ratio, reason);
        }
    }

    fn json(&self, _: &Presentation) -> String {
        Outcome::json(self)
    }

    /// A row for each commit between the ends.
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
            fields.put("like", tried.map_or("", |tried| word(tried.like())));
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
        let dot = |tried: &super::outcome::TriedCommit| {
            let (value, interval) = tried.ratio()?;
            let commit = &self.commits[tried.commit].commit;
            let tone = match tried.like() {
                Like::Bad => Tone::Verdict(self.ends.row.verdict),
                _ => Tone::Base,
            };
            let label = clean(&format!("{} {}", commit.short, commit.subject));
            Some(Dot { label, value, interval: Some(interval), text: screen::with_interval(value, &interval), tone })
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

    /// A bisection is asked for a commit, and its exit code says whether it was found.
    fn judge(&self, _: &Gate, _: Fits) -> Judgement {
        Judgement::default()
    }

    fn what_decides(&self) -> &'static str {
        "measure longer: `tare bisect GOOD BAD --long`"
    }
}

fn word(like: Like) -> &'static str {
    match like {
        Like::Good => "good",
        Like::Bad => "bad",
        Like::Unclear => "unclear",
        Like::NotMeasured => "",
    }
}

fn fact((label, text): (&'static str, String)) -> Fact {
    Fact::Items { label: label.to_owned(), items: vec![text], separator: ", " }
}

fn notes(outcome: &Outcome) -> Content {
    let entries = screen::notes(outcome).into_iter().map(|text| Entry { text, ..Entry::default() });
    List::whole("hints", entries.collect())
}

/// The table of the screen, for pages.
fn table(outcome: &Outcome) -> Table {
    let rows = screen::rows(outcome);
    let candidate = |row: &screen::Row| Cell::text(if row.mark == ">" { "candidate" } else { "" });
    let ratio = format!("ratio to {}", clean(&outcome.names[0]));
    let columns = vec![
        Filled::left(ratio, 0, rows.iter().map(|row| Cell::text(&row.ratio))),
        Filled::left("like", 1, rows.iter().map(|row| Cell::styled(&row.like, row.role))),
        Filled::left("candidate", 2, rows.iter().map(candidate)),
        Filled::left("subject", 3, rows.iter().map(|row| Cell::text(&row.text))),
    ];
    Table::of("commit", rows.iter().map(|row| row.commit.clone()), columns).with_full_names()
}
