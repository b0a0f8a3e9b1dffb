//! A run as text in the form that was asked for; the same for a live run and a stored one.

use crate::args::Format;
use crate::console::Console;
use crate::failure::Failure;
use crate::request::{FileForm, Output};
use std::io::Write;
use tare_analysis::Report;
use tare_model::Run;
use tare_report::{csv, json, markdown, measurements_csv, screen};

/// A run with what it says.
pub struct Shown<'a> {
    /// The run.
    pub run: &'a Run,
    /// What it says.
    pub report: &'a Report,
    /// It is in the store, so that commands can name it.
    pub saved: bool,
}

/// The result on the standard output.
pub fn print(shown: &Shown, format: Format, console: &Console) -> Result<(), Failure> {
    let text = match format {
        Format::Table => console.render(&screen(shown.report, &console.view(shown.saved))),
        Format::Md => markdown(shown.report, console.glyphs),
        Format::Csv => csv(shown.report),
        Format::Json => json(shown.report),
    };
    console.result(&text)
}

/// The files that were asked for, each whole or not at all.
pub fn write(shown: &Shown, outputs: &[Output], console: &Console) -> Result<(), Failure> {
    for output in outputs {
        let fill = |writer: &mut dyn Write| match output.form {
            FileForm::Table => {
                let lines = screen(shown.report, &console.view(shown.saved));
                lines.iter().try_for_each(|line| writeln!(writer, "{}", line.plain()))
            }
            FileForm::Markdown => writer.write_all(markdown(shown.report, console.glyphs).as_bytes()),
            FileForm::Csv => writer.write_all(csv(shown.report).as_bytes()),
            FileForm::Json => writer.write_all(json(shown.report).as_bytes()),
            FileForm::Measurements => {
                measurements_csv(shown.run).try_for_each(|line| writer.write_all(line.as_bytes()))
            }
        };
        tare_store::write_atomically(&output.path, 0o644, fill).map_err(Failure::writing(&output.path))?;
    }
    Ok(())
}
