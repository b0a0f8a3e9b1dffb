//! The dependency order in `docs/decisions`: which package may depend on which of our own.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use tare_model::LanguageFacts;

/// The own packages that each package may depend on. A new package must be added.
const MAY_NEED: [(&str, &[&str]); 20] = [
    ("tare-model", &[]),
    ("tare-stats", &[]),
    ("tare-process", &[]),
    ("tare-picture", &[]),
    ("tare-code", &["tare-model"]),
    ("tare-protocol", &["tare-model"]),
    ("tare-analysis", &["tare-model", "tare-stats"]),
    ("tare-engine", &["tare-model", "tare-stats", "tare-protocol", "tare-analysis"]),
    // `stats` for the types of intervals and bins in reports.
    ("tare-report", &["tare-model", "tare-analysis", "tare-stats", "tare-code"]),
    // `stats` for the doctor: which readings of a core were alone.
    ("tare-machine", &["tare-model", "tare-stats", "tare-process"]),
    // `engine` for its matcher of patterns.
    ("tare-build", &["tare-model", "tare-engine", "tare-process", "tare-machine", "tare-harness", "tare-code"]),
    // It gets information about builds from its callers.
    ("tare-diagnose", &["tare-model", "tare-process", "tare-code"]),
    (
        "tare-runner",
        &[
            "tare-model",
            "tare-stats",
            "tare-protocol",
            "tare-engine",
            "tare-analysis",
            "tare-diagnose",
            "tare-process",
            "tare-machine",
        ],
    ),
    ("tare-store", &["tare-model", "tare-process"]),
    // `analysis` defines what a history keeps of a run; `stats` for the type of intervals.
    ("tare-history", &["tare-analysis", "tare-stats"]),
    // It reads results of other tools into the input of a comparison of saved runs.
    ("tare-import", &["tare-model", "tare-analysis"]),
    // It is a child that shares with the host how to start programs and split command lines; it reads the output of harnesses as saved
    // results.
    ("tare-harness", &["tare-model", "tare-analysis", "tare-import", "tare-process"]),
    ("tare-simulation", &["tare-model", "tare-stats", "tare-protocol", "tare-engine", "tare-analysis"]),
    ("xtask", &["tare-model", "tare-stats", "tare-simulation"]),
    (
        "tare-cli",
        &[
            "tare-model",
            "tare-stats",
            "tare-protocol",
            "tare-engine",
            "tare-analysis",
            "tare-report",
            "tare-process",
            "tare-machine",
            "tare-build",
            "tare-diagnose",
            "tare-runner",
            "tare-import",
            "tare-store",
            "tare-harness",
            "tare-history",
            "tare-picture",
            "tare-code",
        ],
    ),
];

/// The dependencies of each package in a workspace, without those for tests only.
fn needs(manifest: &std::path::Path) -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let needed = dependencies.iter().filter(|d| d["kind"] != "dev").map(|d| text(&d["name"])).collect();
            (text(&package["name"]), needed)
        })
        .collect()
}

#[test]
fn packages_need_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_NEED.into_iter().collect();
    for (package, needed) in needs(&xtask::root().join("Cargo.toml")) {
        let Some(allowed) = allowed.get(package.as_str()) else { panic!("`{package}` has no place in the order") };
        for ours in needed.iter().filter(|n| n.starts_with("tare-")) {
            assert!(allowed.contains(&ours.as_str()), "`{package}` must not need `{ours}`");
        }
    }
}

#[test]
fn front_ends_need_nothing_of_the_root_workspace() {
    let ours: Vec<&str> = MAY_NEED.iter().map(|(name, _)| *name).collect();
    let front_ends = std::fs::read_dir(xtask::root().join("frontends")).expect("frontends");
    let manifests = front_ends.flatten().map(|entry| entry.path().join("Cargo.toml")).filter(|path| path.exists());
    for manifest in manifests {
        for (package, needed) in needs(&manifest) {
            assert!(!needed.iter().any(|n| ours.contains(&n.as_str())), "`{package}` needs {needed:?}");
        }
    }
}

const PURE: [&str; 9] = ["model", "stats", "picture", "code", "protocol", "engine", "analysis", "report", "simulation"];

/// `cargo clippy` reads this file to find files, clocks, threads and the like.
#[test]
fn every_pure_package_has_the_purity_rules() {
    let rules = |package: &str| {
        let path = xtask::root().join(format!("crates/{package}/clippy.toml"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    for pure in PURE {
        assert!(rules(pure) == rules("model"), "crates/{pure}/clippy.toml differs from that of model");
    }
}

/// The text of each source file of a package, except test files.
fn files(package: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![xtask::root().join(format!("crates/{package}/src"))];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.extend(Some(path).filter(|p| !p.ends_with("tests")));
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            found.push((path, text));
        }
    }
    found
}

/// The same without the tests below the code.
fn sources(package: &str) -> Vec<(PathBuf, String)> {
    let code = |text: String| text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
    let is_code = |(path, _): &(PathBuf, String)| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        name != "tests" && !name.starts_with("tests_")
    };
    files(package).into_iter().filter(is_code).map(|(path, text)| (path, code(text))).collect()
}

/// Fails at the first line of a package's code that `is_wrong`; lines come without their indentation.
fn no_line_of(package: &str, is_wrong: fn(&str) -> bool) {
    for (path, code) in sources(package) {
        let wrong = code.lines().map(str::trim_start).find(|line| is_wrong(line));
        assert_eq!(wrong, None, "{}", path.display());
    }
}

/// Libraries may not print, but tests may, and `clippy.toml` cannot distinguish them.
#[test]
fn no_pure_library_prints() {
    for pure in PURE {
        no_line_of(pure, |line| {
            ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("].iter().any(|m| line.starts_with(m))
        });
    }
}

/// Advice is rendered elsewhere, so the crates below know no flags of the command line.
#[test]
fn pure_crates_know_no_flags() {
    // `report` writes flags.
    for package in ["model", "stats", "protocol", "analysis", "engine"] {
        no_line_of(package, |line| {
            let flag = line.split("--").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
            flag && !line.starts_with("//")
        });
    }
}

/// One place parses the command line, by the grammar of the flags; all others receive the request.
#[test]
fn only_the_request_reads_command_lines() {
    for (package, needed) in needs(&xtask::root().join("Cargo.toml")) {
        assert!(package == "tare-cli" || !needed.contains(&"clap".to_owned()), "`{package}` must not need `clap`");
    }
    for (path, code) in sources("cli") {
        // A folder above the repository may have this name too.
        let inside = path.strip_prefix(xtask::root()).unwrap_or(&path);
        let is_of_request = inside.components().any(|part| part.as_os_str() == "request");
        let reads = ["try_parse", "try_get_matches", "get_matches"].iter().any(|call| code.contains(call));
        assert!(is_of_request || !reads, "{}: ask `request::parse`", path.display());
    }
}

/// The places of subjects: a folder, and one file with values from crates that `report` does not depend on.
const SUBJECTS: [&str; 2] = ["crates/report/src/subjects/", "crates/cli/src/commands/bisect/subject.rs"];

/// Reports and commands ask a subject what it needs, never which one it is, so that a new subject is one file.
#[test]
fn only_the_files_of_subjects_know_which_subject_it_is() {
    let mut implemented = 0;
    for (path, code) in ["report", "cli"].into_iter().flat_map(sources) {
        let place = path.strip_prefix(xtask::root()).expect("below the root").to_string_lossy().into_owned();
        let is_implemented = code.contains("Subject for ");
        if SUBJECTS.iter().any(|subjects| place.starts_with(subjects)) {
            implemented += usize::from(is_implemented);
            continue;
        }
        assert!(!is_implemented, "{place}: a subject belongs into {SUBJECTS:?}");
        // Its name is for templates; its type is hidden behind the trait.
        let asks =
            ["subject.downcast", "kind().name", "match &shown.subject", "match subject", "values.kind", "enum Subject"];
        let asked = |line: &str| !line.starts_with("//") && asks.iter().any(|ask| line.contains(ask));
        let wrong = code.lines().map(str::trim_start).find(|line| asked(line));
        assert_eq!(wrong, None, "{place} asks which subject it has");
    }
    assert!(implemented >= 5, "{implemented} subjects");
}

/// `./test` skips documentation tests, which need a start of rustdoc for each package: examples belong into tests, into `docs/`, or into a
/// `text` block.
#[test]
fn no_package_has_documentation_tests() {
    for package in MAY_NEED.iter().filter_map(|(name, _)| name.strip_prefix("tare-")) {
        for (path, code) in sources(package) {
            let fences = code.lines().filter_map(|line| {
                let line = line.trim_start();
                line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?.trim_start().strip_prefix("```")
            });
            let tests = fences.step_by(2).filter(|info| *info != "text").count();
            assert_eq!(tests, 0, "{}", path.display());
        }
    }
}

/// `./test` skips the unit tests of a library that is declared to have none: one there would never run.
#[test]
fn a_library_without_unit_tests_has_none() {
    let mut without = 0;
    for package in MAY_NEED.iter().filter_map(|(name, _)| name.strip_prefix("tare-")) {
        let manifest = xtask::root().join(format!("crates/{package}/Cargo.toml"));
        let manifest = std::fs::read_to_string(&manifest).unwrap_or_else(|e| panic!("{}: {e}", manifest.display()));
        if !manifest.lines().any(|line| line == "test = false") {
            continue;
        }
        without += 1;
        for (path, text) in files(package) {
            assert!(!text.contains("#[test]") && !text.contains("#[cfg(test)]"), "{}", path.display());
        }
    }
    assert!(without > 0, "`./test` looks for this line in the manifests");
}

/// Places where the name of a diagnoser means something else: a profile of Cargo, a compiler or a machine; a count.
const NOT_DIAGNOSERS: [(&str, &str); 15] = [
    ("code", "args/show.rs"),
    ("instructions", "request/config.rs"),
    ("profile", "history/keep.rs"),
    ("profile", "jobs/settings.rs"),
    ("profile", "model/src/job.rs"),
    ("profile", "findings/clock_speed.rs"),
    ("profile", "rust/file.rs"),
    ("profile", "cargo/build.rs"),
    ("profile", "native/file.rs"),
    ("profile", "java/maven.rs"),
    ("allocations", "src/metric.rs"),
    ("allocations", "gate/checker.rs"),
    ("allocations", "comparison/run.rs"),
    ("instructions", "why/one.rs"),
    ("instructions", "why/tests.rs"),
];

/// A diagnoser with the same name as a metric, which limits and the gate know.
const METRIC: &str = "allocations";

/// Evidence of `tare why` comes from the diagnoser that counts it; a limit of instructions is on a cost with the name of a diagnoser.
const OF_DIAGNOSERS: [&str; 3] = ["analysis/src/why/", "analysis/src/gate/limit.rs", "cli/src/commands/help.rs"];

/// A diagnoser is one file. No code that plans, runs, stores or judges it knows its name.
#[test]
fn only_its_own_file_names_a_diagnoser() {
    let entries = std::fs::read_to_string(xtask::root().join("crates/diagnose/src/registry.rs")).expect("the registry");
    let list = entries.split("pub const ALL").nth(1).and_then(|rest| rest.split("];").next()).expect("all of them");
    let names: Vec<&str> = list.split("::").filter_map(|path| path.rsplit(['[', ',', ' ', '\n']).next()).collect();
    let files: Vec<&str> = names.into_iter().filter(|name| name.chars().all(|c| c.is_ascii_lowercase())).collect();
    assert!(files.contains(&"memory"), "{files:?}");
    for package in ["model", "protocol", "engine", "runner", "build", "store", "analysis", "cli"] {
        let reads_none =
            |path: &std::path::Path| !OF_DIAGNOSERS.iter().any(|place| path.to_string_lossy().contains(place));
        for (path, code) in sources(package).into_iter().filter(|(path, _)| reads_none(path)) {
            let means_other = |name: &str| {
                name == METRIC || NOT_DIAGNOSERS.iter().any(|(other, place)| *other == name && path.ends_with(place))
            };
            for name in files.iter().filter(|name| !name.is_empty() && !means_other(name)) {
                assert!(!code.contains(&format!("\"{name}\"")), "{}: `{name}`", path.display());
            }
        }
    }
}

/// The folders of the languages, with the literals that only they may contain: names of a language, and suffixes of its files.
fn languages() -> BTreeMap<String, Vec<String>> {
    let root = xtask::root().join("crates/build/src/languages");
    let read = |path: PathBuf| std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let list = read(root.join("mod.rs"));
    let inside =
        list.split_once("const ALL: &[Language] = &[").and_then(|(_, rest)| rest.split(']').next()).expect("a list");
    let folders: Vec<&str> = inside.split("Language(&").skip(1).filter_map(|one| one.split("::").next()).collect();
    assert_eq!(folders.len(), LanguageFacts::ALL.len(), "each has its facts: {folders:?}");
    let of = |folder: &str| {
        let (facts, own) = (read(root.join(folder).join("facts.rs")), read(root.join(folder).join("mod.rs")));
        let lines = |text: &str, starts: &[&str]| -> Vec<String> {
            let wanted = text.lines().map(str::trim).filter(|line| starts.iter().any(|start| line.contains(start)));
            wanted.flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned)).collect()
        };
        let names = lines(&facts, &["NAME: &str =", "name: \"", "dialects: &["]);
        let endings = lines(&own, &["suffixes: &[", "programs: &["]);
        let language = LanguageFacts::of(names.first().expect("a name")).expect("it is registered");
        assert!(names.contains(&language.name.to_owned()) && !endings.is_empty(), "{folder}: {names:?} {endings:?}");
        names.into_iter().chain(endings.iter().flat_map(|ending| [ending.clone(), format!(".{ending}")])).collect()
    };
    folders.into_iter().map(|folder| (folder.to_owned(), of(folder))).collect()
}

/// Literals with another meaning in their place.
const NOT_LANGUAGES: [(&str, &str, &str); 10] = [
    ("crates/cli/src/request/build.rs", "cc", "the setting of a job that the flag `--cc` stands for"),
    ("crates/cli/src/request/build.rs", "cxx", "the same of `--cxx`"),
    ("crates/cli/src/commands/compare/selection.rs", "c", "a letter before the names of categories"),
    ("crates/report/src/exporters/foreign/go.rs", "go", "the form of results that `go test -bench` writes"),
    ("crates/report/src/words/advice.rs", "go", "how this form comes about"),
    ("crates/build/src/toolchain/layout/record.rs", "cc", "programs that link for any language"),
    ("crates/build/src/toolchain/layout/record.rs", "c++", "the same"),
    ("crates/diagnose/src/counters/events.rs", "cs", "what `perf` calls context switches"),
    ("crates/report/src/exporters/template/mod.rs", "js", "the ending of what a template writes"),
    ("crates/report/src/exporters/html/page.js", "js", "the class of a page whose script runs"),
];

/// A language is one folder, which contains all code that depends on its name or files.
#[test]
fn only_its_own_folder_knows_a_language() {
    // `import` reads the forms of other tools, and `harness` runs these tools.
    let about_tools = ["import", "harness"];
    let packages = MAY_NEED.iter().filter_map(|(name, _)| name.strip_prefix("tare-"));
    let packages = packages.filter(|name| !about_tools.contains(name));
    let sources: Vec<(PathBuf, String)> = packages.flat_map(sources).collect();
    let mut wrong = Vec::new();
    for (folder, literals) in languages() {
        // C and C++ share code.
        let family = ["c", "cpp", "native"];
        let own: Vec<&str> = if family.contains(&folder.as_str()) { family.to_vec() } else { vec![&folder] };
        let own: Vec<String> = own.iter().map(|name| format!("crates/build/src/languages/{name}/")).collect();
        for (path, code) in &sources {
            let place = path.strip_prefix(xtask::root()).unwrap_or(path).display().to_string();
            // Languages without a front end, which are recognised by their files.
            if own.iter().any(|own| place.starts_with(own)) || place.ends_with("languages/unbuilt.rs") {
                continue;
            }
            let is_allowed = |literal: &str| NOT_LANGUAGES.iter().any(|(at, own, _)| *at == place && *own == literal);
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            for literal in literals.iter().filter(|literal| !is_allowed(literal)) {
                let quoted = format!("\"{literal}\"");
                if let Some(line) = code.iter().find(|line| line.contains(&quoted)) {
                    wrong.push(format!("{place}: {quoted} belongs into the folder `{folder}`: {}", line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folders of two packages, from the bottom up: each uses only earlier ones. A new folder must be added.
const FOLDERS: [(&str, &[&str]); 2] = [
    (
        "analysis",
        &[
            "finding",
            "core",
            "clock",
            "visits",
            "estimate",
            "verdict",
            "ratio",
            "report",
            "saved",
            "findings",
            "comparison",
            "history",
            "gate",
            "why",
        ],
    ),
    ("report", &["words", "forms", "parts", "documents", "subjects", "exporters"]),
];

/// Below the reports of `analysis` there are no verdicts, and the words about verdicts know no data.
const APART: [(&str, &[&str]); 4] = [
    ("core", &[]),
    ("clock", &[]),
    ("verdict", &["finding"]),
    ("history", &["estimate", "report", "verdict", "visits"]),
];

#[test]
fn folders_use_only_those_below_them() {
    for (package, folders) in FOLDERS {
        use_only_those_below(package, folders);
    }
}

/// Checks that code in a package uses only its own folder and those below it.
fn use_only_those_below(package: &str, folders: &[&str]) {
    let root = xtask::root().join(format!("crates/{package}/src"));
    let mut users = 0;
    for (path, code) in sources(package) {
        let inside = path.strip_prefix(&root).expect("a file of the package");
        if inside.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let Some(folder) = inside.iter().next().and_then(|f| f.to_str()).filter(|_| inside.iter().count() > 1) else {
            assert_eq!(inside, std::path::Path::new("lib.rs"), "a file of `{package}` lies in a folder");
            continue;
        };
        let place = folders.iter().position(|f| *f == folder);
        let Some(place) = place else { panic!("`{package}/{folder}` has no place in the order") };
        let below = APART.iter().find(|(apart, _)| *apart == folder).map_or(&folders[..place], |a| a.1);
        for used in code.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(used_modules) {
            users += 1;
            assert!(used == folder || below.contains(&used), "{}: must not use `{used}`", inside.display());
        }
    }
    assert!(users > 100, "{users} uses were found");
}

/// The modules of its own package that a line names.
fn used_modules(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next())
}
