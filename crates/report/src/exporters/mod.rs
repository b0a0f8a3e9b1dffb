//! The forms of a result: one file each. A further exporter is a further file, its `mod` and its entry in [`EXPORTERS`]; `--format`,
//! the flags of `tare show`, the extensions of `-o`, their help and the tables in `docs/reference` follow from it. A form that
//! people read renders [`Shown::document`], whatever the subject; one for programs renders the subject's numbers.

mod asciidoc;
mod csv;
mod foreign;
mod html;
mod jira;
mod json;
mod markdown;
mod measurements;
mod pictures;
mod stack_overflow;
mod table;
mod wiki;

pub use html::html;
pub use markdown::markdown;
pub(crate) use pictures::rendered as picture_of;
pub use table::screen;

use crate::attachments::{Attached, Files};
use crate::comparison::Compared;
use crate::{Document, Kept, Line, Reading, View};
use std::fmt;
use tare_analysis::gate::Judgement;
use tare_analysis::{compare_run, is_comparison, Comparison, Matrix, Report};
use tare_model::{ExitCode, Run};

/// All exporters, the default first.
pub const EXPORTERS: &[&Exporter] = &[
    &table::TABLE,
    &markdown::MARKDOWN,
    &html::HTML,
    &csv::CSV,
    &json::JSON,
    &measurements::MEASUREMENTS,
    &pictures::DOTS,
    &pictures::BARS,
    &pictures::BOXES,
    &pictures::DENSITY,
    &pictures::STRIP,
    &pictures::MEAN,
    &pictures::TIMELINE,
    &pictures::SCALING,
    &stack_overflow::STACK_OVERFLOW,
    &jira::JIRA,
    &asciidoc::ASCIIDOC,
    &foreign::junit::JUNIT,
    &foreign::github_action::GITHUB_ACTION,
    &foreign::openmetrics::OPENMETRICS,
    &foreign::google_benchmark::GOOGLE_BENCHMARK,
    &foreign::go::GO,
    &foreign::pyperf::PYPERF,
    &foreign::hyperfine::HYPERFINE,
    &foreign::benchmarkdotnet::FULL,
    &foreign::benchmarkdotnet::BRIEF,
    &foreign::benchmarkdotnet_xml::FULL,
    &foreign::benchmarkdotnet_xml::BRIEF,
];

/// The end of the name of a file that is compressed.
pub const GZIP: &str = ".gz";

/// Renders a result in a format.
pub struct Exporter {
    /// `md`: the word for `--format`, and the flag of `tare show`.
    pub name: &'static str,
    /// `.md`: how the names of its files end. Of two that fit, the longer counts.
    pub extension: &'static str,
    /// What it renders, in a line for the help.
    pub about: &'static str,
    /// The same for the reference, as a cell of a Markdown table.
    pub details: &'static str,
    /// Version of its form, for the reference; empty for a form that people read.
    pub schema: &'static str,
    /// Who reads it, for the reference.
    pub readers: &'static str,
    /// The summary of a command names it; the help names all.
    pub common: bool,
    /// It renders the measurements of a run, which saved data of other tools has not.
    pub needs_run: bool,
    /// The result in this form.
    pub render: for<'a> fn(&'a Shown<'a>) -> Rendered<'a>,
    /// Why there is no result, in this form.
    pub render_failure: fn(&NoResult) -> String,
}

impl fmt::Debug for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Exporter {
    fn eq(&self, other: &Exporter) -> bool {
        self.name == other.name
    }
}

impl Eq for Exporter {}

impl Exporter {
    /// The exporter of a name.
    pub fn of_name(name: &str) -> Option<&'static Exporter> {
        EXPORTERS.iter().copied().find(|exporter| exporter.name == name)
    }

    /// The exporter for a file, by the end of its name; `.gz` behind it is left out.
    pub fn of_file(name: &str) -> Option<&'static Exporter> {
        let name = name.strip_suffix(GZIP).unwrap_or(name);
        let fits = |exporter: &&&Exporter| {
            // `measurements.csv` alone says it too, and `md` is no more than a name.
            let bare = exporter.extension.trim_start_matches('.');
            name.ends_with(exporter.extension) || (name == bare && bare.contains('.'))
        };
        EXPORTERS.iter().filter(fits).max_by_key(|exporter| exporter.extension.len()).copied()
    }

    /// The exporter for a file where a form was named too: the named one, unless the end of the file's name says that it is another. `a.json` is
    /// of any form of JSON, and `a.log` of any form.
    pub fn of_file_and_name(name: &str, named: Option<&'static Exporter>) -> Option<&'static Exporter> {
        let bare = name.strip_suffix(GZIP).unwrap_or(name);
        let may_be = |of: &Exporter| match Exporter::of_file(name) {
            Some(other) => of.extension.ends_with(other.extension),
            None => bare.rsplit_once('.').is_some_and(|(_, last)| {
                let is_its = |exporter: &Exporter| exporter.extension.rsplit('.').next() == Some(last);
                is_its(of) || !EXPORTERS.iter().any(|exporter| is_its(exporter))
            }),
        };
        named.filter(|of| may_be(of)).or_else(|| Exporter::of_file(name))
    }
}

/// A result in a format.
pub enum Rendered<'a> {
    /// Lines with roles, which a terminal colours.
    Lines(Vec<Line>),
    /// Text whose bytes stay as they are.
    Text(String),
    /// A picture that could show nothing, and says so.
    Nothing {
        /// The picture.
        text: String,
        /// Why: `nothing to draw: ...`.
        why: &'static str,
    },
    /// Text made piece by piece, where all of it would be too much at once.
    Pieces(Box<dyn Iterator<Item = String> + 'a>),
}

/// What is shown.
pub enum Subject<'a> {
    /// A run of cases.
    Run(&'a Run, &'a Report),
    /// A comparison, with its run if there is one.
    Comparison(Box<Comparison>, Option<(&'a Run, &'a Report)>),
    /// Several machines, their comparisons, and those that lack a side, and which.
    Matrix(&'a Matrix, &'a [(String, Comparison)], Vec<(String, &'static str)>),
}

impl<'a> Subject<'a> {
    /// A run, as the comparison that it may be.
    pub fn of_run(run: &'a Run, report: &'a Report) -> Subject<'a> {
        if is_comparison(run) {
            Subject::Comparison(Box::new(compare_run(run, report)), Some((run, report)))
        } else {
            Subject::Run(run, report)
        }
    }

    /// The run with its raw measurements, if there is one.
    pub fn run(&self) -> Option<&'a Run> {
        match self {
            Subject::Run(run, _) | Subject::Comparison(_, Some((run, _))) => Some(run),
            _ => None,
        }
    }

    /// The report of that run.
    pub(crate) fn report(&self) -> Option<&'a Report> {
        match self {
            Subject::Run(_, report) | Subject::Comparison(_, Some((_, report))) => Some(report),
            _ => None,
        }
    }
}

/// A subject with how it is shown and what the gate says of it: what an exporter renders.
pub struct Shown<'a> {
    /// What.
    pub subject: Subject<'a>,
    /// Characters, columns and volume, for the forms that have them.
    pub view: View,
    /// How many rows with the largest changes are shown for each verdict; None: all.
    pub top: Option<usize>,
    /// There is a history of its benchmarks.
    pub has_history: bool,
    /// Characters of Markdown at most; None: as many as it takes.
    pub md_limit: Option<usize>,
    /// What the gate says, if there is one.
    pub judgement: Option<Judgement>,
    /// The files that belong to the run, as they were found.
    pub attached: Attached,
}

impl Shown<'_> {
    /// All that is said of it, for a form that people read.
    pub fn document(&self, reading: &Reading) -> Document {
        let mut document = match &self.subject {
            Subject::Run(_, report) => Document::of_run(report, self.judgement.as_ref(), reading),
            Subject::Comparison(c, run) => Document::of_comparison(&self.compared(c, run), reading),
            Subject::Matrix(matrix, ..) => Document::of_matrix(matrix, self.judgement.as_ref(), reading),
        };
        // A page draws more, and so it does itself.
        if reading.is_verbose() && !reading.is_page {
            match &self.subject {
                Subject::Run(run, report) => document.draw_cases(report, &tare_analysis::traces(run)),
                Subject::Comparison(c, Some((run, report))) => {
                    document.draw_pairs(c, report, &tare_analysis::traces(run));
                }
                _ => {}
            }
        }
        if !reading.is_quiet() {
            self.add_files(&mut document, reading, false);
        }
        document
    }

    fn add_files(&self, document: &mut Document, reading: &Reading, draws: bool) {
        if let Some(report) = self.subject.report() {
            Files { report, attached: &self.attached }.add_to(document, reading, draws);
        }
    }

    /// Everything that is known of it with its charts, for a page that draws.
    pub(crate) fn page(&self) -> Document {
        let traces = self.subject.run().map(tare_analysis::traces).unwrap_or_default();
        let kept = Kept { in_store: self.view.saved, in_history: self.has_history };
        let reading = Reading::page(crate::Volume::Verbose, crate::Glyphs::Unicode);
        let mut document = match &self.subject {
            Subject::Run(_, report) => Document::page_of_run(report, &traces, self.judgement.as_ref(), kept),
            Subject::Comparison(c, run) => Document::page_of_comparison(&self.compared(c, run), &traces, kept),
            Subject::Matrix(matrix, ..) => Document::of_matrix(matrix, self.judgement.as_ref(), &reading),
        };
        self.add_files(&mut document, &reading, true);
        document
    }

    fn compared<'b>(&'b self, comparison: &'b Comparison, run: &Option<(&Run, &'b Report)>) -> Compared<'b> {
        Compared { comparison, report: run.map(|(_, r)| r), judgement: self.judgement.as_ref(), top: self.top }
    }
}

/// Why nothing was measured: what files hold instead of a result, so that none of the day before stands there.
pub struct NoResult {
    /// What the command ends with.
    pub exit_code: ExitCode,
    /// What went wrong.
    pub error: String,
    /// Why.
    pub causes: Vec<String>,
    /// What to do.
    pub hints: Vec<String>,
    /// All of it as a person reads it on the terminal.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_and_extension_is_of_one_exporter() {
        let names: BTreeSet<&str> = EXPORTERS.iter().map(|e| e.name).collect();
        let extensions: BTreeSet<&str> = EXPORTERS.iter().map(|e| e.extension).collect();
        assert_eq!((names.len(), extensions.len()), (EXPORTERS.len(), EXPORTERS.len()));
        for exporter in EXPORTERS {
            assert_eq!(Exporter::of_name(exporter.name), Some(*exporter));
            assert_eq!(Exporter::of_file(&format!("a.b{}", exporter.extension)), Some(*exporter));
            assert!(exporter.extension.starts_with('.') && !exporter.about.is_empty() && !exporter.details.is_empty());
            assert!(!exporter.readers.is_empty());
        }
    }

    #[test]
    fn extensions_choose_the_exporter() {
        let name_of = |file: &str| Exporter::of_file(file).map(|e| e.name);
        assert_eq!(name_of("a.md"), Some("md"));
        assert_eq!(name_of("a.measurements.csv"), Some("measurements"));
        assert_eq!(name_of("measurements.csv"), Some("measurements"));
        assert_eq!(name_of("a.csv"), Some("csv"));
        assert_eq!(name_of("a.txt"), Some("table"));
        assert_eq!((name_of("a.json.gz"), name_of("a.bdn-full.json.gz")), (Some("json"), Some("bdn-full")));
        assert_eq!((name_of("a"), name_of("md"), name_of("a.pdf")), (None, None, None));
    }

    #[test]
    fn a_form_that_is_named_decides_unless_the_file_says_that_it_is_another() {
        let of = |file: &str, named: &str| {
            Exporter::of_file_and_name(file, Exporter::of_name(named)).map(|exporter| exporter.name)
        };
        // Every form, in a file with the last part of its extension.
        for exporter in EXPORTERS {
            let last = exporter.extension.rsplit('.').next().expect("an extension");
            assert_eq!(of(&format!("x.{last}"), exporter.name), Some(exporter.name));
            assert_eq!(of(&format!("x.{last}.gz"), exporter.name), Some(exporter.name));
            assert_eq!(of("x.log", exporter.name), Some(exporter.name));
        }
        assert_eq!(of("x.html", "md"), Some("html"));
        assert_eq!(of("x.json", "md"), Some("json"));
        assert_eq!(of("x.bdn-brief.json", "bdn-full"), Some("bdn-brief"));
        assert_eq!((of("x.xml", "bdn-full"), of("x", "md"), of("x.log", "")), (None, None, None));
    }
}
