//! Which .NET SDK there is: its compiler, and the assemblies that programs are compiled against.

use super::runtime::MONO;
use crate::toolchain::cache::{CacheError, Key};
use crate::toolchain::compiler::state;
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tare_process::helper::{run, Limits};

/// `dotnet --list-sdks` of a program that is none is not waited for longer.
pub(super) const LIMITS: Limits = Limits { time: Duration::from_secs(30), bytes: 1 << 16 };
/// The variable that says where .NET is installed.
const ROOT: &str = "DOTNET_ROOT";

/// An SDK that was found.
#[derive(Debug)]
pub(crate) struct Sdk {
    /// The program that starts everything.
    pub(crate) dotnet: PathBuf,
    /// `3.1.102`
    pub(crate) version: String,
    /// The folder of all SDKs, packs and runtimes.
    root: PathBuf,
}

/// Assemblies to compile against.
pub(crate) struct References {
    /// Name of the framework: `netcoreapp3.1`, `net8.0`.
    pub(crate) framework: String,
    /// The version of what was not released yet: `11.0.0-rc.1.26`.
    pub(crate) preview: Option<String>,
    /// The assemblies, sorted.
    pub(crate) files: Vec<PathBuf>,
}

impl Sdk {
    /// That of the `PATH`, else of `DOTNET_ROOT`; of several versions the newest, as `dotnet` itself chooses.
    pub(crate) fn find(context: &BuildContext, target: &str) -> Result<Sdk, BuildFailure> {
        let dotnet = program(context, target)?;
        let place = format!("compilers/{}", Key::new("dotnet").with(state(&dotnet)).finish());
        if let Some(sdk) =
            fs::read_to_string(context.cache.path(&place)).ok().and_then(|known| of_line(&known, &dotnet))
        {
            return Ok(sdk);
        }
        let shown = vec![text(&dotnet), "--list-sdks".to_owned()];
        let done = run(context.variables.command(&dotnet).arg("--list-sdks"), LIMITS)
            .map_err(|e| BuildFailure { command: shown.clone(), ..BuildFailure::of_start(target, &e) })?;
        let output = done.text();
        let last = output.lines().rfind(|line| of_line(line, &dotnet).is_some());
        let Some((line, sdk)) = last.and_then(|line| Some((line, of_line(line, &dotnet)?))) else {
            let hint = "install an SDK, not only a runtime: see https://dotnet.microsoft.com/download".to_owned();
            let status = if done.success { "it has no SDK".to_owned() } else { done.status.clone() };
            let failure = BuildFailure::of_compiler(target, shown, status, output);
            return Err(BuildFailure { lacking: true, hint: Some(hint), ..failure });
        };
        // Best effort: it is asked again otherwise.
        let _ = context.cache.write(&place, line.as_bytes());
        Ok(sdk)
    }

    /// The compiler of C#, which `dotnet` runs.
    pub(crate) fn compiler(&self) -> PathBuf {
        self.root.join("sdk").join(&self.version).join("Roslyn/bincore/csc.dll")
    }

    /// What makes it this SDK and no other.
    pub(crate) fn identity(&self) -> String {
        state(&self.compiler())
    }

    /// What a program is compiled against.
    pub(crate) fn references(&self, target: &str) -> Result<References, BuildFailure> {
        self.pack("Microsoft.NETCore.App.Ref", &self.series())
            .or_else(|| self.pack("Microsoft.NETCore.App.Ref", ""))
            .ok_or_else(|| {
                let place = self.root.join("packs/Microsoft.NETCore.App.Ref");
                let hint =
                    format!("install the targeting pack of .NET {}: see `ls {}`", self.series(), place.display());
                let status = format!("the SDK {} has no reference assemblies", self.version);
                BuildFailure { lacking: true, ..BuildFailure::new(target, status, Some(hint)) }
            })
    }

    /// What a program is compiled against that is to run on this runtime, if not on that of the SDK.
    pub(crate) fn references_for(&self, target: &str, runtime: Option<&str>) -> Result<References, BuildFailure> {
        let series = |version: &str| numbers(version).into_iter().take(2).collect::<Vec<u64>>();
        match runtime {
            // Assemblies of a newer runtime cannot be loaded by an older one, nor by another.
            Some(MONO) => self.standard(target),
            Some(older) if series(older) < series(&self.version) => {
                let wanted = older.split('.').take(2).collect::<Vec<_>>().join(".");
                self.pack("Microsoft.NETCore.App.Ref", &wanted).map_or_else(|| self.standard(target), Ok)
            }
            _ => self.references(target),
        }
    }

    /// What the front end is compiled against: programs of every newer runtime can then use it. Where an SDK does not bring the standard
    /// it is the oldest .NET.
    pub(crate) fn standard(&self, target: &str) -> Result<References, BuildFailure> {
        let standard = self.pack("NETStandard.Library.Ref", "");
        let oldest = || of_pack(&self.packs("Microsoft.NETCore.App.Ref", "").into_iter().next()?);
        standard.or_else(oldest).map_or_else(|| self.references(target), Ok)
    }

    /// The series of this SDK, as the version of a framework.
    pub(super) fn newest_framework(&self) -> Vec<u64> {
        numbers(&self.series())
    }

    /// `3.1` of `3.1.102`.
    fn series(&self) -> String {
        self.version.split('.').take(2).collect::<Vec<_>>().join(".")
    }

    /// The newest reference assemblies of a pack whose version begins so.
    fn pack(&self, name: &str, series: &str) -> Option<References> {
        of_pack(&self.packs(name, series).pop()?)
    }

    /// All of a pack whose version begins so, the newest last.
    fn packs(&self, name: &str, series: &str) -> Vec<PathBuf> {
        let mut versions = folders(&self.root.join("packs").join(name));
        versions.retain(|version| name_of(version).starts_with(series));
        versions.sort_by_key(|version| order(&name_of(version)));
        versions
    }
}

/// The reference assemblies of one version of a pack.
fn of_pack(version: &Path) -> Option<References> {
    let framework = folders(&version.join("ref")).pop()?;
    let mut files: Vec<PathBuf> = fs::read_dir(&framework).ok()?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "dll"));
    files.sort();
    let preview = Some(name_of(version)).filter(|name| name.contains('-'));
    (!files.is_empty()).then(|| References { framework: name_of(&framework), preview, files })
}

/// Whether there is a `dotnet` in the environment of this process.
pub(crate) fn is_installed() -> bool {
    find(&Variables::of_process()).is_some()
}

pub(super) fn find(variables: &Variables) -> Option<PathBuf> {
    let of_root = || variables.find(&format!("{}/dotnet", variables.get(ROOT)?));
    variables.find("dotnet").or_else(of_root)
}

/// The program `dotnet`.
pub(crate) fn program(context: &BuildContext, target: &str) -> Result<PathBuf, BuildFailure> {
    find(context.variables).ok_or_else(|| {
        let hint =
            "install the .NET SDK: see https://dotnet.microsoft.com/download; or say where it is with `DOTNET_ROOT`";
        let status = "`dotnet` was not found on the PATH, nor in `DOTNET_ROOT`";
        BuildFailure { lacking: true, ..BuildFailure::new(target, status, Some(hint.to_owned())) }
    })
}

/// `3.1.102 [/usr/share/dotnet/sdk]`, where that is there.
fn of_line(line: &str, dotnet: &Path) -> Option<Sdk> {
    let (version, folder) = line.trim_end().strip_suffix(']')?.split_once(" [")?;
    let sdk =
        Sdk { dotnet: dotnet.to_owned(), version: version.to_owned(), root: Path::new(folder).parent()?.to_owned() };
    sdk.compiler().is_file().then_some(sdk)
}

fn folders(place: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(place).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_dir()).collect();
    found.sort();
    found
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

/// The failure of the cache as one of the target.
pub(crate) fn of_cache(target: &str) -> impl Fn(CacheError) -> BuildFailure + '_ {
    move |error| BuildFailure::of_cache(target, &error)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (_place, sdk) = sdk(&all.each_ref().map(String::as_str));
        let of = |runtime| {
            let found = sdk.references_for("x", runtime).expect("there is a pack");
            (found.framework, found.preview)
        };
        assert_eq!(of(None), ("net10.0".to_owned(), None));
        assert_eq!(of(Some("8.0.4")), ("net8.0".to_owned(), None));
        // An SDK that does not bring the standard: what the oldest knows is in all of them.
        assert_eq!(of(Some("9.0")).0, "net8.0");
        assert_eq!(sdk.standard("x").expect("there is a pack").framework, "net8.0");
    }

    #[test]
    fn a_preview_is_named_in_full() {
        let (_place, sdk) = sdk(&[
            "Microsoft.NETCore.App.Ref/10.0.0-rc.1.25/ref/net10.0",
            "NETStandard.Library.Ref/2.1.0/ref/netstandard2.1",
        ]);
        assert_eq!(sdk.references("x").expect("there is a pack").preview.as_deref(), Some("10.0.0-rc.1.25"));
        assert_eq!(sdk.standard("x").expect("there is a pack").framework, "netstandard2.1");
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
