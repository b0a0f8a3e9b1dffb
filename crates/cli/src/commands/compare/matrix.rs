//! The same change on several machines: a folder with a folder or file for each machine and side, told apart by a part of their
//! names.

use super::selection::Asked;
use super::{criterion_baselines, jobs_of_saved, of_job, saved, CompareContext};
use crate::failure::Failure;
use crate::sides::read_result;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tare_analysis::{compare_matrix, Comparison};
use tare_model::ExitCode;
use tare_report::MatrixSubject;

/// Reads, compares and shows.
pub fn matrix(folder: &Path, context: &CompareContext) -> Result<ExitCode, Failure> {
    let (base, new) =
        (context.args.base.as_deref().unwrap_or_default(), context.args.new.as_deref().unwrap_or_default());
    let Machines { whole, halves } = machines(folder, base, new)?;
    for half in &halves {
        context.console.warn(&format!("`{}` has no `{}` and is left out", half.machine, [base, new][1 - half.side]));
    }
    let (criterion, job) = (criterion_baselines(context.args)?, jobs_of_saved(context.args)?);
    let lacks = |half: &Half| ["new side", "base"][half.side];
    let gone = halves.into_iter().map(|half| (half.machine.clone(), lacks(&half))).collect();
    let mut compared: Vec<(String, Comparison)> = Vec::new();
    let mut asked = Asked::new(context);
    for (machine, [base, new]) in whole {
        let read = |path: &Path, side: usize| {
            let saved = read_result(&path.display().to_string(), path, criterion[side])?;
            match job {
                Some(job) => of_job(saved, job[side]),
                None => Ok(saved),
            }
        };
        let taken = asked.take(read(&base, 0)?, read(&new, 1)?)?;
        compared.push((machine, saved::comparison(&taken, context)?));
    }
    // Not every machine has everything, and one of them must.
    asked.check()?;
    let mut matrix = compare_matrix(&compared);
    if let Some(top) = context.args.top {
        matrix = matrix.top(top as usize);
    }
    context.show(Box::new(MatrixSubject { matrix: &matrix, compared: &compared, gone }), false)
}

/// What a folder has of its machines.
#[derive(Debug)]
struct Machines {
    /// Those that have both sides.
    whole: BTreeMap<String, [PathBuf; 2]>,
    halves: Vec<Half>,
}

/// A machine that has one side alone.
#[derive(Debug, PartialEq)]
struct Half {
    machine: String,
    side: usize,
}

/// For each machine what it has of both sides. The machine is what stays of a name when the side is taken out.
fn machines(folder: &Path, base: &str, new: &str) -> Result<Machines, Failure> {
    let entries = fs::read_dir(folder)
        .map_err(|source| Failure::CannotRead { path: folder.to_owned(), source })?
        .flatten()
        .map(|entry| entry.path());
    let mut found: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((side, machine)) = side_of(&name, base, new) else { continue };
        let place = &mut found.entry(machine.clone()).or_default()[side];
        if let Some(other) = place.replace(path) {
            let other = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(Failure::Usage {
                what: format!("`{other}` and `{name}` are both `{}` of `{machine}`", [base, new][side]),
                hint: "keep one of them, or put both into one folder to make them launches of one side".to_owned(),
            });
        }
    }
    let (mut whole, mut halves) = (BTreeMap::new(), Vec::new());
    for (machine, sides) in found {
        match sides {
            [Some(base), Some(new)] => _ = whole.insert(machine, [base, new]),
            [of_base, _] => halves.push(Half { machine, side: usize::from(of_base.is_none()) }),
        }
    }
    if whole.is_empty() {
        return Err(Failure::Usage {
            what: format!("no machine has both `{base}` and `{new}` in `{}`", folder.display()),
            hint: format!("use names that differ only in the side: `linux-{base}.json` and `linux-{new}.json`"),
        });
    }
    Ok(Machines { whole, halves })
}

/// Endings of files of results; they are no part of the name of a machine.
const ENDINGS: [&str; 7] = [".json", ".txt", ".csv", ".bench", ".out", ".log", ".xml"];

/// Side and machine of a name. Where one pattern holds the other, the longer one is meant.
fn side_of(name: &str, base: &str, new: &str) -> Option<(usize, String)> {
    let mut patterns = [(0, base), (1, new)];
    patterns.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.len()));
    let (side, pattern) = patterns.into_iter().find(|(_, pattern)| !pattern.is_empty() && name.contains(pattern))?;
    let machine = name.replacen(pattern, "", 1);
    let machine = ENDINGS.iter().find_map(|end| machine.strip_suffix(end)).unwrap_or(&machine);
    let machine = machine.trim_matches(['-', '_', '.', ' ']);
    Some((side, if machine.is_empty() { "all".to_owned() } else { machine.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::{machines, side_of, Half};
    use std::fs;

    #[test]
    fn a_machine_with_one_side_is_named_and_two_files_of_a_side_are_a_mistake() {
        let kept = tempfile::tempdir().unwrap();
        let folder = kept.path();
        let file = |name: &str| fs::write(folder.join(name), "").unwrap();
        ["linux-old.txt", "linux-new.json", "mac-old.json", "arm-new.json", "readme"].into_iter().for_each(file);
        let found = machines(folder, "old", "new").ok().unwrap();
        assert_eq!(found.whole.keys().collect::<Vec<_>>(), ["linux"]);
        let half = |machine: &str, side| Half { machine: machine.into(), side };
        assert_eq!(found.halves, [half("arm", 1), half("mac", 0)]);
        file("linux-old.json");
        assert!(machines(folder, "old", "new").is_err());
    }

    #[test]
    fn the_side_is_a_part_of_the_name() {
        let of = |name: &str| side_of(name, "net8.0", "net9.0");
        assert_eq!(of("arm64-net8.0"), Some((0, "arm64".into())));
        assert_eq!(of("net9.0_linux.json"), Some((1, "linux".into())));
        assert_eq!(of("net9.0_linux.txt"), Some((1, "linux".into())));
        assert_eq!(of("readme"), None);
        assert_eq!(side_of("x-main-new", "main", "main-new"), Some((1, "x".into())));
        assert_eq!(side_of("main", "main", "new"), Some((0, "all".into())));
    }
}
