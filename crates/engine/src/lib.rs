//! What to run next and when to stop. The engine is sans-IO: it hands out an [`Action`], takes the [`Answer`]s and
//! hands out the next. Thousands of invented sessions are tested without a process.
//!
//! The method is interleaved waves: for each group of cases W children of each case are alive together and are visited
//! in turn, in random balanced order; a session makes a first wave of every group, then a second of every group, and so
//! on, so that the launches of a case are spread over the session.
#![forbid(unsafe_code)]

mod action;
mod answers;
mod budget;
mod by_job;
mod by_parameter;
mod calibrate;
mod catalog;
mod compare;
mod distinct;
mod effort;
mod further;
mod growth;
mod measurement;
mod order;
mod pairing;
mod phases;
mod planning;
mod resume;
mod rounds;
mod session;
mod shard;
mod side_by_side;
mod strategy;
mod trust;
mod warm_up;
mod wave;
mod widths;

pub use action::{Action, Answer, Ask, Start};
pub use by_job::{matrix, Base};
pub use by_parameter::{compare_all, compare_parameter, without_baseline};
pub use catalog::{filter_name, matches, row_key, select, unfitting, CatalogEntry, Selection};
pub use compare::{plan_comparison, ComparisonPlan};
pub use distinct::{distinct, unmeasurable};
pub use effort::{Budget, Effort, Precision, LAUNCHES_MAX};
pub use pairing::{pair, Paired, PairingError, SideCatalog};
pub use planning::{explosions, kept_apart, plan, second_baselines, KeptApart};
pub use session::{Resumed, Session, Started};
pub use shard::Shard;
pub use side_by_side::side_by_side;
pub use widths::NEXT_LEVEL;
