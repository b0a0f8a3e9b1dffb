//! The C# front end, `Tare.dll`. Its sources lie in the cache, once for each SDK,
//! and it is compiled for each framework that a program has. For single files that is done here, for projects by what they import
//! (`Tare.targets`), which knows their references.

use super::sdk::{References, Sdk};
use crate::embedded::Files;
use crate::toolchain::cache::{Cache, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, COMPILER};
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};

static FILES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/dotnet.rs")));
pub(super) const TARE: &str = "Tare";
const PROJECT: &str = "Project";
const MAIN: &str = "TareProgram.cs";

/// Its sources for a project that takes them in.
pub(super) fn copied() -> impl Iterator<Item = (String, String)> {
    FILES.iter().filter_map(|(name, text)| {
        let own = Path::new(name).strip_prefix(TARE).ok()?;
        Some((own.display().to_string(), (*text).to_owned()))
    })
}

pub(crate) struct FrontEnd {
    /// Where its sources are, with what projects import, and a folder for each framework.
    folder: PathBuf,
    place: String,
    pub(crate) key: String,
}

impl FrontEnd {
    pub(crate) fn find(context: &BuildContext, sdk: &Sdk) -> Result<FrontEnd, BuildFailure> {
        let sources = Key::new("csharp").with_all(FILES.iter().flat_map(|(name, text)| [*name, *text]));
        let key = sources.with(sdk.identity()).finish();
        let place = format!("frontends/csharp-{key}");
        let front_end = FrontEnd { folder: context.cache.path(&place), place, key };
        let (mut last, mut others): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        for (name, text) in FILES.iter() {
            match Path::new(name).strip_prefix(PROJECT) {
                Ok(imported) => last.push((format!("{}/{}", front_end.place, imported.display()), text)),
                Err(_) => others.push((format!("{}/source/{name}", front_end.place), text)),
            }
        }
        // What projects import is written last: where it is, all the others are.
        if !last.iter().all(|(name, _)| context.cache.path(name).is_file()) {
            for (name, text) in others.iter().chain(&last) {
                context.cache.write(name, text.as_bytes())?;
            }
        }
        Ok(front_end)
    }

    /// The assembly for programs of this framework: compiled, or found compiled.
    pub(crate) fn compiled(
        &self,
        context: &BuildContext,
        sdk: &Sdk,
        references: &References,
    ) -> Result<PathBuf, BuildFailure> {
        let place = format!("{}/{}", self.place, references.place);
        let there = context.cache.path(&format!("{place}/{TARE}.dll"));
        if there.is_file() {
            return Ok(there);
        }
        let scratch = context.cache.scratch()?;
        let to = scratch.path.join(format!("{TARE}.dll"));
        // It is a program too: it starts the benchmarks of a library.
        let mut words = words_of(references, None, "exe", &to);
        words.push("-unsafe+".to_owned());
        words.extend(self.sources(TARE));
        self.compile(context, sdk, &words)?;
        keep(&context.cache, &place, &to)?;
        Ok(there)
    }

    pub(super) fn sources(&self, folder: &str) -> Vec<String> {
        let files = FILES.iter().map(|(file, _)| *file).filter(|file| Path::new(file).starts_with(folder));
        files.map(|file| text(&self.folder.join("source").join(file))).collect()
    }

    /// A call of the compiler. The front end is ours: that it does not compile is said with all that the compiler says.
    pub(super) fn compile(&self, context: &BuildContext, sdk: &Sdk, words: &[String]) -> Result<(), BuildFailure> {
        let mut command = context.variables.command(&sdk.dotnet);
        let shown = ["dotnet", "csc.dll", "Tare/*.cs"].map(str::to_owned);
        // As `Tare.targets` has it.
        command.arg(sdk.compiler()).args(["-langversion:12", "-nullable:enable", "-warn:0"]).args(words);
        context.made(&shown, &mut command, COMPILER).map(drop)
    }

    pub(crate) fn imports(&self) -> [String; 3] {
        [
            ("AlternateCommonProps", "Tare.props"),
            ("CustomBeforeMicrosoftCommonTargets", "Tare.before.targets"),
            ("CustomAfterMicrosoftCommonTargets", "Tare.targets"),
        ]
        .map(|(property, file)| format!("-p:{property}={}", self.folder.join(file).display()))
    }

    pub(crate) fn main(&self) -> PathBuf {
        self.folder.join(MAIN)
    }
}

pub(super) fn words_of(references: &References, front_end: Option<&PathBuf>, kind: &str, to: &Path) -> Vec<String> {
    let fixed =
        ["-nologo", "-noconfig", "-nostdlib+", "-optimize+", "-debug:portable", "-deterministic+", "-utf8output"];
    let mut words: Vec<String> = fixed.map(str::to_owned).to_vec();
    words.push(format!("-target:{kind}"));
    words.extend(references.files.iter().chain(front_end).map(|path| format!("-r:{}", path.display())));
    words.push(format!("-out:{}", to.display()));
    words
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
