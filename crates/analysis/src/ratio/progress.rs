//! What is decided during a run: the engine asks after every wave whether a group needs another one. Only that group is computed anew.

use super::{inflation, minimum, pair, Pair};
use crate::clock::{cycles_of, reference_or};
use crate::estimate::{half_width, raw};
use crate::verdict::{self, Verdict};
use crate::visits::{times_of, CaseTimes, KeptVisits};
use tare_model::{Launch, LaunchOutcome, Run};
use tare_stats::location::median;
use tare_stats::sequential::Look;

/// A ratio is clear if it is this many half-widths of its 95 % interval away from 1: equal code never gets there.
const CLEAR: f64 = 5.0;

/// State of the comparisons and precisions of a run, group by group. What a launch measured is worked out once.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    groups: Vec<GroupState>,
    seen: usize,
    finished: Vec<Vec<u32>>,
    /// Length of a cycle in each visit so far, ns, where the run takes the reference clock from its own.
    cycles: Vec<f64>,
    visits: KeptVisits,
}

#[derive(Debug, Clone, Default)]
struct GroupState {
    pairs: Vec<Option<Pair>>,
    /// Its newest look, as if there were no other group; None before it has one.
    looks: Vec<Option<Look>>,
    /// Half of the 95 % interval of each case, relative to its time; the widest of those that have one.
    half_width: Option<f64>,
    precise: bool,
}

impl Progress {
    pub fn update(&mut self, run: &Run, groups: &[u32]) {
        if groups.is_empty() {
            return;
        }
        self.see(run);
        let reference = reference_or(run, || median(&self.cycles));
        for &group in groups {
            self.take_in(run, group, reference);
        }
    }

    fn see(&mut self, run: &Run) {
        self.finished.resize_with(run.plan.cases.len(), Vec::new);
        let needs_clock = run.environment().clock_reference.is_none();
        for launch in &run.launches[self.seen..] {
            if launch.outcome == LaunchOutcome::Finished {
                self.finished[launch.case as usize].push(launch.id);
            }
            if needs_clock {
                self.cycles.extend(cycles_of(run, launch));
            }
        }
        self.seen = run.launches.len();
    }

    fn take_in(&mut self, run: &Run, group: u32, reference: Option<f64>) {
        let Some(members) = run.plan.groups.get(group as usize) else { return };
        self.groups.resize_with(run.plan.groups.len(), GroupState::default);
        let runs = |case: u32| run.results.get(case as usize).is_some_and(|r| r.runs_in(group));
        let living: Vec<u32> = members.cases.iter().copied().filter(|&c| runs(c)).collect();
        let (finished, visits) = (&self.finished, &mut self.visits);
        let mut times_of_case = |case: u32| {
            let launches: Vec<&Launch> =
                finished[case as usize].iter().map(|&launch| &run.launches[launch as usize]).collect();
            times_of(run, case, &launches, reference, visits)
        };
        let times: Vec<CaseTimes> = living.into_iter().map(&mut times_of_case).collect();
        let base = members.baseline.and_then(|base| times.iter().find(|t| t.case == base));
        let pairs: Vec<Option<Pair>> = match base {
            Some(base) => times
                .iter()
                .filter(|t| t.case != base.case)
                .map(|contestant| pair(run, group, base, contestant, reference))
                .collect(),
            None => Vec::new(),
        };
        let policy = &run.plan.policy;
        let half_widths: Vec<Option<f64>> = times.iter().map(half_width).collect();
        let is_precise = |(times, half_width): (&CaseTimes, &Option<f64>)| {
            let Some(share) = *half_width else { return false };
            let ns = || raw(times).map_or(f64::INFINITY, |raw| share * raw.value);
            policy.precision.is_none_or(|wanted| share <= wanted)
                && policy.precision_ns.is_none_or(|wanted| ns() <= wanted)
        };
        let is_asked = policy.precision.is_some() || policy.precision_ns.is_some();
        let precise = !is_asked || times.iter().zip(&half_widths).all(is_precise);
        let looks = pairs.iter().map(|pair| pair.as_ref()?.look(1.0)).collect();
        let half_width = half_widths.into_iter().flatten().reduce(f64::max);
        self.groups[group as usize] = GroupState { pairs, looks, half_width, precise };
    }

    /// Whether a group needs no further wave. `comparisons`: of the whole plan, as those without a look count.
    pub fn is_settled(&self, group: u32, comparisons: usize) -> bool {
        let Some(state) = self.groups.get(group as usize) else { return false };
        if state.looks.is_empty() {
            return state.precise;
        }
        let first = self.groups[..group as usize].iter().map(|g| g.looks.len()).sum();
        self.suite(comparisons).settles(state, first)
    }

    pub fn lacks_confirmation(&self, group: u32) -> bool {
        self.groups.get(group as usize).is_some_and(|state| state.pairs.iter().flatten().any(Pair::lacks_confirmation))
    }

    /// Half of the 95 % interval of the cases of a group at its last update, relative to their times: the widest.
    pub fn half_width(&self, group: u32) -> Option<f64> {
        self.groups.get(group as usize)?.half_width
    }

    /// The widest half of the 95 % interval of comparisons that are not clear, as a difference of logs.
    pub fn unclear_half_width(&self, group: u32) -> Option<f64> {
        let half_width = |look: &Look| {
            let half = 0.5 * (look.rci_95.upper - look.rci_95.lower);
            (look.estimate.abs() < CLEAR * half).then_some(half)
        };
        self.groups.get(group as usize)?.looks.iter().flatten().filter_map(half_width).reduce(f64::max)
    }

    /// Which groups need no further wave, of those that were taken in so far and those before them.
    pub fn settled(&self, comparisons: usize) -> Vec<bool> {
        let suite = self.suite(comparisons);
        let mut first = 0;
        let mut settles = |state: &GroupState| {
            let settled = suite.settles(state, first);
            first += state.looks.len();
            settled
        };
        self.groups.iter().map(&mut settles).collect()
    }

    fn suite(&self, comparisons: usize) -> Suite {
        let inflation = inflation(self.groups.iter().flat_map(|g| &g.pairs).flatten());
        let pairs = self.groups.iter().flat_map(|g| g.pairs.iter().zip(&g.looks));
        let looks = pairs.map(|(pair, look)| match pair {
            Some(pair) if inflation > 1.0 => pair.look(inflation),
            _ => *look,
        });
        let mut p: Vec<f64> = looks.map(|look| look.map_or(1.0, |look| look.repeated_p)).collect();
        p.resize(comparisons.max(p.len()), 1.0);
        Suite { inflation, all: verdict::Suite::of(p.into_iter().map(Some)) }
    }
}

struct Suite {
    inflation: f64,
    all: verdict::Suite,
}

impl Suite {
    /// Whether a group is settled whose comparisons stand from `first` on.
    fn settles(&self, state: &GroupState, first: usize) -> bool {
        if state.looks.is_empty() {
            return state.precise;
        }
        state.pairs.iter().enumerate().all(|(index, pair)| {
            let Some(pair) = pair else { return false };
            let Some(look) = pair.look(self.inflation) else { return false };
            let ruling = self.all.judge(first + index, &pair.evidence(&look), &minimum(&pair.rule));
            ruling.verdict != Verdict::Unclear
        })
    }
}
