//! A folder of results as one side: criterion's tree, or several files of one tool, each from a process of its own.

use crate::criterion_tree::{is_empty_folder, parts, read_trees};
use crate::error::{ImportError, Problem};
use crate::sniff::sniff;
use crate::{read, text};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tare_analysis::{Code, Finding, Saved, SavedFailure, Sentence, Severity};

const RUN: &str = "run.json";
const FILES_MAX: usize = 20_000;

/// Whether a file has a name typical of results, so that problems with it are reported and not ignored as with other files.
pub fn wants(path: &str) -> bool {
    let name = name_of(path).to_ascii_lowercase();
    // criterion's fences, and files that accompany reports; hidden files are settings of tools.
    const NOT: [&str; 4] = ["tukey.json", "package.json", "package-lock.json", "events.jsonl"];
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ends = [".json", ".txt", ".bench", ".out", ".xml", ".csv"].iter().any(|end| name.ends_with(end));
    ends && !NOT.contains(&name) && !name.starts_with('.')
}

/// Whether this is a result in a known form, or compressed, whatever its name and however broken it is.
pub fn is_result(bytes: &[u8]) -> bool {
    match text::decode(bytes) {
        Ok(text) => sniff(&text).is_ok(),
        Err(problem) => matches!(problem, Problem::Damaged | Problem::Compressed { .. }),
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The baselines in a criterion folder, sorted by name; empty for any other folder.
pub fn criterion_baselines<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let found: BTreeSet<String> =
        paths.into_iter().filter_map(parts).map(|(_, baseline, _)| baseline.to_owned()).collect();
    found.into_iter().collect()
}

/// The results of a folder as one side. `files` are paths with contents; paths of empty folders end in `/`. `baseline` selects one of
/// criterion's (`new`).
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
    // Folders have no fixed order, so sort by name.
    files.sort_unstable_by_key(|(path, _)| *path);
    let (of_criterion, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| parts(path).is_some());
    let (empty, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(path, _)| is_empty_folder(path));
    let mut parts = Vec::new();
    if !of_criterion.is_empty() {
        let empty: Vec<&str> = empty.iter().map(|(path, _)| *path).collect();
        parts.extend(read_trees(name, &of_criterion, &empty, baseline)?);
    }
    let (mut refused, mut left_out): (Vec<ImportError>, Vec<ImportError>) = (Vec::new(), Vec::new());
    let runs: HashSet<&str> = others.iter().filter_map(|(path, _)| path.strip_suffix(RUN)).collect();
    let said_elsewhere = |path: &str| {
        has_fuller(path, &others) || is_of_run(path, &runs) || (!of_criterion.is_empty() && is_of_criterion(path))
    };
    for (path, bytes) in others.iter().filter(|(path, _)| !said_elsewhere(path)) {
        match read(path, bytes) {
            Ok(saved) => parts.push(saved),
            // Folders contain other files too; a result that is broken or empty may have held anything.
            Err(error) if error.is_unknown() => left_out.push(error),
            Err(error) if wants(path) || is_result(bytes) => refused.push(error),
            Err(error) => left_out.push(error),
        }
    }
    let Some(mut side) = Saved::merge(name, parts) else {
        let errors =
            refused.into_iter().chain(left_out).filter(|error| wants(&error.file) || !is_other(&error.problem));
        // The first one whose tool is known says most.
        let first = errors.min_by_key(|error| is_other(&error.problem));
        return Err(first.map_or_else(|| fail(nothing(&others)), |error| error.below(name)));
    };
    side.findings.extend(no_results(left_out));
    side.failed.extend(
        refused
            .into_iter()
            .map(|ImportError { file, problem }| SavedFailure::because(file.clone(), file, problem.to_string())),
    );
    Ok(side)
}

/// Whether a file is probably not a result, unless its name says so.
fn is_other(problem: &Problem) -> bool {
    matches!(problem, Problem::Unknown { .. } | Problem::NotText { .. } | Problem::Empty)
}

fn no_results(left_out: Vec<ImportError>) -> Vec<Finding> {
    let mut kinds: BTreeMap<(bool, String), Vec<ImportError>> = BTreeMap::new();
    for error in left_out {
        let kind = match &error.problem {
            Problem::Unknown { .. } | Problem::NotText { .. } => "is in no known result format".to_owned(),
            problem => problem.to_string(),
        };
        kinds.entry((is_other(&error.problem) && !wants(&error.file), kind)).or_default().push(error);
    }
    let told = |((is_other, kind), errors): ((bool, String), Vec<ImportError>)| {
        let severity = if is_other { Severity::Note } else { Severity::Warning };
        let advice = match &errors[0].problem {
            // Such a file does not have the name of a result.
            Problem::Empty => "measure again if it should hold a result".into(),
            _ => Sentence::quoting(errors[0].hint()),
        };
        let evidence = match &errors[..] {
            [only] => Sentence::quoting(only.to_string()),
            several => {
                let kind = kind.replacen("is ", "are ", 1);
                let names = several.iter().map(|error| error.file.clone()).collect();
                Sentence::new("{count} files {kind}: {names}")
                    .count("count", several.len())
                    .text("kind", kind)
                    .names("names", names)
            }
        };
        Finding::new(Code::LeftOut, severity, evidence, advice)
    };
    kinds.into_iter().map(told).collect()
}

fn nothing(files: &[(&str, &[u8])]) -> Problem {
    let shown: Vec<&str> = files.iter().map(|(path, _)| *path).take(3).collect();
    let found = match files.len() {
        0 => "it is empty".to_owned(),
        1 => format!("its only file is {}", shown.join(", ")),
        count => format!("{count} files such as {}", shown.join(", ")),
    };
    Problem::NothingInFolder { found }
}

/// BenchmarkDotNet writes the same result in full and in brief if both were requested.
fn has_fuller(path: &str, all: &[(&str, &[u8])]) -> bool {
    path.contains("-report-brief") && {
        let full = path.replace("-report-brief", "-report-full");
        all.iter().any(|(other, _)| *other == full)
    }
}

/// Files that criterion derives from its samples: reports, fences, and the comparison of its last two runs, which has ratios and no times.
fn is_of_criterion(path: &str) -> bool {
    let mut folders = path.split(['/', '\\']).rev().skip(1);
    name_of(path) == "tukey.json" || folders.any(|folder| ["report", "change"].contains(&folder))
}

/// Files next to the document of a run, whose content is part of it. `runs` are folders of such documents.
fn is_of_run(path: &str, runs: &HashSet<&str>) -> bool {
    let mut folders = path.match_indices(['/', '\\']).map(|(at, _)| &path[..=at]);
    name_of(path) != RUN && (runs.contains("") || folders.any(|folder| runs.contains(folder)))
}
