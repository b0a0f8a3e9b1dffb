//! What the children answered: into the run, and into what the session knows of them.

use crate::action::Answer;
use crate::calibrate;
use crate::growth::{Growth, Heap, Seen};
use crate::measurement::Measurement;
use crate::trust::Claim;
use crate::warm_up::Said;
use crate::wave::{Purpose, Wave};
use tare_analysis::windows::visits_with;
use tare_model::{Columns, Event, Failure, FailureKind, LaunchOutcome, Series, Stage, Step};

impl Measurement {
    /// Takes the answer of a child in.
    pub(crate) fn answer(&mut self, wave: &mut Wave, launch: u32, answer: Answer) {
        let purpose = wave.waiting.iter().position(|(l, _)| *l == launch).map(|at| wave.waiting.remove(at).1);
        let group = wave.group;
        let Some(member) = wave.member(launch).filter(|m| m.alive) else { return };
        match answer {
            Answer::Opened { start_up_ns, resident_bytes, amounts, compiles_by_count } => {
                member.compiles_by_count = compiles_by_count;
                let case = self.plan.groups[group].cases[member.position];
                member.growth = Growth::opened(resident_bytes, self.heap_of(case));
                let state = &mut self.cases[case as usize];
                state.start_up_ns = state.start_up_ns.max(start_up_ns);
                self.plan.cases[case as usize].benchmark.learn(&amounts);
                self.emit(Event::LaunchOpened { launch, start_up_ns, amounts });
            }
            Answer::Measured { columns, resident_bytes } => {
                if let Some(purpose) = purpose {
                    self.measured(wave, launch, purpose, *columns, resident_bytes);
                }
            }
            Answer::Checked { digest, text } => {
                let case = self.case_of(wave, launch);
                self.emit(Event::Checked { case, digest, text });
            }
            Answer::Collected { resident_bytes, live_bytes } => {
                let seen = member.growth.collected(resident_bytes, live_bytes);
                self.grown(wave, launch, seen);
            }
            Answer::Randomized => {
                self.moved = Some(self.case_of(wave, launch));
            }
            // Passes are not of a wave.
            Answer::Diagnosed { .. } => {}
            Answer::Ended { peak_memory_bytes, output } => {
                member.alive = false;
                let has_visits = !member.visits().is_empty();
                let memory_growth_bytes = member.growth.bytes();
                if !output.is_empty() {
                    self.emit(Event::Output { launch, lines: output });
                }
                // There was no time to visit it: it says nothing.
                let outcome = if has_visits { LaunchOutcome::Finished } else { LaunchOutcome::Unfinished };
                self.emit(Event::LaunchFinished { launch, outcome, peak_memory_bytes, memory_growth_bytes });
            }
            Answer::Failed { failure, peak_memory_bytes } => self.fail(wave, launch, failure, peak_memory_bytes),
        }
    }

    fn measured(
        &mut self,
        wave: &mut Wave,
        launch: u32,
        purpose: Purpose,
        mut columns: Columns,
        resident_bytes: Option<u64>,
    ) {
        let Some(mut stage) = purpose.stage else { return };
        let said_ns = columns.elapsed_ns.iter().sum();
        self.claims.push(Claim { launch, said_ns, invocations: purpose.total });
        let case = self.case_of(wave, launch);
        if self.plan.cases[case as usize].benchmark.own_time {
            // The CPU time of the thread is another time than the one that the body says.
            (columns.cpu_ns, columns.process_cpu_ns) = (Vec::new(), Vec::new());
            columns.descendants_cpu_ns = Vec::new();
        }
        let limit = self.plan.policy.growth_limit_bytes;
        let round = vec![purpose.round; columns.len()];
        let said = Said::of(&columns, purpose.invocations);
        let mut series = Series { stage, invocations: purpose.invocations, round, columns };
        self.widths_read(wave, launch, case, &series);
        let judge = match stage {
            Stage::Actual => wave.member(launch).and_then(|m| m.judge),
            _ => self.judge(case),
        };
        if stage != Stage::Actual {
            // Each iteration of a pilot or a warm-up is looked at by itself.
            series.round = (0..series.columns.len() as u32).collect();
        }
        let seen = visits_with(&series, judge);
        // On a busy machine the wall time of a short invocation is long, too.
        if purpose.counts_if_long && seen.iter().all(|v| calibrate::is_long(calibrate::pilot_ns(v))) {
            stage = Stage::Actual;
        }
        if stage == Stage::Warmup {
            let state = &mut self.cases[case as usize];
            state.collected.add(&seen);
            seen.iter().for_each(|visit| state.warmed.add(visit));
        }
        let Some(member) = wave.member(launch) else { return };
        match stage {
            Stage::Actual => {
                member.visited(&seen);
                self.visited = true;
            }
            _ => match member.warming.as_mut() {
                Some(warming) => {
                    warming.slice.extend_from_slice(&seen);
                    warming.said = said;
                }
                None => self.cases[case as usize].piloted.extend_from_slice(&seen),
            },
        }
        let grown = match stage {
            Stage::Overhead => Seen::Nothing,
            _ => member.growth.visited(resident_bytes, purpose.largest, purpose.total, limit),
        };
        let Series { round: _, columns, .. } = series;
        self.emit(Event::Measured { launch, stage, round: purpose.round, invocations: purpose.invocations, columns });
        self.grown(wave, launch, grown);
    }

    /// How the children of a case give memory back.
    fn heap_of(&self, case: u32) -> Heap {
        let facts = self.facts_of(case);
        match (facts.can("collect"), facts.collects) {
            (true, _) => Heap::Collected,
            (false, true) => Heap::Unknown,
            (false, false) => Heap::Freed,
        }
    }

    /// Does what the memory of a child asks for.
    fn grown(&mut self, wave: &mut Wave, launch: u32, seen: Seen) {
        match seen {
            Seen::Nothing => {}
            Seen::Collect => wave.ask_collect(launch),
            Seen::Leak(bytes) => {
                let invocations = wave.member(launch).map_or(0, |m| m.growth.invocations());
                let cause = FailureKind::MemoryGrowth { bytes, invocations };
                // This child still runs: it is killed like the others of its case.
                wave.to_kill.push(launch);
                self.fail(wave, launch, Failure { cause, step: Step::Body, output: Vec::new() }, None);
            }
        }
    }
}
