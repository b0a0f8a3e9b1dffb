//! Builds of real fixture projects with the compilers of this machine. A tool that is missing is named and its tests pass.

mod cache;
mod cmake;
pub(crate) mod help;
mod layout;
mod native;
mod rust;
