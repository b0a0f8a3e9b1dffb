//! What a body does beside computing, as far as its visits show it.

use super::{Visit, GAP_NS};
use crate::Benchmark;

/// Share of visits with a voluntary wait or a large gap from which the body is taken to block.
const BLOCKING_SHARE: f64 = 0.5;
/// Share of its wall time below which a visit used the CPU little.
const IDLE_SHARE: f64 = 0.5;
/// Share of visits with a voluntary wait up to which CPU time may stand for the work: beyond, it leaves out what the body waited for.
const WAITING_SHARE: f64 = 0.05;
/// Process CPU time above this multiple of thread CPU time means that other threads of the child work.
const THREADS_RATIO: f64 = 1.10;

/// What the body does beside computing: it decides which covariates mean disturbance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitTraits {
    /// It waits (sleeps, does input or output), or may: time without the CPU is part of the work.
    pub blocks: bool,
    /// Other threads of the process work for it.
    pub threaded: bool,
    /// It is known to compute alone: CPU time of its thread is all of its work.
    pub computes: bool,
    /// Every visit counts, whatever disturbed it: its strategy is not throughput.
    pub keeps_all: bool,
    /// It waits for most of its time, so that who shares its core matters little.
    pub idles: bool,
}

/// What shows the traits of a body, counted visit by visit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TraitCounts {
    visits: u32,
    gaps: u32,
    waits: u32,
    threads: u32,
    usable: u32,
    undisturbed: u32,
    timed: u32,
    idle: u32,
}

impl TraitCounts {
    /// Takes a visit in.
    pub fn add(&mut self, visit: &Visit) {
        let threads = match (visit.process_cpu_ns, visit.cpu_ns) {
            (Some(process), Some(thread)) => process - thread > GAP_NS && process > THREADS_RATIO * thread,
            _ => false,
        };
        self.visits += 1;
        self.gaps += u32::from(visit.has_gap() && visit.waits.is_none_or(|w| w > 0.0));
        self.waits += u32::from(visit.waits.is_none_or(|w| w > 0.0));
        self.threads += u32::from(threads);
        self.usable += u32::from(visit.is_usable());
        self.undisturbed += u32::from(visit.is_usable() && !visit.is_preempted());
        self.timed += u32::from(visit.wall_ns > 0.0);
        let cpu_ns = visit.process_cpu_ns.into_iter().chain(visit.cpu_ns).reduce(f64::max);
        self.idle += u32::from(cpu_ns.is_some_and(|cpu| cpu < IDLE_SHARE * visit.wall_ns));
    }

    /// Both together.
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
        }
    }

    /// Visits that count, for a body of these traits.
    pub fn valid(&self, traits: VisitTraits) -> u32 {
        if traits.keeps_all {
            self.timed
        } else if traits.blocks || traits.threaded {
            self.usable
        } else {
            self.undisturbed
        }
    }

    /// The traits as the visits show them: see [`VisitTraits::of`].
    pub fn traits(&self, benchmark: &Benchmark) -> VisitTraits {
        let share = |count: u32| f64::from(count) / f64::from(self.visits.max(1));
        let blocks = benchmark.waits || benchmark.own_time || share(self.gaps) > BLOCKING_SHARE;
        let threaded = benchmark.threads != 1 || share(self.threads) > BLOCKING_SHARE;
        let keeps_all = benchmark.strategy.keeps_all();
        let computes = !blocks && !threaded && !keeps_all && share(self.waits) <= WAITING_SHARE;
        let idles = blocks && share(self.idle) > BLOCKING_SHARE;
        VisitTraits { blocks, threaded, computes, keeps_all, idles }
    }
}

impl VisitTraits {
    /// The traits as the visits show them, of a body that may declare that it waits, and how many threads it uses (0: not known).
    ///
    /// A child that does not report its waits leaves open whether a gap is the machine's or the body's. Few gaps are the machine's; a
    /// body most of whose visits have one may well sleep, and all of its wall time counts.
    pub fn of(visits: &[Visit], benchmark: &Benchmark) -> VisitTraits {
        let mut counts = TraitCounts::default();
        visits.iter().for_each(|visit| counts.add(visit));
        counts.traits(benchmark)
    }
}
