//! Jobs of Slurm: `sbatch` submits them, `squeue` says which of them still wait or run, `sacct` or `scontrol` how one ended, and `scancel`
//! takes them back.

use super::tools::{SchedulerError, Tools};
use std::path::Path;

/// What is submitted: the same script once for each of some tasks.
#[derive(Debug, Clone, Copy)]
pub struct Submission<'a> {
    /// The name of the jobs.
    pub name: &'a str,
    /// What each task runs.
    pub script: &'a Path,
    /// Where it runs.
    pub directory: &'a Path,
    /// Where its output goes: a folder.
    pub output: &'a Path,
    /// The numbers of the tasks.
    pub tasks: &'a [u32],
    /// What the user wants of `sbatch`.
    pub options: &'a [String],
    /// Nodes that are not to be used.
    pub not_on: &'a [String],
}

/// A task that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The number of its job.
    pub job: String,
    /// Its own number.
    pub number: u32,
    /// As Slurm has it: `PENDING`, `RUNNING`.
    pub state: String,
    /// Where it runs; empty while it waits.
    pub node: String,
    /// Why it waits.
    pub reason: String,
}

impl Task {
    /// It runs.
    pub fn runs(&self) -> bool {
        matches!(self.state.as_str(), "RUNNING" | "COMPLETING")
    }
}

/// How a task ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct End {
    /// As Slurm has it: `COMPLETED`, `NODE_FAIL`, `TIMEOUT`.
    pub state: String,
    /// Where it ran.
    pub node: String,
}

/// Options by which a user says which processors of a node a job has; without them it has the node to itself.
const OF_PROCESSORS: [&str; 6] =
    ["--exclusive", "--cpus-per-task", "-c", "--oversubscribe", "-s", "--cores-per-socket"];

/// Slurm.
pub struct Slurm<'a> {
    /// Its commands.
    pub tools: &'a dyn Tools,
}

impl Slurm<'_> {
    /// The arguments of `sbatch`.
    pub fn arguments(submission: &Submission) -> Vec<String> {
        let Submission { name, script, directory, output, tasks, options, not_on } = submission;
        let mut words = vec![
            "--parsable".to_owned(),
            format!("--job-name={name}"),
            format!("--array={}", ranges(tasks)),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--chdir={}", directory.display()),
            format!("--output={}/out-%A-%a.txt", output.display()),
            // What is measured again begins anew.
            "--open-mode=truncate".to_owned(),
        ];
        let is_of_processors = |word: &String| {
            OF_PROCESSORS
                .iter()
                .any(|flag| word.split('=').next() == Some(flag) || (!flag.starts_with("--") && word.starts_with(flag)))
        };
        if !options.iter().any(is_of_processors) {
            words.push("--exclusive".to_owned());
        }
        if !not_on.is_empty() {
            words.push(format!("--exclude={}", not_on.join(",")));
        }
        // Last, so that they win.
        words.extend(options.iter().cloned());
        words.push(script.display().to_string());
        words
    }

    /// Hands tasks in; the number of their job. Where no other node is left they may run on all.
    ///
    /// # Errors
    /// What `sbatch` said.
    pub fn submit(&self, submission: &Submission) -> Result<String, SchedulerError> {
        let submitted = |submission: &Submission| {
            let said = self.tools.run("sbatch", &Slurm::arguments(submission))?.good("sbatch")?;
            let number = said.trim().split(';').next().unwrap_or_default().to_owned();
            match number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                true => Err(SchedulerError::Refused {
                    tool: "sbatch".to_owned(),
                    text: format!("it printed `{}` instead of the number of a job", said.trim()),
                }),
                false => Ok(number),
            }
        };
        match submitted(submission) {
            Err(SchedulerError::Refused { .. }) if !submission.not_on.is_empty() => {
                submitted(&Submission { not_on: &[], ..*submission })
            }
            other => other,
        }
    }

    /// The tasks of these jobs that wait or run.
    ///
    /// # Errors
    /// What `squeue` said. That it does not know a job any more is no error.
    pub fn waiting(&self, jobs: &[String]) -> Result<Vec<Task>, SchedulerError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let words = ["--noheader", "--array", "--format=%F|%K|%T|%N|%r"].map(str::to_owned);
        let jobs = format!("--jobs={}", jobs.join(","));
        let said = self.tools.run("squeue", &[&words[..], &[jobs]].concat())?;
        if !said.success && said.err.contains("Invalid job id") {
            return Ok(Vec::new());
        }
        Ok(said.good("squeue")?.lines().filter_map(task).collect())
    }

    /// How a task ended, where Slurm still knows it: by its accounting, or by what the controller remembers for some minutes.
    pub fn end(&self, job: &str, number: u32) -> Option<End> {
        let name = format!("{job}_{number}");
        let words = ["--noheader", "--allocations", "--parsable2", "--format=State,NodeList"].map(str::to_owned);
        let said = self.tools.run("sacct", &[&words[..], &[format!("--jobs={name}")]].concat());
        let accounted = said.ok().and_then(|said| said.good("sacct").ok()).and_then(|said| accounted(&said));
        let remembered = || {
            let words = ["--oneliner", "show", "job", &name].map(str::to_owned);
            remembered(&self.tools.run("scontrol", &words).ok()?.good("scontrol").ok()?)
        };
        accounted.or_else(remembered)
    }

    /// Takes jobs back, those that run too.
    ///
    /// # Errors
    /// What `scancel` said.
    pub fn cancel(&self, jobs: &[String]) -> Result<(), SchedulerError> {
        match jobs.is_empty() {
            true => Ok(()),
            false => self.tools.run("scancel", jobs)?.good("scancel").map(drop),
        }
    }
}

/// `0-3,7`.
fn ranges(tasks: &[u32]) -> String {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for &task in tasks {
        match all.last_mut() {
            Some((_, last)) if *last + 1 == task => *last = task,
            _ => all.push((task, task)),
        }
    }
    let text = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    all.iter().map(text).collect::<Vec<_>>().join(",")
}

/// A line of `squeue`.
fn task(line: &str) -> Option<Task> {
    let mut columns = line.trim().splitn(5, '|').map(str::to_owned);
    let mut next = || columns.next();
    Some(Task { job: next()?, number: next()?.parse().ok()?, state: next()?, node: next()?, reason: next()? })
}

/// The first line of `sacct`: `CANCELLED by 1000|node1`.
fn accounted(said: &str) -> Option<End> {
    let (state, node) = said.lines().find(|line| !line.trim().is_empty())?.split_once('|')?;
    let state = state.split(' ').next().unwrap_or_default().to_owned();
    (!state.is_empty()).then(|| End { state, node: node.trim().to_owned() })
}

/// A line of `scontrol show job`.
fn remembered(said: &str) -> Option<End> {
    let value = |name: &str| said.split_whitespace().find_map(|word| word.strip_prefix(name)).map(str::to_owned);
    Some(End {
        state: value("JobState=")?,
        node: value("NodeList=").filter(|node| node != "(null)").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::tools::Said;
    use std::cell::RefCell;

    /// Invented commands: what each says, in turn, and what they were asked.
    struct Invented {
        said: RefCell<Vec<(&'static str, Said)>>,
        asked: RefCell<Vec<String>>,
    }

    impl Invented {
        fn new(said: &[(&'static str, bool, &str, &str)]) -> Invented {
            let of = |(tool, success, out, err): &(&'static str, bool, &str, &str)| {
                (*tool, Said { success: *success, out: (*out).to_owned(), err: (*err).to_owned() })
            };
            Invented { said: RefCell::new(said.iter().map(of).collect()), asked: RefCell::default() }
        }
    }

    impl Tools for Invented {
        fn run(&self, tool: &str, arguments: &[String]) -> Result<Said, SchedulerError> {
            self.asked.borrow_mut().push(format!("{tool} {}", arguments.join(" ")));
            let mut said = self.said.borrow_mut();
            match said.iter().position(|(of, _)| *of == tool) {
                Some(place) => Ok(said.remove(place).1),
                None => {
                    Err(SchedulerError::NotThere { tool: tool.to_owned(), source: std::io::ErrorKind::NotFound.into() })
                }
            }
        }
    }

    fn submission<'a>(tasks: &'a [u32], options: &'a [String], not_on: &'a [String]) -> Submission<'a> {
        let (script, directory, output) = (Path::new("/r/job.sh"), Path::new("/p"), Path::new("/r"));
        Submission { name: "tare-1", script, directory, output, tasks, options, not_on }
    }

    #[test]
    fn a_job_has_its_node_alone_unless_the_user_says_otherwise() {
        let words = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
            Slurm::arguments(&submission(&[0, 1, 2, 5], &options, &[])).join(" ")
        };
        assert_eq!(
            words(&["--partition=x"]),
            "--parsable --job-name=tare-1 --array=0-2,5 --nodes=1 --ntasks=1 --chdir=/p --output=/r/out-%A-%a.txt \
             --open-mode=truncate --exclusive --partition=x /r/job.sh"
        );
        for own in ["--cpus-per-task=4", "-c4", "-c", "--exclusive=user", "--oversubscribe"] {
            assert_eq!(words(&[own]).matches("--exclusive").count(), own.matches("--exclusive").count(), "{own}");
        }
    }

    #[test]
    fn a_node_that_failed_is_left_out_where_others_are_left() {
        let tools = Invented::new(&[
            ("sbatch", false, "", "sbatch: error: Requested node configuration is not available\n"),
            ("sbatch", true, "17;main\n", ""),
        ]);
        let slurm = Slurm { tools: &tools };
        let not_on = ["node1".to_owned()];
        assert_eq!(slurm.submit(&submission(&[3], &[], &not_on)).expect("a job"), "17");
        let asked = tools.asked.borrow();
        assert!(asked[0].contains("--exclude=node1") && !asked[1].contains("--exclude"), "{asked:?}");
    }

    #[test]
    fn what_sbatch_refuses_is_said() {
        let said = |success, out, err| {
            let tools = Invented::new(&[("sbatch", success, out, err)]);
            Slurm { tools: &tools }.submit(&submission(&[0], &[], &[])).expect_err("refused").to_string()
        };
        let refused = said(false, "", "sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed: Invalid partition name specified\n");
        assert_eq!(
            refused,
            "`sbatch` failed: invalid partition specified: x; Batch job submission failed: Invalid partition name specified"
        );
        assert_eq!(
            said(true, "Submitted\n", ""),
            "`sbatch` failed: it printed `Submitted` instead of the number of a job"
        );
        let tools = Invented::new(&[]);
        let error = Slurm { tools: &tools }.submit(&submission(&[0], &[], &[])).expect_err("not there");
        assert!(error.to_string().starts_with("`sbatch` cannot be started"), "{error}");
    }

    #[test]
    fn tasks_wait_run_and_end() {
        let tools = Invented::new(&[
            ("squeue", true, "17|0|RUNNING|node1|None\n17|2|PENDING||Resources\n", ""),
            ("squeue", false, "", "slurm_load_jobs error: Invalid job id specified\n"),
            ("squeue", false, "", "slurm_load_jobs error: Unable to contact slurm controller\n"),
            ("sacct", true, "CANCELLED by 0|node2\n", ""),
            ("sacct", false, "", "Slurm accounting storage is disabled\n"),
            ("scontrol", true, "JobId=3 JobState=NODE_FAIL Reason=NodeDown NodeList=node1 BatchHost=node1\n", ""),
            ("sacct", true, "", ""),
            ("scontrol", false, "", "slurm_load_jobs error: Invalid job id specified\n"),
        ]);
        let slurm = Slurm { tools: &tools };
        let jobs = ["17".to_owned()];
        let waiting = slurm.waiting(&jobs).expect("tasks");
        assert_eq!(waiting.iter().map(|task| (task.number, task.runs())).collect::<Vec<_>>(), [(0, true), (2, false)]);
        assert_eq!(waiting[1].reason, "Resources");
        assert_eq!(slurm.waiting(&jobs).expect("it is over"), []);
        assert!(slurm.waiting(&jobs).is_err());
        let end = |state: &str, node: &str| Some(End { state: state.to_owned(), node: node.to_owned() });
        assert_eq!(slurm.end("17", 2), end("CANCELLED", "node2"));
        assert_eq!(slurm.end("17", 0), end("NODE_FAIL", "node1"));
        assert_eq!(slurm.end("17", 0), None);
        assert_eq!(slurm.waiting(&[]).expect("nothing is asked"), []);
    }
}
