//! `go test -c` of a package. Go itself knows what is up to date.

use super::front_end;
use super::sdk::Sdk;
use super::tool::{is_in_module, sources_of};
use super::TOOLCHAIN;
use crate::discover::{Skipped, Target, TargetKind};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout;
use std::path::{Path, PathBuf};
use tare_model::Artifact;

/// Go's message for a folder whose files the build tags all exclude.
const EXCLUDED: &str = "build constraints exclude all Go files in";

/// The sources to build: a package, or a file that is a package by itself.
pub(super) struct Sources<'a> {
    pub(super) folder: &'a Path,
    named: Option<Vec<PathBuf>>,
}

impl Sources<'_> {
    /// A package. A folder outside every module is built from its files.
    fn of(folder: &Path) -> Sources<'_> {
        Sources { folder, named: (!is_in_module(folder)).then(|| sources_of(folder)) }
    }

    pub(super) fn all(&self) -> Vec<PathBuf> {
        self.named.clone().unwrap_or_else(|| sources_of(self.folder))
    }

    fn words(&self) -> Vec<String> {
        self.named.as_ref().map_or_else(|| vec![".".to_owned()], |files| files.iter().map(|path| text(path)).collect())
    }
}

/// Builds the test binary of a target, unless it is up to date. None if the build tags exclude all its tests, which Go skips.
pub(super) fn build(context: &BuildContext, target: &Target) -> Option<BuildResult> {
    let built = of_target(context, target).transpose();
    if built.is_none() {
        context.skip(Skipped {
            name: target.name.clone(),
            bench: target.name.clone(),
            why: "needs build tags that are not set".to_owned(),
            instead: "`--job=-tags=NAME` sets them".to_owned(),
            missing: None,
        });
    }
    built
}

/// Retries a file that does not compile alone with those beside it.
fn of_target(context: &BuildContext, target: &Target) -> Result<Option<Built>, BuildFailure> {
    let folder = target.path.as_path();
    let file = match &target.kind {
        TargetKind::Project(project) => project.below.as_ref().map(|name| folder.join(name)),
        _ => None,
    };
    let Some(file) = file.filter(|_| !is_in_module(folder)) else {
        return of_sources(context, target, &Sources::of(folder), folder);
    };
    let alone = of_sources(context, target, &Sources { folder, named: Some(vec![file.clone()]) }, &file);
    match alone {
        Err(failure) if !failure.lacking && sources_of(folder).len() > 1 => {
            of_sources(context, target, &Sources::of(folder), folder).map_err(|_| failure)
        }
        alone => alone,
    }
}

/// Builds the test binary of these sources, if there is one; `named` is the argument that a user would type.
fn of_sources(
    context: &BuildContext,
    target: &Target,
    sources: &Sources,
    named: &Path,
) -> Result<Option<Built>, BuildFailure> {
    let folder = sources.folder;
    let sdk = Sdk::find(context, folder)?;
    let scratch = context.cache.scratch()?;
    let name = named.file_stem().map_or_else(|| "package".to_owned(), |name| name.to_string_lossy().into_owned());
    let program = scratch.path.join(format!("{name}.test"));
    let flags = flags(context);
    let shown = shown(&sdk, &flags, named);
    let flags = readable(flags, context.variables.get("GOFLAGS"));
    let compile = |marks: bool| -> Result<_, BuildFailure> {
        let overlay = front_end::write(context, &sdk, &sources.all(), marks)?;
        let mut command = sdk.command(context, folder);
        // The compiler is short-lived: with fewer garbage collections it takes an eighth less time.
        if context.variables.get("GOGC").is_none() {
            command.env("GOGC", "400");
        }
        command.args(["test", "-c", "-vet=off", "-p"]).arg(context.jobs.to_string()).args(&flags);
        command.arg("-overlay").arg(&overlay).arg("-o").arg(&program).args(sources.words());
        // Copies of the package's files are beside it.
        Ok((context.compile(&shown, &mut command)?, text(&overlay.with_extension(""))))
    };
    let (mut done, copies) = compile(true)?;
    // If the calls do not compile (a parameter was not a `testing.B`) or an error is in a copy, builds without copies: errors then refer to
    // the user's files.
    if !done.success && [front_end::MARK, &copies].iter().any(|sign| done.text().contains(sign)) {
        done = compile(false)?.0;
    }
    if !done.success {
        if done.text().contains(&format!("{EXCLUDED} {}", folder.display())) {
            return Ok(None);
        }
        return Err(BuildFailure::of_compiler(shown, done.status.clone(), done.text()));
    }
    if !program.is_file() {
        return Ok(None);
    }
    let kept = context.cache.keep_program(&program, &format!("{name}.test"))?;
    let artifact = Artifact {
        environment: target.project().and_then(|project| of_file(project.below.as_deref()?)).into_iter().collect(),
        build_command: shown,
        layouts: layout::none(context, "the linker of Go has its own order"),
        ..target.artifact(TOOLCHAIN, vec![text(&kept.path)], folder, kept.hash)
    };
    Ok(Some(Built { artifact, cached: false }))
}

/// Restricts the program to the benchmarks of one file of its package.
fn of_file(name: &Path) -> Option<(String, String)> {
    Some(("TARE_GO_FILE".to_owned(), name.to_str()?.to_owned()))
}

fn flags(context: &BuildContext) -> Vec<String> {
    context.warn_of_native_settings();
    context.options.job.flags.clone()
}

/// Flags for uncompressed debug information, unless the user sets linker flags elsewhere.
fn readable(mut flags: Vec<String>, variable: Option<&str>) -> Vec<String> {
    const LINKER: &str = "-ldflags";
    const PLAIN: &str = "-compressdwarf=false";
    let of_linker = |flag: &str| flag.trim_start_matches('-').starts_with(LINKER.trim_start_matches('-'));
    match flags.iter().position(|flag| of_linker(flag)) {
        Some(at) if flags[at].contains('=') => flags[at].push_str(&format!(" {PLAIN}")),
        Some(at) if at + 1 < flags.len() => flags[at + 1].push_str(&format!(" {PLAIN}")),
        Some(_) => {}
        None if variable.is_some_and(|all| all.contains("ldflags")) => {}
        None => flags.push(format!("{LINKER}={PLAIN}")),
    }
    flags
}

fn shown(sdk: &Sdk, flags: &[String], named: &Path) -> Vec<String> {
    let words = [sdk.shown(), "test".to_owned(), "-c".to_owned()];
    words.into_iter().chain(flags.iter().cloned()).chain([text(named)]).collect()
}

/// Only test files have benchmarks.
pub(super) fn refuse_file(_: &BuildContext, _: &Target) -> BuildResult {
    let hint = "put `func BenchmarkName(b *testing.B)` into a file that ends in `_test.go` beside it; a whole program is measured by \
                `go build -o ./prog FILE && tare time ./prog`";
    Err(BuildFailure::new("its package has no benchmarks", Some(hint.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn flags_of_the_linker_are_kept() {
        let read = |flags: &str, variable: Option<&str>| {
            let words = flags.split('|').filter(|word| !word.is_empty()).map(str::to_owned).collect();
            readable(words, variable).join("|")
        };
        assert_eq!(read("-race", None), "-race|-ldflags=-compressdwarf=false");
        assert_eq!(read("-ldflags=-s -w|-race", None), "-ldflags=-s -w -compressdwarf=false|-race");
        assert_eq!(read("-ldflags|-X a=b", None), "-ldflags|-X a=b -compressdwarf=false");
        assert_eq!(read("", Some("-mod=mod -ldflags=-w")), "");
    }
}
