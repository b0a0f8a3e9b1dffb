pub(crate) mod data;
mod document;
pub(crate) mod named_statistics;

pub use document::undecided;
pub(crate) use document::{counted, next};
