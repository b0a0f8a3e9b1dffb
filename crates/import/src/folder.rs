//! A folder of results as one side: criterion's tree, or several files of one tool, each of a process of its own.

use crate::builder::Builder;
use crate::documents::unreadable;
use crate::error::{ImportError, Problem};
use crate::formats::criterion::{add, Files};
use crate::node::{Node, Value};
use crate::{json, read, text};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{Code, Finding, Saved, SavedFailure, Sentence, Severity};

/// Files that are looked at.
const FILES_MAX: usize = 20_000;

/// Whether a file of a folder may be part of a result: the caller need not read others.
pub fn wants(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    // criterion's plots and fences, and what reports stand beside.
    const NOT: [&str; 4] = ["tukey.json", "package.json", "package-lock.json", "events.jsonl"];
    !NOT.contains(&name.as_str()) && [".json", ".txt", ".bench", ".out"].iter().any(|end| name.ends_with(end))
}

/// The baselines that a criterion folder holds, in order of name; empty for any other folder.
pub fn criterion_baselines<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let found: BTreeSet<String> =
        paths.into_iter().filter_map(criterion_parts).map(|(_, baseline, _)| baseline.to_owned()).collect();
    found.into_iter().collect()
}

/// The results of a folder as one side: `files` are paths with contents, `baseline` is which of criterion's is meant (`new`).
///
/// # Errors
/// When nothing in it is a result. A file among others that is none becomes a finding.
pub fn read_folder<P: AsRef<str>, B: AsRef<[u8]>>(
    name: &str,
    files: &[(P, B)],
    baseline: &str,
) -> Result<Saved, ImportError> {
    let fail = |problem| ImportError { file: name.to_owned(), problem };
    let mut files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_ref(), bytes.as_ref())).collect();
    if files.len() > FILES_MAX {
        return Err(fail(Problem::TooMany { what: "files", limit: FILES_MAX }));
    }
    // The order of a folder is any: that of the names is one.
    files.sort_unstable_by_key(|(path, _)| *path);
    let (of_criterion, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| criterion_parts(path).is_some());
    let mut parts = Vec::new();
    if !of_criterion.is_empty() {
        parts.extend(criterion(name, &of_criterion, baseline)?);
    }
    let mut refused: Vec<ImportError> = Vec::new();
    let is_result = |path: &str| wants(path) && !has_fuller(path, &others) && !is_change_of_criterion(path);
    for (path, bytes) in others.iter().filter(|(path, _)| is_result(path)) {
        match read(path, bytes) {
            Ok(saved) => parts.push(saved),
            Err(error) => refused.push(error),
        }
    }
    let Some(mut side) = Saved::merge(name, parts) else {
        return Err(refused.into_iter().next().unwrap_or_else(|| fail(nothing(&files))));
    };
    for error in refused {
        match error.problem {
            // Other things lie among results too.
            Problem::Unknown { .. } | Problem::Unsupported { .. } | Problem::NotText { .. } => {
                let (evidence, advice) = (Sentence::quoting(error.to_string()), Sentence::quoting(error.hint()));
                side.findings.push(Finding::new(Code::LeftOut, Severity::Warning, evidence, advice));
            }
            // A result that is broken or empty may have held anything.
            ref problem => side.failed.push(SavedFailure {
                key: error.file.clone(),
                name: error.file.clone(),
                failure: unreadable(problem.to_string()),
            }),
        }
    }
    Ok(side)
}

fn nothing(files: &[(&str, &[u8])]) -> Problem {
    let shown: Vec<&str> = files.iter().map(|(path, _)| *path).take(3).collect();
    let found = match files.len() {
        0 => "it is empty".to_owned(),
        count => format!("{count} files such as {}", shown.join(", ")),
    };
    Problem::NothingInFolder { found }
}

/// BenchmarkDotNet writes the same result in full and in brief, when both were asked for.
fn has_fuller(path: &str, all: &[&(&str, &[u8])]) -> bool {
    path.contains("-report-brief") && {
        let full = path.replace("-report-brief", "-report-full");
        all.iter().any(|(other, _)| *other == full)
    }
}

/// What criterion itself says of its last two runs: ratios, and no times.
fn is_change_of_criterion(path: &str) -> bool {
    ["change/estimates.json", "change\\estimates.json"].iter().any(|end| path.ends_with(end))
}

/// Directory, baseline and file of one of criterion's files.
fn criterion_parts(path: &str) -> Option<(&str, &str, &str)> {
    let (rest, file) = path.rsplit_once(['/', '\\'])?;
    let (directory, baseline) = rest.rsplit_once(['/', '\\'])?;
    // `change` holds the comparison of the last two runs.
    let known = ["sample.json", "estimates.json", "benchmark.json"].contains(&file) && baseline != "change";
    known.then_some((directory, baseline, file))
}

/// The benchmarks of criterion's trees at a baseline: several trees are of several processes.
fn criterion(name: &str, files: &[&(&str, &[u8])], wanted: &str) -> Result<Vec<Saved>, ImportError> {
    let mut found: BTreeMap<&str, Files> = BTreeMap::new();
    let mut samples: BTreeMap<&str, (&str, &[u8])> = BTreeMap::new();
    for (path, bytes) in files {
        let Some((directory, _, file)) = criterion_parts(path).filter(|(_, baseline, _)| *baseline == wanted) else {
            continue;
        };
        let fail = |problem| ImportError { file: (*path).to_owned(), problem };
        let text = text::decode(bytes).map_err(fail)?;
        let node = Some(json::parse(&text, "criterion").map_err(fail)?);
        let of = found.entry(directory).or_default();
        match file {
            "sample.json" => {
                of.sample = node;
                samples.insert(directory, (path, bytes));
            }
            "estimates.json" => of.estimates = node,
            _ => of.benchmark = node,
        }
    }
    let fail = |problem| ImportError { file: name.to_owned(), problem };
    // What stands alone is a benchmark whose baseline of this name was removed.
    found.retain(|_, files| files.sample.is_some() || files.estimates.is_some());
    if found.is_empty() {
        let there = criterion_baselines(files.iter().map(|(path, _)| *path)).join(", ");
        let found = format!("there is no criterion baseline `{wanted}`, only {there}");
        return Err(fail(Problem::NothingInFolder { found }));
    }
    let mut trees: BTreeMap<&str, Builder> = BTreeMap::new();
    for (directory, of) in &found {
        let (tree, below) = of_tree(directory, of);
        let builder = trees.entry(tree).or_insert_with(|| Builder::new("criterion"));
        add(builder, below, of).map_err(|fault| {
            // Only a sample has a form that must be kept.
            let (path, bytes) = samples.get(directory).copied().unwrap_or((directory, &[]));
            let text = text::decode(bytes).unwrap_or_default();
            let root = of.sample.as_ref().unwrap_or(&NOTHING);
            ImportError { file: path.to_owned(), problem: fault.problem("criterion", root, &text) }
        })?;
    }
    let finish = |builder: Builder| builder.finish(format!("criterion, baseline `{wanted}`"));
    let finished: Result<Vec<Saved>, _> = trees.into_values().map(finish).collect();
    finished.map_err(|fault| fail(fault.problem("criterion", &NOTHING, "")))
}

/// The tree that a directory of a benchmark stands in, and what is below it: criterion notes the latter, else it is what follows
/// a folder of the name `criterion`.
fn of_tree<'a>(directory: &'a str, files: &Files) -> (&'a str, &'a str) {
    let noted = files.benchmark.as_ref().and_then(|b| b.text_at("directory_name"));
    let tree = noted.filter(|noted| !noted.is_empty()).and_then(|noted| directory.strip_suffix(noted));
    match tree.filter(|tree| tree.is_empty() || tree.ends_with(['/', '\\'])) {
        Some(tree) => (tree, &directory[tree.len()..]),
        None => match directory.rsplit_once("criterion/") {
            Some((_, below)) => directory.split_at(directory.len() - below.len()),
            None => ("", directory),
        },
    }
}

const NOTHING: Node = Node { at: 0, value: Value::Null };
