//! What to run next and when to stop. The engine is sans-IO: it hands out an [`Action`], takes the [`Answer`]s and hands out the next. The
//! method is interleaved waves: for each group, W children of each case are alive together and visited in turn, in random balanced order. A
//! run makes a first wave of every group, then a second, and so on, so that the launches of a case are spread over the run.
#![forbid(unsafe_code)]

mod action;
mod measure;
mod plan;

pub use action::{Action, Answer, Ask, Start};
pub use measure::{launch_ns, Engine, Resumption, ANNOUNCED_S, LAUNCHES_ALWAYS};
pub use plan::*;
