//! What is said of each subject, and in which order.

pub(crate) mod comparison;
pub(crate) mod history;
pub(crate) mod page;
pub(crate) mod run;
pub(crate) mod why;
