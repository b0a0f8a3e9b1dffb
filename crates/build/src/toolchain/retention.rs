//! What goes from the folder of built programs. Each change of a source leaves a program with all its layouts, and nobody looks
//! at them again: those that were not used for long go, and the least recently used when there are too many.

use super::cache::{unique, Cache};
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tare_model::Artifact;

/// Folder of the programs in the cache.
const PROGRAMS: &str = "programs";
/// Folder of builds that are under way.
const SCRATCH: &str = "tmp";
/// Programs may take so much, bytes.
const BYTES_MAX: u64 = 2 << 30;
/// What was used within this time may be measured now, by another `tare`, or be wanted by `--resume`.
const IN_USE: Duration = Duration::from_secs(24 * 3600);

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Programs, each layout by itself.
    pub programs: usize,
    /// Their size.
    pub bytes: u64,
}

/// Removes the programs of the cache at `cache` that no build or run used for `unused`, and what crashes left. A cache that is not
/// there has none.
///
/// # Errors
/// When the folder of the programs is there and cannot be read.
pub fn drop_programs(cache: &Path, unused: Duration, now: SystemTime) -> io::Result<Dropped> {
    let mut dropped = Dropped::default();
    for shelf in shelves(&cache.join(PROGRAMS), now)? {
        if shelf.age >= unused {
            shelf.remove(&mut dropped);
        }
    }
    for left in shelves(&cache.join(SCRATCH), now)?.iter().filter(|left| left.age > IN_USE) {
        left.remove(&mut Dropped::default());
    }
    Ok(dropped)
}

/// Notes that the programs of artifacts are used now. Best effort: what is not noted is built again some day.
pub(crate) fn touch<'a>(cache: &Cache, artifacts: impl Iterator<Item = &'a Artifact>) {
    let root = cache.path(PROGRAMS);
    let now = FileTimes::new().set_modified(SystemTime::now());
    for program in artifacts.flat_map(|a| a.command.iter().chain(&a.layouts)) {
        if let Some(folder) = Path::new(program).parent().filter(|folder| folder.starts_with(&root)) {
            let _ = File::open(folder).and_then(|folder| folder.set_times(now));
        }
    }
}

/// Removes the least recently used programs beyond what programs may take. Best effort: what stays costs only space.
pub(crate) fn bound(cache: &Cache) {
    bound_to(&cache.path(PROGRAMS), BYTES_MAX, SystemTime::now());
}

fn bound_to(programs: &Path, bytes_max: u64, now: SystemTime) {
    let mut all = shelves(programs, now).unwrap_or_default();
    all.sort_by_key(|shelf| shelf.age);
    let mut bytes = 0;
    for shelf in all {
        bytes += shelf.bytes;
        if bytes > bytes_max && shelf.age > IN_USE {
            shelf.remove(&mut Dropped::default());
        }
    }
}

/// A folder of the cache: a program by its hash, or a build.
struct Shelf {
    path: PathBuf,
    age: Duration,
    files: usize,
    bytes: u64,
}

impl Shelf {
    /// Nobody sees half of it.
    fn remove(&self, dropped: &mut Dropped) {
        let aside = self.path.with_file_name(format!(".old-{}", unique()));
        if fs::rename(&self.path, &aside).is_ok() {
            // What is left of it is removed by the next cleaning.
            let _ = fs::remove_dir_all(&aside);
            dropped.programs += self.files;
            dropped.bytes += self.bytes;
        }
    }
}

fn shelves(folder: &Path, now: SystemTime) -> io::Result<Vec<Shelf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let used = fs::metadata(&path).and_then(|facts| facts.modified());
        let age = used.ok().and_then(|used| now.duration_since(used).ok()).unwrap_or_default();
        let files = fs::read_dir(&path).into_iter().flatten().filter_map(|entry| entry.ok()?.metadata().ok());
        let sizes: Vec<u64> = files.filter(|facts| facts.is_file()).map(|facts| facts.len()).collect();
        found.push(Shelf { path, age, files: sizes.len(), bytes: sizes.iter().sum() });
    }
    Ok(found)
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
        assert_eq!(drop_programs(&root, DAY, SystemTime::now()).unwrap(), Dropped::default());
        let (new, old, used) = (
            program(&cache, &folder, "new", 2),
            program(&cache, &folder, "older", 40),
            program(&cache, &folder, "used again", 40),
        );
        touch(&cache, [artifact(&used)].iter());
        let dropped = drop_programs(&root, DAY * 30, SystemTime::now()).unwrap();
        assert_eq!(dropped, Dropped { programs: 1, bytes: 5 });
        assert!(new.exists() && !old.exists() && used.exists());
        assert_eq!(fs::read_dir(root.join(PROGRAMS)).unwrap().count(), 2, "nothing is left aside");
    }

    #[test]
    fn the_least_recently_used_go_when_there_are_too_many() {
        let folder = Folder::new();
        let cache = Cache::open(&folder.path.join("cache")).unwrap();
        let all = [("aaaa", 5), ("bbbb", 3), ("cccc", 4), ("dddd", 0)];
        let all = all.map(|(content, days)| program(&cache, &folder, content, days));
        bound_to(&cache.path(PROGRAMS), 8, SystemTime::now());
        assert_eq!(all.each_ref().map(|p| p.exists()), [false, true, false, true]);
        bound_to(&cache.path(PROGRAMS), 1, SystemTime::now());
        assert_eq!(all.each_ref().map(|p| p.exists()), [false, false, false, true], "one may be measured now");
    }
}
