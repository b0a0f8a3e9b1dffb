//! The files of a revision in a folder of their own.

use super::benchmarks::Benchmarks;
use super::error::{RevisionError, Why};
use super::git::{Git, QUESTION};
use super::ignored::OF_USER;
use super::neighbours;
use super::packages;
use super::repository::{Commit, Repository};
use super::submodules::{self, Modules};
use crate::toolchain::cache::{unique, Cache, CacheError, Key};
use crate::toolchain::context::Variables;
use crate::toolchain::{retention, shell_word};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use tare_process::files::files_below;

/// The name of the files as they are, including uncommitted changes.
pub const WORKTREE: &str = "worktree";
const REMARKS: &str = ".git/tare-notes";
/// Warning about a sparse checkout.
const SPARSE: &str =
    "your clone lacks other files: it has those of your sparse checkout alone, and benchmarks elsewhere are not there";
const NAMED: usize = 5;
/// A pointer file of Git LFS is smaller than this, according to its specification.
const POINTER_BYTES: u64 = 1024;
/// At most this many other places of a missing file are named.
const ELSEWHERE: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// The revision as requested: `main`, `HEAD~2`, `worktree`.
    pub name: String,
    /// The commit; for the working tree its HEAD, None before the first commit.
    pub commit: Option<Commit>,
    pub folder: PathBuf,
    /// What it lacks and what may surprise; one line each.
    pub warnings: Vec<String>,
    /// What it took from the user's files.
    pub notes: Vec<String>,
    /// Paths of the benchmarks that were laid over it.
    pub laid_over: Vec<PathBuf>,
    root: PathBuf,
    here: PathBuf,
    missing: Vec<PathBuf>,
}

impl Checkout {
    #[cfg(test)]
    pub fn is_worktree(&self) -> bool {
        self.folder == self.root
    }

    /// The place in this checkout of `path`, which is relative to the folder that the checkout was requested in, or absolute in the user's
    /// repository.
    pub fn path(&self, path: &Path) -> Result<PathBuf, RevisionError> {
        self.path_with(&Variables::of_process(), path)
    }

    pub(super) fn path_with(&self, variables: &Variables, path: &Path) -> Result<PathBuf, RevisionError> {
        let inside = inside(&self.root, &self.here, path)?;
        let found = if inside.as_os_str().is_empty() { self.folder.clone() } else { self.folder.join(&inside) };
        let submodule = self.missing.iter().find(|submodule| inside.starts_with(submodule));
        if found.exists() && submodule.is_none() {
            return Ok(found);
        }
        let elsewhere = self.elsewhere(variables, &inside);
        let list: Vec<String> = elsewhere.iter().map(|path| format!("`{}`", path.display())).collect();
        let hint = match submodule.map(|path| path.display()) {
            Some(path) => {
                format!(
                    "it is in the submodule `{path}`, which your clone lacks: `git submodule update --init -- {path}`"
                )
            }
            None if list.is_empty() => format!(
                "`git log --follow -- {}` shows when it was added; `git ls-tree {}` lists its files",
                shell_word(&inside),
                self.name
            ),
            None => format!("it may be called {} there: compare the two folders instead", list.join(" or ")),
        };
        let why = if self.root.join(&inside).exists() { Why::OfToday } else { Why::Usage };
        Err(RevisionError::new(why, format!("`{}` does not exist in `{}`", inside.display(), self.name), hint))
    }

    fn elsewhere(&self, variables: &Variables, path: &Path) -> Vec<PathBuf> {
        let Ok(git) = Git::find(variables, &self.folder) else { return Vec::new() };
        let all = git.files(&[]).into_iter();
        let named = all.filter(|file| file.file_name().is_some() && file.file_name() == path.file_name());
        named.filter(|file| file != path).take(ELSEWHERE).collect()
    }
}

/// Checks out the files of `revision` of the repository that contains `repo_dir`; the word `worktree` means the files as they are. With
/// benchmarks, they are laid over a folder of their own, even for the working tree, which is not changed. Earlier checkouts are reused.
pub fn checkout(
    repo_dir: &Path,
    revision: &str,
    benchmarks: Option<&Benchmarks>,
    cache: &Path,
) -> Result<Checkout, RevisionError> {
    // An interrupt removes a half-made checkout.
    let _hold = tare_process::hold_interrupts();
    checkout_with(&Variables::of_process(), repo_dir, revision, benchmarks, cache)
}

pub(super) fn checkout_with(
    variables: &Variables,
    repo_dir: &Path,
    revision: &str,
    benchmarks: Option<&Benchmarks>,
    cache: &Path,
) -> Result<Checkout, RevisionError> {
    let here = repo_dir.canonicalize().map_err(|_| RevisionError::not_a_repository(repo_dir))?;
    let repository = Repository::open(Git::find(variables, &here)?)?;
    let root = repository.root.clone();
    let checkout = |commit, folder, warnings| Checkout {
        name: revision.to_owned(),
        commit,
        folder,
        warnings,
        notes: Vec::new(),
        laid_over: Vec::new(),
        root: root.clone(),
        here: here.clone(),
        missing: Vec::new(),
    };
    if revision == WORKTREE {
        let commit = repository.resolve("HEAD").ok().map(|(commit, _)| commit);
        let Some(benchmarks) = benchmarks.filter(|benchmarks| !benchmarks.is_of_worktree()) else {
            let warnings = [packages::old_copies(repository.git(), &root), remarks(&repository.git().at(&root))];
            return Ok(checkout(commit, root.clone(), warnings.concat()));
        };
        let cache = Cache::open(cache)?;
        let shelf = cache.folder("revisions")?;
        let place = shelf.join(name_of(WORKTREE, &root, Some(benchmarks)));
        let folder = neighbours::folder(&place, &root);
        benchmarks.copy_worktree(repository.git(), &root, &folder)?;
        neighbours::link(&place, &root);
        name_root(&folder.join(OF_USER[1]), &root);
        let remarks = packages::link(repository.git(), &root, &folder);
        let laid_over = benchmarks.lay_over(&folder, WORKTREE)?;
        retention::used(&place);
        return Ok(Checkout { laid_over, ..checkout(commit, folder, remarks) });
    }
    let (commit, ambiguous) = repository.resolve(revision)?;
    let cache = Cache::open(cache)?;
    let shelf = cache.folder("revisions")?;
    let place = shelf.join(name_of(&commit.id, &root, benchmarks));
    let folder = neighbours::folder(&place, &root);
    let git = repository.git().at(&folder);
    let is_there = match benchmarks {
        None => is_whole(&git, &commit.id),
        Some(benchmarks) => benchmarks.is_laid_over(&folder),
    };
    if !is_there {
        make(&repository, revision, &commit, &place, benchmarks)?;
    }
    let has_content = |path: &PathBuf| root.join(path).is_file() && !is_pointer(&root.join(path));
    let hidden: Vec<PathBuf> = pointers(&git).into_iter().filter(has_content).collect();
    if !hidden.is_empty() {
        let files = list(&hidden);
        let text = format!("files of `{revision}` are pointers of Git LFS, whose content this clone lacks: {files}");
        let hint = format!("tare never downloads: `git lfs fetch origin {revision}` fetches them");
        return Err(RevisionError::new(Why::Usage, text, hint));
    }
    neighbours::link(&place, &root);
    name_root(&folder.join(OF_USER[0]), &root);
    let modules = Modules { folders: repository.modules.clone(), root: root.clone() };
    let missing = submodules::fill(&repository.git().at(&folder), &modules, &repository.object_format);
    let of_packages = packages::link(repository.git(), &root, &folder);
    let mut notes = packages::lock(repository.git(), &root, &folder);
    notes.extend(packages::work(repository.git(), &root, &folder));
    retention::used(&place);
    let laid_over = benchmarks.map(|benchmarks| benchmarks.laid_over(&folder)).unwrap_or_default();
    let remarks = fs::read_to_string(folder.join(REMARKS)).unwrap_or_default();
    let mut warnings: Vec<String> =
        ambiguous.into_iter().chain(remarks.lines().map(str::to_owned)).chain(of_packages).collect();
    if !missing.is_empty() {
        warnings.push(format!(
            "your clone lacks its submodules {}, so code that needs them cannot be built: `git submodule update --init` fetches them",
            list(&missing)
        ));
    }
    if shelf.starts_with(&repository.root) {
        warnings.push(format!(
            "the checkout is inside the working tree: tools that search parent folders, such as Cargo, find `{}`",
            repository.root.display()
        ));
    }
    Ok(Checkout { missing, laid_over, notes, ..checkout(Some(commit), folder, warnings) })
}

/// Records in a checkout which repository it belongs to. Without this, front ends follow installed packages back to the user's files.
fn name_root(file: &Path, root: &Path) {
    let _ = fs::write(file, root.as_os_str().as_encoded_bytes());
}

/// The name of a revision's folder on the shelf. Two clones of one repository have different neighbours.
fn name_of(commit: &str, root: &Path, benchmarks: Option<&Benchmarks>) -> String {
    let of_root = Key::new("repository").with(root.as_os_str().as_encoded_bytes()).finish();
    let of_benchmarks = benchmarks.map(|benchmarks| format!("-{}", &benchmarks.hash()[..8])).unwrap_or_default();
    format!("{commit}-{}{of_benchmarks}", &of_root[..8])
}

/// A path of the user's, relative to the top of the repository.
pub(super) fn inside(root: &Path, here: &Path, path: &Path) -> Result<PathBuf, RevisionError> {
    let full = normal(&here.join(path));
    let inside = full.strip_prefix(root).map(Path::to_owned).ok().or_else(|| {
        let real = without_links(&full);
        real.strip_prefix(root).map(Path::to_owned).ok()
    });
    inside.ok_or_else(|| {
        let text = format!("`{}` is outside the repository `{}`", path.display(), root.display());
        RevisionError::new(
            Why::Usage,
            text,
            "name files of the repository: only those can differ between two revisions",
        )
    })
}

/// Whether a checkout of this commit exists and is unchanged.
pub(super) fn is_whole(git: &Git, commit: &str) -> bool {
    if !git.folder().join(".git/HEAD").is_file() {
        return false;
    }
    let status = git.text(&["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"], QUESTION);
    let head = git.text(&["rev-parse", "HEAD"], QUESTION);
    status.is_ok_and(|changes| changes.is_empty()) && head.is_ok_and(|head| head == commit)
}

/// Makes the checkout beside its place and moves it there.
fn make(
    repository: &Repository,
    revision: &str,
    commit: &Commit,
    place: &Path,
    benchmarks: Option<&Benchmarks>,
) -> Result<(), RevisionError> {
    let beside = place.with_file_name(format!(".tmp-{}", unique()));
    let folder = neighbours::folder(&beside, &repository.root);
    let made = fill(repository, revision, commit, &folder).and_then(|()| match benchmarks {
        Some(benchmarks) => benchmarks.lay_over(&folder, revision).map(drop),
        None => Ok(()),
    });
    let moved = made.and_then(|()| {
        if place.exists() {
            retention::remove(place);
        }
        match fs::rename(&beside, place) {
            // Another process has made the same meanwhile.
            Err(_) if neighbours::folder(place, &repository.root).join(".git/HEAD").is_file() => Ok(()),
            Err(e) => Err(CacheError::new("create", place, e).into()),
            Ok(()) => Ok(()),
        }
    });
    // A no-op after a successful move.
    let _ = fs::remove_dir_all(&beside);
    moved
}

fn fill(repository: &Repository, revision: &str, commit: &Commit, folder: &Path) -> Result<(), RevisionError> {
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, content).map_err(|e| CacheError::new("write", &path, e))
    };
    fs::create_dir_all(folder).map_err(|e| CacheError::new("create", folder, e))?;
    let git = repository.git().at(folder);
    borrow(&git, &repository.objects, &repository.object_format)?;
    if let Ok(list) = fs::read(&repository.shallow) {
        write(".git/shallow", &list)?;
    }
    // For builds that ask `git describe`.
    let tags = repository.git().text(&["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"], QUESTION)?;
    if !tags.is_empty() {
        write(".git/packed-refs", format!("{tags}\n").as_bytes())?;
    }
    let mut failed = git.checkout(&commit.id, None).err();
    let missing = |(_, said): &(RevisionError, String)| {
        let signs = ["unable to read", "missing blob", "promisor", "could not fetch", "bad object"];
        said.lines().find(|line| signs.iter().any(|sign| line.contains(sign))).map(|line| line.trim().to_owned())
    };
    let mut notes = Vec::new();
    // A partial clone of a large repository has only the files of its sparse checkout.
    let sparse =
        if failed.as_ref().is_some_and(|failed| missing(failed).is_some()) { repository.git().sparse() } else { None };
    if let Some(sparse) = sparse {
        fs::create_dir_all(folder.join(".git/info")).map_err(|e| CacheError::new("create", folder, e))?;
        write(".git/info/sparse-checkout", &sparse.patterns)?;
        failed = git.checkout(&commit.id, Some(&sparse)).err();
        notes.push(SPARSE.to_owned());
    }
    if let Some(failed) = failed {
        let Some(reason) = missing(&failed) else { return Err(failed.0) };
        let hint = format!(
            "tare never downloads: `git fetch --refetch --no-filter`, or `git archive {revision} > /dev/null`, fetches what is missing"
        );
        let text = format!("the repository lacks files of `{revision}`: {reason}");
        return Err(RevisionError::new(Why::SetUp, text, hint));
    }
    with_content(&git, &repository.objects)?;
    notes.extend(remarks(&git));
    Ok(write(REMARKS, notes.join("\n").as_bytes())?)
}

/// Replaces pointers of Git LFS by their files, if the clone has them. Git is told to treat them as unchanged.
fn with_content(git: &Git, objects: &Path) -> Result<(), RevisionError> {
    let store = objects.with_file_name("lfs").join("objects");
    for path in pointers(git) {
        let file = git.folder().join(&path);
        let text = fs::read_to_string(&file).unwrap_or_default();
        let id = text.lines().find_map(|line| line.strip_prefix("oid sha256:"));
        let is_id = |id: &&str| id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let Some(object) = id.filter(is_id).map(|id| store.join(&id[..2]).join(&id[2..4]).join(id)) else { continue };
        if object.is_file() {
            fs::copy(&object, &file).map_err(|e| CacheError::new("write", &file, e))?;
            let unchanged =
                [OsStr::new("update-index"), OsStr::new("--assume-unchanged"), OsStr::new("--"), path.as_os_str()];
            git.text(&unchanged, QUESTION)?;
        }
    }
    Ok(())
}

pub(super) fn borrow(git: &Git, objects: &Path, object_format: &str) -> Result<(), RevisionError> {
    let mut init = vec!["init", "--quiet", "--template="];
    let format = format!("--object-format={object_format}");
    if object_format != "sha1" {
        init.push(&format);
    }
    git.text(&init, QUESTION)?;
    let alternates = git.folder().join(".git/objects/info/alternates");
    let objects = [objects.as_os_str().as_encoded_bytes(), b"\n"].concat();
    Ok(fs::write(&alternates, objects).map_err(|e| CacheError::new("write", &alternates, e))?)
}

fn list(paths: &[PathBuf]) -> String {
    let mut names: Vec<String> = paths.iter().take(NAMED).map(|p| format!("`{}`", p.display())).collect();
    if paths.len() > NAMED {
        names.push(format!("and {} more", paths.len() - NAMED));
    }
    names.join(", ").replace('\n', " ")
}

fn remarks(git: &Git) -> Vec<String> {
    let pointers = pointers(git);
    match pointers.is_empty() {
        true => Vec::new(),
        false => vec![format!("its files of Git LFS are pointers without content: {}", list(&pointers))],
    }
}

fn pointers(git: &Git) -> Vec<PathBuf> {
    let files = git.files(&["--", ":(attr:filter=lfs)"]).into_iter();
    files.filter(|path| is_pointer(&git.folder().join(path))).collect()
}

/// The files below these folders that Git LFS has not fetched, in one line; empty: none.
pub fn lfs_pointers<'a>(folders: impl Iterator<Item = &'a Path>) -> String {
    let is_small = |file: &PathBuf| fs::metadata(file).is_ok_and(|facts| facts.len() < POINTER_BYTES);
    let below = |folder: &Path| files_below(folder, 1, &|below| !crate::projects::is_hidden(below));
    let mut found: Vec<PathBuf> = folders.flat_map(below).filter(is_small).filter(|file| is_pointer(file)).collect();
    found.sort();
    found.dedup();
    let here = std::env::current_dir().unwrap_or_default();
    list(&found.iter().map(|file| file.strip_prefix(&here).unwrap_or(file).to_owned()).collect::<Vec<_>>())
}

fn is_pointer(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_ok() && start.starts_with(b"version https://git-lfs")
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            other => normal.push(other),
        }
    }
    normal
}

/// Resolves symbolic links in the part of the path that exists.
fn without_links(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), path.strip_prefix(above)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}
