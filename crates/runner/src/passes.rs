//! Passes of diagnosers. They run after all times were measured, each in its own process, so that no time includes a diagnoser.

use super::children::{Answers, Watch};
use super::run_folder::RunFolder;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use tare_analysis::{Outcome, Verdict};
use tare_diagnose::{
    Belongs, Diagnoser, Diagnosers, File, Findings, Part, Pass, Signal, Subject, Took, Work, ROUND, STEADY_S,
};
use tare_engine::{Action, Answer, Ask, Start};
use tare_model::{
    Artifact, Attachment, CaseGroup, Diagnosis, Draw, Failure, FailureKind, LaunchChange, LaunchOutcome, Loop, Metric,
    Owner, Run, Series, Stage, Step, Strategy,
};
use tare_protocol::Request;

/// Iterations of a pass; slow bodies have one.
const ITERATIONS: u64 = 5;
/// The same for exact counts.
const ITERATIONS_EXACT: u64 = 3;
/// Upper bound of the invocations per turn of the loop, over all front ends.
const TURN_MAX: u64 = 32;
/// Slower iterations are not repeated, in ns.
const LONG_NS: f64 = 5e7;

/// For a loop with twice the invocations but no more operations.
const LESS_WORK: &str =
    "the benchmark does such different amounts of work in its iterations that they cannot be subtracted";

/// Passes over a case whose metrics get a verdict, the fewest that show differences between processes.
const PASSES_COMPARED: usize = 4;

/// Passes of a diagnoser with exact counts: two reveal whether they are.
const PASSES_EXACT: usize = 2;

/// Warm-up of a late-compiling runtime before a pass, in ns, so that counts are of compiled code.
const WARM_UP_NS: f64 = 3.5e8;
/// Most iterations of a warm-up.
const WARM_UPS_MAX: f64 = 1000.0;
/// Most iterations of one request.
const DIAGNOSED_MAX: f64 = 100_000.0;
/// Most warm-ups while something is still being compiled.
const WARM_UPS_AGAIN: usize = 8;
/// Work per request of a child that runs steadily, in ns.
const STEADY_NS: f64 = 5e7;

/// The remaining passes of a run: each diagnoser from the plan or a declaration, for every measured case that it supports.
pub fn wanted(run: &Run, diagnosers: &Diagnosers) -> Vec<(u32, String)> {
    let mut wanted = Vec::new();
    let changed = changed(run);
    for (at, case) in run.plan.cases.iter().enumerate() {
        let Some(program) = run.artifacts.get(case.artifact as usize) else { continue };
        let at = at as u32;
        let of_changed = run.plan.diagnosis.of_changed.iter().filter(|_| changed.contains(&at)).map(String::as_str);
        let mut names: Vec<&str> = run.plan.diagnosers_of(at).chain(of_changed).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| diagnosers.can_look(name, program));
        if names.is_empty() || run.results[at as usize].failure.is_some() || visits(run, at).is_none() {
            continue;
        }
        let of_it = |group: &&CaseGroup| group.baseline.is_some() && group.cases.contains(&at);
        let is_compared = run.sides.is_some() || run.plan.groups.iter().any(|group| of_it(&group));
        for name in names {
            let done: Vec<&Diagnosis> = passes_of(run, at, name).collect();
            // Failed passes are not repeated.
            if done.iter().all(|pass| pass.failure.is_none()) {
                let (pass, is_repeated) = (diagnosers.pass(name, program), is_compared && is_judged(program, name));
                let all = match pass {
                    Some(pass) if pass.is_exact => PASSES_EXACT,
                    Some(pass) if pass.once => 1,
                    _ if is_repeated => PASSES_COMPARED,
                    _ => 1,
                };
                wanted.extend((done.len()..all).map(|_| (at, name.to_owned())));
            }
        }
    }
    wanted
}

/// If requested, both sides of everything that got slower or faster.
fn changed(run: &Run) -> HashSet<u32> {
    let mut changed = HashSet::new();
    if run.plan.diagnosis.of_changed.is_empty() {
        return changed;
    }
    let report = tare_analysis::analyse(run);
    for group in &run.plan.groups {
        for case in group.contestants() {
            let has_changed = matches!(&report.cases[case as usize].outcome, Outcome::Measured(estimates)
                if estimates.ratio.as_ref().is_some_and(|of| is_changed(of.verdict, of.ratio)));
            if has_changed {
                changed.extend(group.baseline.into_iter().chain([case]));
            }
        }
    }
    changed
}

/// It got slower or faster, or appears to by more than a busy machine is likely to explain.
fn is_changed(verdict: Verdict, ratio: f64) -> bool {
    const MUCH: f64 = 1.5;
    match verdict {
        Verdict::Slower | Verdict::Faster => true,
        Verdict::Unclear => ratio >= MUCH || ratio <= 1.0 / MUCH,
        _ => false,
    }
}

fn passes_of<'a>(run: &'a Run, case: u32, name: &'a str) -> impl Iterator<Item = &'a Diagnosis> {
    run.diagnoses.iter().filter(move |done| done.case == case && done.diagnoser == name)
}

/// Some of its metrics get a verdict without a request. Assumed for a diagnoser that the program does not declare, whose metrics are
/// unknown before its passes.
fn is_judged(program: &Artifact, name: &str) -> bool {
    let declared = program.child.iter().flat_map(|child| &child.diagnosers).find(|diagnoser| diagnoser.name == name);
    declared.is_none_or(|diagnoser| {
        let mut names = diagnoser.metrics.iter().map(|metric| format!("{name}/{}", metric.name));
        names.any(|name| !Metric::is_shown_alone(&name))
    })
}

/// The visits of a finished launch of a case.
fn visits(run: &Run, case: u32) -> Option<&Series> {
    let mut finished = run.launches.iter().filter(|l| l.case == case && l.outcome == LaunchOutcome::Finished);
    finished.find_map(|launch| launch.series.iter().find(|series| series.stage == Stage::Actual))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Length {
    iterations: u64,
    invocations: u64,
    lead: u64,
}

impl Length {
    /// For a diagnoser that slows the body: this many rounds of loops, each at most this long without it, in ns.
    fn brief(self, (loop_ns, rounds): (f64, u64), visits: Option<&Series>) -> Length {
        let invocations = visits.map_or(1, |series| {
            let each_ns = mean_elapsed(series) / series.invocations.max(1) as f64;
            (loop_ns / each_ns.max(1e-3)).max(1.0) as u64
        });
        Length { iterations: rounds, invocations: invocations.min(self.invocations), ..self }
    }

    /// For exact counts, a length that does not depend on a time, so that the same code always has the same one: 1, 2, or a power of two
    /// that is a multiple of every front end's turn. Partial turns run one invocation at a time, perhaps in other code; this way a loop and
    /// one of twice its length run the same code.
    fn of(self, is_exact: bool) -> Length {
        let rounded = |count: u64| match count {
            0..=2 => count,
            3..TURN_MAX => 2,
            _ => 1 << count.ilog2(),
        };
        match is_exact {
            // Exact rounds agree anyway, so a few suffice.
            true => Length {
                iterations: self.iterations.min(ITERATIONS_EXACT),
                invocations: rounded(self.invocations),
                lead: rounded(self.lead),
            },
            false => self,
        }
    }
}

/// The size of a visit, reduced to what slowed code can bear.
fn length(run: &Run, case: u32, invocations_max: u64) -> Length {
    let visits = visits(run, case);
    let invocations = visits.map_or(1, |series| series.invocations).clamp(1, invocations_max);
    // The minimum, since a single visit may be slow on a busy machine.
    let least_ns = |series: &Series| series.columns.elapsed_ns.iter().copied().fold(f64::INFINITY, f64::min);
    let is_long = visits.map(least_ns).is_some_and(|ns| ns.is_finite() && ns > LONG_NS);
    let (iterations, lead) = match run.plan.cases[case as usize].benchmark.strategy {
        Strategy::ColdStart | Strategy::Process => (1, 0),
        // The first call may do extra work.
        Strategy::Throughput if is_long => (1, 1),
        Strategy::Monitoring if is_long => (1, 0),
        Strategy::Monitoring => (ITERATIONS, 0),
        Strategy::Throughput => (ITERATIONS, invocations),
    };
    Length { iterations, invocations, lead }
}

/// Mean time of a visit, in ns.
fn mean_elapsed(visits: &Series) -> f64 {
    let elapsed = &visits.columns.elapsed_ns;
    elapsed.iter().sum::<f64>() / elapsed.len().max(1) as f64
}

pub struct PassResult {
    pub diagnosis: Diagnosis,
    /// Its files, with content if any.
    pub files: Vec<(Attachment, Vec<u8>)>,
}

/// The warm-up before a pass, without the diagnoser; None if the runtime does not compile late, or the first calls count.
fn warm_up(run: &Run, case: u32) -> Option<Request> {
    let planned = &run.plan.cases[case as usize];
    let child = run.artifacts.get(planned.artifact as usize)?.child.as_ref()?;
    if !child.compiles_late || planned.benchmark.strategy != Strategy::Throughput {
        return None;
    }
    let visits = visits(run, case)?;
    let iterations = (WARM_UP_NS / mean_elapsed(visits).max(1.0)).ceil().clamp(1.0, WARM_UPS_MAX) as u64;
    Some(Request::Measure { which: Loop::Workload, iterations, invocations: visits.invocations, lead: 0, windows: 0 })
}

/// The second half of a warm-up compiled nothing. On a busy machine the compiler lags.
fn is_warm(answer: &Answer) -> bool {
    let Answer::Measured { columns, .. } = answer else { return true };
    let compilations = &columns.compilations;
    compilations[compilations.len() / 2..].iter().all(|count| *count == 0.0)
}

/// Totals over the iterations of an answer, as measured by the child.
fn took(answer: &Answer) -> Took {
    let Answer::Measured { columns, .. } = answer else { return Took::default() };
    let sum = |column: &[f64]| column.iter().sum();
    let known = |column: &[f64]| (!column.is_empty()).then(|| sum(column));
    Took { elapsed_ns: sum(&columns.elapsed_ns), cpu_ns: known(&columns.cpu_ns), waits: known(&columns.waits) }
}

/// Runs the processes of passes.
pub(crate) trait Processes {
    /// Performs an action of the engine. `run` is the run so far.
    fn act(&mut self, action: Action, run: &Run) -> Answers;

    /// Starts a child under a diagnoser, as [`Action::Start`] does.
    fn start_watched(&mut self, start: Start, watch: &mut dyn Watch) -> Answers;
}

/// Makes one pass; None when the user interrupted.
pub fn pass(
    run: &Run,
    case: u32,
    diagnoser: &mut dyn Diagnoser,
    processes: &mut dyn Processes,
    folder: &RunFolder,
) -> Option<PassResult> {
    let scratch = folder.scratch();
    let program = &run.artifacts[run.plan.cases[case as usize].artifact as usize];
    let how = diagnoser.pass(program);
    let length = length(run, case, how.invocations_max);
    let length = match how.slows {
        Some(slowed) => length.brief(slowed, visits(run, case)),
        None => length.of(how.is_exact),
    };
    let part = run.parts.len() as u32 - 1;
    let mut diagnosis = Diagnosis::new(case, diagnoser.name(), part, length.invocations);
    // Several passes over a case show how much its metrics vary; the files are those of the first.
    let is_first = passes_of(run, case, diagnoser.name()).next().is_none();
    let scratch_path = scratch.as_ref().map(|scratch| scratch.path().to_owned());
    let subject = subject(run, case, diagnoser.name(), length, scratch_path);
    // An unused launch number: no child is alive now.
    let mut pass = Ongoing { run, case, how, launch: run.launches.len() as u32, length, processes, diagnoser };
    let mut ended = pass.all(&subject, &mut diagnosis);
    if pass.how.work == Work::DiagnoseSteady && ended.as_ref().is_err_and(PassEnd::is_crash) {
        // A sampler inside the program can crash it by chance: the one of CPython 3.11 reads frames that are being made.
        pass.processes.act(Action::Kill(vec![pass.launch]), run);
        ended = pass.all(&subject, &mut diagnosis);
    }
    let ended = ended.map_err(|ended| pass.explained(ended));
    pass.diagnoser.end();
    let mut files = Vec::new();
    match ended {
        Ok(found) => {
            files = found.into_iter().filter(|_| is_first).map(|file| attached(run, &diagnosis, file)).collect()
        }
        Err(PassEnd::Interrupted) => return None,
        Err(PassEnd::Failed(failure)) => {
            pass.processes.act(Action::Kill(vec![pass.launch]), run);
            diagnosis.metrics.clear();
            diagnosis.gives.clear();
            diagnosis.operations.clear();
            diagnosis.failure = Some(*failure);
        }
    }
    Some(PassResult { diagnosis, files })
}

fn subject(run: &Run, case: u32, diagnoser: &str, length: Length, folder: Option<std::path::PathBuf>) -> Subject {
    let of = &run.plan.cases[case as usize];
    let program = &run.artifacts[of.artifact as usize];
    let language = program.child.as_ref().map(|child| &child.language).filter(|language| !language.is_empty());
    Subject {
        key: of.key.clone(),
        group: of.benchmark.group.clone(),
        name: of.benchmark.name.clone(),
        parameters: of.benchmark.parameters.clone(),
        job: of.job,
        program: program.name.clone(),
        language: language.unwrap_or(&program.language).clone(),
        compiles_late: program.child.as_ref().is_some_and(|child| child.compiles_late),
        declares: program.declares(diagnoser),
        code: of.benchmark.code.clone(),
        side: of.side,
        threads: of.benchmark.threads,
        iterations: length.iterations,
        invocations: length.invocations,
        depth: run.plan.diagnosis.depth,
        folder,
        patience: Duration::from_secs_f64(run.plan.policy.timeout_s.clamp(0.001, 1e6)),
    }
}

fn attached(run: &Run, diagnosis: &Diagnosis, file: File) -> (Attachment, Vec<u8>) {
    let side = run.plan.cases[diagnosis.case as usize].side.filter(|_| file.of == Belongs::Side);
    let (content, mut lost) = match file.content {
        Ok(content) => (content, None),
        Err(reason) => (Vec::new(), Some(reason)),
    };
    if content.len() as u64 > Attachment::BYTES_MAX {
        lost = Some(format!("it is larger than {} MiB", Attachment::BYTES_MAX >> 20));
    }
    let attachment = Attachment {
        of: side.map_or(Owner::Case(diagnosis.case), Owner::Side),
        part: diagnosis.part,
        diagnoser: diagnosis.diagnoser.clone(),
        name: file.name,
        title: file.title,
        media_type: file.media_type,
        maker: file.maker,
        bytes: content.len() as u64,
        hash: blake3::hash(&content).to_hex().to_string(),
        lost,
    };
    (attachment, content)
}

/// Why a pass ended early.
enum PassEnd {
    Interrupted,
    Failed(Box<Failure>),
}

impl PassEnd {
    fn of_diagnoser(reason: String, step: Step) -> PassEnd {
        let cause = FailureKind::Diagnoser { reason };
        PassEnd::Failed(Box::new(Failure { cause, step, output: Vec::new() }))
    }

    fn is_crash(&self) -> bool {
        matches!(self, PassEnd::Failed(failure) if matches!(failure.cause, FailureKind::Signal { .. }))
    }
}

struct Ongoing<'a> {
    run: &'a Run,
    case: u32,
    how: Pass,
    launch: u32,
    length: Length,
    processes: &'a mut dyn Processes,
    diagnoser: &'a mut dyn Diagnoser,
}

impl Ongoing<'_> {
    /// The whole pass, from the start of its process to its findings.
    fn all(&mut self, subject: &Subject, diagnosis: &mut Diagnosis) -> Result<Vec<File>, PassEnd> {
        let found = match self.how.work {
            Work::Nothing => self.diagnoser.read(self.run, self.case),
            _ => self.launched(subject, diagnosis)?,
        };
        let found = found.map_err(|reason| PassEnd::of_diagnoser(reason, Step::End))?;
        for (metric, values) in found.metrics {
            diagnosis.metrics.insert(metric.name.clone(), values);
            diagnosis.gives.push(metric);
        }
        let facts = found.facts.into_iter().map(|(name, value)| (name.to_owned(), value));
        diagnosis.facts = facts.chain(found.counts).collect();
        diagnosis.remarks = found.remarks;
        Ok(found.files)
    }

    fn launched(&mut self, subject: &Subject, diagnosis: &mut Diagnosis) -> Result<Result<Findings, String>, PassEnd> {
        let change = self.diagnoser.begin(subject).map_err(|reason| PassEnd::of_diagnoser(reason, Step::Start))?;
        let start = Start { launch: self.launch, case: self.case, draw: Draw::default() };
        let mut watch = DiagnoserWatch { change, diagnoser: &mut *self.diagnoser };
        let answers = self.processes.start_watched(start, &mut watch);
        let loop_address = match taken(answers)? {
            Some(Answer::Opened { loop_address, .. }) => loop_address,
            _ => None,
        };
        self.signal(Signal::Opened { loop_address }, Step::SetUp)?;
        if let Some(request) = warm_up(self.run, self.case).filter(|_| self.how.work != Work::Open) {
            for _ in 0..WARM_UPS_AGAIN {
                if is_warm(&self.ask(request.clone())?) {
                    break;
                }
            }
        }
        match self.how.work {
            Work::Open => {}
            Work::Diagnose => self.diagnosed(self.length, diagnosis)?,
            Work::DiagnoseSteady => self.diagnosed(self.steady_length(), diagnosis)?,
            // Exact counts use the same loops for the same code, whatever the loops of its times.
            Work::Differences if self.how.is_exact => self.iterations(&ROUND, diagnosis)?,
            Work::Differences => {
                let round = ROUND.map(|(which, times)| (self.run.loop_of(self.case, which), times));
                self.iterations(&round, diagnosis)?
            }
            Work::Steady => self.steady()?,
            _ => self.iterations(&[(self.run.loop_of(self.case, Loop::Workload), 1)], diagnosis)?,
        }
        self.signal(Signal::Measured, Step::Body)?;
        if let Some(Answer::Ended { output, .. }) = taken(self.processes.act(Action::End(vec![self.launch]), self.run))?
        {
            diagnosis.output = output;
        }
        self.signal(Signal::Ended, Step::End)?;
        Ok(self.diagnoser.findings())
    }

    /// The child runs all iterations under its own diagnoser.
    fn diagnosed(&mut self, length: Length, diagnosis: &mut Diagnosis) -> Result<(), PassEnd> {
        let Length { iterations, invocations, lead } = length;
        let request = Request::Diagnose { name: diagnosis.diagnoser.clone(), iterations, invocations, lead };
        if let Answer::Diagnosed { operations, metrics, findings } = self.ask(request)? {
            (diagnosis.operations, diagnosis.metrics) = (operations, metrics);
            self.diagnoser.told(*findings);
        }
        Ok(())
    }

    /// Enough iterations for the duration of a steady pass, within the time limit.
    fn steady_length(&self) -> Length {
        let plan = &self.run.plan;
        if self.run.plan.cases[self.case as usize].benchmark.strategy == Strategy::ColdStart {
            return Length { iterations: 1, ..self.length };
        }
        let time_s = plan.diagnosis.watch_s.unwrap_or(STEADY_S).min(plan.policy.timeout_s / 2.0);
        let each = visits(self.run, self.case).map_or(STEADY_NS, mean_elapsed);
        Length { iterations: (time_s * 1e9 / each.max(1.0)).ceil().clamp(1.0, DIAGNOSED_MAX) as u64, ..self.length }
    }

    /// Runs the rounds, with signals around each iteration.
    fn iterations(&mut self, round: &[(Loop, u64)], diagnosis: &mut Diagnosis) -> Result<(), PassEnd> {
        let Length { iterations: rounds, invocations, lead } = self.length;
        let measure = |which, invocations| Request::Measure { which, iterations: 1, invocations, lead: 0, windows: 0 };
        if lead > 0 {
            self.ask(measure(Loop::Workload, lead))?;
        }
        let declared = self.run.plan.cases[self.case as usize].benchmark.operations as f64;
        let parts = (0..rounds).flat_map(|_| round).zip(0..);
        // Work of the earlier loops of this round, in units of the pass's invocations.
        let mut earlier = 0.0;
        for (&(which, times), iteration) in parts {
            let part = Part { iteration, which, invocations: invocations * times };
            self.signal(Signal::Before { part }, Step::Body)?;
            let answer = self.ask(measure(which, part.invocations))?;
            let took = took(&answer);
            let counted = match &answer {
                Answer::Measured { columns, .. } => columns.operations.first().copied(),
                _ => None,
            };
            if let Some(total) = counted.map(|each| each * times as f64) {
                let is_last = (iteration + 1) % round.len() as u64 == 0;
                earlier = match is_last {
                    false => total,
                    // A round measures what its last loop does beyond the one before.
                    true if total > earlier => {
                        diagnosis.operations.push(total - earlier);
                        0.0
                    }
                    true => return Err(PassEnd::of_diagnoser(LESS_WORK.to_owned(), Step::Body)),
                };
            }
            let operations = counted.unwrap_or(declared) * part.invocations as f64;
            self.signal(Signal::After { part, operations, took }, Step::Body)?;
        }
        Ok(())
    }

    /// Runs iterations for some time, with so many per request that the work between them is negligible.
    fn steady(&mut self) -> Result<(), PassEnd> {
        let Length { invocations, lead, .. } = self.length;
        let which = self.run.loop_of(self.case, Loop::Workload);
        let measure =
            |iterations, invocations| Request::Measure { which, iterations, invocations, lead: 0, windows: 0 };
        if lead > 0 {
            self.ask(measure(1, lead))?;
        }
        // The work of first calls can be seen only once.
        let is_once = self.run.plan.cases[self.case as usize].benchmark.strategy == Strategy::ColdStart;
        let each = visits(self.run, self.case).map_or(STEADY_NS, mean_elapsed);
        let together = if is_once { 1 } else { (STEADY_NS / each.max(1.0)).clamp(1.0, WARM_UPS_MAX) as u64 };
        let time = Duration::from_secs_f64(self.run.plan.diagnosis.watch_s.unwrap_or(STEADY_S).clamp(0.0, 1e6));
        let started = Instant::now();
        for iteration in 0.. {
            let part = Part { iteration, which, invocations: invocations * together };
            self.signal(Signal::Before { part }, Step::Body)?;
            let took = took(&self.ask(measure(together, invocations))?);
            let each = self.run.plan.cases[self.case as usize].benchmark.operations as f64;
            self.signal(Signal::After { part, operations: each * part.invocations as f64, took }, Step::Body)?;
            if is_once || started.elapsed() >= time {
                break;
            }
        }
        Ok(())
    }

    /// The diagnoser's explanation of a launch that failed under it, in place of the launch's own.
    fn explained(&self, ended: PassEnd) -> PassEnd {
        let PassEnd::Failed(failure) = &ended else { return ended };
        match self.diagnoser.explain(failure) {
            Some(reason) => PassEnd::of_diagnoser(reason, failure.step),
            None => ended,
        }
    }

    fn ask(&mut self, request: Request) -> Result<Answer, PassEnd> {
        let ask = Ask { launch: self.launch, request, may_be_placed: false };
        let answers = taken(self.processes.act(Action::Ask(vec![ask]), self.run))?;
        answers.ok_or_else(|| PassEnd::of_diagnoser("the program did not answer".to_owned(), Step::Body))
    }

    fn signal(&mut self, signal: Signal, step: Step) -> Result<(), PassEnd> {
        self.diagnoser.signal(&signal).map_err(|reason| PassEnd::of_diagnoser(reason, step))
    }
}

/// The answer of the only child, unless it failed.
fn taken(answers: Answers) -> Result<Option<Answer>, PassEnd> {
    if answers.interrupted {
        return Err(PassEnd::Interrupted);
    }
    match answers.by_launch.into_iter().next() {
        Some((_, Answer::Failed { failure, .. })) => Err(PassEnd::Failed(Box::new(failure))),
        other => Ok(other.map(|(_, answer)| answer)),
    }
}

/// Observes a launch for a diagnoser.
struct DiagnoserWatch<'a> {
    change: LaunchChange,
    diagnoser: &'a mut dyn Diagnoser,
}

impl Watch for DiagnoserWatch<'_> {
    fn change(&self) -> LaunchChange {
        self.change.clone()
    }

    fn started(&mut self, pid: u32) -> Result<(), String> {
        self.diagnoser.signal(&Signal::Started { pid })
    }
}

#[cfg(test)]
mod tests;
