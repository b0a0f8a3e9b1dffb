//! How many invocations make a visit, and how long a case must warm up: found on the first launch of a case by values.

use tare_model::{Policy, Profile, Visit};
use tare_stats::changepoint::steady_state;

/// Share of the target from which an elapsed time is long enough to compute the final count.
const CLOSE_ENOUGH: f64 = 0.3;
/// Greatest growth of the count from one try to the next.
const GROWTH_MAX: f64 = 20.0;
/// A first call that takes less than this is made again before it is believed, ns.
const COLD_BELOW_NS: f64 = 5e8;
/// Tries of the pilot at most.
const TRIES_MAX: u32 = 24;
/// Invocations of a try at most: a thousand times what the emptiest loop makes in a visit.
const INVOCATIONS_MAX: f64 = 1e10;
/// A request that the host waited so long for and the child calls shorter than `NOTHING_NS` shows a clock that stands, ns.
pub const SILENCE_NS: f64 = 5e8;
/// Tries that show it: one may have waited for something else.
const SILENT_TRIES: u32 = 2;
/// From this wait on the count grows slowly as long as the clock says nothing: the next try may take as many times longer, ns.
const CAUTION_NS: f64 = 1e8;
/// No time, by a clock of nanoseconds.
pub const NOTHING_NS: f64 = 1.0;
/// Iterations of one invocation within a visit at most (bodies with an iteration set-up).
const ITERATIONS_MAX: u64 = 64;
/// Untimed lead-in of a visit: at least this long, ns ...
const LEAD_NS: f64 = 150_000.0;
/// ... and at least this share of the visit.
const LEAD_SHARE: f64 = 0.12;
/// No invocation that takes longer than this leads in, ns: after its first 0.15 ms it is warm by itself.
const LEAD_OP_NS: f64 = 1_000_000.0;

/// From this time on an invocation is a visit by itself: no pilot, no lead-in, no empty loop, ns.
const LONG_NS: f64 = 1e8;
/// From this time on it is its own warm-up too, ns.
const VERY_LONG_NS: f64 = 1e9;

/// Whether an invocation of this time is a visit by itself.
pub fn is_long(ns: f64) -> bool {
    ns >= LONG_NS
}

/// Whether an invocation of this time is its own warm-up.
pub fn is_very_long(ns: f64) -> bool {
    ns >= VERY_LONG_NS
}

/// Form of a visit of a case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Iterations of a visit: 1 unless each iteration is set up anew.
    pub iterations: u64,
    /// Invocations of an iteration.
    pub invocations: u64,
    /// Untimed invocations before.
    pub lead: u64,
    /// Time of an invocation, ns.
    pub invocation_ns: f64,
}

impl Shape {
    /// Time of a visit, ns.
    pub fn visit_ns(&self) -> f64 {
        self.invocation_ns * self.invocations as f64 * self.iterations as f64
    }

    /// Time of a visit with its lead-in, ns.
    pub fn round_ns(&self) -> f64 {
        self.visit_ns() + self.invocation_ns * self.lead as f64
    }
}

/// Time that the pilot goes by: CPU time where the thread was preempted, else wall time.
pub fn pilot_ns(visit: &Visit) -> f64 {
    match visit.cpu_ns {
        Some(cpu) if visit.has_gap() && visit.waits == Some(0.0) && cpu > 0.0 => cpu,
        _ => visit.wall_ns,
    }
}

/// What a try of the pilot told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tried {
    /// Not enough: try again.
    Again,
    /// Time of an invocation, ns.
    Found(f64),
    /// The clock of the child does not move.
    Stands,
}

/// The search for the number of invocations of a visit.
#[derive(Debug, Clone)]
pub struct Pilot {
    /// The count to try next.
    pub invocations: u64,
    tries: u32,
    silent: u32,
    target_ns: f64,
}

impl Pilot {
    /// Starts with one invocation: nothing is known, and the first call may be slow.
    pub fn new(target_ns: f64) -> Pilot {
        Pilot { invocations: 1, tries: 0, silent: 0, target_ns }
    }

    /// Takes a try in that the host waited `took_ns` for.
    pub fn tried(&mut self, visit: &Visit, took_ns: f64) -> Tried {
        self.tries += 1;
        let nothing = visit.wall_ns <= NOTHING_NS;
        self.silent += u32::from(nothing && took_ns >= SILENCE_NS);
        let last = self.tries >= TRIES_MAX || self.invocations as f64 >= INVOCATIONS_MAX;
        if nothing && (last || self.silent >= SILENT_TRIES) {
            return Tried::Stands;
        }
        let elapsed = pilot_ns(visit).max(1.0);
        let enough = elapsed >= CLOSE_ENOUGH * self.target_ns;
        // A first call that fills the target may just be a cold one: it is tried again.
        let cold = self.tries == 1 && elapsed < COLD_BELOW_NS;
        if (enough && !cold) || last {
            return Tried::Found(elapsed / self.invocations as f64);
        }
        let most = if nothing && took_ns >= CAUTION_NS { 2.0 } else { GROWTH_MAX };
        let factor = (self.target_ns / elapsed).clamp(if cold { 1.0 } else { 1.5 }, most);
        self.invocations = (self.invocations as f64 * factor).ceil().clamp(1.0, INVOCATIONS_MAX) as u64;
        Tried::Again
    }
}

/// The form of a visit for an invocation of `invocation_ns`.
pub fn shape(invocation_ns: f64, unroll: u64, set_up_each_iteration: bool, policy: &Policy) -> Shape {
    let fitting = (policy.visit_ns / invocation_ns.max(1e-3)).round().max(1.0) as u64;
    let (iterations, invocations) = match policy.invocations {
        Some(fixed) => ((policy.visit_ns / (invocation_ns * fixed as f64)) as u64, fixed),
        None if set_up_each_iteration => (fitting, 1),
        None if fitting > unroll => (1, fitting.div_ceil(unroll) * unroll),
        None => (1, fitting),
    };
    let iterations = if set_up_each_iteration { iterations.clamp(1, ITERATIONS_MAX) } else { 1 };
    let lead_ns = LEAD_NS.max(LEAD_SHARE * policy.visit_ns);
    let lead = match invocation_ns {
        // With an iteration set-up the lead-in is an iteration of its own: one invocation, as in all others.
        _ if set_up_each_iteration => u64::from(invocation_ns < LEAD_OP_NS) * invocations,
        ns if ns < LEAD_OP_NS => (lead_ns / ns.max(1e-3)).ceil() as u64,
        _ => 0,
    };
    Shape { iterations, invocations, lead, invocation_ns }
}

/// Valid visits of each child in a wave: fewer where one visit is long (method 5.1), and no more than fit the time.
pub fn rounds(visit_ns: f64, policy: &Policy) -> u32 {
    let (launch_ns, long, very_long) = match policy.profile {
        Profile::Quick => (6e7, 2, 1),
        Profile::Default => (2e8, 3, 1),
        Profile::Long => (1e9, 5, 3),
    };
    // What a launch of a long body tells more is worth less than another launch.
    let by_length = match visit_ns {
        ns if is_very_long(ns) => very_long,
        ns if is_long(ns) => long,
        ns if ns >= 5e6 => 16,
        _ => policy.rounds,
    };
    let fitting = (launch_ns / visit_ns.max(1.0)) as u32;
    by_length.min(policy.rounds).min(fitting.max(5))
}

/// The search for the warm-up of a case.
#[derive(Debug, Clone)]
pub struct WarmUp {
    times_ns: Vec<f64>,
    invocation_ns: Vec<f64>,
    log_levels: Vec<f64>,
    elapsed_ns: f64,
    /// Iterations to ask for next.
    pub iterations: u64,
    /// Invocations of each of them.
    pub invocations: u64,
    aim_ns: f64,
    grows: bool,
    requests: u32,
    bounds: WarmUpBounds,
}

/// How long a warm-up may be, ns.
#[derive(Debug, Clone, Copy)]
struct WarmUpBounds {
    floor_ns: f64,
    search_ns: f64,
    managed: bool,
}

impl WarmUpBounds {
    fn new(managed: bool, policy: &Policy) -> WarmUpBounds {
        let (floor_ns, search_ns) = match (policy.warmup_ns, managed, policy.profile) {
            (Some(fixed), _, _) => (fixed, 0.0),
            (None, true, Profile::Quick) => (250e6, 500e6),
            (None, true, _) => (250e6, 4e9),
            (None, false, Profile::Quick) => (10e6, 25e6),
            (None, false, _) => (10e6, 80e6),
        };
        WarmUpBounds { floor_ns, search_ns, managed }
    }
}

/// The warm-up of the loops of a managed runtime: at least this long, ns ...
const LOOP_FLOOR_NS: f64 = 5e7;
/// ... and at most.
const LOOP_SEARCH_NS: f64 = 5e8;
/// The same of native code, which has nothing but caches to fill.
const LOOP_SEARCH_NATIVE_NS: f64 = 1e7;
/// Requests of the search at most: a clock that stands must not make it endless.
const REQUESTS_MAX: u32 = 24;
/// Iterations of one request of the search at most.
const ITERATIONS_SEARCH_MAX: u64 = 4000;
/// Iterations of the warm-up of each further launch at most.
const ITERATIONS_WARM_MAX: f64 = 20_000.0;
/// Iterations that a warm-up is cut into: enough for a changepoint to show.
const WARM_UP_ITERATIONS: f64 = 40.0;
/// Below this many iterations there is nothing to cut: the floor is taken.
const CUT_MIN: usize = 16;
/// Level (log) by which a managed runtime's earlier stretch differs when it is warm-up (method 7.3) ...
const LEVEL_MANAGED: f64 = 0.01;
/// ... and by which native code's earlier stretch is slower: a busy machine makes smaller steps all the time.
const LEVEL_NATIVE: f64 = 0.03;

impl WarmUp {
    /// For a visit of this form: iterations of a quarter of a visit, for the floor of the runtime.
    pub fn new(shape: Shape, managed: bool, set_up_each_iteration: bool, policy: &Policy) -> WarmUp {
        let fixed = policy.invocations;
        let bounds = WarmUpBounds::new(managed, policy);
        let invocations = if shape.iterations > 1 { shape.invocations } else { (shape.invocations / 4).max(1) };
        let iteration_ns = shape.invocation_ns * invocations as f64;
        let iterations = (bounds.floor_ns / iteration_ns).ceil().clamp(2.0, 4.0 * WARM_UP_ITERATIONS) as u64;
        WarmUp {
            times_ns: Vec::new(),
            invocation_ns: Vec::new(),
            log_levels: Vec::new(),
            elapsed_ns: 0.0,
            iterations,
            invocations,
            aim_ns: iteration_ns,
            grows: !set_up_each_iteration && fixed.is_none(),
            requests: 0,
            bounds,
        }
    }

    /// For a loop of so many invocations: the time of an iteration is not known yet. It must run for a while where a compiler works
    /// beside it.
    pub fn of_loop(invocations: u64, managed: bool, policy: &Policy) -> WarmUp {
        let (floor_ns, search_ns) = match (policy.warmup_ns, managed) {
            (Some(fixed), _) => (fixed, 0.0),
            (None, true) => (LOOP_FLOOR_NS, LOOP_SEARCH_NS),
            (None, false) => (0.0, LOOP_SEARCH_NATIVE_NS),
        };
        WarmUp {
            times_ns: Vec::new(),
            invocation_ns: Vec::new(),
            log_levels: Vec::new(),
            elapsed_ns: 0.0,
            iterations: CUT_MIN as u64,
            invocations,
            aim_ns: 0.0,
            grows: false,
            requests: 0,
            bounds: WarmUpBounds { floor_ns, search_ns, managed },
        }
    }

    /// Takes iterations in; tells the warm-up for every launch of the case, ns, when it is found.
    pub fn ran(&mut self, seen: &[Visit]) -> Option<f64> {
        self.requests += 1;
        for visit in seen {
            let ns = pilot_ns(visit).max(1e-3);
            let each_ns = ns / visit.invocations.max(1.0);
            self.times_ns.push(ns);
            self.invocation_ns.push(each_ns);
            self.elapsed_ns += visit.wall_ns;
            // A step of the core's clock is no warm-up: with a probe the time is taken in cycles.
            self.log_levels.push(each_ns.ln() - visit.probe_ns.filter(|p| *p > 0.0).map_or(0.0, f64::ln));
        }
        if self.log_levels.len() < CUT_MIN && self.elapsed_ns >= self.bounds.floor_ns {
            return Some(self.bounds.floor_ns);
        }
        let over = self.elapsed_ns >= self.bounds.search_ns || self.requests >= REQUESTS_MAX;
        if self.elapsed_ns >= self.bounds.floor_ns || over {
            let settled_from = self.settled_from();
            let found = 4 * (self.log_levels.len() - settled_from) >= self.log_levels.len();
            if found || over {
                let by_values: f64 = 1.25 * self.times_ns[..settled_from].iter().sum::<f64>();
                return Some(by_values.clamp(self.bounds.floor_ns, self.bounds.search_ns.max(self.bounds.floor_ns)));
            }
        }
        self.iterations = (self.log_levels.len() as u64).clamp(8, ITERATIONS_SEARCH_MAX);
        // Compiled or cached by now: iterations of a few nanoseconds would be of the clock more than of the body.
        if let Some(ns) =
            self.invocation_ns().filter(|ns| self.grows && ns * self.invocations as f64 <= 0.5 * self.aim_ns)
        {
            let fitting = (self.aim_ns / ns).min(GROWTH_MAX * self.invocations as f64);
            self.invocations = (fitting as u64).max(self.invocations);
        }
        None
    }

    /// Index of the first iteration of the steady stretch at the end.
    fn settled_from(&self) -> usize {
        let segments = steady_state(&self.log_levels).segments;
        let Some(last) = segments.last().copied() else { return 0 };
        let is_warm_up = |mean: f64| {
            let above = mean - last.mean;
            if self.bounds.managed {
                above.abs() > LEVEL_MANAGED
            } else {
                above > LEVEL_NATIVE
            }
        };
        segments.iter().rev().find(|s| is_warm_up(s.mean)).map_or(0, |s| s.end)
    }

    /// Time of an invocation at the end of the warm-up, ns: the median of the last third.
    pub fn invocation_ns(&self) -> Option<f64> {
        let tail = &self.invocation_ns[self.invocation_ns.len() - self.invocation_ns.len().div_ceil(3)..];
        tare_stats::location::median(tail)
    }

    /// Iterations of the last kind that take `warmup_ns` when warm: a cold child is slower and so never warms up too short.
    pub fn iterations_for(&self, warmup_ns: f64) -> u64 {
        let iteration_ns = self.invocation_ns().unwrap_or(1.0) * self.invocations as f64;
        (warmup_ns / iteration_ns.max(1e-3)).ceil().clamp(1.0, ITERATIONS_WARM_MAX) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(wall_ns: f64) -> Visit {
        Visit {
            round: 0,
            invocations: 1.0,
            wall_ns,
            cpu_ns: None,
            process_cpu_ns: None,
            probe_ns: None,
            waits: None,
            compilations: 0.0,
            windows: None,
        }
    }

    #[test]
    fn the_pilot_finds_any_body() {
        for invocation_ns in [0.05, 0.25, 3.0, 700.0, 1e5, 2e6, 1e7, 3e9] {
            let mut pilot = Pilot::new(1e6);
            let mut tries = 0;
            let found = loop {
                tries += 1;
                // 20 ns for the clock, and a first call that is 20 times as slow.
                let cold = if tries == 1 { 20.0 * invocation_ns } else { 0.0 };
                let elapsed = 20.0 + cold + invocation_ns * pilot.invocations as f64;
                if let Tried::Found(found) = pilot.tried(&visit(elapsed), elapsed) {
                    break found;
                }
            };
            assert!(tries < 12, "{tries} tries for {invocation_ns} ns");
            let ratio = found / invocation_ns;
            assert!((0.9..1.1).contains(&ratio) || invocation_ns > 1e8, "{found} for {invocation_ns}");
        }
    }

    /// How the pilot of a body of `invocation_ns` ends with a clock that says `said_ns` whatever is done, and what it took.
    fn misled(invocation_ns: f64, said_ns: f64) -> (Tried, f64) {
        let (mut pilot, mut total_ns) = (Pilot::new(1e6), 0.0);
        for _ in 0..=TRIES_MAX {
            let took_ns = 5e4 + invocation_ns * pilot.invocations as f64;
            total_ns += took_ns;
            match pilot.tried(&Visit { invocations: pilot.invocations as f64, ..visit(said_ns) }, took_ns) {
                Tried::Again => assert!(pilot.invocations as f64 <= INVOCATIONS_MAX),
                end => return (end, total_ns),
            }
        }
        panic!("no end");
    }

    #[test]
    fn a_clock_that_stands_is_found_before_anybody_waits_long() {
        for invocation_ns in [0.0, 0.3, 3.0, 1e3, 1e6, 1e9] {
            for said_ns in [0.0, 1e-300, 1.0] {
                let (end, total_ns) = misled(invocation_ns, said_ns);
                assert_eq!(end, Tried::Stands, "{invocation_ns} ns");
                assert!(total_ns < 2.5e10, "{} s for {invocation_ns} ns", total_ns * 1e-9);
            }
        }
    }

    #[test]
    fn whatever_a_clock_says_the_pilot_ends_with_a_number() {
        let said = [2.0, 20.0, 1e5, 1e9, 1e18, f64::MAX, f64::INFINITY, f64::NAN, -1.0, f64::NEG_INFINITY];
        for said_ns in said {
            match misled(0.0, said_ns).0 {
                Tried::Found(ns) => assert!(ns > 0.0, "{ns} for {said_ns}"),
                end => assert!(end == Tried::Stands && said_ns <= NOTHING_NS, "{end:?} for {said_ns}"),
            }
        }
    }

    #[test]
    fn no_time_and_no_count_overflows() {
        let counts = [None, Some(1), Some(u64::MAX - 1), Some(u64::MAX)];
        for invocations in counts {
            let policy = Policy { invocations, ..Policy::default() };
            for ns in [0.0, 1e-300, 1e-9, 1.0, 1e18, f64::MAX, f64::INFINITY, f64::NAN] {
                for (unroll, set_up) in [(1, false), (16, true), (u64::MAX, false), (u64::MAX, true)] {
                    let shape = shape(ns, unroll, set_up, &policy);
                    assert!(shape.iterations >= 1 && shape.invocations >= 1, "{shape:?}");
                    let mut warm_up = WarmUp::new(shape, set_up, set_up, &policy);
                    let seen = vec![Visit { invocations: warm_up.invocations as f64, ..visit(ns) }; 20];
                    let requests = (0..).take_while(|_| warm_up.ran(&seen).is_none()).count();
                    assert!(requests <= REQUESTS_MAX as usize && warm_up.iterations_for(1e8) >= 1);
                    assert!(rounds(shape.visit_ns(), &policy) >= 1);
                }
            }
        }
    }

    #[test]
    fn shapes() {
        let policy = Policy::default();
        let short = shape(0.25, 16, false, &policy);
        assert_eq!((short.iterations, short.invocations % 16), (1, 0));
        assert!((3.9e6..4.1e6).contains(&(short.invocations as f64)));
        let long = shape(1e7, 16, false, &policy);
        assert_eq!((long.iterations, long.invocations, long.lead), (1, 1, 0));
        let set_up = shape(1e5, 16, true, &policy);
        assert_eq!((set_up.iterations, set_up.invocations), (10, 1));
        assert_eq!(shape(10.0, 16, true, &policy).iterations, ITERATIONS_MAX);
    }

    #[test]
    fn a_warm_up_ends() {
        let policy = Policy::default();
        let mut warm_up = WarmUp::new(shape(100.0, 16, false, &policy), false, false, &policy);
        let mut total = 0.0;
        let found = loop {
            let invocations = warm_up.invocations as f64;
            let seen = vec![Visit { invocations, ..visit(100.0 * invocations) }; warm_up.iterations as usize];
            total += 100.0 * invocations * seen.len() as f64;
            if let Some(found) = warm_up.ran(&seen) {
                break found;
            }
        };
        assert!((1e7..3e8).contains(&found) && total < 4e8, "{found} after {total}");
        assert!((warm_up.invocation_ns().expect("times") - 100.0).abs() < 1.0);
    }
}
