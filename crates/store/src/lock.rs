//! One writer per run. The lock is a file with the writer's process id and start time, as the id alone may be reused.

use crate::{read_text, StoreError};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The lock of a run being written; released on drop.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a run's folder, replacing that of a dead process.
    pub(crate) fn take(folder: &Path, id: &str) -> Result<Lock, StoreError> {
        const TRIES: usize = 3;
        let path = folder.join("lock");
        for _ in 0..TRIES {
            match create(&path) {
                Ok(()) => return Ok(Lock { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::writing(&path)(error)),
            }
            let Ok(owner) = read_text(&path) else { continue };
            if let Some(pid) = living(&owner) {
                return Err(StoreError::Locked { id: id.to_owned(), pid });
            }
            put_aside(&path, &owner);
        }
        Err(StoreError::Locked { id: id.to_owned(), pid: 0 })
    }

    /// Whether a living process holds the lock of a folder.
    pub(crate) fn is_held(folder: &Path) -> bool {
        read_text(&folder.join("lock")).is_ok_and(|owner| living(&owner).is_some())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // On failure the lock stays, but is stale once this process is gone.
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates the lock and its content atomically: a file with another name is hard-linked to the lock's name, which fails if the lock exists.
fn create(path: &Path) -> io::Result<()> {
    let pid = std::process::id();
    let owner = format!("{pid} {}\n", start_time(pid).unwrap_or_default());
    let ready = path.with_file_name(format!("lock.{pid}.new"));
    // Left by a killed process with the same id.
    let _ = fs::remove_file(&ready);
    OpenOptions::new().write(true).create_new(true).open(&ready)?.write_all(owner.as_bytes())?;
    let linked = fs::hard_link(&ready, path);
    let _ = fs::remove_file(&ready);
    match linked {
        // A file system without hard links: the file is empty for a few microseconds.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            file.write_all(owner.as_bytes())
        }
        other => other,
    }
}

/// Removes a stale lock by renaming, which only one process can do. If the renamed file is a new lock of another process, it is put back.
fn put_aside(path: &Path, owner: &str) {
    let aside = path.with_file_name(format!("lock.{}", std::process::id()));
    if fs::rename(path, &aside).is_ok() {
        let taken_over = read_text(&aside).is_ok_and(|now| now != owner);
        if taken_over {
            let _ = fs::hard_link(&aside, path);
        }
        let _ = fs::remove_file(&aside);
    }
}

/// The process that holds a lock, if it is alive. An empty file is left by a crash and counts as stale; otherwise it could never be
/// removed.
fn living(owner: &str) -> Option<u32> {
    let mut words = owner.split_whitespace();
    let pid: u32 = words.next()?.parse().ok()?;
    let then = words.next();
    match (start_time(pid), then) {
        (Some(now), Some(then)) => (now == then).then_some(pid),
        // Without start times, a matching process id is believed.
        _ => (!cfg!(target_os = "linux")).then_some(pid),
    }
}

/// Start time of a process in ticks since boot, as text; None if the process does not exist.
fn start_time(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the program's name in brackets, may contain anything, so count from behind it.
    let mut behind = stat.rsplit_once(')')?.1.split_whitespace();
    // A zombie exists but no longer writes.
    if matches!(behind.next()?, "Z" | "X" | "x") {
        return None;
    }
    const START_TIME_BEHIND_STATE: usize = 18;
    behind.nth(START_TIME_BEHIND_STATE).map(str::to_owned)
}
