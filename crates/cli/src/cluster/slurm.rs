//! Slurm's commands: `sbatch` submits the parts of a run as a job array, `squeue` lists waiting and running jobs, `scancel` cancels them.
//! Jobs are found by name, which contains the run id, so no job number is stored.

use crate::failure::Failure;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use tare_model::text::{split_words, Unclosed};
use tare_report::clean;

/// Slurm with the user's options of `sbatch`: `slurm`, `slurm: --partition=x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slurm {
    pub options: Vec<String>,
}

impl FromStr for Slurm {
    type Err = String;

    fn from_str(text: &str) -> Result<Slurm, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.trim() != "slurm" {
            return Err(format!("`{name}` is not `slurm`; write 'slurm: --partition=x' to choose nodes"));
        }
        let options = split_words(rest).map_err(|Unclosed(quote)| format!("missing closing quote {quote}"))?;
        if let Some(first) = options.first().filter(|word| !word.starts_with('-')) {
            return Err(format!("`{first}` is not an option of `sbatch`: write 'slurm: --partition=x --time=30'"));
        }
        Ok(Slurm { options })
    }
}

/// Options that set the processors of a job; without any, a job gets the whole node.
const OF_PROCESSORS: [&str; 5] = ["-c", "--cpus-per-task", "-s", "--oversubscribe", "--exclusive"];

fn arguments(id: &str, folder: &Path, parts: &[usize], options: &[String]) -> Vec<String> {
    let parts: Vec<String> = parts.iter().map(usize::to_string).collect();
    let is_shared = options.iter().any(|word| OF_PROCESSORS.iter().any(|flag| word.starts_with(flag)));
    let mut words = vec!["--parsable".to_owned()];
    words.extend((!is_shared).then(|| "--exclusive".to_owned()));
    words.extend(options.iter().cloned());
    // Options that Tare relies on come last, so that they win.
    words.extend([
        format!("--job-name={}", name(id)),
        format!("--array={}", parts.join(",")),
        "--nodes=1".to_owned(),
        "--ntasks=1".to_owned(),
        // If the node fails or the job is preempted, the part starts again and overwrites its output.
        "--requeue".to_owned(),
        "--open-mode=truncate".to_owned(),
        format!("--output={}/out-%a.txt", folder.display()),
        folder.join("job.sh").display().to_string(),
    ]);
    words
}

fn name(id: &str) -> String {
    format!("tare-{id}")
}

/// Submits parts; returns the job number.
pub fn submit(id: &str, folder: &Path, parts: &[usize], options: &[String]) -> Result<String, Failure> {
    let said = run("sbatch", &arguments(id, folder, parts, options))?;
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

pub fn queued(id: &str) -> Result<Vec<usize>, Failure> {
    let words = ["--noheader", "--array", "--format=%K", &format!("--name={}", name(id))].map(str::to_owned);
    Ok(run("squeue", &words)?.lines().filter_map(|line| line.trim().parse().ok()).collect())
}

pub fn cancel(id: &str) -> Result<(), Failure> {
    run("scancel", &[format!("--name={}", name(id))]).map(drop)
}

fn run(tool: &str, words: &[String]) -> Result<String, Failure> {
    let mut command = Command::new(tool);
    command.args(words).stdin(Stdio::null());
    // In its own process group, so that Ctrl-C does not end `sbatch` or `scancel` halfway.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let output = command.output().map_err(|error| Failure::Cluster {
        what: format!("`{tool}` cannot be started: {error}"),
        hint: "run `tare` on a login node of a cluster with Slurm".to_owned(),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines =
        said.lines().map(|line| line.trim().trim_start_matches(&format!("{tool}: ")).trim_start_matches("error: "));
    Err(Failure::Cluster {
        what: clean(&format!(
            "`{tool}` failed: {}",
            lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
        )),
        hint:
            "options for `sbatch` follow the colon: `--on 'slurm: --partition=x --account=y'`; see what `sinfo` lists"
                .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_follow_the_colon() {
        let of = |text: &str| text.parse::<Slurm>().map(|slurm| slurm.options.join("|"));
        assert_eq!(
            (of("slurm").as_deref(), of("slurm: -p x --comment 'a b'").as_deref()),
            (Ok(""), Ok("-p|x|--comment|a b"))
        );
        let refused = |text: &str| of(text).expect_err(text);
        assert!(refused("pbs").contains("is not `slurm`"));
        assert!(refused("slurm: x").contains("not an option of `sbatch`"));
        assert!(refused("slurm: 'x").contains("missing closing quote"));
    }

    #[test]
    fn a_job_has_its_node_alone_unless_the_user_says_otherwise() {
        let words = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
            arguments("7f3a", Path::new("/r"), &[0, 1, 5], &options).join(" ")
        };
        assert_eq!(
            words(&["--partition=x"]),
            "--parsable --exclusive --partition=x --job-name=tare-7f3a --array=0,1,5 --nodes=1 --ntasks=1 --requeue \
             --open-mode=truncate --output=/r/out-%a.txt /r/job.sh"
        );
        for own in ["--cpus-per-task=4", "-c4", "-c", "--exclusive=user", "--oversubscribe"] {
            assert_eq!(words(&[own]).matches("--exclusive").count(), own.matches("--exclusive").count(), "{own}");
        }
    }
}
