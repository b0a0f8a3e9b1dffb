use crate::{OfBenchmark, Suite, Trouble, ALL};
use serde::{Deserialize, Serialize};
use tare_analysis::{Saved, SavedCase, SavedFailure};
use tare_model::{FailureKind, Parameter};

/// Used if the step of its clock is unknown, ns.
pub(crate) const RESOLUTION_NS: f64 = 0.001;

/// A harness of others: its programs are listed, and run for one benchmark at a time.
pub trait Harness: Sync {
    fn about(&self) -> About<'_>;
    fn list(&self, suite: &Suite) -> Result<List, Trouble>;
    /// Runs every benchmark as briefly as possible, to see what it counts besides time. None if that is not supported or takes too long.
    /// `only`: one benchmark, if another one ended the process before it.
    fn look(&self, suite: &Suite, only: Option<&Listed>) -> Result<Option<QuickLook>, Trouble> {
        _ = (suite, only);
        Ok(None)
    }
    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble>;
    /// Like `measure`, with calls of the benchmark's function that are `times` as long. The effect of a call's first iterations, such as a
    /// filled cache, is lost at its end, and `measure` makes more such calls than the harness would by itself. None if that is not
    /// supported.
    fn measure_longer(&self, suite: &Suite, of: &OfBenchmark, times: u32) -> Result<Option<Measured>, Trouble> {
        _ = (suite, of, times);
        Ok(None)
    }
    /// Whether the CPU time of this benchmark covers all its work (it computes in one thread), so that it may stand for the time when other
    /// processes run.
    fn computes(&self, listed: &Listed) -> bool {
        _ = listed;
        false
    }
    /// Rounding of a total time, ns.
    fn step_ns(&self) -> f64 {
        RESOLUTION_NS
    }
    /// The statistic of a process's values that verdicts use.
    fn statistic(&self) -> Statistic {
        Statistic::Mean
    }
}

#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub language: &'a str,
    /// Each of its programs contains one of these, so that recognising it starts nothing.
    pub signs: &'a [&'a str],
}

#[derive(Debug, Clone, Default)]
pub struct QuickLook {
    pub saved: Saved,
    /// The look covered all benchmarks: an entry without a result is not a benchmark.
    pub is_whole: bool,
    /// The process failed, so that later benchmarks were not seen.
    pub is_broken: bool,
    /// Names of results have more detail than the list: parameters, and several benchmarks for one entry, by its stem.
    pub names: bool,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Measured {
    pub saved: Saved,
    /// How often the benchmark ran in it; None if unknown.
    pub iterations: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    Mean,
    Median,
    /// The first quartile.
    LowerQuartile,
    Minimum,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    pub benchmarks: Vec<Listed>,
    pub notes: Vec<String>,
}

impl List {
    /// The benchmarks of results, including failed ones.
    pub(crate) fn of_results(saved: &Saved) -> List {
        let lost =
            saved.failed.iter().map(|failed| Listed { skipped: skipped(failed), ..Listed::of_name(&failed.key) });
        saved.cases.iter().map(Listed::of_case).chain(lost).collect()
    }
}

impl FromIterator<Listed> for List {
    fn from_iter<I: IntoIterator<Item = Listed>>(benchmarks: I) -> List {
        List { benchmarks: benchmarks.into_iter().collect(), notes: Vec::new() }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// The harness's own name, which selects it.
    pub full: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// What its time is for, unless it is an iteration; else empty.
    pub unit: String,
    /// The name of its results, as the importer makes it.
    pub key: String,
    /// What contains it, if it is selected by that: a test case and its sections, a group.
    pub within: Vec<String>,
    /// Why its harness leaves it out; else empty.
    pub skipped: String,
}

impl Listed {
    pub(crate) fn of_case(case: &SavedCase) -> Listed {
        Listed {
            full: case.key.clone(),
            group: case.group.clone(),
            name: case.name.clone(),
            parameters: case.parameters.clone(),
            unit: case.unit.clone(),
            key: case.key.clone(),
            ..Listed::default()
        }
    }

    pub(crate) fn of_name(name: &str) -> Listed {
        Listed { full: name.to_owned(), name: name.to_owned(), key: name.to_owned(), ..Listed::default() }
    }
}

/// Why a benchmark without a result skips itself; empty: it does not.
pub(crate) fn skipped(failed: &SavedFailure) -> String {
    match &failed.failure.cause {
        FailureKind::Skipped { reason } => reason.clone(),
        _ => String::new(),
    }
}

/// The result of one benchmark: by its name in the list, or the only one.
pub(crate) fn one_of(saved: Saved, name: &str) -> Result<Saved, String> {
    let is_it = |case: &SavedCase| {
        let names = [&case.key, &case.stem, &case.name, &case.code_name];
        names.into_iter().any(|known| known == name) || case.selector() == name
    };
    let count = saved.cases.len();
    if let Some(at) = saved.cases.iter().position(is_it) {
        return Ok(Saved { cases: vec![saved.cases[at].clone()], failed: Vec::new(), ..saved });
    }
    if let Some(failed) = saved.failed.iter().find(|failed| failed.key == name) {
        return Ok(Saved { cases: Vec::new(), failed: vec![failed.clone()], ..saved });
    }
    match count {
        0 | 1 => Ok(saved),
        _ => Err(format!("its result has {count} benchmarks, and none of them is called `{name}`")),
    }
}

/// How often a benchmark ran, from the resolution of a result that is rounded to this much in total.
pub(crate) fn iterations_of(saved: &Saved, step_ns: f64) -> Option<f64> {
    saved.cases.first()?.resolution_ns.map(|each| (step_ns / each).round())
}

/// Escapes a text as a regular expression that matches only it.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ".[{()*+?^$|\\".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Splits off a number at the end of a name, where some tools put parameters.
pub(crate) fn number_at_end<'a>(name: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let (before, last) = name.rsplit_once(separator)?;
    let is_number = last.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    (is_number && !before.is_empty() && last.parse::<f64>().is_ok()).then_some((before, last))
}

/// The known harness of a built program, if any.
pub fn of_program(program: &[u8]) -> Option<&'static dyn Harness> {
    let is_in = |sign: &&str| tare_model::text::contains(program, sign.as_bytes());
    ALL.iter().copied().find(|harness| harness.about().signs.iter().any(is_in))
}

pub fn knows(name: &str) -> bool {
    ALL.iter().map(|harness| harness.about()).any(|about| [about.name, about.title].contains(&name))
}

pub(crate) fn named(name: &str) -> Option<&'static dyn Harness> {
    ALL.iter().copied().find(|harness| harness.about().name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_at_the_end_of_a_name_is_a_parameter() {
        let parts = |name| number_at_end(name, "/");
        assert_eq!((parts("a/b/-1.5"), parts("a/64")), (Some(("a/b", "-1.5")), Some(("a", "64"))));
        assert_eq!([parts("a/inf"), parts("64"), parts("/64"), parts("a/2nd"), parts("a/")], [None; 5]);
    }

    #[test]
    fn the_result_is_of_the_name_or_the_only_one() {
        let saved = |names: &[&str]| Saved {
            cases: names.iter().map(|name| SavedCase::new(*name, *name)).collect(),
            ..Saved::default()
        };
        let found = |names: &[&str]| one_of(saved(names), "b").map(|saved| saved.cases[0].key.clone());
        assert_eq!((found(&["a", "b"]).as_deref(), found(&["x"]).as_deref()), (Ok("b"), Ok("x")));
        assert!(found(&["a", "c"]).is_err_and(|why| why.contains("none of them is called `b`")));
    }
}
