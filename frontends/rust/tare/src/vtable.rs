//! The functions of a benchmark, made from the closures that `#[tare::bench]` writes, with the type of its state erased.

use std::marker::PhantomData;
use std::time::Duration;

use crate::loops::{
    async_fed, async_loop, conjure, copies, eat, empty, empty_fed, idle, lend, run, shared, Fed, Handed, SELF,
};
use crate::registry::Choice;
use crate::runner::BlockOn;
use crate::show::Shown;

/// A function that is only known by its type: [`conjure`] makes it again.
macro_rules! spend {
    ($($witness:ident)*) => { $(let _ = $witness;)* };
}

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

/// What several threads run at a time.
pub(crate) type TeamLoop = unsafe fn(*const (), u64, u64);
pub(crate) type Loop = unsafe fn(*mut (), u64, u64);
/// A question to the state, and one about so many invocations.
type Ask<T> = unsafe fn(*mut ()) -> T;
type AskOf<T> = unsafe fn(*mut (), u64) -> T;
type Make = fn(&Choice) -> Result<*mut (), String>;

/// A benchmark's functions with the type of its state erased. All take the state that `make` returned.
#[derive(Clone, Copy)]
pub struct Vtable {
    make: Make,
    drop: Ask<()>,
    pub(crate) workload: Loop,
    pub(crate) rolled: Loop,
    pub(crate) overhead: Loop,
    check: Ask<Shown>,
    inputs: Option<Inputs>,
    pub(crate) iteration_set_up: Option<Ask<Outcome>>,
    pub(crate) iteration_clean_up: Option<Ask<Outcome>>,
    /// Operations of an invocation of the iteration that has just run.
    iteration_operations: Option<Ask<f64>>,
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
    amounts: Option<Ask<Result<Amounts, String>>>,
}

/// Fresh inputs of a body.
#[derive(Clone, Copy)]
struct Inputs {
    prepare: AskOf<()>,
    discard: Ask<()>,
    /// Bytes of their type.
    size: u64,
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

/// For a body that threads share.
pub(crate) fn sharing<B, W: Fn(&B) + Copy>(work: W) -> Team {
    spend!(work);
    Ok([shared::<B, W, true>, shared::<B, W, false>])
}

/// For a body of which each thread has its own copy of the parameters.
pub(crate) fn copying<S: Copy, W: Fn(&mut S) + Copy>(work: W) -> Team {
    spend!(work);
    Ok([copies::<S, W, true>, copies::<S, W, false>])
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
fn making<S, M: Fn(&Choice) -> Result<S, String> + Copy>(set: M) -> Make {
    spend!(set);
    make::<S, M>
}
fn asking<S, T, H: Fn(&mut S) -> T + Copy>(question: H) -> Ask<T> {
    spend!(question);
    ask::<S, T, H>
}
fn asking_of<S, T, H: Fn(&mut S, u64) -> T + Copy>(question: H) -> AskOf<T> {
    spend!(question);
    ask_of::<S, T, H>
}
fn ending<S, T, H: Fn(S) -> T + Copy>(last: H) -> Ask<T> {
    spend!(last);
    end::<S, T, H>
}

impl<S> Typed<S> {
    /// What every benchmark has: how its state is made, its loops (the workload, the same rolled, the overhead), its check.
    fn of(make: Make, [workload, rolled, overhead]: [Loop; 3], check: Ask<Shown>) -> Typed<S> {
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
    pub fn new<M, B, E, K, const WAY: u8>(set: M, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        B: Fn(&mut S) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S) -> Shown + Copy,
    {
        spend!(work nothing);
        let loops: [Loop; 3] = [run::<S, B, WAY, true>, run::<S, B, WAY, false>, empty::<S, E>];
        Self::of(making(set), loops, asking(look))
    }

    /// A body that says itself how long `invocations` of it took.
    pub fn own<M, B>(set: M, work: B) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        B: Fn(&mut S, u64) -> Duration + Copy,
    {
        let look = asking(move |state: &mut S| {
            work(state, 1);
            Shown::default()
        });
        let Typed(vtable, kind) = Self::of(making(set), [idle; 3], look);
        Typed(Vtable { own: Some(asking_of(work)), ..vtable }, kind)
    }

    /// A body that gives futures. `work` and `rolled` run so many turns and single invocations as one future.
    pub fn awaiting<M, W, L, K>(set: M, work: W, rolled: L, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        W: Fn(&mut S, u64) + Copy,
        L: Fn(&mut S, u64) + Copy,
        K: Fn(&mut S) -> Shown + Copy,
    {
        spend!(work rolled);
        let Typed(vtable, kind) = Self::new::<_, _, _, _, SELF>(set, |_| (), |_| (), look);
        Typed(Vtable { workload: async_loop::<S, W, true>, rolled: async_loop::<S, L, false>, ..vtable }, kind)
    }

    /// The same with a fresh input for each future.
    pub fn awaiting_fed<I, M, P, W, L, K, const EAT: bool>(set: M, input: P, work: W, rolled: L, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        W: Fn(&S, Handed<I>, u64) + Copy,
        L: Fn(&S, Handed<I>, u64) + Copy,
        K: Fn(&mut S, I) -> Shown + Copy,
    {
        spend!(work rolled);
        let loops: [Loop; 2] = [async_fed::<S, I, W, true, EAT>, async_fed::<S, I, L, false, EAT>];
        Self::fed(set, input, loops, |_: &mut S| (), look)
    }

    /// A body that consumes a fresh input each time.
    pub fn eating<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&mut S, I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> Shown + Copy,
    {
        spend!(work);
        Self::fed(set, input, [eat::<S, I, B, true>, eat::<S, I, B, false>], nothing, look)
    }

    /// A body that is lent a fresh input each time.
    pub fn lending<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&mut S, &mut I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> Shown + Copy,
    {
        spend!(work);
        Self::fed(set, input, [lend::<S, I, B, true>, lend::<S, I, B, false>], nothing, look)
    }

    fn fed<I, M, P, E, K>(set: M, input: P, [workload, rolled]: [Loop; 2], nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> Shown + Copy,
    {
        spend!(nothing);
        let make = making(move |choice: &Choice| set(choice).map(Fed::<S, I>::new));
        let look = asking(move |fed: &mut Fed<S, I>| {
            let input = input(&fed.parameters);
            look(&mut fed.parameters, input)
        });
        let inputs = Inputs {
            prepare: asking_of(move |fed: &mut Fed<S, I>, count| fed.prepare(count, input)),
            discard: asking(Fed::<S, I>::discard),
            size: std::mem::size_of::<I>() as u64,
        };
        let Typed(vtable, _) = Typed::<Fed<S, I>>::of(make, [workload, rolled, empty_fed::<S, I, E>], look);
        Typed(Vtable { inputs: Some(inputs), ..vtable }, PhantomData)
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
        self.0.team = Some(sharing::<S, W>(work));
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

/// What the set-up of a benchmark made, with the functions that know its type.
pub(crate) struct State<'a> {
    vtable: &'a Vtable,
    at: *mut (),
    /// The clean-up had it.
    is_gone: bool,
}

impl<'a> State<'a> {
    pub(crate) fn make(vtable: &'a Vtable, choice: &Choice) -> Result<Self, String> {
        (vtable.make)(choice).map(|at| State { vtable, at, is_gone: false })
    }

    /// Where it is, for the loops of its vtable.
    pub(crate) fn at(&self) -> *mut () {
        self.at
    }

    /// Asks by a function of its vtable.
    fn ask<T>(&self, question: Ask<T>) -> T {
        // SAFETY: all functions of the vtable are about its type. They run one after the other: none of them knows this.
        unsafe { question(self.at) }
    }

    fn hook(&self, hook: Option<Ask<Outcome>>) -> Outcome {
        hook.map_or(Ok(()), |hook| self.ask(hook))
    }

    pub(crate) fn iteration_set_up(&self) -> Outcome {
        self.hook(self.vtable.iteration_set_up)
    }

    pub(crate) fn iteration_clean_up(&self) -> Outcome {
        self.hook(self.vtable.iteration_clean_up)
    }

    pub(crate) fn check(&self) -> Shown {
        self.ask(self.vtable.check)
    }

    pub(crate) fn iteration_operations(&self) -> Option<f64> {
        self.vtable.iteration_operations.map(|count| self.ask(count))
    }

    pub(crate) fn amounts(&self) -> Result<Option<Amounts>, String> {
        self.vtable.amounts.map(|amounts| self.ask(amounts)).transpose()
    }

    /// Bytes of the type of its inputs; None: it has none.
    pub(crate) fn input_size(&self) -> Option<u64> {
        self.vtable.inputs.map(|inputs| inputs.size)
    }

    /// Makes inputs for so many invocations, if it has any.
    pub(crate) fn prepare(&self, count: u64) -> Outcome {
        if let Some(inputs) = self.vtable.inputs {
            // SAFETY: as for `ask`.
            unsafe { (inputs.prepare)(self.at, count) };
        }
        Ok(())
    }

    /// Drops the inputs that are left.
    pub(crate) fn discard(&self) -> Outcome {
        if let Some(inputs) = self.vtable.inputs {
            self.ask(inputs.discard);
        }
        Ok(())
    }

    /// Called once, before it is dropped.
    pub(crate) fn clean_up(&mut self) -> Outcome {
        let Some((clean_up, consumes)) = self.vtable.clean_up else { return Ok(()) };
        self.is_gone = consumes;
        self.ask(clean_up)
    }
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        if !self.is_gone {
            self.ask(self.vtable.drop);
        }
    }
}
