//! Chooses a C or C++ compiler and identifies it: after an update, the same name may mean another compiler.

use super::Native;
use crate::toolchain::cache::Key;
use crate::toolchain::context::{text, BuildContext};
use crate::toolchain::directive::words;
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::{missing, state};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tare_process::helper::Limits;

/// For `--version`, in case the program is not a compiler.
const VERSION_LIMITS: Limits = Limits { time: Duration::from_secs(20), bytes: 4096 };

#[derive(Debug, Clone)]
pub(crate) struct Compiler {
    pub(crate) path: PathBuf,
    /// Words before all other arguments, as in `ccache g++` or `g++ -m32`.
    pub(crate) arguments: Vec<String>,
    /// The name as typed by the user, or its default: shown in commands.
    pub(crate) name: String,
    pub(crate) version: String,
    /// Hash of everything that identifies this compiler.
    pub(crate) identity: String,
}

impl Compiler {
    pub(crate) fn is_clang(&self) -> bool {
        self.version.contains("clang")
    }

    pub(crate) fn find(context: &BuildContext, native: &Native) -> Result<Compiler, BuildFailure> {
        let Native { variable, compilers: names, .. } = native;
        let of_job = context.options.job.toolchain.get(native.language).map(String::as_str);
        let named = of_job.or_else(|| context.variables.get(variable));
        let found = match named {
            Some(named) => {
                let mut words = words(named);
                let name = if words.is_empty() { String::new() } else { words.remove(0) };
                context.variables.find(&name).map(|path| (name, path, words))
            }
            None => names.iter().find_map(|name| Some(((*name).to_owned(), context.variables.find(name)?, Vec::new()))),
        };
        let Some((name, path, arguments)) = found else {
            return Err(lacking(named.unwrap_or(names[0])));
        };
        let (version, identity) = Compiler::version(context, &path, &arguments)?;
        Ok(Compiler { path, arguments, name, version, identity })
    }

    /// The version is queried once for each state of the program's file.
    fn version(context: &BuildContext, path: &Path, arguments: &[String]) -> Result<(String, String), BuildFailure> {
        let mut key = Key::new("compiler").with_all(arguments).with(state(path));
        for program in arguments.iter().filter_map(|word| context.variables.find(word)) {
            key = key.with(state(&program));
        }
        let identity = key.finish();
        let place = format!("compilers/{identity}");
        if let Ok(version) = fs::read_to_string(context.cache.path(&place)) {
            // A file truncated by a full disk has no final newline.
            if let Some(version) = version.strip_suffix('\n') {
                return Ok((version.to_owned(), identity));
            }
        }
        let mut command = context.variables.command(path);
        let shown = vec![text(path), "--version".to_owned()];
        let done = context.made(&shown, command.args(arguments).arg("--version"), VERSION_LIMITS)?;
        let version = done.text().lines().next().unwrap_or_default().to_owned();
        context.cache.write(&place, format!("{version}\n").as_bytes())?;
        Ok((version, identity))
    }
}

fn lacking(compiler: &str) -> BuildFailure {
    let name = compiler.split_whitespace().next().unwrap_or(compiler);
    let hint = match name {
        "g++" | "c++" => Some("install it: `apt install g++`; or name another compiler: `--cxx clang++`".to_owned()),
        "gcc" | "cc" => {
            Some("install it: `apt install gcc libc6-dev`; or name another compiler: `--cc clang`".to_owned())
        }
        "clang" | "clang++" => Some("install it: `apt install clang`".to_owned()),
        "nvcc" => Some("install the CUDA toolkit, or name its compiler: `CUDACXX=/usr/local/cuda/bin/nvcc`".to_owned()),
        "hipcc" => Some("install ROCm, or name its compiler: `HIPCXX=/opt/rocm/bin/hipcc`".to_owned()),
        _ if name.starts_with("clang++-") => {
            Some(format!("install it: `apt install {}`", name.replace("clang++", "clang")))
        }
        _ => None,
    };
    missing(name, hint)
}
