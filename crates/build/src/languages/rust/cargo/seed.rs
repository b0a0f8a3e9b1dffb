//! The first build of a workspace reuses dependencies that another workspace of the cache has compiled.
//!
//! Workspaces never share a folder of build output: Cargo gives the files of their own packages the same names, and considers a file up to
//! date if its source is older. Cargo's own fingerprints decide whether reused files fit.

use crate::toolchain::depfile;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use tare_process::files::entries;
use toml::{Table, Value};

/// A copy of the workspace's `Cargo.lock`, next to the output of a successful build.
const LOCK: &str = "tare-Cargo.lock";
/// Held during a first build.
static FIRST: Mutex<()> = Mutex::new(());

/// A workspace with its folder of build output.
pub(crate) struct Workspace<'a> {
    pub(crate) workspace: &'a Path,
    /// Its build output, beside the folders of other workspaces.
    pub(crate) target_dir: &'a Path,
    pub(crate) package: &'a str,
}

impl Workspace<'_> {
    /// Runs a build. The first one of a workspace starts with the dependencies of another; first builds run one at a time. `build` is told
    /// whether it is the first.
    pub(crate) fn build<T>(&self, succeeded: impl Fn(&T) -> bool, build: impl FnOnce(bool) -> T) -> T {
        let known = self.target_dir.join(LOCK);
        let turn = (!known.is_file()).then(|| FIRST.lock().unwrap_or_else(PoisonError::into_inner));
        let is_first = turn.is_some() && !known.is_file();
        if is_first {
            self.take_over();
        }
        let built = build(is_first);
        if succeeded(&built) {
            // Without it, the next workspace compiles its own dependencies.
            let _ = fs::copy(self.workspace.join("Cargo.lock"), &known);
        }
        built
    }

    /// Best effort: missing files are compiled.
    fn take_over(&self) {
        let Some(from) = self.nearest() else { return };
        for profile in profiles(&from) {
            let Ok(below) = profile.strip_prefix(&from) else { continue };
            let _ = take_over(&profile, &self.target_dir.join(below));
        }
    }

    fn nearest(&self) -> Option<PathBuf> {
        let ours = fs::read_to_string(self.workspace.join("Cargo.lock")).ok();
        let ours: Option<BTreeSet<String>> = ours.map(|text| packages(&text).0);
        let siblings = entries(self.target_dir.parent()?).into_iter();
        let scored = siblings.filter(|sibling| sibling != self.target_dir).filter_map(|sibling| {
            let lock = sibling.join(LOCK);
            let (theirs, own) = packages(&fs::read_to_string(&lock).ok()?);
            let score = match &ours {
                Some(ours) => theirs.intersection(ours).count(),
                // A library may have no lock file: then an earlier state of the same package is the best choice.
                None => usize::from(own.contains(self.package)),
            };
            let used = fs::metadata(&lock).and_then(|facts| facts.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            (score > 0).then_some((score, used, sibling))
        });
        scored.max().map(|(.., sibling)| sibling)
    }
}

/// External packages of a `Cargo.lock` by name, version and source; and the names of local packages.
fn packages(lock: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let table = lock.parse::<Table>().unwrap_or_default();
    let entries = table.get("package").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (mut from_elsewhere, mut own) = (BTreeSet::new(), BTreeSet::new());
    for entry in entries {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("source") {
            "" => own.insert(text("name").to_owned()),
            source => from_elsewhere.insert(format!("{} {} {source}", text("name"), text("version"))),
        };
    }
    (from_elsewhere, own)
}

/// Folders of profiles, both of the host and of other platforms.
fn profiles(target_dir: &Path) -> Vec<PathBuf> {
    let first = entries(target_dir);
    let second: Vec<PathBuf> = first.iter().flat_map(|folder| entries(folder)).collect();
    first.into_iter().chain(second).filter(|folder| folder.join(".fingerprint").is_dir()).collect()
}

fn take_over(from: &Path, to: &Path) -> io::Result<()> {
    let units: Vec<String> = names(&from.join(".fingerprint"))?;
    let outside = outside(from, &units);
    let is_wanted = |unit: &String| unit.rsplit_once('-').is_some_and(|(package, _)| outside.contains(package));
    let wanted: Vec<&String> = units.iter().filter(|unit| is_wanted(unit)).collect();
    let hashes: BTreeSet<&str> = wanted.iter().filter_map(|unit| Some(unit.rsplit_once('-')?.1)).collect();
    for file in names(&from.join("deps"))? {
        if hash_of(&file).is_some_and(|hash| hashes.contains(hash)) {
            transfer(&from.join("deps").join(&file), &to.join("deps").join(&file))?;
        }
    }
    for unit in &wanted {
        let folder = Path::new("build").join(unit);
        if from.join(&folder).is_dir() {
            transfer(&from.join(&folder), &to.join(&folder))?;
        }
    }
    // Last, since they mark the rest as complete.
    for unit in wanted {
        let folder = Path::new(".fingerprint").join(unit);
        transfer(&from.join(&folder), &to.join(&folder))?;
    }
    Ok(())
}

/// Packages with all sources outside the workspace. rustc runs in the workspace, so paths inside it are relative.
fn outside(profile: &Path, units: &[String]) -> BTreeSet<String> {
    let package_of: HashMap<&str, &str> =
        units.iter().filter_map(|unit| unit.rsplit_once('-').map(|(package, hash)| (hash, package))).collect();
    let deps = names(&profile.join("deps")).unwrap_or_default();
    let scripts = units.iter().flat_map(|unit| {
        let folder = profile.join("build").join(unit);
        names(&folder).unwrap_or_default().into_iter().map(move |name| folder.join(name))
    });
    let rules = deps.iter().map(|name| profile.join("deps").join(name)).chain(scripts);
    let (mut outside, mut inside) = (BTreeSet::new(), BTreeSet::new());
    for path in rules.filter(|path| path.extension().is_some_and(|e| e == "d")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(package) = hash_of(&name).and_then(|hash| package_of.get(hash)) else { continue };
        let text = fs::read_to_string(&path).unwrap_or_default();
        let sources = depfile::prerequisites(&text, Path::new("relative"));
        match !sources.is_empty() && sources.iter().all(|source| source.is_absolute()) {
            true => outside.insert((*package).to_owned()),
            false => inside.insert((*package).to_owned()),
        };
    }
    &outside - &inside
}

fn hash_of(file: &str) -> Option<&str> {
    Some(file.split('.').next()?.rsplit_once('-')?.1)
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    Ok(fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

/// Transfers a folder or file with its time, which Cargo checks. Files that compilers replace as a whole are linked; files that are written
/// in place are copied.
fn transfer(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        return names(from)?.iter().try_for_each(|name| transfer(&from.join(name), &to.join(name)));
    }
    if to.exists() {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let is_whole = from.extension().is_some_and(|e| ["rlib", "rmeta", "so", "dylib"].iter().any(|whole| e == *whole));
    if is_whole && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    let times = FileTimes::new().set_modified(fs::metadata(from)?.modified()?);
    // A copied program may be read-only, but its time can still be set.
    File::open(to)?.set_times(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_and_names() {
        let lock = "[[package]]\nname = \"own\"\nversion = \"1\"\n[[package]]\nname = \"a\"\nversion = \"2\"\nsource = \"s\"\n";
        assert_eq!(packages(lock), (["a 2 s".to_owned()].into(), ["own".to_owned()].into()));
        assert_eq!(packages("broken ["), Default::default());
        assert_eq!(hash_of("libserde_json-178fbdce.rlib"), Some("178fbdce"));
        assert_eq!(hash_of("x-1.x.cgu-0.rcgu.o"), Some("1"));
        assert_eq!(hash_of("plain"), None);
    }
}
