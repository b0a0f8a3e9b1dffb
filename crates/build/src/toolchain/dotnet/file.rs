//! One C# file: a call of the SDK's compiler with the front end; and an assembly that somebody else built.

use super::front_end::{keep, words_of, FrontEnd};
use super::runtime;
use super::sdk::{self, of_cache, References, Sdk};
use crate::discover::{read_source, Target};
use crate::toolchain::cache::{hash_file, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::directive::Directives;
use crate::toolchain::entry::{now_ns, Entry};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::job_flags;
use crate::toolchain::layout;
use crate::toolchain::program::hash_of_command;
use std::path::{Path, PathBuf};
use tare_model::Artifact;
use tare_process::helper::Done;

/// Why the layout stays as it is.
pub(super) const LAYOUT: &str = "the runtime places the code when it compiles it";
/// The beginning of a program whose file has none.
const MAIN: &str = "internal static class TareProgram\n{\n    private static int Main(string[] args) => \
                    Tare.BenchmarkSwitcher.FromAssembly(typeof(TareProgram).Assembly).Run(args).ExitCode;\n}\n";

/// Builds a `.cs` file, or runs a `.dll` as it is.
pub(crate) fn build_file(context: &BuildContext, target: &Target) -> BuildResult {
    match target.path.extension().is_some_and(|suffix| suffix == "dll") {
        true => assembly(context, target),
        false => Recipe::new(context, target)?.build(),
    }
}

/// An assembly with a `Main`, as the SDK leaves it.
fn assembly(context: &BuildContext, target: &Target) -> BuildResult {
    let dotnet = sdk::program(context, &target.name)?;
    if !target.path.with_extension("runtimeconfig.json").is_file() {
        let hint = "name the project instead; a program has `<OutputType>Exe</OutputType>`".to_owned();
        let status = "it is a library and no program: there is no `.runtimeconfig.json` beside it";
        return Err(BuildFailure::new(&target.name, status, Some(hint)));
    }
    let here = std::env::current_dir().map_err(|e| {
        let hint = Some("change to another folder".to_owned());
        BuildFailure::new(&target.name, format!("the current folder cannot be used: {e}"), hint)
    })?;
    let artifact = artifact(context, target, &dotnet, &target.path, &here)?;
    Ok(Built { artifact, cached: true })
}

/// What `dotnet` runs.
pub(super) fn artifact(
    context: &BuildContext,
    target: &Target,
    dotnet: &Path,
    assembly: &Path,
    directory: &Path,
) -> Result<Artifact, BuildFailure> {
    let mut command = runtime::starter(context, &target.name, dotnet)?;
    command.push(text(assembly));
    let hash = hash_of_command(&command, directory)
        .map_err(|e| BuildFailure::new(&target.name, format!("cannot read `{}`: {e}", assembly.display()), None))?;
    Ok(Artifact {
        name: target.name.clone(),
        language: target.language.name().to_owned(),
        toolchain: super::TOOLCHAIN.to_owned(),
        command,
        directory: text(directory),
        hash,
        layouts: layout::none(context, &target.name, LAYOUT),
        ..Artifact::default()
    })
}

/// A call of the compiler in its parts.
struct Recipe<'a> {
    context: &'a BuildContext<'a>,
    target: &'a Target,
    source: String,
    sdk: Sdk,
    front_end: FrontEnd,
    references: References,
    flags: Vec<String>,
    folder: PathBuf,
}

impl<'a> Recipe<'a> {
    fn new(context: &'a BuildContext, target: &'a Target) -> Result<Recipe<'a>, BuildFailure> {
        let unreadable =
            |e| BuildFailure::new(&target.name, format!("cannot read `{}`: {e}", target.path.display()), None);
        let source = read_source(&target.path).map_err(unreadable)?;
        let sdk = Sdk::find(context, &target.name)?;
        let front_end = FrontEnd::build(context, &target.name, &sdk)?;
        let references = sdk.references_for(&target.name, runtime::wanted(context))?;
        let mut flags = Directives::of(&source).flags;
        flags.extend(job_flags::dotnet(context, &target.name));
        let folder = target.path.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Recipe { context, target, source, sdk, front_end, references, flags, folder })
    }

    fn build(&self) -> BuildResult {
        let (context, name) = (self.context, &self.target.name);
        let began_ns = now_ns();
        let key = Key::new("csharp-file").with(text(&self.target.path)).with(&self.source).with_all(&self.flags);
        let key = key.with(self.sdk.identity()).with(&self.front_end.key).with(&self.references.framework).finish();
        if let Some((assembly, _)) = Entry::find(&context.cache, &key) {
            return Ok(Built { artifact: self.artifact(&assembly)?, cached: true });
        }
        let scratch = context.cache.scratch().map_err(of_cache(name))?;
        let stem = self.target.path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let built = scratch.path.join(format!("{stem}.dll"));
        let main = scratch.path.join("TareProgram.cs");
        std::fs::write(&main, MAIN)
            .map_err(|e| of_cache(name)(crate::toolchain::cache::CacheError::new("write", &main, e)))?;
        let mut done = self.compile(&built, Some(&main))?;
        // A `Main` of the file's own, or statements without a method around them.
        if !done.success && ["CS0017", "CS8804", "CS7022", "CS8802"].iter().any(|code| done.text().contains(code)) {
            done = self.compile(&built, None)?;
        }
        if !done.success {
            return Err(BuildFailure::of_compiler(name, self.shown(), done.status.clone(), done.text()));
        }
        let hash = hash_file(&built)
            .map_err(|e| of_cache(name)(crate::toolchain::cache::CacheError::new("read", &built, e)))?;
        let place = format!("programs/{}", &Key::new("csharp").with(hash).with(&self.front_end.key).finish()[..16]);
        for path in self.front_end.assemblies().iter().chain([&built]) {
            keep(&context.cache, &place, path).map_err(of_cache(name))?;
        }
        if runtime::wanted(context) != Some(runtime::MONO) {
            let config = runtime_config(&self.references.framework, runtime::wanted(context));
            let place = format!("{place}/{stem}.runtimeconfig.json");
            context.cache.write(&place, config.as_bytes()).map_err(of_cache(name))?;
        }
        let assembly = context.cache.path(&place).join(format!("{stem}.dll"));
        // Other files that flags name are not known: then it is compiled each time.
        if self.flags.iter().all(|flag| flag.starts_with("-langversion") || flag.starts_with("-define")) {
            Entry::store(&context.cache, &key, &assembly, std::slice::from_ref(&self.target.path), began_ns)
                .map_err(of_cache(name))?;
        }
        Ok(Built { artifact: self.artifact(&assembly)?, cached: false })
    }

    fn compile(&self, to: &Path, main: Option<&Path>) -> Result<Done, BuildFailure> {
        let mut command = self.context.variables.command(&self.sdk.dotnet);
        command.current_dir(&self.folder).arg(self.sdk.compiler());
        command.args(words_of(&self.references, &self.front_end.assemblies(), "exe", to));
        command.arg("-unsafe+").args(main).args(&self.flags).arg(&self.target.path);
        let is_old = self.sdk.version.starts_with("3.") || self.sdk.version.starts_with("2.");
        command.args((!is_old).then_some("-langversion:latest"));
        self.context.compile(&self.target.name, &self.shown(), &mut command)
    }

    /// The command without what is the same for every file.
    fn shown(&self) -> Vec<String> {
        let mut words = ["dotnet", "csc.dll", "-optimize+", "-target:exe"].map(str::to_owned).to_vec();
        words.extend(self.front_end.assemblies().iter().map(|path| format!("-r:{}", path.display())));
        words.extend(self.flags.iter().cloned());
        words.push(text(&self.target.path));
        words
    }

    fn artifact(&self, assembly: &Path) -> Result<Artifact, BuildFailure> {
        let artifact = artifact(self.context, self.target, &self.sdk.dotnet, assembly, &self.folder)?;
        Ok(Artifact { build_command: self.shown(), ..artifact })
    }
}

/// Which runtime a program asks for: any patch of the series that it was compiled against, or that it is wanted on.
fn runtime_config(framework: &str, wanted: Option<&str>) -> String {
    let own = framework.trim_start_matches("netcoreapp").trim_start_matches("net");
    let of_wanted = wanted.map(|version| version.split('.').take(2).collect::<Vec<_>>().join("."));
    // What is compiled against the standard runs on every runtime.
    let series = if own.starts_with("standard") { of_wanted.unwrap_or_default() } else { own.to_owned() };
    serde_json::json!({"runtimeOptions": {
        "tfm": framework, "framework": {"name": "Microsoft.NETCore.App", "version": format!("{series}.0")}}})
    .to_string()
}
