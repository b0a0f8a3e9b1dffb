//! One mock report through every renderer, as snapshots, and the rules that every screen keeps.

mod attachments;
mod compared;
mod comparisons;
mod documents;
mod exporters;
mod files;
mod forms;
mod mock;
mod pages;
mod pictures;
mod profiles;
mod reports;
mod rules;
mod screens;
mod subjects;
