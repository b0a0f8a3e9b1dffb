//! Python: an interpreter runs a file through the front end. Nothing is built.

mod first;
mod interpreter;
mod source;

use super::{Lack, Source};
use crate::discover::{read_source, Statements, Target, TargetKind};
use crate::embedded::Files;
use crate::toolchain::cache::CacheError;
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::program::hash_of_command;
use interpreter::Interpreter;
use std::collections::BTreeMap;
use std::path::Path;
use tare_model::Artifact;

pub(crate) const LANGUAGE: Source = Source {
    name: "python",
    suffixes: &["py"],
    interpreters: &["python3", "python", "pypy3"],
    includes: &["py"],
    settings: &["toml", "cfg"],
    sign: "files that import tare or pyperf, tests that pytest-benchmark or pytest-codspeed measure, suites of asv",
    uses_tare: source::uses_tare,
    is_suite: source::is_suite,
    named: |name| source::of_module(Path::new(""), name),
    lack: || (!interpreter::is_there()).then_some(LACK),
    build,
    has_statements: true,
    runs_by: Some(TOOLCHAIN),
    shelves: &[TOOLCHAIN],
    first: &[first::FIRST],
    ..Source::NONE
};

const LACK: Lack = Lack {
    needs: "an interpreter of Python",
    program: "python3",
    instead: "install it, or activate a virtual environment: `apt install python3`, `uv python install 3.12`",
};

/// The toolchain of artifacts; also the folder of the cache for compiled imports.
const TOOLCHAIN: &str = "python";

static FRONT_END: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/python.rs")));
const START: &str = "start.py";
/// Followed by the set-up and the statements, instead of a file.
const STATEMENTS: &str = "--statements";
/// Folder of compiled imports, so that nothing is written beside the user's files.
const COMPILED: &str = "PYTHONPYCACHEPREFIX";
/// Where imports are looked for.
const PATHS: &str = "PYTHONPATH";

fn build(context: &BuildContext, target: &Target) -> BuildResult {
    let unreadable = BuildFailure::unreadable(&target.path);
    let statements = match &target.kind {
        TargetKind::Statements(statements) => Some(statements),
        _ => None,
    };
    let folder = match statements {
        Some(_) => &target.path,
        None => target.path.parent().unwrap_or(Path::new("/")),
    };
    let interpreter = Interpreter::find(context, folder)?;
    let mut command = vec![text(&interpreter.path)];
    command.extend(interpreter.options);
    command.extend(options(context));
    // A program that speaks the protocol itself needs no front end.
    if statements.is_some() || !source::is_child(&read_source(&target.path).map_err(unreadable)?) {
        command.push(text(&context.cache.front_end(LANGUAGE.name, &FRONT_END)?.join(START)));
    }
    match statements {
        Some(Statements { set_up, code, .. }) => {
            command.extend([STATEMENTS.to_owned(), set_up.clone()].into_iter().chain(code.iter().cloned()));
        }
        None => command.push(text(&target.path)),
    }
    let hash = hash_of_command(&command, folder).map_err(unreadable)?;
    let artifact = Artifact {
        environment: environment(context)?,
        // Code that a JIT compiles has a layout.
        interpreted: !interpreter.compiles,
        ..target.artifact(TOOLCHAIN, command, folder, hash)
    };
    Ok(Built { artifact, cached: true })
}

/// Puts compiled imports into the cache, unless the user has settings for them.
fn environment(context: &BuildContext) -> Result<BTreeMap<String, String>, CacheError> {
    let mut environment = BTreeMap::new();
    if let Some(paths) = context.variables.get(PATHS).and_then(from_here) {
        environment.insert(PATHS.to_owned(), paths);
    }
    if ![COMPILED, "PYTHONDONTWRITEBYTECODE"].iter().any(|name| context.variables.get(name).is_some()) {
        let folder = context.cache.folder(&format!("{TOOLCHAIN}/compiled"))?;
        environment.insert(COMPILED.to_owned(), text(&folder));
    }
    Ok(environment)
}

/// A list of paths in which some are relative: they are meant from the user's folder, and the child runs in that of its file.
fn from_here(paths: &str) -> Option<String> {
    let absolute = std::env::split_paths(paths).map(|path| std::path::absolute(&path).unwrap_or(path));
    let absolute = std::env::join_paths(absolute).ok()?.into_string().ok()?;
    (absolute != paths).then_some(absolute)
}

/// Options of an interpreter from the job's flags. Warns of flags that it does not take.
fn options(context: &BuildContext) -> Vec<String> {
    let job = &context.options.job;
    let (options, others) = split_flags(&job.flags);
    if !others.is_empty() {
        let flags = others.join(" ");
        context.warn(format!("`{flags}` are not options of an interpreter, and are ignored here"));
    }
    context.warn_of_native_settings();
    options
}

/// Splits flags into options of an interpreter and others, such as compiler flags of a run with several languages.
fn split_flags(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut options, mut others) = (Vec::new(), Vec::new());
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let with_value = ["-X", "-W"].contains(&flag.as_str());
        let alone = flag.starts_with('-') && flag.len() > 1 && flag[1..].chars().all(|c| "OBEIPRsSubdv".contains(c));
        let joined =
            flag.len() > 2 && (flag.starts_with("-X") || (flag.starts_with("-W") && !flag.starts_with("-Wall")));
        match with_value {
            true => options.extend([flag.clone()].into_iter().chain(flags.next().cloned())),
            false if alone || joined => options.push(flag.clone()),
            false => others.push(flag.clone()),
        }
    }
    (options, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_compilers_are_none_of_an_interpreter() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (options, others) = split_flags(&words("-O -O3 -X gil=0 -Xjit=1 -march=native -W error -OO -DX"));
        assert_eq!(options, words("-O -X gil=0 -Xjit=1 -W error -OO"));
        assert_eq!(others, words("-O3 -march=native -DX"));
    }

    #[test]
    fn relative_paths_of_imports_are_of_the_folder_of_the_user() {
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(from_here("src:/opt/lib:"), Some(format!("{}/src:/opt/lib:", here.display())));
        assert_eq!(from_here("/opt/lib"), None);
    }

    #[test]
    fn an_interpreter_is_known_by_its_name() {
        let setting = tare_model::ToolchainSetting::named("python").expect("there is one");
        for word in ["python3.13", "python", "pypy3", "/opt/python/bin/python3.13t", "python3 -O"] {
            assert!((setting.is_value)(word), "{word}");
        }
        for word in ["pythonista", "jython", "x=python", "python-config"] {
            assert!(!(setting.is_value)(word), "{word}");
        }
    }
}
