//! What a body does besides computing, according to its visits.

use super::{Visit, GAP_NS};
use crate::Benchmark;

/// Below this share of valid visits CPU time is compared, if it represents the work: more rounds would not be cleaner.
pub const CLEAN_SHARE_MIN: f64 = 0.6;
/// A body blocks if this share of its visits has a voluntary wait or a large gap.
const BLOCKING_SHARE: f64 = 0.5;
/// A visit used the CPU little below this share of its wall time.
const IDLE_SHARE: f64 = 0.5;
/// CPU time represents the work if at most this share of visits has a voluntary wait: otherwise it omits what the body waited for.
const WAITING_SHARE: f64 = 0.05;
/// The same for a body with garbage collection, which waits for its collector.
const WAITING_TO_COLLECT_SHARE: f64 = 0.5;
/// Other threads of the child work if process CPU time exceeds thread CPU time by this factor. The same holds for descendants over all
/// visits, since their CPU time comes in ticks, longer than many visits.
const THREADS_RATIO: f64 = 1.10;
/// And by at least this much per iteration, in ns: reading both clocks costs about 1,000 ns of process CPU time.
const THREADS_ITERATION_NS: f64 = 4_000.0;

/// The body causes compilation if this share of visits has any.
const COMPILING_SHARE: f64 = 0.5;
/// Collections are part of the body's time if this share of visits has any.
const COLLECTING_SHARE: f64 = 0.01;

/// Usable visits needed to tell whether a body follows the wall clock.
const BY_WALL_VISITS_MIN: u32 = 6;
/// Share of preempted visits needed for that.
const BY_WALL_PREEMPTED: f64 = 0.1;
/// It does if its CPU time varies by this factor more than its wall time (standard deviations of their logarithms) ...
const BY_WALL_RATIO: f64 = 2.0;
/// ... by at least this much, ...
const BY_WALL_SD: f64 = 0.002;
/// ... while its wall time varies by at most this much: a polling body looks at the clock late when preempted.
const BY_WALL_STEADY: f64 = 0.15;

/// What the body does besides computing, which decides which covariates mean disturbance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitTraits {
    /// It waits or may wait (sleep, input or output, polling until a deadline): time without the CPU is part of the work.
    pub blocks: bool,
    /// Other threads of the process or descendants work for it.
    pub threaded: bool,
    /// It is known to compute alone: its thread's CPU time is all of its work.
    pub computes: bool,
    /// Every visit counts despite disturbances: its strategy is not throughput.
    pub keeps_all: bool,
    /// It waits most of the time, so sharing the core matters little.
    pub idles: bool,
    /// Its calls cause compilation, which is part of their time.
    pub compiles: bool,
    /// Some of its calls include garbage collection and take longer: only the mean over all of them is its time.
    pub collects: bool,
}

/// Sums of log times over visits, to see how much they vary. Relative to the first, so that squares keep their precision.
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

/// Counts over visits that show the traits of a body.
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
    /// Visits without a collection since something was last compiled, and those of them in which other threads worked.
    plain: u32,
    helped: u32,
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
        if visit.compilations > 0.0 {
            (self.plain, self.helped) = (0, 0);
        } else if visit.collections == 0.0 {
            self.plain += 1;
            self.helped += u32::from(threads);
        }
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
            plain: self.plain + other.plain,
            helped: self.helped + other.helped,
            quiet: self.quiet + other.quiet,
            wall: self.wall.plus(other.wall),
            cpu: self.cpu.plus(other.cpu),
            measured_ns: self.measured_ns + other.measured_ns,
            descendants_ns: self.descendants_ns + other.descendants_ns,
        }
    }

    /// It delegates work to other threads and waits: which of them wake, and how long that takes, is part of its time. A thread that waits
    /// for short work may poll for it; so `tells`, whether the child reports the work of the runtime's own threads, counts too.
    pub fn hands_over(&self, tells: bool) -> bool {
        let most = |count: u32, of: u32| f64::from(count) > BLOCKING_SHARE * f64::from(of);
        let waits = most(self.waits, self.visits) && most(self.threads, self.visits);
        waits || (tells && most(self.helped, self.plain))
    }

    /// Visits that count for a body with these traits.
    pub fn valid(&self, traits: VisitTraits) -> u32 {
        match (traits.keeps_all, traits.blocks || traits.threaded, traits.compiles) {
            (true, ..) | (_, true, true) => self.timed,
            (_, true, false) => self.usable,
            (_, false, true) => self.quiet,
            (_, false, false) => self.undisturbed,
        }
    }

    /// It ends at a wall-clock time: its CPU time varies, its wall time does not.
    fn goes_by_the_wall_clock(&self) -> bool {
        let [wall, cpu] = [self.wall, self.cpu].map(|spread| spread.standard_deviation());
        self.cpu.count >= BY_WALL_VISITS_MIN
            && f64::from(self.preempted) >= BY_WALL_PREEMPTED * f64::from(self.visits)
            && cpu >= (BY_WALL_RATIO * wall).max(BY_WALL_SD)
            && wall <= BY_WALL_STEADY
    }

    /// The traits that the visits show: see [`VisitTraits::of`].
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
    /// Combined traits of two bodies that do the same, so that visits of both are selected alike.
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

    /// The traits that the visits show. A body may declare that it waits, and its number of threads (0: unknown). A body that waits now and
    /// then, and most of whose other visits are preempted, keeps all of them. If a child does not report its waits, the cause of a gap is
    /// unknown: a few gaps are attributed to the machine, but a body with gaps in most visits may well sleep.
    pub fn of(visits: &[Visit], benchmark: &Benchmark) -> VisitTraits {
        let mut counts = TraitCounts::default();
        visits.iter().for_each(|visit| counts.add(visit));
        counts.traits(benchmark)
    }
}
