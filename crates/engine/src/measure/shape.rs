//! The form of a visit: how many invocations it has, and how many visits a launch has.

use tare_model::{Benchmark, ChildFacts, Effort, Policy};
use tare_stats::rng::Rng;

/// Iterations of one invocation within a visit at most (bodies with an iteration set-up).
const ITERATIONS_MAX: u64 = 64;
/// A window: long compared with a reading of the width probe, short compared with a neighbour's activity, ns.
const WINDOW_NS: f64 = 100_000.0;
/// In longer invocations, the readings at the ends show too little of the middle, so there are no windows, ns.
const WINDOW_MAX_NS: f64 = 2_000_000.0;
const WINDOWS_MAX: f64 = 64.0;
/// The untimed lead-in of a visit takes at least this long, ns ...
const LEAD_NS: f64 = 150_000.0;
/// ... and at least this share of the visit.
const LEAD_SHARE: f64 = 0.12;
/// Longer invocations need no lead-in, ns: after the first 0.15 ms they are warm.
const LEAD_OP_NS: f64 = 1_000_000.0;

/// A launch begins anywhere in a cycle of collections if the cycle is no longer than this, ns.
const CYCLE_MAX_NS: f64 = 3e8;
/// Larger than the calls of any launch.
const INVOCATIONS_MAX: f64 = 1e15;

/// Invocations of a turn of an unrolled loop in most children.
const TURN: u64 = 16;

/// From this time on, an invocation is a visit by itself: no pilot, no lead-in, no empty loop, ns.
const LONG_NS: f64 = 1e8;
/// From this time on it is its own warm-up too, ns.
const VERY_LONG_NS: f64 = 1e9;

pub fn is_long(ns: f64) -> bool {
    ns >= LONG_NS
}

pub fn is_very_long(ns: f64) -> bool {
    ns >= VERY_LONG_NS
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Iterations of a visit: 1 unless each iteration is set up anew.
    pub iterations: u64,
    /// Windows of an iteration; 0 if it is not cut.
    pub windows: u64,
    /// Invocations of a window, or of the whole iteration if it is not cut.
    pub invocations: u64,
    pub lead: u64,
    pub invocation_ns: f64,
}

impl Shape {
    pub fn per_iteration(&self) -> u64 {
        self.invocations.saturating_mul(self.windows.max(1))
    }

    /// The same visit with at most `most` invocations per iteration.
    pub fn with_at_most(self, most: u64) -> Shape {
        let invocations = self.invocations.min(most.max(1));
        let windows = self.windows.min((most / invocations).max(1));
        Shape { invocations, windows, lead: self.lead.min(most), ..self }
    }

    /// The same visit for a child without windows.
    pub fn without_windows(self) -> Shape {
        Shape { windows: 0, invocations: self.per_iteration(), ..self }
    }

    pub fn visit_ns(&self) -> f64 {
        self.invocation_ns * self.per_iteration() as f64 * self.iterations as f64
    }

    pub fn round_ns(&self) -> f64 {
        self.visit_ns() + self.invocation_ns * self.lead as f64
    }
}

/// Most invocations of an iteration: limited by what is prepared, and by inputs that stay in `room_bytes` of the caches.
pub fn batch_max(benchmark: &Benchmark, policy: &Policy, room_bytes: u64) -> u64 {
    let declared = match benchmark.invocations_max {
        Some(most) => most.max(1),
        None if benchmark.has_iteration_set_up() => policy.invocations.unwrap_or(1),
        None => u64::MAX,
    };
    match benchmark.input_bytes.filter(|_| policy.invocations.is_none()) {
        None => declared,
        Some(bytes) => {
            let fitting = (room_bytes / bytes.max(1)).max(1);
            // Whole turns of loops.
            declared.min(if fitting > TURN { fitting - fitting % TURN } else { fitting })
        }
    }
}

/// The form of a visit for invocations of `invocation_ns`, at most `batch_max` of them per iteration.
pub fn shape(invocation_ns: f64, facts: &ChildFacts, batch_max: u64, policy: &Policy) -> Shape {
    let unroll = facts.unroll;
    let in_turns =
        |fitting: u64| if fitting > unroll { fitting.div_ceil(unroll).saturating_mul(unroll) } else { fitting };
    let fitting_in = |ns: f64| (ns / invocation_ns.max(1e-3)).round().max(1.0) as u64;
    let fitting = fitting_in(policy.visit_ns);
    let fixed = policy.invocations.map(|fixed| fixed.min(batch_max));
    let window_ns = invocation_ns * fixed.unwrap_or(1) as f64;
    let has_windows = facts.can("windows") && window_ns <= WINDOW_MAX_NS;
    let (windows, invocations) = match fixed {
        Some(fixed) => (u64::from(has_windows), fixed),
        None if has_windows => {
            let window_ns = WINDOW_NS.max(policy.visit_ns / WINDOWS_MAX).min(policy.visit_ns);
            let invocations = in_turns(fitting_in(window_ns));
            let windows = policy.visit_ns / (invocation_ns * invocations as f64);
            (windows.round().clamp(1.0, WINDOWS_MAX) as u64, invocations)
        }
        None => (0, in_turns(fitting)),
    };
    let whole = Shape { iterations: 1, windows, invocations, lead: 0, invocation_ns };
    let batch = whole.with_at_most(batch_max);
    let is_cut_short = batch.per_iteration() < whole.per_iteration() || batch_max == 1;
    let iterations = if is_cut_short || fixed.is_some_and(|_| batch_max < u64::MAX) {
        ((policy.visit_ns / batch.visit_ns().max(1e-3)).round() as u64).clamp(1, ITERATIONS_MAX)
    } else {
        1
    };
    let lead_ns = LEAD_NS.max(LEAD_SHARE * policy.visit_ns);
    let lead = match invocation_ns {
        // The lead-in is an iteration too, and no longer than the others may be.
        ns if ns < LEAD_OP_NS => ((lead_ns / ns.max(1e-3)).ceil() as u64).min(batch_max),
        _ => 0,
    };
    Shape { iterations, lead, ..batch }
}

/// Time of the visits of a launch, ns.
pub fn launch_ns(effort: Effort) -> f64 {
    match effort {
        Effort::Quick => 6e7,
        Effort::Default => 2e8,
        Effort::Long => 1e9,
    }
}

/// Valid visits of each child in a wave: fewer if visits are long, and no more than fit the time.
pub fn rounds(visit_ns: f64, policy: &Policy) -> u32 {
    if let Some(launch_ns) = policy.launch_ns {
        return policy.rounds.min((launch_ns / visit_ns.max(1.0)) as u32).max(1);
    }
    let (long, very_long) = match policy.effort {
        Effort::Quick => (2, 1),
        Effort::Default => (3, 1),
        Effort::Long => (5, 3),
    };
    // For long bodies, another launch is worth more than further visits of one.
    let by_length = match visit_ns {
        ns if is_very_long(ns) => very_long,
        ns if is_long(ns) => long,
        ns if ns >= 5e6 => 16,
        _ => policy.rounds,
    };
    let fitting = (launch_ns(policy.effort) / visit_ns.max(1.0)) as u32;
    by_length.min(policy.rounds).min(fitting.max(5))
}

/// A lead-in of random length around `invocations`: visits must not begin in step.
pub fn lead(invocations: u64, rng: &mut Rng) -> u64 {
    let least = invocations - invocations / 3;
    if invocations == 0 {
        0
    } else {
        least + rng.below(2 * (invocations - least) + 2)
    }
}

/// A launch makes a random number of calls before its first visit, below this.
pub fn beginnings(shape: &Shape, rounds: u32, cycle: Option<f64>, policy: &Policy) -> u64 {
    let invocations = (shape.per_iteration() as f64 * shape.iterations as f64 * f64::from(rounds)).min(INVOCATIONS_MAX);
    let fitting = launch_ns(policy.effort) / shape.invocation_ns.max(1e-3);
    let beginnings = match invocations.min(fitting) as u64 {
        _ if invocations < 2.0 => 1,
        few @ 0..2 => few + 1,
        // Whole periods of two and three.
        more => (more + 1).next_multiple_of(6).min((invocations as u64 + 1).next_multiple_of(2)),
    };
    let cycle = cycle.filter(|cycle| cycle * shape.invocation_ns <= CYCLE_MAX_NS);
    beginnings.max(cycle.map_or(0, |cycle| cycle.ceil() as u64))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::measure::warm_up::{WarmUp, REQUESTS_MAX};
    use tare_model::Visit;

    /// Facts of a native child without windows.
    pub fn facts(unroll: u64) -> ChildFacts {
        ChildFacts { unroll, ..ChildFacts::default() }
    }

    pub fn visit(wall_ns: f64) -> Visit {
        Visit {
            round: 0,
            iterations: 1,
            invocations: 1.0,
            counted: None,
            wall_ns,
            cpu_ns: None,
            process_cpu_ns: None,
            descendants_cpu_ns: 0.0,
            probe_ns: None,
            probe_moved: 0.0,
            waits: None,
            compilations: 0.0,
            collections: 0.0,
            windows: None,
        }
    }

    #[test]
    fn no_more_inputs_are_prepared_than_stay_in_the_cache() {
        let most = |input_bytes, invocations_max, wanted| {
            let benchmark = Benchmark { input_bytes, invocations_max, ..Benchmark::default() };
            batch_max(&benchmark, &Policy { invocations: wanted, ..Policy::default() }, 512 << 10)
        };
        assert_eq!(most(Some(4096), None, None), 128);
        assert_eq!(most(Some(512), Some(16_384), None), 1024);
        assert_eq!(most(Some(24), Some(16_384), None), 16_384, "what is declared holds as well");
        assert_eq!(most(Some(5000), None, None), 96, "in whole turns");
        assert_eq!(most(Some(1 << 30), None, None), 1);
        assert_eq!(most(Some(0), None, None), 512 << 10);
        assert_eq!(most(None, None, None), u64::MAX);
        // The user's number stays; a finding tells its effect.
        assert_eq!(most(Some(4096), None, Some(40_000)), u64::MAX);
    }

    #[test]
    fn no_time_and_no_count_overflows() {
        let counts = [None, Some(1), Some(u64::MAX - 1), Some(u64::MAX)];
        for invocations in counts {
            let policy = Policy { invocations, ..Policy::default() };
            for ns in [0.0, 1e-300, 1e-9, 1.0, 1e18, f64::MAX, f64::INFINITY, f64::NAN] {
                for (unroll, most) in [(1, u64::MAX), (16, 1), (u64::MAX, u64::MAX), (u64::MAX, 1), (16, 100)] {
                    let shape = shape(ns, &facts(unroll), most, &policy);
                    assert!(shape.per_iteration() <= most && shape.lead <= most, "{shape:?}");
                    assert!(shape.iterations >= 1 && shape.invocations >= 1, "{shape:?}");
                    let mut warm_up = WarmUp::new(shape, most == 1, most, &policy, ns);
                    let seen = vec![Visit { invocations: warm_up.invocations as f64, ..visit(ns) }; 20];
                    let requests = (0..).take_while(|_| warm_up.ran(&seen, ns).is_none()).count();
                    assert!(requests <= REQUESTS_MAX as usize && warm_up.iterations_for(1e8) >= 1);
                    let rounds = rounds(shape.visit_ns(), &policy);
                    assert!(rounds >= 1 && beginnings(&shape, rounds, Some(ns), &policy) >= 1);
                }
            }
        }
    }

    #[test]
    fn shapes() {
        let policy = Policy::default();
        let short = shape(0.25, &facts(16), u64::MAX, &policy);
        assert_eq!((short.iterations, short.invocations % 16), (1, 0));
        assert!((3.9e6..4.1e6).contains(&(short.invocations as f64)));
        let long = shape(1e7, &facts(16), u64::MAX, &policy);
        assert_eq!((long.iterations, long.invocations, long.lead), (1, 1, 0));
        let set_up = shape(1e5, &facts(16), 1, &policy);
        assert_eq!((set_up.iterations, set_up.invocations), (10, 1));
        assert_eq!(shape(10.0, &facts(16), 1, &policy).iterations, ITERATIONS_MAX);
    }

    #[test]
    fn no_iteration_has_more_invocations_than_are_prepared() {
        for can in [vec![], vec!["windows".to_owned()]] {
            let facts = ChildFacts { capabilities: can, ..facts(16) };
            for invocation_ns in [0.3, 40.0, 900.0, 6e3, 3e4, 4e5, 3e6] {
                for most in [1, 7, 100, 1000, 1_000_000] {
                    for fixed in [None, Some(50)] {
                        let policy = Policy { invocations: fixed, ..Policy::default() };
                        let shape = shape(invocation_ns, &facts, most, &policy);
                        let batch_ns = shape.per_iteration() as f64 * invocation_ns;
                        assert!(shape.per_iteration() <= most && shape.lead <= most, "{shape:?}");
                        // A visit keeps its usual length, as far as 64 iterations go.
                        let fills = shape.visit_ns() >= 0.4 * policy.visit_ns || shape.iterations == ITERATIONS_MAX;
                        assert!(fills, "{most} of {invocation_ns} ns, {batch_ns} ns an iteration: {shape:?}");
                    }
                }
            }
        }
        let batches = shape(1e3, &facts(16), 100, &Policy::default());
        assert_eq!((batches.iterations, batches.invocations, batches.lead), (10, 100, 100));
        let mut warm_up = WarmUp::new(batches, true, 100, &Policy::default(), 1e5);
        for ns in [1e3, 1e2, 1e1, 1.0, 0.1] {
            let seen =
                vec![Visit { invocations: warm_up.invocations as f64, ..visit(ns * warm_up.invocations as f64) }; 20];
            warm_up.ran(&seen, 1e5);
            assert!(warm_up.invocations <= 100, "{}", warm_up.invocations);
        }
    }

    #[test]
    fn a_launch_begins_anywhere_among_the_calls_of_its_visits() {
        let of = |ms: f64, effort, cycle| {
            let policy = Policy::of(effort);
            let shape = shape(ms * 1e6, &facts(16), u64::MAX, &policy);
            beginnings(&shape, rounds(shape.visit_ns(), &policy), cycle, &policy)
        };
        let default = |ms| of(ms, Effort::Default, None);
        assert_eq!((default(1.0), default(10.0), default(50.0), default(99.0)), (26, 18, 6, 6));
        // A quick run does not wait for a long body, and a launch of one call has no other visits.
        assert_eq!((of(50.0, Effort::Quick, None), of(120.0, Effort::Quick, None), default(2000.0)), (2, 1, 1));
        assert_eq!((of(2.0, Effort::Default, Some(100.0)), of(2.0, Effort::Default, Some(1e4))), (100, 26));
    }

    #[test]
    fn what_needs_no_warm_up_fills_the_time_of_a_launch() {
        let of = |ms: f64| rounds(ms * 1e6, &Policy { launch_ns: Some(2e8), ..Policy::default() });
        assert_eq!([0.0, 1.0, 10.0, 50.0, 150.0, 5000.0].map(of), [24, 24, 20, 4, 1, 1]);
    }

    #[test]
    fn a_visit_is_cut_into_windows_of_a_tenth_of_a_millisecond() {
        let facts = ChildFacts { capabilities: vec!["windows".to_owned()], ..facts(16) };
        for (invocation_ns, windows) in
            [(0.25, 10), (7.0, 10), (900.0, 10), (6e3, 5), (3e4, 11), (9e4, 11), (4e5, 3), (1.9e6, 1)]
        {
            let shape = shape(invocation_ns, &facts, u64::MAX, &Policy::default());
            assert_eq!(shape.windows, windows, "{shape:?}");
            let window_ns = invocation_ns * shape.invocations as f64;
            assert!((7e4..=2.1e5).contains(&window_ns) || shape.invocations == 1, "{shape:?}");
            assert!((0.8e6..2e6).contains(&shape.visit_ns()), "{shape:?}");
        }
        assert_eq!(shape(2.1e6, &facts, u64::MAX, &Policy::default()).windows, 0);
        let set_up = shape(1e5, &facts, 1, &Policy::default());
        assert_eq!((set_up.iterations, set_up.windows, set_up.invocations), (10, 1, 1));
        let fixed = Policy { invocations: Some(100), ..Policy::default() };
        assert_eq!(
            shape(1e3, &facts, u64::MAX, &fixed),
            Shape { windows: 1, invocations: 100, ..shape(1e3, &facts, u64::MAX, &fixed) }
        );
    }
}
