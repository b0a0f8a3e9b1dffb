//! One mock report through every renderer, as snapshots, and the rules that every screen keeps.

mod compared;
mod comparisons;
mod files;
mod mock;
mod reports;
mod rules;
mod screens;
