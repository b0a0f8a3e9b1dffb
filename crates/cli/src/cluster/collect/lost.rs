//! Parts that the scheduler does not have any more and that brought no result: submitted again, or said to be missing.

use super::{is_waiting, refused, slurm, Collector, From, Part, SEEN, TRIES};
use crate::cluster::place::Place;
use crate::cluster::slurm::End;
use crate::cluster::tools::SchedulerError;
use crate::failure::Failure;
use std::time::Instant;
use tare_model::text::plural;
use tare_report::clean;

impl Collector<'_> {
    /// Asks the scheduler which parts are still there, and submits again what was lost.
    pub(super) fn ask(&mut self) -> Result<(), Failure> {
        let mut jobs: Vec<String> =
            self.parts.iter().filter(|part| part.run.is_none()).filter_map(|part| part.job.clone()).collect();
        jobs.sort();
        jobs.dedup();
        self.tasks = match slurm().waiting(&jobs) {
            Ok(tasks) => {
                self.is_silent = false;
                tasks
            }
            Err(error @ SchedulerError::NotThere { .. }) => return Err(refused(&error)),
            Err(error) => {
                // A controller that is restarted or busy answers later; the jobs go on.
                if !std::mem::replace(&mut self.is_silent, true) {
                    self.console.warn(&format!("{}; it is asked again until it answers", clean(&error.to_string())));
                }
                return Ok(());
            }
        };
        let mut again = Vec::new();
        for at in 0..self.parts.len() {
            let part = &self.parts[at];
            let Some(job) = part.job.clone().filter(|_| part.run.is_none() && part.lost.is_none()) else { continue };
            if is_waiting(&self.tasks, &job, at) {
                self.parts[at].gone = None;
                continue;
            }
            let gone = *self.parts[at].gone.get_or_insert_with(Instant::now);
            let end = slurm().end(&job, at as u32);
            // What ended well is written, and is seen here when the file system has it.
            let is_good = end.as_ref().is_none_or(|end| end.state == "COMPLETED");
            if is_good && gone.elapsed() < SEEN {
                continue;
            }
            self.take_in(From::Events);
            if self.parts[at].run.is_none() && self.is_tried_again(at, &job, end.unwrap_or_default()) {
                again.push(at);
            }
        }
        self.submit(&again)
    }

    /// Whether a part that was lost is submitted again; says why it was lost.
    fn is_tried_again(&mut self, at: usize, job: &str, end: End) -> bool {
        let why = self.why(at, job, &end);
        let part = &mut self.parts[at];
        // Both would happen again.
        let is_final = match end.state.as_str() {
            "TIMEOUT" | "DEADLINE" => Some("the time limit of the job ended it"),
            "CANCELLED" => Some("it was cancelled"),
            _ if part.tries >= TRIES => Some("it failed too often"),
            _ => None,
        };
        let is_of_node = !matches!(end.state.as_str(), "PREEMPTED" | "TIMEOUT" | "DEADLINE" | "CANCELLED");
        if is_of_node && !end.node.is_empty() {
            self.failed_on.insert(end.node.clone());
        }
        match is_final {
            Some(reason) => {
                part.lost = Some(format!("{reason}: {why}"));
                false
            }
            None => {
                let (tries, all) = (part.tries, self.parts.len());
                let text = format!("part {} of {all} was lost, and is submitted again: {why}", at + 1);
                self.painter.clear();
                self.console.warn(&clean(&format!("{text} ({} of {TRIES})", tries + 1)));
                true
            }
        }
    }

    /// How a part ended, in words.
    fn why(&self, at: usize, job: &str, end: &End) -> String {
        let text = std::fs::read(self.folder.output(job, at)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
        let error = lines().find_map(|line| line.strip_prefix("error: ")).or_else(|| lines().next_back());
        let node = if end.node.is_empty() { String::new() } else { format!(" on {}", end.node) };
        let state = match (end.state.as_str(), error) {
            ("", None) => "Slurm does not know how it ended".to_owned(),
            ("" | "FAILED", Some(error)) => {
                return format!("{error}{}", if error.contains(&node) { "" } else { &node })
            }
            ("COMPLETED", None) => format!(
                "its result was not seen here: is `{}` on a file system that all nodes share?",
                self.folder.run().display()
            ),
            (state, _) => state.to_owned(),
        };
        format!("{state}{node}")
    }

    /// Why parts are missing, where the user did not stop it.
    pub(super) fn lost(&mut self) -> Option<Failure> {
        if let Some(failure) = self.refused.take() {
            return Some(failure);
        }
        let resume = format!("measure what is missing: `tare {} --resume {}`", self.run.request.verb, self.folder.id());
        let missing = |part: &&Part| part.run.is_none();
        if matches!(self.place, Place::Kubernetes(_)) {
            let count = self.parts.iter().filter(missing).count();
            return (count > 0).then(|| Failure::Cluster {
                what: format!("{count} of {} are not measured yet", plural(self.parts.len() as u64, "part")),
                hint: format!("wait for the pods of the job `tare-{}`; {resume}", self.folder.id()),
            });
        }
        let lost: Vec<(usize, &String)> =
            self.parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.lost.as_ref()?))).collect();
        let (first, why) = lost.first()?;
        let others = match lost.len() {
            1 => String::new(),
            more => format!(" and {} more", more - 1),
        };
        let hint = match why.starts_with("the time limit") {
            true => format!(
                "give the jobs more time (`--on 'slurm: --time=60'`), or more of them less to do (`--parts`); {resume}"
            ),
            false => resume,
        };
        let all = self.parts.len();
        Some(Failure::Cluster { what: clean(&format!("part {} of {all}{others} is missing: {why}", first + 1)), hint })
    }
}
