//! Flags for rustc in addition to the user's. Cargo reads them from only one place (variable, `target.*.rustflags`, `build.rustflags`, in
//! this order), so ours are appended at the place in force.

use crate::toolchain::context::Variables;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use tare_model::Job;
use toml::{Table, Value};

/// Align functions and jump targets to 2^6 = 64 bytes.
pub(crate) const ALIGN: [&str; 4] =
    ["-C", "llvm-args=-align-all-functions=6", "-C", "llvm-args=-align-all-nofallthru-blocks=6"];

pub(crate) fn ours(align: bool, extra: &[String]) -> Vec<String> {
    let align = if align { &ALIGN[..] } else { &[] };
    align.iter().map(|flag| (*flag).to_owned()).chain(extra.iter().cloned()).collect()
}

pub(crate) fn of_job(job: &Job) -> Vec<String> {
    let option = |text: String| ["-C".to_owned(), text];
    let cpu = job.target_cpu.iter().flat_map(|cpu| option(format!("target-cpu={cpu}")));
    let linker = job.linker.iter().flat_map(|linker| option(format!("link-arg=-fuse-ld={linker}")));
    cpu.chain(linker).chain(job.flags.iter().cloned()).collect()
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FlagRoute {
    /// The variable, with the user's flags first.
    Encoded(String),
    /// `--config KEY=[...]`, which Cargo appends to the user's value of the same key.
    Config(String),
}

impl FlagRoute {
    pub(crate) fn apply(&self, command: &mut Command) {
        match self {
            FlagRoute::Encoded(flags) => command.env("CARGO_ENCODED_RUSTFLAGS", OsString::from(flags)),
            FlagRoute::Config(setting) => command.args(["--config", setting]),
        };
    }

    pub(crate) fn shown(&self) -> Vec<String> {
        match self {
            FlagRoute::Encoded(_) => Vec::new(),
            FlagRoute::Config(setting) => vec!["--config".to_owned(), setting.clone()],
        }
    }
}

/// The place for our flags in a build that starts in `folder`; None if there are no flags.
pub(crate) fn place(variables: &Variables, folder: &Path, ours: &[String]) -> Option<FlagRoute> {
    if ours.is_empty() {
        return None;
    }
    let joined = ours.join("\x1f");
    if let Some(encoded) = variables.get("CARGO_ENCODED_RUSTFLAGS") {
        return Some(FlagRoute::Encoded(format!("{encoded}\x1f{joined}")));
    }
    if let Some(flags) = variables.get("RUSTFLAGS").filter(|flags| !flags.trim().is_empty()) {
        let theirs: Vec<&str> = flags.split_whitespace().collect();
        return Some(FlagRoute::Encoded(format!("{}\x1f{joined}", theirs.join("\x1f"))));
    }
    let key = match has_target_flags(variables, folder) {
        true => "target.'cfg(all())'.rustflags",
        false => "build.rustflags",
    };
    let list = Value::Array(ours.iter().map(|flag| Value::String(flag.clone())).collect());
    Some(FlagRoute::Config(format!("{key}={list}")))
}

/// Whether a Cargo configuration file has flags for a target, which would hide `build.rustflags`.
fn has_target_flags(variables: &Variables, folder: &Path) -> bool {
    let by_variable = std::env::consts::ARCH.to_uppercase();
    let by_variable = format!("CARGO_TARGET_{by_variable}_UNKNOWN_LINUX_GNU_RUSTFLAGS");
    if variables.get(&by_variable).is_some() {
        return true;
    }
    let home = variables.get("CARGO_HOME").map(|h| Path::new(h).to_owned());
    let home = home.or_else(|| Some(Path::new(variables.get("HOME")?).join(".cargo")));
    let above = folder.ancestors().map(|f| f.join(".cargo"));
    above.chain(home).flat_map(|f| [f.join("config.toml"), f.join("config")]).any(|file| {
        let config = fs::read_to_string(file).ok().and_then(|text| text.parse::<Table>().ok());
        let targets = config.as_ref().and_then(|c| c.get("target")).and_then(Value::as_table);
        targets.is_some_and(|t| t.values().any(|target| target.get("rustflags").is_some()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_in_the_words_of_rustc() {
        let (target_cpu, linker) = (Some("native".to_owned()), Some("lld".to_owned()));
        let job = Job { target_cpu, linker, flags: vec!["-g".to_owned()], ..Job::default() };
        assert_eq!(of_job(&job), ["-C", "target-cpu=native", "-C", "link-arg=-fuse-ld=lld", "-g"]);
    }

    #[test]
    fn flags_of_the_user_stay() {
        let ours = ours(false, &["-Copt-level=1".to_owned()]);
        let nowhere = Path::new("/nonexistent");
        let none = Variables::default();
        assert_eq!(place(&none, nowhere, &[]), None);
        assert_eq!(place(&none, nowhere, &ours), Some(FlagRoute::Config("build.rustflags=[\"-Copt-level=1\"]".into())));
        let plain = Variables::default().with("RUSTFLAGS", " -g  --cfg x ");
        assert_eq!(place(&plain, nowhere, &ours), Some(FlagRoute::Encoded("-g\x1f--cfg\x1fx\x1f-Copt-level=1".into())));
        let encoded = plain.with("CARGO_ENCODED_RUSTFLAGS", "-a b\x1f-c");
        assert_eq!(place(&encoded, nowhere, &ours), Some(FlagRoute::Encoded("-a b\x1f-c\x1f-Copt-level=1".into())));
    }
}
