//! A command of the project that creates files that git ignores.

use super::context::{Variables, COMPILER};
use super::failure::BuildFailure;
use super::options::BuildOptions;
use crate::revision::Moved;
use std::path::Path;
use tare_process::helper::run;

/// Runs a shell command in a folder to its end. `of` names the owner of the files, for the failure.
pub fn prepare(line: &str, folder: &Path, of: &str) -> Result<(), BuildFailure> {
    let _hold = tare_process::hold_interrupts();
    let variables = Variables::of_process();
    let variables = Moved::of(folder, &variables, &BuildOptions::default()).map_or(variables, |moved| moved.variables);
    let mut command = variables.command(Path::new("/bin/sh"));
    let done = run(command.args(["-c", line]).current_dir(folder), COMPILER)
        .map_err(|error| BuildFailure::of_start(&error).of(of))?;
    if done.success {
        return Ok(());
    }
    let output = [done.stdout, done.stderr].concat();
    let shown = ["sh", "-c", line].map(str::to_owned).to_vec();
    let failure = BuildFailure::of_compiler(shown, done.status, String::from_utf8_lossy(&output).into_owned()).of(of);
    let usual = format!("it is `prepare` below `[compare]` of `tare.toml`, and runs in `{}`", folder.display());
    Err(BuildFailure { hint: failure.hint.or(Some(usual)), ..failure })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_shell_runs_in_the_folder_and_its_failure_says_what_it_printed() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(prepare("echo a > made && test -f made", folder.path(), "main"), Ok(()));
        assert!(folder.path().join("made").is_file());
        let failure = prepare("echo no rule; exit 3", folder.path(), "main").unwrap_err();
        let text = failure.to_string();
        assert!(
            text.starts_with("could not build `main`: sh: exit status 3\n  sh -c 'echo no rule; exit 3'"),
            "{text}"
        );
        assert!(text.contains("    no rule") && text.contains("`prepare` below `[compare]`"), "{text}");
    }
}
