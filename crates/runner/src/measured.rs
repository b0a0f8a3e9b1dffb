//! Checks that a `measured` reply fits its request: all columns, the right lengths, nanoseconds.

use super::conversation::Conversation;
use std::collections::BTreeMap;
use std::time::Duration;
use tare_model::{Columns, Metric};
use tare_protocol::Request;

/// No clock has smaller steps, in ns: a shorter time other than 0 is in another unit.
const STEP_MIN_NS: f64 = 0.2;
/// A request that takes longer reveals whether the child's times are nanoseconds.
const TELLING: Duration = Duration::from_millis(200);
/// With fewer invocations, the child's own overhead may dominate the wait.
const INVOCATIONS_MIN: u64 = 1000;
/// Times are assumed to be in another unit if the wait was longer by this factor ...
const FACTOR: f64 = 500.0;
/// ... and the CPU time by this one, since on a busy machine the child runs only for a small part of its reported time ...
const CPU_FACTOR: f64 = 50.0;
/// ... this often in a row: a machine may stall once outside the clock reads.
const IN_A_ROW: u32 = 2;
/// The child's own work in an iteration outside the reported times: probes, clocks, metrics. 55 µs in C++ on a busy machine, and most of
/// the wait if a benchmark limits its iterations to a few short invocations.
const OWN_WORK: Duration = Duration::from_micros(200);
/// Tolerance between an iteration's time and the sum of its windows, in ns per window, for rounding ...
const ROUNDING_NS: f64 = 1.0;
/// ... and relative: sums of large numbers are rounded too.
const ROUNDING: f64 = 1e-9;

/// The rule that a reply to `measure` breaks, with the reason.
pub fn broken_rule(request: &Request, columns: &Columns, child: &mut Conversation) -> Option<String> {
    let Request::Measure { which, iterations, invocations, lead, windows } = request else { return None };
    if columns.len() as u64 != *iterations {
        return Some(format!("R19: {iterations} iterations were requested, but {} were reported", columns.len()));
    }
    if let Some(reason) = wrong_windows(columns, *windows) {
        return Some(format!("R19: {reason}"));
    }
    let timed = iterations.saturating_mul(*invocations).saturating_mul((*windows).max(1));
    if !which.is_empty() {
        let capabilities = child.facts().map(|facts| facts.capabilities.as_slice()).unwrap_or_default();
        if let Some((capability, column)) = missing_column(columns, capabilities) {
            return Some(format!(
                "R19: it declares the capability `{capability}`, but the column `{column}` is missing"
            ));
        }
        let metrics = child.facts().map(|facts| facts.metrics.as_slice()).unwrap_or_default();
        if let Some(missing) = missing_metric(columns, metrics) {
            return Some(format!(
                "R19: its `hello` declares the metric `{missing}`, but `metrics` does not contain it"
            ));
        }
    }
    if child.own_time {
        return None;
    }
    let said_ns: f64 = columns.elapsed_ns.iter().sum();
    if said_ns > 0.0 && columns.elapsed_ns.iter().all(|ns| *ns < STEP_MIN_NS) {
        return Some(format!(
            "R7: times are in nanoseconds, but `elapsed_ns` is {said_ns:.1e} for {} invocations: is it in seconds?",
            timed
        ));
    }
    // An empty loop may take less time than the runtime around it (a collection), so only the body reveals the unit.
    if which.is_empty() {
        return None;
    }
    let measured = Statement { said_ns, timed, lead: *lead, iterations: *iterations };
    let took = child.took().filter(|took| !child.works_between && measured.is_another_unit(*took));
    let Some(took) = took else {
        child.odd_times = 0;
        return None;
    };
    child.odd_times += 1;
    let cpu_ns = child.cpu_ns();
    let before = std::mem::replace(&mut child.odd_cpu_ns, cpu_ns);
    let worked = used(before, cpu_ns);
    let worked_longer = worked.is_none_or(|worked| measured.says_too_little(worked, CPU_FACTOR));
    (child.odd_times >= IN_A_ROW && worked_longer).then(|| {
        let took_s = took.as_secs_f64();
        format!(
            "R7: times are in nanoseconds, but `elapsed_ns` is {said_ns:.3e} and the host only waited {took_s:.3} s"
        )
    })
}

/// CPU time between two readings; `None` if the system does not report it.
fn used(before_ns: Option<u64>, after_ns: Option<u64>) -> Option<Duration> {
    Some(Duration::from_nanos(after_ns?.saturating_sub(before_ns?)))
}

/// What is wrong with the windows of a reply (R19), given the number requested per iteration.
pub fn wrong_windows(columns: &Columns, asked: u64) -> Option<String> {
    let came = columns.windows();
    if came as u64 != asked || !columns.windows_fit() {
        return Some(format!("{asked} windows per iteration were requested, but {came} were reported"));
    }
    if came == 0 {
        return None;
    }
    let sums = columns.window_ns.chunks(came).map(|windows| windows.iter().sum::<f64>());
    let differ = |elapsed: f64, sum: f64| (elapsed - sum).abs() > ROUNDING_NS * came as f64 + ROUNDING * elapsed;
    let odd = columns.elapsed_ns.iter().zip(sums).position(|(elapsed, sum)| differ(*elapsed, sum))?;
    let (elapsed, windows) = (columns.elapsed_ns[odd], &columns.window_ns[odd * came..(odd + 1) * came]);
    let sum: f64 = windows.iter().sum();
    Some(format!("the windows of iteration {odd} add up to {sum} ns, but its `elapsed_ns` is {elapsed}"))
}

/// The times that a child reported for one request.
struct Statement {
    said_ns: f64,
    timed: u64,
    lead: u64,
    iterations: u64,
}

impl Statement {
    /// The reported time is so much shorter than the wait that its unit must be another.
    fn is_another_unit(&self, took: Duration) -> bool {
        took >= TELLING && self.timed >= INVOCATIONS_MIN && self.says_too_little(took, FACTOR)
    }

    /// Used for the wait, and for CPU time too: on a busy machine the child also waits for a processor.
    fn says_too_little(&self, time: Duration, factor: f64) -> bool {
        let share = self.timed as f64 / (self.timed as f64 + self.lead as f64);
        let own_ns = OWN_WORK.as_nanos() as f64 * self.iterations as f64;
        self.said_ns * factor < (time.as_nanos() as f64 - own_ns) * share
    }
}

/// A declared capability whose column is missing.
pub fn missing_column<'a>(columns: &Columns, capabilities: &'a [String]) -> Option<(&'a str, &'static str)> {
    let needed = |capability: &str| -> Vec<(&'static str, &Vec<f64>)> {
        match capability {
            "cpu" => vec![("cpu_ns", &columns.cpu_ns)],
            "process-cpu" => vec![("process_cpu_ns", &columns.process_cpu_ns)],
            "probe" => vec![("probe_before_ns", &columns.probe_before_ns), ("probe_after_ns", &columns.probe_after_ns)],
            "switches" => vec![("switches", &columns.switches)],
            "waits" => vec![("waits", &columns.waits)],
            "compilations" => vec![("compilations", &columns.compilations)],
            _ => Vec::new(),
        }
    };
    capabilities.iter().find_map(|capability| {
        let (name, _) = needed(capability).into_iter().find(|(_, values)| values.is_empty())?;
        Some((capability.as_str(), name))
    })
}

pub fn missing_metric<'a>(columns: &Columns, metrics: &'a [Metric]) -> Option<&'a str> {
    metrics.iter().map(|metric| metric.name.as_str()).find(|name| !columns.metrics.contains_key(*name))
}

/// What is wrong with the result of a child's diagnoser (R23).
pub fn wrong_diagnosis(found: &BTreeMap<String, Vec<f64>>, metrics: &[Metric], iterations: u64) -> Option<String> {
    metrics.iter().find_map(|Metric { name, .. }| {
        let entries = found.get(name).map_or(0, Vec::len);
        (entries as u64 != iterations)
            .then(|| format!("{iterations} iterations were requested, but `{name}` has {entries} entries"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_named_capability_needs_its_columns() {
        let columns = Columns { elapsed_ns: vec![1.0], cpu_ns: vec![1.0], ..Columns::default() };
        let missing = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            missing_column(&columns, &names).map(|(_, column)| column)
        };
        assert_eq!(missing(&["cpu", "rolled", "check", "of-the-future"]), None);
        assert_eq!(missing(&["cpu", "probe"]), Some("probe_before_ns"));
        let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
        let counted = Columns { metrics: [("bytes".to_owned(), vec![1.0])].into(), ..columns.clone() };
        assert_eq!(missing_metric(&counted, &[metric("bytes")]), None);
        assert_eq!(missing_metric(&counted, &[metric("bytes"), metric("depth")]), Some("depth"));
    }

    #[test]
    fn a_diagnoser_gives_a_value_of_each_metric_for_each_iteration() {
        let found = [("peak".to_owned(), vec![1.0, 2.0])].into();
        let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
        assert_eq!(wrong_diagnosis(&found, &[metric("peak")], 2), None);
        let why = |metrics: &[Metric], iterations| wrong_diagnosis(&found, metrics, iterations).expect("wrong");
        assert_eq!(why(&[metric("peak")], 3), "3 iterations were requested, but `peak` has 2 entries");
        assert_eq!(why(&[metric("peak"), metric("size")], 2), "2 iterations were requested, but `size` has 0 entries");
    }

    #[test]
    fn windows_are_as_many_as_asked_for_and_add_up() {
        let columns = |elapsed: &[f64], window: &[f64], readings: usize| Columns {
            elapsed_ns: elapsed.to_vec(),
            window_ns: window.to_vec(),
            width_ns: vec![800.0; readings],
            ..Columns::default()
        };
        let good = columns(&[30.0, 70.0], &[10.0, 20.0, 30.0, 40.0], 6);
        assert_eq!(wrong_windows(&good, 2), None);
        assert_eq!(wrong_windows(&columns(&[30.0, 70.0], &[], 0), 0), None);
        assert_eq!(wrong_windows(&columns(&[31.9, 68.1], &[10.0, 20.0, 30.0, 40.0], 6), 2), None, "each was rounded");
        let why = |columns: &Columns, asked| wrong_windows(columns, asked).expect("wrong");
        assert_eq!(why(&good, 3), "3 windows per iteration were requested, but 2 were reported");
        assert_eq!(why(&good, 0), "0 windows per iteration were requested, but 2 were reported");
        assert_eq!(why(&columns(&[30.0], &[], 0), 2), "2 windows per iteration were requested, but 0 were reported");
        let sum = "the windows of iteration 1 add up to 70 ns, but its `elapsed_ns` is 75";
        assert_eq!(why(&columns(&[30.0, 75.0], &[10.0, 20.0, 30.0, 40.0], 6), 2), sum);
    }

    #[test]
    fn a_wait_that_is_not_the_childs_own_work_is_no_other_unit() {
        let after = |said_ns: f64, timed: u64, lead: u64, ms: u64| {
            Statement { said_ns, timed, lead, iterations: 1 }.is_another_unit(Duration::from_millis(ms))
        };
        assert!(after(1e6, 1_000_000, 120_000, 1000), "a visit of 1 s in microseconds");
        assert!(!after(1e6, 1_000_000, 0, 100), "too short to tell");
        assert!(!after(10.0, 1, 0, 1000), "one invocation, and an hour of set-up beside it");
        assert!(!after(1e6, 1_000_000, 999_000_000, 1000), "most of it was the lead");
        assert!(!after(1e8, 1_000_000, 1_000_000, 1000), "a busy machine");
        let batches = |ms: u64| {
            let measured = Statement { said_ns: 2.4e5, timed: 400_000, lead: 1, iterations: 4000 };
            measured.is_another_unit(Duration::from_millis(ms))
        };
        assert!(!batches(220), "4000 iterations of 100 short invocations: the probes around them");
        assert!(batches(4000), "1 ms an iteration, in microseconds");
        let preempted = Statement { said_ns: 2e4, timed: 1000, lead: 0, iterations: 1 };
        assert!(preempted.is_another_unit(Duration::from_millis(400)), "by the wait alone");
        let blamed = |measured: &Statement, ms: u64| {
            let worked = used(Some(30_000_000), Some(30_000_000 + ms * 1_000_000)).expect("both are known");
            measured.says_too_little(worked, CPU_FACTOR)
        };
        assert!(!blamed(&preempted, 0), "it hardly ran");
        assert!(blamed(&preempted, 390), "it worked all the time");
        let starved = Statement { said_ns: 1e6, timed: 1_000_000, lead: 0, iterations: 1 };
        assert!(
            starved.is_another_unit(Duration::from_millis(1000)) && blamed(&starved, 100),
            "microseconds, and a tenth of a processor"
        );
        assert_eq!((used(None, Some(1)), used(Some(1), None)), (None, None));
    }
}
