//! Finds the interpreter for a file: that of the job, of the virtual environment, or of the `PATH`.

use crate::discover::last_name;
use crate::toolchain::context::{BuildContext, Variables};
use crate::toolchain::directive::words;
use crate::toolchain::failure::BuildFailure;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tare_process::files::entries;
use tare_process::helper::{run, Limits};

const USUAL: [&str; 2] = ["python3", "python"];
const ENVIRONMENTS: [&str; 2] = [".venv", "venv"];
const OLDEST: (u32, u32) = (3, 8);
/// For a question that an interpreter answers at start.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 1 << 16 };
/// Asks for the interpreter's own path (a version manager's shim takes longer to start), its version, and whether it has a JIT compiler.
const QUESTION: &str =
    "import sys; print(sys.executable); print('%d.%d' % sys.version_info[:2]); jit = getattr(sys, '_jit', None); \
                        print(sys.implementation.name != 'cpython' or bool(jit and jit.is_enabled()))";

#[derive(Debug)]
pub(super) struct Interpreter {
    pub(super) path: PathBuf,
    pub(super) options: Vec<String>,
    pub(super) compiles: bool,
}

impl Interpreter {
    pub(super) fn find(context: &BuildContext, folder: &Path) -> Result<Interpreter, BuildFailure> {
        let mut named =
            context.options.job.toolchain.get(super::LANGUAGE.name).map(|named| words(named)).unwrap_or_default();
        let options = named.split_off(named.len().min(1));
        let path = match named.first() {
            Some(name) => of_name(context.variables, name).ok_or_else(|| lacking(name))?,
            None => usual(context.variables, folder).ok_or_else(|| lacking(USUAL[0]))?,
        };
        let (path, compiles) = asked(context.variables, &path)?;
        Ok(Interpreter { path, options, compiles })
    }
}

pub(super) fn is_there() -> bool {
    usual(&Variables::of_process(), Path::new(".")).is_some()
}

/// The interpreter of the active virtual environment, or of one beside or above the file or the current folder; else that of the `PATH`.
fn usual(variables: &Variables, folder: &Path) -> Option<PathBuf> {
    let active = variables.get("VIRTUAL_ENV").map(PathBuf::from);
    let here = std::env::current_dir().ok();
    let above = folder.ancestors().chain(here.iter().flat_map(|here| here.ancestors()));
    let beside = above.flat_map(|folder| ENVIRONMENTS.map(|name| folder.join(name)));
    let of_environment = |environment: PathBuf| {
        let is_one = environment.join("pyvenv.cfg").is_file();
        is_one.then(|| environment.join("bin/python")).filter(|path| path.exists())
    };
    let found = active.into_iter().chain(beside).find_map(of_environment);
    found.or_else(|| USUAL.iter().find_map(|name| variables.find(name)))
}

/// A program by name, on the `PATH` or in the installations of `pyenv` and `uv`.
fn of_name(variables: &Variables, name: &str) -> Option<PathBuf> {
    let version = name.strip_prefix("python").filter(|version| !version.is_empty() && !name.contains('/'));
    let kept = || version.and_then(|version| of_managers(variables, version));
    let is_shim = |path: &PathBuf| path.parent().is_some_and(|folder| folder.ends_with("shims"));
    match variables.find(name) {
        // A shim stands for all versions, but only starts those that are enabled.
        Some(path) if is_shim(&path) => kept().or(Some(path)),
        Some(path) => Some(path),
        None => kept(),
    }
}

/// The newest patch release of a version among the installations of version managers.
fn of_managers(variables: &Variables, version: &str) -> Option<PathBuf> {
    let home = variables.get("HOME").map(PathBuf::from);
    let pyenv = variables.get("PYENV_ROOT").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".pyenv")));
    let uv = variables.get("UV_PYTHON_INSTALL_DIR").map(PathBuf::from);
    let uv = uv.or_else(|| Some(home?.join(".local/share/uv/python")));
    let folders = [(pyenv.map(|root| root.join("versions")), ""), (uv, "cpython-")];
    let newest = |(folder, prefix): (Option<PathBuf>, &str)| {
        let named = entries(&folder?).into_iter().filter_map(|entry| {
            let name = last_name(&entry);
            let of_version = name.strip_prefix(prefix)?.split(['-', '+']).next()?.to_owned();
            let rest = of_version.strip_prefix(version)?;
            let path = entry.join("bin").join(format!("python{version}"));
            (rest.is_empty() || rest.starts_with('.')).then(|| (patch(rest), path)).filter(|(_, path)| path.exists())
        });
        named.max_by_key(|(patch, _)| *patch).map(|(_, path)| path)
    };
    folders.into_iter().find_map(newest)
}

fn patch(rest: &str) -> u32 {
    rest.trim_start_matches('.').chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// The interpreter's own path and whether it compiles, if it is new enough.
fn asked(variables: &Variables, path: &Path) -> Result<(PathBuf, bool), BuildFailure> {
    let done = run(variables.command(path).args(["-c", QUESTION]), LIMITS).map_err(|e| BuildFailure::of_start(&e))?;
    let output = String::from_utf8_lossy(&done.stdout).into_owned();
    let mut lines = output.lines();
    let (own, version) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
    let mut parts = version.split('.');
    let (Some(major), Some(minor)) = (number(parts.next()), number(parts.next())) else {
        let why = format!("`{}` does not start as an interpreter of Python", path.display());
        let said = String::from_utf8_lossy(&done.stderr).lines().next().map(|line| format!("it says: {line}"));
        return Err(BuildFailure::new(why, said));
    };
    if (major, minor) < OLDEST {
        let why = format!("needs Python 3.8 or later, and `{}` is {version}", path.display());
        return Err(BuildFailure::new(why, Some("name another one: `--job python3.12`".to_owned())));
    }
    let own = if own.is_empty() { path.to_owned() } else { PathBuf::from(own) };
    Ok((own, lines.next() == Some("True")))
}

fn lacking(name: &str) -> BuildFailure {
    let hint = "install it, give its path, or leave it out: `uv python install 3.12`, `apt install python3`";
    BuildFailure::lacking(format!("`{name}` was not found"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, "#!/bin/sh\n").expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can run");
    }

    #[test]
    fn a_virtual_environment_comes_first() {
        let place = tempfile::tempdir().expect("a folder");
        let (root, project) = (place.path().join("path"), place.path().join("project"));
        program(&root.join("python3"));
        let variables = Variables::default().with("PATH", &root);
        let bench = project.join("benches");
        fs::create_dir_all(&bench).expect("made");
        assert_eq!(usual(&variables, &bench), Some(root.join("python3")));
        // Only `pyvenv.cfg` makes a folder a virtual environment.
        program(&project.join("venv/bin/python"));
        assert_eq!(usual(&variables, &bench), Some(root.join("python3")));
        fs::write(project.join("venv/pyvenv.cfg"), "").expect("written");
        assert_eq!(usual(&variables, &bench), Some(project.join("venv/bin/python")));
        program(&place.path().join("active/bin/python"));
        fs::write(place.path().join("active/pyvenv.cfg"), "").expect("written");
        let active = variables.with("VIRTUAL_ENV", place.path().join("active"));
        assert_eq!(usual(&active, &bench), Some(place.path().join("active/bin/python")));
    }

    #[test]
    fn versions_are_found_where_managers_keep_them() {
        let place = tempfile::tempdir().expect("a folder");
        let home = place.path();
        for version in ["3.8.2", "3.8.18", "3.13.0"] {
            let series = version.rsplit_once('.').map_or(version, |(series, _)| series);
            program(&home.join(format!(".pyenv/versions/{version}/bin/python{series}")));
        }
        program(&home.join(".local/share/uv/python/cpython-3.12.4-linux-x86_64-gnu/bin/python3.12"));
        program(&home.join(".pyenv/shims/python3.8"));
        let variables = Variables::default().with("HOME", home).with("PATH", home.join(".pyenv/shims"));
        let of = |name: &str| of_name(&variables, name);
        assert_eq!(of("python3.8"), Some(home.join(".pyenv/versions/3.8.18/bin/python3.8")));
        assert_eq!(of("python3.13"), Some(home.join(".pyenv/versions/3.13.0/bin/python3.13")));
        assert_eq!(
            of("python3.12"),
            Some(home.join(".local/share/uv/python/cpython-3.12.4-linux-x86_64-gnu/bin/python3.12"))
        );
        assert_eq!((of("python3.9"), of("pypy")), (None, None));
    }
}
