//! Bodies that several threads can run in lockstep: a shared body, or a state that each thread copies.

use std::sync::Arc;

use super::body::{Body, Callable, Counted, IntoBody};
use super::Form;
use crate::barrier::sink;
use crate::loops::{copied, shared};
use crate::vtable::Team;

/// A body that several threads can call at once.
pub trait SharedBody: Body + Sync {
    /// One invocation.
    fn call_shared(&self) -> Self::Out;
}

impl<F: Fn() -> T + Sync, T> SharedBody for Callable<F> {
    #[inline(always)]
    fn call_shared(&self) -> T {
        (self.0)()
    }
}

impl<F: Fn() -> T + Send + Sync + ?Sized, T> SharedBody for Counted<Arc<F>> {
    #[inline(always)]
    fn call_shared(&self) -> T {
        (self.0)()
    }
}

/// Chooses the first loops for several threads that the types allow.
pub trait Threads<S, M> {
    /// The loops, or why there are none.
    fn team(&self, work: impl Fn(&mut S) + Copy) -> Team;
}

impl<R: IntoBody<(), M>, S, M> Threads<S, M> for &&&Form<R, S>
where
    R::Body: SharedBody,
{
    fn team(&self, _: impl Fn(&mut S) + Copy) -> Team {
        Ok(shared(|body: &R::Body| sink(body.call_shared())))
    }
}
impl<R: IntoBody<(), M>, S, M> Threads<S, M> for &&Form<R, S> {
    fn team(&self, _: impl Fn(&mut S) + Copy) -> Team {
        Err("threads cannot share its body: return `impl Fn() + Sync`, without a state that each call changes")
    }
}
impl<R, S: Copy + Sync> Threads<S, ()> for &Form<R, S> {
    fn team(&self, work: impl Fn(&mut S) + Copy) -> Team {
        Ok(copied(work))
    }
}
impl<R, S> Threads<S, ()> for Form<R, S> {
    fn team(&self, _: impl Fn(&mut S) + Copy) -> Team {
        Err("threads cannot share a parameter that is taken by value: take it by reference, as a type that is `Sync`")
    }
}
