//! What several threads can run in step: a body that they share, or a state that each has a copy of.

use std::marker::PhantomData;
use std::sync::Arc;

use super::body::{Body, Callable, Counted, IntoBody};
use crate::barrier::sink;
use crate::registry::Choice;
use crate::vtable::{copying, sharing, Team};

/// How several threads run a benchmark in step, by its type.
pub struct Teams<R, S>(PhantomData<fn() -> (R, S)>);

impl<R, S> Teams<R, S> {
    /// As for [`super::Form::of`].
    pub fn of<C: Fn(&Choice) -> R, A: Fn(&Choice) -> Result<S, String>>(_call: &C, _set: &A) -> Self {
        Teams(PhantomData)
    }
}

/// A body that can be called by several threads at a time.
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

/// First choice: it returns a body that threads share.
pub trait BySharing<R, S, M> {
    /// Its loops.
    fn team<W: Fn(&mut S) + Copy>(&self, work: W) -> Team;
}
/// Second choice: it returns another body.
pub trait ByNoSharing<R, S, M> {
    /// Why there are none.
    fn team<W: Fn(&mut S) + Copy>(&self, work: W) -> Team;
}
/// Third choice: it is a body whose parameters each thread copies.
pub trait ByCopies<R, S> {
    /// Its loops.
    fn team<W: Fn(&mut S) + Copy>(&self, work: W) -> Team;
}
/// Last choice.
pub trait ByNoCopies<R, S> {
    /// Why there are none.
    fn team<W: Fn(&mut S) + Copy>(&self, work: W) -> Team;
}

impl<R: IntoBody<M>, S, M> BySharing<R, S, M> for &&&Teams<R, S>
where
    R::Body: SharedBody,
{
    fn team<W: Fn(&mut S) + Copy>(&self, _: W) -> Team {
        sharing(|body: &R::Body| sink(body.call_shared()))
    }
}
impl<R: IntoBody<M>, S, M> ByNoSharing<R, S, M> for &&Teams<R, S> {
    fn team<W: Fn(&mut S) + Copy>(&self, _: W) -> Team {
        Err("threads cannot share its body: return `impl Fn() + Sync`, without a state that each call changes")
    }
}
impl<R, S: Copy + Sync> ByCopies<R, S> for &Teams<R, S> {
    fn team<W: Fn(&mut S) + Copy>(&self, work: W) -> Team {
        copying(work)
    }
}
impl<R, S> ByNoCopies<R, S> for Teams<R, S> {
    fn team<W: Fn(&mut S) + Copy>(&self, _: W) -> Team {
        Err("threads cannot share a parameter that is taken by value: take it by reference, as a type that is `Sync`")
    }
}
