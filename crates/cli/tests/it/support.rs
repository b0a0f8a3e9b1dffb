//! A place of its own for each test, the children that are built once, and what is asked of processes.

use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

#[path = "../../../../fixtures/steady.rs"]
mod steady;

/// The root of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Few launches and visits, for programs that behave.
pub const SHORT: [&str; 5] = ["--quick", "--launches", "2", "--rounds", "5"];
/// The same with visits of a fixed size, for programs with an iteration set-up: their invocations are few.
pub const FIXED: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "5", "--invocations", "20000"];
/// Longest wait for something that happens soon; a test that gets here fails.
const PATIENCE: Duration = Duration::from_secs(300);
/// What the user may have set for programs other than these tests.
const NOT_INHERITED: [&str; 10] = [
    "XDG_STATE_HOME",
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "TERM",
    "CXX",
    "CC",
    "CXXFLAGS",
    "CFLAGS",
    "GITHUB_STEP_SUMMARY",
];
/// The variable by which the processes of a place are found again.
const MARK: &str = "TARE_E2E_PLACE";

/// What stands in for a compiler: its program is the source, read by `misbehave told`, so that `//bench NAME NS` in a source is a benchmark that
/// takes this long. Of the source it knows `#include "FILE"`, which must be there, and `#error`, which is an error.
const STAND_IN: &str = r##"#!/bin/sh
case "$*" in *--version*) echo 'cc (a stand-in) 1.0'; exit ;; esac
rules=/dev/null
while [ $# -gt 0 ]; do
    case $1 in
        -o) program=$2; shift ;;
        -MF) rules=$2; shift ;;
        -isystem) shift ;;
        -c) object=yes ;;
        *.c | *.cpp) source=${source:-$1} ;;
    esac
    shift
done
test "$object" && exec touch "$program"
set -- "$source"
for header in $(sed -n 's/^#include "\(.*\)"/\1/p' "$source"); do
    file=$(dirname "$source")/$header
    test -f "$file" || { echo "$source:1:10: fatal error: $header: No such file or directory" >&2; exit 1; }
    set -- "$@" "$file"
done
for file; do
    sed -n "/^#error/{=;p;}" "$file" | sed "N;s|\(.*\)\n\(.*\)|$file:\1:2: error: \2|" >&2
    ! grep -q '^#error' "$file" || exit 1
done
{ printf program:; for file; do echo "$file" | sed 's/[ #]/\\&/g; s/[$]/$$/g; s/^/ /' | tr -d '\n'; done; echo; } > "$rules"
{ cat << 'END'; cat "$@"; } > "$program"
HEADEND
chmod +x "$program"
"##;

/// A folder with nothing of the user's in it. All processes that are started in it can be found by its mark.
pub struct Place {
    path: PathBuf,
    mark: String,
    /// In place of the compilers of C and C++.
    compiler: Option<String>,
}

impl Place {
    /// Makes it.
    pub fn new(name: &str) -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}-{name}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = free_path(name);
        fs::create_dir_all(path.join("home")).expect("a folder");
        // The end of what could be the working copy: a `.tare` of somebody else's in `/tmp` is not found.
        fs::write(path.join(".git"), "no working copy\n").expect("a file");
        Place { path, mark, compiler: None }
    }

    /// The same with a stand-in for the compilers of C and C++ ([`STAND_IN`]).
    pub fn with_stand_in(name: &str) -> Place {
        let mut place = Place::new(name);
        place.compiler = Some(place.script("stand-in/cc", &STAND_IN.replace("HEAD", &told_head())));
        place
    }

    /// A path in it.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Reads a file.
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Width and height of a picture in pixels.
    pub fn png_size(&self, name: &str) -> [u32; 2] {
        let bytes = fs::read(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") && bytes.ends_with(b"IEND\xaeB`\x82"), "{name}");
        [16, 20].map(|at| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
    }

    /// An executable script.
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("rights");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A program whose benchmarks tell their times: lines `bench GROUP/NAME NS` (`fixtures/children/README.md`).
    pub fn told(&self, name: &str, benchmarks: &str) -> String {
        self.script(name, &(told_head() + benchmarks))
    }

    /// A program that is `misbehave MODE`.
    pub fn misbehave(&self, mode: &str) -> String {
        let program = children().join("misbehave");
        self.script(mode, &format!("#!/bin/sh\nexec '{}' {mode} \"$@\"\n", program.display()))
    }

    /// In the packages of this place the front end's library is compiled without optimisation: it is most of what there is to compile, and
    /// no test of packages is about its speed.
    pub fn plain_library(&self) {
        let profile = |name: &str| format!("[profile.{name}.package.tare]\nopt-level = 0\n");
        self.write(".cargo/config.toml", &(profile("release") + &profile("bench")));
    }

    /// A copy of a folder of the repository.
    pub fn copy(&self, from: &str, to: &str) -> PathBuf {
        copy_folder(&Path::new(ROOT).join(from), &self.join(to));
        self.join(to)
    }

    /// `tare` in this folder, with nothing of the user's settings.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tare"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        for name in NOT_INHERITED {
            command.env_remove(name);
        }
        for name in ["CC", "CXX"] {
            command.envs(self.compiler.as_ref().map(|compiler| (name, compiler)));
        }
        for (name, below) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            // Those of the user: with the place's HOME, rustup would find no toolchain.
            if let (None, Some(home)) = (std::env::var_os(name), std::env::var_os("HOME")) {
                command.env(name, Path::new(&home).join(below));
            }
        }
        // What Go has compiled of its library, which takes half a minute.
        let go = ["XDG_CACHE_HOME", "HOME"].map(std::env::var_os).map(|path| path.map(PathBuf::from));
        let [caches, home] = go;
        if let (None, Some(caches)) = (std::env::var_os("GOCACHE"), caches.or(home.map(|home| home.join(".cache")))) {
            command.env("GOCACHE", caches.join("go-build"));
        }
        command.env("HOME", self.join("home")).env("XDG_CACHE_HOME", cache()).env(MARK, &self.mark);
        command
    }

    /// Another program in this folder, which starts `tare` in the same surroundings as [`Place::command`] does.
    pub fn other(&self, program: &str) -> Command {
        let mut other = Command::new(program);
        other.current_dir(&self.path).stdin(Stdio::null());
        for (name, value) in self.command(["x"]).get_envs() {
            match value {
                Some(value) => other.env(name, value),
                None => other.env_remove(name),
            };
        }
        other.env("TARE", env!("CARGO_BIN_EXE_tare"));
        other
    }

    /// Runs `tare` to its end.
    pub fn tare<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.command(args).output().expect("tare runs")
    }

    /// Runs it, expects this exit code, and gives the standard output.
    pub fn ends_with<S: AsRef<OsStr>>(&self, code: i32, args: impl IntoIterator<Item = S>) -> String {
        self.both(code, args).0
    }

    /// Runs it, expects this exit code, and gives the standard error.
    pub fn fails_with<S: AsRef<OsStr>>(&self, code: i32, args: impl IntoIterator<Item = S>) -> String {
        self.both(code, args).1
    }

    /// `tare clean` with an empty cache: the one that all tests share must be kept, and may hold old programs.
    pub fn clean(&self, args: &[&str]) -> Command {
        let mut clean = self.command(["clean"].iter().chain(args));
        clean.env("XDG_CACHE_HOME", self.join("cache of clean"));
        clean
    }

    /// Its output.
    pub fn cleaned(&self, args: &[&str]) -> String {
        let output = self.clean(args).output().expect("tare runs");
        assert!(output.status.success(), "{args:?}: {}", err(&output));
        out(&output)
    }

    fn both<S: AsRef<OsStr>>(&self, code: i32, args: impl IntoIterator<Item = S>) -> (String, String) {
        let args: Vec<S> = args.into_iter().collect();
        let output = self.tare(&args);
        let words: Vec<_> = args.iter().map(|a| a.as_ref().to_string_lossy().into_owned()).collect();
        let reported = format!("tare {}\n{}\n{}", words.join(" "), out(&output), err(&output));
        assert_eq!(output.status.code(), Some(code), "{reported}");
        (out(&output), err(&output))
    }

    /// Starts `tare` with its outputs in files `stdout` and `stderr` of this folder.
    pub fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> std::process::Child {
        self.start_command(self.command(args))
    }

    /// Starts a command of [`Place::command`] in a group of its own.
    pub fn start_command(&self, mut command: Command) -> std::process::Child {
        use std::os::unix::process::CommandExt;
        let file = |name: &str| fs::File::create(self.join(name)).expect("a file");
        command.stdout(file("stdout")).stderr(file("stderr")).process_group(0).spawn().expect("tare runs")
    }

    /// The folders of the stored runs.
    pub fn runs(&self) -> Vec<PathBuf> {
        let Ok(folder) = fs::read_dir(self.join(".tare/runs")) else { return Vec::new() };
        folder.flatten().map(|entry| entry.path()).collect()
    }

    /// The only stored run's folder.
    pub fn only_run(&self) -> PathBuf {
        let runs = self.runs();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs[0].clone()
    }

    /// The document of the only stored run.
    pub fn run_json(&self) -> Value {
        json(&fs::read_to_string(self.only_run().join("run.json")).expect("run.json"))
    }

    /// Living processes that were started here, by whomever: `pid command`.
    pub fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let own = std::process::id().to_string();
        let folder = fs::read_dir("/proc").expect("/proc");
        let pids = folder.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
        pids.filter(|pid| pid.bytes().all(|b| b.is_ascii_digit()) && *pid != own)
            .filter(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|b| *b == 0).any(|variable| variable == mark)
            })
            .map(|pid| {
                let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                format!("{pid} {}", String::from_utf8_lossy(&line).replace('\0', " "))
            })
            .collect()
    }

    /// No process that was started here is left. A killed process needs a moment to go.
    pub fn assert_nothing_left(&self, what: &str) {
        let gone = eventually(PATIENCE, || self.processes().is_empty());
        assert!(gone, "{what} left {:?}", self.processes());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Of a test that failed.
        for process in self.processes() {
            signal("KILL", process.split(' ').next().unwrap_or_default());
        }
        if std::env::var_os("TARE_TEST_KEEP").is_none() {
            let _ = fs::remove_dir_all(&self.path);
            taken().remove(&self.path);
        }
    }
}

/// The paths of the places that there are.
fn taken() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static TAKEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The path of a new place: the same in each run of the tests, so that what the last one has compiled there is found again.
fn free_path(name: &str) -> PathBuf {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    let clone = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let base = BASE.get_or_init(|| steady::steady("tare-e2e", clone).expect("a folder for all places"));
    let mut taken = taken();
    let names = (0..).map(|number| if number == 0 { name.to_owned() } else { format!("{name}-{number}") });
    let path = names.map(|name| base.join(name)).find(|path| !taken.contains(path)).expect("there is always another");
    taken.insert(path.clone());
    path
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())).flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" {
            continue;
        }
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(&from, &to).expect("copied");
        }
    }
}

/// Built programs of all tests: what one has built the next finds.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// The folder of `misbehave` and `reference-child`, built once for each state of their sources with the system's C compiler, which the tests need.
pub fn children() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut state = DefaultHasher::new();
        for folder in ["fixtures/children", "spec", "spec/conformance"] {
            let files = fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder").flatten().map(|file| file.path());
            let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(is_of_children)).collect();
            files.sort();
            files.iter().for_each(|file| fs::read(file).expect("a source").hash(&mut state));
        }
        let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = base.join(format!("children-{:016x}", state.finish()));
        if !folder.is_dir() {
            let made = base.join(format!("children-of-{}", std::process::id()));
            let script = Path::new(ROOT).join("fixtures/children/build.sh");
            let output = Command::new("sh").arg(script).arg(&made).output().expect("sh runs");
            assert!(output.status.success(), "fixtures/children/build.sh: {}", err(&output));
            // Another process may have been faster.
            let _ = fs::rename(&made, &folder);
        }
        folder
    })
}

fn is_of_children(extension: &OsStr) -> bool {
    ["c", "h", "sh"].iter().any(|one| extension == *one)
}

/// The head of a script whose lines tell the times of its benchmarks.
fn told_head() -> String {
    let program = children().join("misbehave");
    format!("#!/bin/sh\n# It speaks the protocol: TARE_LINK.\nexec '{}' told \"$0\" \"$@\"\n", program.display())
}

/// The reference child: five benchmarks that behave. It says of them that a visit takes a tenth of the usual time and needs no warm-up:
/// most of a run is that of its child, and few tests are about it.
pub fn reference() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| children().join("quick/reference-child").to_str().expect("UTF-8").to_owned())
}

/// The reference child as it stands in `spec`, for tests of what takes its time.
pub fn usual_reference() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| children().join("reference-child").to_str().expect("UTF-8").to_owned())
}

/// The standard output.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The standard error.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// JSON as `serde_json` reads it.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", text.chars().take(300).collect::<String>()))
}

/// Asks again and again until it is so; false when it did not come to be in this time.
pub fn eventually(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if is_so() {
            return true;
        }
        if start.elapsed() > patience {
            return false;
        }
        std::thread::sleep((start.elapsed() / 8).clamp(Duration::from_millis(2), Duration::from_millis(50)));
    }
}

/// Waits until it is so.
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(eventually(PATIENCE, is_so), "waited in vain until {what}");
}

/// Sends a signal by name to a process, or with a minus before the number to a group.
pub fn signal(name: &str, to: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), "--", to]).stderr(Stdio::null()).status();
    assert!(status.is_ok(), "kill runs");
}

/// Whether a command can be had.
pub fn have(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Says that something is not tested here; `./test` counts these lines.
pub fn skip(what: &str, why: &str) {
    // Not `eprintln!`, which the test harness keeps to itself when the test passes.
    let _ = writeln!(std::io::stderr().lock(), "\nskipped: {what}: {why}");
}

/// Runs git in the folder `repo` of a place, and gives what it printed. Commits are the same in each run: what is built of them goes by
/// their names.
pub fn git_in(place: &Place, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ada", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]).args(words);
    for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        command.env(date, "2026-01-02T03:04:05Z");
    }
    let done = command.current_dir(place.join("repo")).env("HOME", place.join("home")).output().expect("git runs");
    assert!(done.status.success(), "{words:?}: {}", err(&done));
    out(&done).trim().to_owned()
}

/// Runs a Python program on files, and gives what it printed.
pub fn python<S: AsRef<OsStr>>(program: &str, args: impl IntoIterator<Item = S>) -> String {
    let output = Command::new("python3").arg("-c").arg(program).args(args).output().expect("python3 runs");
    assert!(output.status.success(), "{}\n{}", out(&output), err(&output));
    out(&output)
}

/// Whether more than a look is wanted.
pub fn long() -> bool {
    std::env::var_os("TARE_TEST_LONG").is_some()
}
