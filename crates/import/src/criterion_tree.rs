//! criterion's folders: which files form a benchmark, and which benchmarks form a tree. Each tree is from another process.

use crate::builder::Builder;
use crate::error::{ImportError, Problem};
use crate::folder::criterion_baselines;
use crate::formats::criterion::{add, sampled, Files, SAMPLE};
use crate::node::Node;
use crate::{json, text};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{Code, Saved, Sentence, Severity};

/// Files of a benchmark in a baseline.
const FILES: [&str; 3] = [SAMPLE, "estimates.json", "benchmark.json"];

/// Splits the path of one of criterion's files into directory, baseline and file.
pub(crate) fn parts(path: &str) -> Option<(&str, &str, &str)> {
    let (rest, file) = path.rsplit_once(['/', '\\'])?;
    let (directory, baseline) = rest.rsplit_once(['/', '\\'])?;
    // `change` holds the comparison of the last two runs.
    (FILES.contains(&file) && baseline != "change").then_some((directory, baseline, file))
}

/// Whether the caller marks the path as an empty folder.
pub(crate) fn is_empty_folder(path: &str) -> bool {
    path.ends_with(['/', '\\'])
}

/// The benchmarks in a baseline of criterion's trees. `empty` are empty folders: criterion creates the folder of a benchmark before it has
/// a result.
pub(crate) fn read_trees(
    name: &str,
    files: &[(&str, &[u8])],
    empty: &[&str],
    wanted: &str,
) -> Result<Vec<Saved>, ImportError> {
    let Gathered { found, broken } = gathered(files, wanted);
    let fail = |problem| ImportError { file: name.to_owned(), problem };
    if !found.values().any(Files::has_values) {
        // If nothing can be read, report the file rather than what a benchmark lacks.
        if let Some(error) = broken {
            return Err(error.below(name));
        }
        let there = criterion_baselines(files.iter().map(|(path, _)| *path)).join(", ");
        let found = format!("there is no criterion baseline `{wanted}`, only {there}");
        return Err(fail(Problem::NothingInFolder { found }));
    }
    let mut trees: BTreeMap<&str, Builder> = BTreeMap::new();
    let known: Vec<&str> = found.iter().filter_map(|(directory, of)| noted_tree(directory, of)).collect();
    for (directory, of) in &found {
        let (tree, below) = tree_of(directory, of, &known);
        let builder = trees.entry(tree).or_insert_with(|| Builder::new("criterion"));
        let name = of.full_name().unwrap_or(below);
        if !of.has_values() {
            let why = of.broken_text();
            let nothing = || "criterion recorded no values: the benchmark failed or was stopped".to_owned();
            builder.failed(name, why.unwrap_or_else(nothing));
            continue;
        }
        if let Some(why) = of.broken_text() {
            note_broken(builder, name, why, of);
        }
        add(builder, below, of).map_err(|fault| fail(fault.problem("criterion", &Node::NOTHING, "")))?;
    }
    for folder in empty.iter().map(|path| path.trim_end_matches(['/', '\\'])) {
        let Some((directory, _)) = folder.rsplit_once(['/', '\\']).filter(|(_, baseline)| *baseline == wanted) else {
            continue;
        };
        let (tree, below) = tree_of(directory, &Files::default(), &known);
        let builder = trees.entry(tree).or_insert_with(|| Builder::new("criterion"));
        builder.failed(below, format!("its folder `{wanted}` is empty: the benchmark failed or was stopped"));
    }
    if let Some(builder) = trees.values_mut().next() {
        note_others(builder, files, empty, &found, wanted);
    }
    let finish = |builder: Builder| builder.finish(format!("criterion, baseline `{wanted}`"));
    let finished: Result<Vec<Saved>, _> = trees.into_values().map(finish).collect();
    finished.map_err(|fault| fail(fault.problem("criterion", &Node::NOTHING, "")))
}

#[derive(Default)]
struct Gathered<'a> {
    found: BTreeMap<&'a str, Files>,
    /// The error of the first unreadable file.
    broken: Option<ImportError>,
}

/// The files of each benchmark in the baseline. An unreadable one affects no other.
fn gathered<'a>(files: &[(&'a str, &'a [u8])], wanted: &str) -> Gathered<'a> {
    let mut gathered = Gathered::default();
    for (path, bytes) in files {
        let Some((directory, _, file)) = parts(path).filter(|(_, baseline, _)| *baseline == wanted) else {
            continue;
        };
        let of: &mut Files = gathered.found.entry(directory).or_default();
        if let Err(problem) = take(of, file, bytes) {
            let name = FILES.into_iter().find(|name| *name == file).unwrap_or_default();
            of.broken.push((name, problem.to_string()));
            gathered.broken.get_or_insert(ImportError { file: (*path).to_owned(), problem });
        }
    }
    gathered
}

fn take(of: &mut Files, file: &str, bytes: &[u8]) -> Result<(), Problem> {
    let text = text::decode(bytes)?;
    let node = json::parse(&text, "criterion")?;
    if file == SAMPLE {
        sampled(&node).map_err(|fault| fault.problem("criterion", &node, &text))?;
    }
    match file {
        SAMPLE => of.sample = Some(node),
        "estimates.json" => of.estimates = Some(node),
        _ => of.benchmark = Some(node),
    }
    Ok(())
}

/// Notes what is missing from a benchmark whose other files can be read.
fn note_broken(builder: &mut Builder, name: &str, why: String, of: &Files) {
    let what = match of.sample {
        None => "{why}; `{benchmark}` has only criterion's estimates",
        Some(_) => "{why}; `{benchmark}` is read without it",
    };
    let evidence = Sentence::new(what).text("why", why).name("benchmark", name);
    builder.finding(Code::LeftOut, Severity::Warning, evidence, "measure this benchmark again");
}

/// Notes which benchmarks only have other baselines.
fn note_others(
    builder: &mut Builder,
    files: &[(&str, &[u8])],
    empty: &[&str],
    found: &BTreeMap<&str, Files>,
    wanted: &str,
) {
    let is_known = |directory: &str| {
        found.contains_key(directory)
            || empty.iter().any(|path| {
                path.strip_prefix(directory)
                    .is_some_and(|rest| rest.len() == wanted.len() + 2 && rest[1..].starts_with(wanted))
            })
    };
    let directories = files.iter().filter_map(|(path, _)| Some(parts(path)?.0));
    let others: BTreeSet<String> = directories.filter(|directory| !is_known(directory)).map(str::to_owned).collect();
    if !others.is_empty() {
        let evidence = Sentence::new("left out, because they lack the baseline `{baseline}`: {names}")
            .text("baseline", wanted)
            .names("names", others.into_iter().collect());
        builder.finding(Code::LeftOut, Severity::Note, evidence, "measure them again, or choose another baseline");
    }
}

/// The tree according to criterion's own record of a benchmark's directory.
fn noted_tree<'a>(directory: &'a str, files: &Files) -> Option<&'a str> {
    let noted = files.benchmark.as_ref().and_then(|b| b.text_at("directory_name"));
    let tree = noted.filter(|noted| !noted.is_empty()).and_then(|noted| directory.strip_suffix(noted))?;
    (tree.is_empty() || tree.ends_with(['/', '\\'])).then_some(tree)
}

/// Splits the directory of a benchmark into its tree and the path below it. criterion records the latter; otherwise it is the path after a
/// known tree, or after a folder named `criterion`.
fn tree_of<'a>(directory: &'a str, files: &Files, known: &[&str]) -> (&'a str, &'a str) {
    let around = || known.iter().filter(|tree| directory.starts_with(**tree)).map(|tree| tree.len()).max();
    let below_folder = || directory.rsplit_once("criterion/").map(|(_, below)| directory.len() - below.len());
    let length = noted_tree(directory, files).map(str::len).or_else(around).or_else(below_folder);
    directory.split_at(length.unwrap_or(0))
}
