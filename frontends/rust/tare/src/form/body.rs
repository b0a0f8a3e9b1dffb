//! Types that are bodies, and types that look like one and are refused.

use std::fmt::Debug;
use std::future::Future;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// A measured body.
pub trait Body {
    /// The result of an invocation.
    type Out;
    /// One invocation.
    fn call(&mut self) -> Self::Out;
}

/// Something that can be called.
pub struct Callable<F>(pub(super) F);

impl<F: FnMut() -> T, T> Body for Callable<F> {
    type Out = T;
    #[inline(always)]
    fn call(&mut self) -> T {
        (self.0)()
    }
}

/// The same behind a counted reference.
pub struct Counted<P>(pub(super) P);

impl<F: Fn() -> T + ?Sized, T> Body for Counted<Rc<F>> {
    type Out = T;
    #[inline(always)]
    fn call(&mut self) -> T {
        (self.0)()
    }
}

impl<F: Fn() -> T + ?Sized, T> Body for Counted<Arc<F>> {
    type Out = T;
    #[inline(always)]
    fn call(&mut self) -> T {
        (self.0)()
    }
}

/// Stands for the missing body of a function that is the body itself.
pub struct Bodiless;

impl Body for Bodiless {
    type Out = ();
    fn call(&mut self) {}
}

/// Tells the implementations of [`IntoBody`] and [`Refused`] apart.
pub struct Way<M, const NUMBER: u8>(PhantomData<M>);

/// A type that a set-up may return, if its body takes the arguments `A`: none, or a fresh input each time. `M` tells the
/// implementations apart.
pub trait IntoBody<A, M> {
    /// The body.
    type Body;
    /// The body, or why there is none.
    fn into_body(self) -> Result<Self::Body, String>;
}

impl<F: FnMut() -> T, T> IntoBody<(), Way<(), 0>> for F {
    type Body = Callable<F>;
    fn into_body(self) -> Result<Self::Body, String> {
        Ok(Callable(self))
    }
}

impl<F: Fn() -> T + ?Sized, T> IntoBody<(), Way<(), 1>> for Rc<F> {
    type Body = Counted<Rc<F>>;
    fn into_body(self) -> Result<Self::Body, String> {
        Ok(Counted(self))
    }
}

impl<F: Fn() -> T + ?Sized, T> IntoBody<(), Way<(), 1>> for Arc<F> {
    type Body = Counted<Arc<F>>;
    fn into_body(self) -> Result<Self::Body, String> {
        Ok(Counted(self))
    }
}

impl<F: FnMut(A) -> T, A, T> IntoBody<(A,), Way<(), 0>> for F {
    type Body = F;
    fn into_body(self) -> Result<F, String> {
        Ok(self)
    }
}

impl<R: IntoBody<A, M>, E: Debug, A, M> IntoBody<A, Way<M, 2>> for Result<R, E> {
    type Body = R::Body;
    fn into_body(self) -> Result<Self::Body, String> {
        self.map_err(|error| format!("{error:?}")).and_then(R::into_body)
    }
}

impl<R: IntoBody<A, M>, A, M> IntoBody<A, Way<M, 3>> for Option<R> {
    type Body = R::Body;
    fn into_body(self) -> Result<Self::Body, String> {
        self.ok_or_else(|| "the set-up returned `None` instead of a body".to_owned()).and_then(R::into_body)
    }
}

/// The body that a set-up returned, which takes an input.
pub fn fed_body<R: IntoBody<(A,), M>, A, M>(returned: R) -> Result<R::Body, String> {
    returned.into_body()
}

/// A type that a benchmark must not return, because the wrong thing would be measured.
pub trait Refused<M> {
    /// What is wrong, and what to write.
    const WHY: &'static str;
}

const HOLDS: &str = "it returns a closure inside something else, so that only its set-up would be measured: return \
    `impl FnMut()`, `Box<dyn FnMut()>`, or a `Result` or `Option` of one";
const ARGUMENTS: &str =
    "it returns a closure that takes arguments: let it capture what it needs; a fresh input for each call is `input = ...` and \
    `impl FnMut(&mut T)` or `impl FnMut(T)` as the return type";
const FUTURE: &str = "it returns a future, which does nothing until it is polled: block on it in the body";

const ITERATOR: &str =
    "it returns an iterator, which does nothing until it is consumed: return its result, such as `.count()`, `.sum()` or `.collect::<Vec<_>>()`";

impl<R: Iterator> Refused<Way<(), 7>> for R {
    const WHY: &'static str = ITERATOR;
}
impl<R: Future> Refused<Way<(), 0>> for R {
    const WHY: &'static str = FUTURE;
}
impl<R: FnMut(A) -> T, A, T> Refused<Way<(A,), 1>> for R {
    const WHY: &'static str = ARGUMENTS;
}
impl<R: FnMut(A, B) -> T, A, B, T> Refused<Way<(A, B), 2>> for R {
    const WHY: &'static str = ARGUMENTS;
}
impl<R: IntoBody<(), M>, M> Refused<Way<M, 3>> for Vec<R> {
    const WHY: &'static str = HOLDS;
}
impl<R: IntoBody<(), M>, M, const N: usize> Refused<Way<M, 3>> for [R; N] {
    const WHY: &'static str = HOLDS;
}
impl<R: IntoBody<(), M>, M, A> Refused<Way<M, 4>> for (R, A) {
    const WHY: &'static str = HOLDS;
}
impl<R: IntoBody<(), M>, M, A> Refused<Way<M, 5>> for (A, R) {
    const WHY: &'static str = HOLDS;
}
impl<R: IntoBody<(), M>, M, E> Refused<Way<M, 6>> for Result<R, E> {
    const WHY: &'static str =
        "it returns a `Result` whose error has no `Debug`: derive it, so that a failure can be shown";
}
