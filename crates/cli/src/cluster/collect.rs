//! Submits the parts, waits for them and merges them.

use super::{slurm, Folder};
use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use crate::recording::Done;
use crate::session::Session;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tare_model::text::plural;
use tare_model::{CaseResult, Event, Run, RunStatus};
use tare_report::clean;
use tare_store::{Attachments, RunRef, RunWriter, Store};

/// Interval between checks for finished parts.
const LOOK: Duration = Duration::from_millis(200);
/// Interval between queries to the scheduler, at first and later. Others use it too, so the interval grows.
const ASK: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(10)];
/// How long the files of a finished part may take to appear on this machine.
const SEEN: Duration = Duration::from_secs(15);

pub struct Collector<'a> {
    run: Run,
    folder: &'a Folder,
    console: &'a Console,
    painter: Painter<'a>,
    parts: Vec<Option<(Box<Run>, PathBuf)>>,
    cut_off: HashSet<PathBuf>,
    stop_on_error: bool,
    is_stopped: bool,
}

impl<'a> Collector<'a> {
    /// Reads the measured parts and submits those that no job is measuring.
    pub fn new(run: Run, folder: &'a Folder, session: &Session<'a>) -> Result<Collector<'a>, Failure> {
        let console = session.console;
        let cut = folder.cut()?;
        let parts = cut.parts.iter().map(|_| None).collect();
        let mut collector = Collector {
            run,
            folder,
            console,
            painter: Painter::new(console),
            parts,
            cut_off: HashSet::new(),
            stop_on_error: session.settings.recorded.stop_on_error,
            is_stopped: false,
        };
        let queued = match folder.runs().is_dir() {
            true => slurm::queued(&folder.id)?,
            false => Vec::new(),
        };
        collector.take_in(true);
        let missing = collector.missing();
        let rest: Vec<usize> = missing.iter().copied().filter(|part| !queued.contains(part)).collect();
        let all = plural(collector.parts.len() as u64, "part");
        if rest.len() < collector.parts.len() {
            let (done, queued) = (collector.parts.len() - missing.len(), missing.len() - rest.len());
            console.note(&format!("{done} of {all} measured, {queued} still in the queue"));
        }
        if !rest.is_empty() {
            std::fs::create_dir_all(folder.runs()).map_err(Failure::writing(folder.runs()))?;
            let job = slurm::submit(&folder.id, &folder.cluster(), &rest, &cut.options)?;
            collector.painter.tell(&format!("job {job}: {} of {all} of run {}", rest.len(), &folder.id));
        }
        Ok(collector)
    }

    fn missing(&self) -> Vec<usize> {
        (0..self.parts.len()).filter(|part| self.parts[*part].is_none()).collect()
    }

    /// Waits until all parts are measured or no job is left to measure the missing ones, then merges them into one run.
    pub fn collect(mut self, writer: RunWriter) -> Result<Done, Failure> {
        let (mut pause, mut asked) = (ASK[0], None::<Instant>);
        // When the queue was first seen empty.
        let mut gone = None::<Instant>;
        let (mut queued, mut is_silent) = (usize::MAX, false);
        loop {
            self.take_in(false);
            let missing = self.missing();
            let fails = self.stop_on_error
                && self.parts.iter().flatten().any(|(run, _)| run.results.iter().any(CaseResult::is_failed));
            if missing.is_empty() {
                break;
            }
            if tare_process::interrupted() || fails {
                self.is_stopped = true;
                self.painter.clear();
                if let Err(failure) = slurm::cancel(&self.folder.id) {
                    self.console.warn(&format!(
                        "{}; cancel the jobs yourself: `scancel --name=tare-{}`",
                        failure.what(),
                        self.folder.id
                    ));
                }
                break;
            }
            if asked.is_none_or(|asked| asked.elapsed() >= pause) {
                match slurm::queued(&self.folder.id) {
                    Ok(parts) => (queued, is_silent) = (parts.len(), false),
                    // A scheduler that restarts or is busy answers later; the jobs continue.
                    Err(failure) if !std::mem::replace(&mut is_silent, true) => {
                        self.console.warn(&format!("{}; it is asked again until it answers", failure.what()));
                    }
                    Err(_) => {}
                }
                (pause, asked) = ((pause * 3 / 2).min(ASK[1]), Some(Instant::now()));
            }
            let gone_for = gone.get_or_insert_with(Instant::now).elapsed();
            if queued > 0 {
                gone = None;
            } else if gone_for >= SEEN || missing.iter().all(|part| self.folder.error(*part).is_some()) {
                self.take_in(true);
                break;
            }
            let waits = if queued == usize::MAX { String::new() } else { format!(", {queued} in the queue") };
            let all = plural(self.parts.len() as u64, "part");
            self.painter.wait(&format!("{} of {all} measured{waits}", self.parts.len() - missing.len()));
            std::thread::sleep(LOOK);
        }
        self.painter.clear();
        self.finish(writer)
    }

    /// Reads the finished parts; with `without_document` also those whose document could not be written.
    fn take_in(&mut self, without_document: bool) {
        let (store, all) = (Store::of_parts(&self.folder.run), self.parts.len());
        for (at, folder) in self.folder.begun() {
            let Some(part) = self.parts.get_mut(at).filter(|part| part.is_none()) else { continue };
            let has_document = folder.join("run.json").is_file();
            if self.cut_off.contains(&folder) || !(has_document || without_document) {
                continue;
            }
            let Ok(run) = store.load(&RunRef::Path(folder.clone())) else { continue };
            if run.status != RunStatus::Finished {
                // Without a document it may still be running.
                if has_document {
                    self.cut_off.insert(folder);
                }
                continue;
            }
            let groups = run.plan.only.iter().map(|group| &run.plan.groups[*group as usize]);
            let cases = plural(groups.map(|group| group.cases.len() as u64).sum::<u64>(), "case");
            self.painter.tell(&format!("part {} of {all}: {cases} in {:.1} s", at + 1, run.elapsed_s));
            *part = Some((Box::new(run), folder));
        }
    }

    fn finish(self, mut writer: RunWriter) -> Result<Done, Failure> {
        let lost = self.lost();
        let is_whole = self.parts.iter().all(Option::is_some);
        let from: Vec<_> = self.parts.iter().flatten().map(|(_, folder)| Attachments::in_folder(folder)).collect();
        let mut run = merged(&self.run, self.parts.into_iter().flatten().map(|(run, _)| run))?;
        run.status = if is_whole { RunStatus::Finished } else { RunStatus::Interrupted };
        for (name, reason) in writer.take_over(&mut run, &from) {
            self.console.warn(&format!("the attachment {name:?} could not be copied: {reason}"));
        }
        // Marks a complete run as finished, so that it is not resumed.
        let ended = Event::RunFinished { status: run.status, elapsed_s: 0.0, steal: None, cpu_pressure: None };
        let noted = if is_whole { writer.append(&ended) } else { Ok(()) };
        let broken = noted.and_then(|()| writer.finish(&run).map(drop)).err();
        if is_whole && broken.is_none() {
            self.folder.clear();
        }
        Ok(Done { run, saved: broken.is_none(), broken, lost })
    }

    /// Why parts are missing, unless the user stopped the run.
    fn lost(&self) -> Option<Failure> {
        let missing = self.missing();
        let first = missing.first().filter(|_| !self.is_stopped)?;
        let why = self.folder.error(*first).unwrap_or_else(|| {
            let folder = self.folder.run.display();
            format!("its result was not seen here: is `{folder}` on a file system that all nodes share?")
        });
        let others = if missing.len() > 1 { format!(" and {} more", missing.len() - 1) } else { String::new() };
        let resume = format!("measure what is missing: `tare {} --resume {}`", self.run.request.verb, self.folder.id);
        let hint = match why.contains("TIME LIMIT") {
            true => format!(
                "give the jobs more time (`--on 'slurm: --time=60'`), or more of them less to do (`--parts`); {resume}"
            ),
            false => resume,
        };
        let what = format!("part {} of {}{others} is missing: {why}", first + 1, self.parts.len());
        Some(Failure::Cluster { what: clean(&what), hint })
    }
}

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
    run.plan.only.clear();
    Ok(run)
}
