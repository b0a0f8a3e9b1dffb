//! Projects: `dotnet build` in release.

use super::ahead;
use super::file::artifact;
use super::front_end::FrontEnd;
use super::msbuild::Order;
use super::runtime;
use super::sdk::{numbers, Sdk};
use crate::discover::{read_source, Target};
use crate::toolchain::context::{BuildContext, BuildResult, Built};
use crate::toolchain::failure::BuildFailure;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tare_model::Artifact;

pub(crate) fn build(context: &BuildContext, target: &Target, manifest: &Path) -> BuildResult {
    let sdk = Sdk::find(context)?;
    let front_end = FrontEnd::find(context, &sdk)?;
    let (source, all) = texts(manifest);
    let wanted = runtime::wanted(context);
    let framework = framework(&source, wanted, &sdk.newest_framework());
    if let Some((status, hint)) = wanted.and_then(|wanted| unfit(&source, framework.as_deref(), wanted)) {
        return Err(BuildFailure::new(status, Some(hint)));
    }
    let mut words: Vec<String> = framework.iter().flat_map(|framework| ["-f".to_owned(), framework.clone()]).collect();
    if brings_its_runtime(&all) {
        words.push("-p:SelfContained=false".to_owned());
    }
    words.extend(super::flags(context));
    let mut order = Order::new(context, &sdk, &front_end, manifest, words, &[])?;
    order.others = with_packages_of_others(manifest);
    let done = order.run(&[])?;
    if !done.success {
        return Err(order.failure(&done));
    }
    let output = order.keep()?;
    let folder = output.folder.as_deref().or(manifest.parent()).unwrap_or(Path::new("/"));
    if runtime::is_ahead_of_time(context) || (output.is_ahead && runtime::is_unsaid(context)) {
        return ahead::build(context, target, &order, &output, folder, &[]);
    }
    let artifact = artifact(context, target, &sdk.dotnet, &output.words, folder)?;
    Ok(Built {
        artifact: Artifact { build_command: output.shown, environment: output.environment, ..artifact },
        cached: output.cached,
    })
}

/// Projects that this one refers to and that have the packages by way of another: what is compiled for them changes too. Paths that
/// MSBuild computes are not followed.
fn with_packages_of_others(manifest: &Path) -> Vec<PathBuf> {
    let mut known = HashMap::new();
    has_packages(manifest, &mut known);
    let mut found: Vec<PathBuf> = known.into_iter().filter_map(|(path, has)| has.then_some(path)).collect();
    found.retain(|path| path != manifest);
    found.sort();
    found
}

/// Whether a project names the packages, or refers to one that has them.
fn has_packages(project: &Path, known: &mut HashMap<PathBuf, bool>) -> bool {
    if let Some(has) = known.get(project) {
        return *has;
    }
    // A circle is no project that can be built.
    known.insert(project.to_owned(), false);
    let text = read_source(project).unwrap_or_default();
    let folder = project.parent().unwrap_or(Path::new("/"));
    let references = text.split("<ProjectReference").skip(1).filter_map(|rest| {
        let (_, path) = rest.split('>').next()?.split_once("Include=\"")?;
        let path = path.split('"').next()?.replace('\\', "/");
        folder.join(path).canonicalize().ok()
    });
    let of_others: Vec<bool> = references.map(|other| has_packages(&other, known)).collect();
    let has = ["BenchmarkDotNet", "\"Tare"].iter().any(|name| text.contains(name)) || of_others.contains(&true);
    known.insert(project.to_owned(), has);
    has
}

/// The text that names the framework of the project, and all of its text: both its own, followed by what the projects of its folders have
/// in common; the first without that where the project names a framework itself.
fn texts(manifest: &Path) -> (String, String) {
    let own = read_source(manifest).unwrap_or_default();
    let folders = manifest.ancestors().skip(1);
    // The nearest is imported, and no other.
    let shared = folders.map(|folder| folder.join("Directory.Build.props")).find(|path| path.is_file());
    let shared = shared.and_then(|path| read_source(&path).ok()).unwrap_or_default();
    let all = format!("{own}{shared}");
    (if own.contains("<TargetFramework") { own } else { all.clone() }, all)
}

/// Of a project for several frameworks the newest that the runtime may run, and that the SDK knows where no runtime is wanted. Those of
/// other systems (`net8.0-windows`) come last.
fn framework(manifest: &str, wanted: Option<&str>, newest: &[u64]) -> Option<String> {
    let list = element(manifest, "TargetFrameworks")?;
    let names = list.split(';').map(str::trim);
    let fits = |version: &[u64]| wanted.is_none_or(|wanted| runs_on(version, wanted));
    let is_known = |version: &[u64]| wanted.is_some() || version <= newest;
    let rank = |name: &str| {
        let version = version(name).filter(|version| fits(version))?;
        Some((!name.contains('-'), is_known(&version), version, name.to_owned()))
    };
    names.filter_map(rank).max().map(|(.., name)| name)
}

/// Why the project cannot run on the runtime that is wanted, and what to do; None: it can, or nobody knows.
fn unfit(manifest: &str, of_several: Option<&str>, wanted: &str) -> Option<(String, String)> {
    let (named, element) = match element(manifest, "TargetFrameworks") {
        Some(list) => (of_several.map(str::to_owned).ok_or(list), "TargetFrameworks"),
        None => (Ok(element(manifest, "TargetFramework")?.trim().to_owned()), "TargetFramework"),
    };
    let fits = |name: &str| version(name).is_none_or(|version| runs_on(&version, wanted));
    let own = match named {
        Ok(name) if fits(&name) => return None,
        Ok(name) => name,
        Err(list) => list.trim().to_owned(),
    };
    let hint = format!("add `net{wanted}` to it: `<TargetFrameworks>{own};net{wanted}</TargetFrameworks>`");
    Some((format!("its `{element}` is `{own}`, which .NET {wanted} cannot run"), hint))
}

fn element<'a>(manifest: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = manifest.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

fn version(name: &str) -> Option<Vec<u64>> {
    let number = name.strip_prefix("netcoreapp").or_else(|| name.strip_prefix("net"))?;
    // `net48` is the .NET Framework, and `netstandard2.0` is none that runs.
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    (is_number && number.contains('.')).then(|| series(number))
}

/// `8.0` of `8.0.4` and of `8.0-windows`.
fn series(version: &str) -> Vec<u64> {
    numbers(version).into_iter().take(2).collect()
}

/// Whether a runtime is no older than a framework; `8` stands for all of its series.
fn runs_on(framework: &[u64], runtime: &str) -> bool {
    let runtime = series(runtime);
    framework.iter().take(runtime.len()).le(runtime.iter())
}

/// Whether the manifest says so, or names a system: SDKs before .NET 8 take that for the same.
fn brings_its_runtime(manifest: &str) -> bool {
    let says =
        |name: &str, value: &str| element(manifest, name).is_some_and(|text| text.trim().eq_ignore_ascii_case(value));
    says("SelfContained", "true")
        || (element(manifest, "RuntimeIdentifier").is_some() && !says("SelfContained", "false"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn of_several_frameworks_the_newest() {
        let several = |list: &str| format!("<TargetFrameworks>{list}</TargetFrameworks>");
        let of = |list: &str, wanted| framework(&several(list), wanted, &[10, 0]);
        let all = "netcoreapp3.1;net10.0; net8.0;net48;netstandard2.0";
        assert_eq!(of(all, None).as_deref(), Some("net10.0"));
        assert_eq!(of(all, Some("8.0.4")).as_deref(), Some("net8.0"));
        assert_eq!(of("netstandard2.0", None), None);
        let one = "<TargetFramework>net8.0</TargetFramework>";
        assert_eq!(framework(one, None, &[10, 0]), None);
        // What the SDK does not know is built by none; one of another system only where there is no other.
        assert_eq!(framework(&several(all), None, &[8, 0]).as_deref(), Some("net8.0"));
        assert_eq!(of("net11.0", None).as_deref(), Some("net11.0"));
        assert_eq!(of("net8.0;net8.0-windows;net9.0-android", None).as_deref(), Some("net8.0"));
        assert_eq!(of("net9.0-windows;net8.0-windows", None).as_deref(), Some("net9.0-windows"));
        assert!(unfit(one, None, "9.0").is_none());
        let (status, hint) = unfit(one, None, "6.0").expect("it does not run there");
        assert_eq!(status, "its `TargetFramework` is `net8.0`, which .NET 6.0 cannot run");
        assert!(hint.contains("<TargetFrameworks>net8.0;net6.0</TargetFrameworks>"));
    }

    #[test]
    fn the_framework_may_be_named_for_all_projects() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder");
            fs::write(&path, text).expect("a file");
            path
        };
        write(
            "Directory.Build.props",
            "<TargetFrameworks>net8.0;net9.0</TargetFrameworks><SelfContained>true</SelfContained>",
        );
        let shared = write("bench/a.csproj", "<OutputType>Exe</OutputType>");
        assert_eq!(framework(&texts(&shared).0, None, &[10, 0]).as_deref(), Some("net9.0"));
        let own = write("bench/b.csproj", "<TargetFramework>net8.0</TargetFramework>");
        assert_eq!(framework(&texts(&own).0, None, &[10, 0]), None);
        assert!(brings_its_runtime(&texts(&own).1));
        let without = write("bench/c.csproj", "<SelfContained>false</SelfContained>");
        assert!(!brings_its_runtime(&texts(&without).1));
    }

    #[test]
    fn packages_come_by_way_of_other_projects() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path().canonicalize().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder");
            fs::write(&path, text).expect("a file");
            path
        };
        let refers = |name: &str| format!("<ProjectReference Include=\"..\\{name}\\{name}.csproj\" />");
        let base = write("base/base.csproj", "<PackageReference Include=\"BenchmarkDotNet\" />");
        let middle = write("middle/middle.csproj", &(refers("base") + &refers("library")));
        write("library/library.csproj", &refers("library"));
        let app = write("app/app.csproj", &(refers("middle") + "<PackageReference Include=\"BenchmarkDotNet\" />"));
        assert_eq!(with_packages_of_others(&app), [base, middle]);
    }

    #[test]
    fn a_project_with_its_own_runtime_is_built_without() {
        assert!(brings_its_runtime("<SelfContained> True </SelfContained>"));
        assert!(brings_its_runtime("<RuntimeIdentifier>linux-x64</RuntimeIdentifier>"));
        assert!(!brings_its_runtime("<RuntimeIdentifiers>linux-x64</RuntimeIdentifiers>"));
        let both = "<RuntimeIdentifier>linux-x64</RuntimeIdentifier><SelfContained>false</SelfContained>";
        assert!(!brings_its_runtime(both));
    }
}
