//! The building blocks of documents, and fitting them to a width.

pub(crate) mod chart;
pub(crate) mod data;
pub(crate) mod document;
pub(crate) mod flow;
pub(crate) mod layout;
pub(crate) mod shorten;
pub(crate) mod table;
