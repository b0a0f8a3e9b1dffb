//! The files of `-o` when there is no result: a comment on a pull request must not be missing, or that of the day before.

use super::output;
use crate::console::{failure_lines, Console};
use crate::failure::Failure;
use crate::request::{FileForm, Output};
use serde::Serialize;
use tare_model::ExitCode;

/// Does the work of a command that writes files. They are known to be writable before it begins; when nothing could be
/// measured they say why.
pub fn guard(
    outputs: &[Output],
    console: &Console,
    work: impl FnOnce() -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    for output in outputs {
        tare_store::can_write(&output.path).map_err(Failure::writing(&output.path))?;
    }
    work().inspect_err(|failure| {
        if is_of_what_was_to_be_measured(failure) {
            write(failure, outputs, console);
        }
    })
}

/// Writes why there is no result.
pub fn write(failure: &Failure, outputs: &[Output], console: &Console) {
    for output in outputs {
        let text = text(failure, output.form);
        let written = output::write_file(&output.path, text.as_bytes());
        if let Err(second) = written {
            console.fail(&second);
        }
    }
}

/// A wrong flag is for the one who typed it, and after an error of the store the files have their result already.
fn is_of_what_was_to_be_measured(failure: &Failure) -> bool {
    match failure {
        Failure::Discover(_)
        | Failure::Build(_)
        | Failure::List { .. }
        | Failure::NoBenchmarks { .. }
        | Failure::NothingMatched { .. }
        | Failure::NoSuchName { .. }
        | Failure::NothingInCommon { .. }
        | Failure::Revision(_) => true,
        Failure::OfSide { failure, .. } => is_of_what_was_to_be_measured(failure),
        _ => false,
    }
}

#[derive(Serialize)]
struct Document {
    format: &'static str,
    version: &'static str,
    exit_code: i32,
    error: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

fn text(failure: &Failure, form: FileForm) -> String {
    let plain: String = failure_lines(failure).iter().map(|line| line.plain() + "\n").collect();
    match form {
        FileForm::Table => plain,
        FileForm::Markdown => {
            let longest = plain.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            format!("### Tare: nothing was measured\n\n{fence}text\n{plain}{fence}\n")
        }
        FileForm::Csv | FileForm::Measurements => {
            format!(
                "state,exit_code,reason\nnot-measured,{},\"{}\"\n",
                failure.exit_code().number(),
                failure.what().replace('"', "\"\"")
            )
        }
        FileForm::Json => {
            let document = Document {
                format: "tare-failure",
                version: "1.0",
                exit_code: failure.exit_code().number(),
                error: failure.what(),
                causes: failure.causes(),
                hints: failure.hints(),
            };
            serde_json::to_string_pretty(&document).expect("plain data") + "\n"
        }
    }
}
