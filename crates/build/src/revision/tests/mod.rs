//! Real repositories, made by the git of this machine.

mod checkout;
mod clean;
mod failures;
mod history;
mod moved;
mod packages;
pub(super) mod repo;
mod side;
