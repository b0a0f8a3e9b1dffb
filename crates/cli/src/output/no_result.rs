//! The files of `-o` when there is no result: a comment on a pull request must not be missing or stale.

use crate::console::{failure_lines, Console};
use crate::failure::Failure;
use crate::output;
use crate::output::{Form, Output};
use tare_model::{CommandLine, ExitCode};
use tare_report::{Exporter, NoResult, EXPORTERS};

/// Runs a command that writes files. The files are checked to be writable first; if nothing could be measured, they get the reason.
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

pub fn write(failure: &Failure, outputs: &[Output], console: &Console) {
    for output in outputs {
        // A template has no place for a failure, so the default form for this file name is used.
        let exporter = match &output.form {
            Form::Exporter(exporter) | Form::Picture(exporter, _) => exporter,
            Form::Template(_) => Exporter::of_file(&output.file_name()).unwrap_or(EXPORTERS[0]),
        };
        let text = (exporter.render_failure)(&no_result(failure, &console.request));
        let written = output::write_text(output, &text, console);
        if let Err(second) = written {
            console.fail(&second);
        }
    }
}

/// Wrong flags concern only the person who typed them, and errors of the store come after the files were written.
fn is_of_what_was_to_be_measured(failure: &Failure) -> bool {
    match failure {
        Failure::Discover(_)
        | Failure::Build(_)
        | Failure::List { .. }
        | Failure::EmptyPart { .. }
        | Failure::NoBenchmarks { .. }
        | Failure::NothingMatched { .. }
        | Failure::NoSuchName { .. }
        | Failure::NothingInCommon { .. }
        | Failure::Revision(_) => true,
        Failure::OfSide { failure, .. } => is_of_what_was_to_be_measured(failure),
        _ => false,
    }
}

fn no_result(failure: &Failure, request: &CommandLine) -> NoResult {
    NoResult {
        exit_code: failure.exit_code(),
        error: failure.what(),
        causes: failure.causes(),
        hints: failure.hints(request),
        text: failure_lines(failure, request).iter().map(|line| line.plain() + "\n").collect(),
    }
}
