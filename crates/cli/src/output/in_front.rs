//! `--as-benchmarkdotnet`: the library that a program was written for prints and exports the results.

use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Forms};
use std::process::{Command, Stdio};
use tare_build::languages::is_in_front;
use tare_model::{Artifact, ExitCode, Run};
use tare_report::{clean, Presentation, Template};
use tare_runner::RunFolder;

pub const FLAG: &str = "--as-benchmarkdotnet";
/// The template whose output the adapter reads, and the variable with the path of that file.
const TEMPLATE: &str = "benchmarkdotnet-rows";
const VARIABLE: &str = "BENCHMARK_RESULTS";

pub fn summaries(shown: &Presentation, run: &Run, forms: &Forms, console: &Console) -> Result<ExitCode, Failure> {
    let mut programs: Vec<&Artifact> = Vec::new();
    // Each job of a program is an artifact of its own, also one for another runtime.
    for one in run.artifacts.iter().filter(|one| is_in_front(one)) {
        if programs.iter().all(|known| source(known) != source(one)) {
            programs.push(one);
        }
    }
    if programs.is_empty() {
        return Err(Failure::Usage {
            what: "no program of the run uses BenchmarkDotNet, so there is no BenchmarkDotNet summary".to_owned(),
            hint: format!("leave out `{FLAG}`"),
        });
    }
    let Some(template) = Template::shipped(TEMPLATE) else { return Ok(ExitCode::Bug) };
    let rows = output::rendered(&template, shown, None)?;
    let folder = RunFolder::new();
    let mut ended = ExitCode::Ok;
    for (at, program) in programs.iter().enumerate() {
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        let Some(place) = folder.of(number).map(|folder| folder.join("results")) else {
            console.warn("no folder for temporary files could be created, so there is no BenchmarkDotNet summary");
            return Ok(ExitCode::SetUp);
        };
        std::fs::write(&place, &rows)
            .map_err(|source| Failure::CannotWrite { what: place.display().to_string(), source })?;
        let Some((command, words)) = program.command.split_first() else { continue };
        let mut command = Command::new(command);
        command.args(words).env(VARIABLE, &place);
        if !forms.prints_table() {
            // Keeps stdout for the machine-readable form.
            command.stdout(Stdio::from(std::io::stderr()));
        }
        let name = clean(&program.name);
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => {
                console.warn(&format!("`{name}` ended with {status} when BenchmarkDotNet printed its summary"));
                ended = ExitCode::CaseFailed;
            }
            Err(error) => {
                console.warn(&format!("cannot start `{name}` for the BenchmarkDotNet summary: {error}"));
                ended = ExitCode::SetUp;
            }
        }
    }
    Ok(ended)
}

/// What it was built from, or the program itself.
fn source(program: &Artifact) -> &[String] {
    let words = program.build_command.iter().take_while(|word| !word.starts_with('-')).count();
    if words == 0 {
        &program.command
    } else {
        &program.build_command[..words]
    }
}
