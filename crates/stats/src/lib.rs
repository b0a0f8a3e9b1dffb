//! The statistics of Tare: slices of `f64` in, estimates out.
//!
//! Pure: no input or output, no clock, no hidden randomness (seeds are arguments). Nothing here panics on any input: a sample that is
//! empty, constant or non-finite gives `None` where it has no answer, and a distribution function outside its domain gives `NaN`.
//!
//! The method is in `docs/concepts/method.md`. Its first law: the unit of
//! inference is the launch, never the iteration. So the heart is [`sequential`], which takes one number for each
//! launch ([`effects`] makes it) and says after every wave what can be concluded.
//!
//! Every item is reachable under its module and at the root of the crate.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bisection;
pub mod changepoint;
pub mod complexity;
pub mod creep;
pub mod drift;
pub mod effects;
pub mod histogram;
pub mod interval;
pub mod location;
pub mod modes;
pub mod multiplicity;
pub mod noise;
pub mod outliers;
pub mod overhead;
mod pairs;
pub mod proportion;
pub mod quantile;
pub mod rng;
mod sample;
pub mod sequential;
pub mod sharing;
pub mod special;
pub mod spread;
pub mod steps;
pub mod summary;

pub use changepoint::*;
pub use complexity::*;
pub use creep::*;
pub use drift::*;
pub use effects::*;
pub use histogram::*;
pub use interval::*;
pub use location::*;
pub use modes::*;
pub use multiplicity::*;
pub use noise::*;
pub use outliers::*;
pub use overhead::*;
pub use quantile::*;
pub use rng::*;
pub use sequential::*;
pub use sharing::*;
pub use special::*;
pub use spread::*;
pub use steps::*;
pub use summary::*;
