//! Makes installed packages (`node_modules`) available in a checkout. It gets a folder of its own with a link for each package, so that
//! tools do not write among the user's files. A package of the repository itself is linked to the checkout: otherwise both sides would
//! measure the same code.

use super::copies::{packages_in, Own};
use super::git::{Git, QUESTION};
use super::neighbours;
use crate::languages::{self, Installed};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Links packages installed among the user's files at `root` into the checkout at `folder`. Best effort: a program reports a package that
/// it misses. Returns a remark for each folder whose packages may have other versions.
pub(super) fn link(git: &Git, root: &Path, folder: &Path) -> Vec<String> {
    languages::all()
        .filter_map(|source| source.installed)
        .flat_map(|installed| of(git, installed, root, folder))
        .collect()
}

/// Gives the checkout the user's `Cargo.lock` if no commit has one. Without it, Cargo would use the newest versions there and compare them
/// with the user's. Returns a remark if it did.
pub(super) fn lock(git: &Git, root: &Path, folder: &Path) -> Vec<String> {
    const LOCK: &str = "Cargo.lock";
    let tracked = |folder| git.at(folder).files(&["--", "Cargo.toml", "*/Cargo.toml", LOCK, "*/Cargo.lock"]);
    let (here, there) = (tracked(root), tracked(folder));
    let mut taken = Vec::new();
    for place in there.iter().filter(|file| file.ends_with("Cargo.toml")).filter_map(|file| file.parent()) {
        let lock = place.join(LOCK);
        let is_ours = !here.contains(&lock) && !there.contains(&lock) && is_inside(&folder.join(place), folder);
        if is_ours && root.join(&lock).is_file() && fs::copy(root.join(&lock), folder.join(&lock)).is_ok() {
            taken.push(format!("`{}` is not in git: both sides use the one in the working tree", lock.display()));
        }
    }
    taken
}

/// Gives the checkout the user's `go.work` if no commit has one, as Go advises, so that the modules of the repository are those of the
/// revision. One above the repository is written above the checkout. Returns a remark if it did.
pub(super) fn work(git: &Git, root: &Path, folder: &Path) -> Vec<String> {
    const WORK: &str = "go.work";
    let tracked = git.at(folder).files(&["--", "go.mod", "*/go.mod", WORK, "*/go.work"]);
    let is_module = |file: &&PathBuf| file.ends_with("go.mod");
    let places: BTreeSet<&Path> = tracked.iter().filter(is_module).flat_map(|file| file.ancestors().skip(1)).collect();
    let mut taken = Vec::new();
    let take = |from: &Path, to: &Path| {
        let Ok(text) = fs::read_to_string(from.join(WORK)) else {
            // It may exist from an earlier checkout.
            let _ = fs::remove_file(to.join(WORK));
            return false;
        };
        // Paths may be absolute. Go would fail on modules that the revision does not have yet.
        let text = text.replace(&*root.to_string_lossy(), &folder.to_string_lossy());
        let is_there = |line: &&str| {
            let path = line.trim().trim_start_matches("use ").trim().trim_matches('"');
            !path.starts_with(['.', '/']) || to.join(path).join("go.mod").is_file()
        };
        let text: String = text.lines().filter(is_there).flat_map(|line| [line, "\n"]).collect();
        // The checksums; most workspaces have none.
        let _ = fs::copy(from.join("go.work.sum"), to.join("go.work.sum"));
        fs::write(to.join(WORK), text).is_ok()
    };
    for place in &places {
        let is_ours = !tracked.contains(&place.join(WORK)) && is_inside(&folder.join(place), folder);
        if is_ours && take(&root.join(place), &folder.join(place)) {
            taken.push(format!("`{}` is not in git: that of the working tree is used", place.join(WORK).display()));
        }
    }
    let above = neighbours::above(root, folder).filter(|_| !places.is_empty());
    let laid = above.filter(|(real, mirrored)| take(real, mirrored)).last();
    taken.extend(laid.map(|(real, _)| format!("`{}`, above the repository, is used", real.join(WORK).display())));
    taken
}

fn of(git: &Git, installed: &Installed, root: &Path, folder: &Path) -> Vec<String> {
    let mut remarks = Vec::new();
    let own = Own::of(git, installed, root);
    for place in own.places() {
        let (real, mirrored) = (root.join(place), folder.join(place));
        let packages = real.join(installed.folder);
        if !(packages.is_dir() && is_inside(&mirrored, folder)) || is_committed(git, root, place, installed) {
            continue;
        }
        if let Some(of_copies) = mirror(installed, &own, place, root, folder) {
            remarks.extend(of_copies);
            remarks.extend(differing(installed, &real, &mirrored).map(|name| remark(installed, place, &name)));
        }
    }
    remarks
}

pub(super) fn old_copies(git: &Git, root: &Path) -> Vec<String> {
    let all = languages::all().filter_map(|source| source.installed);
    all.flat_map(|installed| Own::of(git, installed, root).old_copies()).collect()
}

pub(super) fn places(git: &Git, installed: &Installed) -> Vec<PathBuf> {
    let below = format!("*/{}", installed.manifest);
    let files = git.files(&["--cached", "--others", "--exclude-standard", "--", installed.manifest, &below]);
    let mut places: Vec<PathBuf> = files.iter().filter_map(|file| file.parent().map(Path::to_owned)).collect();
    places.sort();
    places.dedup();
    places
}

/// A folder within the checkout: a committed link may lead out of it.
fn is_inside(mirrored: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    mirrored.is_dir() && matches!((real(mirrored), real(folder)), (Some(to), Some(top)) if to.starts_with(&top))
}

/// If the user commits the packages, each revision has its own.
fn is_committed(git: &Git, root: &Path, place: &Path, installed: &Installed) -> bool {
    let path = place.join(installed.folder);
    let words = [OsStr::new("ls-files"), OsStr::new("-z"), OsStr::new("--"), path.as_os_str()];
    git.at(root).run(&words, QUESTION).is_ok_and(|done| !done.stdout.is_empty())
}

/// Links each package and returns remarks. None: the checkout has packages of its own.
fn mirror(installed: &Installed, own: &Own, place: &Path, root: &Path, folder: &Path) -> Option<Vec<String>> {
    let (packages, into) = (root.join(place).join(installed.folder), folder.join(place).join(installed.folder));
    let is_own = into.is_symlink() || into.exists() && !into.join(MARK).is_file();
    if is_own || fs::create_dir_all(&into).is_err() || fs::write(into.join(MARK), "").is_err() {
        return None;
    }
    let mut remarks = Vec::new();
    for (name, package) in
        packages_in(&packages).into_iter().filter(|(name, _)| !name.starts_with('.') || name == installed.programs)
    {
        let shown = place.join(installed.folder).join(&name);
        let (target, remark) = target_of(installed, own, (&package, &name, &shown), root, folder);
        remarks.extend(remark);
        put(&target, &into.join(&name));
    }
    Some(remarks)
}

/// Marks a folder of packages as ours.
const MARK: &str = ".tare-linked";

/// The target of the link to an installed package, and a remark if the sides do not get their own code.
fn target_of(
    installed: &Installed,
    own: &Own,
    (package, name, shown): (&Path, &str, &Path),
    root: &Path,
    folder: &Path,
) -> (PathBuf, Option<String>) {
    let real = package.canonicalize().unwrap_or_else(|_| package.to_owned());
    if package.is_symlink() && own.is_of_repository(&real) {
        return (folder.join(real.strip_prefix(root).unwrap_or(&real)), None);
    }
    let Some((sources, is_copy)) = own.sources(package, name) else { return (package.to_owned(), None) };
    let (copy, of) = (shown.display(), sources.display());
    let there = folder.join(sources);
    match (is_copy, there.join(installed.manifest).is_file()) {
        (true, true) => (there, None),
        (true, false) => (
            package.to_owned(),
            Some(format!("`{copy}` is a copy of `{of}`, which the revision lacks: both sides use the copy")),
        ),
        (false, _) => {
            let remark =
                format!("`{copy}` is another version than `{of}` and no copy of it: both sides use what is installed");
            (package.to_owned(), Some(remark))
        }
    }
}

fn put(target: &Path, link: &Path) {
    let is_right = fs::read_link(link).is_ok_and(|there| there == target);
    if !is_right {
        if link.is_symlink() {
            let _ = fs::remove_file(link);
        }
        // The link of a scoped package lies in a subfolder.
        let _ = link.parent().map(fs::create_dir_all);
        let _ = std::os::unix::fs::symlink(target, link);
    }
}

/// The manifest or lock file by which the revision asks for other versions.
fn differing(installed: &Installed, real: &Path, mirrored: &Path) -> Option<String> {
    let read = |folder: &Path, name: &str| fs::read(folder.join(name)).ok();
    let locks = installed
        .locks
        .iter()
        .filter(|name| matches!((read(real, name), read(mirrored, name)), (Some(here), Some(there)) if here != there));
    let name = installed.manifest;
    let text = |folder: &Path| String::from_utf8_lossy(&read(folder, name).unwrap_or_default()).into_owned();
    let asks_for_others = (installed.wanted)(&text(real)) != (installed.wanted)(&text(mirrored));
    asks_for_others.then_some(name).into_iter().chain(locks.copied()).next().map(str::to_owned)
}

fn remark(installed: &Installed, place: &Path, name: &str) -> String {
    format!(
        "`{}` differs from that of the working tree, whose `{}` is used for both: packages may have other versions than the revision asks for",
        place.join(name).display(),
        place.join(installed.folder).display()
    )
}
