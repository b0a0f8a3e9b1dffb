//! Builds of real fixture projects with the compilers of this machine. Tests of a missing tool name it and pass.

mod cache;
mod cmake;
pub(crate) mod help;
mod layout;
mod native;
mod rust;
