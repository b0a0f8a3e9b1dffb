//! What `tare init c++` writes.

use crate::languages::first::{Draft, First};
use crate::languages::native::first::{home, inside, LISTS as CMAKE_LISTS};

const SOURCE: &str = include_str!("first/parse.cpp");
const LISTS: &str = include_str!("first/CMakeLists.txt.in");

pub(super) const FIRST: First = First {
    words: &["c++", "cpp", "cxx", "cc"],
    title: "C++",
    alone: Some(|place| Draft::new(place, &[("parse.cpp", SOURCE)], "parse.cpp")),
    project: Some(|place| Draft::new(place, &[(CMAKE_LISTS, LISTS), ("parse.cpp", SOURCE)], ".")),
    home: |place| home(place, false),
    inside: |place| inside(place, "parse.cpp", SOURCE),
};
