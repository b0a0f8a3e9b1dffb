//! Checks that a transcript cannot express: whether numbers are correct.

use super::exchange::Exchange;
use super::player::{list, Player};
use super::script::{Examination, Start, State};
use super::shipped;
use super::trouble::Trouble;
use crate::measured::wrong_windows;
use std::collections::BTreeSet;
use std::time::Instant;
use tare_analysis::windows::{ProbeFault, ProcessReadings};
use tare_model::{Benchmark, Series, Stage};
use tare_protocol::{ErrorKind, Reply};

/// A time that is long compared with a clock read, and short compared with a time slice on a busy machine, in ns.
const LONG_NS: f64 = 3e5;
/// Slower invocations are not repeated for a test, in ns.
const SLOW_NS: f64 = 2e8;
/// Requests with more work than this reveal whether times are nanoseconds, in ns.
const WRONG_UNIT_NS: f64 = 1e8;
/// No real body does this many invocations in [`LONG_NS`].
const INVOCATIONS_MAX: u64 = 1 << 34;
/// Iterations of a request; the shortest, least disturbed one counts.
pub(super) const ITERATIONS: u64 = 7;
/// Iterations with windows, and windows of each: enough that windows which split an iteration's invocations among them are far too short,
/// even if a busy machine makes them look longer.
const WINDOWED: u64 = 1;
const WINDOWS: u64 = 16;
/// Windows per iteration whose width-probe readings are checked: many, since a late compiler folds code that has run often.
const READINGS: u64 = 100;
/// Most iterations of that test ...
const ITERATIONS_READ: f64 = 200.0;
/// ... and the time of their invocations, in ns.
const READINGS_NS: f64 = 5e7;
/// Requests; the shortest counts.
const REQUESTS: u32 = 3;
/// Shortest time that the host's clock can see on a busy machine, in ns.
const VISIBLE_NS: f64 = 5e7;
/// Attempts at a test of times: the machine may be busy.
const TRIES: u32 = 4;
/// Requests before the first that counts.
const COLD_REQUESTS: u32 = 2;
/// Benchmarks tried until one behaves.
const CANDIDATES: usize = 5;
/// Benchmarks checked for failures.
const OPENED_MAX: usize = 200;

pub(super) fn examine(player: &mut Player<'_>, what: Examination, exchange: &mut Exchange) -> Result<(), Trouble> {
    match what {
        Examination::UniqueList => unique_list(exchange),
        Examination::SameList => same_list(player, exchange),
        Examination::SameListAgain => same(&player.benchmarks, &list(exchange)?, "when asked again"),
        Examination::EveryBenchmark => every_benchmark(player, exchange),
        Examination::Nanoseconds => nanoseconds(player, exchange),
        Examination::Growth => with_candidates(player, exchange, growth),
        Examination::Lead => with_candidates(player, exchange, lead),
        Examination::Overhead => with_candidates(player, exchange, overhead),
        Examination::Windows => with_candidates(player, exchange, windows),
        Examination::WidthProbe => width_probe(player, exchange),
        Examination::Digests => shipped::digests(player, exchange),
        Examination::Texts => shipped::texts(player, exchange),
        Examination::LongText => shipped::long_text(exchange),
        Examination::Cost => shipped::cost(player, exchange),
        Examination::Parameters => shipped::parameters(exchange),
        Examination::Operations => shipped::operations(player, exchange),
        Examination::IterationOperations => shipped::iteration_operations(player, exchange),
        Examination::Once => shipped::once(player, exchange),
        Examination::Strategies => shipped::strategies(&list(exchange)?),
    }
}

fn unique_list(exchange: &mut Exchange) -> Result<(), Trouble> {
    exchange.send("list\n")?;
    let mut seen = BTreeSet::new();
    let mut count = 0;
    loop {
        match exchange.reply()? {
            Reply::Benchmark(benchmark) => {
                if u64::from(benchmark.index) != count {
                    return Err(Trouble::broken(format!("line {count} of the list has index {}", benchmark.index)));
                }
                count += 1;
                if benchmark.name.is_empty() {
                    return Err(Trouble::broken(format!("line {} of the list has no name", count - 1)));
                }
                let name = format!("{} {}", benchmark.full_name(), benchmark.parameter_text());
                if benchmark.invalid.is_none() && !seen.insert(name.clone()) {
                    return Err(Trouble::broken(format!("`{}` is in the list twice", name.trim())));
                }
            }
            Reply::End { count: reported, .. } if reported == count => return Ok(()),
            Reply::End { count: reported, .. } => {
                return Err(Trouble::broken(format!("the list has {count} lines, but its end says {reported}")));
            }
            other => return Err(Trouble::broken(format!("a `{}` reply is in the list", other.kind()))),
        }
    }
}

fn same_list(player: &mut Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    player.reach(State::Ready, exchange).map_err(|trouble| Trouble::undecided(trouble.reason))?;
    let first = list(exchange)?;
    for _ in 0..2 {
        let mut other = player.exchange(&Start::Link)?;
        let listed = player.reach(State::Ready, &mut other).and_then(|()| list(&mut other));
        other.finish();
        same(&first, &listed?, "in another process")?;
    }
    Ok(())
}

fn same(first: &[Benchmark], second: &[Benchmark], when: &str) -> Result<(), Trouble> {
    if first.len() != second.len() {
        let (a, b) = (first.len(), second.len());
        return Err(Trouble::broken(format!("the list has {a} lines, and {b} {when}")));
    }
    match first.iter().zip(second).find(|(a, b)| a != b) {
        None => Ok(()),
        Some((a, b)) => {
            let text = |x: &Benchmark| format!("{} {}", x.full_name(), x.parameter_text()).trim().to_owned();
            Err(Trouble::broken(format!("benchmark {} is `{}`, and `{}` {when}", a.index, text(a), text(b))))
        }
    }
}

/// R12: opens and checks every benchmark, and verifies the state after each failure.
fn every_benchmark(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let mut failures = 0;
    // The host never opens a benchmark that the list marks as skipped.
    let is_open = |index: &usize| player.benchmarks[*index].skipped.is_none();
    for index in (0..player.benchmarks.len()).filter(is_open).take(OPENED_MAX) {
        let seen = one_benchmark(exchange, index);
        failures += seen.map_err(|trouble| match trouble.reason.starts_with("no reply") {
            // R9: the child believed to be in another state.
            true if trouble.reason.ends_with("exited with status 2") => Trouble::broken(trouble.reason),
            // The protocol does not cover crashes of user code.
            true => Trouble { rule: None, ..Trouble::undecided(format!("benchmark {index}: {}", trouble.reason)) },
            false => trouble,
        })?;
    }
    if failures == 0 {
        return Err(Trouble::not_applicable("no benchmark fails"));
    }
    Ok(())
}

fn one_benchmark(exchange: &mut Exchange, index: usize) -> Result<u32, Trouble> {
    match exchange.ask(&format!("open {index} 0"))? {
        Reply::Opened { .. } => {}
        Reply::Error(error) if is_of_body(&error.kind) || error.kind == ErrorKind::Skipped => {
            is_ready(exchange, "a set-up that failed or skipped")?;
            return Ok(1);
        }
        other => return Err(Trouble::broken(format!("`open {index} 0` is answered by `{}`", other.kind()))),
    }
    let mut failures = 0;
    match exchange.ask("check")? {
        Reply::Checked { .. } => {}
        Reply::Error(error) if is_of_body(&error.kind) => failures += 1,
        other => return Err(Trouble::broken(format!("`check` is answered by `{}`", other.kind()))),
    }
    match exchange.ask("close")? {
        Reply::Closed => {}
        Reply::Error(error) if is_of_body(&error.kind) => failures += 1,
        other => return Err(Trouble::broken(format!("`close` is answered by `{}` after `check`", other.kind()))),
    }
    is_ready(exchange, "`close`")?;
    Ok(failures)
}

/// The failure came from the user's code, or from a program it runs.
fn is_of_body(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::Exception | ErrorKind::Failed)
}

fn is_ready(exchange: &mut Exchange, after: &str) -> Result<(), Trouble> {
    let broken = |_| Trouble::broken(format!("after {after} the child is not in the state `ready`"));
    list(exchange).map(drop).map_err(broken)
}

/// The shortest elapsed time of one `measure`, in ns, and the wall time of the whole request by the host's clock.
pub(super) fn measure(
    exchange: &mut Exchange,
    which: &str,
    iterations: u64,
    invocations: u64,
    lead: u64,
) -> Result<(f64, f64), Trouble> {
    let begin = Instant::now();
    match exchange.ask(&format!("measure {which} {iterations} {invocations} {lead}"))? {
        Reply::Measured(columns) if !columns.elapsed_ns.is_empty() => {
            let wall = begin.elapsed().as_nanos() as f64;
            Ok((columns.elapsed_ns.iter().copied().fold(f64::INFINITY, f64::min), wall))
        }
        Reply::Measured(_) => Err(Trouble::broken_rule(19, "`elapsed_ns` is empty")),
        Reply::Error(error) => Err(Trouble::undecided(format!("the benchmark failed: {}", error.message))),
        other => Err(Trouble::broken_rule(8, format!("`measure` is answered by `{}`", other.kind()))),
    }
}

/// Invocations that take at least [`LONG_NS`] and not much longer, or one if it takes longer, with their time in ns.
pub(super) fn calibrate(exchange: &mut Exchange, untimed: bool) -> Result<(u64, f64), Trouble> {
    let mut invocations = 1;
    // The first requests include loading and compiling, and are not checked.
    for _ in 0..COLD_REQUESTS {
        measure(exchange, "workload", 3, 1, 1)?;
    }
    let mut strange = 0;
    loop {
        let before = exchange.cpu_ns();
        let (time, wall) = measure(exchange, "workload", 3, invocations, 0)?;
        let worked = worked_ns(wall, before, exchange.cpu_ns());
        if !untimed && is_another_unit(time * 3.0, worked) {
            strange += 1;
            if strange < TRIES {
                continue;
            }
            let reason = format!("`elapsed_ns` is {time} in three iterations, but the child worked for {worked} ns");
            return Err(Trouble::broken_rule(7, reason));
        }
        if time >= LONG_NS {
            return Ok((invocations, time));
        }
        if invocations >= INVOCATIONS_MAX {
            let reason = format!("`elapsed_ns` is {time} for {invocations} invocations: they cannot all have run");
            return Err(Trouble::broken_rule(15, reason));
        }
        let factor = if time > LONG_NS / 100.0 { (1.3 * LONG_NS / time).ceil() } else { 16.0 };
        invocations = invocations.saturating_mul(factor as u64).min(INVOCATIONS_MAX);
    }
}

/// How long a child worked on a request with this wall time, in ns. It is the CPU time, since on a busy machine the child also waits for a
/// processor, or the wall time if the system does not report CPU time.
fn worked_ns(wall: f64, before: Option<u64>, after: Option<u64>) -> f64 {
    match (before, after) {
        (Some(before), Some(after)) => wall.min(after.saturating_sub(before) as f64),
        _ => wall,
    }
}

/// The reported times are too short for the work to be nanoseconds.
fn is_another_unit(said_ns: f64, worked_ns: f64) -> bool {
    worked_ns > WRONG_UNIT_NS && said_ns < worked_ns * 0.05
}

/// Tries a test on several benchmarks: one success is enough, because bodies may do anything.
fn with_candidates(
    player: &Player<'_>,
    exchange: &mut Exchange,
    test: fn(&mut Exchange, bool) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut worst = Err(Trouble::not_applicable("no benchmark can be opened and measured"));
    for index in player.usable.iter().take(CANDIDATES) {
        if !matches!(exchange.ask(&format!("open {index} 0"))?, Reply::Opened { .. }) {
            continue;
        }
        worst = test(exchange, player.has_untimed_part(*index));
        if worst.as_ref().map_or_else(|trouble| trouble.rule.is_some(), |()| true) {
            return worst;
        }
        exchange.ask("close")?;
    }
    worst
}

/// Repeats a test of times: noise fails it sometimes, a faulty child always.
pub(super) fn tries(mut test: impl FnMut() -> Result<Option<String>, Trouble>) -> Result<(), Trouble> {
    let mut reason = String::new();
    for _ in 0..TRIES {
        match test()? {
            None => return Ok(()),
            Some(why) => reason = why,
        }
    }
    Err(Trouble::broken(reason))
}

fn growth(exchange: &mut Exchange, untimed: bool) -> Result<(), Trouble> {
    let (few, time) = calibrate(exchange, untimed)?;
    if time > SLOW_NS {
        return Err(Trouble::not_applicable("one invocation takes too long to run four"));
    }
    let many = few.saturating_mul(4);
    tries(|| {
        let (short, _) = measure(exchange, "workload", ITERATIONS, few, few)?;
        let (long, _) = measure(exchange, "workload", ITERATIONS, many, 0)?;
        let ratio = long / short;
        // A preemption can only make the longer request longer.
        Ok((!(2.0..50.0).contains(&ratio)).then(|| {
            format!("{few} invocations take {short} ns, {many} take {long} ns: {ratio:.2} times as long, not about 4")
        }))
    })
}

fn lead(exchange: &mut Exchange, untimed: bool) -> Result<(), Trouble> {
    let (few, time) = calibrate(exchange, untimed)?;
    if time > SLOW_NS {
        return Err(Trouble::not_applicable("one invocation takes too long to run more"));
    }
    let times = (VISIBLE_NS / time).ceil().max(3.0);
    let lead = few.saturating_mul(times as u64);
    let mut shortest = |lead| {
        let mut walls = (0..REQUESTS).map(|_| measure(exchange, "workload", 1, few, lead));
        walls.try_fold((f64::INFINITY, f64::INFINITY), |(time, wall), one| {
            let (t, w) = one?;
            Ok((time.min(t), wall.min(w)))
        })
    };
    tries(|| {
        let (time, without) = shortest(0)?;
        let (_, with) = shortest(lead)?;
        let (longer, expected) = (with - without, time * times);
        Ok((longer < expected * 0.3).then(|| {
            format!("with a LEAD of {lead} invocations the request takes {longer:.0} ns longer, not {expected:.0}")
        }))
    })
}

fn overhead(exchange: &mut Exchange, untimed: bool) -> Result<(), Trouble> {
    let (invocations, _) = calibrate(exchange, untimed)?;
    tries(|| {
        let (work, _) = measure(exchange, "workload", ITERATIONS, invocations, 0)?;
        let (empty, _) = measure(exchange, "overhead", ITERATIONS, invocations, 0)?;
        Ok((empty > work * 1.5 + 1e5)
            .then(|| format!("{invocations} invocations take {work} ns, the empty loop takes {empty} ns")))
    })
}

/// Each window has the requested invocations and excludes the readings between windows.
fn windows(exchange: &mut Exchange, untimed: bool) -> Result<(), Trouble> {
    let (few, time) = calibrate(exchange, untimed)?;
    if time > SLOW_NS {
        return Err(Trouble::not_applicable("one invocation takes too long to run several"));
    }
    tries(|| {
        let (whole, _) = measure(exchange, "workload", ITERATIONS, few, few)?;
        let request = format!("measure workload {WINDOWED} {few} 0 {WINDOWS}");
        let Reply::Measured(columns) = exchange.ask(&request)? else {
            return Err(Trouble::broken_rule(8, format!("`{request}` is answered by no `measured`")));
        };
        if let Some(reason) = wrong_windows(&columns, WINDOWS) {
            return Err(Trouble::broken_rule(19, reason));
        }
        let shortest = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let (window, reading) = (shortest(&columns.window_ns), shortest(&columns.width_ns));
        if reading <= 0.0 {
            return Ok(Some("a reading of the width probe took no time".to_owned()));
        }
        let ratio = window / whole;
        Ok((!(0.5..2.5).contains(&ratio)).then(|| {
            format!("an iteration of {few} invocations takes {whole} ns, but a window with as many takes {window} ns")
        }))
    })
}

/// R26: readings are long enough for a clock, and no faster than a core can be.
fn width_probe(player: &mut Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    player.reach(State::Opened, exchange)?;
    let Some(facts) = player.facts.clone() else { return Err(Trouble::undecided("`hello` was not answered")) };
    let (each_ns, _) = measure(exchange, "workload", 1, 1, 0)?;
    let iterations = (READINGS_NS / (each_ns * READINGS as f64)).clamp(1.0, ITERATIONS_READ) as u64;
    tries(|| {
        let request = format!("measure workload {iterations} 1 0 {READINGS}");
        let Reply::Measured(columns) = exchange.ask(&request)? else {
            return Err(Trouble::broken_rule(8, format!("`{request}` is answered by no `measured`")));
        };
        let mut readings = ProcessReadings::default();
        let round = (0..columns.len() as u32).collect();
        readings.add(&Series { stage: Stage::Actual, invocations: READINGS, round, columns: *columns }, &facts);
        Ok(match readings.fault() {
            Some(ProbeFault::Short(ns)) => Some(format!(
                "a reading of the width probe takes {ns:.0} ns, which is too short to show anything: the compiler may have removed its work"
            )),
            Some(ProbeFault::Folded(steps)) => {
                Some(format!("the width probe does {steps:.1} steps per cycle, which no core can do: the compiler removed most of its work"))
            }
            // Other users of the core are unknown here.
            Some(ProbeFault::Flat(_)) | None => None,
        })
    })
}

/// R7: the unit, according to the host's clock.
fn nanoseconds(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let untimed = player.usable.first().is_some_and(|index| player.has_untimed_part(*index));
    let (few, time) = calibrate(exchange, untimed)?;
    let many = few.saturating_mul((VISIBLE_NS / time).ceil().max(1.0) as u64);
    tries(|| {
        let (reported, wall) = measure(exchange, "workload", 1, many, 0)?;
        let fits = reported <= wall * 1.01 && (untimed || reported >= wall * 0.05);
        Ok((!fits).then(|| format!("`elapsed_ns` is {reported}, but {wall} ns passed for the host")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_waits_for_a_processor_is_not_blamed() {
        let is_blamed = |said, wall, after| is_another_unit(said, worked_ns(wall, Some(50_000_000), after));
        assert!(!is_blamed(60.0, 1.22e8, Some(60_000_000)), "it was preempted, and used 10 ms itself");
        assert!(is_blamed(9e5, 9.5e8, Some(950_000_000)), "microseconds");
        assert!(is_blamed(9e5, 9.5e8, None), "the system does not tell: the wall time decides");
        assert!(!is_blamed(9e8, 9.5e8, Some(950_000_000)), "nanoseconds");
        assert!(!is_blamed(60.0, 2e6, Some(1_000_000_000)), "threads beside it work more than the time that passed");
    }
}
