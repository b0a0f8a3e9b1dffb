//! The whole measurement of a plan as a machine of values: actions out, answers in, events on the side.

use crate::action::{Action, Answer};
use crate::measurement::Measurement;
use crate::resume::launches_of_cut_waves;
use crate::wave::{Phase, Wave};
use tare_model::{ChildFacts, Environment, Event, Launch, LaunchOutcome, Recorder, Run, RunStatus};

/// What a session starts from.
#[derive(Debug, Clone)]
pub struct Started {
    /// The `run-started` event.
    pub event: Event,
    /// What the child of each artifact said of itself.
    pub facts: Vec<ChildFacts>,
    /// Processors that untimed work may share.
    pub processors: usize,
}

/// Where and when a run is resumed.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// UTC, RFC 3339.
    pub at: String,
    /// The machine as it is now.
    pub environment: Box<Environment>,
}

/// Where a session is.
#[derive(Debug)]
enum State {
    /// The next wave is to begin.
    Between,
    /// A wave is under way.
    Wave(Box<Wave>),
    /// All is done.
    Over,
}

/// What follows in a wave.
enum Turn {
    /// This is to be done.
    Act(Action),
    /// Its next phase.
    On,
    /// Nothing: it is over.
    Over,
}

/// The measurement of a plan.
#[derive(Debug)]
pub struct Session {
    state: State,
    measurement: Measurement,
}

impl Session {
    /// A new session; None when the event is not `run-started`.
    pub fn new(started: Started) -> Option<Session> {
        let mut recorder = Recorder::default();
        recorder.apply(&started.event).ok()?;
        let run = recorder.run()?.clone();
        let mut measurement = Measurement::of(run, recorder, started.facts, started.processors);
        measurement.events.push(started.event);
        measurement.fail_invalid();
        Some(Session { state: State::Between, measurement })
    }

    /// Goes on with a run that was cut off, on what may be another machine. Waves that are not complete are made again; what they
    /// measured is kept.
    pub fn resume(run: Run, facts: Vec<ChildFacts>, processors: usize, resumed: Resumed) -> Session {
        let aside: Vec<Launch> = launches_of_cut_waves(&run);
        let recorder = Recorder::from_run(run.clone());
        let mut measurement = Measurement::of(run, recorder, facts, processors);
        let Resumed { at, environment } = resumed;
        measurement.emit(Event::RunResumed { at, environment, before_s: measurement.before_ns * 1e-9 });
        for launch in aside {
            // It ended well, but its wave is made again: contestants are compared only with those that were alive with them.
            measurement.emit(Event::LaunchFinished {
                launch: launch.id,
                outcome: LaunchOutcome::Unfinished,
                peak_memory_bytes: launch.peak_memory_bytes,
                memory_growth_bytes: launch.memory_growth_bytes,
            });
        }
        measurement.fail_invalid();
        measurement.close_groups();
        Session { state: State::Between, measurement }
    }

    /// What happened since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.measurement.events)
    }

    /// The run as far as it is measured.
    pub fn run(&self) -> Option<&Run> {
        self.measurement.run()
    }

    /// Ends the session in whatever state it is: the last event.
    pub fn finish(&mut self, status: RunStatus, elapsed_s: f64, steal: Option<f64>, cpu_pressure: Option<f64>) {
        self.state = State::Over;
        self.measurement.emit(Event::RunFinished { status, elapsed_s, steal, cpu_pressure });
    }

    /// Adds an event of the runner's own.
    pub fn note(&mut self, event: Event) {
        self.measurement.emit(event);
    }

    /// Takes the answer of a child in.
    pub fn answer(&mut self, launch: u32, answer: Answer) {
        if let State::Wave(wave) = &mut self.state {
            self.measurement.answer(wave, launch, answer);
        }
    }

    /// What is to be done next; `now_ns` is the time since the start of this part of the run.
    pub fn next(&mut self, now_ns: f64) -> Action {
        let measurement = &mut self.measurement;
        measurement.now_ns = measurement.before_ns + now_ns;
        if let State::Wave(wave) = &mut self.state {
            measurement.doubt(wave);
        }
        // Each turn either returns or moves a phase on; a wave has fewer than 12 phases for each of its cases, and warm-ups in turns that end.
        loop {
            match &mut self.state {
                State::Over => return Action::Done,
                State::Between => {
                    let Some((group, number)) = measurement.queue.pop_front() else {
                        self.state = State::Over;
                        continue;
                    };
                    if let Some((wave, action)) = measurement.wave_of(group, number) {
                        self.state = State::Wave(Box::new(wave));
                        return action;
                    }
                }
                State::Wave(wave) => match measurement.turn(wave) {
                    Turn::Act(action) => return action,
                    Turn::On => {}
                    Turn::Over => self.state = State::Between,
                },
            }
        }
    }
}

impl Measurement {
    /// Moves a wave on: what is not sent yet goes out first, then comes the phase that follows when all answers of one are in.
    fn turn(&mut self, wave: &mut Wave) -> Turn {
        if !wave.to_kill.is_empty() {
            return Turn::Act(Action::Kill(std::mem::take(&mut wave.to_kill)));
        }
        if let Some(case) = self.moved.take() {
            let (took_ns, state) = (self.now_ns - self.asked_ns, &mut self.cases[case as usize]);
            state.moving_ns = if state.moving_ns > 0.0 { state.moving_ns.min(took_ns) } else { took_ns };
        }
        self.stop_in_time(wave);
        let cases = &self.plan.groups[wave.group].cases;
        let computes_alone =
            |position: usize| cases.get(position).is_some_and(|&case| self.cases[case as usize].computes_alone);
        if let Some(action) = wave.send(computes_alone) {
            self.asked_ns = self.now_ns;
            return Turn::Act(action);
        }
        if wave.living().is_empty() {
            wave.phase = Phase::Over;
        }
        match std::mem::replace(&mut wave.phase, Phase::Over) {
            Phase::Starting => self.calibrate_next(wave, 0),
            Phase::Pilot(position, pilot) => self.pilot_on(wave, position, pilot),
            Phase::WarmUp(position, warm_up) => self.warm_up_on(wave, position, warm_up),
            Phase::WarmLoop(position, which, warm_up) => self.warm_loop_on(wave, position, which, warm_up),
            Phase::Check(position) => self.checked_on(wave, position),
            Phase::WarmAll => self.side_by_side_begin(wave),
            Phase::SideBySide { turn_ns } => self.side_by_side_on(wave, turn_ns),
            Phase::Loops => self.rounds_begin(wave),
            Phase::Rounds { round, wanted } => {
                return self.rounds_on(wave, round, wanted).map_or(Turn::On, Turn::Act);
            }
            Phase::Ending | Phase::Over => {
                self.wave_over(wave);
                return Turn::Over;
            }
        }
        Turn::On
    }
}
