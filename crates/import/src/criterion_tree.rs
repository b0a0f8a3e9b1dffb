//! criterion's folders: which files belong to one benchmark, and which benchmarks to one tree. Several trees are of several processes.

use crate::builder::Builder;
use crate::error::{ImportError, Problem};
use crate::folder::criterion_baselines;
use crate::formats::criterion::{add, Files};
use crate::node::Node;
use crate::{json, text};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{Code, Saved, Sentence, Severity};

/// Files that make up a benchmark at a baseline.
const FILES: [&str; 4] = ["sample.json", "estimates.json", "benchmark.json", "raw.csv"];

/// Directory, baseline and file of one of criterion's files.
pub(crate) fn parts(path: &str) -> Option<(&str, &str, &str)> {
    let (rest, file) = path.rsplit_once(['/', '\\'])?;
    let (directory, baseline) = rest.rsplit_once(['/', '\\'])?;
    // `change` holds the comparison of the last two runs.
    (FILES.contains(&file) && baseline != "change").then_some((directory, baseline, file))
}

/// A folder with nothing in it, as the caller names it.
pub(crate) fn is_empty_folder(path: &str) -> bool {
    path.ends_with(['/', '\\'])
}

/// The benchmarks of criterion's trees at a baseline. `empty` are folders with nothing in them: criterion makes the folder of a
/// benchmark before it has a result.
pub(crate) fn read_trees(
    name: &str,
    files: &[(&str, &[u8])],
    empty: &[&str],
    wanted: &str,
) -> Result<Vec<Saved>, ImportError> {
    let (found, contents) = gathered(files, wanted)?;
    let fail = |problem| ImportError { file: name.to_owned(), problem };
    if !found.values().any(Files::has_values) {
        let there = criterion_baselines(files.iter().map(|(path, _)| *path)).join(", ");
        let found = format!("there is no criterion baseline `{wanted}`, only {there}");
        return Err(fail(Problem::NothingInFolder { found }));
    }
    let mut trees: BTreeMap<&str, Builder> = BTreeMap::new();
    let known: Vec<&str> = found.iter().filter_map(|(directory, of)| noted_tree(directory, of)).collect();
    for (directory, of) in &found {
        let (tree, below) = tree_of(directory, of, &known);
        let builder = trees.entry(tree).or_insert_with(|| Builder::new("criterion"));
        if !of.has_values() {
            builder.failed(
                of.full_name().unwrap_or(below),
                "criterion recorded no values: the benchmark failed or was stopped",
            );
            continue;
        }
        add(builder, below, of).map_err(|fault| {
            // Only a sample has a form that must be kept.
            let (path, bytes) = contents.get(directory).copied().unwrap_or((directory, &[]));
            let text = text::decode(bytes).unwrap_or_default();
            let root = of.sample.as_ref().unwrap_or(&Node::NOTHING);
            ImportError { file: path.to_owned(), problem: fault.problem("criterion", root, &text) }
        })?;
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

/// Files of benchmarks by their directories, and those of samples with their paths.
type Gathered<'a> = (BTreeMap<&'a str, Files>, BTreeMap<&'a str, (&'a str, &'a [u8])>);

/// The files of each benchmark at the baseline.
fn gathered<'a>(files: &[(&'a str, &'a [u8])], wanted: &str) -> Result<Gathered<'a>, ImportError> {
    let (mut found, mut samples): Gathered = Default::default();
    for (path, bytes) in files {
        let Some((directory, _, file)) = parts(path).filter(|(_, baseline, _)| *baseline == wanted) else {
            continue;
        };
        let fail = |problem| ImportError { file: (*path).to_owned(), problem };
        let text = text::decode(bytes).map_err(fail)?;
        let of: &mut Files = found.entry(directory).or_default();
        if file == "raw.csv" {
            of.raw = Some(text.into_owned());
            continue;
        }
        let node = Some(json::parse(&text, "criterion").map_err(fail)?);
        match file {
            "sample.json" => {
                of.sample = node;
                samples.insert(directory, (path, bytes));
            }
            "estimates.json" => of.estimates = node,
            _ => of.benchmark = node,
        }
    }
    Ok((found, samples))
}

/// Says which benchmarks have other baselines alone.
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
        let evidence = Sentence::new("without the baseline `{baseline}`, and left out: {names}")
            .text("baseline", wanted)
            .names("names", others.into_iter().collect());
        builder.finding(Code::LeftOut, Severity::Note, evidence, "measure them again, or choose another baseline");
    }
}

/// The tree that criterion's own note of a benchmark's directory shows.
fn noted_tree<'a>(directory: &'a str, files: &Files) -> Option<&'a str> {
    let noted = files.benchmark.as_ref().and_then(|b| b.text_at("directory_name"));
    let tree = noted.filter(|noted| !noted.is_empty()).and_then(|noted| directory.strip_suffix(noted))?;
    (tree.is_empty() || tree.ends_with(['/', '\\'])).then_some(tree)
}

/// The tree that a directory of a benchmark stands in, and what is below it: criterion notes the latter, else it is what follows
/// a tree that is known, or a folder of the name `criterion`.
fn tree_of<'a>(directory: &'a str, files: &Files, known: &[&str]) -> (&'a str, &'a str) {
    let around = || known.iter().filter(|tree| directory.starts_with(**tree)).map(|tree| tree.len()).max();
    let below_folder = || directory.rsplit_once("criterion/").map(|(_, below)| directory.len() - below.len());
    let length = noted_tree(directory, files).map(str::len).or_else(around).or_else(below_folder);
    directory.split_at(length.unwrap_or(0))
}
