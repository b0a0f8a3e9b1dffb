//! Warm-ups in slices, for runtimes that compile by the clock: while one process waits, the others run.

use super::engine::Engine;
use super::pilot::{NOTHING_NS, SILENCE_NS};
use super::shape::{is_long, Shape};
use super::warm_up::{SliceReport, WarmUp, WarmUpWork};
use super::wave::{Counts, Member, Wave, WaveState, LOOP_ITERATIONS};
use tare_model::{Loop, Visit};

/// A turn, in which every child has a slice, takes this long if there are many children, ns ...
const TURN_NS: f64 = 5e7;
/// ... with slices of at most this length ...
const SLICE_MAX_NS: f64 = 2.5e7;
/// ... and at least this one.
const SLICE_MIN_NS: f64 = 5e6;
/// A slice of a process that reports pending compilations, ns.
const SLICE_COUNTED_NS: f64 = 5e6;
/// A slice counts as no longer than this multiple of its intended length.
const BUSY: f64 = 1.5;
const SLICE_ITERATIONS_MAX: f64 = 1000.0;
#[derive(Debug, Default)]
pub struct Warming {
    /// The search for what makes a launch of its case warm.
    search: Option<WarmUp>,
    done: WarmUpWork,
    next: (u64, u64),
    pub(crate) slice: Vec<Visit>,
    pub(crate) report: SliceReport,
    /// Number of others that ran before it in its turn.
    place: usize,
    is_warm: bool,
}

impl Engine {
    /// Whether the children of a case warm up in slices: their runtime compiles by the clock, and there is something to compile.
    pub(super) fn warms_by_clock(&self, case: u32) -> bool {
        let warms = |shape: Shape| !(is_long(shape.visit_ns()) && shape.per_iteration() == 1);
        self.facts_of(case).compiles_by_clock
            && self.policy_of(case).warmup_ns.is_none()
            && !self.strategy_of(case).keeps_all()
            && self.of_case(case).shape.is_some_and(warms)
    }

    /// Begins the turns of the children that compile by the clock; goes on if there are none.
    pub(super) fn slices_begin(&mut self, wave: &mut Wave) {
        for case in wave.living_cases() {
            self.calibrations[case as usize].seen.clear();
            let (Some(shape), first) = (self.of_case(case).shape, wave.first(case)) else { continue };
            if !self.warms_by_clock(case) {
                continue;
            }
            let search = WarmUp::new(shape, true, self.batch_max(case), self.policy_of(case), 0.0);
            let known = self.of_case(case).warmth.is_some();
            let slice_ns = slice_ns(wave, self.processors);
            let iteration_ns = shape.invocation_ns * search.invocations as f64;
            let next = (in_slice(slice_ns, iteration_ns), search.invocations);
            for member in wave.members.iter_mut().filter(|m| m.alive && m.case == case) {
                let search = (!known && first == Some(member.launch)).then(|| search.clone());
                let done = WarmUpWork { by_count: member.compiles_by_count, ..WarmUpWork::default() };
                member.warming = Some(Warming { search, next, done, ..Warming::default() });
            }
        }
        self.turn_begin(wave);
    }

    /// Asks every child that is not warm for a slice.
    fn turn_begin(&mut self, wave: &mut Wave) {
        let cold = wave.members.iter().filter(|m| m.alive);
        let cold = cold.filter_map(|m| Some((m.launch, m.case, m.warming.as_ref().filter(|w| !w.is_warm)?.next)));
        let cold: Vec<(u32, u32, (u64, u64))> = cold.collect();
        if cold.is_empty() {
            return self.slices_over(wave);
        }
        let mut asks: Vec<(u32, Counts)> = Vec::new();
        for (launch, case, (iterations, invocations)) in cold {
            asks.push((launch, self.warm_up_counts(wave, launch, case, iterations, invocations)));
        }
        self.rng.shuffle(&mut asks);
        for (at, (launch, _)) in asks.iter().enumerate() {
            if let Some(warming) = wave.member(*launch).and_then(|m| m.warming.as_mut()) {
                warming.place = at / self.processors.max(1);
            }
        }
        wave.ask_warm_ups(asks, self.processors);
        wave.state = WaveState::Slices { turn_ns: self.time.now_ns };
    }

    pub(super) fn slices_on(&mut self, wave: &mut Wave, turn_ns: f64) {
        let asked = wave.members.iter().filter(|m| m.alive && m.warming.as_ref().is_some_and(|w| !w.is_warm)).count();
        let batches = asked.div_ceil(self.processors.max(1)).max(1) as f64;
        let slice_ns = slice_ns(wave, self.processors);
        let real_ns = (self.time.now_ns - turn_ns) / batches;
        let (mut stands, mut grown) = (Vec::new(), Vec::new());
        for at in 0..wave.members.len() {
            let member = &mut wave.members[at];
            let (launch, case) = (member.launch, member.case);
            let Some(warming) = member.warming.as_mut().filter(|w| member.alive && !w.is_warm) else { continue };
            let benchmark = self.benchmark(case);
            let is_set_up = benchmark.has_iteration_set_up();
            // On a busy machine the compiler waits as much as the body.
            let took_ns = if is_set_up { real_ns } else { real_ns.min(BUSY * slice_ns) };
            let untimed_ns = if is_set_up || benchmark.own_time { took_ns } else { 0.0 };
            warming.took(took_ns, batches);
            warming.fit(slice_ns, untimed_ns);
            if real_ns >= SILENCE_NS && warming.slice.iter().all(|v| v.wall_ns <= NOTHING_NS) {
                stands.push((launch, warming.slice.iter().map(|v| v.invocations).sum::<f64>()));
                continue;
            }
            let slice = std::mem::take(&mut warming.slice);
            warming.done.ran(&slice, warming.report);
            let Some(mut search) = warming.search.take() else { continue };
            let found = match warming.done.by_count {
                true => search.ran_counted(&slice, took_ns, &warming.done),
                false => search.ran_slice(&slice, took_ns, warming.done.known_ns),
            };
            grown.push((case, search.invocations));
            let Some(warmth) = found else {
                warming.search = Some(search);
                continue;
            };
            warming.is_warm = true;
            // The empty body was called all along beside the real one; if that is known to be compiled, the loop need not run for it.
            let loop_warm_up = if warming.done.by_count { 1 } else { LOOP_ITERATIONS };
            let shape = self.shape_of(case, search.invocation_ns().unwrap_or(1.0));
            let calibration = &mut self.calibrations[case as usize];
            calibration.set_warm_up(search.iterations_for(warmth.busy_ns), search.invocations, false);
            calibration.set_loop_warm_up(Loop::Overhead, loop_warm_up);
            calibration.set_loop_warm_up(Loop::Rolled, loop_warm_up);
            calibration.shape = Some(shape);
            calibration.warmth = Some(warmth);
        }
        for (case, invocations) in grown {
            let of_case = wave.members.iter_mut().filter(|m| m.case == case);
            of_case.filter_map(|m| m.warming.as_mut()).for_each(|warming| warming.resize(invocations));
        }
        for (launch, invocations) in stands {
            self.fail_clock(wave, launch, 0.0, invocations as u64);
        }
        self.find_warm(wave);
        self.turn_begin(wave);
    }

    /// Decides which children are warm. One that seemed warm continues if another shows that it runs earlier code.
    fn find_warm(&mut self, wave: &mut Wave) {
        let number = wave.number;
        let mut warming: Vec<(usize, &mut Warming)> = Vec::new();
        for member in wave.members.iter_mut().filter(|m| m.alive) {
            warming.extend(member.warming.as_mut().map(|warming| (member.case as usize, warming)));
        }
        for (case, one) in &mut warming {
            let Some(warmth) = self.calibrations[*case].warmth.as_mut() else { continue };
            if !one.is_warm && one.search.is_none() && warmth.is_reached(&one.done) {
                one.is_warm = true;
                warmth.learn(&one.done, number);
            }
            if one.is_warm {
                warmth.has_bytes(&one.done);
            }
        }
        for (case, one) in &mut warming {
            one.is_warm &= !self.calibrations[*case].warmth.is_some_and(|warmth| warmth.is_taken_back(&one.done));
        }
    }

    fn slices_over(&mut self, wave: &mut Wave) {
        for case in wave.living_cases() {
            if self.warms_by_clock(case) {
                // The baseline's form of visits is known only now.
                self.take_shape_of_baseline(wave, case);
            }
        }
        wave.members.iter_mut().for_each(|m| m.warming = None);
        self.loops(wave);
    }
}

impl Warming {
    /// Adds a slice of `took_ns`, in a turn of `batches` slices one after the other.
    fn took(&mut self, took_ns: f64, batches: f64) {
        let missed = if self.done.known_ns > 0.0 { 0.0 } else { self.place as f64 };
        self.done.known_ns += took_ns * (batches - missed);
        self.done.waited_ns += took_ns;
        self.done.busy_ns += self.slice.iter().map(|v| v.wall_ns).sum::<f64>();
        self.done.invocations += self.slice.iter().map(|v| v.invocations).sum::<f64>();
    }

    /// Sets the iterations of the next slice from the timed iterations of this one, as the slice may have waited for others. Half of
    /// `untimed_ns` counts as their time too.
    fn fit(&mut self, slice_ns: f64, untimed_ns: f64) {
        let timed_ns: f64 = self.slice.iter().map(|v| v.wall_ns).sum();
        let each_ns = timed_ns.max(0.5 * untimed_ns) / self.slice.len().max(1) as f64;
        self.next.0 = in_slice(slice_ns, each_ns);
    }

    /// Adopts the invocations per iteration that the search has found for the case: otherwise a body that has become fast would fill a
    /// slice with hundreds of iterations, and the readings around each take longer than the body.
    fn resize(&mut self, invocations: u64) {
        let (iterations, before) = self.next;
        self.next = ((iterations.saturating_mul(before) / invocations.max(1)).max(1), invocations);
    }
}

/// Length of a slice if the children that are not warm share the processors, ns.
fn slice_ns(wave: &Wave, processors: usize) -> f64 {
    let is_cold = |m: &&Member| m.alive && !m.warming.as_ref().is_some_and(|w| w.is_warm);
    let cold = wave.members.iter().filter(is_cold);
    if cold.clone().all(|m| m.compiles_by_count) {
        return SLICE_COUNTED_NS;
    }
    (TURN_NS * processors.max(1) as f64 / cold.count().max(1) as f64).clamp(SLICE_MIN_NS, SLICE_MAX_NS)
}

fn in_slice(slice_ns: f64, iteration_ns: f64) -> u64 {
    (slice_ns / iteration_ns.max(1e-3)).clamp(1.0, SLICE_ITERATIONS_MAX) as u64
}
