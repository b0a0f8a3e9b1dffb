//! One writer a run. The lock is a file with the writer's process id and start time: a process id alone may since
//! belong to another process.

use crate::{read_text, StoreError};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Held while a run is written; gone when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a run's folder, replacing the lock of a dead process.
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
        // A lock that stays behind is seen to be stale: this process is gone then.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes the lock with its content in one step: it is written beside its place and linked there, which fails when
/// there is one already.
fn create(path: &Path) -> io::Result<()> {
    let pid = std::process::id();
    let owner = format!("{pid} {}\n", start_time(pid).unwrap_or_default());
    let ready = path.with_file_name(format!("lock.{pid}.new"));
    // Of a process that had this number before and was killed here.
    let _ = fs::remove_file(&ready);
    OpenOptions::new().write(true).create_new(true).open(&ready)?.write_all(owner.as_bytes())?;
    let linked = fs::hard_link(&ready, path);
    let _ = fs::remove_file(&ready);
    match linked {
        // A file system without links: the window between making and filling the file is a few microseconds.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            file.write_all(owner.as_bytes())
        }
        other => other,
    }
}

/// Renames the stale lock, which only one of several processes can do, and drops it; when another process has put its
/// own lock there in the meantime, that one is put back.
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

/// The process of a lock if it still lives. An empty file is what a crash left: it
/// counts as dead, as nothing else can ever remove it.
fn living(owner: &str) -> Option<u32> {
    let mut words = owner.split_whitespace();
    let pid: u32 = words.next()?.parse().ok()?;
    let then = words.next();
    match (start_time(pid), then) {
        (Some(now), Some(then)) => (now == then).then_some(pid),
        // Where the system does not give start times, the lock is believed.
        _ => (!cfg!(target_os = "linux")).then_some(pid),
    }
}

/// Start time of a process in ticks since the machine started, as text; None if the process does not exist.
fn start_time(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in brackets and may hold anything; count from behind it.
    let mut behind = stat.rsplit_once(')')?.1.split_whitespace();
    // A dead process whose parent has not asked for its status is there and writes nothing any more.
    if matches!(behind.next()?, "Z" | "X" | "x") {
        return None;
    }
    const START_TIME_BEHIND_STATE: usize = 18;
    behind.nth(START_TIME_BEHIND_STATE).map(str::to_owned)
}
