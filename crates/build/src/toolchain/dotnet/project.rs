//! Projects: `dotnet build` in release, with the front end of this `tare` in place of the package that the project names.

use super::file::artifact;
use super::front_end::FrontEnd;
use super::sdk::{of_cache, Sdk};
use crate::discover::{read_source, Target};
use crate::toolchain::cache::{hash_file, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::job_flags;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tare_model::Artifact;

/// Folders of an output that are looked into: languages and runtimes have folders of their own.
const DEPTH: usize = 6;

/// Builds the project and keeps a copy of what came out of it.
pub(crate) fn build(context: &BuildContext, target: &Target, manifest: &Path) -> BuildResult {
    let name = &target.name;
    let sdk = Sdk::find(context, name)?;
    let front_end = FrontEnd::build(context, name, &sdk)?;
    let framework = framework(&read_source(manifest).unwrap_or_default());
    let key = Key::new("dotnet-project").with(text(manifest)).with(&front_end.key).with_all(&framework);
    let flags = job_flags::dotnet(context, name);
    let key = key.with_all(&flags).finish();
    let out = context.cache.folder(&format!("dotnet/{}", &key[..16])).map_err(of_cache(name))?;
    let mut words = ["build", &text(manifest), "-c", "Release", "-nologo", "-v", "quiet"].map(str::to_owned).to_vec();
    words.extend(framework.iter().flat_map(|framework| ["-f".to_owned(), framework.clone()]));
    words.extend(["-o".to_owned(), text(&out)]);
    words.push(format!("-p:CustomAfterMicrosoftCommonTargets={}", front_end.targets().display()));
    words.extend(flags);
    let shown = [vec!["dotnet".to_owned()], words.clone()].concat();
    // Servers that stay behind would work beside the measurement.
    words.extend(["-nodeReuse:false", "-p:UseSharedCompilation=false"].map(str::to_owned));
    let folder = manifest.parent().unwrap_or(Path::new("/"));
    let mut command = context.variables.command(&sdk.dotnet);
    let done = context.compile(name, &shown, command.current_dir(folder).args(&words))?;
    if !done.success {
        return Err(BuildFailure::of_compiler(name, shown, done.status.clone(), done.text()));
    }
    let program = program_in(&out).ok_or_else(|| {
        let hint = "make it a program: `<OutputType>Exe</OutputType>`, with a `Main` that calls `BenchmarkSwitcher`";
        BuildFailure::new(name, "the project is a library and no program", Some(hint.to_owned()))
    })?;
    let (place, cached) = keep_all(context, &out).map_err(of_cache(name))?;
    let assembly = context.cache.path(&place).join(program);
    let artifact = artifact(context, target, &sdk.dotnet, &assembly, folder)?;
    Ok(Built { artifact: Artifact { build_command: shown, ..artifact }, cached })
}

/// Of a project for several frameworks the newest that this `dotnet` may run: the one with the highest version.
fn framework(manifest: &str) -> Option<String> {
    let (_, rest) = manifest.split_once("<TargetFrameworks>")?;
    let (list, _) = rest.split_once("</TargetFrameworks>")?;
    let version = |name: &str| -> Option<Vec<u32>> {
        let number = name.strip_prefix("netcoreapp").or_else(|| name.strip_prefix("net"))?;
        // `net48` is the .NET Framework, and `netstandard2.0` is none that runs.
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        (is_number && number.contains('.'))
            .then(|| number.split(['.', '-']).map(|part| part.parse().unwrap_or(0)).collect())
    };
    let names = list.split(';').map(str::trim);
    names.filter_map(|name| Some((version(name)?, name.to_owned()))).max().map(|(_, name)| name)
}

/// The assembly that is a program.
fn program_in(out: &Path) -> Option<String> {
    let mut names: Vec<String> =
        fs::read_dir(out).ok()?.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let stem = names.iter().find_map(|name| name.strip_suffix(".runtimeconfig.json"))?;
    Some(format!("{stem}.dll"))
}

/// A copy of all files of the output: the next build must not change what a run measures. Gives its place, and whether it was there.
fn keep_all(context: &BuildContext, out: &Path) -> Result<(String, bool), CacheError> {
    let mut files = Vec::new();
    collect(out, DEPTH, &mut files).map_err(|e| CacheError::new("read", out, e))?;
    files.sort();
    let mut key = Key::new("dotnet-output");
    for file in &files {
        let hash = hash_file(file).map_err(|e| CacheError::new("read", file, e))?;
        key = key.with(text(file.strip_prefix(out).unwrap_or(file))).with(hash);
    }
    let place = format!("programs/{}", &key.finish()[..16]);
    let mut cached = true;
    for file in &files {
        let name = text(file.strip_prefix(out).unwrap_or(file));
        let content = fs::read(file).map_err(|e| CacheError::new("read", file, e))?;
        cached &= context.cache.write(&format!("{place}/{name}"), &content)?;
    }
    Ok((place, cached))
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true if depth > 0 => collect(&path, depth - 1, files)?,
            true => {}
            false => files.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_frameworks_the_newest() {
        let of = |list: &str| framework(&format!("<TargetFrameworks>{list}</TargetFrameworks>"));
        assert_eq!(of("netcoreapp3.1;net10.0; net8.0;net48;netstandard2.0").as_deref(), Some("net10.0"));
        assert_eq!(of("netstandard2.0"), None);
        assert_eq!(framework("<TargetFramework>net8.0</TargetFramework>"), None);
    }
}
