//! One C# file: a call of the SDK's compiler with the front end; and an assembly that somebody else built.

use super::front_end::{keep, words_of, FrontEnd};
use super::msbuild::{errors_first, Order};
use super::namespace::uses_benchmarkdotnet;
use super::runtime;
use super::sdk::{self, References, Sdk};
use super::source;
use super::{adapter, ahead};
use crate::discover::Target;
use crate::toolchain::cache::{hash_file, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::directive;
use crate::toolchain::entry::{now_ns, Entry};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout;
use crate::toolchain::program::{hash_of_command, here};
use std::path::{Path, PathBuf};
use tare_model::Artifact;
use tare_process::helper::Done;

/// Why the layout stays as it is.
pub(super) const LAYOUT: &str = "the runtime chooses the place of code when it compiles it";
const BENCHMARKDOTNET: &str = "0.15.8";
/// What the compiler says of a file with a `Main` of its own, also where it then takes ours, or with statements without a method around
/// them.
const OWN_MAIN: [&str; 5] = ["CS0017", "CS8804", "CS7022", "CS8802", "CS8892"];
const LACKS_USINGS: [&str; 4] = ["error CS0246", "error CS0103", "error CS1061", "error CS0234"];

pub(super) fn build_file(context: &BuildContext, target: &Target) -> BuildResult {
    match target.path.extension().is_some_and(|suffix| suffix == "dll") {
        true => assembly(context, target),
        false => source(context, target),
    }
}

/// A source file: by the SDK's own support for such files where it says what only that understands, else by a call of the compiler.
fn source(context: &BuildContext, target: &Target) -> BuildResult {
    let unreadable = BuildFailure::unreadable(&target.path);
    let bytes = std::fs::read(&target.path).map_err(unreadable)?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let sdk = Sdk::find(context)?;
    let mut flags = directive::flags(&source);
    flags.extend(super::flags(context));
    let folder = target.path.parent().unwrap_or(Path::new("/"));
    let has_library = uses_benchmarkdotnet(&source);
    let stands_for_project = source::stands_for_project(&source);
    let is_ahead = runtime::is_ahead_of_time(context);
    let is_project = is_ahead || has_library || stands_for_project || has_common_properties(folder);
    if is_project && sdk.builds_files() {
        return by_sdk(context, target, &sdk, &source, &flags);
    }
    if has_library {
        let status = "the file uses the package BenchmarkDotNet, but single files can use packages only with .NET SDK 10 or later";
        let hint = "turn it into a project, or write `using Tare;` instead of BenchmarkDotNet's namespaces".to_owned();
        return Err(BuildFailure::new(status, Some(hint)));
    }
    if is_ahead {
        let status = "single files are compiled ahead of time only by .NET SDK 10 or later";
        return Err(BuildFailure::new(status, Some("turn the file into a project".to_owned())));
    }
    if stands_for_project {
        let status = "lines such as `#:package` and `#!` need .NET SDK 10 or later";
        return Err(BuildFailure::new(status, Some("turn the file into a project".to_owned())));
    }
    Recipe::new(context, target, sdk, bytes, flags)?.build()
}

/// A project of this folder would take properties from there.
fn has_common_properties(folder: &Path) -> bool {
    const FILES: [&str; 3] = ["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"];
    folder.ancestors().any(|above| FILES.iter().any(|name| above.join(name).is_file()))
}

/// `dotnet build file.cs`: packages, projects, other files, another SDK, properties of the folders above.
fn by_sdk(context: &BuildContext, target: &Target, sdk: &Sdk, source: &str, flags: &[String]) -> BuildResult {
    let front_end = FrontEnd::find(context, sdk)?;
    let series = runtime::wanted(context).map(|wanted| wanted.split('.').take(2).collect::<Vec<_>>().join("."));
    let words = series.into_iter().flat_map(|series| ["-f".to_owned(), format!("net{series}")]).collect();
    let order = Order::new(context, sdk, &front_end, &target.path, words, flags)?;
    let mut fixed = Vec::new();
    if uses_benchmarkdotnet(source) {
        fixed.push(format!("-p:TareAddsBenchmarkDotNet={BENCHMARKDOTNET}"));
        fixed.push("-p:AllowUnsafeBlocks=true".to_owned());
    }
    let with = |main: bool| {
        let main = main.then(|| format!("-p:TareMain={}", front_end.main().display()));
        [fixed.clone(), main.into_iter().collect()].concat()
    };
    // Files are published ahead of time unless they say otherwise, for which packages would be downloaded.
    let run = |main: bool| order.run(&[with(main), vec!["-p:PublishAot=false".to_owned()]].concat());
    // With statements outside of a class the compiler takes those, and not our `Main`.
    let mut main = !source::has_main(source);
    let mut done = run(main)?;
    if !done.success && done.text().contains(if main { "error CS0017" } else { "error CS5001" }) {
        main = !main;
        done = run(main)?;
    }
    if !done.success {
        return Err(order.failure(&done));
    }
    let output = order.keep()?;
    let folder = target.path.parent().unwrap_or(Path::new("/"));
    if runtime::is_ahead_of_time(context) {
        return ahead::build(context, target, &order, &output, folder, &with(main));
    }
    let artifact = artifact(context, target, &sdk.dotnet, &output.words, folder)?;
    Ok(Built {
        artifact: Artifact { build_command: output.shown, environment: output.environment, ..artifact },
        cached: output.cached,
    })
}

fn assembly(context: &BuildContext, target: &Target) -> BuildResult {
    let dotnet = sdk::program(context)?;
    if !target.path.with_extension("runtimeconfig.json").is_file() {
        let hint = "name the project instead; a program has `<OutputType>Exe</OutputType>`".to_owned();
        let status = "it is a library, not a program: it has no `.runtimeconfig.json`";
        return Err(BuildFailure::new(status, Some(hint)));
    }
    if is_self_contained(&target.path) {
        let program = target.path.with_extension("");
        let hint = format!("run the program beside it: `tare run -- {}`", program.display());
        let status = "it is self-contained: it includes its own runtime, and `dotnet` cannot run it";
        return Err(BuildFailure::new(status, Some(hint)));
    }
    let here = here()?;
    let environment = adapter::hook(context, target)?;
    let artifact = artifact(context, target, &dotnet, &[text(&target.path)], &here)?;
    Ok(Built { artifact: Artifact { environment, ..artifact }, cached: true })
}

pub(super) fn artifact(
    context: &BuildContext,
    target: &Target,
    dotnet: &Path,
    words: &[String],
    directory: &Path,
) -> Result<Artifact, BuildFailure> {
    let (assembly, arguments) = words.split_first().ok_or_else(|| BuildFailure::new("it has no program", None))?;
    let mut command = runtime::starter(context, dotnet, assembly)?;
    command.extend_from_slice(arguments);
    artifact_of(context, target, command, directory, LAYOUT)
}

/// `layout`: why the layout stays as it is.
pub(super) fn artifact_of(
    context: &BuildContext,
    target: &Target,
    command: Vec<String>,
    directory: &Path,
    layout: &str,
) -> Result<Artifact, BuildFailure> {
    let hash = hash_of_command(&command, directory)
        .map_err(|e| BuildFailure::new(format!("cannot read `{}`: {e}", command.join(" ")), None))?;
    let layouts = layout::none(context, layout);
    Ok(Artifact { layouts, ..target.artifact(super::TOOLCHAIN, command, directory, hash) })
}

/// What the runtime reads of a program before it starts it.
pub(super) fn runtime_options(assembly: &Path) -> serde_json::Value {
    let config = std::fs::read_to_string(assembly.with_extension("runtimeconfig.json")).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_str(&config).unwrap_or_default();
    config["runtimeOptions"].clone()
}

/// Of the runtime that it asks for.
pub(super) fn runtime_version(assembly: &Path) -> Option<String> {
    let options = runtime_options(assembly);
    let frameworks = options["frameworks"].as_array().cloned().unwrap_or_else(|| vec![options["framework"].clone()]);
    let own = frameworks.iter().find(|framework| framework["name"] == "Microsoft.NETCore.App")?;
    own["version"].as_str().map(str::to_owned)
}

pub(super) fn is_self_contained(assembly: &Path) -> bool {
    runtime_options(assembly).get("includedFrameworks").is_some()
}

#[derive(Clone, Copy)]
struct Form {
    main: bool,
    usings: bool,
}

struct Recipe<'a> {
    context: &'a BuildContext<'a>,
    target: &'a Target,
    bytes: Vec<u8>,
    sdk: Sdk,
    front_end: FrontEnd,
    assembly: PathBuf,
    references: References,
    flags: Vec<String>,
    folder: PathBuf,
}

impl<'a> Recipe<'a> {
    fn new(
        context: &'a BuildContext<'a>,
        target: &'a Target,
        sdk: Sdk,
        bytes: Vec<u8>,
        flags: Vec<String>,
    ) -> Result<Recipe<'a>, BuildFailure> {
        let front_end = FrontEnd::find(context, &sdk)?;
        let references = sdk.references_for(context, runtime::wanted(context))?;
        let standard = sdk.standard();
        let of_front_end = standard.as_ref().unwrap_or(&references);
        let assembly = front_end.compiled(context, &sdk, of_front_end)?;
        let folder = target.path.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Recipe { context, target, bytes, sdk, front_end, assembly, references, flags, folder })
    }

    fn build(&self) -> BuildResult {
        let context = self.context;
        let began_ns = now_ns();
        let config = runtime_config(&self.references, runtime::wanted(context));
        let key = Key::new("csharp-file-4").with(text(&self.target.path)).with(&self.bytes).with_all(&self.flags);
        let key = key.with(self.sdk.identity()).with(&self.front_end.key).with(&self.references.place);
        let key = key.with(&config).finish();
        if let Some((assembly, _)) = Entry::find(&context.cache, &key) {
            return Ok(Built { artifact: self.artifact(&assembly)?, cached: true });
        }
        let scratch = context.cache.scratch()?;
        let stem = self.target.path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().replace('"', "_"));
        let built = scratch.path.join(format!("{stem}.dll"));
        let done = self.compile_in(&scratch.path, &built)?;
        if !done.success {
            let said = errors_first(&done.text());
            return Err(BuildFailure::of_compiler(self.shown(), done.status.clone(), said));
        }
        let hash = hash_file(&built).map_err(|e| CacheError::new("read", &built, e))?;
        let key_of_program = Key::new("csharp").with(hash).with(&self.front_end.key).with(&config).finish();
        let place = format!("programs/{}", &key_of_program[..16]);
        for path in [&self.assembly, &built] {
            keep(&context.cache, &place, path)?;
        }
        context.cache.write(&format!("{place}/{stem}.runtimeconfig.json"), config.as_bytes())?;
        let assembly = context.cache.path(&place).join(format!("{stem}.dll"));
        // Other files that flags name are not known: then it is compiled each time.
        if self
            .flags
            .iter()
            .all(|flag| ["-langversion", "-define", "-nullable", "-unsafe"].iter().any(|own| flag.starts_with(own)))
        {
            Entry::store(&context.cache, &key, &assembly, std::slice::from_ref(&self.target.path), began_ns)?;
        }
        Ok(Built { artifact: self.artifact(&assembly)?, cached: false })
    }

    /// Compiles the file as it is, and again without our `Main` where it has one, and with the imports of a project where names are
    /// missing. Of several failures the one with the fewest errors.
    fn compile_in(&self, scratch: &Path, to: &Path) -> Result<Done, BuildFailure> {
        let main = self.front_end.main();
        let usings = scratch.join("usings.cs");
        std::fs::write(&usings, source::USINGS).map_err(|e| CacheError::new("write", &usings, e))?;
        let mut form = Form { main: true, usings: false };
        let mut failed: Option<Done> = None;
        loop {
            let with = [form.main.then_some(&main), form.usings.then_some(&usings)];
            let done = self.compile(to, with.into_iter().flatten())?;
            let said = done.text();
            let says = |codes: &[&str]| codes.iter().any(|code| said.contains(code));
            let is_better = failed.as_ref().is_none_or(|before| errors(&done) < errors(before));
            if form.main && says(&OWN_MAIN) && (!done.success || said.contains("CS8892")) {
                form.main = false;
            } else if !done.success && !form.usings && says(&LACKS_USINGS) {
                form.usings = true;
                failed = Some(done);
            } else {
                return Ok(if done.success || is_better { done } else { failed.unwrap_or(done) });
            }
        }
    }

    fn compile<'p>(&self, to: &Path, with: impl Iterator<Item = &'p PathBuf>) -> Result<Done, BuildFailure> {
        let mut command = self.context.variables.command(&self.sdk.dotnet);
        command.current_dir(&self.folder).arg(self.sdk.compiler());
        command.args(words_of(&self.references, Some(&self.assembly), "exe", to));
        command.args(words_of_file(&self.references.framework, &self.flags));
        self.context.compile(&self.shown(), command.args(with).arg(&self.target.path))
    }

    fn shown(&self) -> Vec<String> {
        let mut words = ["dotnet", "csc.dll", "-optimize+", "-target:exe"].map(str::to_owned).to_vec();
        words.push(format!("-r:{}", self.assembly.display()));
        words.extend(self.flags.iter().cloned());
        words.push(text(&self.target.path));
        words
    }

    fn artifact(&self, assembly: &Path) -> Result<Artifact, BuildFailure> {
        let artifact = artifact(self.context, self.target, &self.sdk.dotnet, &[text(assembly)], &self.folder)?;
        Ok(Artifact { build_command: self.shown(), ..artifact })
    }
}

/// What a file is compiled with beside its references; what the user says comes last and wins.
fn words_of_file(framework: &str, flags: &[String]) -> Vec<String> {
    let symbols = format!("-define:{}", source::symbols(framework).join(";"));
    [&["-unsafe+".to_owned(), symbols, "-langversion:latest".to_owned()], flags].concat()
}

fn errors(done: &Done) -> usize {
    done.text().matches("error CS").count()
}

/// Which runtime a program asks for: any patch of the series that it was compiled against, or that it is wanted on. One that was not
/// released yet asks for itself: a release is newer.
fn runtime_config(references: &References, wanted: Option<&str>) -> String {
    let framework = &references.framework;
    let own = framework.trim_start_matches("netcoreapp").trim_start_matches("net");
    let of_wanted = wanted.map(|version| version.split('.').take(2).collect::<Vec<_>>().join("."));
    // What is compiled against the standard runs on every runtime.
    let series = if own.starts_with("standard") { of_wanted.unwrap_or_default() } else { own.to_owned() };
    let version = references.preview.clone().unwrap_or_else(|| format!("{series}.0"));
    let options = serde_json::json!({"tfm": framework,
        "framework": {"name": "Microsoft.NETCore.App", "version": version}});
    serde_json::json!({ "runtimeOptions": options }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version_of(framework: &str, preview: Option<&str>, wanted: Option<&str>) -> String {
        let references = References {
            framework: framework.to_owned(),
            place: String::new(),
            preview: preview.map(str::to_owned),
            files: Vec::new(),
        };
        let config: serde_json::Value = serde_json::from_str(&runtime_config(&references, wanted)).expect("it is JSON");
        config["runtimeOptions"]["framework"]["version"].as_str().map(str::to_owned).unwrap_or_default()
    }

    #[test]
    fn a_program_asks_for_its_series() {
        assert_eq!(version_of("net10.0", None, None), "10.0.0");
        assert_eq!(version_of("netcoreapp3.1", None, None), "3.1.0");
        assert_eq!(version_of("netstandard2.1", None, Some("8.0.4")), "8.0.0");
        assert_eq!(version_of("net11.0", Some("11.0.0-rc.1.26"), None), "11.0.0-rc.1.26");
    }

    #[test]
    fn what_the_user_says_wins() {
        let flags = ["-langversion:preview".to_owned()];
        assert_eq!(words_of_file("net10.0", &flags)[2..], ["-langversion:latest", "-langversion:preview"]);
    }

    #[test]
    fn a_program_with_its_own_runtime_is_known() {
        let place = tempfile::tempdir().expect("a folder");
        let of = |options: &str| {
            std::fs::write(place.path().join("x.runtimeconfig.json"), format!("{{\"runtimeOptions\": {{{options}}}}}"))
                .expect("a file");
            is_self_contained(&place.path().join("x.dll"))
        };
        assert!(of("\"includedFrameworks\": [{\"name\": \"Microsoft.NETCore.App\"}]"));
        assert!(!of("\"framework\": {\"name\": \"Microsoft.NETCore.App\"}"));
    }

    #[test]
    fn the_version_is_that_of_the_runtime() {
        let place = tempfile::tempdir().expect("a folder");
        let of = |options: &str| {
            std::fs::write(place.path().join("x.runtimeconfig.json"), format!("{{\"runtimeOptions\": {{{options}}}}}"))
                .expect("a file");
            runtime_version(&place.path().join("x.dll"))
        };
        assert_eq!(
            of(r#""framework": {"name": "Microsoft.NETCore.App", "version": "8.0.4"}"#).as_deref(),
            Some("8.0.4")
        );
        let several = r#""frameworks": [{"name": "Microsoft.AspNetCore.App", "version": "9.0.0"}, {"name": "Microsoft.NETCore.App", "version": "10.0.0"}]"#;
        assert_eq!(of(several).as_deref(), Some("10.0.0"));
        assert_eq!(of(""), None);
    }
}
