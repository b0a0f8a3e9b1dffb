//! The output formats, one file each. `--format`, the flags of `tare show`, the extensions of `-o` and their help are derived from
//! [`EXPORTERS`]. Formats for people render [`Presentation::document`], those for programs the subject's numbers; none depends on the kind
//! of subject.

mod asciidoc;
mod csv;
mod foreign;
mod html;
mod jira;
mod json;
pub(crate) mod markdown;
mod markup;
mod pictures;
mod profiles;
pub(crate) mod site;
mod table;
pub(crate) mod template;

pub use html::html;
pub(crate) use html::{html_of_site, sha256_start};
pub use markdown::markdown;
pub use table::{gate_lines, screen};

use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::subjects::SubjectKind;
use crate::words::text::Line;
use std::fmt;
use tare_model::ExitCode;

/// All exporters, the default first.
pub const EXPORTERS: &[&Exporter] = &[
    &table::TABLE,
    &markdown::MARKDOWN,
    &html::HTML,
    &csv::CSV,
    &json::JSON,
    &csv::MEASUREMENTS,
    &pictures::DOTS,
    &pictures::BARS,
    &pictures::BOXES,
    &pictures::DENSITY,
    &pictures::STRIP,
    &pictures::MEAN,
    &pictures::TIMELINE,
    &pictures::SCALING,
    &profiles::FLAMEGRAPH,
    &profiles::FOLDED,
    &profiles::SPEEDSCOPE,
    &profiles::FIREFOX,
    &profiles::PPROF,
    &table::STACK_OVERFLOW,
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
    &foreign::benchmarkdotnet::FULL_XML,
    &foreign::benchmarkdotnet::BRIEF_XML,
];

/// Suffix of compressed files.
pub const GZIP: &str = ".gz";

pub struct Exporter {
    /// `md`: the name for `--format`, and the flag of `tare show`.
    pub name: &'static str,
    /// `.md`: the suffix of its files. The longest match wins.
    pub extension: &'static str,
    pub about: &'static str,
    pub needs: Needs,
    render: Render,
    pub render_failure: fn(&NoResult) -> String,
}

enum Render {
    Text(fn(&Presentation) -> String),
    Values(fn(&Values) -> String),
    Any(for<'a> fn(&'a Presentation<'a>) -> Rendered<'a>),
}

const fn exporter(
    [name, extension, about]: [&'static str; 3],
    needs: Needs,
    render: Render,
    render_failure: fn(&NoResult) -> String,
) -> Exporter {
    Exporter { name, extension, about, needs, render, render_failure }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// A run's single measurements, which other tools' saved data lacks.
    Measurements,
    /// A picture, which not every subject has.
    Picture,
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
    /// Whether a command's short help lists it; the full help lists all.
    pub fn is_common(&self) -> bool {
        ["table", "md", "html", "csv", "json", "svg"].contains(&self.name)
    }

    pub fn render<'a>(&self, shown: &'a Presentation<'a>) -> Rendered<'a> {
        match self.render {
            Render::Text(render) => Rendered::Text(render(shown)),
            Render::Values(render) => Rendered::Text(render(&Values::of(shown))),
            Render::Any(render) => render(shown),
        }
    }

    /// Why it does not support subjects of this kind; None: it does.
    pub fn refusal(&self, kind: &SubjectKind) -> Option<String> {
        match self.needs {
            Needs::Measurements if !kind.has_measurements => Some(kind.without_measurements("format", self.name)),
            Needs::Picture if kind.pictures.is_some_and(|pictures| !pictures.contains(&self.name)) => {
                Some(format!("{} has no picture `{}`", kind.phrase, self.name))
            }
            _ => None,
        }
    }

    pub fn of_name(name: &str) -> Option<&'static Exporter> {
        EXPORTERS.iter().copied().find(|exporter| exporter.name == name)
    }

    /// The exporter for a file, by its suffix before an optional `.gz`.
    pub fn of_file(name: &str) -> Option<&'static Exporter> {
        let name = name.strip_suffix(GZIP).unwrap_or(name);
        let fits = |exporter: &&&Exporter| {
            // A file may be named `measurements.csv`, but a file `md` is not Markdown.
            let bare = exporter.extension.trim_start_matches('.');
            let by_name = bare.split_once('.').map(|(_, last)| format!(".{}.{last}", exporter.name));
            name.ends_with(exporter.extension)
                || by_name.is_some_and(|by_name| name.ends_with(&by_name))
                || (name == bare && bare.contains('.'))
        };
        let found = EXPORTERS.iter().filter(fits).max_by_key(|exporter| exporter.extension.len()).copied();
        found.filter(|exporter| !exporter.is_mistaken(name))
    }

    /// The file name asks for a nonexistent picture: `p.nonsense.svg`.
    fn is_mistaken(&self, name: &str) -> bool {
        let is_usual = self.needs == Needs::Picture && self.extension.matches('.').count() == 1;
        let word = name.strip_suffix(self.extension).and_then(|stem| stem.rsplit_once('.')).map(|(_, word)| word);
        is_usual && word.is_some_and(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
    }

    /// With a format named too: that one, unless the file name implies another. `a.json` fits any JSON format, `a.log` any format.
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

pub enum Rendered<'a> {
    Lines(Vec<Line>),
    Text(String),
    /// A picture without content that says so.
    Nothing {
        text: String,
        /// The reason: `nothing to draw: ...`.
        why: &'static str,
    },
    Bytes(Vec<u8>),
    /// Text in pieces, if it would be too large at once.
    Pieces(Box<dyn Iterator<Item = String> + 'a>),
}

/// Why nothing was measured: written to files in place of a result, so that they do not keep an old one.
pub struct NoResult {
    pub exit_code: ExitCode,
    pub error: String,
    pub causes: Vec<String>,
    pub hints: Vec<String>,
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
            assert!(exporter.extension.starts_with('.') && !exporter.about.is_empty());
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
        assert_eq!((name_of("a.flame.svg"), name_of("a.flamegraph.svg")), (Some("flamegraph"), Some("flamegraph")));
        assert_eq!(
            (name_of("a.nonsense.svg"), name_of("v1.2.svg"), name_of("a.old.json")),
            (None, Some("svg"), Some("json"))
        );
    }

    #[test]
    fn a_form_that_is_named_decides_unless_the_file_says_that_it_is_another() {
        let of = |file: &str, named: &str| {
            Exporter::of_file_and_name(file, Exporter::of_name(named)).map(|exporter| exporter.name)
        };
        // Every format, in a file with the last part of its extension.
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
