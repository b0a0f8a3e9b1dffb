//! The folder of checkouts, a folder with its neighbours for each: the newest are kept.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Checkouts that are kept.
const KEPT: usize = 8;
/// One that was used within this time may be in use now, by another `tare`.
const IN_USE: Duration = Duration::from_secs(3600);
/// What begins with this is being made or thrown away.
const TEMPORARY: &str = ".tmp-";
/// Its time is when the checkout was used last.
const USED: &str = ".tare-used";

/// A place for a checkout that is being made.
pub(super) fn temporary(shelf: &Path, unique: &str) -> PathBuf {
    shelf.join(format!("{TEMPORARY}{unique}"))
}

/// Notes that a checkout is used now.
pub(super) fn touch(checkout: &Path) -> io::Result<()> {
    let file = File::options().create(true).truncate(false).write(true).open(checkout.join(USED))?;
    file.set_times(FileTimes::new().set_modified(SystemTime::now()))
}

/// Removes a checkout atomically.
pub(super) fn remove(checkout: &Path, unique: &str) {
    let aside = checkout.with_file_name(format!("{TEMPORARY}{unique}"));
    if fs::rename(checkout, &aside).is_ok() {
        // What is left of it is removed by the next cleaning.
        let _ = fs::remove_dir_all(&aside);
    }
}

/// Removes all but the newest checkouts, and what a crash left. Best effort: what stays costs only space.
pub(super) fn clean(shelf: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(shelf) else { return };
    let age = |path: &Path| {
        let time = fs::metadata(path.join(USED)).or_else(|_| fs::metadata(path)).and_then(|facts| facts.modified());
        time.ok().and_then(|time| now.duration_since(time).ok()).unwrap_or_default()
    };
    let mut checkouts = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match name.starts_with(TEMPORARY) {
            true if age(&path) > IN_USE => drop(fs::remove_dir_all(&path)),
            true => {}
            false => checkouts.push((age(&path), path)),
        }
    }
    checkouts.sort();
    for (number, (_, path)) in checkouts.iter().enumerate().skip(KEPT).filter(|(_, (age, _))| *age > IN_USE) {
        remove(path, &format!("old-{}-{number}", std::process::id()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::tests::help::Folder;

    #[test]
    fn the_newest_stay() {
        let folder = Folder::new();
        let now = SystemTime::now();
        let old = |name: &str, hours: u64| {
            fs::create_dir_all(folder.path.join(name)).unwrap();
            touch(&folder.path.join(name)).unwrap();
            let file = File::options().write(true).open(folder.path.join(name).join(USED)).unwrap();
            file.set_times(FileTimes::new().set_modified(now - Duration::from_secs(hours * 3600))).unwrap();
        };
        for number in 0..12 {
            old(&format!("c{number:02}"), number + 2);
        }
        old(".tmp-left", 5);
        fs::create_dir(folder.path.join(".tmp-now")).unwrap();
        clean(&folder.path, now);
        let mut left: Vec<_> = fs::read_dir(&folder.path).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".tmp-now", "c00", "c01", "c02", "c03", "c04", "c05", "c06", "c07"]);
    }
}
