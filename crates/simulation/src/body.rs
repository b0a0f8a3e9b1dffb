//! What an invented benchmark does.

use tare_model::FailureKind;

/// How the time of an invocation changes while the process is young.
#[derive(Debug, Clone, PartialEq)]
pub enum WarmUpShape {
    /// Warm from the first call.
    None,
    /// Slower by `amount` (1.0 is twice the time), fading with the busy time of the process.
    Decay {
        /// Share by which the first call is slower.
        amount: f64,
        /// Busy time after which 1/e of it is left, ns.
        tau_ns: f64,
    },
    /// Times `factor` until the busy time is reached; 1 after the last.
    Steps(Vec<(f64, f64)>),
    /// The same by the time since the first call, whether or not the process works in it.
    ByClock(Vec<(f64, f64)>),
    /// The first invocation takes so long, ns, and leaves its result for all others.
    Cached(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Which child of the case, from 0 in the order of their starts.
    pub child: u32,
    pub at: FaultAt,
    /// What the host makes of it.
    pub kind: FailureKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAt {
    /// When it is started or opened.
    Start,
    /// At the n-th request after `open`, from 0.
    Request(u32),
    /// When it is asked to end.
    End,
}

/// How the garbage of a body is collected: in turn with its invocations, so that a collection comes after as many of them each time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collections {
    /// Invocations from one to the next.
    pub every: f64,
    /// What one adds to the time of the invocation that it interrupts, ns.
    pub ns: f64,
    /// What other threads of the process do meanwhile, ns: they have the processor, and the invocation waits.
    pub elsewhere_ns: f64,
    /// The child says how many there were. It knows nothing of a buffer that is flushed, or a log that rolls.
    pub counted: bool,
}

impl Collections {
    /// Collections within `invocations` that begin after `done` others.
    pub fn within(&self, done: u64, invocations: u64) -> f64 {
        let until = |count: u64| (count as f64 / self.every).floor();
        until(done.saturating_add(invocations)) - until(done)
    }

    /// Mean time of an invocation with its share of collections, over one without.
    pub fn mean_ns(&self) -> f64 {
        (self.ns + self.elsewhere_ns) / self.every
    }
}

/// An invented benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    pub name: String,
    pub group: String,
    pub baseline: bool,
    /// Index of its program within the scene.
    pub program: u32,
    /// True time of an invocation without the loop on a machine without noise at the nominal clock, ns.
    pub true_ns: f64,
    /// Time of one turn of the loop beside this body, ns; an invocation bears it divided by the unrolling.
    pub turn_ns: f64,
    /// By how much it is slower where a turn of the loop has several copies of it: other branch predictions.
    pub copied: f64,
    /// Share of its time that follows the core's clock, as an exponent: 1 computes, 0 waits for memory.
    pub follows_clock: f64,
    /// By how much it is slower while the neighbour uses the core too: 1 waits for its own results, 1.9 fills the core.
    pub slowdown: f64,
    /// The neighbour stops while it runs: what another contestant has to bear, it has not.
    pub spared: bool,
    /// Share of the readings of the width probe beside it that it lengthens itself, so that they look shared.
    pub spoils: f64,
    /// By how much the clock probe next to it is longer, at most (1.16 beside wide vectors on a Xeon), while the width probe is not.
    pub stretches: f64,
    /// Factor of the clock probe until the process has worked for so long, ns: it is not yet in its final code.
    pub late_probe: Option<(f64, f64)>,
    /// It polls until its time is over by the wall clock, with the processor or without it.
    pub by_wall: bool,
    /// Time that an invocation sleeps, ns.
    pub sleep_ns: f64,
    /// Untimed set-up of each iteration, ns; None without one.
    pub set_up_ns: Option<f64>,
    /// What the first invocation of each iteration takes more, ns, as the function is called anew for each; None: one call for all.
    pub restart_ns: Option<f64>,
    /// Another set-up elsewhere in memory, ns.
    pub moving_ns: f64,
    /// Invocations of an iteration at most; more are the engine's mistake.
    pub invocations_max: Option<u64>,
    pub says_waits: bool,
    pub warm_up: WarmUpShape,
    /// Busy time until which the runtime compiles something in every visit, ns.
    pub compiles_until_ns: f64,
    /// Resident memory that each invocation adds and never gives back, bytes.
    pub leak_bytes: f64,
    /// Resident memory that each invocation adds and a collection gives back, bytes.
    pub garbage_bytes: f64,
    /// How its garbage is collected; None: it makes none.
    pub collections: Option<Collections>,
    /// Factor of the empty loop until the process was busy in loops for so long, ns: a late compiler.
    pub cold_loop: Option<(f64, f64)>,
    /// The result that each call for it gives: the number of invocations before it, for a body with a state.
    pub counts: bool,
    /// What its clock says of every iteration, ns, where it is a clock that says always the same.
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
    /// A body of this time.
    pub fn of(name: &str, true_ns: f64) -> Body {
        Body { name: name.to_owned(), true_ns, ..Body::default() }
    }

    /// A body of this mean time of which every nth call takes ten times as long as the others, and nobody says why.
    pub fn slow_in_turn(name: &str, mean_ns: f64, every: f64) -> Body {
        let fast_ns = mean_ns / (1.0 + 9.0 / every);
        let slow = Collections { every, ns: 9.0 * fast_ns, elsewhere_ns: 0.0, counted: false };
        Body { turn_ns: 0.0, collections: Some(slow), ..Body::of(name, fast_ns) }
    }

    /// A pair with a baseline: the contestant's time is the base's times `1 + effect`.
    pub fn pair(true_ns: f64, effect: f64) -> Vec<Body> {
        Body::pair_of("pair", true_ns, effect)
    }

    pub fn pair_of(group: &str, true_ns: f64, effect: f64) -> Vec<Body> {
        let side =
            |name: &str, true_ns, baseline| Body { group: group.to_owned(), baseline, ..Body::of(name, true_ns) };
        vec![side("base", true_ns, true), side("new", true_ns * (1.0 + effect), false)]
    }

    /// By how much an invocation is slower at this age of its process, ns: what it has worked, or the time since the first call.
    pub fn cold_factor(&self, age_ns: f64) -> f64 {
        match &self.warm_up {
            WarmUpShape::Decay { amount, tau_ns } => 1.0 + amount * (-age_ns / tau_ns).exp(),
            WarmUpShape::Steps(steps) | WarmUpShape::ByClock(steps) => {
                steps.iter().find(|(until, _)| age_ns < *until).map_or(1.0, |(_, factor)| *factor)
            }
            WarmUpShape::None | WarmUpShape::Cached(_) => 1.0,
        }
    }

    /// Time of `invocations` in a loop that is unrolled `unroll` times, on a machine without noise, ns.
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
