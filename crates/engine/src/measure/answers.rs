//! Takes the answers of the children into the run and into what is known of its cases.

use super::engine::Engine;
use super::leak::{Heap, LeakSign, LeakWatch};
use super::pilot::{is_cold, pilot_ns};
use super::shape::is_long;
use super::trust::Claim;
use super::warm_up::SliceReport;
use super::wave::{Purpose, Wave};
use crate::action::Answer;
use tare_analysis::windows::visits_with;
use tare_model::{Columns, Event, FailureKind, LaunchOutcome, Series, Stage, WidthProbe};

impl Engine {
    pub(super) fn take_answer(&mut self, wave: &mut Wave, launch: u32, answer: Answer) {
        let purpose = wave.waiting.iter().position(|(l, _)| *l == launch).and_then(|at| wave.waiting.remove(at).1);
        let Some(member) = wave.member(launch).filter(|m| m.alive) else { return };
        let case = member.case;
        match answer {
            Answer::Opened { start_up_ns, resident_bytes, work, compiles_by_count, .. } => {
                member.compiles_by_count = compiles_by_count;
                member.memory = LeakWatch::opened(resident_bytes, self.heap_of(case));
                self.calibrations[case as usize].opened(start_up_ns);
                self.record.add(Event::LaunchOpened { launch, start_up_ns, work });
            }
            Answer::Measured { columns, resident_bytes } => {
                if let Some(purpose) = purpose {
                    self.measured(wave, launch, purpose, *columns, resident_bytes);
                }
            }
            Answer::Checked { digest, text } => self.record.add(Event::Checked { case, digest, text }),
            Answer::Collected { resident_bytes, live_bytes } => {
                let sign = member.memory.collected(resident_bytes, live_bytes);
                self.heed(wave, launch, sign);
            }
            Answer::Randomized => wave.randomized = Some(case),
            // Passes belong to no wave.
            Answer::Diagnosed { .. } => {}
            Answer::Ended { peak_memory_bytes, output } => {
                member.alive = false;
                let has_visits = !member.visits.is_empty();
                let memory_growth_bytes = member.memory.bytes();
                if !output.is_empty() {
                    self.record.add(Event::Output { launch, lines: output });
                }
                // There was no time to visit it, so it says nothing.
                let outcome = if has_visits { LaunchOutcome::Finished } else { LaunchOutcome::Unfinished };
                self.record.add(Event::LaunchFinished { launch, outcome, peak_memory_bytes, memory_growth_bytes });
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
        let Purpose { mut stage, round, invocations, .. } = purpose;
        wave.claims.push(Claim { launch, said_ns: columns.elapsed_ns.iter().sum(), invocations: purpose.total });
        let case = wave.case_of(launch);
        if self.benchmark(case).own_time {
            // The body reports a time of its own, which the CPU time of the thread does not match.
            (columns.cpu_ns, columns.process_cpu_ns) = (Vec::new(), Vec::new());
            columns.descendants_cpu_ns = Vec::new();
        }
        let report = SliceReport::of(&columns, invocations);
        let mut series = Series { stage, invocations, round: vec![round; columns.len()], columns };
        let facts = &self.facts[self.record.run.plan.cases[case as usize].artifact as usize];
        if let Some(member) = wave.member(launch).filter(|_| facts.width_probe() == WidthProbe::OfProcess) {
            member.readings.add(&series, facts);
        }
        let judge = match stage {
            Stage::Actual => wave.member(launch).and_then(|m| m.judge),
            _ => self.judge(launch, case),
        };
        if stage != Stage::Actual {
            // Each iteration of a pilot or warm-up is considered separately.
            series.round = (0..series.columns.len() as u32).collect();
        }
        let seen = visits_with(&series, judge);
        // On a busy machine the wall time of a short invocation is long, too, and while it is compiled so is its CPU time.
        if purpose.counts_if_long && seen.iter().all(|v| is_long(pilot_ns(v)) && !is_cold(v)) {
            stage = Stage::Actual;
        }
        let calibration = &mut self.calibrations[case as usize];
        if stage == Stage::Warmup {
            calibration.warmed_by(&seen);
        }
        let limit = self.record.run.plan.policy.growth_limit_bytes;
        let Some(member) = wave.member(launch) else { return };
        match (stage, member.warming.as_mut()) {
            (Stage::Actual, _) => member.visited(&seen),
            (_, Some(warming)) => {
                warming.slice.extend_from_slice(&seen);
                warming.report = report;
            }
            (_, None) => calibration.seen.extend_from_slice(&seen),
        }
        let sign = match stage {
            Stage::Overhead => LeakSign::Nothing,
            _ => member.memory.visited(resident_bytes, purpose.largest, purpose.total, limit),
        };
        self.record.add(Event::Measured { launch, stage, round, invocations, columns: series.columns });
        self.heed(wave, launch, sign);
    }

    fn heap_of(&self, case: u32) -> Heap {
        let facts = self.facts_of(case);
        match (facts.can("collect"), facts.collects) {
            (true, _) => Heap::Collected,
            (false, true) => Heap::Unknown,
            (false, false) => Heap::Freed,
        }
    }

    fn heed(&mut self, wave: &mut Wave, launch: u32, sign: LeakSign) {
        match sign {
            LeakSign::Nothing => {}
            LeakSign::Collect => wave.ask_collect(launch),
            LeakSign::Leak(bytes) => {
                let invocations = wave.member(launch).map_or(0, |m| m.memory.invocations());
                self.stop(wave, launch, FailureKind::MemoryGrowth { bytes, invocations });
            }
        }
    }
}
