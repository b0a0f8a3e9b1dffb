//! Bench targets of a Cargo package. Cargo itself knows what is up to date. Its output goes to a folder of the cache, so that our flags
//! never cause a full rebuild of the user's next `cargo build`.

use super::discover::{features_of, has_bench_section, missing_harness, read};
use super::messages::Messages;
use super::seed;
use crate::discover::{has_front_end, Skipped, Target};
use crate::languages::rust::rustflags::{self, FlagRoute};
use crate::languages::rust::rustup::Cargo;
use crate::toolchain::cache::Key;
use crate::toolchain::context::{text, BuildContext, Built};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::harness::{layouts_for, run_by};
use crate::toolchain::layout::{self, Notebook};
use crate::toolchain::retention;
use std::path::{Path, PathBuf};
use tare_model::Artifact;
use tare_process::helper::Done;
use toml::{Table, Value};

/// Levels above a package that are searched for its workspace.
const LEVELS: usize = 64;

/// None if the program has no benchmarks of ours, which is reported as an event.
type Outcome = Result<Option<Built>, BuildFailure>;

/// Builds bench targets of one package together; returns their results in the same order.
pub(crate) fn build(context: &BuildContext, package_dir: &Path, targets: &[&Target]) -> Vec<Outcome> {
    let refused: Vec<Option<BuildFailure>> = targets.iter().map(|target| refuse_libtest(package_dir, target)).collect();
    let of_each = targets.iter().zip(&refused);
    let wanted: Vec<&Target> = of_each.filter(|(_, refused)| refused.is_none()).map(|(target, _)| *target).collect();
    let built = match wanted.first().map(|first| Call::new(context, package_dir, names(first).0)) {
        None => Vec::new(),
        Some(Ok(call)) => call.build(&wanted),
        Some(Err(failure)) => wanted.iter().map(|_| Err(failure.clone())).collect(),
    };
    let mut built = built.into_iter();
    refused.into_iter().filter_map(|refused| refused.map(Err).or_else(|| built.next())).collect()
}

fn names(target: &Target) -> (&str, &str) {
    target.project().map_or(("", ""), |project| (&project.package, &project.name))
}

/// With libtest's `main`, a bench target would not answer the host.
fn refuse_libtest(package_dir: &Path, target: &Target) -> Option<BuildFailure> {
    let (_, bench) = names(target);
    let is_declared = missing_harness(package_dir, bench)?;
    let manifest = package_dir.join("Cargo.toml");
    let manifest = manifest.display();
    let what = match has_bench_section(package_dir, bench) {
        true => format!("add the last line to the section of `{bench}` in `{manifest}`"),
        false => format!("add to `{manifest}`"),
    };
    let hint = format!("{what}:\n\n    [[bench]]\n    name = \"{bench}\"\n    harness = false");
    let failure = BuildFailure::new("`harness = false` is missing: libtest would run it instead of tare", Some(hint));
    is_declared.then_some(failure)
}

/// Whether Cargo reports several packages of this name. That happens if a package depends on something that depends on an earlier version
/// of the package itself, as `criterion` does.
fn is_ambiguous(stderr: &[u8]) -> bool {
    tare_model::text::contains(stderr, b"is ambiguous") && tare_model::text::contains(stderr, b"specification")
}

/// An unambiguous name of a package: its location. Characters that a URL does not allow are escaped, as in `%20`.
fn spec_of(package_dir: &Path, package: &str) -> String {
    let folder = std::fs::canonicalize(package_dir).unwrap_or_else(|_| package_dir.to_owned());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~+@".contains(&byte);
    let mut spec = "file://".to_owned();
    for byte in text(&folder).bytes() {
        match is_plain(byte) {
            true => spec.push(char::from(byte)),
            false => spec.push_str(&format!("%{byte:02X}")),
        }
    }
    spec + "#" + package
}

struct Call<'a> {
    context: &'a BuildContext<'a>,
    package_dir: &'a Path,
    package: &'a str,
    /// The argument for Cargo: the package's name, or its location if several packages have this name.
    spec: String,
    cargo: Cargo,
    workspace: PathBuf,
    target_dir: PathBuf,
    /// Records all links: Cargo would not link again when more layouts are wanted later.
    notes: Notebook,
}

impl<'a> Call<'a> {
    fn new(context: &'a BuildContext, package_dir: &'a Path, package: &'a str) -> Result<Call<'a>, BuildFailure> {
        let cargo = Cargo::find(context, package_dir)?;
        let workspace = workspace(package_dir);
        let key = Key::new("workspace").with(text(&workspace)).finish();
        let target_dir = context.cache.path(&format!("cargo/{}", &key[..16]));
        retention::used(&target_dir);
        let notes = Notebook::open(&context.cache, &target_dir.join("links"))?;
        Ok(Call { context, package_dir, package, spec: package.to_owned(), cargo, workspace, target_dir, notes })
    }

    fn build(mut self, targets: &[&Target]) -> Vec<Outcome> {
        let succeeded = |done: &Result<Done, _>| done.as_ref().is_ok_and(|done: &Done| done.success);
        let together = |call: &Call| {
            let (workspace, target_dir, package) = (&call.workspace, &call.target_dir, call.package);
            seed::Workspace { workspace, target_dir, package }.build(succeeded, |is_first| call.run(targets, is_first))
        };
        let mut done = together(&self);
        if done.as_ref().is_ok_and(|done| !done.success && is_ambiguous(&done.stderr)) {
            self.spec = spec_of(self.package_dir, self.package);
            done = together(&self);
        }
        match done {
            Err(failure) => targets.iter().map(|_| Err(failure.clone())).collect(),
            // Cargo stops at the first failure, so each is built by itself; compiled dependencies are reused.
            Ok(done) if !done.success && targets.len() > 1 => {
                let alone = |target: &&Target| self.result(target, &self.run(&[target], false)?);
                targets.iter().map(alone).collect()
            }
            Ok(done) => targets.iter().map(|target| self.result(target, &done)).collect(),
        }
    }

    fn place(&self) -> Option<FlagRoute> {
        let flags = rustflags::ours(self.context.options.align, &rustflags::of_job(&self.context.options.job));
        rustflags::place(self.context.variables, self.package_dir, &flags)
    }

    fn words(&self, targets: &[&Target]) -> Vec<String> {
        let mut words: Vec<String> = ["bench", "--no-run", "--package", &self.spec].map(str::to_owned).to_vec();
        for target in targets {
            words.extend(["--bench".to_owned(), names(target).1.to_owned()]);
        }
        words.extend(self.wanted());
        words.extend(["--target-dir".to_owned(), text(&self.target_dir)]);
        words
    }

    fn wanted(&self) -> Vec<String> {
        let wanted = &self.context.options.discover;
        let mut words = Vec::new();
        let features = features_of(self.package_dir, self.package, &wanted.features);
        if !features.is_empty() {
            words.extend(["--features".to_owned(), features.join(",")]);
        }
        let flags = [(wanted.features.all, "--all-features"), (wanted.features.no_default, "--no-default-features")];
        words.extend(flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_owned()));
        if let Some(profile) = &wanted.profile {
            words.extend(["--profile".to_owned(), profile.clone()]);
        }
        words
    }

    fn shown(&self, targets: &[&Target]) -> Vec<String> {
        let mut words = vec!["cargo".to_owned()];
        words.extend(self.words(targets));
        words.extend(self.place().iter().flat_map(FlagRoute::shown));
        words
    }

    /// `alone`: no other Cargo build runs meanwhile.
    fn run(&self, targets: &[&Target], alone: bool) -> Result<Done, BuildFailure> {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if alone { self.context.jobs.max(processors()) } else { self.context.jobs };
        let mut command = self.context.variables.command(&self.cargo.path);
        command.current_dir(self.package_dir).args(self.words(targets));
        command.arg("--message-format=json").arg("--jobs").arg(jobs.to_string());
        // If the user's settings gave all checkouts one shared folder, one side would get the other's program.
        command.env("CARGO_BUILD_BUILD_DIR", &self.target_dir);
        // Symbols do not affect the code, and profiles need them.
        let profile = self.context.options.discover.profile.as_deref().unwrap_or("bench");
        let manifest = read(&self.workspace.join("Cargo.toml")).unwrap_or_default();
        let mut unless_users = |key: &str, value: &str, is_wanted: bool| {
            let variable = format!("CARGO_PROFILE_{}_{key}", profile.to_uppercase().replace('-', "_"));
            if is_wanted && self.context.variables.get(&variable).is_none() {
                command.env(variable, value);
            }
        };
        unless_users("STRIP", "none", strips(&manifest, profile));
        // Source lines and inlined functions are unknown without debug information.
        unless_users("DEBUG", "line-tables-only", of_profile(&manifest, profile, "debug").is_none());
        if let Some(place) = self.place() {
            place.apply(&mut command);
        }
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        self.notes.compile(&self.context.named(&names.join(", ")), &self.shown(targets), &mut command)
    }

    fn result(&self, target: &Target, done: &Done) -> Outcome {
        let context = &self.context.named(&target.name);
        let messages = Messages::of(&done.stdout);
        let shown = self.shown(&[target]);
        let Some(executable) = messages.executable(names(target).1) else {
            let output = messages.text(None, &done.stderr);
            let status = if done.success { "cargo built no program".to_owned() } else { done.status.clone() };
            return Err(BuildFailure::of_compiler(shown, status, output));
        };
        if let Some(concern) = executable.concern() {
            context.warn(concern);
        }
        let harness = match std::fs::read(&executable.path) {
            Ok(program) if !has_front_end(&program) => match tare_harness::of_program(&program) {
                Some(harness) => Some(harness),
                None => {
                    self.skip(target);
                    return Ok(None);
                }
            },
            _ => None,
        };
        // A copy, as the package's next build must not change what a run measures.
        let built = Path::new(&executable.path);
        let kept = context.cache.keep_program(built, names(target).1)?;
        let layouts = layout::make(context, &self.notes, built, &kept.path, &kept.hash)?;
        // A harness adds its own arguments.
        let own = harness.is_none().then(|| "--bench".to_owned());
        let command = std::iter::once(text(&kept.path)).chain(own).collect();
        let artifact = Artifact {
            build_command: shown,
            layouts: layouts_for(harness, context, layouts),
            ..target.artifact(super::CARGO.name, command, self.package_dir, kept.hash)
        };
        let artifact = match harness {
            Some(harness) => run_by(artifact, harness)?,
            None => artifact,
        };
        Ok(Some(Built { artifact, cached: executable.fresh }))
    }

    /// Skips a program without a front end: it would not answer, but run its own code.
    fn skip(&self, target: &Target) {
        let (package, bench) = names(target);
        self.context.skip(Skipped {
            name: target.name.clone(),
            bench: bench.to_owned(),
            why: "contains no Tare benchmark".to_owned(),
            instead: format!("`cargo bench --package {package} --bench {bench}` runs it"),
            missing: None,
        });
    }
}

fn strips(manifest: &Table, profile: &str) -> bool {
    let strip = of_profile(manifest, profile, "strip");
    strip.is_some_and(|strip| strip.as_bool() == Some(true) || strip.as_str() == Some("symbols"))
}

fn of_profile<'m>(manifest: &'m Table, profile: &'m str, key: &str) -> Option<&'m Value> {
    let mut name = profile;
    for _ in 0..LEVELS {
        let table = manifest.get("profile").and_then(|profiles| profiles.get(name));
        let of = |key: &str| table.and_then(|table| table.get(key));
        if let Some(found) = of(key) {
            return Some(found);
        }
        name = match (name, of("inherits").and_then(Value::as_str)) {
            (_, Some(inherited)) => inherited,
            ("bench", None) => "release",
            _ => return None,
        };
    }
    None
}

/// The nearest folder at or above the package that is a workspace; else the package's own.
fn workspace(package_dir: &Path) -> PathBuf {
    let is_workspace = |folder: &&Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.trim_start().starts_with("[workspace"))
    };
    package_dir.ancestors().take(LEVELS).find(is_workspace).unwrap_or(package_dir).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_ambiguous, of_profile, spec_of, strips};
    use std::path::Path;

    #[test]
    fn a_profile_strips_by_its_own_word_or_by_that_of_the_one_that_it_inherits() {
        let of = |manifest: &str, profile: &str| strips(&manifest.parse().expect("a manifest"), profile);
        let release = "[profile.release]\nstrip = true\n[profile.small]\ninherits = \"release\"\n";
        assert!(of(release, "bench") && of(release, "small") && of("[profile.bench]\nstrip = \"symbols\"\n", "bench"));
        assert!(!of(&format!("{release}[profile.bench]\nstrip = \"debuginfo\"\n"), "bench") && !of("", "bench"));
    }

    #[test]
    fn debug_information_is_what_the_profile_says() {
        let of = |manifest: &str| of_profile(&manifest.parse().expect("a manifest"), "bench", "debug").is_some();
        assert!(of("[profile.release]\ndebug = false\n") && of("[profile.bench]\ndebug = 2\n"));
        assert!(!of("[profile.release]\nlto = true\n") && !of(""));
    }

    #[test]
    fn a_package_can_be_named_by_its_folder() {
        assert!(is_ambiguous(b"error: specification `itoa` is ambiguous\nhelp: re-run this command with"));
        assert!(!is_ambiguous(b"error: the name `x` is ambiguous"));
        assert_eq!(spec_of(Path::new("/no such/\u{fc}"), "itoa"), "file:///no%20such/%C3%BC#itoa");
    }
}
