//! A run measured in parts on the nodes of a cluster. It is built and planned here, once. Each part is a run of the same plan with some of
//! its groups; the parts are merged as by `tare merge`.

mod collect;
mod folder;
mod node;
mod slurm;

pub use folder::Folder;
pub use node::asked as node;
pub use slurm::Slurm;

use crate::failure::Failure;
use crate::recording::Done;
use crate::session::Session;
use collect::Collector;
use tare_model::{Effort, Event, Plan, Run};

/// Where the parts of a run are measured, and how many there are.
#[derive(Debug, Clone)]
pub struct Cluster {
    pub slurm: Slurm,
    /// None: as many as are worth their start-up time.
    pub parts: Option<usize>,
}

pub fn measure(Cluster { slurm, parts }: &Cluster, started: Event, session: &Session) -> Result<Done, Failure> {
    let Some(run) = Run::of(&started) else {
        return Err(Failure::Bug { what: "the run has no start".to_owned() });
    };
    let parts = tare_engine::cut(&run.plan, parts.unwrap_or_else(|| parts_of(&run.plan, run.sides.is_some())));
    let _hold = tare_process::hold_interrupts();
    let writer = session.store.create(&started).map_err(Failure::Store)?;
    let folder = Folder::of(writer.folder())?;
    let made = folder.make(&slurm.options, parts, &started);
    let submitted = made.and_then(|()| Collector::new(run, &folder, session));
    match submitted {
        Ok(collector) => collector.collect(writer),
        Err(failure) => {
            // No part of it is being measured.
            drop(writer);
            let _ = std::fs::remove_dir_all(&folder.run);
            Err(failure)
        }
    }
}

/// Resumes a submitted run, whose jobs may have continued meanwhile.
pub fn resume(folder: &Folder, session: &Session) -> Result<Done, Failure> {
    let reference = &folder.id.parse().map_err(Failure::Store)?;
    let (run, writer) = session.store.resume(reference).map_err(Failure::Store)?;
    Collector::new(run, folder, session)?.collect(writer)
}

/// Minimum duration of a part, s: starting one costs a few seconds.
const PART_S: f64 = 30.0;
/// Number of parts for a suite with at least this many groups, however short it is.
const PARTS_MIN: usize = 4;
/// Size of a job array that every cluster accepts.
const PARTS_MAX: usize = 1000;

fn parts_of(plan: &Plan, has_sides: bool) -> usize {
    let of_effort = match (plan.policy.effort, has_sides) {
        (Effort::Quick, false) => 0.2,
        (Effort::Quick, true) => 1.0,
        (Effort::Default, false) => 1.2,
        (Effort::Default, true) => 5.0,
        (Effort::Long, _) => 5.0,
    };
    let seconds = plan.cases.len() as f64 * of_effort;
    let seconds = plan.policy.budget_s.map_or(seconds, |budget_s| budget_s.min(seconds));
    ((seconds / PART_S).ceil() as usize).clamp(PARTS_MIN, PARTS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, Case, Policy};

    #[test]
    fn a_part_is_worth_its_start() {
        let parts = |cases: usize, policy: Policy, has_sides| {
            let case = Case { artifact: 0, benchmark: Benchmark::default(), job: 0, side: None, key: String::new() };
            parts_of(&Plan { cases: vec![case; cases], policy, ..Plan::default() }, has_sides)
        };
        let of = Policy::of;
        assert_eq!(parts(200, of(Effort::Default), false), 8);
        assert_eq!(parts(200, of(Effort::Default), true), 34);
        assert_eq!((parts(200, of(Effort::Quick), false), parts(3, of(Effort::Default), false)), (4, 4));
        assert_eq!(parts(1_000_000, of(Effort::Long), false), 1000);
        let short = Policy { budget_s: Some(60.0), ..Policy::default() };
        assert_eq!(parts(10_000, short, false), 4);
    }
}
