//! What `tare init c` writes.

use crate::languages::first::{Draft, First};
use crate::languages::native::first::{home, inside, LISTS as CMAKE_LISTS};

const SOURCE: &str = include_str!("first/parse.c");
const LISTS: &str = include_str!("first/CMakeLists.txt.in");

pub(super) const FIRST: First = First {
    words: &["c"],
    title: "C",
    alone: Some(|place| Draft::new(place, &[("parse.c", SOURCE)], "parse.c")),
    project: Some(|place| Draft::new(place, &[(CMAKE_LISTS, LISTS), ("parse.c", SOURCE)], ".")),
    home: |place| home(place, true),
    inside: |place| inside(place, "parse.c", SOURCE),
};
