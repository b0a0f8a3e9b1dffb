//! Finds the installed Go that a job wants.

use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::missing;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tare_process::helper::Limits;

const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 1 << 16 };
/// Where Go's installer puts it.
const USUAL: &str = "/usr/local/go/bin/go";

pub(super) struct Sdk {
    program: PathBuf,
    /// The job names it, so go.mod does not choose another one.
    is_chosen: bool,
    pub(super) root: PathBuf,
    pub(super) version: String,
}

pub(super) fn is_installed() -> bool {
    program(&Variables::of_process(), "go").is_some()
}

/// Finds a program: on the `PATH`, or where Go's tools install versions.
fn program(variables: &Variables, name: &str) -> Option<PathBuf> {
    let usual = || Some(PathBuf::from(USUAL)).filter(|path| name == "go" && path.is_file());
    let home = |folder: &str| {
        let path = Path::new(variables.get("HOME")?).join(folder).join(name).join("bin/go");
        Some(path).filter(|path| path.is_file())
    };
    variables.find(name).or_else(usual).or_else(|| home("sdk"))
}

impl Sdk {
    pub(super) fn find(context: &BuildContext, folder: &Path) -> Result<Sdk, BuildFailure> {
        let named = context.options.job.toolchain.get(super::LANGUAGE.name).map(String::as_str);
        let name = named.unwrap_or("go");
        let program = program(context.variables, name).ok_or_else(|| {
            let hint = match named {
                Some(name) => format!(
                    "install it: `go install golang.org/dl/{name}@latest`, then `{name} download`; or give a path"
                ),
                None => "install Go: see https://go.dev/dl, or `apt install golang-go`".to_owned(),
            };
            missing(name, Some(hint))
        })?;
        let mut sdk = Sdk { program, is_chosen: named.is_some(), root: PathBuf::new(), version: String::new() };
        let words = ["env", "GOROOT", "GOVERSION"];
        let shown: Vec<String> = [name].iter().chain(&words).map(|word| (*word).to_owned()).collect();
        let done = context.run(&shown, sdk.command(context, folder).args(words), LIMITS)?;
        let output = String::from_utf8_lossy(&done.stdout).into_owned();
        let mut lines = output.lines();
        let (Some(root), Some(version), true) = (lines.next(), lines.next(), done.success) else {
            return Err(BuildFailure::of_compiler(shown, done.status.clone(), done.text()));
        };
        sdk.root = PathBuf::from(root);
        sdk.version = version.to_owned();
        Ok(sdk)
    }

    pub(super) fn command(&self, context: &BuildContext, folder: &Path) -> Command {
        let mut command = context.variables.command(&self.program);
        command.current_dir(folder).env("PWD", folder);
        if self.is_chosen {
            command.env("GOTOOLCHAIN", "local");
        }
        command
    }

    pub(super) fn shown(&self) -> String {
        match self.is_chosen {
            true => text(&self.program),
            false => "go".to_owned(),
        }
    }
}
