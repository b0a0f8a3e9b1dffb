//! Texts, numbers and names.

pub(crate) mod advice;
pub(crate) mod again;
pub(crate) mod frames;
pub(crate) mod label;
pub(crate) mod number;
pub(crate) mod text;
