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
use crate::loops::{conjure, SELF};
use crate::registry::Choice;
use crate::show::Shown;
use crate::vtable::{Typed, Vtable};

pub use body::{fed_body, Bodiless, Body, IntoBody, Refused, Way};
pub use teams::{ByCopies, ByNoCopies, ByNoSharing, BySharing, Teams};

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

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident [$($generic:ident)*] $form:ty;)*) => {
        $(
            $(#[$doc])*
            pub trait $name<R, S, $($generic)*> {
                /// The form.
                fn form(&self) -> $form;
            }
        )*
    };
}
choices! {
    /// First choice.
    ByBody [M] BodyForm<R, S, M>;
    /// Second choice.
    ByRefusal [M] RefusedForm<R, S, Because<R, M>>;
    /// Third choice.
    ByCopy [] CopyForm<R, S>;
    /// Fourth choice.
    ByClone [] CloneForm<R, S>;
    /// Last choice.
    ByNeither [] RefusedForm<R, S, NotClone>;
}

impl<R: IntoBody<M>, S, M> ByBody<R, S, M> for &&&&Form<R, S> {
    fn form(&self) -> BodyForm<R, S, M> {
        BodyForm(PhantomData)
    }
}
impl<R: Refused<M>, S, M> ByRefusal<R, S, M> for &&&Form<R, S> {
    fn form(&self) -> RefusedForm<R, S, Because<R, M>> {
        RefusedForm(PhantomData)
    }
}
impl<R, S: Copy> ByCopy<R, S> for &&Form<R, S> {
    fn form(&self) -> CopyForm<R, S> {
        CopyForm(PhantomData)
    }
}
impl<R, S: Clone> ByClone<R, S> for &Form<R, S> {
    fn form(&self) -> CloneForm<R, S> {
        CloneForm(PhantomData)
    }
}
impl<R, S> ByNeither<R, S> for Form<R, S> {
    fn form(&self) -> RefusedForm<R, S, NotClone> {
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
        |$set:ident $work:ident $nothing:ident $look:ident $look_body:ident $eat:ident $look_eat:ident| $made:expr) => {
        impl<R, S, $($generic)*> $form where $($bounds)* {
            /// The functions of the benchmark, of which the form uses some. `WAY`: how the state of a returned body is hidden
            /// from the optimiser. `call` calls the function with the chosen parameters, `set` makes them; `work` is an
            /// invocation into the sink, `nothing` the sink alone, `look` an invocation that is shown, `look_body` that of
            /// the body that the function returned; `eat` and `look_eat` consume the parameters.
            #[allow(clippy::too_many_arguments)]
            pub fn vtable<const WAY: u8, C, A, W, E, K, L, G, H>(
                self,
                _call: C,
                $set: A,
                $work: W,
                $nothing: E,
                $look: K,
                $look_body: L,
                $eat: G,
                $look_eat: H,
            ) -> Vtable
            where
                C: Fn(&Choice) -> R + Copy,
                A: Fn(&Choice) -> Result<S, String> + Copy,
                W: Fn(&mut S) + Copy,
                E: Fn(&mut S) + Copy,
                K: Fn(&mut S) -> Shown + Copy,
                L: Fn(&mut $body) -> Shown + Copy,
                G: Fn(&mut S, S) + Copy,
                H: Fn(&mut S, S) -> Shown + Copy,
            {
                let _ = ($set, $work, $nothing, $look, $look_body, $eat, $look_eat);
                $made
            }
        }
    };
}

vtable!([M] BodyForm<R, S, M>, [R: IntoBody<M>], R::Body, |set work nothing look look_body eat look_eat| {
    body_vtable::<R, M, C, L, WAY>(look_body)
});
vtable!([] CopyForm<R, S>, [S: Copy], Bodiless, |set work nothing look look_body eat look_eat| {
    Typed::new::<_, _, _, _, SELF>(set, work, nothing, look).erase()
});
vtable!([] CloneForm<R, S>, [S: Clone], Bodiless, |set work nothing look look_body eat look_eat| {
    Typed::eating(set, S::clone, eat, nothing, look_eat).erase()
});
vtable!([N] RefusedForm<R, S, N>, [N: Reason], Bodiless, |set work nothing look look_body eat look_eat| refused::<N>());

fn body_vtable<R, M, C, L, const WAY: u8>(look: L) -> Vtable
where
    R: IntoBody<M>,
    C: Fn(&Choice) -> R + Copy,
    L: Fn(&mut R::Body) -> Shown + Copy,
{
    Typed::new::<_, _, _, _, WAY>(
        |choice: &Choice| conjure::<C>()(choice).into_body(),
        |body: &mut R::Body| sink(body.call()),
        |body: &mut R::Body| sink_empty(|| body.call()),
        look,
    )
    .set_up()
    .erase()
}

fn refused<N: Reason>() -> Vtable {
    Typed::<()>::new::<_, _, _, _, SELF>(|_| Err(N::WHY.to_owned()), |_| (), |_| (), |_| Shown::default()).erase()
}

/// Holds the result of a body whose form is given by how it is declared, to refuse what would be measured wrongly.
pub struct Outcome<'a, R>(pub &'a R);

/// First choice.
pub trait IsBody<M> {
    /// Why it is refused.
    fn refusal(&self) -> Option<&'static str>;
}
/// Second choice.
pub trait IsRefused<M> {
    /// Why it is refused.
    fn refusal(&self) -> Option<&'static str>;
}
/// Last choice.
pub trait IsFine {
    /// Why it is refused.
    fn refusal(&self) -> Option<&'static str>;
}

impl<R: IntoBody<M>, M> IsBody<M> for &&Outcome<'_, R> {
    fn refusal(&self) -> Option<&'static str> {
        Some(
            "it returns a closure, which would not be called: a method and a function that takes the `input` are bodies \
            themselves; let them return what the closure computes",
        )
    }
}
impl<R: Refused<M>, M> IsRefused<M> for &Outcome<'_, R> {
    fn refusal(&self) -> Option<&'static str> {
        Some(R::WHY)
    }
}
impl<R> IsFine for Outcome<'_, R> {
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
                use $crate::__private::{IsBody as _, IsFine as _, IsRefused as _};
                match (&&&$crate::__private::Outcome(&value)).refusal() {
                    ::core::option::Option::Some(why) => $crate::__private::Shown::refused(why),
                    ::core::option::Option::None => $crate::__private::show!(value),
                }
            }
        }
    };
}
