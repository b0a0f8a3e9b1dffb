//! `threads`: how long the body computes and waits, and how often its threads are switched and moved. On Linux this is visible from outside
//! for every process of the same user.

use crate::counters::{Attached, Event};
use crate::differences::{metric_of_operation, Rounds};
use crate::{counters, Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Signal, Subject, Took, Tools, Work};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tare_model::{Artifact, LaunchChange, Metric, Remark};

pub(crate) const THREADS: Entry = Entry {
    name: NAME,
    about: "time on the processor, waiting for it and off it, and switches and moves of threads, of each operation",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux, with the statistics of its scheduler (`/proc/PID/schedstat`)"),
        Need::Right("for moves, `kernel.perf_event_paranoid` of 1 or less, or root"),
    ],
    metrics: &[],
    topic: "threads",
    make: || Box::new(Threads::default()),
};

const NAME: &str = "threads";
/// Metrics that are read from `/proc`, with their units.
const METRICS: [(&str, &str); 5] =
    [("on_processor", "ns"), ("waiting", "ns"), ("off_processor", "ns"), ("voluntary", ""), ("involuntary", "")];
const OFF: usize = 2;
const VOLUNTARY: usize = 3;
/// Places of the body's thread after the metrics: how long its loop took, and how often it gave up its processor voluntarily.
const ELAPSED: usize = METRICS.len();
const WAITS: usize = METRICS.len() + 1;
/// A thread that waits is switched: with fewer voluntary switches per invocation than this, something else caused the wait; likewise with
/// only a few in all.
/// few.
const WAITS_LEAST: f64 = 0.01;
const WAITS_FEW: f64 = 3.0;
/// Counted by the kernel for all threads, including those that end meanwhile.
const EVENTS: [&str; 2] = ["context_switches", "migrations"];

#[derive(Default)]
struct Threads {
    events: Vec<Event>,
    missing: Vec<(String, String)>,
    pass: Option<Counting>,
}

#[derive(Default)]
struct Counting {
    pid: u32,
    attached: Option<Attached>,
    before: Option<(ThreadTimes, Vec<u64>)>,
    /// The child does not report how long the thread of the body computes.
    is_untold: bool,
    /// [`METRICS`], the two places of the body's thread, then the events.
    rounds: Rounds,
    /// Threads that existed before a loop and were gone after it.
    ended: usize,
    /// Invocations in the difference of a round.
    invocations: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct ThreadTimes {
    /// By thread number: time on the processor and waiting for it, ns, and voluntary and involuntary switches.
    threads: BTreeMap<u32, [u64; 4]>,
}

impl Diagnoser for Threads {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        let own = ThreadTimes::at(Path::new("/proc/self"));
        let is_there = own.is_ok_and(|look| look.threads.values().any(|of| of[0] > 0));
        if !is_there {
            let reason = "this system does not say how long threads run and wait (`/proc/self/schedstat`)".to_owned();
            return Err(Missing { reason, is_fatal: true });
        }
        let names: Vec<String> = EVENTS.iter().map(|name| (*name).to_owned()).collect();
        let events = counters::chosen(&names).map_err(|reason| Missing { reason, is_fatal: true })?;
        (self.events, self.missing) = counters::possible(events);
        Ok(())
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass { invocations_max: u64::MAX, ..Pass::of(Work::Differences) }
    }

    fn begin(&mut self, _: &Subject) -> Result<LaunchChange, String> {
        self.pass = Some(Counting::default());
        Ok(LaunchChange::default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Started { pid } => {
                pass.pid = *pid;
                pass.attached = Some(Attached::to(*pid, &self.events)?);
            }
            Signal::Before { part } => {
                // The first loop of a round is as long as the difference of a round.
                pass.invocations = if part.iteration == 0 { part.invocations } else { pass.invocations };
                pass.start()?;
            }
            Signal::After { operations, took, .. } => pass.stop(*operations, took)?,
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_ref().ok_or("its pass has not begun")?;
        let mut metrics: Vec<(Metric, Vec<f64>)> = Vec::new();
        // Voluntary switches are only known for threads that still exist.
        let is_whole = pass.ended == 0;
        let is_known = |place: usize| if place == OFF { !pass.is_untold } else { place < VOLUNTARY || is_whole };
        for (place, (name, unit)) in METRICS.iter().enumerate().filter(|(place, _)| is_known(*place)) {
            let values = if place == OFF { pass.waited() } else { pass.rounds.of_body(place) };
            metrics.push((metric_of_operation(name, unit), values));
        }
        for (place, event) in self.events.iter().enumerate() {
            let name = if event.name == EVENTS[0] { "switches" } else { event.name.as_str() };
            metrics.push((metric_of_operation(name, ""), pass.rounds.of_body(WAITS + 1 + place)));
        }
        Ok(Findings { metrics, remarks: self.remarks(pass), ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Threads {
    fn remarks(&self, pass: &Counting) -> Vec<Remark> {
        let note = |text: String, advice: &str| Remark { is_warning: false, text, advice: advice.to_owned() };
        let mut remarks = Vec::new();
        if pass.ended > 0 {
            let text = format!(
                "{} threads ended while it was looked at: their time is not counted, nor whether their switches were voluntary",
                pass.ended
            );
            remarks.push(note(text, "keep the threads of the benchmark from one call to the next"));
        }
        if pass.is_untold {
            let text = "the program does not say how long the thread of the body computes, so it is not known how long it waits".to_owned();
            remarks.push(note(text, ""));
        }
        if let Some((_, why)) = self.missing.first() {
            let names: Vec<&str> = self.missing.iter().map(|(name, _)| name.as_str()).collect();
            remarks.push(note(format!("{} cannot be counted: {why}", names.join(", ")), ""));
        }
        remarks
    }
}

impl Counting {
    /// Time off the processor in each round if the body gave it up, at most the time of the body.
    fn waited(&self) -> Vec<f64> {
        let invocations = self.invocations as f64;
        let least = (WAITS_LEAST * invocations).max(WAITS_FEW.min(invocations.max(1.0)));
        let has_waited = self.rounds.median_of_body(WAITS).is_some_and(|switches| switches >= least);
        let both = self.rounds.of_body(OFF).into_iter().zip(self.rounds.of_body(ELAPSED));
        both.map(|(off, elapsed)| if has_waited { off.min(elapsed) } else { 0.0 }).collect()
    }

    fn look(&self) -> Result<ThreadTimes, String> {
        ThreadTimes::at(&Path::new("/proc").join(self.pid.to_string()))
    }

    fn start(&mut self) -> Result<(), String> {
        let look = self.look()?;
        let attached = self.attached.as_mut().ok_or("its process did not start")?;
        let events = attached.read()?;
        attached.enable()?;
        self.before = Some((look, events));
        Ok(())
    }

    fn stop(&mut self, operations: f64, took: &Took) -> Result<(), String> {
        let (before, events) = self.before.take().ok_or("its process did not start")?;
        let attached = self.attached.as_mut().ok_or("its process did not start")?;
        attached.disable()?;
        let counted = attached.read()?;
        let after = self.look()?;
        let [on, waiting, voluntary, involuntary] = after.since(&before).map(|value| value as f64);
        self.is_untold |= took.cpu_ns.is_none();
        let cpu_ns = took.cpu_ns.unwrap_or_default();
        let [_, delayed, switched, _] = after.like(cpu_ns, &before).map(|value| value as f64);
        let off = (took.elapsed_ns - cpu_ns - delayed).max(0.0);
        self.ended += before.threads.keys().filter(|thread| !after.threads.contains_key(thread)).count();
        let events = counted.iter().zip(&events).map(|(after, before)| after.saturating_sub(*before) as f64);
        let counts = [on, waiting, off, voluntary, involuntary, took.elapsed_ns, took.waits.unwrap_or(switched)];
        self.rounds.add(counts.into_iter().chain(events).collect(), operations);
        Ok(())
    }
}

impl ThreadTimes {
    /// Reads the times of a process from its folder below `/proc`.
    fn at(process: &Path) -> Result<ThreadTimes, String> {
        let failed = |error: std::io::Error| format!("cannot read `{}/task`: {error}", process.display());
        let mut look = ThreadTimes::default();
        for entry in fs::read_dir(process.join("task")).map_err(failed)?.flatten() {
            let Some(thread) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let text = |name: &str| fs::read_to_string(entry.path().join(name)).unwrap_or_default();
            look.threads.extend(numbers(&text("schedstat"), &text("status")).map(|numbers| (thread, numbers)));
        }
        Ok(look)
    }

    /// Sum over all threads since an earlier reading.
    fn since(&self, before: &ThreadTimes) -> [u64; 4] {
        let all = self.threads.keys().map(|thread| self.of(*thread, before));
        all.fold([0; 4], |sum, of| [0, 1, 2, 3].map(|at| sum[at] + of[at]))
    }

    /// The same for the thread whose computing time is nearest to `cpu_ns`: a runtime may not run the body in its first thread.
    fn like(&self, cpu_ns: f64, before: &ThreadTimes) -> [u64; 4] {
        let all = self.threads.keys().map(|thread| self.of(*thread, before));
        let distance = |of: &[u64; 4]| (of[0] as f64 - cpu_ns).abs();
        all.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default()
    }

    /// The same for one thread; a new one began at 0.
    fn of(&self, thread: u32, before: &ThreadTimes) -> [u64; 4] {
        let of = |look: &ThreadTimes| look.threads.get(&thread).copied().unwrap_or_default();
        let (now, then) = (of(self), of(before));
        [0, 1, 2, 3].map(|at| now[at].saturating_sub(then[at]))
    }
}

/// The numbers of a thread from the texts of two of its files.
fn numbers(schedstat: &str, status: &str) -> Option<[u64; 4]> {
    let mut times = schedstat.split_whitespace().map_while(|word| word.parse().ok());
    let count = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    Some([times.next()?, times.next()?, count("voluntary_ctxt_switches:")?, count("nonvoluntary_ctxt_switches:")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_subtracted_one_by_one_and_new_ones_begin_at_0() {
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t2\n";
        assert_eq!(numbers("100 20 3\n", status), Some([100, 20, 5, 2]));
        assert_eq!((numbers("100", status), numbers("100 20 3", "")), (None, None));
        let look = |of: &[(u32, [u64; 4])]| ThreadTimes { threads: of.iter().copied().collect() };
        let before = look(&[(1, [100, 20, 5, 2]), (2, [7, 7, 7, 7])]);
        let after = look(&[(1, [150, 21, 6, 2]), (3, [10, 0, 1, 0])]);
        assert_eq!(after.since(&before), [60, 1, 2, 0]);
        assert_eq!(after.of(1, &before), [50, 1, 1, 0]);
        assert_eq!((after.like(47.0, &before), ThreadTimes::default().like(1.0, &before)), ([50, 1, 1, 0], [0; 4]));
    }

    #[test]
    fn a_body_that_was_not_switched_did_not_wait() {
        let round = |switches: f64| {
            let body = |times: f64| vec![0.0, 0.0, 900.0 * times, 0.0, 0.0, 1000.0 * times, switches * times + 1.0];
            let empty = |switches: f64| vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0, switches];
            [empty(1.0), empty(2.0), body(1.0), body(2.0)]
        };
        let waited = |loops: Vec<Vec<f64>>, invocations: u64| {
            let mut pass = Counting { invocations, ..Counting::default() };
            loops.into_iter().for_each(|counts| pass.rounds.add(counts, 0.0));
            pass.waited()
        };
        assert_eq!(waited([round(1.0), round(1.0), round(100.0)].concat(), 1000), [0.0; 3]);
        assert_eq!(waited([round(1.0), round(90.0), round(100.0)].concat(), 1000), [900.0; 3]);
        // A single invocation's one wait counts, but one wait in many invocations is chance.
        for (invocations, off) in [(1, 900.0), (50, 0.0)] {
            assert_eq!(waited(round(2.0).to_vec(), invocations), [off]);
        }
    }

    /// Whatever the machine does meanwhile, a wait is part of the body's time.
    #[test]
    fn a_body_waits_no_longer_than_it_takes() {
        let mut pass = Counting { invocations: 1, ..Counting::default() };
        // In the loops with the body, something else caused delays.
        for (off, elapsed) in [(0.0, 1.0), (5.0, 2.0), (40.0, 50.0), (900.0, 75.0)] {
            pass.rounds.add(vec![0.0, 0.0, off, 0.0, 0.0, elapsed, elapsed], 0.0);
        }
        assert_eq!((pass.rounds.of_body(OFF), pass.waited()), (vec![855.0], vec![24.0]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_sleeps_is_off_the_processor() {
        let Ok(before) = ThreadTimes::at(Path::new("/proc/self")) else { return eprintln!("skipped: no /proc") };
        if before.threads.values().all(|of| of[0] == 0) {
            return eprintln!("skipped: this system has no statistics of its scheduler");
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
        let after = ThreadTimes::at(Path::new("/proc/self")).expect("it was there before");
        assert!(after.since(&before)[2] >= 1, "{before:?} {after:?}");
    }
}
