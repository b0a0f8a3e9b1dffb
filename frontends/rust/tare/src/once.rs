//! Data that is made once for all processes of a run.
//!
//! The host provides the folder of the run (`spec/protocol.md`, R27); without a host, the process has its own and removes it at its end.
//! The state of each item is in a file that one process at a time locks: empty until a process begins to make it, then `done`, or `!`
//! and the error.

use crate::guard::text;
use crate::skip::Skip;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The state while a process makes it, left behind if the process dies.
const BEGUN: &str = "!the process that made it ended before it was finished";
const DONE: &str = "done";
/// The maximum length of a name in bytes.
const NAME_MAX: usize = 200;

/// The result of the function given to [`once_per_run`]: nothing, or a `Result`.
pub trait Made {
    /// The error, if any.
    fn fault(self) -> Option<String>;
}

impl Made for () {
    fn fault(self) -> Option<String> {
        None
    }
}
impl<T, E: Display> Made for Result<T, E> {
    fn fault(self) -> Option<String> {
        self.err().map(|error| error.to_string())
    }
}

/// Makes a file or folder once for all processes of a run, and returns its path.
///
/// A run starts several processes of each benchmark, and each runs the set-up. If something takes long to make and is the same in all of
/// them, the first process that needs it makes it while the others wait. `make` gets the path and creates it there. It is removed when the
/// run ends, unless you pass `--keep`. The name is a file name. If parameters change the content, include them in the name.
/// ```
/// #[tare::bench(n = [1_000, 100_000])]
/// fn load(n: usize) -> impl FnMut() -> usize {
///     let path = tare::once_per_run(&format!("numbers-{n}.txt"), |path| {
///         let lines: Vec<String> = (0..n).map(|i| i.to_string()).collect();
///         std::fs::write(path, lines.join("\n"))
///     });
///     move || std::fs::read_to_string(&path).map_or(0, |text| text.lines().count())
/// }
/// # fn main() {}
/// ```
/// Each side of a comparison and each job has its own, because their code may differ. Without a host, each process has its own.
///
/// # Panics
/// If it cannot be made: the error or panic of `make` fails the set-up in every process, without a retry.
#[track_caller]
pub fn once_per_run<M: Made>(name: &str, make: impl FnOnce(&Path) -> M) -> PathBuf {
    match folder().as_ref().map_err(Clone::clone).and_then(|folder| made_once(folder, name, make)) {
        Ok(path) => path,
        Err(why) => panic!("`{name}` could not be made for the run: {why}"),
    }
}

/// Makes bytes once for all processes of a run. Each process gets a copy. See [`once_per_run`].
/// ```
/// #[tare::bench]
/// fn parse() -> impl FnMut() -> usize {
///     let text = tare::bytes_once_per_run("text", || "1 2 3 ".repeat(100_000));
///     move || text.split(|byte| *byte == b' ').count()
/// }
/// # fn main() {}
/// ```
/// # Panics
/// If they cannot be made or read.
#[track_caller]
pub fn bytes_once_per_run<B: AsRef<[u8]>>(name: &str, make: impl FnOnce() -> B) -> Vec<u8> {
    let path = once_per_run(name, |path| fs::write(path, make()));
    match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => panic!("cannot read `{}`: {error}", path.display()),
    }
}

static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();

fn folder() -> &'static Result<PathBuf, String> {
    FOLDER.get_or_init(|| of_host().map_or_else(own_folder, Ok))
}

fn of_host() -> Option<PathBuf> {
    std::env::var_os("TARE_RUN_FOLDER").filter(|given| !given.is_empty()).map(PathBuf::from)
}

/// A folder for this process only.
fn own_folder() -> Result<PathBuf, String> {
    let path = std::env::temp_dir().join(format!("tare-once-{}-{:x}", std::process::id(), now()));
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path).map_err(|error| format!("cannot make `{}`: {error}", path.display()))?;
    Ok(path)
}

/// Distinguishes processes that get the same id one after the other.
fn now() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// Removes the folder of this process, if it made one.
pub(crate) fn remove_own() {
    if let (Some(Ok(path)), None) = (FOLDER.get(), of_host()) {
        let _ = fs::remove_dir_all(path);
    }
}

/// Makes it unless it exists. Returns its path, or the error.
fn made_once<M: Made>(folder: &Path, name: &str, make: impl FnOnce(&Path) -> M) -> Result<PathBuf, String> {
    let is_name =
        !name.is_empty() && name.len() <= NAME_MAX && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
    if !is_name {
        return Err("the name must be a file name: without `/` and `\\`, and without a dot at its beginning".to_owned());
    }
    let path = folder.join(name);
    let cannot = |error: io::Error| format!("cannot write in `{}`: {error}", folder.display());
    let mut state = State::of(&folder.join(format!(".{name}.state"))).map_err(cannot)?;
    match state.read().map_err(cannot)?.as_str() {
        DONE => return Ok(path),
        "" => {}
        fault => return Err(fault.strip_prefix('!').unwrap_or(fault).to_owned()),
    }
    state.write(BEGUN).map_err(cannot)?;
    let made = catch_unwind(AssertUnwindSafe(|| make(&path).fault()));
    let nothing = || (!path.exists()).then(|| "its function created nothing at the given path".to_owned());
    let fault = match &made {
        Ok(fault) => fault.clone().or_else(nothing),
        Err(panic) => Some(why(panic.as_ref())),
    };
    let became = fault.as_ref().map_or_else(|| DONE.to_owned(), |fault| format!("!{fault}"));
    state.write(&became).map_err(cannot)?;
    fault.map_or(Ok(path), Err)
}

fn why(panic: &(dyn std::any::Any + Send)) -> String {
    match panic.downcast_ref::<Skip>() {
        Some(Skip(reason)) => format!("`tare::skip({reason:?})` in its function: call it in the set-up"),
        None => text(panic),
    }
}

/// The state file of an item, locked by this process.
struct State(File);

impl State {
    fn of(path: &Path) -> io::Result<State> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file, EXCLUSIVE)?;
        Ok(State(file))
    }

    fn read(&mut self) -> io::Result<String> {
        let mut text = String::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_string(&mut text)?;
        Ok(text)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(text.as_bytes())
    }
}

impl Drop for State {
    /// Unlocks explicitly, because a process that `make` started may have inherited the file and keep it open.
    fn drop(&mut self) {
        let _ = lock(&self.0, UNLOCK);
    }
}

const EXCLUSIVE: std::ffi::c_int = 2;
const UNLOCK: std::ffi::c_int = 8;

/// Locks the file. The system unlocks it when it is closed, however the process ends.
#[cfg(all(unix, not(miri)))]
fn lock(file: &File, operation: std::ffi::c_int) -> io::Result<()> {
    use std::ffi::c_int;
    use std::os::fd::AsRawFd;
    extern "C" {
        fn flock(file: c_int, operation: c_int) -> c_int;
    }
    loop {
        // SAFETY: the descriptor is open while `file` lives.
        if unsafe { flock(file.as_raw_fd(), operation) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Needs no lock: the folder is not shared with other processes there.
#[cfg(any(not(unix), miri))]
fn lock(_file: &File, _operation: std::ffi::c_int) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_by_the_first_and_a_fault_stays() {
        let folder = std::env::temp_dir().join(format!("tare-once-test-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let count = std::sync::atomic::AtomicU32::new(0);
        let make = |path: &Path| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            fs::write(path, "x")
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(made_once(&folder, "a", make), Ok(folder.join("a"))));
            }
        });
        assert_eq!(count.into_inner(), 1);
        let why =
            |name: &str, make: fn(&Path) -> Result<(), String>| made_once(&folder, name, make).expect_err("refused");
        assert_eq!(why("b", |_| Err("no room".to_owned())), "no room");
        assert_eq!(why("b", |_| Ok(())), "no room", "it is not tried again");
        assert_eq!(why("done", |_| Err("done".to_owned())), "done");
        assert_eq!(why("done", |_| Ok(())), "done", "a failure, whatever it says");
        assert_eq!(why("c", |_| panic!("out of luck")), "out of luck");
        assert!(why("d", |_| Ok(())).contains("created nothing"));
        assert!(why("../e", |_| Ok(())).contains("without `/` and `\\`") && why(".f", |_| Ok(())).contains("dot"));
        fs::remove_dir_all(&folder).expect("removed");
    }
}
