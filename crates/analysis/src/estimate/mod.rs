//! One estimate and one interval: the time of a case over its launches, without the loop around the body.

mod interval;
mod net;
mod rates;

pub(crate) use interval::{half_width, over, raw, NORMAL_95};
pub use net::NetTime;
pub(crate) use net::{loop_cost, time};
pub(crate) use rates::rates;
pub use rates::RateReport;
