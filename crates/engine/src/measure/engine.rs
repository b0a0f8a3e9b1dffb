//! Measuring a plan as a state machine: actions out, answers in, events on the side.

use super::budget::RunTime;
use super::calibration::Calibration;
use super::core::Core;
use super::record::Record;
use super::resume::launches_of_cut_waves;
use super::schedule::Schedule;
use super::wave::{Wave, WaveState};
use crate::action::{Action, Answer};
use tare_model::{Benchmark, CaseGroup, ChildFacts, Environment, Event, LaunchOutcome, Plan, Policy, Run, RunStatus};
use tare_stats::rng::Rng;

#[derive(Debug, Clone)]
pub struct Resumption {
    /// UTC, RFC 3339.
    pub at: String,
    pub environment: Box<Environment>,
}

enum Turn {
    Act(Action),
    On,
    Over,
}

/// Measures a plan. Each field is written by the file that declares its type.
#[derive(Debug)]
pub struct Engine {
    wave: Option<Box<Wave>>,
    pub(super) record: Record,
    pub(super) schedule: Schedule,
    pub(super) calibrations: Vec<Calibration>,
    pub(super) core: Core,
    pub(super) time: RunTime,
    pub(super) rng: Rng,
    /// What the child of each artifact reported about itself.
    pub(super) facts: Vec<ChildFacts>,
    pub(super) processors: usize,
}

impl Engine {
    /// For the run that this event begins; untimed work may share `processors`. `None` if the event is not `run-started`.
    pub fn new(event: Event, processors: usize) -> Option<Engine> {
        let mut engine = Engine::of(Record::begin(event)?, processors);
        engine.fail_invalid();
        Some(engine)
    }

    /// Resumes a run that was cut off. Incomplete waves are made again; their measurements are kept.
    pub fn resume(run: Run, processors: usize, resumption: Resumption) -> Engine {
        let aside = launches_of_cut_waves(&run);
        let mut engine = Engine::of(Record::resume(run), processors);
        let Resumption { at, environment } = resumption;
        engine.record.add(Event::RunResumed { at, environment, before_s: engine.time.now_ns * 1e-9 });
        for launch in aside {
            // It ended well, but its wave is made again: contestants are compared only with those alive at the same time.
            engine.record.add(Event::LaunchFinished {
                launch: launch.id,
                outcome: LaunchOutcome::Unfinished,
                peak_memory_bytes: launch.peak_memory_bytes,
                memory_growth_bytes: launch.memory_growth_bytes,
            });
        }
        engine.fail_invalid();
        engine.close_groups();
        engine
    }

    fn of(record: Record, processors: usize) -> Engine {
        let run = &record.run;
        let mut rng = Rng::new(run.plan.seed);
        let schedule = Schedule::of(run, &mut rng);
        let cases = 0..run.plan.cases.len() as u32;
        Engine {
            wave: None,
            schedule,
            calibrations: cases.map(|case| Calibration::of(run, case)).collect(),
            core: Core::of(run),
            time: RunTime::of(run),
            // A resumed part must not repeat the orders of the first.
            rng: rng.fork(run.launches.len() as u64),
            facts: run.artifacts.iter().map(|artifact| artifact.child.clone().unwrap_or_default()).collect(),
            record,
            processors,
        }
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        self.record.take_events()
    }

    pub fn run(&self) -> &Run {
        &self.record.run
    }

    /// Ends the run in whatever state it is; adds the last event.
    pub fn finish(&mut self, status: RunStatus, elapsed_s: f64, steal: Option<f64>, cpu_pressure: Option<f64>) {
        self.wave = None;
        self.schedule.clear();
        self.record.add(Event::RunFinished { status, elapsed_s, steal, cpu_pressure });
    }

    pub fn note(&mut self, event: Event) {
        self.record.add(event);
    }

    pub fn answer(&mut self, launch: u32, answer: Answer) {
        if let Some(mut wave) = self.wave.take() {
            self.take_answer(&mut wave, launch, answer);
            self.wave = Some(wave);
        }
    }

    /// What to do next; `now_ns` is the time since the start of this part of the run.
    pub fn next(&mut self, now_ns: f64) -> Action {
        self.time.set(now_ns);
        let mut under_way = self.wave.take();
        if let Some(wave) = &mut under_way {
            self.doubt(wave);
        }
        // Each turn either returns or moves the wave on. A wave has fewer than 12 states per case, and warm-ups in turns that end.
        loop {
            let Some(mut wave) = under_way.take() else {
                let Some((group, number)) = self.schedule.next() else { return Action::Done };
                if let Some((wave, action)) = self.begin_wave(group, number) {
                    self.wave = Some(Box::new(wave));
                    return action;
                }
                continue;
            };
            match self.turn(&mut wave) {
                Turn::Act(action) => {
                    self.wave = Some(wave);
                    return action;
                }
                Turn::On => under_way = Some(wave),
                Turn::Over => {}
            }
        }
    }

    /// Moves a wave on: first sends what is queued, then, once all answers are in, takes the next step.
    fn turn(&mut self, wave: &mut Wave) -> Turn {
        if !wave.to_kill.is_empty() {
            return Turn::Act(Action::Kill(std::mem::take(&mut wave.to_kill)));
        }
        if let Some(case) = wave.randomized.take() {
            self.calibrations[case as usize].randomized(self.time.waited_ns());
        }
        self.stop_in_time(wave);
        let computes_alone = |case| self.of_case(case).computes_alone;
        if let Some(action) = wave.send(computes_alone, |case, which| self.run().loop_of(case, which)) {
            self.time.asked();
            return Turn::Act(action);
        }
        if wave.living().is_empty() {
            wave.state = WaveState::Over;
        }
        match std::mem::replace(&mut wave.state, WaveState::Over) {
            WaveState::Starting => self.calibrate_next(wave, None),
            WaveState::Pilot(case, pilot) => self.pilot_on(wave, case, pilot),
            WaveState::Lengths(case, lengths) => self.lengths_on(wave, case, lengths),
            WaveState::WarmUp(case, warm_up) => self.warm_up_on(wave, case, warm_up),
            WaveState::WarmLoop(case, which, warm_up) => self.warm_loop_on(wave, case, which, warm_up),
            WaveState::Check(case) => self.checked_on(wave, case),
            WaveState::WarmAll => self.slices_begin(wave),
            WaveState::Slices { turn_ns } => self.slices_on(wave, turn_ns),
            WaveState::Loops => self.rounds_begin(wave),
            WaveState::Rounds { round, wanted } => self.rounds_on(wave, round, wanted),
            WaveState::VisitsOver => return self.visits_over(wave).map_or(Turn::On, Turn::Act),
            WaveState::Ending | WaveState::Over => {
                self.wave_over(wave);
                return Turn::Over;
            }
        }
        Turn::On
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.record.run.plan
    }

    pub(super) fn group(&self, wave: &Wave) -> &CaseGroup {
        &self.plan().groups[wave.group]
    }

    pub(super) fn benchmark(&self, case: u32) -> &Benchmark {
        &self.plan().cases[case as usize].benchmark
    }

    pub(super) fn of_case(&self, case: u32) -> &Calibration {
        &self.calibrations[case as usize]
    }

    pub(super) fn facts_of(&self, case: u32) -> &ChildFacts {
        &self.facts[self.plan().cases[case as usize].artifact as usize]
    }

    pub(super) fn policy_of(&self, case: u32) -> &Policy {
        &self.of_case(case).policy
    }

    pub(super) fn runs_in(&self, case: u32, group: usize) -> bool {
        self.run().results[case as usize].runs_in(group as u32)
    }
}
