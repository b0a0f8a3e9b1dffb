//! Java: files, Maven and Gradle projects, and jars. A JDK compiles and runs them with the front end on the class path; benchmarks of JMH
//! are read from its annotations.

mod file;
mod first;
mod front_end;
mod gradle;
mod hints;
mod installed;
mod jdk;
mod maven;
mod project;
mod source;
mod start;

use super::{Lack, Source};
use crate::projects::ProjectTool;

pub(crate) const LANGUAGE: Source = Source {
    name: "java",
    suffixes: &["java"],
    programs: &["jar"],
    settings: &["xml", "properties"],
    sign: "files that import tare or JMH",
    project: Some(ProjectTool(&project::PROJECTS)),
    uses_tare: source::has_benchmarks,
    lack: || (!jdk::is_installed()).then_some(LACK),
    build: file::build,
    runs_by: Some(TOOLCHAIN),
    shelves: &[TOOLCHAIN],
    hints: hints::HINTS,
    first: first::FIRST,
    ..Source::NONE
};

const TOOLCHAIN: &str = "java";

const LACK: Lack = Lack {
    needs: "a JDK",
    program: "java",
    instead: "install it: `apt install default-jdk-headless`, or see https://adoptium.net",
};
