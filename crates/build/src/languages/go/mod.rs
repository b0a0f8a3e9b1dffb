//! Go: `go test -c` builds the benchmarks of a package, with the front end inside the package `testing`.

mod first;
mod front_end;
mod hints;
mod loops;
mod package;
mod sdk;
mod source;
mod tool;

use super::{Lack, Source};
use crate::projects::ProjectTool;

pub(crate) const LANGUAGE: Source = Source {
    name: "go",
    suffixes: &["go"],
    settings: &["mod", "sum", "work", "s"],
    sign: "files named `_test.go` with `func Benchmark...`",
    project: Some(ProjectTool(&tool::GO)),
    uses_tare: source::has_benchmarks,
    build: package::refuse_file,
    lack: || (!sdk::is_installed()).then_some(LACK),
    hints: hints::HINTS,
    first: &[first::FIRST],
    ..Source::NONE
};

const TOOLCHAIN: &str = "go";

const LACK: Lack = Lack { needs: "Go", program: "go", instead: "install it: https://go.dev/dl" };
