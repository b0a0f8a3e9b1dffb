//! The launches of a run: the children and their processors.

use crate::children::{Answers, Children, Watch};
use crate::conversation::Bounds;
use crate::passes::Processes;
use crate::placement::Placement;
use crate::run_folder::RunFolder;
use tare_engine::{Action, Start};
use tare_model::Run;

/// Owns the children of a run and ends those that remain when it is dropped.
pub(crate) struct Launches<'a> {
    children: Children<'a>,
    placement: Placement,
}

impl<'a> Launches<'a> {
    pub(crate) fn new(run: &Run, folder: &'a RunFolder) -> Launches<'a> {
        let bounds = Bounds::new(run.plan.policy.timeout_s);
        let children = Children::new(run.artifacts.clone(), run.jobs.clone(), run.plan.cases.clone(), (bounds, folder));
        Launches { children, placement: Placement::new(run.plan.policy.processor) }
    }
}

impl Processes for Launches<'_> {
    fn act(&mut self, action: Action, run: &Run) -> Answers {
        if let Action::Start(children) = &action {
            let level = run.newest_environment().unshared_cycles_per_addition();
            self.children.processor = self.placement.of_next_wave(group_without_baseline(children, run), level);
        }
        self.children.act(action)
    }

    fn start_watched(&mut self, start: Start, watch: &mut dyn Watch) -> Answers {
        self.children.processor = None;
        self.children.start_watched(start, watch)
    }
}

fn group_without_baseline(children: &[Start], run: &Run) -> Option<u32> {
    let group = run.launches.get(children.first()?.launch as usize)?.group;
    run.plan.groups.get(group as usize)?.baseline.is_none().then_some(group)
}
