//! Native AOT: the program, run by the ordinary runtime, writes an assembly with its list and its loops (`Ahead.cs`), and `dotnet publish`
//! compiles both to machine code.

use super::file::artifact_of;
use super::msbuild::{Order, Output};
use crate::discover::Target;
use crate::toolchain::context::{text, BuildContext, BuildResult, Built, COMPILER};
use crate::toolchain::failure::BuildFailure;
use std::collections::BTreeSet;
use std::path::Path;
use tare_model::Artifact;

const ASSEMBLY: &str = "Tare.Ahead.dll";
/// The path of the assembly, and values of parameters.
const VARIABLE: &str = "BENCHMARK_AHEAD";
/// The newest runtime can write assemblies, an older one of the project cannot.
const NEWEST: (&str, &str) = ("DOTNET_ROLL_FORWARD", "LatestMajor");
/// Why the layout stays as it is.
const LAYOUT: &str = "the compiler of native AOT chooses the place of code";
/// What the compiler of native code says of code that may not work: by line, or of an assembly of others. The compiler of C# has its own.
const WARNINGS: [&str; 3] = [" analysis warning IL", ": warning IL2104:", ": warning IL3053:"];

/// The program of an order, which is built already.
pub(super) fn build(
    context: &BuildContext,
    target: &Target,
    order: &Order,
    output: &Output,
    directory: &Path,
    more: &[String],
) -> BuildResult {
    let publish = order.publish()?;
    let assembly = publish.file(ASSEMBLY);
    let mut listing = context.variables.command(&order.sdk.dotnet);
    listing
        .args(&output.words)
        .envs(&output.environment)
        .env(NEWEST.0, NEWEST.1)
        .env(VARIABLE, asked(context, &assembly));
    listing.current_dir(directory);
    let shown = [vec![text(&order.sdk.dotnet)], output.words.clone()].concat();
    context.made(&shown, &mut listing, COMPILER)?;
    if !assembly.is_file() {
        let status = "the program ended without its benchmarks, which are to be compiled ahead of time";
        return Err(BuildFailure::new(status, Some("see whether it is measured without `nativeaot`".to_owned())));
    }
    let done = publish.run(&[more, &[format!("-p:TareAhead={}", assembly.display())]].concat())?;
    if !done.success {
        return Err(publish.failure(&done));
    }
    let said = done.text();
    let is_warning = |line: &&str| WARNINGS.iter().any(|warning| line.contains(warning));
    // The project is named last.
    let without_project = |line| str::rsplit_once(line, " [").map_or(line, |(text, _)| text);
    let warnings: BTreeSet<&str> = said.lines().filter(is_warning).map(without_project).collect();
    if !warnings.is_empty() {
        context.warn(warnings.into_iter().collect::<Vec<_>>().join("\n"));
    }
    let (program, cached) = publish.keep_published()?;
    let directory = output.folder.as_ref().and(program.parent()).unwrap_or(directory);
    let artifact = artifact_of(context, target, vec![text(&program)], directory, LAYOUT)?;
    Ok(Built { artifact: Artifact { build_command: publish.shown(), ..artifact }, cached: cached && output.cached })
}

/// What the listing program gets: records and units, as ASCII separates them.
fn asked(context: &BuildContext, assembly: &Path) -> String {
    let given = Artifact { given: context.options.given.clone(), ..Artifact::default() };
    let values =
        given.given_by_name().into_iter().map(|(name, values)| format!("\u{1e}{name}\u{1f}{}", values.join("\u{1f}")));
    text(assembly) + &values.collect::<String>()
}
