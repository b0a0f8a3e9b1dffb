//! Which form a function has is decided by the type that it returns, not by how that type is written: what can be called
//! is a body and the function its set-up, also behind a type alias, `Box<dyn FnMut()>`, a `Result` or an `Option`. The set-up
//! of such a benchmark must never be measured instead of the body. What holds a closure in another way, and a future,
//! fails by name.
//!
//! Method resolution on references chooses ("autoref specialisation", as in `show.rs`): `&&&&Form` is asked first.

mod body;
mod teams;

use std::marker::PhantomData;

use crate::barrier::{sink, sink_empty};
use crate::loops::SELF;
use crate::registry::Choice;
use crate::show::Shown;
use crate::vtable::{Typed, Vtable};

pub use body::{fed_body, Bodiless, Body, IntoBody, Refused, Way};
pub use teams::Threads;

/// A benchmark that returns an `R`; the values of its parameters are an `S`. How it is measured is chosen by [`Choose`], and how by several
/// threads by [`Threads`].
pub struct Form<R, S>(PhantomData<fn() -> (R, S)>);

impl<R, S> Form<R, S> {
    /// The form of a function: `call` calls it, `set` makes its parameters.
    pub fn of<C: Fn(&Choice) -> R, A: Fn(&Choice) -> Result<S, String>>(_call: &C, _set: &A) -> Self {
        Form(PhantomData)
    }
}

/// Chooses the form of a function, the first that the types allow.
pub trait Choose<R, S, M> {
    /// The body that the function returns.
    type Body;

    /// The functions of the benchmark. All forms get the same closures, of which each uses some: only as arguments their types are
    /// known early enough.
    ///
    /// `WAY`: how the state of a returned body is hidden from the optimiser. `call` calls the function with the chosen parameters, `set`
    /// makes them; `work` is an invocation into the sink, `nothing` the sink alone, `look` an invocation that is shown, `look_body`
    /// that of the body that the function returned; `eat` and `look_eat` consume the parameters.
    #[allow(clippy::too_many_arguments)]
    fn vtable<const WAY: u8>(
        &self,
        call: impl Fn(&Choice) -> R + Copy,
        set: impl Fn(&Choice) -> Result<S, String> + Copy,
        work: impl Fn(&mut S) + Copy,
        nothing: impl Fn(&mut S) + Copy,
        look: impl Fn(&mut S) -> Shown + Copy,
        look_body: impl Fn(&mut Self::Body) -> Shown + Copy,
        eat: impl Fn(&mut S, S) + Copy,
        look_eat: impl Fn(&mut S, S) -> Shown + Copy,
    ) -> Vtable;
}

macro_rules! choose {
    ($form:ty, [$($generics:tt)*] $mark:ty, $body:ty,
        |$call:ident $set:ident $work:ident $nothing:ident $look:ident $look_body:ident $eat:ident $look_eat:ident| $made:expr) => {
        impl<$($generics)*> Choose<R, S, $mark> for $form {
            type Body = $body;
            fn vtable<const WAY: u8>(
                &self,
                $call: impl Fn(&Choice) -> R + Copy,
                $set: impl Fn(&Choice) -> Result<S, String> + Copy,
                $work: impl Fn(&mut S) + Copy,
                $nothing: impl Fn(&mut S) + Copy,
                $look: impl Fn(&mut S) -> Shown + Copy,
                $look_body: impl Fn(&mut $body) -> Shown + Copy,
                $eat: impl Fn(&mut S, S) + Copy,
                $look_eat: impl Fn(&mut S, S) -> Shown + Copy,
            ) -> Vtable {
                let _ = ($call, $set, $work, $nothing, $look, $look_body, $eat, $look_eat);
                $made
            }
        }
    };
}

// The function returns its body.
choose!(&&&&Form<R, S>, [R: IntoBody<M>, S, M] M, R::Body, |call set work nothing look look_body eat look_eat| {
    Typed::new::<WAY>(
        move |choice: &Choice| call(choice).into_body(),
        |body: &mut R::Body| sink(body.call()),
        |body: &mut R::Body| sink_empty(|| body.call()),
        look_body,
    )
    .set_up()
    .erase()
});
// It returns what must not be measured.
choose!(&&&Form<R, S>, [R: Refused<M>, S, M] M, Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::<()>::new::<SELF>(|_| Err(R::WHY.to_owned()), |_| (), |_| (), |_| Shown::default()).erase()
});
// It is the body, and its parameters can be copied.
choose!(&&Form<R, S>, [R, S: Copy] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::new::<SELF>(set, work, nothing, look).erase()
});
// It is the body and consumes its parameters.
choose!(&Form<R, S>, [R, S: Clone] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::eating(set, S::clone, eat, nothing, look_eat).erase()
});
// A parameter can be handed over only once.
choose!(Form<R, S>, [R, S] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    let why = |_: &Choice| {
        Err("a parameter that is taken by value must be `Clone`, since each invocation gets its own: derive `Clone`, or take it by \
            reference"
            .to_owned())
    };
    Typed::<()>::new::<SELF>(why, |_| (), |_| (), |_| Shown::default()).erase()
});

/// Holds the result of a body whose form is given by how it is declared, to refuse what would be measured wrongly.
pub struct Outcome<'a, R>(pub &'a R);

/// Refuses a body, a type that is refused anyway, or nothing.
pub trait Refuse<M> {
    /// Why it is refused.
    fn refusal(&self) -> Option<&'static str>;
}

impl<R: IntoBody<M>, M> Refuse<M> for &&Outcome<'_, R> {
    fn refusal(&self) -> Option<&'static str> {
        Some(
            "it returns a closure, which would not be called: a method and a function that takes the `input` are bodies \
            themselves; let them return what the closure computes",
        )
    }
}
impl<R: Refused<M>, M> Refuse<M> for &Outcome<'_, R> {
    fn refusal(&self) -> Option<&'static str> {
        Some(R::WHY)
    }
}
impl<R> Refuse<()> for Outcome<'_, R> {
    fn refusal(&self) -> Option<&'static str> {
        None
    }
}

/// The text of a result, or the reason to refuse it: `look!(EXPRESSION)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __look {
    ($value:expr) => {
        match $value {
            value => {
                #[allow(unused_imports)]
                use $crate::__private::Refuse as _;
                match (&&&$crate::__private::Outcome(&value)).refusal() {
                    ::core::option::Option::Some(why) => $crate::__private::Shown::refused(why),
                    ::core::option::Option::None => $crate::__private::show!(value),
                }
            }
        }
    };
}
