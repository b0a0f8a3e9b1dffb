//! The clock of the core: the reference that times are given at, and how closely the time of a body follows it.

mod exponent;
mod reference;
mod slope;

pub use exponent::Exponent;
pub(crate) use exponent::{among_kinds, assumed_share, in_common};
pub use reference::{better_reference, own_cycle_ns};
pub(crate) use reference::{cycles_of, probe_cycles, reference_cycle_ns, reference_or, RISK_MAX};
pub use slope::Slope;
pub(crate) use slope::{slope, Sample};
