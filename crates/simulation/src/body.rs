use tare_model::FailureKind;

/// How the time of an invocation depends on the age of the process.
#[derive(Debug, Clone, PartialEq)]
pub enum WarmUpShape {
    /// Warm from the first call.
    None,
    /// Slower by `amount` (1.0 doubles the time), decaying with the busy time of the process.
    Decay {
        /// Relative slow-down of the first call.
        amount: f64,
        /// Busy time after which 1/e of it remains, in ns.
        tau_ns: f64,
    },
    /// Multiplied by `factor` until this busy time; by 1 after the last step.
    Steps(Vec<(f64, f64)>),
    /// The same by the time since the first call, whether or not the process is busy.
    ByClock(Vec<(f64, f64)>),
    /// The first invocation takes this long, in ns, and caches its result for all others.
    Cached(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The child of the case, from 0 in start order.
    pub child: u32,
    pub at: FaultAt,
    /// The failure that the host sees.
    pub kind: FailureKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAt {
    /// When it is started or opened.
    Start,
    /// At the n-th request after `open`, from 0.
    Request(u32),
    /// When the child is asked to end.
    End,
}

/// Garbage collection of a body, tied to its invocations: one after every so many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collections {
    /// Invocations between collections.
    pub every: f64,
    /// Extra time of the invocation that a collection interrupts, in ns.
    pub ns: f64,
    /// Work of the process's other threads meanwhile, in ns, for which the invocation waits.
    pub elsewhere_ns: f64,
    /// The child reports their number; it cannot for events such as a flushed buffer or a rotated log.
    pub counted: bool,
}

impl Collections {
    /// Collections during `invocations`, after `done` earlier invocations.
    pub fn within(&self, done: u64, invocations: u64) -> f64 {
        let until = |count: u64| (count as f64 / self.every).floor();
        until(done.saturating_add(invocations)) - until(done)
    }

    /// Mean extra time per invocation from collections.
    pub fn mean_ns(&self) -> f64 {
        (self.ns + self.elsewhere_ns) / self.every
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    pub name: String,
    pub group: String,
    pub baseline: bool,
    pub program: u32,
    /// True time of an invocation at the nominal clock, without loop and noise, in ns.
    pub true_ns: f64,
    /// Time of one turn of the loop with this body, in ns; an invocation bears it divided by the unrolling.
    pub turn_ns: f64,
    /// Relative slow-down if a turn of the loop has several copies of the body, due to other branch predictions.
    pub copied: f64,
    /// How far its time follows the core's clock, as an exponent: 1 for computation, 0 for memory.
    pub follows_clock: f64,
    /// Slow-down factor while the neighbour uses the core: 1 for a body that waits for its own results, 1.9 for one that fills the core.
    pub slowdown: f64,
    /// The neighbour stops while this body runs, but not for other contestants.
    pub spared: bool,
    /// Share of the adjacent width-probe readings that the body itself lengthens, so that they look shared.
    pub spoils: f64,
    /// Largest factor by which the body lengthens the adjacent clock probe but not the width probe (1.16 beside wide vectors on a
    /// Xeon).
    pub stretches: f64,
    /// Factor of the clock probe until the process has worked for this long, in ns: its code is not final yet.
    pub late_probe: Option<(f64, f64)>,
    /// Polls until its wall time is over, with or without the processor.
    pub by_wall: bool,
    /// Sleep time per invocation, in ns.
    pub sleep_ns: f64,
    /// Untimed set-up of each iteration, in ns.
    pub set_up_ns: Option<f64>,
    /// Extra time of the first invocation in each iteration, in ns, if the function is called again for each; None: one call for all.
    pub restart_ns: Option<f64>,
    /// Extra set-up elsewhere in memory, in ns.
    pub moving_ns: f64,
    /// Most invocations per iteration; if exceeded, the engine is wrong.
    pub invocations_max: Option<u64>,
    pub says_waits: bool,
    pub warm_up: WarmUpShape,
    /// Busy time until which the runtime compiles in every visit, in ns.
    pub compiles_until_ns: f64,
    /// Resident memory leaked by each invocation, in bytes.
    pub leak_bytes: f64,
    /// Resident memory that each invocation adds until a collection, in bytes.
    pub garbage_bytes: f64,
    /// Its garbage collection; None: no garbage.
    pub collections: Option<Collections>,
    /// Factor of the empty loop until the process has been busy in loops for this long, in ns: a late compiler.
    pub cold_loop: Option<(f64, f64)>,
    /// Results count the previous invocations, like a body with a state.
    pub counts: bool,
    /// The time its clock reports for every iteration, in ns, if that is constant.
    pub says_ns: Option<f64>,
    pub faults: Vec<Fault>,
}

impl Default for Body {
    fn default() -> Self {
        Body {
            name: "body".to_owned(),
            group: String::new(),
            baseline: false,
            program: 0,
            true_ns: 100.0,
            turn_ns: 0.5,
            copied: 1.0,
            follows_clock: 1.0,
            slowdown: 1.0,
            spared: false,
            spoils: 0.0,
            stretches: 1.0,
            late_probe: None,
            by_wall: false,
            sleep_ns: 0.0,
            set_up_ns: None,
            restart_ns: None,
            moving_ns: 0.0,
            invocations_max: None,
            says_waits: false,
            warm_up: WarmUpShape::None,
            compiles_until_ns: 0.0,
            leak_bytes: 0.0,
            garbage_bytes: 0.0,
            collections: None,
            cold_loop: None,
            counts: false,
            says_ns: None,
            faults: Vec::new(),
        }
    }
}

impl Body {
    /// A body with this time.
    pub fn of(name: &str, true_ns: f64) -> Body {
        Body { name: name.to_owned(), true_ns, ..Body::default() }
    }

    /// A body with this mean time in which every nth call takes ten times as long as the others, unreported.
    pub fn slow_in_turn(name: &str, mean_ns: f64, every: f64) -> Body {
        let fast_ns = mean_ns / (1.0 + 9.0 / every);
        let slow = Collections { every, ns: 9.0 * fast_ns, elsewhere_ns: 0.0, counted: false };
        Body { turn_ns: 0.0, collections: Some(slow), ..Body::of(name, fast_ns) }
    }

    /// A pair with a baseline: the contestant takes `1 + effect` times as long.
    pub fn pair(true_ns: f64, effect: f64) -> Vec<Body> {
        Body::pair_of("pair", true_ns, effect)
    }

    pub fn pair_of(group: &str, true_ns: f64, effect: f64) -> Vec<Body> {
        let side =
            |name: &str, true_ns, baseline| Body { group: group.to_owned(), baseline, ..Body::of(name, true_ns) };
        vec![side("base", true_ns, true), side("new", true_ns * (1.0 + effect), false)]
    }

    /// Slow-down factor of an invocation at this age of its process, in ns: busy time, or time since the first call.
    pub fn cold_factor(&self, age_ns: f64) -> f64 {
        match &self.warm_up {
            WarmUpShape::Decay { amount, tau_ns } => 1.0 + amount * (-age_ns / tau_ns).exp(),
            WarmUpShape::Steps(steps) | WarmUpShape::ByClock(steps) => {
                steps.iter().find(|(until, _)| age_ns < *until).map_or(1.0, |(_, factor)| *factor)
            }
            WarmUpShape::None | WarmUpShape::Cached(_) => 1.0,
        }
    }

    /// Time of `invocations` in a loop unrolled `unroll` times, without noise, in ns.
    pub fn ideal_ns(&self, invocations: u64, unroll: u64, age_ns: f64, done: u64) -> f64 {
        let copied = if unroll > 1 { self.copied } else { 1.0 };
        let each = self.true_ns * copied * self.cold_factor(age_ns) + self.turn_ns / unroll.max(1) as f64;
        let first = match self.warm_up {
            WarmUpShape::Cached(first_ns) if done == 0 && invocations > 0 => first_ns,
            _ => 0.0,
        };
        first + each * invocations as f64
    }
}
