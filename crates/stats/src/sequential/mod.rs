//! Deciding early without lying: one look after every wave of launches.
//!
//! A wave starts W processes of the baseline and W of the candidate; [`crate::effects`] makes one number of each.
//! [`looks`] turns the waves seen so far into intervals that stay valid however often one looks, because the level
//! spent at each look comes from a table made for that ([`Design::p_level`]). [`Bounds::decide`] turns the last look into a verdict.

mod boundaries;
mod decision;
mod lambda;
mod last;
mod look;
mod reuse;

pub use boundaries::{max_looks, table_for, Design};
pub use decision::{launches_needed, Bounds, Decision, StopRule};
pub use lambda::{between_wave_p, between_waves, lambda_of, layout_margin, Between, Lambda};
pub use look::{last_look, looks, looks_with, only_look, Look, Wave};
