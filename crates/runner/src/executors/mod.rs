//! Where launches happen: one file each. A further executor, such as the nodes of a scheduler, is a further file, its `mod` and its entry
//! in [`EXECUTORS`].

mod local;

use super::children::{Answers, Watch};
use super::run_folder::RunFolder;
use tare_engine::{Action, Start};
use tare_model::Run;

/// All executors, the default first.
pub(crate) const EXECUTORS: &[ExecutorEntry] = &[local::LOCAL];

/// Where launches can happen, by name.
pub fn executors() -> impl Iterator<Item = &'static str> {
    EXECUTORS.iter().map(|executor| executor.name)
}

/// An executor in the registry.
pub(crate) struct ExecutorEntry {
    /// The name by which it is chosen.
    pub(crate) name: &'static str,
    /// Makes it for the programs, jobs and cases of a run, whose folder is given.
    pub(crate) open: for<'a> fn(&Run, &'a RunFolder) -> Box<dyn Executor + 'a>,
}

/// Has the children of a run, wherever they are. Those that are left when it is dropped are ended.
pub(crate) trait Executor {
    /// Does what the engine says. `run` is the run as it is measured so far.
    fn act(&mut self, action: Action, run: &Run) -> Answers;

    /// Starts a child that a diagnoser looks at, as [`Action::Start`] does.
    fn start_watched(&mut self, start: Start, watch: &mut dyn Watch) -> Answers;
}

#[cfg(test)]
mod tests {
    #[test]
    fn launches_happen_on_this_machine_unless_another_place_is_chosen() {
        assert_eq!(super::executors().next(), Some("local"));
    }
}
