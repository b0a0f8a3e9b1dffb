//! Templates of users: a text in the language of Jinja with the names of [`Values`], rendered to whatever they want.
//!
//! A template sees values and nothing else: no file, no variable of the environment, no other template. What it prints is made harmless for the
//! kind of file that it makes, which the extension says.

mod escape;
mod filters;

use crate::exporters::Presentation;
use crate::values::Values;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use std::fmt;

/// Steps of a template, so that one that never ends is an error: about ten seconds.
const FUEL: u64 = 1_000_000_000;

#[derive(Debug)]
pub struct Shipped {
    /// What the user types.
    pub name: &'static str,
    pub about: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    source: &'static str,
}

/// Those that come with Tare: the forms of nanobench, and what its adapter for BenchmarkDotNet reads.
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

/// A template whose syntax is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    name: String,
    source: String,
    /// A name that says what kind of file it makes.
    kind: String,
    /// It comes with Tare, and shows the visits of cases.
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
    /// That of this name among those that come with Tare.
    pub fn shipped(name: &str) -> Option<Template> {
        let found = TEMPLATES.iter().find(|shipped| shipped.name == name)?;
        let kind = format!("{name}{}", found.extension);
        Some(Template { name: name.to_owned(), source: found.source.to_owned(), kind, is_shipped: true })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// It is made of the visits of cases, as all are that come with Tare.
    pub fn needs_measurements(&self) -> bool {
        self.is_shipped
    }

    /// The template in a file of this name.
    ///
    /// # Errors
    /// Names the first line that is not right.
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

    /// What is shown, by this template, for a file of this name; None: for the kind of file that its own name says.
    ///
    /// # Errors
    /// A name that does not exist, a value of another kind than the template takes it for.
    pub fn render(&self, shown: &Presentation, file: Option<&str>) -> Result<String, TemplateError> {
        let file = file.map(|file| file.strip_suffix(crate::GZIP).unwrap_or(file));
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
        // What it is about, where that is a part of a line.
        let piece = error.range().and_then(|range| self.source.get(range)).unwrap_or_default();
        if !piece.is_empty() && !piece.contains('\n') && !what.contains(piece) {
            what = format!("{what}: `{piece}`");
        }
        TemplateError { template: crate::clean(&self.name), line: error.line(), what: crate::clean(&what) }
    }
}

fn environment<'source>(file: &str) -> Environment<'source> {
    let mut environment = Environment::new();
    let escape = escape::of_file(file);
    environment.set_auto_escape_callback(move |_| match escape {
        escape::JSON => AutoEscape::Json,
        other => AutoEscape::Custom(other.into()),
    });
    environment.set_formatter(escape::format);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    let syntax =
        SyntaxConfig::default().to_builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    // Its delimiters are those of Jinja, so that it cannot be wrong.
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    filters::add(&mut environment);
    environment
}

#[cfg(test)]
mod tests {
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
}
