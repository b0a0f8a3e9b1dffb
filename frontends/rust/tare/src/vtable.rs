//! The functions of a benchmark, made from the closures that `#[tare::bench]` writes, with the type of its state erased.

use std::marker::PhantomData;
use std::time::Duration;

use crate::loops::{self, conjure, Fed, Handed, Loop, TeamLoop};
use crate::registry::Choice;
use crate::runner::BlockOn;
use crate::show::Shown;

/// What a failed set-up or clean-up says.
pub type Outcome = Result<(), String>;

/// What set-ups and clean-ups may return: nothing, or a `Result`.
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

/// A question to the state, and one about so many invocations.
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
    /// Operations of an invocation of the iteration that has just run.
    pub(crate) iteration_operations: Option<Ask<f64>>,
    /// The clean-up; `true`: it also consumes the state.
    pub(crate) clean_up: Option<(Ask<Outcome>, bool)>,
    /// Something of the user's is run to make the state.
    pub(crate) set_up: bool,
    /// The body says itself how long so many invocations took.
    pub(crate) own: Option<AskOf<Duration>>,
    /// Makes what waits for the body's futures.
    pub(crate) runner: Option<fn() -> BlockOn>,
    /// The loops for threads in step, or why there are none; None: the declaration asks for none.
    pub(crate) team: Option<Team>,
    /// What an invocation of this instance does, where only that knows it.
    pub(crate) amounts: Option<Ask<Result<Amounts, String>>>,
}

/// Fresh inputs of a body.
#[derive(Clone, Copy)]
pub(crate) struct Inputs {
    pub(crate) prepare: AskOf<()>,
    pub(crate) discard: Ask<()>,
    /// Bytes of their type.
    pub(crate) size: u64,
}

/// The workload loop and the rolled one for several threads, or why they cannot be.
pub type Team = Result<[TeamLoop; 2], &'static str>;

/// What an invocation does: operations, then rates by name.
pub struct Amounts {
    /// None: as declared.
    pub operations: Option<u64>,
    /// The name of each with its amount.
    pub rates: Vec<(&'static str, u64)>,
}

impl Vtable {
    /// Threads may run the body in step.
    pub fn on_threads(mut self, team: Team) -> Self {
        self.team = Some(team);
        self
    }

    /// The body gives futures.
    pub fn waited_for_by(mut self, runner: fn() -> BlockOn) -> Self {
        self.runner = Some(runner);
        self
    }
}

/// A vtable whose state is known to be an `S`.
pub struct Typed<S>(Vtable, PhantomData<fn(S)>);

fn make<S, M: Fn(&Choice) -> Result<S, String> + Copy>(choice: &Choice) -> Result<*mut (), String> {
    conjure::<M>()(choice).map(|state| Box::into_raw(Box::new(state)).cast())
}

/// # Safety
/// `state` came from [`make`] with the same `S` and is not used any more.
unsafe fn end<S, T, H: Fn(S) -> T + Copy>(state: *mut ()) -> T {
    // SAFETY: see above.
    conjure::<H>()(*unsafe { Box::from_raw(state.cast::<S>()) })
}

/// # Safety
/// `state` points to a valid `S` that nobody else uses.
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

/// The functions above for a closure.
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
    /// What every benchmark has: how its state is made, its loops (the workload, the same rolled, the overhead), its check.
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

    /// `set`: makes the state. `work`: the body with its sink. `nothing`: the sink alone. `look`: the body, shown.
    pub fn new<const WAY: u8>(
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        work: impl Fn(&mut S) + Copy,
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S) -> Shown + Copy,
    ) -> Typed<S> {
        Self::of(making(set), loops::run::<S, _, WAY>(work), loops::empty(nothing), asking(look))
    }

    /// A body that says itself how long `invocations` of it took.
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

    /// A body that gives futures. `work` and `rolled` run so many turns and single invocations as one future.
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
        Self::fed(set, input, loops::awaiting_fed::<S, I, _, _, EAT>(work, rolled), |_| (), look)
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

    /// A body that is lent a fresh input each time.
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

    /// Something of the user's is run to make the state.
    pub fn set_up(mut self) -> Self {
        self.0.set_up = true;
        self
    }

    /// What an invocation does is known when the instance is there.
    pub fn amounts<A: Fn(&mut S) -> Result<Amounts, String> + Copy>(mut self, read: A) -> Self {
        self.0.amounts = Some(asking(read));
        self
    }

    /// Threads share the instance.
    pub fn shared_by_threads<W: Fn(&S) + Copy>(mut self, work: W) -> Self
    where
        S: Sync,
    {
        self.0.team = Some(Ok(loops::shared(work)));
        self
    }

    /// Runs before each iteration, outside of the clock.
    pub fn iteration_set_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.iteration_set_up = Some(asking(run));
        self
    }

    /// Runs after each iteration, outside of the clock.
    pub fn iteration_clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.iteration_clean_up = Some(asking(run));
        self
    }

    /// Operations of an invocation of an iteration, asked after it.
    pub fn iteration_operations<H: Fn(&mut S) -> f64 + Copy>(mut self, count: H) -> Self {
        self.0.iteration_operations = Some(asking(count));
        self
    }

    /// Runs before the state is dropped.
    pub fn clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.clean_up = Some((asking(run), false));
        self
    }

    /// Consumes the state at the end.
    pub fn last_clean_up<H: Fn(S) -> Outcome + Copy>(mut self, run: H) -> Self {
        self.0.clean_up = Some((ending(run), true));
        self
    }

    /// Forgets the type of the state.
    pub fn erase(self) -> Vtable {
        self.0
    }
}
