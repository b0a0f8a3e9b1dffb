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
pub use teams::{Teams, Threads};

/// A benchmark that returns an `R`; the values of its parameters are an `S`.
pub struct Form<R, S>(PhantomData<fn() -> (R, S)>);

impl<R, S> Form<R, S> {
    /// The form of a function: `call` calls it, `set` makes its parameters.
    pub fn of<C: Fn(&Choice) -> R, A: Fn(&Choice) -> Result<S, String>>(_call: &C, _set: &A) -> Self {
        Form(PhantomData)
    }
}

/// The function returns its body.
pub struct BodyForm<R, S, M>(PhantomData<(Form<R, S>, M)>);
/// The function is the body, and its parameters can be copied.
pub struct CopyForm<R, S>(PhantomData<Form<R, S>>);
/// The function is the body and consumes its parameters.
pub struct CloneForm<R, S>(PhantomData<Form<R, S>>);
/// The benchmark fails by name.
pub struct RefusedForm<R, S, W>(PhantomData<(Form<R, S>, W)>);

/// Chooses a form, the first that the types allow.
pub trait Choose<M> {
    /// The form.
    type Form;
    /// One of it.
    fn form(&self) -> Self::Form;
}

impl<R: IntoBody<M>, S, M> Choose<M> for &&&&Form<R, S> {
    type Form = BodyForm<R, S, M>;
    fn form(&self) -> Self::Form {
        BodyForm(PhantomData)
    }
}
impl<R: Refused<M>, S, M> Choose<M> for &&&Form<R, S> {
    type Form = RefusedForm<R, S, Because<R, M>>;
    fn form(&self) -> Self::Form {
        RefusedForm(PhantomData)
    }
}
impl<R, S: Copy> Choose<()> for &&Form<R, S> {
    type Form = CopyForm<R, S>;
    fn form(&self) -> Self::Form {
        CopyForm(PhantomData)
    }
}
impl<R, S: Clone> Choose<()> for &Form<R, S> {
    type Form = CloneForm<R, S>;
    fn form(&self) -> Self::Form {
        CloneForm(PhantomData)
    }
}
impl<R, S> Choose<()> for Form<R, S> {
    type Form = RefusedForm<R, S, NotClone>;
    fn form(&self) -> Self::Form {
        RefusedForm(PhantomData)
    }
}

/// A reason to refuse.
pub trait Reason {
    /// In words.
    const WHY: &'static str;
}
/// The reason that the type of the result gives.
pub struct Because<R, M>(PhantomData<(fn() -> R, M)>);
impl<R: Refused<M>, M> Reason for Because<R, M> {
    const WHY: &'static str = R::WHY;
}
/// A parameter can be handed over only once.
pub struct NotClone;
impl Reason for NotClone {
    const WHY: &'static str =
        "a parameter that is taken by value must be `Clone`, since each invocation gets its own: \
        derive `Clone`, or take it by reference";
}

/// The method `vtable` of a form. The closures are arguments of their own, since only so their types are known early enough.
macro_rules! vtable {
    ([$($generic:ident)*] $form:ty, [$($bounds:tt)*], $body:ty,
        |$call:ident $set:ident $work:ident $nothing:ident $look:ident $look_body:ident $eat:ident $look_eat:ident| $made:expr) => {
        impl<R, S, $($generic)*> $form where $($bounds)* {
            /// The functions of the benchmark, of which the form uses some. `WAY`: how the state of a returned body is hidden
            /// from the optimiser. `call` calls the function with the chosen parameters, `set` makes them; `work` is an
            /// invocation into the sink, `nothing` the sink alone, `look` an invocation that is shown, `look_body` that of
            /// the body that the function returned; `eat` and `look_eat` consume the parameters.
            #[allow(clippy::too_many_arguments)]
            pub fn vtable<const WAY: u8>(
                self,
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

vtable!([M] BodyForm<R, S, M>, [R: IntoBody<M>], R::Body, |call set work nothing look look_body eat look_eat| {
    Typed::new::<WAY>(
        move |choice: &Choice| call(choice).into_body(),
        |body: &mut R::Body| sink(body.call()),
        |body: &mut R::Body| sink_empty(|| body.call()),
        look_body,
    )
    .set_up()
    .erase()
});
vtable!([] CopyForm<R, S>, [S: Copy], Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::new::<SELF>(set, work, nothing, look).erase()
});
vtable!([] CloneForm<R, S>, [S: Clone], Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::eating(set, S::clone, eat, nothing, look_eat).erase()
});
vtable!([N] RefusedForm<R, S, N>, [N: Reason], Bodiless, |call set work nothing look look_body eat look_eat| {
    Typed::<()>::new::<SELF>(|_| Err(N::WHY.to_owned()), |_| (), |_| (), |_| Shown::default()).erase()
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
