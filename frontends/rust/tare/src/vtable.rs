//! The functions of a benchmark, made from the closures that `#[tare::bench]` writes, with the type of its state erased.

use std::marker::PhantomData;

use crate::loops::{conjure, eat, empty, empty_fed, lend, run, Fed};
use crate::registry::Choice;

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
type Hook = unsafe fn(*mut ()) -> Outcome;

/// A benchmark's functions with the type of its state erased. All take the state that `make` returned.
#[derive(Clone, Copy)]
pub struct Vtable {
    pub(crate) make: fn(&Choice) -> Result<*mut (), String>,
    pub(crate) drop: unsafe fn(*mut ()),
    pub(crate) workload: Loop,
    pub(crate) rolled: Loop,
    pub(crate) overhead: Loop,
    pub(crate) check: unsafe fn(*mut ()) -> crate::show::Shown,
    pub(crate) prepare: Option<unsafe fn(*mut (), u64)>,
    pub(crate) discard: Option<unsafe fn(*mut ())>,
    pub(crate) iteration_set_up: Option<Hook>,
    pub(crate) iteration_clean_up: Option<Hook>,
    /// Runs the clean-up; `true`: it also consumed the state.
    pub(crate) clean_up: Option<(Hook, bool)>,
    pub(crate) set_up: bool,
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
    fed.inputs.clear();
    fed.inputs.reserve_exact(count as usize);
    for _ in 0..count {
        fed.inputs.push(conjure::<P>()(&fed.parameters));
    }
    fed.made = fed.inputs.len();
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
    Ok(Box::into_raw(Box::new(Fed::<S, I> { parameters, inputs: Vec::new(), made: 0, had: 0 })).cast())
}

/// # Safety
/// As for [`eat`].
unsafe fn check_fed<S, I, P, K>(state: *mut ()) -> crate::show::Shown
where
    P: Fn(&S) -> I + Copy,
    K: Fn(&S, I) -> crate::show::Shown + Copy,
{
    // SAFETY: see above.
    let fed = unsafe { &*state.cast::<Fed<S, I>>() };
    conjure::<K>()(&fed.parameters, conjure::<P>()(&fed.parameters))
}

/// A function that is only known by its type: [`conjure`] makes it again.
macro_rules! spend {
    ($($witness:ident)*) => { $(let _ = $witness;)* };
}

impl<S> Typed<S> {
    /// `set`: makes the state. `work`: the body with its sink. `nothing`: the sink alone. `look`: the body, shown.
    pub const fn new<M, B, E, K, const WAY: u8>(set: M, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        B: Fn(&mut S) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&mut S) -> crate::show::Shown + Copy,
    {
        spend!(set work nothing look);
        let vtable = Vtable {
            make: make::<S, M>,
            drop: drop_state::<S>,
            workload: run::<S, B, WAY, true>,
            rolled: run::<S, B, WAY, false>,
            overhead: empty::<S, E>,
            check: check::<S, K>,
            prepare: None,
            discard: None,
            iteration_set_up: None,
            iteration_clean_up: None,
            clean_up: None,
            set_up: false,
        };
        Typed(vtable, PhantomData)
    }

    /// A body that consumes a fresh input each time.
    pub const fn eating<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&S, I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&S, I) -> crate::show::Shown + Copy,
    {
        spend!(work);
        let mut typed = Self::fed::<I, M, P, E, K>(set, input, nothing, look);
        typed.0.workload = eat::<S, I, B, true>;
        typed.0.rolled = eat::<S, I, B, false>;
        typed
    }

    /// A body that is lent a fresh input each time.
    pub const fn lending<I, M, P, B, E, K>(set: M, input: P, work: B, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        B: Fn(&S, &mut I) + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&S, I) -> crate::show::Shown + Copy,
    {
        spend!(work);
        let mut typed = Self::fed::<I, M, P, E, K>(set, input, nothing, look);
        typed.0.workload = lend::<S, I, B, true>;
        typed.0.rolled = lend::<S, I, B, false>;
        typed
    }

    const fn fed<I, M, P, E, K>(set: M, input: P, nothing: E, look: K) -> Typed<S>
    where
        M: Fn(&Choice) -> Result<S, String> + Copy,
        P: Fn(&S) -> I + Copy,
        E: Fn(&mut S) + Copy,
        K: Fn(&S, I) -> crate::show::Shown + Copy,
    {
        spend!(set input nothing look);
        let vtable = Vtable {
            make: make_fed::<S, I, M>,
            drop: drop_state::<Fed<S, I>>,
            workload: empty_fed::<S, I, E>,
            rolled: empty_fed::<S, I, E>,
            overhead: empty_fed::<S, I, E>,
            check: check_fed::<S, I, P, K>,
            prepare: Some(prepare::<S, I, P>),
            discard: Some(discard::<S, I>),
            iteration_set_up: None,
            iteration_clean_up: None,
            clean_up: None,
            set_up: false,
        };
        Typed(vtable, PhantomData)
    }

    /// Something of the user's is run to make the state.
    pub const fn set_up(mut self) -> Self {
        self.0.set_up = true;
        self
    }

    /// Runs before each iteration, outside of the clock.
    pub const fn iteration_set_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.iteration_set_up = Some(hook::<S, H>);
        self
    }

    /// Runs after each iteration, outside of the clock.
    pub const fn iteration_clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.iteration_clean_up = Some(hook::<S, H>);
        self
    }

    /// Runs before the state is dropped.
    pub const fn clean_up<H: Fn(&mut S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.clean_up = Some((hook::<S, H>, false));
        self
    }

    /// Consumes the state at the end.
    pub const fn last_clean_up<H: Fn(S) -> Outcome + Copy>(mut self, run: H) -> Self {
        spend!(run);
        self.0.clean_up = Some((last_hook::<S, H>, true));
        self
    }

    /// Forgets the type of the state.
    pub const fn erase(self) -> Vtable {
        self.0
    }
}
