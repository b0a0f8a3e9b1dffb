//! Content and order of each subject's document.

pub(crate) mod comparison;
pub(crate) mod history;
pub(crate) mod page;
pub(crate) mod run;
pub(crate) mod why;
