//! The quick table: some milliseconds per case, in this process. It is printed without the command `tare`, and good
//! for a first look: no launches, no intervals that hold between runs, no verdicts.
//!
//! A case is measured in short windows, of which most fit between two preemptions. A window is dropped when its wall
//! time is longer than its CPU time; the others are scaled by the clock probe, so that the core's changing speed does
//! not spread them; the median counts. The windows of the empty loop are treated alike and subtracted.

use crate::barrier::{sink, sink_empty};
use crate::clock;
use crate::guard::Failure;
use crate::instance::{Instance, Sample, Which};
use crate::loops::WORDS;
use crate::registry::{order, Bench, Case};
use crate::show::Shown;
use crate::vtable::Typed;

/// An invocation from this time on is a turn of the loop by itself, ns: copies of a longer body have other branch predictions than one.
const SINGLE_TURNS_FROM_NS: u64 = 4;
/// Length of a window, if the body is not longer.
const WINDOW_NS: u64 = 250_000;
/// Windows of a case.
const WINDOWS: usize = 41;
/// No more windows after so long, unless there are fewer than [`FEWEST`].
const BUDGET_NS: u64 = 60_000_000;
const FEWEST: usize = 5;
/// Never more windows after so long.
const PATIENCE_NS: u64 = 3_000_000_000;
/// Doublings of the pilot.
const MOST_INVOCATIONS: u64 = 1 << 40;

/// Time of an operation, and half the width of what it may be.
struct Estimate {
    ns: f64,
    spread: f64,
    preempted: bool,
    /// What is worked through per second: name, unit, amount.
    rates: Vec<(&'static str, &'static str, f64)>,
}

fn median(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    let order = order(values.len(), &|a, b| values[a] < values[b]);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 0 => (values[order[middle - 1]] + values[order[middle]]) / 2.0,
        _ => values[order[middle]],
    }
}

/// Median and its uncertainty (twice the standard error, from the median absolute deviation).
fn summary(values: &[f64]) -> (f64, f64) {
    let middle = median(values);
    let count = values.len().max(1) as f64;
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    (middle, 2.0 * 1.2533 * 1.4826 * median(&distances) / count.sqrt())
}

fn was_preempted(sample: &Sample) -> bool {
    let lost = sample.elapsed_ns.saturating_sub(sample.cpu_ns);
    clock::HAS_CPU && lost > (sample.elapsed_ns / 50).max(10_000)
}

/// The windows that count, in nanoseconds each, and whether preemption spoilt all of them.
fn windows(samples: &[Sample], probe_ns: f64) -> (Vec<f64>, bool) {
    let waits = samples.iter().filter(|sample| sample.waits > 0).count() * 2 > samples.len();
    let valid: Vec<&Sample> = samples.iter().filter(|sample| waits || !was_preempted(sample)).collect();
    let spoilt = valid.is_empty();
    let time = |sample: &Sample| {
        let ns = if spoilt { sample.cpu_ns } else { sample.elapsed_ns } as f64;
        let speed = (sample.probe_before_ns + sample.probe_after_ns) as f64 / 2.0 / probe_ns;
        // A probe that was itself interrupted says nothing about the core's speed.
        if waits || !clock::HAS_PROBE || !(0.5..2.0).contains(&speed) {
            ns
        } else {
            ns / speed
        }
    };
    let times = if spoilt { samples.iter().map(time).collect() } else { valid.into_iter().map(time).collect() };
    (times, spoilt)
}

/// Invocations of a window, and whether each is a turn of the loop.
fn pilot(instance: &mut Instance<'_>, case: &Case) -> Result<(u64, bool), Failure> {
    let mut invocations = 1;
    let most = instance.most_invocations(case).clamp(1, MOST_INVOCATIONS);
    if case.bench.manner.cold_caches
        || case.vtable.iteration_set_up.is_some()
        || case.vtable.iteration_clean_up.is_some()
    {
        return Ok((invocations, true));
    }
    loop {
        let sample = instance.measure(Which::Single, 1, invocations, 0)?[0];
        let ns = if clock::HAS_CPU { sample.cpu_ns.min(sample.elapsed_ns) } else { sample.elapsed_ns }.max(20);
        if sample.elapsed_ns >= WINDOW_NS && (ns >= WINDOW_NS / 2 || invocations == 1) {
            return Ok((invocations, ns >= SINGLE_TURNS_FROM_NS * invocations));
        }
        if invocations >= most {
            return Ok((invocations, ns >= SINGLE_TURNS_FROM_NS * invocations));
        }
        let wanted = (invocations as f64 * WINDOW_NS as f64 / ns as f64 * 1.05) as u64;
        let wanted = wanted.clamp(invocations * 2, invocations * 16);
        invocations = if wanted >= 16 { wanted.next_multiple_of(16) } else { wanted };
        invocations = invocations.min(most);
    }
}

/// Where each iteration counts its operations: scales the times to the mean number of an invocation, which is returned.
fn even_out(samples: &mut [Sample]) -> Option<f64> {
    let mean = samples.iter().map(|sample| sample.operations).sum::<f64>() / samples.len() as f64;
    for sample in samples.iter_mut().filter(|sample| sample.operations > 0.0) {
        let scale = mean / sample.operations;
        sample.elapsed_ns = (sample.elapsed_ns as f64 * scale) as u64;
        sample.cpu_ns = (sample.cpu_ns as f64 * scale) as u64;
    }
    (mean > 0.0).then_some(mean)
}

fn measure(case: &Case, probe_ns: f64) -> Result<Estimate, Failure> {
    measure_open(Instance::open(case, 0)?, case, probe_ns)
}

fn measure_open(mut instance: Instance<'_>, case: &Case, probe_ns: f64) -> Result<Estimate, Failure> {
    // Tells what must not be measured, and the first call is the least like the others.
    instance.check()?;
    let (invocations, is_single) = pilot(&mut instance, case)?;
    // Beside a body that is longer than its turn the loop hardly shows, and only the clock is taken off.
    let (body, empty, of_empty) = match is_single {
        true => (Which::Single, Which::SingleOverhead, 1),
        false => (Which::Workload, Which::Overhead, invocations),
    };
    let lead =
        if case.bench.manner.cold_caches || case.vtable.iteration_set_up.is_some() { 0 } else { invocations / 8 };
    let (mut work, mut nothing) = (Vec::new(), Vec::new());
    let start = std::time::Instant::now();
    while work.len() < WINDOWS {
        let spent = clock::since(start);
        if (spent > BUDGET_NS && work.len() >= FEWEST) || (spent > PATIENCE_NS && !work.is_empty()) {
            break;
        }
        work.extend(instance.measure(body, 1, invocations, lead)?);
        nothing.extend(instance.measure(empty, 1, of_empty, 0)?);
    }
    let learned = instance.amounts()?;
    let of_set_up = learned.as_ref().and_then(|amounts| amounts.operations).unwrap_or(case.operations);
    let operations = even_out(&mut work).unwrap_or(of_set_up as f64);
    instance.close()?;
    let (work, preempted) = windows(&work, probe_ns);
    let (nothing, _) = windows(&nothing, probe_ns);
    let ((gross, gross_spread), (empty, empty_spread)) = (summary(&work), summary(&nothing));
    let per = invocations as f64 * operations;
    // The clock's step is a limit of its own.
    let step = 2.0 * 20.0 / per;
    let ns = (gross - empty) / per;
    let of_instance = |name: &str| {
        let (_, amount) = *learned.as_ref()?.rates.iter().find(|(rate, _)| *rate == name)?;
        Some(amount)
    };
    let mut rates = Vec::new();
    for rate in &case.rates {
        if let Some(amount) = of_instance(rate.name).or(rate.amount).filter(|_| ns > 0.0) {
            rates.push((rate.name, rate.unit, amount as f64 / (ns * operations) * 1e9));
        }
    }
    Ok(Estimate { ns, spread: (gross_spread + empty_spread) / per + step, preempted, rates })
}

/// The time of a call, measured within some milliseconds in this process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Time of a call without the loop around it, in nanoseconds; 0 if it cannot be distinguished from the loop.
    pub ns: f64,
    /// Half the width of its interval, in nanoseconds. It covers only the noise of these milliseconds.
    pub spread_ns: f64,
}

impl std::fmt::Display for Timing {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.ns <= self.spread_ns {
            return write!(to, "< {}", duration(self.spread_ns.max(0.001)));
        }
        write!(to, "{} ±{:.1} %", duration(self.ns), 100.0 * self.spread_ns / self.ns)
    }
}

/// Measures how long `body` takes, here and now: for a `#[test]`, or a first look while developing. Its result goes to the sink, as in
/// a benchmark.
///
/// ```
/// let one = tare::time(|| tare::keep("12").parse::<u32>());
/// let many = tare::time(|| tare::keep("12 ".repeat(1000)).split(' ').count());
/// assert!(many.ns > 2.0 * one.ns, "{many} against {one}");
/// ```
/// One process says little about others. Compare things that differ by a factor, and leave the rest to `tare compare`.
///
/// # Panics
/// If the body does.
pub fn time<T, F: FnMut() -> T>(body: F) -> Timing {
    static ALONE: Bench = Bench::unnamed();
    let vtable = Typed::<F>::new::<_, _, _, _, WORDS>(
        |_| Err(String::new()),
        |body: &mut F| sink(body()),
        |body: &mut F| sink_empty(&mut *body),
        |body: &mut F| {
            sink(body());
            Shown::default()
        },
    );
    let case = Case::of(&ALONE, vtable.erase());
    // SAFETY: the vtable is one of an `F`.
    let instance = unsafe { Instance::of_state(&case, Box::into_raw(Box::new(body)).cast()) };
    let probes: Vec<f64> = (0..31).map(|_| clock::probe() as f64).collect();
    match measure_open(instance, &case, median(&probes)) {
        Ok(estimate) => Timing { ns: estimate.ns.max(0.0), spread_ns: estimate.spread },
        Err(failure) => panic!("{failure}"),
    }
}

/// `1.234 µs`: four significant digits.
fn duration(ns: f64) -> String {
    let (value, unit) = match ns.abs() {
        size if size < 999.95 => (ns, "ns"),
        size if size < 999_950.0 => (ns / 1e3, "µs"),
        size if size < 999_950_000.0 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value.abs() {
        size if size < 9.9995 => 3,
        size if size < 99.995 => 2,
        size if size < 999.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// `12.8 GB/s`: three significant digits.
fn per_second(name: &str, unit: &str, rate: f64) -> String {
    let mut value = rate;
    let mut prefix = "";
    for next in ["k", "M", "G", "T", "P"] {
        if value < 999.5 {
            break;
        }
        (value, prefix) = (value / 1000.0, next);
    }
    let digits = match value {
        size if size < 9.995 => 2,
        size if size < 99.95 => 1,
        _ => 0,
    };
    let what = if unit.is_empty() { name } else { unit };
    let space = if prefix.is_empty() || !unit.is_empty() { "" } else { " " };
    format!("{value:.digits$} {prefix}{space}{what}/s")
}

fn line(name: &str, width: usize, estimate: &Estimate, base: Option<&Estimate>, case: &Case) -> String {
    let below = estimate.ns <= estimate.spread;
    let time = if below { format!("< {}", duration(estimate.spread.max(0.001))) } else { duration(estimate.ns) };
    let spread = if below { String::new() } else { format!("±{:.1} %", 100.0 * estimate.spread / estimate.ns) };
    let mut text = format!("  {name:width$}  {time:>11}  {spread:>8}");
    let ratio = match base {
        Some(_) if case.bench.baseline => "  base".to_owned(),
        Some(base) if base.ns > base.spread && !below => format!("{:6.3}", estimate.ns / base.ns),
        _ => String::new(),
    };
    text.push_str(&format!("  {ratio:>8}"));
    if case.bench.unit != "op" {
        text.push_str(&format!("  per {}", case.bench.unit));
    }
    for (name, unit, rate) in estimate.rates.iter().filter(|_| !below) {
        text.push_str(&format!("  {}", per_second(name, unit, *rate)));
    }
    if estimate.preempted {
        text.push_str("  every window was preempted: CPU time shown");
    } else if !below && estimate.spread > 0.05 * estimate.ns {
        text.push_str("  unstable");
    }
    text.trim_end().to_owned()
}

/// The baseline that a case is compared with.
fn base_of<'a>(case: &Case, rows: &'a [(&Case, Result<Estimate, Failure>)]) -> Option<&'a Estimate> {
    let fits = |other: &&(&Case, Result<Estimate, Failure>)| {
        other.0.bench.baseline && other.0.group() == case.group() && other.0.parameters == case.parameters
    };
    rows.iter().find(fits).and_then(|(_, result)| result.as_ref().ok())
}

/// Measures and prints all; false when a benchmark failed.
pub(crate) fn table(cases: &[Case]) -> bool {
    let probes: Vec<f64> = (0..31).map(|_| clock::probe() as f64).collect();
    let probe_ns = median(&probes);
    if cfg!(debug_assertions) {
        eprintln!("warning: built without optimisation; `cargo bench` and `--release` build with it");
    }
    for (name, value) in crate::context::all() {
        println!("{name} = {value}");
    }
    let width = cases.iter().map(|case| case.short_name().chars().count()).max().unwrap_or(0).clamp(4, 60);
    let mut fine = true;
    let mut groups: Vec<&str> = Vec::new();
    for case in cases {
        if !groups.contains(&case.group()) {
            groups.push(case.group());
        }
    }
    for (number, group) in groups.into_iter().enumerate() {
        // A group is shown when its last case is measured, so that its baseline may stand anywhere in it.
        let rows: Vec<_> =
            cases.iter().filter(|case| case.group() == group).map(|case| (case, measure(case, probe_ns))).collect();
        let has_base = rows.iter().any(|(case, _)| case.bench.baseline);
        let title = if group.is_empty() { "benchmarks" } else { group };
        let ratio = if has_base { "   ratio" } else { "" };
        if number != 0 {
            println!();
        }
        println!("{}", format!("{title:fill$}  {:>11}  {:>8}  {ratio}", "time", "spread", fill = width + 2).trim_end());
        for (case, result) in &rows {
            match result {
                Ok(estimate) => println!("{}", line(&case.short_name(), width, estimate, base_of(case, &rows), case)),
                Err(failure) if failure.skipped => {
                    println!("  {:width$}  skipped: {}", case.short_name(), failure.message);
                }
                Err(failure) => {
                    println!("  {:width$}  FAILED: {failure}", case.short_name());
                    fine = false;
                }
            }
        }
    }
    println!("\nThese times are from one process. For intervals and verdicts, put `tare` on the PATH.");
    fine
}
