//! A folder of results as one side: criterion's tree, or several files of one tool, each of a process of its own.

use crate::criterion_tree::{is_empty_folder, parts, read_trees};
use crate::error::{ImportError, Problem};
use crate::read;
use std::collections::BTreeSet;
use tare_analysis::{Code, Finding, Saved, SavedFailure, Sentence, Severity};

/// Files that are looked at.
const FILES_MAX: usize = 20_000;

/// Whether a file of a folder may be part of a result: the caller need not read others.
pub fn wants(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    // criterion's plots and fences, and what reports stand beside; hidden files are settings of tools.
    const NOT: [&str; 4] = ["tukey.json", "package.json", "package-lock.json", "events.jsonl"];
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ends = [".json", ".txt", ".bench", ".out", ".xml"].iter().any(|end| name.ends_with(end));
    // Older criterion wrote its samples as CSV.
    (ends && !NOT.contains(&name) && !name.starts_with('.')) || name == "raw.csv"
}

/// The baselines that a criterion folder holds, in order of name; empty for any other folder.
pub fn criterion_baselines<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let found: BTreeSet<String> =
        paths.into_iter().filter_map(parts).map(|(_, baseline, _)| baseline.to_owned()).collect();
    found.into_iter().collect()
}

/// The results of a folder as one side: `files` are paths with contents, those of folders with nothing in them end in `/`; `baseline` is which of criterion's is meant (`new`).
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
    let (of_criterion, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| parts(path).is_some());
    let (empty, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(path, _)| is_empty_folder(path));
    let mut parts = Vec::new();
    if !of_criterion.is_empty() {
        let empty: Vec<&str> = empty.iter().map(|(path, _)| *path).collect();
        parts.extend(read_trees(name, &of_criterion, &empty, baseline)?);
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
        return Err(refused.into_iter().next().map_or_else(|| fail(nothing(&others)), |error| error.below(name)));
    };
    for error in refused {
        match error.problem {
            // Other things lie among results too.
            Problem::Unknown { .. } | Problem::Unsupported { .. } | Problem::NotText { .. } => {
                let (evidence, advice) = (Sentence::quoting(error.to_string()), Sentence::quoting(error.hint()));
                side.findings.push(Finding::new(Code::LeftOut, Severity::Warning, evidence, advice));
            }
            // A result that is broken or empty may have held anything.
            problem => {
                side.failed.push(SavedFailure::because(error.file.clone(), error.file, problem.to_string()));
            }
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
fn has_fuller(path: &str, all: &[(&str, &[u8])]) -> bool {
    path.contains("-report-brief") && {
        let full = path.replace("-report-brief", "-report-full");
        all.iter().any(|(other, _)| *other == full)
    }
}

/// What criterion itself says of its last two runs: ratios, and no times.
fn is_change_of_criterion(path: &str) -> bool {
    ["change/estimates.json", "change\\estimates.json"].iter().any(|end| path.ends_with(end))
}
