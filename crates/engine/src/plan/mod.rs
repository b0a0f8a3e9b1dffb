//! From the available benchmarks to a plan: which are selected, what they are compared with, and how much is measured.

mod amount;
mod by_job;
mod by_name;
mod by_parameter;
mod catalog;
mod compare;
mod cut;
pub(crate) mod distinct;
mod groups;
mod pairing;
mod shard;
mod side_by_side;

pub use amount::{Amount, Budget, Precision, LAUNCHES_MAX};
pub use by_job::{matrix, Base};
pub use by_name::{compare_baseline, possible_baselines, suggested_baseline, Baseline};
pub use by_parameter::{compare_all, compare_parameter, without_baseline};
pub use catalog::{filter_name, matches, row_key, select, unfitting, CatalogEntry, Selection};
pub use compare::{plan_comparison, ComparisonPlan};
pub use cut::cut;
pub use distinct::{distinct, unmeasurable};
pub use groups::{plan, second_baselines};
pub use pairing::{pair, PairingError, Pairs, SideCatalog};
pub use shard::Shard;
pub use side_by_side::side_by_side;
