//! Which .NET SDK there is: its compiler, and the assemblies that programs are compiled against.

use crate::toolchain::cache::Key;
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::state;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tare_process::files::entries;
use tare_process::helper::{run, Limits};

/// `dotnet --list-sdks` of a program that is none is not waited for longer.
pub(super) const LIMITS: Limits = Limits { time: Duration::from_secs(30), bytes: 1 << 16 };
/// The front end is written in its C#; `Tare.targets` says the same of an SDK that a project asks for.
const OLDEST: u64 = 8;
/// The pack of what every program of .NET is compiled against.
const CORE: &str = "Microsoft.NETCore.App.Ref";
const ROOT: &str = "DOTNET_ROOT";

#[derive(Debug)]
pub(crate) struct Sdk {
    pub(crate) dotnet: PathBuf,
    pub(crate) version: String,
    root: PathBuf,
}

pub(crate) struct References {
    /// Name of the framework: `netcoreapp3.1`, `net8.0`.
    pub(crate) framework: String,
    /// What tells them apart from others of the same framework.
    pub(crate) place: String,
    /// The version of what was not released yet: `11.0.0-rc.1.26`.
    pub(crate) preview: Option<String>,
    pub(crate) files: Vec<PathBuf>,
}

impl Sdk {
    /// That of the `PATH`, else of `DOTNET_ROOT`; of several versions the newest, as `dotnet` itself chooses.
    pub(crate) fn find(context: &BuildContext) -> Result<Sdk, BuildFailure> {
        let dotnet = program(context)?;
        let place = format!("compilers/{}", Key::new("dotnet").with(state(&dotnet)).finish());
        if let Some(sdk) =
            fs::read_to_string(context.cache.path(&place)).ok().and_then(|known| of_line(&known, &dotnet))
        {
            return Ok(sdk);
        }
        let shown = vec![text(&dotnet), "--list-sdks".to_owned()];
        let done = context.run(&shown, context.variables.command(&dotnet).arg("--list-sdks"), LIMITS)?;
        let output = done.text();
        let last = output.lines().rfind(|line| of_line(line, &dotnet).is_some());
        let Some((line, sdk)) = last.and_then(|line| Some((line, of_line(line, &dotnet)?))) else {
            let hint = "install an SDK, not only a runtime: see https://dotnet.microsoft.com/download".to_owned();
            let status = if done.success { "it has no SDK".to_owned() } else { done.status.clone() };
            let failure = BuildFailure::of_compiler(shown, status, output);
            return Err(BuildFailure { lacking: true, hint: Some(hint), ..failure });
        };
        if sdk.newest_framework() < vec![OLDEST] {
            let hint = format!(
                "install the SDK {OLDEST} or later: see https://dotnet.microsoft.com/download; programs still run on the runtimes that they target"
            );
            return Err(BuildFailure::lacking(format!("the newest .NET SDK is {}", sdk.version), hint));
        }
        // Best effort: it is asked again otherwise.
        let _ = context.cache.write(&place, line.as_bytes());
        Ok(sdk)
    }

    pub(crate) fn compiler(&self) -> PathBuf {
        self.root.join("sdk").join(&self.version).join("Roslyn/bincore/csc.dll")
    }

    pub(crate) fn builds_files(&self) -> bool {
        self.newest_framework() >= vec![10]
    }

    pub(crate) fn identity(&self) -> String {
        state(&self.compiler())
    }

    /// What a program is compiled against: the reference pack of the SDK's own series.
    pub(crate) fn references(&self) -> Result<References, BuildFailure> {
        let own = || self.of_runtime(&self.series());
        self.pack(CORE, &self.series()).or_else(own).or_else(|| self.pack(CORE, "")).ok_or_else(|| {
            let place = self.root.join("packs").join(CORE);
            let hint = format!("install the targeting pack of .NET {}: see `ls {}`", self.series(), place.display());
            let status = format!("the SDK {} has no reference assemblies", self.version);
            BuildFailure::lacking(status, hint)
        })
    }

    /// What a program is compiled against that is to run on this runtime, if not on that of the SDK.
    pub(crate) fn references_for(
        &self,
        context: &BuildContext,
        runtime: Option<&str>,
    ) -> Result<References, BuildFailure> {
        let series = |version: &str| numbers(version).into_iter().take(2).collect::<Vec<u64>>();
        match runtime {
            // Assemblies of a newer runtime cannot be loaded by an older one.
            Some(older) if series(older) < series(&self.version) => {
                let wanted = older.split('.').take(2).collect::<Vec<_>>().join(".");
                let downloaded = || pack(&packages(context.variables)?.join(CORE.to_lowercase()), &wanted);
                let known = self.pack(CORE, &wanted).or_else(downloaded).or_else(|| self.of_runtime(&wanted));
                known.or_else(|| self.standard()).map_or_else(|| self.references(), Ok)
            }
            _ => self.references(),
        }
    }

    /// What programs of every newer runtime can use, where the SDK has it: since .NET 10 it has not.
    pub(crate) fn standard(&self) -> Option<References> {
        self.pack("NETStandard.Library.Ref", "")
    }

    /// The assemblies of an installed runtime itself, which take the place of a pack that is not there.
    fn of_runtime(&self, series: &str) -> Option<References> {
        let version = versions(&self.root.join("shared/Microsoft.NETCore.App"), series).pop()?;
        let name = name_of(&version);
        let number = name.split('.').take(2).collect::<Vec<_>>().join(".");
        let framework = format!("{}{number}", if numbers(&number) < vec![5] { "netcoreapp" } else { "net" });
        let preview = Some(name).filter(|name| name.contains('-'));
        let files = assemblies(&version);
        (!files.is_empty()).then(|| References { place: format!("{framework}-runtime"), framework, preview, files })
    }

    pub(super) fn newest_framework(&self) -> Vec<u64> {
        numbers(&self.series())
    }

    fn series(&self) -> String {
        self.version.split('.').take(2).collect::<Vec<_>>().join(".")
    }

    fn pack(&self, name: &str, series: &str) -> Option<References> {
        pack(&self.root.join("packs").join(name), series)
    }
}

/// The newest reference assemblies in the folder of a pack whose version begins so.
fn pack(folder: &Path, series: &str) -> Option<References> {
    let version = versions(folder, series).pop()?;
    let framework = entries(&version.join("ref")).pop()?;
    let preview = Some(name_of(&version)).filter(|name| name.contains('-'));
    let (files, framework) = (assemblies(&framework), name_of(&framework));
    (!files.is_empty()).then(|| References { place: framework.clone(), framework, preview, files })
}

/// Folders that are named by a version of this series, the newest last.
fn versions(folder: &Path, series: &str) -> Vec<PathBuf> {
    let is_of = |name: &str| name.strip_prefix(series).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let mut versions = entries(folder);
    versions.retain(|version| version.is_dir() && (series.is_empty() || is_of(&name_of(version))));
    versions.sort_by_key(|version| order(&name_of(version)));
    versions
}

fn assemblies(folder: &Path) -> Vec<PathBuf> {
    let is_assembly = |path: &PathBuf| path.extension().is_some_and(|e| e == "dll") && path.is_file();
    entries(folder).into_iter().filter(is_assembly).collect()
}

/// Where NuGet keeps the packages that were downloaded.
fn packages(variables: &Variables) -> Option<PathBuf> {
    let own = || ["DOTNET_CLI_HOME", "HOME"].iter().find_map(|name| variables.get(name));
    variables.get("NUGET_PACKAGES").map(PathBuf::from).or_else(|| Some(Path::new(own()?).join(".nuget/packages")))
}

/// The newest framework of the newest SDK, outside of a build.
pub(super) fn newest_framework() -> Option<String> {
    let dotnet = find(&Variables::of_process())?;
    let done = run(std::process::Command::new(&dotnet).arg("--list-sdks"), LIMITS).ok()?;
    let sdk = done.text().lines().rev().find_map(|line| of_line(line, &dotnet))?;
    sdk.newest_framework().first().map(|major| format!("net{major}.0"))
}

pub(crate) fn is_installed() -> bool {
    find(&Variables::of_process()).is_some()
}

pub(super) fn find(variables: &Variables) -> Option<PathBuf> {
    let of_root = || variables.find(&format!("{}/dotnet", variables.get(ROOT)?));
    variables.find("dotnet").or_else(of_root)
}

pub(crate) fn program(context: &BuildContext) -> Result<PathBuf, BuildFailure> {
    find(context.variables).ok_or_else(|| {
        let hint =
            "install the .NET SDK: see https://dotnet.microsoft.com/download; or set `DOTNET_ROOT` to its folder";
        let status = "`dotnet` was not found on the PATH, nor in `DOTNET_ROOT`";
        BuildFailure::lacking(status, hint)
    })
}

/// `3.1.102 [/usr/share/dotnet/sdk]`, where that is there.
fn of_line(line: &str, dotnet: &Path) -> Option<Sdk> {
    let (version, folder) = line.trim_end().strip_suffix(']')?.split_once(" [")?;
    let sdk =
        Sdk { dotnet: dotnet.to_owned(), version: version.to_owned(), root: Path::new(folder).parent()?.to_owned() };
    sdk.compiler().is_file().then_some(sdk)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// `3.1.10` is newer than `3.1.9`.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-']).map(|part| part.parse().unwrap_or(0)).collect()
}

/// By which versions are sorted: a preview is older than its release.
pub(super) fn order(version: &str) -> (Vec<u64>, bool, Vec<u64>) {
    match version.split_once('-') {
        Some((release, preview)) => (numbers(release), false, numbers(preview)),
        None => (numbers(version), true, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::cache::Cache;
    use crate::toolchain::BuildOptions;

    fn sdk(packs: &[&str]) -> (tempfile::TempDir, Sdk) {
        let place = tempfile::tempdir().expect("a folder");
        for pack in packs {
            let folder = place.path().join("packs").join(pack);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("System.Runtime.dll"), "").expect("a file");
        }
        let sdk = Sdk { dotnet: "dotnet".into(), version: "10.0.100".to_owned(), root: place.path().to_owned() };
        (place, sdk)
    }

    #[test]
    fn references_are_those_of_the_runtime() {
        let core = "Microsoft.NETCore.App.Ref";
        let all = ["8.0.11/ref/net8.0", "10.0.0-rc.1.25/ref/net10.0", "10.0.0/ref/net10.0"];
        let all = all.map(|pack| format!("{core}/{pack}"));
        let (place, sdk) = sdk(&all.each_ref().map(String::as_str));
        let runtime = place.path().join("shared/Microsoft.NETCore.App/9.0.5");
        let downloaded = place.path().join("packages/microsoft.netcore.app.ref/7.0.20/ref/net7.0");
        for folder in [&runtime, &downloaded] {
            fs::create_dir_all(folder).expect("a folder");
            fs::write(folder.join("System.Runtime.dll"), "").expect("a file");
        }
        let variables = Variables::default().with("NUGET_PACKAGES", place.path().join("packages"));
        let options = BuildOptions::default();
        let (messages, _receiver) = std::sync::mpsc::channel();
        let cache = Cache::unopened(place.path());
        let context =
            BuildContext { target: String::new(), options: &options, variables: &variables, cache, jobs: 1, messages };
        let of = |runtime| {
            let found = sdk.references_for(&context, runtime).expect("there is something");
            (found.place, found.framework, found.preview)
        };
        let named = |place: &str, framework: &str| (place.to_owned(), framework.to_owned(), None);
        assert_eq!(of(None), named("net10.0", "net10.0"));
        assert_eq!(of(Some("8.0.4")), named("net8.0", "net8.0"));
        // A pack that was downloaded, and without any the runtime's own assemblies.
        assert_eq!(of(Some("7.0")), named("net7.0", "net7.0"));
        assert_eq!(of(Some("9.0")), named("net9.0-runtime", "net9.0"));
        assert!(sdk.standard().is_none());
    }

    #[test]
    fn a_preview_is_named_in_full() {
        let (_place, sdk) = sdk(&[
            "Microsoft.NETCore.App.Ref/10.0.0-rc.1.25/ref/net10.0",
            "NETStandard.Library.Ref/2.1.0/ref/netstandard2.1",
        ]);
        assert_eq!(sdk.references().expect("there is a pack").preview.as_deref(), Some("10.0.0-rc.1.25"));
        assert_eq!(sdk.standard().expect("there is a pack").framework, "netstandard2.1");
    }

    #[test]
    fn versions_are_numbers() {
        assert!(numbers("3.1.10") > numbers("3.1.9") && numbers("10.0.1") > numbers("9.0.300"));
        assert!(order("10.0.0") > order("10.0.0-rc.2.5") && order("10.0.0-rc.2.5") > order("10.0.0-rc.1.9"));
        assert!(order("10.0.0-rc.2.5") > order("9.0.10"));
        assert!(of_line("3.1.102 [/nowhere/sdk]", Path::new("dotnet")).is_none());
        assert!(of_line("error: x", Path::new("dotnet")).is_none());
    }
}
