//! Slurm's own commands: `sbatch` submits the parts of a run as an array of jobs, `squeue` lists those that wait or run, and `scancel`
//! takes them back. The jobs are found by their name, which holds the id of the run, so that no number of a job needs to be kept.

use crate::failure::Failure;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use tare_model::text::{split_words, Unclosed};
use tare_report::clean;

/// Slurm, with the options of `sbatch` that the user wants: `slurm`, `slurm: --partition=x`.
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

/// Options by which a user says which processors of a node a job has; without them it has the node to itself.
const OF_PROCESSORS: [&str; 5] = ["-c", "--cpus-per-task", "-s", "--oversubscribe", "--exclusive"];

fn arguments(id: &str, folder: &Path, parts: &[usize], options: &[String]) -> Vec<String> {
    let parts: Vec<String> = parts.iter().map(usize::to_string).collect();
    let is_shared = options.iter().any(|word| OF_PROCESSORS.iter().any(|flag| word.starts_with(flag)));
    let mut words = vec!["--parsable".to_owned()];
    words.extend((!is_shared).then(|| "--exclusive".to_owned()));
    words.extend(options.iter().cloned());
    // What decides how jobs are cut, named and collected stands last, so that it wins.
    words.extend([
        format!("--job-name={}", name(id)),
        format!("--array={}", parts.join(",")),
        "--nodes=1".to_owned(),
        "--ntasks=1".to_owned(),
        // A part whose node fails or that is preempted begins anew, and so does what it prints.
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

/// Hands parts in; the number of their job.
pub fn submit(id: &str, folder: &Path, parts: &[usize], options: &[String]) -> Result<String, Failure> {
    let said = run("sbatch", &arguments(id, folder, parts, options))?;
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

pub fn queued(id: &str) -> Result<Vec<usize>, Failure> {
    let words = ["--noheader", "--array", "--format=%K", &format!("--name={}", name(id))].map(str::to_owned);
    Ok(run("squeue", &words)?.lines().filter_map(|line| line.trim().parse().ok()).collect())
}

/// Takes the jobs of a run back, those that run too.
pub fn cancel(id: &str) -> Result<(), Failure> {
    run("scancel", &[format!("--name={}", name(id))]).map(drop)
}

fn run(tool: &str, words: &[String]) -> Result<String, Failure> {
    let mut command = Command::new(tool);
    command.args(words).stdin(Stdio::null());
    // A group of its own: Ctrl-C must not end `sbatch` halfway, nor `scancel`.
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
