//! What `tare init cuda` writes.

use crate::languages::first::{Draft, First, Inside, Place};

/// The source, in which `@prefix@` is how the calls of the runtime begin.
const SOURCE: &str = include_str!("first/scale.cu");

pub(super) const FIRST: First = First {
    words: &["cuda", "cu"],
    title: "CUDA",
    alone: Some(|place| draft(place, "scale.cu", "cuda")),
    project: None,
    home: |_| None,
    inside: |_| Inside::None,
};

pub(crate) fn draft(place: &Place, name: &str, prefix: &str) -> Draft {
    Draft::new(place, &[(name, SOURCE)], name).with("@prefix@", prefix)
}
