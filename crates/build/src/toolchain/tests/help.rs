use crate::discover::{discover, Target};
use crate::languages::rust;
use crate::toolchain::build::build_with;
use crate::toolchain::cache::Cache;
use crate::toolchain::context::Variables;
use crate::toolchain::{BuildEvent, BuildFailure, BuildOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tare_model::Artifact;
use tempfile::TempDir;

#[path = "../../../../../fixtures/scratch.rs"]
mod scratch;

/// A folder with a name that breaks careless quoting; removed on drop.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    _kept: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        let kept = tempfile::Builder::new().prefix("tare build-").suffix(" ä").tempdir().unwrap();
        Folder { path: kept.path().canonicalize().unwrap(), _kept: kept }
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Copies a fixture project, with its paths to the front ends adjusted.
    pub(crate) fn fixture(&self, name: &str) -> PathBuf {
        let to = self.path.join(name);
        // The embedded front ends.
        let cache = Cache::open(&self.path.join(".front ends")).unwrap();
        let front_end = rust::front_end::write(&cache).unwrap();
        copy(&repository().join("fixtures/projects").join(name), &to, front_end.to_str().unwrap());
        to
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn copy(from: &Path, to: &Path, front_end: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target, front_end);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(target, text.replace("../../../frontends/rust", front_end)).unwrap();
        }
    }
}

pub(crate) struct Outcome {
    pub(crate) results: Vec<Result<Artifact, BuildFailure>>,
    pub(crate) events: Vec<BuildEvent>,
}

impl Outcome {
    pub(crate) fn started(&self) -> usize {
        self.events.iter().filter(|e| matches!(e, BuildEvent::Started { .. })).count()
    }

    pub(crate) fn cached(&self) -> usize {
        self.events.iter().filter(|e| matches!(e, BuildEvent::Finished { cached: true, .. })).count()
    }

    pub(crate) fn skipped(&self) -> Vec<String> {
        let of = |event: &BuildEvent| match event {
            BuildEvent::Skipped { skipped } => Some(format!("{} {}", skipped.name, skipped.why)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    #[track_caller]
    pub(crate) fn artifact(&self) -> &Artifact {
        match &self.results[..] {
            [Ok(artifact)] => artifact,
            [Err(failure)] => panic!("{failure}"),
            other => panic!("{} results", other.len()),
        }
    }

    #[track_caller]
    pub(crate) fn failure(&self) -> &BuildFailure {
        match &self.results[..] {
            [Err(failure)] => failure,
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) struct Bench {
    pub(crate) folder: Folder,
    pub(crate) options: BuildOptions,
    pub(crate) variables: Variables,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let folder = Folder::new();
        let options = BuildOptions { cache: folder.path.join("the cache"), parallel: 2, ..BuildOptions::default() };
        let variables = Variables::of_process().without(&["CXX", "CC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]);
        Bench { folder, options, variables }
    }

    /// With one cache for all tests that are not about the cache: the library of Rust and `main` of C and C++ are compiled once. Sources of
    /// tests lie in folders of their own, so that no test finds another's programs.
    pub(crate) fn sharing() -> Bench {
        static CACHE: OnceLock<PathBuf> = OnceLock::new();
        let mut bench = Bench::new();
        // The Rust library is most of the compile time, and no test is about its speed.
        let profile = |name: &str| format!("[profile.{name}.package.tare]\nopt-level = 0\n");
        bench.folder.write(".cargo/config.toml", &(profile("release") + &profile("bench")));
        bench.options.cache =
            CACHE.get_or_init(|| scratch::scratch(&std::env::temp_dir(), "tare build shared ä")).join("the cache");
        bench
    }

    pub(crate) fn front_end(&self) -> String {
        let cache = Cache::open(&self.folder.path.join(".front ends")).unwrap();
        rust::front_end::write(&cache).unwrap().to_str().unwrap().to_owned()
    }

    pub(crate) fn build(&self, path: &Path) -> Outcome {
        self.build_targets(&discover(&[path.to_owned()]).unwrap())
    }

    pub(crate) fn build_targets(&self, targets: &[Target]) -> Outcome {
        let mut events = Vec::new();
        let results = build_with(targets, &self.options, &self.variables, &mut |event| events.push(event));
        Outcome { results, events }
    }

    /// Whether the tool is installed; prints a message if not.
    pub(crate) fn has(&self, tool: &str) -> bool {
        let found = self.variables.find(tool).is_some();
        if !found {
            eprintln!("skipped: `{tool}` is not installed");
        }
        found
    }
}

pub(crate) fn ask(artifact: &Artifact, requests: &str) -> String {
    // The shell passes the two descriptors on, which needs no unsafe code.
    let script = "exec 3<&0 4>&1 1>&2; TARE_LINK=fd:3,4 exec \"$0\" \"$@\"";
    let mut child = std::process::Command::new("sh")
        .args(["-c", script])
        .args(&artifact.command)
        .current_dir(&artifact.directory)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::Write as _;
    child.stdin.take().unwrap().write_all(requests.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[track_caller]
pub(crate) fn benchmarks(artifact: &Artifact) -> Vec<String> {
    let replies = ask(artifact, "hello 1\nlist\nbye\n");
    let names = replies.lines().filter_map(|line| {
        let reply: serde_json::Value = serde_json::from_str(line).unwrap();
        (reply["reply"] == "benchmark").then(|| reply["name"].as_str().unwrap().to_owned())
    });
    names.collect()
}
