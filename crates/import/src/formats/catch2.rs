//! Catch2's XML (`-r xml`), versions 2 and 3: a mean with its standard deviation for each `BENCHMARK`, in ns.
//!
//! Traps: without a `BENCHMARK` the same XML is a report of tests. Names are only unique within their test case and its sections. A
//! benchmark outside the sections runs once for each of them. One that fails has no mean. A failed test case names none of the benchmarks
//! after the failure. With `--benchmark-no-analysis` the deviation is 0. It lacks: single samples, machine, compiler, date.

use super::{Format, Read};
use crate::builder::{key_of, Builder};
use crate::error::Problem;
use crate::node::{Fault, Node};
use crate::xml::{tags, Tag};
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary};

pub(crate) const FORMAT: Format = Format {
    tool: "catch2",
    known_as: "Catch2 (`-r xml`)",
    begins: |text| {
        let start = text.len() - text.trim_start().len();
        let at = if text[start..].starts_with('<') { Some(start) } else { text.find("<?xml") };
        at.filter(|at| text[*at..].contains("<Catch") && SIGNS.iter().any(|sign| text[*at..].contains(sign)))
    },
    read: Read::Text(|text, at| read(&text[at..])),
    too_little: &[(
        &["benchmark name", "est run time"],
        "Catch2's table, which is rounded",
        "run the program with `--reporter xml --out FILE`",
    )],
    ..Format::NONE
};
/// Not found in reports of tests only: a result, or the tag of a test case with benchmarks.
const SIGNS: [&str; 2] = ["<BenchmarkResults ", MARKED];
/// The tag of test cases with benchmarks.
const MARKED: &str = "[!benchmark]";
/// Failures of these assertions end a test case; others do not.
const ENDS: &str = "REQUIRE";

#[derive(Default)]
struct Test {
    name: String,
    is_marked: bool,
    has_benchmarks: bool,
    /// The first failed assertion, and whether it ended the test case.
    failed: Option<(String, bool)>,
    skipped: Option<String>,
    /// The kind of an assertion while its element is read, if it failed.
    assertion: Option<String>,
}

impl Test {
    fn begun(tag: &Tag) -> Test {
        let name = tag.attribute("name").unwrap_or_default();
        let is_marked = tag.attribute("tags").is_some_and(|tags| tags.contains(MARKED));
        Test { name, is_marked, ..Test::default() }
    }

    fn take(&mut self, tag: &Tag) {
        match (tag.name, tag.opens) {
            ("BenchmarkResults", true) => self.has_benchmarks = true,
            ("Expression", true) if tag.attribute("success").is_some_and(|success| success == "false") => {
                self.assertion = tag.attribute("type").or(Some(String::new()));
            }
            ("Expression", false) => self.assertion = None,
            ("Original", true) => {
                if let Some(kind) = &self.assertion {
                    let ends = kind.starts_with(ENDS);
                    self.has_failed(format!("`{kind}({})`", tag.text()), ends);
                }
            }
            ("Exception" | "FatalErrorCondition" | "Failure", true) if self.assertion.is_none() => {
                let what = if tag.name == "Exception" { "an exception: " } else { "" };
                self.has_failed(format!("{what}{}", tag.text()), true);
            }
            ("Skip", true) => self.skipped = Some(tag.text()),
            ("OverallResult", true) if tag.attribute("success").is_some_and(|success| success == "false") => {
                self.has_failed("no reason is given".to_owned(), false);
            }
            _ => {}
        }
    }

    fn has_failed(&mut self, how: String, ends: bool) {
        match &mut self.failed {
            Some((_, ended)) if *ended || !ends => {}
            failed => *failed = Some((how, ends)),
        }
    }

    /// Reports that a test case which failed or was left by `SKIP` has unknown benchmarks.
    fn ended(self, builder: &mut Builder) {
        if let (Some(reason), true, None) = (&self.skipped, self.is_marked || self.has_benchmarks, &self.failed) {
            builder.skipped(&SavedCase::new(self.name.as_str(), self.name.as_str()), reason);
        }
        let Some((how, ends)) = self.failed else { return };
        // A test case that continues has named all its benchmarks.
        let may_have_more = if self.has_benchmarks { ends } else { self.is_marked };
        if may_have_more {
            builder
                .failed(&self.name, format!("its `TEST_CASE` failed, and benchmarks behind that did not run: {how}"));
        }
    }
}

/// The names of a report's test cases, with the failure of those that failed.
pub fn catch2_tests(text: &str) -> Vec<(String, Option<String>)> {
    let mut all: Vec<Test> = Vec::new();
    for tag in tags(text) {
        if (tag.name, tag.opens) == ("TestCase", true) {
            all.push(Test::begun(&tag));
        }
        all.last_mut().into_iter().for_each(|test| test.take(&tag));
    }
    all.into_iter().map(|test| (test.name, test.failed.map(|(how, _)| how))).collect()
}

struct Open {
    name: String,
    samples: Option<f64>,
    mean_ns: Option<f64>,
    sd_ns: Option<f64>,
    failed: Option<String>,
}

fn read(text: &str) -> Result<Saved, Problem> {
    let problem = |fault: Fault| fault.problem(FORMAT.tool, &Node::NOTHING, text);
    let mut builder = Builder::new(FORMAT.tool);
    let mut detail = "Catch2".to_owned();
    // The test case with its sections, and the benchmark within them.
    let (mut path, mut open): (Vec<String>, Option<Open>) = (Vec::new(), None);
    let mut test = Test::default();
    for tag in tags(text) {
        test.take(&tag);
        match (tag.name, tag.opens) {
            ("Catch" | "Catch2TestRun", true) => {
                builder.fact(fact::PROGRAM, tag.attribute("name"));
                let version = tag.attribute("catch2-version");
                detail.extend(version.iter().map(|version| format!(" {version}")));
                builder.fact(fact::TOOL_VERSION, version);
            }
            ("TestCase", true) => {
                test = Test::begun(&tag);
                path = vec![test.name.clone()];
            }
            ("TestCase", false) => std::mem::take(&mut test).ended(&mut builder),
            ("Section", true) => path.push(tag.attribute("name").unwrap_or_default()),
            ("Section", false) => _ = path.pop(),
            ("BenchmarkResults", true) => {
                cut_off(&mut builder, &path, open.replace(begun(&tag)));
            }
            ("BenchmarkResults", false) => {
                if let Some(open) = open.take() {
                    ended(&mut builder, &path, open).map_err(problem)?;
                }
            }
            (name, true) => {
                if let Some(open) = &mut open {
                    open.take(name, &tag);
                }
            }
            _ => {}
        }
    }
    match open {
        Some(open) => cut_off(&mut builder, &path, Some(open)),
        None if !test.name.is_empty() => {
            test.has_failed("the process ended within it".to_owned(), true);
            test.ended(&mut builder);
        }
        None => {}
    }
    builder.finish(detail).map_err(problem)
}

fn begun(tag: &Tag) -> Open {
    let name = tag.attribute("name").unwrap_or_default();
    Open { name, samples: tag.number("samples"), mean_ns: None, sd_ns: None, failed: None }
}

impl Open {
    fn take(&mut self, name: &str, tag: &Tag) {
        match name {
            "mean" => self.mean_ns = tag.number("value"),
            "standardDeviation" => self.sd_ns = tag.number("value").filter(|sd| *sd > 0.0),
            "failed" => self.failed = Some(tag.attribute("message").unwrap_or_default()),
            _ => {}
        }
    }
}

fn ended(builder: &mut Builder, path: &[String], open: Open) -> Result<(), Fault> {
    let case = case(path, &open);
    match (open.mean_ns, open.failed) {
        (Some(_), _) => builder.case(case, "")?,
        (None, Some(message)) => builder.lost(&case, message.trim()),
        (None, None) => builder.lost(&case, "it has no mean"),
    }
    Ok(())
}

/// Records a benchmark during which the program ended.
fn cut_off(builder: &mut Builder, path: &[String], open: Option<Open>) {
    if let Some(open) = open {
        builder.lost(&case(path, &open), "the result is cut off within it");
    }
}

fn case(path: &[String], open: &Open) -> SavedCase {
    let (group, sections) = path.split_first().map_or(("", path), |(group, sections)| (group.as_str(), sections));
    let name: Vec<&str> = sections.iter().map(String::as_str).chain([open.name.as_str()]).collect();
    let key = key_of(&[&[group], &name[..]].concat());
    let name = name.join("/");
    SavedCase {
        group: group.to_owned(),
        language: "c++".to_owned(),
        design: SavedDesign::Summary(SavedSummary {
            mean_ns: open.mean_ns,
            median_ns: None,
            sd_ns: open.sd_ns,
            values: open.samples.map(|samples| samples as u64),
        }),
        ..SavedCase::new(key, name)
    }
}
