//! What `tare init hip` writes.

use crate::languages::cuda::first::draft;
use crate::languages::first::{First, Inside};

pub(super) const FIRST: First = First {
    words: &["hip"],
    title: "HIP",
    alone: Some(|place| draft(place, "scale.hip", "hip")),
    project: None,
    home: |_| None,
    inside: |_| Inside::None,
};
