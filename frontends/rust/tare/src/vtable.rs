//! The functions of a benchmark, made from the closures that `#[tare::bench]` writes, with the type of the state erased.

use std::marker::PhantomData;
use std::time::Duration;

use crate::loops::{self, conjure, Fed, Handed, Loop, TeamLoop};
use crate::registry::Choice;
use crate::runner::BlockOn;
use crate::show::Shown;

/// The result of a set-up or clean-up, with the message of a failure.
pub type Outcome = Result<(), String>;

/// A type that set-ups and clean-ups may return: nothing, or a `Result`.
pub trait IntoOutcome {
    /// The failure as text.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Outcome {
        Ok(())
    }
}

impl<T, E: std::fmt::Debug> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> Outcome {
        match self {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{error:?}")),
        }
    }
}

/// A function of the state, and one of the state and a number of invocations.
pub(crate) type Ask<T> = unsafe fn(*mut ()) -> T;
type AskOf<T> = unsafe fn(*mut (), u64) -> T;
type Make = fn(&Choice) -> Result<*mut (), String>;

/// A benchmark's functions with the type of its state erased. All take the state that `make` returned.
#[derive(Clone, Copy)]
pub struct Vtable {
    pub(crate) make: Make,
    pub(crate) drop: Ask<()>,
    pub(crate) workload: Loop,
    pub(crate) rolled: Loop,
    pub(crate) overhead: Loop,
    pub(crate) check: Ask<Shown>,
    pub(crate) inputs: Option<Inputs>,
    pub(crate) iteration_set_up: Option<Ask<Outcome>>,
    pub(crate) iteration_clean_up: Option<Ask<Outcome>>,
    /// Operations per invocation in the last iteration.
    pub(crate) iteration_operations: Option<Ask<f64>>,
    /// The clean-up, and whether it consumes the state.
    pub(crate) clean_up: Option<(Ask<Outcome>, bool)>,
    /// Whether user code runs to make the state.
    pub(crate) set_up: bool,
    /// The body, if it reports how long a number of invocations took.
    pub(crate) own: Option<AskOf<Duration>>,
    /// Creates the runner of the body's futures.
    pub(crate) runner: Option<fn() -> BlockOn>,
    /// The loops for threads in lockstep, or the reason why there are none; `None` if they are not declared.
    pub(crate) team: Option<Team>,
    /// The amounts per invocation, if they depend on the instance.
    pub(crate) amounts: Option<Ask<Result<Amounts, String>>>,
}

/// Functions for the fresh inputs of a body.
#[derive(Clone, Copy)]
pub(crate) struct Inputs {
    pub(crate) prepare: AskOf<()>,
    pub(crate) discard: Ask<()>,
    /// Bytes of the input type.
    pub(crate) size: u64,
}

/// The workload loop and its rolled version for several threads, or the reason why there are none.
pub type Team = Result<[TeamLoop; 2], &'static str>;

/// Operations and rates of an invocation.
pub struct Amounts {
    /// `None` for the declared number.
    pub operations: Option<u64>,
    /// Rates by name.
    pub rates: Vec<(&'static str, u64)>,
}

impl Vtable {
    /// Sets the loops for threads in lockstep.
    pub fn on_threads(mut self, team: Team) -> Self {
        self.team = Some(team);
        self
    }

    /// Sets the runner for a body that returns futures.
    pub fn waited_for_by(mut self, runner: fn() -> BlockOn) -> Self {
        self.runner = Some(runner);
        self
    }
}

/// A vtable whose state is an `S`.
pub struct Typed<S>(Vtable, PhantomData<fn(S)>);

fn make<S, M: Fn(&Choice) -> Result<S, String> + Copy>(choice: &Choice) -> Result<*mut (), String> {
    conjure::<M>()(choice).map(|state| Box::into_raw(Box::new(state)).cast())
}

/// # Safety
/// `state` came from [`make`] with the same `S` and is not used afterwards.
unsafe fn end<S, T, H: Fn(S) -> T + Copy>(state: *mut ()) -> T {
    // SAFETY: see above.
    conjure::<H>()(*unsafe { Box::from_raw(state.cast::<S>()) })
}

/// # Safety
/// `state` points to a valid `S` with no other user.
unsafe fn ask<S, T, H: Fn(&mut S) -> T + Copy>(state: *mut ()) -> T {
    // SAFETY: see above.
    conjure::<H>()(unsafe { &mut *state.cast::<S>() })
}

/// # Safety
/// As for [`ask`].
unsafe fn ask_of<S, T, H: Fn(&mut S, u64) -> T + Copy>(state: *mut (), invocations: u64) -> T {
    // SAFETY: see above.
    conjure::<H>()(unsafe { &mut *state.cast::<S>() }, invocations)
}

/// The functions above, for a closure.
fn making<S, M: Fn(&Choice) -> Result<S, String> + Copy>(_: M) -> Make {
    make::<S, M>
}
fn asking<S, T, H: Fn(&mut S) -> T + Copy>(_: H) -> Ask<T> {
    ask::<S, T, H>
}
fn asking_of<S, T, H: Fn(&mut S, u64) -> T + Copy>(_: H) -> AskOf<T> {
    ask_of::<S, T, H>
}
fn ending<S, T, H: Fn(S) -> T + Copy>(_: H) -> Ask<T> {
    end::<S, T, H>
}

impl<S> Typed<S> {
    /// The parts that every benchmark has: creating its state, its loops (workload, rolled workload, overhead), its check.
    fn of(make: Make, [workload, rolled]: [Loop; 2], overhead: Loop, check: Ask<Shown>) -> Typed<S> {
        let vtable = Vtable {
            make,
            drop: ending(drop::<S>),
            workload,
            rolled,
            overhead,
            check,
            inputs: None,
            iteration_set_up: None,
            iteration_clean_up: None,
            iteration_operations: None,
            clean_up: None,
            set_up: false,
            own: None,
            runner: None,
            team: None,
            amounts: None,
        };
        Typed(vtable, PhantomData)
    }

    /// A plain body: `set` makes the state; `work` is the body with its sink, `nothing` the sink alone, `look` the body showing its result.
    pub fn new<const WAY: u8>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        work: impl Fn(&mut S) + Copy,
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S) -> Shown + Copy,
    ) -> Typed<S> {
        Self::of(making(set), loops::run::<S, _, WAY>(work), loops::empty(nothing), asking(look))
    }

    /// A body that reports how long `invocations` of it took.
    pub fn own(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        work: impl Fn(&mut S, u64) -> Duration + Copy,
    ) -> Typed<S> {
        let look = asking(move |state: &mut S| {
            work(state, 1);
            Shown::default()
        });
        let mut typed = Self::of(making(set), [loops::idle; 2], loops::idle, look);
        typed.0.own = Some(asking_of(work));
        typed
    }

    /// A body that returns futures. `work` and `rolled` run a number of invocations as one future.
    pub fn awaiting(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        work: impl Fn(&mut S, u64) + Copy,
        rolled: impl Fn(&mut S, u64) + Copy,
        look: impl Fn(&mut S) -> Shown + Copy,
    ) -> Typed<S> {
        Self::of(making(set), loops::awaiting(work, rolled), loops::empty(|_: &mut S| ()), asking(look))
    }

    /// The same with a fresh input for each future.
    pub fn awaiting_fed<I, const EAT: bool>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        input: impl Fn(&S) -> I + Copy,
        work: impl Fn(&S, Handed<I>, u64) + Copy,
        rolled: impl Fn(&S, Handed<I>, u64) + Copy,
        look: impl Fn(&mut S, I) -> Shown + Copy,
    ) -> Typed<S> {
        let loops = loops::awaiting(
            move |fed: &mut Fed<S, I>, count| {
                let (parameters, inputs) = fed.handed::<EAT>(count);
                work(parameters, inputs, count);
            },
            move |fed: &mut Fed<S, I>, count| {
                let (parameters, inputs) = fed.handed::<EAT>(count);
                rolled(parameters, inputs, count);
            },
        );
        Self::fed(set, input, loops, |_| (), look)
    }

    /// A body that consumes a fresh input each time.
    pub fn eating<I>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        input: impl Fn(&S) -> I + Copy,
        work: impl Fn(&mut S, I) + Copy,
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S, I) -> Shown + Copy,
    ) -> Typed<S> {
        Self::fed(set, input, loops::eat(work), nothing, look)
    }

    /// A body that borrows a fresh input each time.
    pub fn lending<I>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        input: impl Fn(&S) -> I + Copy,
        work: impl Fn(&mut S, &mut I) + Copy,
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S, I) -> Shown + Copy,
    ) -> Typed<S> {
        Self::fed(set, input, loops::lend(work), nothing, look)
    }

    fn fed<I>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        input: impl Fn(&S) -> I + Copy,
        work: [Loop; 2],
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S, I) -> Shown + Copy,
    ) -> Typed<S> {
        let make = making(move |choice: &Choice| set(choice).map(Fed::<S, I>::new));
        let look = asking(move |fed: &mut Fed<S, I>| {
            let input = input(&fed.parameters);
            look(&mut fed.parameters, input)
        });
        let nothing = loops::empty(move |fed: &mut Fed<S, I>| nothing(&mut fed.parameters));
        let mut typed = Typed::<Fed<S, I>>::of(make, work, nothing, look);
        typed.0.inputs = Some(Inputs {
            prepare: asking_of(move |fed: &mut Fed<S, I>, count| fed.prepare(count, input)),
            discard: asking(Fed::<S, I>::discard),
            size: std::mem::size_of::<I>() as u64,
        });
        Typed(typed.0, PhantomData)
    }

    /// Declares that user code runs to make the state.
    pub fn set_up(mut self) -> Self {
        self.0.set_up = true;
        self
    }

    /// Sets the function that reads the amounts from the instance.
    pub fn amounts<A: Fn(&mut S) -> Result<Amounts, String> + Copy>(mut self, read: A) -> Self {
        self.0.amounts = Some(asking(read));
        self
    }

    /// Lets threads share the instance.
    pub fn shared_by_threads<W: Fn(&S) + Copy>(mut self, work: W) -> Self
    where
        S: Sync,
    {
        self.0.team = Some(Ok(loops::shared(work)));
        self
    }

    /// Sets the function that runs before each iteration, outside the measured time.
    pub fn iteration_set_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.iteration_set_up = Some(asking(run));
        self
    }

    /// Sets the function that runs after each iteration, outside the measured time.
    pub fn iteration_clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.iteration_clean_up = Some(asking(run));
        self
    }

    /// Sets the function that returns the operations per invocation after each iteration.
    pub fn iteration_operations<H: Fn(&mut S) -> f64 + Copy>(mut self, count: H) -> Self {
        self.0.iteration_operations = Some(asking(count));
        self
    }

    /// Sets the function that runs before the state is dropped.
    pub fn clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.clean_up = Some((asking(run), false));
        self
    }

    /// Sets a clean-up that consumes the state.
    pub fn last_clean_up<H: Fn(S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.clean_up = Some((ending(run), true));
        self
    }

    /// Erases the type of the state.
    pub fn erase(self) -> Vtable {
        self.0
    }
}
