//! Runs the invocations of an iteration: by a loop on this thread, by loops on several, or by the body itself.

use std::time::Duration;

use super::Which;
use crate::loops::{Loop, TeamLoop, ROLLED, UNROLL};
use crate::team::Team;
use crate::vtable::Vtable;

/// A loop with its state and number of invocations.
pub(super) struct Run<'a> {
    by: By<'a>,
    /// The state for the loops of the vtable.
    state: *mut (),
    turns: u64,
    rest: u64,
}

enum By<'a> {
    Loop(Loop),
    Team(&'a Team, TeamLoop),
    /// The body, which reports how long the invocations took.
    Body(unsafe fn(*mut (), u64) -> Duration, u64),
}

impl<'a> Run<'a> {
    /// `invocations` of a loop of this vtable, whose state is at `state`.
    pub(super) fn new(vtable: &Vtable, team: Option<&'a Team>, which: Which, state: *mut (), invocations: u64) -> Self {
        let (run, unroll) = match which {
            Which::Workload | Which::Single => (vtable.workload, UNROLL),
            Which::Rolled => (vtable.rolled, ROLLED),
            Which::Overhead | Which::SingleOverhead => (vtable.overhead, UNROLL),
        };
        let (turns, rest) = match which {
            Which::Single | Which::SingleOverhead => (0, invocations),
            _ => (invocations / unroll, invocations % unroll),
        };
        let by = match (vtable.own, vtable.team, team) {
            (Some(own), _, _) if which.is_user() => By::Body(own, invocations),
            (None, Some(Ok(loops)), Some(team)) if which.is_user() => {
                By::Team(team, loops[usize::from(which == Which::Rolled)])
            }
            _ => By::Loop(run),
        };
        Run { by, state, turns, rest }
    }

    /// Called before the clock is read.
    pub(super) fn prepare(&self) {
        if let By::Team(team, run) = self.by {
            // SAFETY: the loop is meant for several threads, and `go` follows.
            unsafe { team.wake(run, self.state, self.turns, self.rest) };
        }
    }

    /// Runs the loop once, after `prepare`. Returns the time that the body reports, if it does.
    pub(super) fn go(&self) -> Option<u64> {
        // SAFETY: the state belongs to this vtable and is not used elsewhere; `prepare` was called.
        match self.by {
            By::Loop(run) => unsafe { run(self.state, self.turns, self.rest) },
            By::Team(team, run) => unsafe { team.run(run, self.state, self.turns, self.rest) },
            By::Body(own, invocations) => return Some(unsafe { own(self.state, invocations) }.as_nanos() as u64),
        }
        None
    }

    /// The address of the loop.
    pub(super) fn address(&self) -> u64 {
        let address = match self.by {
            By::Loop(run) => run as usize,
            By::Team(_, run) => run as usize,
            By::Body(own, _) => own as usize,
        };
        address as u64
    }
}
