//! Which runtimes there are, and how a program is started on one of them.

use super::file::{runtime_options, runtime_version};
use super::sdk::{self, find, order, LIMITS};
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use std::path::Path;
use tare_process::helper::run;

/// What a runtime is chosen by; of C#, and of other languages of .NET too.
pub const LANGUAGE: &str = super::LANGUAGE.name;

/// What people call one, and what to do where there is none.
pub const NOUN: &str = ".NET runtime";
pub const INSTALL: &str =
    "install the .NET SDK: see https://dotnet.microsoft.com/download; or say where it is with `DOTNET_ROOT`";

/// As target frameworks are called.
pub fn value(word: &str) -> String {
    word.trim_start_matches("netcoreapp").trim_start_matches("net").to_owned()
}

/// The variable by which a program takes another runtime than its own.
const ROLL_FORWARD: &str = "DOTNET_ROLL_FORWARD";
/// How the names of what compiles a program ahead of time begin: `nativeaot`, `nativeaot8.0`.
const AHEAD_OF_TIME: &str = "nativeaot";

/// The version of the runtime that the job wants; None: the program's own.
pub(super) fn wanted<'a>(context: &'a BuildContext) -> Option<&'a str> {
    let word = context.options.job.toolchain.get(LANGUAGE)?;
    let version = word.strip_prefix(AHEAD_OF_TIME).unwrap_or(word);
    Some(without_architecture(version)).filter(|version| !version.is_empty())
}

/// The job wants the program compiled ahead of time.
pub(super) fn is_ahead_of_time(context: &BuildContext) -> bool {
    context.options.job.toolchain.get(LANGUAGE).is_some_and(|word| word.starts_with(AHEAD_OF_TIME))
}

/// The job leaves it to the project.
pub(super) fn is_unsaid(context: &BuildContext) -> bool {
    !context.options.job.toolchain.contains_key(LANGUAGE)
}

/// Jobs of BenchmarkDotNet name architectures too: `8.0` of `8.0-x64` on such a machine, and nothing of `x64`.
fn without_architecture(word: &str) -> &str {
    let own = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    word.strip_suffix(own).map_or(word, |version| version.trim_end_matches('-'))
}

/// Why a runtime is never measured, whatever is installed.
pub fn never(word: &str) -> Option<&'static str> {
    match word {
        "mono" => Some("programs are run by .NET, not by Mono"),
        _ => None,
    }
}

/// The words that start an assembly, with it.
pub(super) fn starter(context: &BuildContext, dotnet: &Path, assembly: &str) -> Result<Vec<String>, BuildFailure> {
    if is_ahead_of_time(context) {
        let status = "a program that is built already cannot be compiled ahead of time";
        return Err(BuildFailure::new(status, Some("name its project instead".to_owned())));
    }
    let Some(version) = wanted(context) else {
        runs_here(context, dotnet, Path::new(assembly))?;
        return Ok(vec![text(dotnet), assembly.to_owned()]);
    };
    if let Some(why) = never(version) {
        let hint = "leave it out, to measure the ordinary build";
        return Err(BuildFailure::lacking(format!("{why} (`{version}`)"), hint));
    }
    Ok(vec![text(dotnet), "--fx-version".to_owned(), runtime(context, dotnet, version)?, assembly.to_owned()])
}

/// The command of a program that somebody else built, for the runtime that the job wants: `dotnet x.dll`, or the program beside `x.dll`.
/// None: it is no program of .NET, or the job wants none.
pub(super) fn of_command(context: &BuildContext, words: &[String]) -> Option<Result<Vec<String>, BuildFailure>> {
    if wanted(context).is_none() && !is_ahead_of_time(context) {
        return None;
    }
    let (program, rest) = words.split_first()?;
    let path = Path::new(program);
    let is_dll = |word: &String| word.ends_with(".dll");
    let (assembly, rest) = match rest.first().filter(|word| is_dll(word)) {
        Some(assembly) if path.file_stem().is_some_and(|stem| stem == "dotnet") => (assembly.clone(), &rest[1..]),
        _ => (text(Path::new(&format!("{program}.dll"))), rest),
    };
    if !Path::new(&assembly).is_file() {
        return None;
    }
    let start = sdk::program(context).and_then(|dotnet| starter(context, &dotnet, &assembly));
    Some(start.map(|start| [start, rest.to_vec()].concat()))
}

/// Versions of the runtimes that are installed, in their order.
pub fn installed() -> Vec<String> {
    let variables = Variables::of_process();
    let listed =
        find(&variables).and_then(|dotnet| run(variables.command(&dotnet).arg("--list-runtimes"), LIMITS).ok());
    let output = listed.map_or_else(String::new, |done| done.text());
    let mut found: Vec<String> = versions(&output).into_iter().map(str::to_owned).collect();
    found.sort_by_key(|version| order(version));
    found
}

/// Whether a runtime is among those that are installed: a version, or a series such as `8.0`. What is compiled ahead of time needs none.
pub fn has(installed: &[String], wanted: &str) -> bool {
    let installed: Vec<&str> = installed.iter().map(String::as_str).collect();
    if wanted.starts_with(AHEAD_OF_TIME) {
        return !installed.is_empty();
    }
    let wanted = without_architecture(wanted);
    newest(&installed, wanted).is_some() || (wanted.is_empty() && !installed.is_empty())
}

pub fn title(runtime: &str) -> String {
    if let Some(version) = runtime.strip_prefix(AHEAD_OF_TIME) {
        return format!("NativeAOT {version}").trim_end().to_owned();
    }
    let series = runtime.split('.').next().and_then(|number| number.parse::<u32>().ok());
    match series {
        Some(1..=3) => format!(".NET Core {runtime}"),
        Some(_) => format!(".NET {runtime}"),
        None => runtime.to_owned(),
    }
}

/// The newest of each series.
pub fn newest_of_series(all: &[String]) -> Vec<String> {
    let series = |version: &str| version.rsplit_once('.').map_or(version, |(series, _)| series).to_owned();
    let mut found: Vec<String> = Vec::new();
    // They stand in their order: the last of a series is its newest.
    for version in all {
        found.retain(|known| series(known) != series(version));
        found.push(version.clone());
    }
    found
}

/// The installed runtime of that version; of a series, such as `8.0`, the newest.
fn runtime(context: &BuildContext, dotnet: &Path, wanted: &str) -> Result<String, BuildFailure> {
    let output = listed(context, dotnet)?;
    let installed = versions(&output);
    newest(&installed, wanted).map(str::to_owned).ok_or_else(|| {
        let hint = match installed.is_empty() {
            true => INSTALL.to_owned(),
            false => format!("use one of {}", installed.join(", ")),
        };
        BuildFailure::lacking(format!("there is no .NET runtime `{wanted}` here"), hint)
    })
}

/// Whether `dotnet` can start an assembly that asks for no other rule than the usual one: a runtime that is no older, of the same number.
fn runs_here(context: &BuildContext, dotnet: &Path, assembly: &Path) -> Result<(), BuildFailure> {
    let has_own_rule =
        context.variables.get(ROLL_FORWARD).is_some() || runtime_options(assembly).get("rollForward").is_some();
    let Some(own) = runtime_version(assembly).filter(|_| !has_own_rule) else { return Ok(()) };
    let output = listed(context, dotnet)?;
    let installed = versions(&output);
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if installed.iter().any(|version| major(version) == major(&own) && order(version) >= order(&own)) {
        return Ok(());
    }
    let newest = installed
        .last()
        .map(|version| format!("run it on another one: `--runtimes {version}`, or `{ROLL_FORWARD}=Major`"));
    let status = format!("it needs .NET {own}; installed: {}", installed.join(", "));
    Err(BuildFailure::lacking(status, newest.unwrap_or_else(|| INSTALL.to_owned())))
}

fn listed(context: &BuildContext, dotnet: &Path) -> Result<String, BuildFailure> {
    let shown = vec![text(dotnet), "--list-runtimes".to_owned()];
    Ok(context.run(&shown, context.variables.command(dotnet).arg("--list-runtimes"), LIMITS)?.text())
}

/// Versions of `dotnet --list-runtimes`, in its order.
fn versions(output: &str) -> Vec<&str> {
    let version = |line| str::strip_prefix(line, "Microsoft.NETCore.App ")?.split(' ').next();
    output.lines().filter_map(version).collect()
}

/// The newest of the versions that are `wanted` or begin with it.
fn newest<'a>(installed: &[&'a str], wanted: &str) -> Option<&'a str> {
    let fits =
        |version: &&&str| version.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    installed.iter().filter(fits).max_by_key(|version| order(version)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_its_newest_runtime() {
        let output = "Microsoft.AspNetCore.App 3.1.2 [/d/shared/Microsoft.AspNetCore.App]\n\
                      Microsoft.NETCore.App 3.1.2 [/d/shared/Microsoft.NETCore.App]\n\
                      Microsoft.NETCore.App 3.1.23 [/d/shared/Microsoft.NETCore.App]\n\
                      Microsoft.NETCore.App 10.0.1 [/d/shared/Microsoft.NETCore.App]\n";
        let installed = versions(output);
        assert_eq!(installed, ["3.1.2", "3.1.23", "10.0.1"]);
        let of = |wanted| newest(&installed, wanted);
        assert_eq!(
            [of("3.1.2"), of("3.1"), of("10"), of("1"), of("8.0")],
            [Some("3.1.2"), Some("3.1.23"), Some("10.0.1"), None, None]
        );
        assert_eq!(newest(&["10.0.0", "10.0.0-rc.1.25"], "10.0"), Some("10.0.0"));
        let all = ["8.0.4".to_owned()];
        assert!(has(&all, "8.0") && !has(&all, "net48") && never("mono").is_some());
        if cfg!(target_arch = "x86_64") {
            assert!(has(&all, "8.0-x64") && has(&all, "x64") && !has(&all, "8.0-x86"));
        }
        assert!(never("8.0").is_none() && has(&all, "nativeaot") && !has(&[], "nativeaot8.0"));
    }

    #[test]
    fn runtimes_have_the_names_that_people_use() {
        for (word, name, version) in [
            ("netcoreapp3.1", ".NET Core 3.1", "3.1"),
            ("net8.0", ".NET 8.0", "8.0"),
            ("10", ".NET 10", "10"),
            ("nativeaot", "NativeAOT", "nativeaot"),
            ("nativeaot10.0", "NativeAOT 10.0", "nativeaot10.0"),
        ] {
            let own = value(word);
            assert_eq!((title(&own).as_str(), own.as_str()), (name, version));
        }
        let all = ["3.1.2", "3.1.23", "8.0.4"].map(str::to_owned);
        assert_eq!(newest_of_series(&all), ["3.1.23", "8.0.4"]);
    }
}
