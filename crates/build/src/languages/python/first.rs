use crate::languages::first::{Draft, First, Inside, NewProject};

const SOURCE: &str = include_str!("first/bench_parse.py");
const MANIFEST: &str = include_str!("first/pyproject.toml.in");
const MANIFESTS: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];

pub(super) const FIRST: First = First {
    words: &["python", "py"],
    title: "Python",
    alone: Some(|place| Draft::new(place, &[("bench_parse.py", SOURCE)], "bench_parse.py")),
    project: Some(|place| {
        Draft::new(place, &[(MANIFESTS[0], MANIFEST), ("benchmarks/bench_parse.py", SOURCE)], "benchmarks")
    }),
    home,
    inside: |place| match home(place) {
        Some(manifest) => {
            Inside::Project(manifest, Draft::new(place, &[("benchmarks/bench_parse.py", SOURCE)], "benchmarks"))
        }
        None => Inside::None,
    },
};

fn home(place: &NewProject) -> Option<String> {
    MANIFESTS.iter().find(|name| place.has(name)).map(|name| (*name).to_owned())
}
