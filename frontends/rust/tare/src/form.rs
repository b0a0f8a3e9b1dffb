//! The return type of a function decides its form, however the type is written: if the result can be called, it is the body and the
//! function is its set-up, also behind a type alias, `Box<dyn FnMut()>`, a `Result` or an `Option`. The set-up must never be measured
//! instead of the body, so futures, and types that hold a closure in any other way, fail with an error that names them.
//!
//! The choice is made by method resolution on references ("autoref specialisation", as in `show.rs`): `&&&&Form` comes first.

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

/// A benchmark that returns an `R` and whose parameters are an `S`. [`Choose`] chooses how it is measured, and [`Threads`] how several
/// threads run it.
pub struct Form<R, S>(PhantomData<fn() -> (R, S)>);

impl<R, S> Form<R, S> {
    /// The form of a function, where `call` calls it and `set` makes its parameters.
    pub fn of<C: Fn(&Choice) -> R, A: Fn(&Choice) -> Result<S, String>>(_call: &C, _set: &A) -> Self {
        Form(PhantomData)
    }
}

/// Chooses the first form that the types allow.
pub trait Choose<R, S, M> {
    /// The body that the function returns.
    type Body;

    /// The functions of the benchmark. Each form uses some of the closures, but all are passed: only as arguments are their types known
    /// early enough.
    ///
    /// `WAY`: how the state of a returned body is hidden from the optimiser. `call` calls the function with the chosen parameters, `set`
    /// makes them; `work` is an invocation into the sink, `nothing` the sink alone, `look` an invocation whose result is shown, `look_body`
    /// the same for a returned body; `eat` and `look_eat` consume the parameters.
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
choose!(&&&&Form<R, S>, [R: IntoBody<(), M, Body = B>, S, M, B: Body] M, B, |call set work nothing look look_body eat look_eat| {
    Typed::new::<WAY>(
        move |choice: &Choice| call(choice).into_body(),
        |body: &mut B| sink(body.call()),
        |body: &mut B| sink_empty(|| body.call()),
        look_body,
    )
    .set_up()
    .erase()
});
// It returns something that must not be measured.
choose!(&&&Form<R, S>, [R: Refused<M>, S, M] M, Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::<()>::new::<SELF>(|_| Err(R::WHY.to_owned()), |_| (), |_| (), |_| Shown::default()).erase()
});
// It is the body, and its parameters are `Copy`.
choose!(&&Form<R, S>, [R, S: Copy] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::new::<SELF>(set, work, nothing, look).erase()
});
// It is the body and consumes its parameters.
choose!(&Form<R, S>, [R, S: Clone] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::eating(set, S::clone, eat, nothing, look_eat).erase()
});
// A parameter can be moved only once.
choose!(Form<R, S>, [R, S] (), Bodiless, |call set work nothing look look_body eat look_eat| {
    let why = |_: &Choice| {
        Err("a parameter that is taken by value must be `Clone`, since each invocation gets its own: derive `Clone`, or take it by \
            reference"
            .to_owned())
    };
    Typed::<()>::new::<SELF>(why, |_| (), |_| (), |_| Shown::default()).erase()
});

/// Holds the result of a body whose form is declared explicitly, to refuse results that would be measured wrongly.
pub struct Outcome<'a, R>(pub &'a R);

/// Refuses a body, refuses a type that is always refused, or accepts.
pub trait Refuse<M> {
    /// Why it is refused.
    fn refusal(&self) -> Option<&'static str>;
}

impl<R: IntoBody<(), M>, M> Refuse<M> for &&Outcome<'_, R> {
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
