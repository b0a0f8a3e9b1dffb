//! Real repositories, made by the git of this machine.

mod checkout;
mod clean;
mod failures;
mod history;
pub(super) mod repo;
mod side;
