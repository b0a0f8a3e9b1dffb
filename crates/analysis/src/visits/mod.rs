//! From the raw series of a case to valid visits on the log scale at the reference clock, and to one value per launch.

mod counts;
mod kind;
mod launches;
mod loop_cost;
mod neighbour;
mod times;
mod value;

pub use counts::VisitCounts;
pub use kind::Quantity;
pub(crate) use kind::{AllWindows, FollowsClock, TimeKind};
pub(crate) use launches::KeptVisits;
pub use loop_cost::LoopCost;
pub(crate) use times::{all_times, times_of, CaseTimes};
pub use value::Location;
pub(crate) use value::{LaunchTimes, CALLS_MIN};
