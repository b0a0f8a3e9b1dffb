//! The children of a run, keyed by the number of their launch.

use super::conversation::{Bounds, Conversation, Stop};
use super::listing::set_requests;
use super::measured;
use super::programs::Programs;
use super::run_folder::RunFolder;
use std::collections::btree_map::{BTreeMap, Entry};
use std::time::Instant;
use tare_engine::{Action, Answer, Ask, Start};
use tare_model::{Artifact, Case, Draw, Failure, FailureKind, InstanceWork, Job, LaunchChange, SetUp, Step, Strategy};
use tare_protocol::{Reply, Request, VERSION};

#[derive(Debug, Default)]
pub struct Answers {
    /// By launch, in order.
    pub by_launch: Vec<(u32, Answer)>,
    /// Children whose measuring thread is kept on a processor from now on.
    pub placed: Vec<(u32, u32)>,
    /// The user interrupted; the rest of the action was not done.
    pub interrupted: bool,
}

/// Observes a child as it starts.
pub trait Watch {
    /// How this launch differs from a timed one.
    fn change(&self) -> LaunchChange {
        LaunchChange::default()
    }

    /// Called when the process has started, before the first request.
    /// Err: why the launch must stop.
    fn started(&mut self, pid: u32) -> Result<(), String> {
        let _ = pid;
        Ok(())
    }
}

/// For timed launches: observes nothing.
struct NoWatch;

impl Watch for NoWatch {}

pub struct Children<'a> {
    artifacts: Vec<Artifact>,
    jobs: Vec<Job>,
    cases: Vec<Case>,
    bounds: Bounds,
    folder: &'a RunFolder,
    programs: Programs,
    living: BTreeMap<u32, Conversation>,
    /// Operations per invocation of each case, as its children reported them when opened.
    work: BTreeMap<u32, InstanceWork>,
    /// Whether the children of a case count operations in each iteration; set by the first of them.
    counts: BTreeMap<u32, bool>,
    /// Children started from now on are kept on this processor.
    pub processor: Option<u32>,
}

impl<'a> Children<'a> {
    pub fn new(
        artifacts: Vec<Artifact>,
        jobs: Vec<Job>,
        cases: Vec<Case>,
        (bounds, folder): (Bounds, &'a RunFolder),
    ) -> Children<'a> {
        let programs = Programs::new(&artifacts);
        Children {
            artifacts,
            jobs,
            cases,
            bounds,
            folder,
            programs,
            living: BTreeMap::new(),
            work: BTreeMap::new(),
            counts: BTreeMap::new(),
            processor: None,
        }
    }

    pub fn act(&mut self, action: Action) -> Answers {
        let mut answers = Answers::default();
        match action {
            Action::Start(starts) => self.start(&starts, &mut NoWatch, &mut answers),
            Action::Ask(asks) => self.ask(&asks, &mut answers),
            Action::End(launches) => self.end(&launches, &mut answers),
            Action::Kill(launches) => {
                let mut children: Vec<_> = launches.iter().filter_map(|launch| self.living.remove(launch)).collect();
                children.iter_mut().for_each(Conversation::leave);
                children.iter_mut().for_each(Conversation::left);
            }
            Action::Done => {}
        }
        answers
    }

    /// Starts a child under a diagnoser.
    pub fn start_watched(&mut self, start: Start, watch: &mut dyn Watch) -> Answers {
        let mut answers = Answers::default();
        let launch = start.launch;
        self.start(&[start], watch, &mut answers);
        // A diagnoser works in the process for longer than the reported times, which are not used.
        self.living.entry(launch).and_modify(|child| child.works_between = true);
        answers
    }

    /// Starts, greets and opens all children, each step in parallel.
    fn start(&mut self, starts: &[Start], watch: &mut dyn Watch, answers: &mut Answers) {
        let begin = Instant::now();
        let bounds = self.bounds.of_one_of(self.living.len() + starts.len());
        for start in starts {
            let case = &self.cases[start.case as usize];
            let (artifact, job) = (&self.artifacts[case.artifact as usize], &self.jobs[case.job as usize]);
            match Conversation::start(
                artifact,
                job,
                &case.benchmark,
                self.folder.of(case.artifact).as_deref(),
                (&start.draw, &watch.change()),
                bounds,
            ) {
                Ok(mut child) => {
                    let between = [SetUp::Iteration, SetUp::IterationCleanUp];
                    let may_use = |processor: &u32| job.processors.is_empty() || job.processors.contains(processor);
                    // Processes that the child starts would inherit its processor, with all their threads.
                    let is_alone = case.benchmark.strategy != Strategy::Process || case.benchmark.threads == 1;
                    child.to_place_on = self.processor.filter(|processor| is_alone && may_use(processor));
                    child.case = start.case;
                    child.works_between = case.benchmark.set_ups.iter().any(|set_up| between.contains(set_up));
                    child.own_time = case.benchmark.own_time;
                    if case.benchmark.strategy == Strategy::Process {
                        child.measures_descendants();
                    }
                    match watch.started(child.pid()) {
                        Ok(()) => drop(self.living.insert(start.launch, child)),
                        Err(reason) => {
                            let failure = child.failure(FailureKind::Diagnoser { reason }, Step::Start);
                            answers.by_launch.push((start.launch, failed(failure)));
                        }
                    }
                }
                Err(failure) => answers.by_launch.push((start.launch, failed(failure))),
            }
        }
        let hello = |_: &Start| Request::Hello { version: VERSION };
        self.all(starts, Step::Start, hello, |reply| matches!(reply, Reply::Hello(_)), "hello", answers);
        self.end_replaced(starts, answers);
        self.set_parameters(starts, answers);
        let cases = std::mem::take(&mut self.cases);
        let open = |s: &Start| Request::open(&cases[s.case as usize].benchmark, s.draw.seed);
        self.all(starts, Step::SetUp, open, |reply| matches!(reply, Reply::Opened { .. }), "opened", answers);
        self.cases = cases;
        if answers.interrupted {
            return;
        }
        for start in starts {
            let Some(child) = self.living.get_mut(&start.launch) else { continue };
            let work = child.work.clone();
            let before = self.work.entry(start.case).or_insert_with(|| work.clone());
            if let Some(why) = other_work(before, &work) {
                let failure = child.broken(why, Step::SetUp);
                self.fail(start.launch, failure, answers);
                continue;
            }
            // Read in start order: a later child may appear slower by the time spent on the earlier ones, never faster.
            let start_up_ns = child.answered().saturating_duration_since(begin).as_nanos() as f64;
            let resident_bytes = child.opened();
            let compiles_by_count = child.facts().is_some_and(|facts| facts.compiles_by_count);
            let loop_address = child.loop_address;
            let opened = Answer::Opened { start_up_ns, resident_bytes, work, loop_address, compiles_by_count };
            answers.by_launch.push((start.launch, opened));
        }
    }

    fn set_parameters(&mut self, starts: &[Start], answers: &mut Answers) {
        let requests: Vec<Vec<Request>> = self.artifacts.iter().map(set_requests).collect();
        let of = |start: &Start, cases: &[Case]| &requests[cases[start.case as usize].artifact as usize];
        let most = requests.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..most {
            let these: Vec<Start> = starts.iter().filter(|s| of(s, &self.cases).len() > number).cloned().collect();
            let cases = std::mem::take(&mut self.cases);
            let request = |start: &Start| of(start, &cases)[number].clone();
            self.all(&these, Step::SetUp, request, |reply| matches!(reply, Reply::Set { .. }), "set", answers);
            self.cases = cases;
        }
    }

    /// Fails the children whose program was replaced since the run began. They have answered, so their files have been loaded.
    fn end_replaced(&mut self, starts: &[Start], answers: &mut Answers) {
        for start in starts {
            let artifact = &self.artifacts[self.cases[start.case as usize].artifact as usize];
            let Some(program) = artifact.program(&start.draw) else { continue };
            let Some(cause) = self.programs.replaced(artifact, program) else { continue };
            if let Some(child) = self.living.get_mut(&start.launch) {
                let failure = child.failure(cause, Step::Start);
                self.fail(start.launch, failure, answers);
            }
        }
    }

    fn all(
        &mut self,
        starts: &[Start],
        step: Step,
        request: impl Fn(&Start) -> Request,
        fits: impl Fn(&Reply) -> bool,
        wanted: &str,
        answers: &mut Answers,
    ) {
        // Replies of the previous step are still unread: after another request they would look like a second reply.
        if answers.interrupted {
            return;
        }
        for start in starts {
            let Some(child) = self.living.get_mut(&start.launch) else { continue };
            if let Err(failure) = child.send(&request(start), step) {
                self.fail(start.launch, failure, answers);
            }
        }
        for start in starts {
            let Some(child) = self.living.get_mut(&start.launch) else { continue };
            let failure = match child.receive(step) {
                Ok(reply) if fits(&reply) => continue,
                Ok(reply) => child.unexpected(&reply, wanted, step),
                Err(Stop::Failed(failure)) => failure,
                Err(Stop::Interrupted) => {
                    answers.interrupted = true;
                    return;
                }
            };
            self.fail(start.launch, failure, answers);
        }
    }

    fn ask(&mut self, asks: &[Ask], answers: &mut Answers) {
        for ask in asks {
            let Some(child) = self.living.get_mut(&ask.launch) else { continue };
            if ask.may_be_placed {
                answers.placed.extend(child.place().map(|processor| (ask.launch, processor)));
            }
            if matches!(ask.request, Request::Measure { .. }) {
                child.look_at_descendants();
            }
            if let Err(failure) = child.send(&ask.request, step_of(&ask.request)) {
                self.fail(ask.launch, failure, answers);
            }
        }
        for ask in asks {
            let Some(child) = self.living.get_mut(&ask.launch) else { continue };
            let known = self.counts.entry(child.case);
            match receive(child, &ask.request, known) {
                Ok(answer) => answers.by_launch.push((ask.launch, answer)),
                Err(Stop::Failed(failure)) => self.fail(ask.launch, failure, answers),
                Err(Stop::Interrupted) => {
                    answers.interrupted = true;
                    return;
                }
            }
        }
    }

    fn end(&mut self, launches: &[u32], answers: &mut Answers) {
        let stubs: Vec<Start> =
            launches.iter().map(|&launch| Start { launch, case: 0, draw: Draw::default() }).collect();
        let peaks: BTreeMap<u32, Option<u64>> =
            launches.iter().map(|l| (*l, self.living.get(l).and_then(Conversation::peak_memory_bytes))).collect();
        self.all(&stubs, Step::CleanUp, |_| Request::Close, |r| *r == Reply::Closed, "closed", answers);
        self.all(&stubs, Step::End, |_| Request::Bye, |r| *r == Reply::Bye, "bye", answers);
        if answers.interrupted {
            return;
        }
        for launch in launches {
            let Some(mut child) = self.living.remove(launch) else { continue };
            let ended = match child.ended() {
                Ok(_) => {
                    Answer::Ended { peak_memory_bytes: peaks.get(launch).copied().flatten(), output: child.output() }
                }
                Err(Stop::Failed(failure)) => {
                    self.fail(*launch, failure, answers);
                    continue;
                }
                Err(Stop::Interrupted) => {
                    answers.interrupted = true;
                    return;
                }
            };
            answers.by_launch.push((*launch, ended));
        }
    }

    /// Records a failed launch, unless an interrupt ended the child together with the host.
    fn fail(&mut self, launch: u32, failure: Failure, answers: &mut Answers) {
        self.living.remove(&launch);
        if answers.interrupted || is_interrupt(&failure) {
            answers.interrupted = true;
            return;
        }
        answers.by_launch.push((launch, failed(failure)));
    }
}

/// The step that a request belongs to, for failures that do not name one.
fn step_of(request: &Request) -> Step {
    match request {
        Request::Randomize { .. } => Step::SetUp,
        _ => Step::Body,
    }
}

/// Whether an interrupt ended the child together with the host.
pub fn is_interrupt(failure: &Failure) -> bool {
    match is_ended_by_interrupt(&failure.cause) {
        true => tare_process::interrupted_soon(),
        false => tare_process::interrupted(),
    }
}

/// Whether the child ended like an interrupted process. Runtimes and shells that handle the signal exit with 128 plus its number.
fn is_ended_by_interrupt(cause: &FailureKind) -> bool {
    let is_interrupt = |signal: i32| ["SIGINT", "SIGTERM", "SIGHUP"].contains(&tare_process::signal_name(signal));
    match cause {
        FailureKind::Signal { signal, .. } => is_interrupt(*signal),
        FailureKind::EarlyExit { status } => is_interrupt(status.wrapping_sub(128)),
        _ => false,
    }
}

fn failed(failure: Failure) -> Answer {
    Answer::Failed { failure, peak_memory_bytes: None }
}

fn receive(child: &mut Conversation, request: &Request, known: Entry<'_, u32, bool>) -> Result<Answer, Stop> {
    let reply = child.receive(step_of(request))?;
    let answer = answer(reply, request, child).map_err(Stop::Failed)?;
    match wrong_count(&answer, request, known) {
        None => Ok(answer),
        Some(reason) => Err(Stop::Failed(child.broken(reason, Step::Body))),
    }
}

/// R25: a benchmark counts operations in every iteration of every process, or in none.
fn wrong_count(answer: &Answer, request: &Request, known: Entry<'_, u32, bool>) -> Option<String> {
    let counts = match (answer, request) {
        (Answer::Measured { .. }, Request::Measure { which, .. }) if which.is_empty() => return None,
        (Answer::Measured { columns, .. }, _) => !columns.operations.is_empty(),
        (Answer::Diagnosed { operations, .. }, _) => !operations.is_empty(),
        _ => return None,
    };
    let before = *known.or_insert(counts);
    let place = if counts { "an earlier one had none" } else { "an earlier one had it" };
    (before != counts)
        .then(|| format!("R25: `operations` must be in every reply about a benchmark or in none, and {place}"))
}

/// Describes how two processes of a case disagree about the work of an invocation.
fn other_work(before: &InstanceWork, now: &InstanceWork) -> Option<String> {
    let differ = |name: &str, before: Option<f64>, now: Option<f64>| {
        let said = |amount: Option<f64>| amount.map_or("none".to_owned(), |n| n.to_string());
        let rule = format!("R25: `{name}` of `opened` must be the same in every process");
        (before != now).then(|| format!("{rule}: {} in this one, {} in an earlier one", said(now), said(before)))
    };
    let names = before.rates.keys().chain(now.rates.keys());
    let mut rates = names.map(|name| (name, before.rates.get(name).copied(), now.rates.get(name).copied()));
    let operations = |work: &InstanceWork| work.operations.map(|n| n as f64);
    differ("operations", operations(before), operations(now))
        .or_else(|| rates.find_map(|(name, before, now)| differ(name, before, now)))
}

fn answer(reply: Reply, request: &Request, child: &mut Conversation) -> Result<Answer, Failure> {
    match (reply, request) {
        (Reply::Measured(mut columns), Request::Measure { which, .. }) => {
            // An empty loop does no operations.
            if which.is_empty() {
                columns.operations.clear();
            }
            // Metrics that `hello` does not declare are ignored.
            let named = child.facts().map(|facts| facts.metrics.as_slice()).unwrap_or_default();
            columns.metrics.retain(|name, _| named.iter().any(|metric| metric.name == *name));
            child.add_descendants(&mut columns);
            if let Some(reason) = measured::broken_rule(request, &columns, child) {
                return Err(child.broken(reason, Step::Body));
            }
            columns.metrics.retain(|_, values| !values.is_empty());
            let resident_bytes = child.resident_bytes();
            if let Some(excess) = child.excess_of(resident_bytes) {
                return Err(child.failure(excess, Step::Body));
            }
            Ok(Answer::Measured { columns, resident_bytes })
        }
        (Reply::Diagnosed { operations, mut metrics, findings }, Request::Diagnose { name, iterations, .. }) => {
            let diagnosers = child.facts().map(|facts| facts.diagnosers.as_slice()).unwrap_or_default();
            let named = diagnosers.iter().find(|diagnoser| diagnoser.name == *name).map_or(&[][..], |d| &d.metrics);
            metrics.retain(|name, _| named.iter().any(|metric| metric.name == *name));
            match measured::wrong_diagnosis(&metrics, named, *iterations) {
                Some(reason) => Err(child.broken(format!("R23: {reason}"), Step::Body)),
                None if !operations.is_empty() && operations.len() as u64 != *iterations => {
                    let reason = format!("R19: `operations` has {} entries, not {iterations}", operations.len());
                    Err(child.broken(reason, Step::Body))
                }
                None => Ok(Answer::Diagnosed { operations, metrics, findings }),
            }
        }
        (reply, Request::Diagnose { .. }) => Err(child.unexpected(&reply, "diagnosed", Step::Body)),
        (Reply::Randomized, Request::Randomize { .. }) => Ok(Answer::Randomized),
        (reply, Request::Randomize { .. }) => Err(child.unexpected(&reply, "randomized", Step::SetUp)),
        (Reply::Collected { live_bytes }, Request::Collect) => {
            Ok(Answer::Collected { resident_bytes: child.resident_bytes(), live_bytes })
        }
        (reply, Request::Collect) => Err(child.unexpected(&reply, "collected", Step::Body)),
        (Reply::Checked { digest, text }, Request::Check) => Ok(Answer::Checked { digest, text }),
        (reply, Request::Check) => Err(child.unexpected(&reply, "checked", Step::Body)),
        (reply, _) => Err(child.unexpected(&reply, "measured", Step::Body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_told_from_other_ends() {
        let signal = |signal: i32| FailureKind::Signal { signal, name: tare_process::signal_name(signal).to_owned() };
        for number in [1, 2, 15] {
            assert!(is_ended_by_interrupt(&signal(number)));
            assert!(is_ended_by_interrupt(&FailureKind::EarlyExit { status: 128 + number }));
        }
        for other in
            [signal(9), signal(11), FailureKind::EarlyExit { status: 15 }, FailureKind::EarlyExit { status: 137 }]
        {
            assert!(!is_ended_by_interrupt(&other), "{other:?}");
        }
    }
}
