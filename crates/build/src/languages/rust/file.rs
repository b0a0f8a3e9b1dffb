//! Single Rust files: each gets a Cargo package with the embedded crates. All single files of a cache share one build folder, so that
//! `tare` is compiled once.

use super::cargo::messages::Messages;
use super::front_end;
use super::rustflags::{self, FlagRoute};
use super::rustup::Cargo;
use crate::discover::{read_source, Target};
use crate::toolchain::cache::Key;
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::directive;
use crate::toolchain::entry::{now_ns, Entry};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout::{self, Notebook};
use crate::toolchain::{depfile, retention};
use std::fs;
use std::path::{Path, PathBuf};
use tare_model::Artifact;
use tare_process::helper::Done;
use toml::{Table, Value};

/// Edition of a file that sets none.
const EDITION: &str = "2021";

struct Recipe<'a> {
    target: &'a Target,
    name: String,
    /// Folder of the source: cargo starts there, so that the user's configuration and toolchain apply.
    folder: PathBuf,
    cargo: Cargo,
    flags: Vec<String>,
    place: Option<FlagRoute>,
    manifest: String,
    has_dependencies: bool,
    manifests: Vec<PathBuf>,
    package: PathBuf,
}

pub(super) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    let began_ns = now_ns();
    let unreadable = BuildFailure::unreadable(&target.path);
    let source = read_source(&target.path).map_err(unreadable)?;
    let recipe = Recipe::new(context, target, &source)?;
    let key = recipe.key(&source);
    if let Some((program, hash)) = Entry::find(&context.cache, &key) {
        if let Some(layouts) = layout::known(context, &program, &hash) {
            return Ok(Built { artifact: recipe.artifact(&program, hash, layouts), cached: true });
        }
    }
    front_end::write(&context.cache)?;
    let relative = recipe.package.strip_prefix(context.cache.path("")).unwrap_or(&recipe.package);
    context.cache.write(&text(&relative.join("Cargo.toml")), recipe.manifest.as_bytes())?;
    // Recorded even for one layout: Cargo would not link again for more.
    let notes = Notebook::open(&context.cache, &recipe.package.join("links"))?;
    let done = recipe.compile(context, &notes)?;
    let messages = Messages::of(&done.stdout);
    let Some(executable) = messages.executable(&recipe.name).filter(|_| done.success) else {
        let output = messages.text(None, &done.stderr);
        return Err(BuildFailure::of_compiler(recipe.shown(), done.status.clone(), output));
    };
    let kept = context.cache.keep_program(Path::new(&executable.path), &recipe.name)?;
    let layouts = layout::make(context, &notes, Path::new(&executable.path), &kept.path, &kept.hash);
    let layouts = layouts?;
    let rules = fs::read_to_string(Path::new(&executable.path).with_extension("d"));
    if let Ok(rules) = rules {
        let mut inputs = depfile::prerequisites(&rules, &recipe.folder);
        inputs.push(target.path.clone());
        inputs.extend(recipe.manifests.iter().cloned());
        // The embedded crates are part of the key, and were written just now.
        inputs.retain(|path| !path.starts_with(context.cache.path("frontends")));
        Entry::store(&context.cache, &key, &kept.path, &inputs, began_ns)?;
    }
    Ok(Built { artifact: recipe.artifact(&kept.path, kept.hash, layouts), cached: false })
}

impl<'a> Recipe<'a> {
    fn new(context: &BuildContext, target: &'a Target, source: &str) -> Result<Recipe<'a>, BuildFailure> {
        let folder = target.path.parent().unwrap_or(Path::new("/")).to_owned();
        let cargo = Cargo::find(context, &folder)?;
        let mut extra = directive::flags(source);
        extra.extend(rustflags::of_job(&context.options.job));
        let flags = rustflags::ours(context.options.align, &extra);
        let place = rustflags::place(context.variables, &folder, &flags);
        let name = crate_name(&target.path);
        let (dependencies, manifests) = dependencies(context, &folder, source)
            .map_err(|reason| BuildFailure::new(reason, Some(DEPENDENCY_HINT.to_owned())))?;
        let has_dependencies = dependencies.len() > 1;
        let edition = directive::values(source, "tare-edition").last().unwrap_or(EDITION).trim_matches('"').to_owned();
        let key = Key::new("package").with(text(&target.path)).with_all(&flags).finish();
        // In a shared build folder, only the package name keeps packages apart: two files of one name, as in a comparison, would overwrite
        // each other.
        let package_name = format!("{name}-{}", &key[..8]);
        let manifest = manifest(&package_name, &name, &edition, &target.path, dependencies);
        let package = context.cache.path(&format!("rust/{}", &key[..16]));
        Ok(Recipe { target, name, folder, cargo, flags, place, manifest, has_dependencies, manifests, package })
    }

    fn key(&self, source: &str) -> String {
        let key = Key::new("rust").with(text(&self.target.path)).with(&self.cargo.identity).with(front_end::folder());
        let key = key.with_all(&self.flags).with(&self.manifest).with(format!("{:?}", self.place)).with(source);
        let is_native =
            self.flags.iter().any(|flag| flag.contains("native")) || format!("{:?}", self.place).contains("native");
        match is_native {
            true => key.with(tare_machine::environment::read().cpu).finish(),
            false => key.finish(),
        }
    }

    fn words(&self, offline: bool) -> Vec<String> {
        let mut words: Vec<String> = ["build", "--release", "--message-format=json"].map(str::to_owned).to_vec();
        words.extend(["--manifest-path".to_owned(), text(&self.package.join("Cargo.toml"))]);
        // Final files go to a folder of this package; intermediate files are shared by all (from Cargo 1.91; older versions compile `tare`
        // again for each file).
        words.extend(["--target-dir".to_owned(), text(&self.package.join("target"))]);
        if offline {
            words.push("--offline".to_owned());
        }
        words
    }

    fn shown(&self) -> Vec<String> {
        let mut words = vec!["cargo".to_owned()];
        words.extend(self.words(false));
        words.retain(|word| !word.starts_with("--message-format"));
        words.extend(self.place.iter().flat_map(FlagRoute::shown));
        words
    }

    /// Offline first: we need no network, and a file's dependencies are often downloaded already.
    fn compile(&self, context: &BuildContext, notes: &Notebook) -> Result<Done, BuildFailure> {
        let done = self.compile_once(context, notes, true)?;
        let wants_network = || {
            let text = String::from_utf8_lossy(&done.stderr).into_owned();
            text.contains("--offline") || text.contains("offline mode") || text.contains("no matching package")
        };
        match !done.success && self.has_dependencies && wants_network() {
            true => self.compile_once(context, notes, false),
            false => Ok(done),
        }
    }

    fn compile_once(&self, context: &BuildContext, notes: &Notebook, offline: bool) -> Result<Done, BuildFailure> {
        let mut command = context.variables.command(&self.cargo.path);
        command.current_dir(&self.folder).args(self.words(offline)).arg("--jobs").arg(context.jobs.to_string());
        let shared = context.cache.path("rust/shared");
        retention::used(&shared);
        command.env("CARGO_BUILD_BUILD_DIR", shared).env_remove("CARGO_TARGET_DIR");
        if let Some(place) = &self.place {
            place.apply(&mut command);
        }
        notes.compile(context, &self.shown(), &mut command)
    }

    fn artifact(&self, program: &Path, hash: String, layouts: Vec<String>) -> Artifact {
        let artifact = self.target.artifact("file", vec![text(program)], &self.folder, hash);
        Artifact { build_command: self.shown(), layouts, ..artifact }
    }
}

const DEPENDENCY_HINT: &str = "write one dependency per line, as in Cargo.toml: `// tare-dependencies: rand = \"0.9\"`";

/// A crate name from a file name: letters, digits and `_`, not beginning with a digit, not a keyword.
fn crate_name(path: &Path) -> String {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let taken =
        ["main", "tare", "tare_macros", "test", "build", "deps", "examples", "core", "std", "alloc", "proc_macro"];
    let words =
        ["fn", "mod", "use", "match", "for", "loop", "if", "let", "type", "impl", "async", "self", "crate", "move"];
    let is_fine = name.starts_with(|c: char| c.is_ascii_alphabetic());
    match is_fine && !taken.contains(&name.as_str()) && !words.contains(&name.as_str()) {
        true => name,
        false => format!("bench_{name}"),
    }
}

/// The `[dependencies]` table, and the manifests of local dependencies. Their paths are relative to the source's folder.
fn dependencies(context: &BuildContext, folder: &Path, source: &str) -> Result<(Table, Vec<PathBuf>), String> {
    let mut all = Table::new();
    let mut manifests = Vec::new();
    for line in directive::values(source, "tare-dependencies") {
        let table =
            line.parse::<Table>().map_err(|e| format!("the dependency `{line}` is not valid: {}", e.message()))?;
        for (name, mut value) in table {
            if let Some(Value::String(path)) = value.get_mut("path") {
                let full = folder.join(&*path);
                manifests.push(full.join("Cargo.toml"));
                *path = text(&full);
            }
            all.insert(name, value);
        }
    }
    let tare = text(&context.cache.path(front_end::folder()).join("tare"));
    all.insert("tare".to_owned(), Value::Table(Table::from_iter([("path".to_owned(), Value::String(tare))])));
    Ok((all, manifests))
}

fn manifest(package: &str, name: &str, edition: &str, source: &Path, dependencies: Table) -> String {
    let string = |text: &str| Value::String(text.to_owned());
    let table =
        |entries: Vec<(&str, Value)>| -> Table { entries.into_iter().map(|(k, v)| (k.to_owned(), v)).collect() };
    let bin = table(vec![("name", string(name)), ("path", string(&text(source)))]);
    let release = table(vec![("opt-level", Value::Integer(3)), ("debug", string("line-tables-only"))]);
    let package = table(vec![
        ("name", string(package)),
        ("version", string("0.0.0")),
        ("edition", string(edition)),
        ("publish", Value::Boolean(false)),
        ("autobins", Value::Boolean(false)),
    ]);
    let manifest = table(vec![
        ("package", Value::Table(package)),
        ("bin", Value::Array(vec![Value::Table(bin)])),
        ("dependencies", Value::Table(dependencies)),
        ("profile", Value::Table(table(vec![("release", Value::Table(release))]))),
        ("workspace", Value::Table(Table::new())),
    ]);
    manifest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_names_of_crates() {
        let cases =
            [("sort.rs", "sort"), ("my bench-1.rs", "my_bench_1"), ("1é.rs", "bench_1_"), ("main.rs", "bench_main")];
        for (file, name) in cases {
            assert_eq!(crate_name(Path::new(file)), name);
        }
    }
}
