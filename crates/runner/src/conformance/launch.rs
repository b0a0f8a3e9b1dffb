use super::script::Start;
use crate::run_folder;
use std::path::Path;
use tare_process::{Limits, Spec};

/// The process of a command, whose first word is the program. `folder` is its run folder, unless the scene names another.
pub(super) fn spec(command: &[String], start: &Start, folder: Option<&Path>) -> Spec {
    let mut words = command.iter().map(std::ffi::OsString::from);
    let mut spec = Spec {
        program: words.next().unwrap_or_default().into(),
        args: words.collect(),
        link: matches!(start, Start::Link | Start::At(_) | Start::InFolder(_)),
        limits: Limits::default(),
        ..Spec::default()
    };
    spec.environment.push((run_folder::VARIABLE.into(), folder.map(Into::into)));
    match start {
        Start::Link => {}
        // Else the program may become `tare run` of itself.
        Start::WithoutLink => spec.environment.push(("TARE_DIRECT".into(), Some("1".into()))),
        Start::InFolder(folder) => spec.environment.push((run_folder::VARIABLE.into(), Some(folder.into()))),
        Start::With(value) => spec.environment.push(("TARE_LINK".into(), Some(value.into()))),
        Start::At(descriptors) => {
            let (read, write) = descriptors.split_once(',').unwrap_or(("7", "8"));
            let script = format!(
                "exec {read}<&3 {write}>&4 3<&- 4>&-; TARE_LINK=fd:{read},{write}; export TARE_LINK; exec \"$@\""
            );
            let mut args = vec!["-c".into(), script.into(), "sh".into(), spec.program.into_os_string()];
            args.append(&mut spec.args);
            spec.program = "/bin/sh".into();
            spec.args = args;
        }
    }
    spec
}
