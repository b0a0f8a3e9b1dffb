//! Removal of old entries from the cache. Each change of a source leaves a program with all its layouts; each revision leaves a checkout
//! and a build folder. Entries unused for long are removed, and the least recently used when the cache is too large.

use super::cache::{unique, Cache};
use crate::languages;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};
use tare_model::Artifact;

const PROGRAMS: &str = "programs";
/// Folders whose entries can each be made again: objects and checkouts, in addition to those of languages.
const BUILDS: [&str; 2] = ["objects", "revisions"];
/// Folder of builds in progress.
const SCRATCH: &str = "tmp";
/// Each running `tare` keeps a locked file here.
const USERS: &str = "users";
/// Default size limit of the cache, bytes.
pub const CACHE_MAX: u64 = 1 << 30;
/// The next command or `--resume` may need entries that were used within this time.
const RECENT: Duration = Duration::from_secs(3600);
/// Remains of crashed builds are removed after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    pub programs: usize,
    pub builds: usize,
    pub bytes: u64,
}

/// Removes entries of the cache that were unused for `unused`, and remains of crashes. Does nothing if the cache does not exist.
pub fn drop_unused(cache: &Path, unused: Duration, now: SystemTime) -> io::Result<Dropped> {
    let mut dropped = Dropped::default();
    for shelf in all_shelves(cache, now)? {
        if shelf.age >= unused {
            shelf.remove(&mut dropped);
        }
    }
    for left in shelves(&cache.join(SCRATCH), false, now)?.iter().filter(|left| left.age > ABANDONED) {
        left.remove(&mut Dropped::default());
    }
    Ok(dropped)
}

/// Marks the programs of artifacts as used now. Best effort: the worst case is another build some day.
pub(crate) fn touch<'a>(cache: &Cache, artifacts: impl Iterator<Item = &'a Artifact>) {
    let root = cache.path(PROGRAMS);
    for program in artifacts.flat_map(|a| a.command.iter().chain(&a.layouts)) {
        if let Some(folder) = Path::new(program).parent().filter(|folder| folder.starts_with(&root)) {
            used(folder);
        }
    }
}

pub(crate) fn used(folder: &Path) {
    let now = FileTimes::new().set_modified(SystemTime::now());
    let _ = File::open(folder).and_then(|folder| folder.set_times(now));
}

/// Registers this process as a user of the cache for its lifetime: other processes keep what it has used.
pub(crate) fn register(cache: &Cache) {
    static USER: OnceLock<Option<File>> = OnceLock::new();
    USER.get_or_init(|| {
        let path = cache.folder(USERS).ok()?.join(unique());
        let file = OpenOptions::new().write(true).create_new(true).open(path).ok()?;
        tare_process::try_lock(&file).ok().filter(|locked| *locked).map(|_| file)
    });
}

/// Age of the oldest process that uses the cache now. Removes the files of those that have ended.
fn oldest_user(cache: &Path, now: SystemTime) -> Duration {
    let entries = fs::read_dir(cache.join(USERS)).into_iter().flatten().flatten();
    let age = |path: PathBuf| {
        let file = File::open(&path).ok()?;
        if tare_process::try_lock(&file).unwrap_or(false) {
            let _ = fs::remove_file(&path);
            return None;
        }
        now.duration_since(file.metadata().ok()?.modified().ok()?).ok()
    };
    entries.filter_map(|entry| age(entry.path())).max().unwrap_or_default()
}

/// Removes the least recently used entries beyond the size limit. Best effort: leftovers only cost space.
pub(crate) fn bound(cache: &Cache, bytes_max: u64) {
    let (root, now) = (cache.path(""), SystemTime::now());
    let kept = RECENT.max(oldest_user(&root, now));
    bound_to(&root, bytes_max, kept, now);
}

fn bound_to(cache: &Path, bytes_max: u64, kept: Duration, now: SystemTime) {
    let mut all = all_shelves(cache, now).unwrap_or_default();
    all.sort_by_key(|shelf| shelf.age);
    let mut bytes = 0;
    for shelf in all {
        bytes += shelf.bytes;
        if bytes > bytes_max && shelf.age > kept {
            shelf.remove(&mut Dropped::default());
        }
    }
}

struct Shelf {
    path: PathBuf,
    age: Duration,
    is_program: bool,
    files: usize,
    bytes: u64,
}

impl Shelf {
    fn remove(&self, dropped: &mut Dropped) {
        if remove(&self.path) {
            match self.is_program {
                true => dropped.programs += self.files,
                false => dropped.builds += 1,
            }
            dropped.bytes += self.bytes;
        }
    }
}

/// Removes a folder of the cache atomically for other processes. Best effort: the next cleaning removes leftovers.
pub(crate) fn remove(folder: &Path) -> bool {
    let aside = folder.with_file_name(format!(".old-{}", unique()));
    let is_removed = fs::rename(folder, &aside).is_ok();
    let _ = fs::remove_dir_all(&aside);
    is_removed
}

fn all_shelves(cache: &Path, now: SystemTime) -> io::Result<Vec<Shelf>> {
    let mut all = shelves(&cache.join(PROGRAMS), true, now)?;
    for builds in languages::all().flat_map(|language| language.shelves).chain(&BUILDS) {
        all.extend(shelves(&cache.join(builds), false, now)?);
    }
    Ok(all)
}

fn shelves(folder: &Path, is_program: bool, now: SystemTime) -> io::Result<Vec<Shelf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let used = fs::metadata(&path).and_then(|facts| facts.modified());
        let age = used.ok().and_then(|used| now.duration_since(used).ok()).unwrap_or_default();
        let (files, bytes) = size(&path);
        found.push(Shelf { path, age, is_program, files, bytes });
    }
    Ok(found)
}

/// Number and total size of the files below a folder; links are not followed.
fn size(folder: &Path) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(facts) if facts.is_dir() => {
                let (more, size) = size(&entry.path());
                files += more;
                bytes += size;
            }
            Ok(facts) if facts.is_file() => {
                files += 1;
                bytes += facts.len();
            }
            _ => {}
        }
    }
    (files, bytes)
}

#[cfg(test)]
mod tests {
    use super::super::tests::help::Folder;
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// A program of `size` bytes that was used so many days ago.
    fn program(cache: &Cache, folder: &Folder, content: &str, days: u32) -> PathBuf {
        let kept = cache.keep_program(&folder.write("built", content), "bench").unwrap();
        let used = FileTimes::new().set_modified(SystemTime::now() - DAY * days);
        File::open(kept.path.parent().unwrap()).unwrap().set_times(used).unwrap();
        kept.path
    }

    fn artifact(program: &Path) -> Artifact {
        Artifact {
            name: "bench".into(),
            language: "c".into(),
            toolchain: "file".into(),
            command: vec![program.to_str().unwrap().into()],
            directory: "/".into(),
            ..Artifact::default()
        }
    }

    #[test]
    fn what_was_not_used_for_long_goes() {
        let folder = Folder::new();
        let root = folder.path.join("cache");
        let cache = Cache::open(&root).unwrap();
        assert_eq!(drop_unused(&root, DAY, SystemTime::now()).unwrap(), Dropped::default());
        let (new, old, used) = (
            program(&cache, &folder, "new", 2),
            program(&cache, &folder, "older", 40),
            program(&cache, &folder, "used again", 40),
        );
        touch(&cache, [artifact(&used)].iter());
        let dropped = drop_unused(&root, DAY * 30, SystemTime::now()).unwrap();
        assert_eq!(dropped, Dropped { programs: 1, builds: 0, bytes: 5 });
        assert!(new.exists() && !old.exists() && used.exists());
        assert_eq!(fs::read_dir(root.join(PROGRAMS)).unwrap().count(), 2, "nothing is left aside");
    }

    #[test]
    fn the_least_recently_used_go_when_there_are_too_many() {
        let folder = Folder::new();
        let root = folder.path.join("cache");
        let cache = Cache::open(&root).unwrap();
        let all = [("aaaa", 5), ("bbbb", 3), ("cccc", 4), ("dddd", 0)];
        let all = all.map(|(content, days)| program(&cache, &folder, content, days));
        // Folders of builds share the limit; their files lie deep, and link targets do not count.
        let build = cache.folder("cargo/b1/release/deps").unwrap();
        fs::write(build.join("lib.rlib"), "eeee").unwrap();
        std::os::unix::fs::symlink(&root, build.join("link")).unwrap();
        let days_ago = |path: &Path, days: u32| {
            File::open(path).unwrap().set_times(FileTimes::new().set_modified(SystemTime::now() - DAY * days)).unwrap();
        };
        days_ago(&root.join("cargo/b1"), 2);
        let is_left = || (all.each_ref().map(|p| p.exists()), build.exists());
        bound_to(&root, 12, DAY / 24, SystemTime::now());
        assert_eq!(is_left(), ([false, true, false, true], true));
        bound_to(&root, 1, DAY * 3, SystemTime::now());
        assert_eq!(
            is_left(),
            ([false, false, false, true], true),
            "somebody began two days ago, and may use the build"
        );
        bound_to(&root, 1, DAY / 24, SystemTime::now());
        assert_eq!(is_left(), ([false, false, false, true], false), "what was used now may be measured");
    }

    #[test]
    fn who_uses_the_cache_is_known_as_long_as_it_lives() {
        let folder = Folder::new();
        let cache = Cache::open(&folder.path.join("cache")).unwrap();
        let users = cache.folder(USERS).unwrap();
        let user = |name: &str, days: u32| {
            let file = File::create(users.join(name)).unwrap();
            file.set_times(FileTimes::new().set_modified(SystemTime::now() - DAY * days)).unwrap();
            file
        };
        drop(user("ended", 9));
        let running = user("running", 2);
        assert!(tare_process::try_lock(&running).unwrap());
        let age = oldest_user(&cache.path(""), SystemTime::now());
        assert!(age >= DAY * 2 && age < DAY * 3, "{age:?}");
        assert!(!users.join("ended").exists() && users.join("running").exists());
    }
}
