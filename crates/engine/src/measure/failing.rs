//! Cases that fail: before anything is started, in a launch, or only beside other processes.

use super::engine::Engine;
use super::wave::Wave;
use crate::plan::distinct::unmeasurable;
use tare_model::{Event, Failure, LaunchOutcome, Step};

impl Engine {
    /// Cases that are declared wrongly, or require something that is missing, fail before anything is started.
    pub(super) fn fail_invalid(&mut self) {
        for case in 0..self.plan().cases.len() as u32 {
            let Some(cause) = unmeasurable(self.benchmark(case)) else { continue };
            if self.run().results[case as usize].failure.is_none() {
                let failure = Failure { cause, step: Step::List, output: Vec::new() };
                self.record.add(Event::CaseFailed { case, failure });
            }
        }
    }

    /// The case of a launch has failed: its children leave the wave. It may be measured again alone.
    pub(super) fn fail(&mut self, wave: &mut Wave, launch: u32, failure: Failure, peak_memory_bytes: Option<u64>) {
        let case = wave.case_of(launch);
        let is_again = self.may_run_alone(wave, case, &failure);
        for other in wave.drop_case(case, launch) {
            let (outcome, peak_memory_bytes) = match other == launch {
                true => (LaunchOutcome::Failed, peak_memory_bytes),
                false => (LaunchOutcome::Unfinished, None),
            };
            let memory_growth_bytes = None;
            self.record.add(Event::LaunchFinished { launch: other, outcome, peak_memory_bytes, memory_growth_bytes });
        }
        if is_again {
            self.record.add(Event::CaseRepeated { case, failure });
            return self.schedule.add_last_group(&self.record.run.plan);
        }
        self.record.add(Event::CaseFailed { case, failure });
    }

    /// Whether a case that failed like this is measured again alone: once, and not for a side of a comparison.
    fn may_run_alone(&self, wave: &Wave, case: u32, failure: &Failure) -> bool {
        let is_side = self.plan().cases[case as usize].side.is_some();
        let is_first = self.run().results[case as usize].repeated.is_none();
        wave.members.len() > 1 && !is_side && is_first && failure.may_be_of_another()
    }
}
