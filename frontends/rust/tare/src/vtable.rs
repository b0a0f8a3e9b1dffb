//! The functions of a benchmark, made from the closures that `#[tare::bench]` writes, with the type of its state erased.

use std::marker::PhantomData;
use std::time::Duration;

use crate::loops::{
    async_fed, async_loop, conjure, copies, eat, empty, empty_fed, idle, lend, own, run, shared, Fed, Handed,
};
use crate::pool::Pool;
use crate::registry::Choice;
use crate::runner::BlockOn;

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

type Loop = unsafe fn(*mut (), u64, u64);
/// A loop that several threads run at a time.
pub(crate) type TeamLoop = unsafe fn(*const (), u64, u64);
type ReadAmounts = unsafe fn(*mut ()) -> Result<Amounts, String>;
type Hook = unsafe fn(*mut ()) -> Outcome;
type Make = fn(&Choice) -> Result<*mut (), String>;
type DropState = unsafe fn(*mut ());
type Check = unsafe fn(*mut ()) -> crate::show::Shown;
type Prepare = unsafe fn(*mut (), u64);
type Discard = unsafe fn(*mut ());

/// A benchmark's functions with the type of its state erased. All take the state that `make` returned.
#[derive(Clone, Copy)]
pub struct Vtable {
    pub(crate) make: Make,
    pub(crate) drop: DropState,
    pub(crate) workload: Loop,
    pub(crate) rolled: Loop,
    pub(crate) overhead: Loop,
    pub(crate) check: Check,
    pub(crate) prepare: Option<Prepare>,
    pub(crate) discard: Option<Discard>,
    /// Bytes of the type of the inputs that `prepare` makes.
    pub(crate) input_size: Option<u64>,
    pub(crate) iteration_set_up: Option<Hook>,
    pub(crate) iteration_clean_up: Option<Hook>,
    /// Operations of an invocation of the iteration that has just run.
    pub(crate) iteration_operations: Option<unsafe fn(*mut ()) -> f64>,
    /// Runs the clean-up; `true`: it also consumed the state.
    pub(crate) clean_up: Option<(Hook, bool)>,
    pub(crate) set_up: bool,
    /// The body says itself how long so many invocations took.
    pub(crate) own: Option<unsafe fn(*mut (), u64) -> Duration>,
    /// Makes what waits for the body's futures.
    pub(crate) runner: Option<fn() -> BlockOn>,
    /// The loops for threads in step, or why there are none; None: the declaration asks for none.
    pub(crate) team: Option<Team>,
    /// What an invocation of this instance does, where only that knows it.
    pub(crate) amounts: Option<ReadAmounts>,
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
    /// What every benchmark has: how its state is made and dropped, its loops (the workload, the same rolled, the overhead), its check.
    fn of(make: Make, drop: DropState, [workload, rolled, overhead]: [Loop; 3], check: Check) -> Vtable {
        Vtable {
            make,
            drop,
            workload,
            rolled,
            overhead,
            check,
            prepare: None,
            discard: None,
            input_size: None,
            iteration_set_up: None,
            iteration_clean_up: None,
            iteration_operations: None,
            clean_up: None,
            set_up: false,
            own: None,
            runner: None,
            team: None,
            amounts: None,
        }
    }

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
unsafe fn drop_state<S>(state: *mut ()) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(state.cast::<S>()) });
}

/// # Safety
/// As for [`run`].
unsafe fn check<S, K: Fn(&mut S) -> crate::show::Shown + Copy>(state: *mut ()) -> crate::show::Shown {
    // SAFETY: see above.
    conjure::<K>()(unsafe { &mut *state.cast::<S>() })
}

/// # Safety
/// As for [`run`].
unsafe fn hook<S, H: Fn(&mut S) -> Outcome + Copy>(state: *mut ()) -> Outcome {
    // SAFETY: see above.
    conjure::<H>()(unsafe { &mut *state.cast::<S>() })
}

/// # Safety
/// As for [`run`].
unsafe fn ask<S, T, H: Fn(&mut S) -> T + Copy>(state: *mut ()) -> T {
    // SAFETY: see above.
    conjure::<H>()(unsafe { &mut *state.cast::<S>() })
}

/// # Safety
/// As for [`drop_state`].
unsafe fn last_hook<S, H: Fn(S) -> Outcome + Copy>(state: *mut ()) -> Outcome {
    // SAFETY: see above.
    conjure::<H>()(*unsafe { Box::from_raw(state.cast::<S>()) })
}

/// # Safety
/// As for [`eat`].
unsafe fn prepare<S, I, P: Fn(&S) -> I + Copy>(state: *mut (), count: u64) {
    // SAFETY: see above.
    let fed = unsafe { &mut *state.cast::<Fed<S, I>>() };
    (fed.made, fed.had) = (0, 0);
    let parameters = &fed.parameters;
    fed.inputs.fill(count as usize, || conjure::<P>()(parameters));
    fed.made = count as usize;
}

/// # Safety
/// As for [`eat`].
unsafe fn discard<S, I>(state: *mut ()) {
    // SAFETY: see above.
    let fed = unsafe { &mut *state.cast::<Fed<S, I>>() };
    (fed.made, fed.had) = (0, 0);
    fed.inputs.clear();
}

fn make_fed<S, I, M: Fn(&Choice) -> Result<S, String> + Copy>(choice: &Choice) -> Result<*mut (), String> {
    let parameters = conjure::<M>()(choice)?;
    Ok(Box::into_raw(Box::new(Fed::<S, I> { parameters, inputs: Pool::new(), made: 0, had: 0 })).cast())
}

/// # Safety
/// As for [`eat`].
unsafe fn check_fed<S, I, P, K>(state: *mut ()) -> crate::show::Shown
where
    P: Fn(&S) -> I + Copy,
    K: Fn(&mut S, I) -> crate::show::Shown + Copy,
{
    // SAFETY: see above.
    let fed = unsafe { &mut *state.cast::<Fed<S, I>>() };
    let input = conjure::<P>()(&fed.parameters);
    conjure::<K>()(&mut fed.parameters, input)
}

/// # Safety
/// As for [`run`].
unsafe fn amounts<S, A>(state: *mut ()) -> Result<Amounts, String>
where
    A: Fn(&S) -> Result<Amounts, String> + Copy,
{
    // SAFETY: see above.
    conjure::<A>()(unsafe { &*state.cast::<S>() })
}

fn no_text<S>(_: &mut S) -> crate::show::Shown {
    crate::show::Shown::default()
}

impl<S> Typed<S> {
    /// `set`: makes the state. `work`: the body with its sink. `nothing`: the sink alone. `look`: the body, shown.
    pub fn new<M, B, E, K, const WAY: u8>(set: M, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        B: Fn(&mut S) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S) -> crate::show::Shown + Copy,
    {
        spend!(set work nothing look);
        let loops = [run::<S, B, WAY, true>, run::<S, B, WAY, false>, empty::<S, E>];
        Typed(Vtable::of(make::<S, M>, drop_state::<S>, loops, check::<S, K>), PhantomData)
    }

    /// A body that says itself how long `invocations` of it took.
    pub fn own<M, B>(set: M, work: B) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        B: Fn(&mut S, u64) -> Duration + Copy,
    {
        spend!(work);
        let mut typed = Self::new::<M, _, _, _, { crate::loops::SELF }>(
            set,
            |_| (),
            |_| (),
            |state: &mut S| {
                conjure::<B>()(state, 1);
                no_text(state)
            },
        );
        (typed.0.workload, typed.0.rolled, typed.0.overhead) = (idle, idle, idle);
        typed.0.own = Some(own::<S, B>);
        typed
    }

    /// A body that gives futures. `work` and `rolled` run so many turns and single invocations as one future.
    pub fn awaiting<M, W, L, K>(set: M, work: W, rolled: L, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        W: Fn(&mut S, u64) + Copy,
        L: Fn(&mut S, u64) + Copy,
        K: Fn(&mut S) -> crate::show::Shown + Copy,
    {
        spend!(work rolled);
        let mut typed = Self::new::<M, _, _, K, { crate::loops::SELF }>(set, |_| (), |_| (), look);
        typed.0.workload = async_loop::<S, W, true>;
        typed.0.rolled = async_loop::<S, L, false>;
        typed
    }

    /// The same with a fresh input for each future.
    pub fn awaiting_fed<I, M, P, W, L, K, const EAT: bool>(set: M, input: P, work: W, rolled: L, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        W: Fn(&S, Handed<I>, u64) + Copy,
        L: Fn(&S, Handed<I>, u64) + Copy,
        K: Fn(&mut S, I) -> crate::show::Shown + Copy,
    {
        spend!(work rolled);
        let mut typed = Self::fed::<I, M, P, _, K>(set, input, |_| (), look);
        typed.0.workload = async_fed::<S, I, W, true, EAT>;
        typed.0.rolled = async_fed::<S, I, L, false, EAT>;
        typed
    }

    /// A body that consumes a fresh input each time.
    pub fn eating<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&mut S, I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> crate::show::Shown + Copy,
    {
        spend!(work);
        let mut typed = Self::fed::<I, M, P, E, K>(set, input, nothing, look);
        typed.0.workload = eat::<S, I, B, true>;
        typed.0.rolled = eat::<S, I, B, false>;
        typed
    }

    /// A body that is lent a fresh input each time.
    pub fn lending<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&mut S, &mut I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> crate::show::Shown + Copy,
    {
        spend!(work);
        let mut typed = Self::fed::<I, M, P, E, K>(set, input, nothing, look);
        typed.0.workload = lend::<S, I, B, true>;
        typed.0.rolled = lend::<S, I, B, false>;
        typed
    }

    fn fed<I, M, P, E, K>(set: M, input: P, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S, I) -> crate::show::Shown + Copy,
    {
        spend!(set input nothing look);
        let loops: [Loop; 3] = [empty_fed::<S, I, E>; 3];
        let vtable = Vtable::of(make_fed::<S, I, M>, drop_state::<Fed<S, I>>, loops, check_fed::<S, I, P, K>);
        let (prepare, discard): (Prepare, Discard) = (prepare::<S, I, P>, discard::<S, I>);
        let input_size = Some(std::mem::size_of::<I>() as u64);
        Typed(Vtable { prepare: Some(prepare), discard: Some(discard), input_size, ..vtable }, PhantomData)
    }

    /// Something of the user's is run to make the state.
    pub fn set_up(mut self) -> Self {
        self.0.set_up = true;
        self
    }

    /// What an invocation does is known when the instance is there.
    pub fn amounts<A: Fn(&S) -> Result<Amounts, String> + Copy>(mut self, read: A) -> Self {
        spend!(read);
        self.0.amounts = Some(amounts::<S, A>);
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
        spend!(run);
        self.0.iteration_set_up = Some(hook::<S, H>);
        self
    }

    /// Runs after each iteration, outside of the clock.
    pub fn iteration_clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.iteration_clean_up = Some(hook::<S, H>);
        self
    }

    /// Operations of an invocation of an iteration, asked after it.
    pub fn iteration_operations<H: Fn(&mut S) -> f64 + Copy>(mut self, count: H) -> Self {
        spend!(count);
        self.0.iteration_operations = Some(ask::<S, f64, H>);
        self
    }

    /// Runs before the state is dropped.
    pub fn clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.clean_up = Some((hook::<S, H>, false));
        self
    }

    /// Consumes the state at the end.
    pub fn last_clean_up<H: Fn(S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.clean_up = Some((last_hook::<S, H>, true));
        self
    }

    /// Forgets the type of the state.
    pub fn erase(self) -> Vtable {
        self.0
    }
}
