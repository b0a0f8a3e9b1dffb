//! The files of `tare init rust`. The crate `tare` is not published, so a package gets a copy of the embedded one.

use super::cargo::discover::{depends_on_tare, has_bench_section, read};
use super::front_end;
use crate::languages::first::{Draft, First, FrontEndCopy, Inside, NewProject, Refusal};

const SOURCE: &str = include_str!("first/parse.rs");
const MANIFEST: &str = include_str!("first/Cargo.toml.in");
const LIBRARY: &str = include_str!("first/lib.rs.in");
const PAGE: &str = include_str!("first/copy.md.in");
const CARGO: &str = "Cargo.toml";
const BENCH: &str = "benches/parse.rs";
/// The folder of the copy. Cargo treats folders in `benches` as targets only if they have a `main.rs`.
pub(crate) const COPY: &str = "benches/tare";

pub(super) const FIRST: First = First {
    words: &["rust", "rs"],
    title: "Rust",
    alone: Some(|place| Draft::new(place, &[("parse.rs", SOURCE)], "parse.rs")),
    project: Some(|place| Draft {
        front_end: Some(copy()),
        ..Draft::new(place, &[(CARGO, MANIFEST), ("src/lib.rs", LIBRARY), (BENCH, SOURCE)], ".")
    }),
    home: |place| place.has(CARGO).then(|| CARGO.to_owned()),
    inside,
};

fn inside(place: &NewProject) -> Inside {
    if !place.has(CARGO) {
        return Inside::None;
    }
    let path = place.folder.join(CARGO);
    let refused = |what: String, hint: &str| Inside::Refused(Refusal { what, hint: hint.to_owned() });
    let manifest = match read(&path) {
        Ok(manifest) => manifest,
        Err(error) => return refused(error.to_string(), "correct it: `cargo check` says more"),
    };
    if !manifest.contains_key("package") {
        return refused(
            format!("`{}` has no package, and only packages have benchmarks", place.shown(CARGO)),
            "name the folder of one of its packages: `tare init rust FOLDER`",
        );
    }
    let mut lines = String::new();
    let depends = depends_on_tare(&manifest);
    if !depends {
        lines += &format!("[dev-dependencies]\ntare = {{ path = \"{COPY}/tare\" }}\n\n");
    }
    if !has_bench_section(&place.folder, "parse") {
        lines += "[[bench]]\nname = \"parse\"\nharness = false\n";
    }
    let mut draft = Draft::new(place, &[(BENCH, SOURCE)], ".");
    draft.front_end = (!depends).then(copy);
    if !lines.is_empty() {
        draft = draft.adding(CARGO, &lines);
    }
    Inside::Project(CARGO.to_owned(), draft)
}

fn copy() -> FrontEndCopy {
    FrontEndCopy::new(COPY, PAGE, front_end::standalone())
}
