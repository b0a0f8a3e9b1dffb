//! What a body does beside computing, as far as its visits show it.

use super::{Visit, GAP_NS};
use crate::Benchmark;

/// Share of valid visits below which CPU time is compared, where it may stand for the work: more rounds would not be cleaner.
pub const CLEAN_SHARE_MIN: f64 = 0.6;
/// Share of visits with a voluntary wait or a large gap from which the body is taken to block.
const BLOCKING_SHARE: f64 = 0.5;
/// Share of its wall time below which a visit used the CPU little.
const IDLE_SHARE: f64 = 0.5;
/// Share of visits with a voluntary wait up to which CPU time may stand for the work: beyond, it leaves out what the body waited for.
const WAITING_SHARE: f64 = 0.05;
/// The same of a body whose garbage is collected: what it waits for is its collector.
const WAITING_TO_COLLECT_SHARE: f64 = 0.5;
/// Process CPU time above this multiple of thread CPU time means that other threads of the child work; likewise with that of processes
/// that it has started, over all visits: the system tells it in steps of a tick, and many visits are shorter.
const THREADS_RATIO: f64 = 1.10;
/// At least this much of it in each iteration, ns: reading both clocks is CPU time of the process too, about 1,000 ns of it.
const THREADS_ITERATION_NS: f64 = 4_000.0;

/// Share of visits in which something was compiled from which the body is why.
const COMPILING_SHARE: f64 = 0.5;
/// Share of visits with a collection from which collections are a part of the body's time.
const COLLECTING_SHARE: f64 = 0.01;

/// Usable visits from which it shows whether a body goes by the wall clock.
const BY_WALL_VISITS_MIN: u32 = 6;
/// Share of preempted visits from which it shows.
const BY_WALL_PREEMPTED: f64 = 0.1;
/// Its CPU time varies by this many times as much as its wall time (standard deviations of their logarithms) ...
const BY_WALL_RATIO: f64 = 2.0;
/// ... and by this much at least, ...
const BY_WALL_SD: f64 = 0.002;
/// ... while its wall time varies by this much at most: a body that polls looks at the clock late where it was preempted.
const BY_WALL_STEADY: f64 = 0.15;

/// What the body does beside computing: it decides which covariates mean disturbance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitTraits {
    /// It waits (sleeps, does input or output, polls until a deadline), or may: time without the CPU is part of the work.
    pub blocks: bool,
    /// Other threads of the process work for it, or processes that it has started.
    pub threaded: bool,
    /// It is known to compute alone: CPU time of its thread is all of its work.
    pub computes: bool,
    /// Every visit counts, whatever disturbed it: its strategy is not throughput.
    pub keeps_all: bool,
    /// It waits for most of its time, so that who shares its core matters little.
    pub idles: bool,
    /// It has code compiled in its calls: that is a part of their time.
    pub compiles: bool,
    /// It has garbage collected in some of its calls, which take longer by that: only the mean over all of them is its time.
    pub collects: bool,
}

/// Sums of logarithms of times, visit by visit, which show how far they vary. They are taken relative to the first, so that their squares lose no digits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct LogSums {
    count: u32,
    first: f64,
    sum: f64,
    squares: f64,
}

impl LogSums {
    fn add(&mut self, ns: f64) {
        let log = ns.ln();
        if self.count == 0 {
            self.first = log;
        }
        let away = log - self.first;
        self.count += 1;
        self.sum += away;
        self.squares += away * away;
    }

    fn plus(self, other: LogSums) -> LogSums {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (shift, count) = (other.first - self.first, f64::from(other.count));
        LogSums {
            count: self.count + other.count,
            first: self.first,
            sum: self.sum + other.sum + count * shift,
            squares: self.squares + other.squares + 2.0 * shift * other.sum + count * shift * shift,
        }
    }

    fn standard_deviation(&self) -> f64 {
        let count = f64::from(self.count.max(2));
        let mean = self.sum / count;
        ((self.squares - count * mean * mean).max(0.0) / (count - 1.0)).sqrt()
    }
}

/// What shows the traits of a body, counted visit by visit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TraitCounts {
    visits: u32,
    gaps: u32,
    waits: u32,
    threads: u32,
    usable: u32,
    undisturbed: u32,
    quiet: u32,
    timed: u32,
    idle: u32,
    preempted: u32,
    collecting: u32,
    wall: LogSums,
    cpu: LogSums,
    measured_ns: f64,
    descendants_ns: f64,
}

impl TraitCounts {
    pub fn add(&mut self, visit: &Visit) {
        let threads = match (visit.process_cpu_ns, visit.cpu_ns) {
            (Some(process), Some(thread)) => {
                let readings = THREADS_ITERATION_NS * f64::from(visit.iterations);
                process - thread > GAP_NS.max(readings) && process > THREADS_RATIO * thread
            }
            _ => false,
        };
        self.visits += 1;
        self.gaps += u32::from(visit.has_gap() && visit.waits.is_none_or(|w| w > 0.0));
        self.waits += u32::from(visit.waits.is_none_or(|w| w > 0.0));
        self.threads += u32::from(threads);
        self.usable += u32::from(visit.is_usable());
        self.undisturbed += u32::from(visit.is_usable() && !visit.is_preempted());
        self.timed += u32::from(visit.wall_ns > 0.0);
        self.preempted += u32::from(visit.is_preempted());
        self.collecting += u32::from(visit.collections > 0.0);
        self.quiet += u32::from(visit.wall_ns > 0.0 && !visit.is_preempted());
        if let Some(cpu) = visit.cpu_ns.filter(|cpu| *cpu > 0.0 && visit.is_usable()) {
            self.wall.add(visit.wall_ns / visit.invocations);
            self.cpu.add(cpu / visit.invocations);
        }
        self.measured_ns += visit.cpu_ns.unwrap_or(visit.wall_ns);
        self.descendants_ns += visit.descendants_cpu_ns;
        let cpu_ns = visit.process_cpu_ns.into_iter().chain(visit.cpu_ns).reduce(f64::max);
        self.idle += u32::from(cpu_ns.is_some_and(|cpu| cpu < IDLE_SHARE * visit.wall_ns));
    }

    pub fn plus(self, other: TraitCounts) -> TraitCounts {
        TraitCounts {
            visits: self.visits + other.visits,
            gaps: self.gaps + other.gaps,
            waits: self.waits + other.waits,
            threads: self.threads + other.threads,
            usable: self.usable + other.usable,
            undisturbed: self.undisturbed + other.undisturbed,
            timed: self.timed + other.timed,
            idle: self.idle + other.idle,
            preempted: self.preempted + other.preempted,
            collecting: self.collecting + other.collecting,
            quiet: self.quiet + other.quiet,
            wall: self.wall.plus(other.wall),
            cpu: self.cpu.plus(other.cpu),
            measured_ns: self.measured_ns + other.measured_ns,
            descendants_ns: self.descendants_ns + other.descendants_ns,
        }
    }

    /// It hands its work over to other threads and waits for them: which of them wake, and how long that takes, is a part of its time.
    pub fn hands_over(&self) -> bool {
        let most = |count: u32| f64::from(count) > BLOCKING_SHARE * f64::from(self.visits);
        most(self.waits) && most(self.threads)
    }

    /// Visits that count, for a body of these traits.
    pub fn valid(&self, traits: VisitTraits) -> u32 {
        match (traits.keeps_all, traits.blocks || traits.threaded, traits.compiles) {
            (true, ..) | (_, true, true) => self.timed,
            (_, true, false) => self.usable,
            (_, false, true) => self.quiet,
            (_, false, false) => self.undisturbed,
        }
    }

    /// It ends at a time of the wall clock: its CPU time varies, and its wall time does not.
    fn goes_by_the_wall_clock(&self) -> bool {
        let [wall, cpu] = [self.wall, self.cpu].map(|spread| spread.standard_deviation());
        self.cpu.count >= BY_WALL_VISITS_MIN
            && f64::from(self.preempted) >= BY_WALL_PREEMPTED * f64::from(self.visits)
            && cpu >= (BY_WALL_RATIO * wall).max(BY_WALL_SD)
            && wall <= BY_WALL_STEADY
    }

    /// The traits as the visits show them: see [`VisitTraits::of`].
    pub fn traits(&self, benchmark: &Benchmark) -> VisitTraits {
        let share = |count: u32| f64::from(count) / f64::from(self.visits.max(1));
        let collects = share(self.collecting) >= COLLECTING_SHARE;
        let waits_max = if collects { WAITING_TO_COLLECT_SHARE } else { WAITING_SHARE };
        let waits = share(self.waits) > waits_max;
        let blocks = benchmark.waits
            || benchmark.own_time
            || share(self.gaps) > BLOCKING_SHARE
            || (waits && share(self.preempted) > BLOCKING_SHARE)
            || self.goes_by_the_wall_clock();
        let has_descendants = self.descendants_ns > (THREADS_RATIO - 1.0) * self.measured_ns;
        let threaded = benchmark.threads != 1 || share(self.threads) > BLOCKING_SHARE || has_descendants;
        let keeps_all = benchmark.strategy.counts_disturbed();
        let idles = blocks && share(self.idle) > BLOCKING_SHARE;
        let compiles = f64::from(self.timed - self.usable) > COMPILING_SHARE * f64::from(self.visits);
        let computes = !blocks && !threaded && !keeps_all && !waits;
        VisitTraits { blocks, threaded, computes, keeps_all, idles, compiles, collects }
    }
}

impl VisitTraits {
    /// What both of two bodies that do the same are taken to do: visits of both are then kept and left out alike.
    pub fn of_both(self, other: VisitTraits) -> VisitTraits {
        VisitTraits {
            blocks: self.blocks || other.blocks,
            threaded: self.threaded || other.threaded,
            computes: self.computes && other.computes,
            keeps_all: self.keeps_all || other.keeps_all,
            idles: self.idles && other.idles,
            compiles: self.compiles || other.compiles,
            collects: self.collects || other.collects,
        }
    }

    /// The traits as the visits show them, of a body that may declare that it waits, and how many threads it uses (0: not known). A body that waits
    /// now and then, most of whose other visits are preempted, keeps all of them. A child that does not report its waits leaves open whose a gap
    /// is: few gaps are the machine's; a body most of whose visits have one may well sleep.
    pub fn of(visits: &[Visit], benchmark: &Benchmark) -> VisitTraits {
        let mut counts = TraitCounts::default();
        visits.iter().for_each(|visit| counts.add(visit));
        counts.traits(benchmark)
    }
}
