//! Which runtimes there are, and how a program is started on one of them.

use super::sdk::{self, find, order, LIMITS};
use crate::languages::Runtimes;
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use std::path::{Path, PathBuf};
use tare_process::helper::run;

pub(super) const MONO: &str = "mono";
/// What a runtime is chosen by; of C#, and of other languages of .NET too.
const LANGUAGE: &str = super::LANGUAGE.name;

pub(super) const RUNTIMES: Runtimes = Runtimes {
    noun: ".NET runtime",
    install: "install the .NET SDK: see https://dotnet.microsoft.com/download; or say where it is with `DOTNET_ROOT`",
    never,
    installed,
    has: has_runtime,
    newest: newest_of_series,
    // As target frameworks are called.
    value: |word| word.trim_start_matches("netcoreapp").trim_start_matches("net").to_owned(),
    title,
};

/// How the names of what compiles a program ahead of time begin: `nativeaot`, `nativeaot8.0`.
const AHEAD_OF_TIME: &str = "nativeaot";

/// What a job wants a program to run on: `8.0`, `8.0-x86`, `x86` or `mono`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Asked<'a> {
    /// None: the program's own.
    version: Option<&'a str>,
    /// None: that of the `dotnet` which builds.
    architecture: Option<&'a str>,
}

/// Architectures by their names in .NET.
const ARCHITECTURES: [&str; 9] = ["x64", "x86", "arm64", "arm", "armv6", "s390x", "riscv64", "ppc64le", "loongarch64"];

impl Asked<'_> {
    fn of(word: &str) -> Asked<'_> {
        let (version, architecture) = version_and_architecture(word);
        Asked { version, architecture }
    }
}

/// The version and the architecture in the name of a runtime: both of `8.0-x86`, one of `8.0` and of `x86`.
fn version_and_architecture(runtime: &str) -> (Option<&str>, Option<&str>) {
    let known = |word: &&str| ARCHITECTURES.contains(word);
    match runtime.rsplit_once('-') {
        _ if known(&runtime) => (None, Some(runtime)),
        Some((version, architecture)) if known(&architecture) => (Some(version), Some(architecture)),
        _ => (Some(runtime), None),
    }
}

fn own_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "powerpc64" => "ppc64le",
        other => other,
    }
}

/// The variable by which .NET itself finds an installation of another architecture.
fn root_of(architecture: &str) -> String {
    format!("DOTNET_ROOT_{}", architecture.to_uppercase())
}

/// The `dotnet` of an architecture, where there is one; of the own one that which builds, and no other.
fn host_of(variables: &Variables, architecture: &str) -> Option<PathBuf> {
    match architecture == own_architecture() {
        true => find(variables),
        false => variables.find(&format!("{}/dotnet", variables.get(&root_of(architecture))?)),
    }
}

fn asked<'a>(context: &'a BuildContext) -> Option<Asked<'a>> {
    context.options.job.toolchain.get(LANGUAGE).map(|word| Asked::of(word))
}

/// The version of the runtime that the job wants, or `mono`; None: the program's own.
pub(super) fn wanted<'a>(context: &'a BuildContext) -> Option<&'a str> {
    asked(context)?.version
}

fn never(word: &str) -> Option<&'static str> {
    word.starts_with(AHEAD_OF_TIME).then_some("programs compiled ahead of time cannot be measured")
}

/// The words before an assembly that start it.
pub(super) fn starter(context: &BuildContext, dotnet: &Path) -> Result<Vec<String>, BuildFailure> {
    let Some(Asked { version, architecture }) = asked(context) else { return Ok(vec![text(dotnet)]) };
    let lacks = |status: String, hint: String| {
        Err(BuildFailure::lacking(status, hint))
    };
    if let Some(why) = version.and_then(never) {
        let hint =
            "leave it out, to measure the ordinary build: the loop around a body is generated while the program runs";
        return lacks(format!("{why} (`{}`)", version.unwrap_or_default()), hint.to_owned());
    }
    if version == Some(MONO) {
        return match context.variables.find(MONO).filter(|_| architecture.is_none_or(|a| a == own_architecture())) {
            Some(mono) => Ok(vec![text(&mono)]),
            None => lacks(
                "`mono` was not found on the PATH".to_owned(),
                "install it: `apt install mono-runtime libmono-cil-dev`".to_owned(),
            ),
        };
    }
    let dotnet = match architecture.map(|architecture| (architecture, host_of(context.variables, architecture))) {
        None => dotnet.to_owned(),
        Some((_, Some(host))) => host,
        Some((architecture, None)) => {
            let hint = format!("set `{}` to its folder", root_of(architecture));
            return lacks(format!("there is no .NET for {architecture} here"), hint);
        }
    };
    let exact = version.map(|version| runtime(context, &dotnet, version)).transpose()?;
    let chosen = exact.into_iter().flat_map(|exact| ["--fx-version".to_owned(), exact]);
    Ok([text(&dotnet)].into_iter().chain(chosen).collect())
}

/// The command of a program that somebody else built, for the runtime that the job wants: `dotnet x.dll`, or the program beside `x.dll`.
/// None: it is no program of .NET, or the job wants none.
pub(super) fn of_command(
    context: &BuildContext,
    words: &[String],
) -> Option<Result<Vec<String>, BuildFailure>> {
    asked(context)?;
    let (program, rest) = words.split_first()?;
    let path = Path::new(program);
    let is_dll = |word: &String| word.ends_with(".dll") || word.ends_with(".exe");
    let (assembly, rest) = match rest.first().filter(|word| is_dll(word)) {
        Some(assembly) if path.file_stem().is_some_and(|stem| stem == "dotnet" || stem == "mono") => {
            (assembly.clone(), &rest[1..])
        }
        _ => (text(Path::new(&format!("{program}.dll"))), rest),
    };
    if !Path::new(&assembly).is_file() {
        return None;
    }
    let start = sdk::program(context).and_then(|dotnet| starter(context, &dotnet));
    Some(start.map(|start| [start, vec![assembly], rest.to_vec()].concat()))
}

/// Versions of the runtimes that are installed, in their order; then those for other architectures, as `8.0.4-x86`, and `mono`.
fn installed() -> Vec<String> {
    let variables = Variables::of_process();
    let of = |dotnet: PathBuf| -> Vec<String> {
        let listed = run(variables.command(&dotnet).arg("--list-runtimes"), LIMITS).ok();
        let output = listed.map_or_else(String::new, |done| done.text());
        let mut found: Vec<String> = versions(&output).into_iter().map(str::to_owned).collect();
        found.sort_by_key(|version| order(version));
        found
    };
    let mut found: Vec<String> = find(&variables).map(of).unwrap_or_default();
    for architecture in ARCHITECTURES.into_iter().filter(|a| *a != own_architecture()) {
        let others = host_of(&variables, architecture).map(of).unwrap_or_default();
        found.extend(others.iter().map(|version| format!("{version}-{architecture}")));
    }
    found.extend(variables.find(MONO).map(|_| MONO.to_owned()));
    found
}

/// Whether a runtime is among those that are installed: a version, a series such as `8.0`, one of them for an architecture such as
/// `8.0-x86`, an architecture, or `mono`.
fn has_runtime(installed: &[String], wanted: &str) -> bool {
    let architecture = |of: &Asked| of.architecture.unwrap_or(own_architecture()).to_owned();
    let wanted = Asked::of(wanted);
    let known =
        installed.iter().map(|word| Asked::of(word)).filter(|known| architecture(known) == architecture(&wanted));
    let versions: Vec<&str> = known.filter_map(|known| known.version).collect();
    // An architecture alone is that of .NET.
    let any = versions.iter().any(|version| *version != MONO);
    wanted.version.map_or(any, |version| newest(&versions, version).is_some())
}

fn title(runtime: &str) -> String {
    if let (Some(version), Some(architecture)) = version_and_architecture(runtime) {
        return format!("{} {architecture}", title(version));
    }
    let series = runtime.split('.').next().and_then(|number| number.parse::<u32>().ok());
    match series {
        Some(1..=3) => format!(".NET Core {runtime}"),
        Some(_) => format!(".NET {runtime}"),
        None if runtime == MONO => "Mono".to_owned(),
        None => runtime.to_owned(),
    }
}

/// The newest of each series, and Mono.
fn newest_of_series(all: &[String]) -> Vec<String> {
    let series = |word: &str| {
        let (version, architecture) = version_and_architecture(word);
        (
            version.map(|version| version.rsplit_once('.').map_or(version, |(series, _)| series).to_owned()),
            architecture.map(str::to_owned),
        )
    };
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
    let shown = vec![text(dotnet), "--list-runtimes".to_owned()];
    let done = context.run(&shown, context.variables.command(dotnet).arg("--list-runtimes"), LIMITS)?;
    let output = done.text();
    let installed = versions(&output);
    newest(&installed, wanted).map(str::to_owned).ok_or_else(|| {
        let hint = match installed.is_empty() {
            true => "install the .NET SDK: see https://dotnet.microsoft.com/download".to_owned(),
            false => format!("use one of {}", installed.join(", ")),
        };
        let status = format!("there is no .NET runtime `{wanted}` here");
        BuildFailure { lacking: true, command: shown, ..BuildFailure::new(status, Some(hint)) }
    })
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
        let all = ["8.0.4", "mono"].map(str::to_owned);
        assert!(has_runtime(&all, "mono") && has_runtime(&all, "8.0") && !has_runtime(&all, "net48"));
        assert!(never("nativeaot").is_some() && never("nativeaot8.0").is_some() && never("8.0").is_none());
        assert!(has_runtime(&all, own_architecture()) && !has_runtime(&all[1..], own_architecture()));
    }

    #[test]
    fn runtimes_have_the_names_that_people_use() {
        for (word, name, value) in [
            ("netcoreapp3.1", ".NET Core 3.1", "3.1"),
            ("net8.0", ".NET 8.0", "8.0"),
            ("10", ".NET 10", "10"),
            ("mono", "Mono", "mono"),
            ("net8.0-x86", ".NET 8.0 x86", "8.0-x86"),
            ("8.0-s390x", ".NET 8.0 s390x", "8.0-s390x"),
        ] {
            let own = (RUNTIMES.value)(word);
            assert_eq!((title(&own).as_str(), own.as_str()), (name, value));
        }
        let all = ["3.1.2", "3.1.23", "8.0.4", "8.0.1-x86", "8.0.3-x86", "8.0.2-s390x", "mono"].map(str::to_owned);
        assert_eq!(newest_of_series(&all), ["3.1.23", "8.0.4", "8.0.3-x86", "8.0.2-s390x", "mono"]);
    }

    #[test]
    fn a_runtime_may_be_of_another_architecture() {
        let of = |word| Asked::of(word);
        assert_eq!(of("8.0-x86"), Asked { version: Some("8.0"), architecture: Some("x86") });
        assert_eq!(of("arm64"), Asked { version: None, architecture: Some("arm64") });
        assert_eq!(of("9.0-s390x"), Asked { version: Some("9.0"), architecture: Some("s390x") });
        let preview = "10.0.0-preview.1.25080.5";
        assert_eq!(of(preview), Asked { version: Some(preview), architecture: None });
        let (own, other) = if own_architecture() == "arm" { ("arm", "x86") } else { (own_architecture(), "arm") };
        let all = ["8.0.4".to_owned(), format!("3.1.2-{other}")];
        let has = |word: String| has_runtime(&all, &word);
        assert!(
            has(format!("8.0-{own}")) && has(own.to_owned()) && has(format!("3.1-{other}")) && has(other.to_owned())
        );
        assert!(!has(format!("8.0-{other}")) && !has("3.1".to_owned()) && !has(format!("3.1-{own}")));
        assert!(!has_runtime(&all[..1], other) && !has_runtime(&[], own));
    }

    #[test]
    fn the_variables_of_dotnet_say_where_other_architectures_are() {
        let place = tempfile::tempdir().expect("a folder");
        let dotnet = place.path().join("dotnet");
        std::fs::write(&dotnet, "#!/bin/sh\n").expect("a program");
        std::fs::set_permissions(&dotnet, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it can run");
        let other = if own_architecture() == "arm" { "x86" } else { "arm" };
        // That of the own architecture is the `dotnet` that builds: `8.0` and `8.0-x64` are one installation.
        let variables = Variables::default().with(&root_of(other), place.path());
        let variables = variables.with(&root_of(own_architecture()), place.path());
        assert_eq!(host_of(&variables, other), Some(dotnet));
        assert_eq!((host_of(&variables, own_architecture()), host_of(&Variables::default(), other)), (None, None));
    }
}
