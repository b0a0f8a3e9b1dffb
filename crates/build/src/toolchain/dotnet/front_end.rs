//! The C# front end, compiled once for each SDK: `Tare.dll`, and the assembly with the namespaces of BenchmarkDotNet.

use super::sdk::{of_cache, References, Sdk};
use crate::toolchain::cache::{Cache, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, COMPILER};
use crate::toolchain::embedded::CSHARP_SOURCES;
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::helper::run;

/// The front end.
const TARE: &str = "Tare";
/// The namespaces of BenchmarkDotNet.
const COMPATIBILITY: &str = "Tare.BenchmarkDotNet";
/// What a project imports.
const TARGETS: &str = "Tare.targets";

/// The compiled assemblies of the front end.
pub(crate) struct FrontEnd {
    /// Where they are, with what projects import.
    pub(crate) folder: PathBuf,
    /// Hash of all that they were made from.
    pub(crate) key: String,
}

impl FrontEnd {
    /// Compiles it, or finds it compiled.
    pub(crate) fn build(context: &BuildContext, target: &str, sdk: &Sdk) -> Result<FrontEnd, BuildFailure> {
        let sources = Key::new("csharp").with_all(CSHARP_SOURCES.iter().flat_map(|(name, text)| [*name, *text]));
        let key = sources.with(sdk.identity()).finish();
        let place = format!("frontends/csharp-{key}");
        let front_end = FrontEnd { folder: context.cache.path(&place), key };
        let is_there = |name: &str| front_end.folder.join(name).is_file();
        if front_end.assemblies().iter().all(|path| path.is_file()) && is_there(TARGETS) {
            return Ok(front_end);
        }
        let scratch = context.cache.scratch().map_err(of_cache(target))?;
        let references = sdk.standard(target)?;
        for (name, text) in CSHARP_SOURCES {
            write_source(&scratch.path, name, text).map_err(of_cache(target))?;
        }
        let compile = |name: &str, folder: &str, others: &[PathBuf]| {
            let to = scratch.path.join(format!("{name}.dll"));
            let files = CSHARP_SOURCES
                .iter()
                .map(|(file, _)| *file)
                .filter(|file| Path::new(file).starts_with(folder) && file.ends_with(".cs"));
            let mut words = words_of(&references, others, "library", &to);
            words.extend(["-unsafe+", "-langversion:7.3"].map(str::to_owned));
            words.extend(files.map(|file| text(&scratch.path.join(file))));
            run_compiler(context, target, sdk, &words).map(|()| to)
        };
        let tare = compile(TARE, "Tare", &[])?;
        let compatibility = compile(COMPATIBILITY, "Compatibility", std::slice::from_ref(&tare))?;
        for path in [tare, compatibility] {
            keep(&context.cache, &place, &path).map_err(of_cache(target))?;
        }
        let targets = CSHARP_SOURCES.iter().find(|(name, _)| name.ends_with(TARGETS)).map_or("", |(_, text)| *text);
        context.cache.write(&format!("{place}/{TARGETS}"), targets.as_bytes()).map_err(of_cache(target))?;
        Ok(front_end)
    }

    /// What a program with benchmarks is compiled against and lies beside it.
    pub(crate) fn assemblies(&self) -> Vec<PathBuf> {
        [TARE, COMPATIBILITY].iter().map(|name| self.folder.join(format!("{name}.dll"))).collect()
    }

    /// What a project imports after everything of its own.
    pub(crate) fn targets(&self) -> PathBuf {
        self.folder.join(TARGETS)
    }
}

/// What every call of the compiler has.
pub(super) fn words_of(references: &References, others: &[PathBuf], kind: &str, to: &Path) -> Vec<String> {
    let fixed =
        ["-nologo", "-noconfig", "-nostdlib+", "-optimize+", "-debug:portable", "-deterministic+", "-utf8output"];
    let mut words: Vec<String> = fixed.map(str::to_owned).to_vec();
    words.push(format!("-target:{kind}"));
    words.extend(references.files.iter().chain(others).map(|path| format!("-r:{}", path.display())));
    words.push(format!("-out:{}", to.display()));
    words
}

/// The front end is ours: that it does not compile is said with all that the compiler says.
fn run_compiler(context: &BuildContext, target: &str, sdk: &Sdk, words: &[String]) -> Result<(), BuildFailure> {
    let mut command = context.variables.command(&sdk.dotnet);
    let done =
        run(command.arg(sdk.compiler()).args(words), COMPILER).map_err(|e| BuildFailure::of_start(target, &e))?;
    match done.success {
        true => Ok(()),
        false => {
            let shown = ["dotnet", "csc.dll", "Tare/*.cs"].map(str::to_owned).to_vec();
            Err(BuildFailure::of_compiler(target, shown, done.status.clone(), done.text()))
        }
    }
}

fn write_source(folder: &Path, name: &str, text: &str) -> Result<(), CacheError> {
    let path = folder.join(name);
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(&path, text)).map_err(|e| CacheError::new("write", &path, e))
}

/// Puts a file with what belongs to it (its debug information) into a folder of the cache.
pub(super) fn keep(cache: &Cache, place: &str, path: &Path) -> Result<(), CacheError> {
    for file in [path.to_owned(), path.with_extension("pdb")] {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match fs::read(&file) {
            Ok(content) => cache.write(&format!("{place}/{name}"), &content)?,
            Err(_) if file != path => continue,
            Err(e) => return Err(CacheError::new("read", &file, e)),
        };
    }
    Ok(())
}
