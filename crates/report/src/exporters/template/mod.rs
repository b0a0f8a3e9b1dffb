//! User templates: Jinja texts with the names of [`Values`], rendered to any text format.
//!
//! Templates only see values: no files, environment variables or other templates. Their output is escaped for the kind of file, given by
//! its extension.

use crate::elements::chart::svg;
use crate::elements::data::quoted;
use crate::exporters::{markdown, GZIP};
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::subjects::SubjectKind;
use crate::words::number::{duration, percent, significant};
use crate::words::text::{clean, Glyphs};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{escape_formatter, AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value};
use std::fmt;
use tare_stats::location::{mean, median};

/// Most steps of a template, about ten seconds, so that endless ones fail.
const FUEL: u64 = 1_000_000_000;

#[derive(Debug)]
pub struct Shipped {
    pub name: &'static str,
    pub about: &'static str,
    pub extension: &'static str,
    source: &'static str,
}

/// The templates that come with Tare: nanobench's formats, and the input of its adapter for BenchmarkDotNet.
pub const TEMPLATES: [Shipped; 5] = [
    Shipped {
        name: "benchmarkdotnet-rows",
        about: "a row per case, as the adapter for BenchmarkDotNet reads it",
        extension: ".txt",
        source: include_str!("benchmarkdotnet.rows.txt.jinja"),
    },
    Shipped {
        name: "nanobench-csv",
        about: "the CSV of nanobench: a row per case, separated by semicolons",
        extension: ".csv",
        source: include_str!("nanobench.csv.jinja"),
    },
    Shipped {
        name: "nanobench-json",
        about: "the JSON of nanobench, with every visit that counts",
        extension: ".json",
        source: include_str!("nanobench.json.jinja"),
    },
    Shipped {
        name: "nanobench-boxplot",
        about: "a page with a box plot of all cases, without scripts",
        extension: ".html",
        source: include_str!("nanobench.html.jinja"),
    },
    Shipped {
        name: "nanobench-pyperf",
        about: "the JSON of pyperf as nanobench writes it: each case is one run with all visits",
        extension: ".json",
        source: include_str!("nanobench.pyperf.json.jinja"),
    },
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    name: String,
    source: String,
    /// A file name that implies the kind of file.
    kind: String,
    /// It comes with Tare, and shows visits of cases.
    is_shipped: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    pub template: String,
    pub line: Option<usize>,
    pub what: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the template `{}`", self.template)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// The template with this name that comes with Tare.
    pub fn shipped(name: &str) -> Option<Template> {
        let found = TEMPLATES.iter().find(|shipped| shipped.name == name)?;
        let kind = format!("{name}{}", found.extension);
        Some(Template { name: name.to_owned(), source: found.source.to_owned(), kind, is_shipped: true })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it does not support subjects of this kind; None: it does. Those that come with Tare show visits of cases. A user's may need
    /// anything, and reports what is missing.
    pub fn refusal(&self, kind: &SubjectKind) -> Option<String> {
        let is_lacking = self.is_shipped && !kind.has_measurements;
        is_lacking.then(|| kind.without_measurements("template", &self.name))
    }

    /// A template from a file of this name.
    /// Err: names the first invalid line.
    pub fn new(name: &str, source: &str) -> Result<Template, TemplateError> {
        let ends = [".jinja2", ".jinja", ".j2", ".tmpl"];
        let kind = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned();
        let template = Template { name: name.to_owned(), source: source.to_owned(), kind, is_shipped: false };
        let wrong = environment(&template.kind).template_from_named_str(&template.name, &template.source).err();
        match wrong {
            Some(error) => Err(template.error(&error)),
            None => Ok(template),
        }
    }

    /// Renders a subject for a file of this name; None: for the kind of file in the template's own name.
    /// Err: an unknown name, or a value of an unexpected type.
    pub fn render(&self, shown: &Presentation, file: Option<&str>) -> Result<String, TemplateError> {
        let file = file.map(|file| file.strip_suffix(GZIP).unwrap_or(file));
        let environment = environment(file.unwrap_or(&self.kind));
        let template =
            environment.template_from_named_str(&self.name, &self.source).map_err(|error| self.error(&error))?;
        template.render(Serde(Values::of(shown))).map_err(|error| self.error(&error))
    }

    fn error(&self, error: &Error) -> TemplateError {
        let mut what = error.kind().to_string();
        if let Some(detail) = error.detail() {
            what = format!("{what}: {detail}");
        }
        // The part of the line that the error is about.
        let piece = error.range().and_then(|range| self.source.get(range)).unwrap_or_default();
        if !piece.is_empty() && !piece.contains('\n') && !what.contains(piece) {
            what = format!("{what}: `{piece}`");
        }
        TemplateError { template: clean(&self.name), line: error.line(), what: clean(&what) }
    }
}

fn environment<'source>(file: &str) -> Environment<'source> {
    let mut environment = Environment::new();
    let escape = kind_of_file(file);
    environment.set_auto_escape_callback(move |_| match escape {
        JSON => AutoEscape::Json,
        other => AutoEscape::Custom(other.into()),
    });
    environment.set_formatter(format_value);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    let syntax =
        SyntaxConfig::default().to_builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    // Jinja's own delimiters are always valid.
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    add_filters(&mut environment);
    environment
}

const MARKUP: &str = "markup";
/// JSON, YAML, JavaScript.
const JSON: &str = "json";
const CSV: &str = "csv";
const MARKDOWN: &str = "markdown";
/// Everything else, without control characters.
const TEXT: &str = "text";

fn kind_of_file(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" | "xhtml" | "xml" | "svg" => MARKUP,
        "json" | "jsonl" | "ndjson" | "yaml" | "yml" | "js" => JSON,
        "csv" | "tsv" => CSV,
        "md" | "markdown" => MARKDOWN,
        _ => TEXT,
    }
}

fn format_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    let kind = match state.auto_escape() {
        AutoEscape::Custom(kind) => kind,
        _ => match value.as_str().filter(|_| !value.is_safe()) {
            Some(text) => return out.write_str(&json(text)).map_err(Error::from),
            None => return escape_formatter(out, state, value),
        },
    };
    let text = match value.kind() {
        // An unknown value is an empty field.
        ValueKind::None => return Ok(()),
        ValueKind::Number | ValueKind::Bool => value.to_string(),
        _ if value.is_safe() => value.to_string(),
        _ => escape(kind, &value.to_string()),
    };
    out.write_str(&text).map_err(Error::from)
}

fn escape(kind: &str, text: &str) -> String {
    match kind {
        MARKUP => svg::escape(text),
        CSV => quoted(text),
        MARKDOWN => markdown::escape(text),
        _ => clean(text),
    }
}

/// JSON text with equal content, but harmless on a terminal.
fn json(text: &str) -> String {
    let written = serde_json::Value::from(text).to_string();
    let harmful = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let safe = |c: char| if harmful(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    written.chars().map(safe).collect()
}

fn add_filters(environment: &mut Environment) {
    environment
        .add_filter("duration", |ns: Option<f64>| ns.map(|ns| duration(ns, Glyphs::Unicode)).unwrap_or_default());
    environment.add_filter("percent", |share: Option<f64>| share.map(percent).unwrap_or_default());
    environment.add_filter("digits", |value: Option<f64>, digits: Option<usize>| {
        value.map(|value| significant(value, digits.unwrap_or(4).clamp(1, 17))).unwrap_or_default()
    });
    environment.add_filter("quote", |text: String| Value::from_safe_string(quote(&text)));
    environment.add_filter("median", |values: Vec<f64>| median(&values));
    environment.add_filter("average", |values: Vec<f64>| mean(&values));
    environment.add_filter("spread", |values: Vec<f64>| spread(&values));
}

/// A quoted CSV field that spreadsheets do not take for a formula.
fn quote(text: &str) -> String {
    let field = quoted(text);
    match field.starts_with('"') {
        true => field,
        false => format!("\"{}\"", field.replace('"', "\"\"")),
    }
}

/// The median distance from the median, relative to it: nanobench's error.
fn spread(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let away: Vec<f64> = values.iter().map(|value| ((value - centre) / centre).abs()).collect();
    median(&away)
}

#[cfg(test)]
mod tests {
    use super::spread;
    use super::*;

    #[test]
    fn a_wrong_template_says_which_line() {
        let error = Template::new("a.jinja", "one\n{% for %}\n").expect_err("it is wrong");
        assert_eq!((error.template.as_str(), error.line), ("a.jinja", Some(2)));
        assert!(error.to_string().starts_with("the template `a.jinja`, line 2: syntax error: "), "{error}");
    }

    #[test]
    fn a_template_opens_nothing() {
        for text in
            ["{% include '/etc/passwd' %}", "{% extends 'a' %}", "{% import 'a' as b %}", "{% from 'a' import b %}"]
        {
            assert!(Template::new("a", text).is_err(), "{text}");
        }
    }

    #[test]
    fn those_that_come_with_tare_are_right() {
        for shipped in &TEMPLATES {
            let template = Template::shipped(shipped.name).expect("it is there");
            assert_eq!(Template::new(&template.name, &template.source).map(|t| t.source), Ok(template.source));
        }
        assert_eq!(Template::shipped("nanobench-xml"), None);
    }

    #[test]
    fn the_spread_is_a_share_of_the_median() {
        assert_eq!(spread(&[9.0, 10.0, 12.0]), Some(0.1));
        assert_eq!(spread(&[]), None);
    }
}
