//! Plays scenes: one process each, step by step until something goes wrong.

use super::exchange::Exchange;
use super::results::{not_about, passed, result, with_other_rule};
use super::script::{Expected, Scene, Start, State, Step};
use super::trouble::Trouble;
use super::{examine, shipped, ConformanceReport, Options, Outcome, SceneResult};
use crate::measured::{missing_column, missing_metric, wrong_diagnosis, wrong_windows};
use crate::run_folder::RunFolder;
use std::cell::Cell;
use std::time::{Duration, Instant};
use tare_model::{Benchmark, ChildFacts, Columns, Diagnoser};
use tare_protocol::Reply;

/// Benchmarks examined to find a fast one.
const PROBED_MAX: usize = 50;
/// Processes that this may cost.
const PROBE_LAUNCHES: u32 = 4;
/// After this many timeouts, the time limit becomes short: otherwise a child that always hangs would take an hour.
const TIMEOUTS_MAX: u32 = 2;
const SHORT_TIMEOUT: Duration = Duration::from_secs(if cfg!(test) { 300 } else { 2 });

const WINDOWS: &str = "windows";
/// Prefix of the reason why a scene about a conformance benchmark is skipped.
pub(super) const MISSING: &str = "the child has no benchmark `";

/// Examines the child once, then plays scenes.
pub(super) struct Player<'a> {
    command: &'a [String],
    options: &'a Options,
    begin: Instant,
    pub(super) facts: Option<ChildFacts>,
    pub(super) benchmarks: Vec<Benchmark>,
    /// Indices of benchmarks that can be opened and measured: those that close come first, then those without iteration set-up, then the
    /// fastest.
    pub(super) usable: Vec<u32>,
    /// A problem met while probing.
    probe_trouble: Option<String>,
    timeouts: u32,
    /// Whether it writes a line unasked, if known.
    greets: Option<bool>,
    /// The benchmark that a scene opened by name.
    opened: Option<u32>,
    /// Each process gets a part of it: a killed process cannot remove its own folder.
    folder: RunFolder,
    started: Cell<u32>,
}

/// A benchmark that was opened and measured once.
#[derive(Debug, Clone, Copy)]
struct Tried {
    index: u32,
    elapsed_ns: f64,
    /// Its clean-up succeeded.
    closes: bool,
}

/// Sorts the best candidates for tests first. Which one is fastest may depend on machine load.
fn in_order(mut tried: Vec<Tried>, is_untimed: impl Fn(u32) -> bool) -> Vec<u32> {
    let last = |tried: &Tried| (!tried.closes, is_untimed(tried.index));
    tried.sort_by(|a, b| last(a).cmp(&last(b)).then(a.elapsed_ns.total_cmp(&b.elapsed_ns)));
    tried.into_iter().map(|tried| tried.index).collect()
}

impl<'a> Player<'a> {
    pub(super) fn new(command: &'a [String], options: &'a Options) -> Player<'a> {
        Player {
            command,
            options,
            begin: Instant::now(),
            facts: None,
            benchmarks: Vec::new(),
            usable: Vec::new(),
            probe_trouble: None,
            timeouts: 0,
            greets: None,
            opened: None,
            folder: RunFolder::new(),
            started: Cell::new(0),
        }
    }

    pub(super) fn play(mut self, scenes: &[Scene]) -> ConformanceReport {
        self.probe();
        let results: Vec<SceneResult> = scenes.iter().flat_map(|scene| self.play_scene(scene)).collect();
        ConformanceReport {
            command: self.command.to_vec(),
            facts: self.facts,
            benchmarks: self.benchmarks,
            scenes: results,
        }
    }

    fn timeout(&self) -> Duration {
        let whole = self.options.step_timeout;
        if !self.hangs() {
            return whole;
        }
        whole.min(SHORT_TIMEOUT).min(self.options.total_timeout.saturating_sub(self.begin.elapsed()))
    }

    /// Whether it hangs, so that the total time limit applies. A child that answers is at work, however busy the machine.
    fn hangs(&self) -> bool {
        self.timeouts >= TIMEOUTS_MAX
    }

    pub(super) fn exchange(&self, start: &Start) -> Result<Exchange, Trouble> {
        let part = self.folder.of(self.started.get());
        self.started.set(self.started.get() + 1);
        Exchange::start(self.command, (start, part.as_deref()), self.timeout(), self.greets)
    }

    fn finish(&mut self, exchange: Exchange) {
        self.timeouts += u32::from(exchange.timed_out);
        self.greets = exchange.greets;
        exchange.finish();
    }

    /// First look: the answer to `hello`, the list, and which benchmarks are usable.
    fn probe(&mut self) {
        let mut tried = Vec::new();
        let mut next = 0;
        for _ in 0..PROBE_LAUNCHES {
            let mut exchange = match self.exchange(&Start::Link) {
                Ok(exchange) => exchange,
                Err(trouble) => return self.probe_trouble = Some(trouble.reason),
            };
            let looked = self.look(&mut exchange, &mut next, &mut tried);
            self.finish(exchange);
            match looked {
                Ok(()) => break,
                // Another process would not answer either, and waiting takes long.
                Err(trouble) if self.facts.is_none() => return self.probe_trouble = Some(trouble.reason),
                // The benchmark that was open is left out.
                Err(trouble) => self.probe_trouble = Some(trouble.reason),
            }
            next += 1;
        }
        self.usable = in_order(tried, |index| self.has_untimed_part(index));
    }

    /// An iteration takes longer than its elapsed time.
    pub(super) fn has_untimed_part(&self, index: u32) -> bool {
        self.benchmarks.get(index as usize).is_some_and(Benchmark::has_iteration_set_up)
    }

    /// The child supports windows, but not for this benchmark.
    fn has_no_windows(&self, index: u32) -> bool {
        let cuts = self.facts.as_ref().is_some_and(|facts| facts.can(WINDOWS));
        cuts && self.benchmarks.get(index as usize).is_some_and(|benchmark| benchmark.restarts)
    }

    fn look(&mut self, exchange: &mut Exchange, next: &mut usize, tried: &mut Vec<Tried>) -> Result<(), Trouble> {
        self.hello(exchange)?;
        self.benchmarks = list(exchange)?;
        for index in (*next..self.benchmarks.len().min(PROBED_MAX)).filter_map(|i| u32::try_from(i).ok()) {
            *next = index as usize;
            // The scenes ask for windows, and for more invocations than such a benchmark prepares.
            if self.benchmarks[index as usize].invocations_max.is_some() || self.has_no_windows(index) {
                continue;
            }
            if !matches!(exchange.ask(&format!("open {index} 0"))?, Reply::Opened { .. }) {
                continue;
            }
            let measured = exchange.ask("measure workload 1 1 0")?;
            if let Reply::Measured(columns) = measured {
                let elapsed_ns = columns.elapsed_ns.first().copied().unwrap_or(f64::MAX);
                tried.push(Tried { index, elapsed_ns, closes: false });
            }
            let closes = matches!(exchange.ask("close")?, Reply::Closed);
            tried.iter_mut().filter(|tried| tried.index == index).for_each(|tried| tried.closes = closes);
        }
        Ok(())
    }

    fn hello(&mut self, exchange: &mut Exchange) -> Result<(), Trouble> {
        match exchange.ask("hello 1")? {
            Reply::Hello(facts) => {
                self.facts.get_or_insert(*facts);
                Ok(())
            }
            other => Err(Trouble::broken(format!("`hello 1` is answered by `{}`", other.kind()))),
        }
    }

    fn play_scene(&mut self, scene: &Scene) -> Vec<SceneResult> {
        if let Some(trouble) = self.not_to_play(scene) {
            return vec![result(scene, &trouble, Vec::new())];
        }
        let mut exchange = match self.exchange(&scene.start) {
            Ok(exchange) => exchange,
            Err(trouble) => return vec![result(scene, &trouble, Vec::new())],
        };
        let played = self.steps(scene, &mut exchange);
        let results = match played {
            Ok(()) => vec![passed(scene)],
            Err(trouble) => {
                let trouble = self.without_hello(scene, trouble);
                exchange.note_output();
                with_other_rule(scene, &trouble, std::mem::take(&mut exchange.lines))
            }
        };
        self.finish(exchange);
        results
    }

    /// Without an answer to `hello`, little can be decided.
    fn without_hello(&self, scene: &Scene, trouble: Trouble) -> Trouble {
        match (&self.facts, trouble.rule, scene.rule) {
            (Some(_), _, _) | (_, Some(_), _) => trouble,
            (_, _, rule) if needs_no_hello(rule) => trouble,
            _ => not_about("no reply to `hello`", trouble),
        }
    }

    fn not_to_play(&self, scene: &Scene) -> Option<Trouble> {
        if let Some(why) = &scene.unseen {
            return Some(Trouble::not_applicable(why.clone()));
        }
        if scene.long && !self.options.long {
            return Some(Trouble::not_applicable("it is slow and was not requested"));
        }
        // Another wait would not test rules that need an answer first.
        if self.facts.is_none() && self.hangs() && !needs_no_hello(scene.rule) {
            return Some(Trouble::undecided("no reply to `hello`"));
        }
        if tare_process::interrupted() {
            return Some(Trouble::undecided("interrupted"));
        }
        if self.hangs() && self.begin.elapsed() >= self.options.total_timeout {
            return Some(Trouble::undecided(format!("the time limit of {:?} is reached", self.options.total_timeout)));
        }
        if self.facts.is_some() {
            let missing = scene.benchmarks.iter().find(|name| shipped::find(&self.benchmarks, name).is_none());
            if let Some(name) = missing {
                return Some(Trouble::not_applicable(format!("{MISSING}{name}`")));
            }
        }
        let capability = scene.needs.as_ref()?;
        let named = || scene.benchmarks.iter().filter_map(|name| shipped::find(&self.benchmarks, name));
        if let Some(one) = named().find(|one| capability == WINDOWS && self.has_no_windows(one.index)) {
            return Some(Trouble::not_applicable(format!(
                "no windows are asked for of `{}`, which restarts",
                one.name
            )));
        }
        let Some(facts) = &self.facts else {
            return Some(Trouble::undecided("the capabilities are unknown: `hello` was not answered"));
        };
        let lacks = || Trouble::not_applicable(format!("the child lacks the capability `{capability}`"));
        (!facts.can(capability)).then(lacks)
    }

    fn steps(&mut self, scene: &Scene, exchange: &mut Exchange) -> Result<(), Trouble> {
        let about = scene.steps.iter().rposition(|step| *step == Step::Then).unwrap_or(0);
        let mut request = String::new();
        for (number, step) in scene.steps.iter().enumerate() {
            let done = self.step(scene.rule, step, &mut request, exchange);
            done.map_err(|trouble| match (step, number < about) {
                (Step::Reach(State::Ready), _) => not_about("the state `ready` was not reached", trouble),
                (Step::Reach(State::Opened), _) => not_about("the state `opened` was not reached", trouble),
                (_, true) => not_about("an earlier step failed", trouble),
                _ => trouble,
            })?;
        }
        Ok(())
    }

    fn step(&mut self, rule: u32, step: &Step, request: &mut String, exchange: &mut Exchange) -> Result<(), Trouble> {
        // Scenes of these rules test how often a request is answered.
        let own = |trouble: Trouble| match (trouble.rule, rule) {
            (Some(8), 2 | 6) => Trouble { rule: None, ..trouble },
            _ => trouble,
        };
        match step {
            Step::Reach(state) => self.reach(*state, exchange),
            // R9: it would end the child.
            Step::Send(text) if text.contains("$FIRST") && self.facts.is_some() && self.benchmarks.is_empty() => {
                Err(self.nothing_to_open())
            }
            Step::Send(text) => {
                *request = self.filled(text);
                exchange.send(&format!("{request}\n")).map_err(own)
            }
            Step::SendPart(text) => exchange.send(text),
            Step::Expect(expected) if expected.kind == "opened" && self.usable.is_empty() => {
                Err(self.nothing_to_open())
            }
            Step::Expect(expected) => self.expect(exchange, expected, request).map_err(own),
            Step::Open(name) => {
                let missing = || Trouble::not_applicable(format!("{MISSING}{name}`"));
                let benchmark = shipped::find(&self.benchmarks, name).ok_or_else(missing)?;
                shipped::open(benchmark, exchange)?;
                self.opened = Some(benchmark.index);
                Ok(())
            }
            Step::Says(text) => {
                let opened = self.opened.and_then(|index| self.benchmarks.get(index as usize));
                shipped::says(text, opened, exchange).map_err(own)
            }
            Step::Silent(time) => exchange.silent(*time).map_err(|mut trouble| {
                // An unsolicited line breaks R5, a second reply R8, whatever the scene tests.
                if trouble.outcome == Outcome::Fail && trouble.rule.is_none() && !matches!(rule, 5 | 8) {
                    trouble.rule = Some(5);
                }
                trouble
            }),
            Step::HangUp => {
                exchange.hang_up();
                Ok(())
            }
            Step::Exit(code) => exchange.exit(*code).map_err(|trouble| match (code, trouble.rule, trouble.outcome) {
                // Status 0 is reserved for an exit after `bye`.
                (Some(0), None, Outcome::Fail) => Trouble { rule: Some(20), ..trouble },
                _ => trouble,
            }),
            Step::NoStrays => exchange.no_strays(),
            Step::NoFramesPrinted => exchange.no_frames_printed(),
            Step::PrintedLines(count) => exchange.printed_lines(*count),
            Step::Examine(what) => examine::examine(self, *what, exchange),
            Step::Then => Ok(()),
        }
    }

    /// Why no benchmark can be opened.
    fn nothing_to_open(&self) -> Trouble {
        match (&self.facts, &self.probe_trouble) {
            (_, Some(reason)) => Trouble::undecided(reason.clone()),
            (Some(_), None) if self.benchmarks.is_empty() => Trouble::not_applicable("the list is empty"),
            _ => Trouble::undecided("no benchmark can be opened and measured"),
        }
    }

    pub(super) fn reach(&mut self, state: State, exchange: &mut Exchange) -> Result<(), Trouble> {
        if state == State::Opened && self.usable.is_empty() {
            return Err(self.nothing_to_open());
        }
        self.hello(exchange)?;
        if state == State::Opened {
            let request = self.filled("open $FIRST 0");
            match exchange.ask(&request)? {
                Reply::Opened { .. } => {}
                other => return Err(Trouble::undecided(format!("`{request}` is answered by `{}`", other.kind()))),
            }
        }
        Ok(())
    }

    fn filled(&self, text: &str) -> String {
        let unroll = self.facts.as_ref().map_or(1, |facts| facts.unroll);
        let text = match text.split_once('@') {
            Some((before, after)) => {
                let (name, rest) = after.split_once(' ').unwrap_or((after, ""));
                let index = shipped::find(&self.benchmarks, name).map_or(0, |benchmark| benchmark.index);
                format!("{before}{index} {rest}")
            }
            None => text.to_owned(),
        };
        text.replace("$FIRST", &self.usable.first().copied().unwrap_or(0).to_string())
            .replace("$DIAGNOSER", self.diagnoser().map_or("", |diagnoser| &diagnoser.name))
            .replace("$ODD", &(unroll.saturating_mul(2) + 1).to_string())
            .replace("$HELLO", &format!("hello 1{}", " x".repeat((tare_protocol::REQUEST_BYTES_MAX - 8) / 2)))
    }

    fn expect(&mut self, exchange: &mut Exchange, expected: &Expected, request: &str) -> Result<(), Trouble> {
        for reply in exchange.expect(expected)? {
            match reply {
                Reply::Hello(facts) => drop(self.facts.get_or_insert(*facts)),
                Reply::Measured(columns) => self.columns(&columns, expected.iterations, request)?,
                Reply::Diagnosed { metrics: found, .. } => {
                    let metrics = self.diagnoser().map_or(&[][..], |diagnoser| &diagnoser.metrics);
                    let iterations = expected.iterations.unwrap_or_default() as u64;
                    if let Some(reason) = wrong_diagnosis(&found, metrics, iterations) {
                        return Err(Trouble::broken_rule(23, format!("`{request}`: {reason}")));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The diagnoser used by scenes.
    fn diagnoser(&self) -> Option<&Diagnoser> {
        self.facts.as_ref().and_then(|facts| facts.diagnosers.first())
    }

    /// R19.
    fn columns(&self, columns: &Columns, iterations: Option<usize>, request: &str) -> Result<(), Trouble> {
        let entries = columns.elapsed_ns.len();
        if iterations.is_some_and(|wanted| wanted != entries) {
            return Err(Trouble::broken_rule(19, format!("`elapsed_ns` of `{request}` has {entries} entries")));
        }
        if let Some(reason) = wrong_windows(columns, windows_of(request)) {
            return Err(Trouble::broken_rule(19, format!("`{request}`: {reason}")));
        }
        let Some(facts) = self.facts.as_ref().filter(|_| !request.starts_with("measure overhead")) else {
            return Ok(());
        };
        if entries == 0 {
            return Ok(());
        }
        if let Some((capability, name)) = missing_column(columns, &facts.capabilities) {
            let reason = format!("the capability `{capability}` is declared, but the column `{name}` is missing");
            return Err(Trouble::broken_rule(19, reason));
        }
        if let Some(name) = missing_metric(columns, &facts.metrics) {
            let reason = format!("`hello` declares the metric `{name}`, but `metrics` does not contain it");
            return Err(Trouble::broken_rule(19, reason));
        }
        Ok(())
    }
}

fn needs_no_hello(rule: u32) -> bool {
    matches!(rule, 1 | 4 | 5 | 8 | 10)
}

fn windows_of(request: &str) -> u64 {
    request.split(' ').nth(5).and_then(|word| word.parse().ok()).unwrap_or(0)
}

pub(super) fn list(exchange: &mut Exchange) -> Result<Vec<Benchmark>, Trouble> {
    exchange.send("list\n")?;
    let expected = Expected { kind: "list".to_owned(), error: String::new(), step: None, iterations: None };
    let replies = exchange.expect(&expected)?;
    let lines = replies.into_iter().filter_map(|reply| match reply {
        Reply::Benchmark(benchmark) => Some(*benchmark),
        _ => None,
    });
    Ok(lines.collect())
}

#[cfg(test)]
mod tests {
    use super::{in_order, Tried};

    #[test]
    fn what_cannot_be_closed_is_used_last_however_fast_it_is() {
        let tried = |index, elapsed_ns, closes| Tried { index, elapsed_ns, closes };
        let all = vec![tried(0, 90.0, true), tried(1, 5.0, true), tried(2, 70.0, true), tried(3, 1.0, false)];
        assert_eq!(in_order(all, |index| index == 1), [2, 0, 1, 3]);
    }
}
