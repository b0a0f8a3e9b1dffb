//! The progress of a run, from its events. Pure values, so that it can be tested without a terminal.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;
use tare_engine::{ANNOUNCED_S, LAUNCHES_ALWAYS};
use tare_model::text::plural;
use tare_model::{Case, CaseGroup, Event, Failure, Job, Plan, Policy, Stage, Strategy};
use tare_report::{cause_text, clean, cut_middle, duration, short, width, Glyphs};

#[derive(Debug, Clone)]
struct CaseProgress {
    label: String,
    operations: f64,
    /// Its times include the loop around the body.
    has_loop: bool,
    /// Expected launches, and started ones.
    launches: f64,
    started: f64,
    is_over: bool,
    visits: f64,
    /// Their total time, ns.
    visits_ns: f64,
    /// Times of an operation including the loop, ns.
    times_ns: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct LaunchProgress {
    case: usize,
    visits: f64,
    is_over: bool,
}

#[derive(Debug, Clone, Copy)]
struct Current {
    case: usize,
    wave: u32,
    waves: u32,
    doing: &'static str,
}

#[derive(Debug, Clone, Default)]
pub struct Progress {
    cases: Vec<CaseProgress>,
    launches: Vec<LaunchProgress>,
    /// Maximum waves of each group.
    waves: Vec<u32>,
    policy: Policy,
    budget_s: Option<f64>,
    current: Option<Current>,
    over: usize,
    /// Launches that a resumed run had before.
    before: f64,
    /// How many cases ended with this text: if many fail alike, it is printed once.
    alike: BTreeMap<String, usize>,
}

const ALIKE_MAX: usize = 5;

impl Progress {
    fn cause(&self, failure: &Failure) -> String {
        cause_text(&failure.cause, self.policy.launch_ns.is_some())
    }

    pub fn new(plan: &Plan, jobs: &[Job]) -> Progress {
        let policy = &plan.policy;
        let case = |(case, label): (&tare_model::Case, String)| CaseProgress {
            label,
            operations: case.benchmark.operations.max(1) as f64,
            has_loop: case.benchmark.strategy != Strategy::Process,
            launches: 0.0,
            started: 0.0,
            is_over: false,
            visits: 0.0,
            visits_ns: 0.0,
            times_ns: Vec::new(),
        };
        let mut cases: Vec<CaseProgress> = plan.cases.iter().zip(labels(plan, jobs)).map(case).collect();
        for case in plan.groups.iter().flat_map(|g| &g.cases) {
            if let Some(case) = cases.get_mut(*case as usize) {
                case.launches += launches_of_group(policy);
            }
        }
        let waves = plan.groups.iter().map(|group| policy.waves_of(group).1).collect();
        Progress { cases, waves, policy: *policy, budget_s: policy.budget_s, ..Progress::default() }
    }

    /// Processes an event; returns a line when a case has ended or must be measured again.
    pub fn on(&mut self, event: &Event, glyphs: Glyphs) -> Option<String> {
        match event {
            Event::LaunchStarted { launch, case, group, wave, .. } => {
                let (launch, case) = (*launch as usize, *case as usize);
                self.launches.resize(self.launches.len().max(launch + 1), LaunchProgress::default());
                self.launches[launch].case = case;
                let case_of = self.cases.get_mut(case)?;
                case_of.started += 1.0;
                case_of.launches = case_of.launches.max(case_of.started);
                // More waves than planned may follow if the core was shared or launches disagree.
                let waves = self.waves.get(*group as usize).copied().unwrap_or_default().max(wave + 1);
                self.current = Some(Current { case, wave: *wave, waves, doing: "starting" });
            }
            Event::LaunchFinished { launch, .. } => self.launches.get_mut(*launch as usize)?.is_over = true,
            Event::Measured { launch, stage, invocations, columns, .. } => {
                let launch = self.launches.get_mut(*launch as usize)?;
                let case = launch.case;
                launch.visits += if *stage == Stage::Actual { columns.len() as f64 } else { 0.0 };
                self.current = self.current.map(|current| Current { case, doing: doing(*stage), ..current });
                let case = self.cases.get_mut(case)?;
                if *stage == Stage::Actual {
                    let counted = |at: usize| columns.operations.get(at).copied().unwrap_or(case.operations);
                    let time = |(at, ns): (usize, &f64)| ns / (*invocations as f64 * counted(at));
                    let times: Vec<f64> = columns.elapsed_ns.iter().enumerate().map(time).collect();
                    case.visits += columns.len() as f64;
                    case.visits_ns += columns.elapsed_ns.iter().sum::<f64>();
                    case.times_ns.extend(times);
                }
            }
            Event::CaseFinished { case } => {
                let text = self.cases.get(*case as usize).map(|c| finished(c, glyphs));
                return self.end(*case, text?);
            }
            Event::CaseFailed { case, failure } => {
                let what = if failure.skipped().is_some() { "skipped" } else { "failed" };
                let text = format!("{what}: {}", self.cause(failure));
                let is_told = self.is_told(&text);
                return self.end(*case, text).filter(|_| is_told);
            }
            Event::CaseRepeated { case, failure } => {
                let cause = self.cause(failure);
                let repeated = self.cases.get_mut(*case as usize)?;
                // It gets its own group after all others.
                let group = CaseGroup { cases: vec![*case], ..CaseGroup::default() };
                self.waves.push(self.policy.waves_of(&group).1);
                repeated.launches = repeated.started + launches_of_group(&self.policy);
                let text = format!("{}: {cause}; to be measured again alone", repeated.label);
                return self.is_told(&format!("to be measured again alone: {cause}")).then_some(text);
            }
            Event::Expected { total_s } => self.budget_s = Some(*total_s),
            _ => {}
        }
        None
    }

    /// Counts an outcome of a case; returns whether it gets its own line.
    fn is_told(&mut self, text: &str) -> bool {
        let times = self.alike.entry(text.to_owned()).or_default();
        *times += 1;
        *times <= ALIKE_MAX
    }

    /// One line per cause for the cases that failed alike and had no line.
    pub fn untold(&mut self) -> Vec<String> {
        let alike = std::mem::take(&mut self.alike).into_iter();
        let untold = alike.filter(|(_, times)| *times > ALIKE_MAX);
        untold.map(|(text, times)| format!("{} more {text}", times - ALIKE_MAX)).collect()
    }

    pub fn resumed(&mut self, run: &tare_model::Run) {
        for launch in &run.launches {
            let case = launch.case as usize;
            self.launches.push(LaunchProgress { case, visits: 0.0, is_over: true });
            if let Some(case) = self.cases.get_mut(case) {
                case.started += 1.0;
                case.launches = case.launches.max(case.started);
            }
        }
        for (case, _) in run.results.iter().enumerate().filter(|(_, r)| r.complete || r.failure.is_some()) {
            self.end(case as u32, String::new());
        }
        // Its time counts towards the whole run's.
        self.budget_s = self.budget_s.map(|budget| budget - run.elapsed_s);
        self.before = self.launches.len() as f64;
    }

    fn end(&mut self, case: u32, text: String) -> Option<String> {
        let of = self.cases.len();
        let case = self.cases.get_mut(case as usize)?;
        case.is_over = true;
        self.over += 1;
        Some(format!("[{}/{of}] {}: {text}", self.over, case.label))
    }

    fn expected(case: &CaseProgress) -> f64 {
        if case.is_over {
            case.started
        } else {
            case.launches
        }
    }

    /// Launches of each case, with fractions for those in progress. A launch has more rounds if the core is shared, so how many are left is
    /// unknown until it ends.
    fn done(&self) -> Vec<f64> {
        const NEARLY: f64 = 0.95;
        let mut done = vec![0.0; self.cases.len()];
        for launch in &self.launches {
            let Some(case) = self.cases.get(launch.case) else { continue };
            let part = (launch.visits / self.rounds(case)).min(NEARLY);
            done[launch.case] += if launch.is_over || case.is_over { 1.0 } else { part };
        }
        done
    }

    fn rounds(&self, case: &CaseProgress) -> f64 {
        let rounds = f64::from(self.policy.rounds);
        // A launch of whole commands has as many rounds as fit its time, estimated from the first ones.
        let fitting = self.policy.launch_ns.map(|launch_ns| (launch_ns * case.visits / case.visits_ns).trunc());
        fitting.map_or(rounds, |fitting| if fitting.is_nan() { 1.0 } else { fitting.clamp(1.0, rounds) })
    }

    fn share(&self) -> f64 {
        let expected: f64 = self.cases.iter().map(Progress::expected).sum();
        let done: f64 = self.done().iter().sum();
        let (done, expected) = (done - self.before, expected - self.before);
        if expected > 0.0 {
            (done / expected).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    pub fn line(&self, elapsed: Duration, columns: usize, glyphs: Glyphs) -> String {
        let Some(Current { case, wave, waves, doing }) = self.current else { return String::new() };
        let share = self.share();
        let mut tail = format!("  {doing}  wave {}/{waves}  {:2.0} %", wave + 1, share * 100.0);
        if let Some(left) = self.left_s(elapsed, share) {
            tail.push_str(&format!("  {} left", rough(left)));
        }
        let label = self.cases.get(case).map_or("", |c| c.label.as_str());
        // One column stays free: some terminals wrap in the last one.
        let room = columns.saturating_sub(width(&tail) + 1);
        if room < 8 {
            return cut_middle(label, columns.saturating_sub(1), glyphs);
        }
        format!("{}{tail}", cut_middle(label, room, glyphs))
    }

    /// Remaining time of the launches that are made in any case; None if unknown.
    fn first_launches_s(&self, elapsed: f64) -> Option<f64> {
        if !self.policy.first_waves_always {
            return None;
        }
        let always = f64::from(LAUNCHES_ALWAYS);
        let wanted = |case: &CaseProgress| Progress::expected(case).min(always);
        let of_all: f64 = self.cases.iter().map(wanted).sum();
        let done: f64 = self.cases.iter().zip(self.done()).map(|(case, done)| done.min(wanted(case))).sum();
        (done > self.before).then(|| elapsed * (of_all - done) / (done - self.before))
    }

    fn left_s(&self, elapsed: Duration, share: f64) -> Option<f64> {
        // Below this the estimate would jump.
        const SHARE_MIN: f64 = 0.03;
        let elapsed = elapsed.as_secs_f64();
        let by_visits = (share >= SHARE_MIN).then(|| elapsed * (1.0 - share) / share);
        let by_budget = self.budget_s.map(|budget| {
            let left = (budget - elapsed).max(0.0);
            self.first_launches_s(elapsed).map_or(left, |first| left.max(first))
        });
        match (by_visits, by_budget) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

pub fn longer(budget_s: f64) -> String {
    format!("this takes about {}: {LAUNCHES_ALWAYS} launches of each need it", rough(budget_s))
}

/// The maximum duration of a plan, if it is long.
pub fn at_most(plan: &Plan) -> Option<String> {
    let budget_s = plan.policy.budget_s.filter(|budget_s| *budget_s >= ANNOUNCED_S)?;
    let is_comparison = plan.cases.iter().any(|case| case.side.is_some());
    let what = match is_comparison {
        true => plural(plan.groups.len() as u64, "benchmark"),
        false => plural(plan.cases.len() as u64, "case"),
    };
    let how = match plan.policy.first_waves_always {
        true => format!(", longer only for {LAUNCHES_ALWAYS} launches of each (`--budget`)"),
        false => String::new(),
    };
    Some(format!("{what}: at most {}{how}", rough(budget_s)))
}

fn launches_of_group(policy: &Policy) -> f64 {
    f64::from(policy.width) * f64::from(policy.waves_max)
}

/// The names of the cases; with their programs only if the names alone are not unique, as in the table.
fn labels(plan: &Plan, jobs: &[Job]) -> Vec<String> {
    // The side, and the job if there are several, follow the name: `bench.cpp:parse/strtol@new`.
    let of_side = |case: &Case, name: &str| {
        let job = jobs.get(case.job as usize).filter(|_| jobs.len() > 1).map(|job| clean(&job.id));
        match case.side.map(|side| side.name().to_owned()).or(job) {
            Some(behind) => format!("{}@{behind}", clean(name)),
            None => clean(name),
        }
    };
    let bare = |case: &Case| {
        let from = case.key.rfind(&tare_engine::filter_name(&case.benchmark)).unwrap_or(0);
        of_side(case, &case.key[from..])
    };
    let names: Vec<String> = plan.cases.iter().map(bare).collect();
    let names = match names.iter().collect::<HashSet<_>>().len() == names.len() {
        true => names,
        false => plan.cases.iter().map(|case| of_side(case, &case.key)).collect(),
    };
    names.iter().map(|name| short(name)).collect()
}

fn doing(stage: Stage) -> &'static str {
    match stage {
        Stage::Jitting | Stage::Pilot => "pilot",
        Stage::Warmup => "warmup",
        Stage::Overhead | Stage::Rolled => "overhead",
        Stage::Actual => "measuring",
    }
}

/// From here on the loop around the body is negligible, ns.
const LOOP_NAMED_BELOW_NS: f64 = 10_000.0;

fn finished(case: &CaseProgress, glyphs: Glyphs) -> String {
    let mut times: Vec<f64> = case.times_ns.clone();
    times.sort_by(f64::total_cmp);
    match times.get(times.len() / 2) {
        Some(median) if *median >= LOOP_NAMED_BELOW_NS || !case.has_loop => {
            format!("about {}", duration(*median, glyphs))
        }
        Some(median) if *median > 0.0 => format!("about {} including the loop", duration(*median, glyphs)),
        _ => "done".to_owned(),
    }
}

/// `12 s`, `3 min`, `2 h`: estimates are rounded.
fn rough(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{:.0} s", s.ceil()),
        s if s < 6000.0 => format!("{:.0} min", (s / 60.0).ceil()),
        s => format!("{:.0} h", (s / 3600.0).ceil()),
    }
}
