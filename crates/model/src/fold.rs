//! Folds events into a Run, with the same code for live runs, killed runs and replays.

use crate::{
    CaseGroup, CaseResult, ClockReference, Columns, CoreWidth, Event, Launch, Part, Repetition, Run, RunStatus, Series,
    Stage,
};

const NOT_STARTED: &str = "the first event is not `run-started`";

/// Builds a Run from its events, one at a time.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    /// None before `run-started`.
    pub run: Option<Run>,
    position: usize,
}

impl Recorder {
    /// Applies one event. Err: it does not fit the earlier ones.
    pub fn apply(&mut self, event: &Event) -> Result<(), String> {
        let position = self.position;
        self.position += 1;
        if let Some(run) = Run::of(event) {
            self.run = Some(run);
            return Ok(());
        }
        let unknown = || format!("event {position} names a launch or a case that does not exist");
        self.run.as_mut().ok_or(NOT_STARTED)?.apply(event).ok_or_else(unknown)
    }
}

/// Folds a list of events. Err: one does not fit the earlier ones.
pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Run, String> {
    let mut recorder = Recorder::default();
    events.into_iter().try_for_each(|event| recorder.apply(event))?;
    recorder.run.ok_or_else(|| NOT_STARTED.to_owned())
}

impl Run {
    /// The run started by this event; None if it is not `run-started`.
    pub fn of(event: &Event) -> Option<Run> {
        let Event::RunStarted {
            schema,
            id,
            created,
            tare,
            method,
            command,
            request,
            environment,
            artifacts,
            jobs,
            sides,
            missing,
            plan,
        } = event
        else {
            return None;
        };
        Some(Run {
            schema: schema.clone(),
            id: id.clone(),
            created: created.clone(),
            tare: tare.clone(),
            method: method.clone(),
            command: command.clone(),
            request: request.clone(),
            parts: vec![Part { created: created.clone(), environment: (**environment).clone(), elapsed_s: 0.0 }],
            artifacts: artifacts.clone(),
            jobs: jobs.clone(),
            sides: sides.as_deref().cloned(),
            missing: missing.clone(),
            results: vec![CaseResult::default(); plan.cases.len()],
            plan: (**plan).clone(),
            ..Run::default()
        })
    }

    /// Applies an event; None if it does not fit the earlier ones.
    pub fn apply(&mut self, event: &Event) -> Option<()> {
        let run = self;
        match event {
            Event::RunStarted { .. } => return None,
            Event::RunResumed { at, environment, before_s } => {
                // A killed part has not reported its time.
                run.parts.last_mut()?.elapsed_s += (before_s - run.elapsed_s).max(0.0);
                run.elapsed_s = run.elapsed_s.max(*before_s);
                run.parts.push(Part { created: at.clone(), environment: (**environment).clone(), elapsed_s: 0.0 });
                run.status = RunStatus::Open;
            }
            Event::LaunchStarted { launch, case, group, wave, draw, start_ns } => {
                run.results.get(*case as usize)?;
                if *launch as usize != run.launches.len() {
                    return None;
                }
                run.launches.push(Launch {
                    id: *launch,
                    case: *case,
                    group: *group,
                    wave: *wave,
                    part: run.parts.len() as u32 - 1,
                    draw: *draw,
                    start_ns: *start_ns,
                    ..Launch::default()
                });
            }
            Event::LaunchOpened { launch, start_up_ns, work } => {
                let opened = run.launches.get_mut(*launch as usize)?;
                opened.start_up_ns = Some(*start_up_ns);
                run.plan.cases.get_mut(opened.case as usize)?.benchmark.learn(work);
            }
            Event::LaunchPlaced { launch, processor } => {
                run.launches.get_mut(*launch as usize)?.processor = Some(*processor);
            }
            Event::Calibrated { launch, invocations } => {
                run.launches.get_mut(*launch as usize)?.invocations = Some(*invocations);
            }
            Event::Measured { launch, stage, round, invocations, columns } => {
                let launch = run.launches.get_mut(*launch as usize)?;
                let series = series_of(launch, *stage, *invocations, columns)?;
                series.round.extend(std::iter::repeat_n(*round, columns.len()));
                series.columns.append(columns);
            }
            Event::LaunchFinished { launch, outcome, peak_memory_bytes, memory_growth_bytes } => {
                let launch = run.launches.get_mut(*launch as usize)?;
                launch.outcome = *outcome;
                launch.peak_memory_bytes = *peak_memory_bytes;
                launch.memory_growth_bytes = *memory_growth_bytes;
            }
            Event::Output { launch, .. } => {
                run.launches.get(*launch as usize)?;
            }
            Event::Checked { case, digest, text } => {
                checked(run.results.get_mut(*case as usize)?, digest.as_ref(), text.as_ref());
            }
            Event::CaseFinished { case } => run.results.get_mut(*case as usize)?.complete = true,
            Event::CaseFailed { case, failure } => {
                run.results.get_mut(*case as usize)?.failure = Some(failure.clone());
            }
            Event::CaseRepeated { case, failure } => {
                let group = run.plan.groups.len() as u32;
                let result = run.results.get_mut(*case as usize).filter(|result| result.repeated.is_none())?;
                result.repeated = Some(Repetition { failure: failure.clone(), group });
                run.plan.groups.push(CaseGroup { cases: vec![*case], ..CaseGroup::default() });
            }
            Event::CaseUnrolled { case } => run.results.get_mut(*case as usize)?.unrolled = true,
            Event::Expected { total_s } => run.plan.policy.expected_s = Some(*total_s),
            Event::Diagnosed { diagnosis } => {
                run.results.get(diagnosis.case as usize)?;
                run.diagnoses.push((**diagnosis).clone());
            }
            Event::Attached { attachment } => {
                run.has_owner(attachment).then_some(())?;
                run.attachments.retain(|older| !older.is_replaced_by(attachment));
                run.attachments.push((**attachment).clone());
            }
            Event::ClockSettled { cycle_ns } => {
                run.environment_mut().clock_reference =
                    Some(ClockReference { cycle_ns: *cycle_ns, source: "this run".to_owned() });
            }
            Event::WidthSettled { cycles_per_addition, runtime } => {
                let environment = &mut run.parts.last_mut()?.environment;
                let found = CoreWidth { cycles_per_addition: *cycles_per_addition, source: "this run".to_owned() };
                match runtime {
                    None => environment.core_width = Some(found),
                    Some(runtime) => {
                        environment.core_width_of.insert(runtime.clone(), found);
                    }
                }
            }
            Event::RunFinished { status, elapsed_s, steal, cpu_pressure } => {
                run.status = *status;
                run.elapsed_s += elapsed_s;
                let part = run.parts.last_mut()?;
                part.elapsed_s += elapsed_s;
                part.environment.steal = *steal;
                part.environment.cpu_pressure = *cpu_pressure;
            }
        }
        Some(())
    }
}

/// The series of a launch for such a measurement, created if necessary.
fn series_of<'a>(launch: &'a mut Launch, stage: Stage, invocations: u64, columns: &Columns) -> Option<&'a mut Series> {
    // Iterations with a missing metric get their own series, so that the others keep theirs.
    let fits = |s: &Series| {
        (s.stage, s.invocations, s.columns.windows()) == (stage, invocations, columns.windows())
            && s.columns.metrics.keys().eq(columns.metrics.keys())
    };
    if let Some(place) = launch.series.iter().position(fits) {
        return launch.series.get_mut(place);
    }
    launch.series.push(Series { stage, invocations, round: Vec::new(), columns: Columns::default() });
    launch.series.last_mut()
}

/// Records the results of a body. The first counts as the case's result: it is the same in every build, even if the body has a state.
fn checked(result: &mut CaseResult, digest: Option<&String>, text: Option<&String>) {
    if result.digest.is_none() {
        result.digest = digest.cloned();
        result.text = text.cloned();
        return;
    }
    let is_other = digest.is_some() && result.digest.as_ref() != digest;
    let shown = text.filter(|text| result.text.as_ref() != Some(text)).or(digest);
    result.then = shown.filter(|_| is_other).cloned();
}
