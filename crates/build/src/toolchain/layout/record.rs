//! How a program was linked, as recorded by `linker.sh` during the build.

use crate::toolchain::cache::{hash_file, Cache, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::BuildFailure;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tare_process::helper::Done;

const LINKER: &str = include_str!("linker.sh");
const DRIVER: &str = include_str!("driver.sh");
/// Names under which compilers look for their linker.
const LINKERS: [&str; 5] = ["ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"];
/// Compilers that other tools call by name to link.
const DRIVERS: [&str; 6] = ["cc", "c++", "gcc", "g++", "clang", "clang++"];
/// Output of `linker.sh` if it finds no linker.
const NO_LINKER: &str = "tare: no linker";
/// Limit on recorded links that are read.
const RECORD_LIMIT: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Notebook {
    linkers: PathBuf,
    folder: PathBuf,
}

impl Notebook {
    /// Opens the notebook in this folder, which is created if necessary.
    pub(crate) fn open(cache: &Cache, folder: &Path) -> Result<Notebook, CacheError> {
        let version = Key::new("linker").with(LINKER).with(DRIVER).finish();
        let linkers = format!("linker-{}", &version[..16]);
        for name in LINKERS {
            cache.write_program(&format!("{linkers}/{name}"), LINKER.as_bytes())?;
        }
        for name in DRIVERS {
            cache.write_program(&format!("{linkers}/drivers/{name}"), DRIVER.as_bytes())?;
        }
        fs::create_dir_all(folder).map_err(|e| CacheError::new("create", folder, e))?;
        Ok(Notebook { linkers: cache.path(&linkers), folder: folder.to_owned() })
    }

    /// Makes this command record its links.
    fn apply(&self, variables: &Variables, command: &mut Command) {
        let before = |folder: PathBuf, name: &str| {
            let mut list = folder.into_os_string();
            if let Some(value) = variables.get_os(name).filter(|value| !value.is_empty()) {
                list.push(":");
                list.push(value);
            }
            list
        };
        // A colon cannot be quoted in these lists.
        if !text(&self.linkers).contains(':') {
            command.env("TARE_LINKS", &self.folder);
            command.env("COMPILER_PATH", before(self.linkers.clone(), "COMPILER_PATH"));
            command.env("PATH", before(self.linkers.join("drivers"), "PATH"));
        }
    }

    /// Runs a compiler and records its links; if the recording fails, runs it once more without.
    pub(crate) fn compile(
        &self,
        context: &BuildContext,
        shown: &[String],
        command: &mut Command,
    ) -> Result<Done, BuildFailure> {
        self.apply(context.variables, command);
        let done = context.compile(shown, command)?;
        if done.success || !done.text().contains(NO_LINKER) {
            return Ok(done);
        }
        command.env_remove("TARE_LINKS");
        for name in ["COMPILER_PATH", "PATH"] {
            match context.variables.get_os(name) {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        context.compile(shown, command)
    }

    pub(super) fn find(&self, program: &Path, hash: &str) -> Option<Link> {
        let size = fs::metadata(program).ok()?.len();
        let entries = fs::read_dir(&self.folder).ok()?.filter_map(Result::ok).take(RECORD_LIMIT);
        let links = entries.filter_map(|entry| Link::read(&entry.path()));
        let same_size = |link: &Link| fs::metadata(&link.out).is_ok_and(|facts| facts.len() == size);
        links.filter(same_size).find(|link| hash_file(&link.out).is_ok_and(|h| h == hash))
    }
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) linker: PathBuf,
    pub(super) folder: PathBuf,
    out: PathBuf,
    /// All arguments except those that name output files.
    words: Vec<String>,
    variables: Vec<String>,
    /// Whether the program was changed after the linker wrote it.
    is_changed: bool,
}

impl Link {
    fn read(folder: &Path) -> Option<Link> {
        let list = |name: &str| -> Option<Vec<String>> {
            let content = fs::read(folder.join(name)).ok()?;
            let parts = content.strip_suffix(b"\0").map_or_else(Vec::new, |c| c.split(|b| *b == 0).collect());
            parts.into_iter().map(|part| Some(std::str::from_utf8(part).ok()?.to_owned())).collect()
        };
        let [linker, working, out] = <[String; 3]>::try_from(list("link")?).ok()?;
        let objects = folder.join("objects");
        // Objects that the compiler has deleted since are kept with the record.
        let (working, written) = (PathBuf::from(working), |path: &Path| fs::metadata(path)?.modified());
        let out = working.join(out);
        let kept = |word: String| match Path::new(&word).file_name().map(|name| objects.join(name)) {
            Some(kept) if !working.join(&word).exists() && kept.is_file() => text(&kept),
            _ => word,
        };
        Some(Link {
            is_changed: written(&out).ok()? > written(&folder.join("words")).ok()?,
            out,
            linker: linker.into(),
            words: without_results(list("words")?).into_iter().map(kept).collect(),
            variables: list("variables")?,
            folder: working,
        })
    }

    /// The same link with another output file.
    pub(super) fn command(&self, variables: &Variables, scratch: &Path, out: &Path) -> Command {
        let mut command = variables.command(&self.linker);
        for variable in &self.variables {
            if let Some((name, value)) = variable.split_once('=') {
                command.env(name, value);
            }
        }
        let resolution = "-plugin-opt=-fresolution=";
        for word in &self.words {
            match word.starts_with(resolution) {
                true => command.arg(format!("{resolution}{}", scratch.join(name_beside(out, "res")).display())),
                false => command.arg(word),
            };
        }
        command.current_dir(&self.folder).arg("-o").arg(out);
        command
    }

    /// Why the linker cannot use another order.
    pub(super) fn obstacle(&self) -> Option<&'static str> {
        let has = |test: fn(&str) -> bool| self.words.iter().any(|word| test(word));
        let is_script = |word: &str| {
            let is_place = ["-Ttext", "-Tdata", "-Tbss", "-Trodata", "-Tldata"].iter().any(|p| word.starts_with(p));
            (word.starts_with("-T") && !is_place) || word == "-dT" || word.starts_with("--script")
        };
        if self.is_changed {
            return Some("it was changed after it was linked");
        }
        if has(is_script) {
            return Some("it has its own linker script");
        }
        let is_list = |word: &str| word.starts_with('@');
        let is_gone = |word: &String| word.ends_with(".o") && !self.folder.join(word).is_file();
        if has(is_list) || self.words.iter().any(is_gone) {
            return Some("the object files that it was linked from are gone");
        }
        None
    }
}

pub(super) fn name_beside(path: &Path, suffix: &str) -> String {
    format!("{}.{suffix}", path.file_name().unwrap_or(OsStr::new("out")).to_string_lossy())
}

fn without_results(words: Vec<String>) -> Vec<String> {
    let with_next = ["-o", "--output", "-Map", "--Map", "--dependency-file"];
    let alone = ["--output=", "-Map=", "--Map=", "--dependency-file="];
    let mut kept = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if with_next.contains(&word.as_str()) {
            words.next();
        } else if !alone.iter().any(|start| word.starts_with(start)) {
            kept.push(word);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_first_link_are_not_written_again() {
        let words = ["-pie", "-o", "x", "a.o", "-Map=m", "--Map", "n", "-lm"].map(str::to_owned).to_vec();
        assert_eq!(without_results(words), ["-pie", "a.o", "-lm"]);
    }
}
