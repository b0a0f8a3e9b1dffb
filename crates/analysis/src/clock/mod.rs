//! The clock of the core: the reference clock of times, and how closely the time of a body follows the clock.

mod exponent;
mod reference;
mod slope;

pub use exponent::Exponent;
pub(crate) use exponent::{among_kinds, assumed_share, in_common};
pub use reference::{better_reference, own_cycle_ns};
pub(crate) use reference::{cycles_of, probe_cycles, reference_cycle_ns, reference_or, RISK_MAX};
pub use slope::Slope;
pub(crate) use slope::{slope, Sample};
