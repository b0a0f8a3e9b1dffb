//! Which runtimes there are, and how a program is started on one of them.

use super::sdk::{self, find, order, LIMITS};
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use std::path::Path;
use tare_process::helper::run;

/// The runtime that is not started by `dotnet`.
pub(super) const MONO: &str = "mono";
/// What a runtime is chosen by; of C#, and of other languages of .NET too.
const LANGUAGE: &str = "c#";

/// The runtime that the job wants; None: the program's own.
pub(super) fn wanted<'a>(context: &'a BuildContext) -> Option<&'a str> {
    context.options.job.toolchain.get(LANGUAGE).map(String::as_str)
}

/// The words before an assembly that start it.
pub(super) fn starter(context: &BuildContext, target: &str, dotnet: &Path) -> Result<Vec<String>, BuildFailure> {
    match wanted(context) {
        None => Ok(vec![text(dotnet)]),
        Some(MONO) => context.variables.find(MONO).map(|mono| vec![text(&mono)]).ok_or_else(|| {
            let hint = Some("install it: `apt install mono-runtime libmono-cil-dev`".to_owned());
            BuildFailure { lacking: true, ..BuildFailure::new(target, "`mono` was not found on the PATH", hint) }
        }),
        Some(version) => {
            let exact = runtime(context, target, dotnet, version)?;
            Ok(vec![text(dotnet), "--fx-version".to_owned(), exact])
        }
    }
}

/// The command of a program that somebody else built, for the runtime that the job wants: `dotnet x.dll`, or the program beside `x.dll`.
/// None: it is no program of .NET, or the job wants none.
pub(crate) fn of_command(
    context: &BuildContext,
    target: &str,
    words: &[String],
) -> Option<Result<Vec<String>, BuildFailure>> {
    wanted(context)?;
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
    let start = sdk::program(context, target).and_then(|dotnet| starter(context, target, &dotnet));
    Some(start.map(|start| [start, vec![assembly], rest.to_vec()].concat()))
}

/// Versions of the runtimes that are installed, in their order; `mono` after them.
pub fn runtimes() -> Vec<String> {
    let variables = Variables::of_process();
    let listed =
        find(&variables).and_then(|dotnet| run(variables.command(&dotnet).arg("--list-runtimes"), LIMITS).ok());
    let output = listed.map_or_else(String::new, |done| done.text());
    let mut found: Vec<String> = versions(&output).into_iter().map(str::to_owned).collect();
    found.sort_by_key(|version| order(version));
    found.extend(variables.find(MONO).map(|_| MONO.to_owned()));
    found
}

/// Whether a runtime is among those that are installed: a version, a series such as `8.0`, or `mono`.
pub fn has_runtime(installed: &[String], wanted: &str) -> bool {
    let installed: Vec<&str> = installed.iter().map(String::as_str).collect();
    newest(&installed, wanted).is_some()
}

/// The installed runtime of that version; of a series, such as `8.0`, the newest.
fn runtime(context: &BuildContext, target: &str, dotnet: &Path, wanted: &str) -> Result<String, BuildFailure> {
    let shown = vec![text(dotnet), "--list-runtimes".to_owned()];
    let done = run(context.variables.command(dotnet).arg("--list-runtimes"), LIMITS)
        .map_err(|e| BuildFailure { command: shown.clone(), ..BuildFailure::of_start(target, &e) })?;
    let output = done.text();
    let installed = versions(&output);
    newest(&installed, wanted).map(str::to_owned).ok_or_else(|| {
        let hint = match installed.is_empty() {
            true => "install the .NET SDK: see https://dotnet.microsoft.com/download".to_owned(),
            false => format!("use one of {}", installed.join(", ")),
        };
        let status = format!("there is no .NET runtime `{wanted}` here");
        BuildFailure { lacking: true, command: shown, ..BuildFailure::new(target, status, Some(hint)) }
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
    }
}
