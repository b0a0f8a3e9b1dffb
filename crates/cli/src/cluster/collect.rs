//! Parts are submitted, watched until they are all there, submitted again where they failed, and merged.

mod lost;

use super::folder::{Begun, Cut, Folder, Submitted};
use super::nodes::{self, Node};
use super::place::Place;
use super::slurm::{Slurm, Submission, Task};
use super::tools::{Installed, SchedulerError};
use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use crate::recording::Done;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};
use tare_model::text::plural;
use tare_model::{CaseResult, Event, Run, RunStatus};
use tare_report::clean;
use tare_store::{RunRef, RunWriter, Store};

/// How often it is looked for parts that are done.
const LOOK: Duration = Duration::from_millis(200);
/// How often the scheduler is asked, at first and later: it has other users.
const ASK: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(10)];
/// How long the file of a part that ended well may take to be seen here.
const SEEN: Duration = Duration::from_secs(15);
/// How often a part is submitted.
const TRIES: u32 = 3;

/// What says that a part is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// Its document, which is looked for often.
    Documents,
    /// Its events too: a part that found no room for its document is measured all the same.
    Events,
}

/// What is known of a part.
#[derive(Default)]
struct Part {
    /// What it measured.
    run: Option<Box<Run>>,
    /// Its folder.
    folder: Option<std::path::PathBuf>,
    /// The job that it was submitted with.
    job: Option<String>,
    /// How often it was submitted.
    tries: u32,
    /// Since when the scheduler does not have it any more.
    gone: Option<Instant>,
    /// Why it is not submitted again.
    lost: Option<String>,
}

/// Waits for the parts of a run.
pub struct Collector<'a> {
    run: Run,
    folder: &'a Folder,
    cut: &'a Cut,
    place: Place,
    stop_on_error: bool,
    console: &'a Console,
    painter: Painter<'a>,
    parts: Vec<Part>,
    /// Nodes on which a part failed.
    failed_on: BTreeSet<String>,
    tasks: Vec<Task>,
    store: Store,
    /// Folders of parts that were stopped.
    stopped: HashSet<std::path::PathBuf>,
    /// The scheduler does not answer, as was said.
    is_silent: bool,
    /// What ended the waiting.
    refused: Option<Failure>,
}

impl<'a> Collector<'a> {
    /// For a run of which nothing is collected yet.
    pub fn new(
        (run, folder, cut): (Run, &'a Folder, &'a Cut),
        stop_on_error: bool,
        console: &'a Console,
    ) -> Result<Collector<'a>, Failure> {
        let place = Place::from_str(&cut.on).map_err(|what| Failure::Bug { what })?;
        let parts = cut.parts.iter().map(|_| Part::default()).collect();
        let store = Store::of_parts(folder.run());
        let painter = Painter::new(console);
        Ok(Collector {
            run,
            folder,
            cut,
            place,
            stop_on_error,
            console,
            painter,
            parts,
            failed_on: BTreeSet::new(),
            tasks: Vec::new(),
            store,
            stopped: HashSet::new(),
            is_silent: false,
            refused: None,
        })
    }

    /// Hands all parts in.
    ///
    /// # Errors
    /// What `sbatch` said.
    pub fn submitted(mut self) -> Result<Collector<'a>, Failure> {
        let all: Vec<usize> = (0..self.parts.len()).collect();
        self.submit(&all)?;
        Ok(self)
    }

    /// Takes in what was measured since, and submits what nobody measures.
    ///
    /// # Errors
    /// What `sbatch` or `squeue` said.
    pub fn resumed(mut self) -> Result<Collector<'a>, Failure> {
        self.take_in(From::Events);
        if self.place == Place::Kubernetes(Default::default()) {
            return Ok(self);
        }
        let mut jobs = self.folder.jobs();
        // The newest job of a part is the one that counts.
        jobs.reverse();
        for submitted in &jobs {
            for part in &submitted.parts {
                let part = self.parts.get_mut(*part as usize);
                part.filter(|part| part.job.is_none()).into_iter().for_each(|part| {
                    part.job = Some(submitted.job.clone());
                    part.tries = 1;
                });
            }
        }
        let numbers: Vec<String> = jobs.into_iter().map(|submitted| submitted.job).collect();
        self.tasks = slurm().waiting(&numbers).map_err(|error| refused(&error))?;
        let (tasks, mut rest) = (&self.tasks, Vec::new());
        for (at, part) in self.parts.iter_mut().enumerate() {
            let waits = part.job.as_ref().is_some_and(|job| is_waiting(tasks, job, at));
            if part.run.is_none() && !waits {
                part.tries = 0;
                rest.push(at);
            }
        }
        let done = self.parts.iter().filter(|part| part.run.is_some()).count();
        self.console.note(&format!(
            "{done} of {} measured, {} still in the queue",
            plural(self.parts.len() as u64, "part"),
            self.parts.len() - done - rest.len()
        ));
        self.submit(&rest)?;
        Ok(self)
    }

    fn submit(&mut self, which: &[usize]) -> Result<(), Failure> {
        if which.is_empty() {
            return Ok(());
        }
        let tasks: Vec<u32> = which.iter().map(|part| *part as u32).collect();
        let (script, output, not_on) =
            (self.folder.script(), self.folder.cluster(), self.failed_on.iter().cloned().collect::<Vec<_>>());
        let submission = Submission {
            name: &format!("tare-{}", self.folder.id()),
            script: &script,
            directory: Path::new(&self.cut.directory),
            output: &output,
            tasks: &tasks,
            options: &self.cut.options,
            not_on: &not_on,
        };
        let job = slurm().submit(&submission).map_err(|error| refused(&error))?;
        if let Err(failure) = self.folder.note(&Submitted { job: job.clone(), parts: tasks, cancelled: false }) {
            // Nothing here would know of this job, or read what it measures.
            self.cancel_jobs(std::slice::from_ref(&job));
            return Err(failure);
        }
        let which_parts = match which.len() == self.parts.len() {
            true => plural(which.len() as u64, "part"),
            false => format!("{} of {}", which.len(), plural(self.parts.len() as u64, "part")),
        };
        self.painter.tell(&format!("job {job}: {which_parts} of run {}", self.folder.id()));
        for part in which {
            let part = &mut self.parts[*part];
            (part.job, part.gone) = (Some(job.clone()), None);
            part.tries += 1;
        }
        Ok(())
    }

    /// Waits for all parts, and makes one run of them.
    ///
    /// # Errors
    /// The parts do not fit together, or the run cannot be written.
    pub fn collect(mut self, writer: RunWriter) -> Result<Done, Failure> {
        let is_scheduled = matches!(self.place, Place::Slurm(_));
        let (mut pause, mut asked) = (ASK[0], Instant::now());
        loop {
            self.take_in(From::Documents);
            let is_over = self.parts.iter().all(|part| part.run.is_some() || part.lost.is_some());
            if is_over || !is_scheduled {
                break;
            }
            let fails = self.stop_on_error && self.parts.iter().any(Part::has_failed);
            if tare_process::interrupted() || fails {
                self.cancel();
                break;
            }
            if asked.elapsed() >= pause {
                if let Err(failure) = self.ask() {
                    // What is in the queue goes on, and is there for a resumed run.
                    self.refused = Some(failure);
                    break;
                }
                (pause, asked) = ((pause * 3 / 2).min(ASK[1]), Instant::now());
            }
            self.paint();
            std::thread::sleep(LOOK);
        }
        self.painter.clear();
        self.finish(writer)
    }

    /// Reads the parts that are done.
    fn take_in(&mut self, from: From) {
        for Begun { part: at, folder } in self.folder.begun() {
            let Some(part) = self.parts.get_mut(at).filter(|part| part.run.is_none()) else { continue };
            let has_document = folder.join("run.json").is_file();
            if self.stopped.contains(&folder) || !has_document && from == From::Documents {
                continue;
            }
            let Ok(run) = self.store.load(&RunRef::Path(folder.clone())) else { continue };
            if run.status != RunStatus::Finished {
                // Without a document it may still be measured.
                if has_document {
                    self.stopped.insert(folder);
                }
                continue;
            }
            let node = Node::of(self.folder, &run.id).map_or_else(String::new, |node| format!(" on {}", node.name));
            let groups = run.plan.policy.only.iter().map(|group| &run.plan.groups[*group as usize]);
            let cases = groups.map(|group| group.cases.len()).sum::<usize>();
            (part.run, part.folder, part.lost) = (Some(Box::new(run)), Some(folder), None);
            let elapsed_s = part.run.as_ref().map_or(0.0, |run| run.elapsed_s);
            let all = self.parts.len();
            self.painter.tell(&clean(&format!(
                "part {} of {all}{node}: {} in {elapsed_s:.1} s",
                at + 1,
                plural(cases as u64, "case"),
            )));
        }
    }

    /// Takes back the jobs of what is not measured.
    fn cancel(&mut self) {
        let mut jobs: Vec<String> = self
            .parts
            .iter()
            .filter(|part| part.run.is_none() && part.lost.is_none())
            .filter_map(|part| part.job.clone())
            .collect();
        jobs.sort();
        jobs.dedup();
        self.cancel_jobs(&jobs);
    }

    fn cancel_jobs(&mut self, jobs: &[String]) {
        self.painter.clear();
        match slurm().cancel(jobs) {
            Ok(()) => {
                for job in jobs {
                    // Where it cannot be noted, a resumed run finds out by itself.
                    let _ = self.folder.note(&Submitted { job: job.clone(), parts: Vec::new(), cancelled: true });
                }
            }
            Err(error) => self.console.warn(&format!(
                "the jobs could not be cancelled: {}; cancel them yourself: `scancel {}`",
                clean(&error.to_string()),
                jobs.join(" ")
            )),
        }
    }

    fn paint(&mut self) {
        let done = self.parts.iter().filter(|part| part.run.is_some()).count();
        let running: BTreeSet<&str> =
            self.tasks.iter().filter(|task| task.runs()).map(|task| task.node.as_str()).collect();
        let waiting: HashMap<&str, usize> =
            self.tasks.iter().filter(|task| !task.runs()).fold(HashMap::new(), |mut all, task| {
                *all.entry(task.reason.as_str()).or_default() += 1;
                all
            });
        let mut text = format!("{done} of {} measured", plural(self.parts.len() as u64, "part"));
        if !running.is_empty() {
            text.push_str(&format!(", running on {}", running.into_iter().collect::<Vec<_>>().join(", ")));
        }
        if let Some((reason, count)) = waiting.into_iter().max_by_key(|(_, count)| *count) {
            text.push_str(&format!(", {count} waiting ({reason})"));
        }
        self.painter.wait(&clean(&text));
    }

    /// One run of all parts that are there.
    fn finish(mut self, writer: RunWriter) -> Result<Done, Failure> {
        let folders: Vec<std::path::PathBuf> = self.parts.iter().filter_map(|part| part.folder.clone()).collect();
        let nodes: Vec<Node> =
            folders.iter().filter_map(|folder| Node::of(self.folder, &folder.file_name()?.to_string_lossy())).collect();
        nodes::say(&nodes, self.console);
        let lost = self.lost();
        let is_whole = self.parts.iter().all(|part| part.run.is_some());
        let parts = std::mem::take(&mut self.parts);
        let mut run = merged(&self.run, parts.into_iter().filter_map(|part| part.run))?;
        run.status = if is_whole { RunStatus::Finished } else { RunStatus::Interrupted };
        let from: Vec<_> = folders.iter().map(|folder| tare_store::Attachments::in_folder(folder)).collect();
        for (name, reason) in writer.take_over(&mut run, &from) {
            self.console.warn(&format!("the attachment {name:?} could not be copied: {reason}"));
        }
        let mut writer = writer;
        // So that a run that is whole is not resumed.
        let ended = Event::RunFinished { status: run.status, elapsed_s: 0.0, steal: None, cpu_pressure: None };
        let noted = if is_whole { writer.append(&ended) } else { Ok(()) };
        let broken = noted.and_then(|()| writer.finish(&run).map(drop)).err();
        if is_whole && broken.is_none() {
            self.folder.clear();
        }
        Ok(Done { run, saved: broken.is_none(), broken, lost })
    }
}

impl Part {
    fn has_failed(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.results.iter().any(CaseResult::is_failed))
    }
}

fn slurm() -> Slurm<'static> {
    Slurm { tools: &Installed }
}

fn is_waiting(tasks: &[Task], job: &str, part: usize) -> bool {
    tasks.iter().any(|task| task.job == job && task.number as usize == part)
}

fn refused(error: &SchedulerError) -> Failure {
    let hint = match error {
        SchedulerError::NotThere { .. } => "run `tare` on a login node of a cluster with Slurm".to_owned(),
        _ => "options for `sbatch` follow the colon: `--on 'slurm: --partition=x --account=y'`; see what `sinfo` lists"
            .to_owned(),
    };
    Failure::Cluster { what: clean(&error.to_string()), hint }
}

/// What the parts measured as one run, which has the name and the request of the whole.
fn merged(whole: &Run, parts: impl Iterator<Item = Box<Run>>) -> Result<Run, Failure> {
    let mut merged: Option<Run> = None;
    for part in parts {
        match &mut merged {
            None => merged = Some(*part),
            Some(merged) => merged.merge(*part).map_err(|error| Failure::Cluster {
                what: format!("the parts do not fit together: {error}"),
                hint: "measure all of it again".to_owned(),
            })?,
        }
    }
    let Some(mut run) = merged else { return Ok(whole.clone()) };
    (run.id, run.created, run.command) = (whole.id.clone(), whole.created.clone(), whole.command.clone());
    run.request = whole.request.clone();
    run.plan.policy.budget_s = whole.plan.policy.budget_s;
    run.plan.policy.only.clear();
    Ok(run)
}
