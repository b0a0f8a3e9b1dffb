//! The same change on several machines: a folder with a folder or file for each machine and side, told apart by a part of their
//! names.

use super::super::output::{Shown, Subject};
use super::{saved, Wish, CRITERION};
use crate::failure::Failure;
use crate::sides::read_result;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tare_analysis::{compare_matrix, Comparison};
use tare_model::ExitCode;

/// Reads, compares and shows.
pub fn matrix(folder: &Path, wish: &Wish) -> Result<ExitCode, Failure> {
    let (base, new) = (wish.args.base.as_deref().unwrap_or_default(), wish.args.new.as_deref().unwrap_or_default());
    let pairs = pairs(folder, base, new)?;
    let criterion = wish.args.saved.criterion.as_deref().unwrap_or(CRITERION);
    let mut compared: Vec<(String, Comparison)> = Vec::new();
    for (machine, [base, new]) in pairs {
        let read = |path: &Path| read_result(&path.display().to_string(), path, criterion);
        compared.push((machine, saved::comparison(&read(&base)?, &read(&new)?, wish)?));
    }
    let mut matrix = compare_matrix(&compared);
    if let Some(top) = wish.args.top {
        matrix = matrix.top(top as usize);
    }
    wish.show(Shown::new(Subject::Matrix(&matrix), false))
}

/// For each machine what it has of both sides. The machine is what stays of a name when the side is taken out.
fn pairs(folder: &Path, base: &str, new: &str) -> Result<BTreeMap<String, [PathBuf; 2]>, Failure> {
    let entries = fs::read_dir(folder)
        .map_err(|source| Failure::CannotRead { path: folder.to_owned(), source })?
        .flatten()
        .map(|entry| entry.path());
    let mut found: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some((side, machine)) = side_of(&name, base, new) {
            found.entry(machine).or_default()[side] = Some(path);
        }
    }
    let whole: BTreeMap<String, [PathBuf; 2]> =
        found.into_iter().filter_map(|(machine, [a, b])| Some((machine, [a?, b?]))).collect();
    if whole.is_empty() {
        return Err(Failure::Usage {
            what: format!("no machine has both `{base}` and `{new}` in `{}`", folder.display()),
            hint: format!("name them alike but for the side: `linux-{base}.json` and `linux-{new}.json`"),
        });
    }
    Ok(whole)
}

/// Side and machine of a name. Where one pattern holds the other, the longer one is meant.
fn side_of(name: &str, base: &str, new: &str) -> Option<(usize, String)> {
    let mut patterns = [(0, base), (1, new)];
    patterns.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.len()));
    let (side, pattern) = patterns.into_iter().find(|(_, pattern)| !pattern.is_empty() && name.contains(pattern))?;
    let machine = name.replacen(pattern, "", 1);
    let machine = machine.strip_suffix(".json").unwrap_or(&machine).trim_matches(['-', '_', '.', ' ']);
    Some((side, if machine.is_empty() { "all".to_owned() } else { machine.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::side_of;

    #[test]
    fn the_side_is_a_part_of_the_name() {
        let of = |name: &str| side_of(name, "net8.0", "net9.0");
        assert_eq!(of("arm64-net8.0"), Some((0, "arm64".into())));
        assert_eq!(of("net9.0_linux.json"), Some((1, "linux".into())));
        assert_eq!(of("readme"), None);
        assert_eq!(side_of("x-main-new", "main", "main-new"), Some((1, "x".into())));
        assert_eq!(side_of("main", "main", "new"), Some((0, "all".into())));
    }
}
