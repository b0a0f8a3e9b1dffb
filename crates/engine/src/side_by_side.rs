//! Runtimes that compile by the clock: while one process waits for its compiler the others of the wave run, so that all of them are warm
//! in the time that one takes.

use crate::calibrate::{self, NOTHING_NS, SILENCE_NS};
use crate::measurement::Measurement;
use crate::warm_up::{Said, WarmUp, WarmedFor, Warmth};
use crate::wave::{Counts, Member, Phase, Wave, LOOP_ITERATIONS};
use tare_model::{Artifact, Case, CaseGroup, Plan, Visit};

/// A turn in which every child has a slice takes so long, ns, where they are many ...
const TURN_NS: f64 = 5e7;
/// ... and a slice so long at most ...
const SLICE_MAX_NS: f64 = 2.5e7;
/// ... and at least.
const SLICE_MIN_NS: f64 = 5e6;
/// One of a process that says while something is left to compile.
const SLICE_COUNTED_NS: f64 = 5e6;
/// A slice counts as no longer than so many times what it was meant to take.
const BUSY: f64 = 1.5;
/// Iterations of a slice at most.
const SLICE_ITERATIONS_MAX: f64 = 1000.0;
/// Cases that are compared with nothing and whose children are alive together at most.
const CASES_MAX: usize = 6;
/// The same of children of such cases where each case may have several.
const CHILDREN_MAX: u32 = 4;

/// Cases that are compared with nothing and whose runtimes compile by the clock are measured together, a few at a time. One that is
/// alone has several children at a time.
pub fn side_by_side(plan: &mut Plan, artifacts: &[Artifact]) {
    let by_clock = |case: &Case| {
        let child = artifacts.get(case.artifact as usize).and_then(|artifact| artifact.child.as_ref());
        child.is_some_and(|facts| facts.compiles_by_clock) && !case.benchmark.strategy.keeps_all()
    };
    let is_alone = |group: &CaseGroup| match group.cases[..] {
        [case] => group.baseline.is_none() && plan.cases.get(case as usize).is_some_and(by_clock),
        _ => false,
    };
    if plan.policy.keep_order {
        return;
    }
    let (alone, mut groups): (Vec<CaseGroup>, Vec<CaseGroup>) = plan.groups.iter().cloned().partition(is_alone);
    let cases: Vec<u32> = alone.into_iter().flat_map(|group| group.cases).collect();
    let each = cases.len().div_ceil(cases.len().div_ceil(CASES_MAX).max(1)).max(1);
    groups.extend(cases.chunks(each).map(|part| CaseGroup {
        cases: part.to_vec(),
        side_by_side: part.len() as u32 * plan.policy.width <= CHILDREN_MAX,
        ..CaseGroup::default()
    }));
    plan.groups = groups;
}

/// How far a child is warm.
#[derive(Debug, Default)]
pub struct Warming {
    /// It looks for what makes a launch of its case warm.
    search: Option<WarmUp>,
    /// What it has done so far.
    done: WarmedFor,
    /// Iterations and invocations of its next slice.
    next: (u64, u64),
    /// What its last slice showed.
    pub(crate) slice: Vec<Visit>,
    /// What it said with it.
    pub(crate) said: Said,
    /// As so many others of the turn ran before it.
    place: usize,
    is_warm: bool,
}

impl Measurement {
    /// Whether the children of a case warm up side by side: their runtime compiles by the clock, and there is something to warm up.
    pub(crate) fn warms_by_clock(&self, case: u32) -> bool {
        let state = &self.cases[case as usize];
        let warms = |shape: calibrate::Shape| !(calibrate::is_long(shape.visit_ns()) && shape.per_iteration() == 1);
        self.facts_of(case).compiles_by_clock
            && self.policy_of(case).warmup_ns.is_none()
            && !self.strategy_of(case).keeps_all()
            && state.shape.is_some_and(warms)
    }

    /// Begins the turns of the children that compile by the clock; goes on where there are none.
    pub(crate) fn side_by_side_begin(&mut self, wave: &mut Wave) {
        let cases = self.plan.groups[wave.group].cases.clone();
        for position in wave.positions() {
            let case = cases[position];
            let state = &mut self.cases[case as usize];
            state.piloted.clear();
            let (Some(shape), first) = (state.shape, wave.first(position)) else { continue };
            if !self.warms_by_clock(case) {
                continue;
            }
            let search = WarmUp::new(shape, true, self.batch_max(case), self.policy_of(case), 0.0);
            let known = self.cases[case as usize].warmth.is_some();
            let slice_ns = slice_ns(wave, self.processors);
            let iteration_ns = shape.invocation_ns * search.invocations as f64;
            let next = (in_slice(slice_ns, iteration_ns), search.invocations);
            for member in wave.members.iter_mut().filter(|m| m.alive && m.position == position) {
                let search = (!known && first == Some(member.launch)).then(|| search.clone());
                let done = WarmedFor { by_count: member.compiles_by_count, ..WarmedFor::default() };
                member.warming = Some(Warming { search, next, done, ..Warming::default() });
            }
        }
        self.turn_begin(wave);
    }

    /// Asks every child that is not warm for a slice.
    fn turn_begin(&mut self, wave: &mut Wave) {
        let cold = wave.members.iter().filter(|m| m.alive);
        let cold = cold.filter_map(|m| Some((m.launch, m.position, m.warming.as_ref().filter(|w| !w.is_warm)?.next)));
        let cold: Vec<(u32, usize, (u64, u64))> = cold.collect();
        if cold.is_empty() {
            return self.side_by_side_over(wave);
        }
        let cases = self.plan.groups[wave.group].cases.clone();
        let mut asks: Vec<(u32, Counts)> = Vec::new();
        for (launch, position, (iterations, invocations)) in cold {
            asks.push((launch, self.warm_up_counts(wave, launch, cases[position], iterations, invocations)));
        }
        self.rng.shuffle(&mut asks);
        for (at, (launch, _)) in asks.iter().enumerate() {
            if let Some(warming) = wave.member(*launch).and_then(|m| m.warming.as_mut()) {
                warming.place = at / self.processors.max(1);
            }
        }
        wave.ask_warm_ups(asks, self.processors);
        wave.phase = Phase::SideBySide { turn_ns: self.now_ns };
    }

    /// Every child has had its slice.
    pub(crate) fn side_by_side_on(&mut self, wave: &mut Wave, turn_ns: f64) {
        let cases = self.plan.groups[wave.group].cases.clone();
        let asked = wave.members.iter().filter(|m| m.alive && m.warming.as_ref().is_some_and(|w| !w.is_warm)).count();
        let batches = asked.div_ceil(self.processors.max(1)).max(1) as f64;
        let slice_ns = slice_ns(wave, self.processors);
        let real_ns = (self.now_ns - turn_ns) / batches;
        let mut stands = Vec::new();
        for at in 0..wave.members.len() {
            let member = &mut wave.members[at];
            let (launch, case) = (member.launch, cases[member.position]);
            let Some(warming) = member.warming.as_mut().filter(|w| member.alive && !w.is_warm) else { continue };
            let is_set_up = self.plan.cases[case as usize].benchmark.has_iteration_set_up();
            // On a busy machine the compiler waits as the body does.
            let took_ns = if is_set_up { real_ns } else { real_ns.min(BUSY * slice_ns) };
            warming.took(took_ns, batches, slice_ns);
            if real_ns >= SILENCE_NS && warming.slice.iter().all(|v| v.wall_ns <= NOTHING_NS) {
                stands.push((launch, warming.slice.iter().map(|v| v.invocations).sum::<f64>()));
                continue;
            }
            let slice = std::mem::take(&mut warming.slice);
            warming.done.ran(&slice, warming.said);
            let Some(mut search) = warming.search.take() else { continue };
            let found = match warming.done.by_count {
                true => search.ran_counted(&slice, took_ns, &warming.done),
                false => search.ran_slice(&slice, took_ns, warming.done.known_ns),
            };
            warming.next.1 = search.invocations;
            let Some(warmth) = found else {
                warming.search = Some(search);
                continue;
            };
            warming.is_warm = true;
            // The empty body was called beside the other one all the while; where that is known to be compiled, it need not run for it.
            let loop_warmup = if warming.done.by_count { 1 } else { LOOP_ITERATIONS };
            let shape = self.shape_of(case, search.invocation_ns().unwrap_or(1.0));
            let state = &mut self.cases[case as usize];
            state.warmup = (search.iterations_for(warmth.busy_ns), search.invocations);
            state.loop_warmup = (loop_warmup, loop_warmup);
            (state.shape, state.warmth, state.computes_alone) = (Some(shape), Some(warmth), false);
        }
        for (launch, invocations) in stands {
            self.fail_clock(wave, launch, 0.0, invocations as u64);
        }
        self.find_warm(wave, &cases);
        self.turn_begin(wave);
    }

    /// Which children are warm now. One that seemed to be goes on where another one shows that it runs earlier code.
    fn find_warm(&mut self, wave: &mut Wave, cases: &[u32]) {
        let number = wave.number;
        let mut warming: Vec<(usize, &mut Warming)> = Vec::new();
        for member in wave.members.iter_mut().filter(|m| m.alive) {
            let case = cases[member.position] as usize;
            warming.extend(member.warming.as_mut().map(|warming| (case, warming)));
        }
        for (case, one) in &mut warming {
            let Some(warmth) = self.cases[*case].warmth.as_mut() else { continue };
            if !one.is_warm && one.search.is_none() && warmth.is_reached(&one.done) {
                one.is_warm = true;
                warmth.learn(&one.done, number);
            }
            if one.is_warm {
                warmth.has_bytes(&one.done);
            }
        }
        for (case, one) in &mut warming {
            let is_early = |warmth: &Warmth| warmth.is_taken_back(&one.done);
            one.is_warm &= !self.cases[*case].warmth.as_ref().is_some_and(is_early);
        }
    }

    /// All are warm.
    fn side_by_side_over(&mut self, wave: &mut Wave) {
        let cases = self.plan.groups[wave.group].cases.clone();
        for position in wave.positions().into_iter().filter(|p| self.warms_by_clock(cases[*p])).collect::<Vec<_>>() {
            // What a visit of the baseline is, is known only now.
            let own_ns = self.cases[cases[position] as usize].shape.map(|own| own.invocation_ns);
            if let Some(shape) = self.shape_of_baseline(wave, position, own_ns) {
                self.cases[cases[position] as usize].shape = Some(shape);
            }
        }
        wave.members.iter_mut().for_each(|m| m.warming = None);
        self.loops(wave);
    }
}

impl Warming {
    /// Its slice took so long, and so many slices one after the other make a turn; how many iterations the next one has.
    fn took(&mut self, took_ns: f64, batches: f64, slice_ns: f64) {
        let missed = if self.done.known_ns > 0.0 { 0.0 } else { self.place as f64 };
        self.done.known_ns += took_ns * (batches - missed);
        self.done.waited_ns += took_ns;
        let timed_ns: f64 = self.slice.iter().map(|v| v.wall_ns).sum();
        self.done.busy_ns += timed_ns;
        self.done.calls += self.slice.iter().map(|v| v.invocations).sum::<f64>();
        let each_ns = timed_ns.max(0.5 * took_ns) / self.slice.len().max(1) as f64;
        self.next.0 = in_slice(slice_ns, each_ns);
    }
}

/// Length of a slice where those children that are not warm share the processors, ns. Where each says while something is left to compile
/// it is short: it is looked at more often.
fn slice_ns(wave: &Wave, processors: usize) -> f64 {
    let is_cold = |m: &&Member| m.alive && !m.warming.as_ref().is_some_and(|w| w.is_warm);
    let cold = wave.members.iter().filter(is_cold);
    if cold.clone().all(|m| m.compiles_by_count) {
        return SLICE_COUNTED_NS;
    }
    (TURN_NS * processors.max(1) as f64 / cold.count().max(1) as f64).clamp(SLICE_MIN_NS, SLICE_MAX_NS)
}

/// Iterations of this time in a slice.
fn in_slice(slice_ns: f64, iteration_ns: f64) -> u64 {
    (slice_ns / iteration_ns.max(1e-3)).clamp(1.0, SLICE_ITERATIONS_MAX) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, ChildFacts, Policy, Strategy};

    fn plan(alone: u32) -> (Plan, Vec<Artifact>) {
        let case = |artifact: u32, strategy: Strategy| Case {
            artifact,
            benchmark: Benchmark { strategy, ..Benchmark::default() },
            job: 0,
            side: None,
            key: String::new(),
        };
        let mut cases = vec![case(0, Strategy::Throughput); alone as usize];
        cases.extend([case(0, Strategy::ColdStart), case(1, Strategy::Throughput)]);
        let group = |cases: Vec<u32>| CaseGroup { cases, ..CaseGroup::default() };
        let groups = (0..cases.len() as u32).map(|case| group(vec![case])).collect();
        let child = |compiles_by_clock| Some(ChildFacts { compiles_by_clock, ..ChildFacts::default() });
        let artifacts = [true, false].map(|by_clock| Artifact { child: child(by_clock), ..Artifact::default() });
        (Plan { cases, groups, policy: Policy::default(), seed: 1 }, artifacts.to_vec())
    }

    #[test]
    fn cases_that_wait_for_their_compiler_wait_together() {
        for (alone, wanted) in
            [(1, vec![(1, 2)]), (2, vec![(2, 2)]), (5, vec![(5, 1)]), (13, vec![(5, 1), (5, 1), (3, 1)])]
        {
            let (mut plan, artifacts) = plan(alone);
            side_by_side(&mut plan, &artifacts);
            let of = |group: &CaseGroup| (group.cases.len(), plan.policy.width_of(group));
            let (apart, together) = plan.groups.split_at(2);
            assert!(apart.iter().all(|group| of(group) == (1, 1)), "native code and cold starts stay as they are");
            assert_eq!(together.iter().map(of).collect::<Vec<_>>(), wanted);
            for group in &plan.groups {
                let (waves, _) = plan.policy.waves_of(group);
                assert_eq!(waves * plan.policy.width_of(group), 12, "launches of each case");
            }
        }
    }
}
