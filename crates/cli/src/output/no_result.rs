//! The files of `-o` when there is no result: a comment on a pull request must not be missing, or that of the day before.

use crate::console::{failure_lines, Console};
use crate::failure::Failure;
use crate::output;
use crate::output::{Form, Output};
use tare_model::{ExitCode, Request};
use tare_report::{Exporter, NoResult, EXPORTERS};

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

pub fn write(failure: &Failure, outputs: &[Output], console: &Console) {
    for output in outputs {
        // What a template makes is no place for it: it is said as files of this name say it.
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

/// A wrong flag is for the one who typed it, and after an error of the store the files have their result already.
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

fn no_result(failure: &Failure, request: &Request) -> NoResult {
    NoResult {
        exit_code: failure.exit_code(),
        error: failure.what(),
        causes: failure.causes(),
        hints: failure.hints(request),
        text: failure_lines(failure, request).iter().map(|line| line.plain() + "\n").collect(),
    }
}
