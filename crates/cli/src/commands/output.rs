//! A result as text in the form that was asked for; the same for a live run and a stored one, for a run and a comparison.

use crate::args::Format;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::request::{FileForm, Output};
use std::io::Write;
use std::path::Path;
use tare_analysis::gate::{judge_comparison, judge_matrix, judge_report, Gate, Judgement};
use tare_analysis::{compare_run, is_comparison, Comparison, Matrix, Report};
use tare_engine::matches;
use tare_model::{ExitCode, Run};
use tare_report::{self as report, Compared, Glyphs, Line};

/// Rights of a file of results.
const MODE: u32 = 0o644;

/// What is shown.
pub enum Subject<'a> {
    /// A run of cases.
    Run(&'a Run, &'a Report),
    /// A comparison, with the run that it holds where there is one.
    Comparison(Box<Comparison>, Option<(&'a Run, &'a Report)>),
    /// Several machines, their comparisons, and those that lack a side, and which.
    Matrix(&'a Matrix, &'a [(String, Comparison)], Vec<(String, &'static str)>),
}

impl<'a> Subject<'a> {
    /// A run, as the comparison that it may be.
    pub fn of_run(run: &'a Run, report: &'a Report) -> Subject<'a> {
        if is_comparison(run) {
            Subject::Comparison(Box::new(compare_run(run, report)), Some((run, report)))
        } else {
            Subject::Run(run, report)
        }
    }
}

/// A subject with how it is shown and what the gate says of it.
pub struct Shown<'a> {
    subject: Subject<'a>,
    /// It is in the store, so that commands can name it.
    saved: bool,
    top: Option<usize>,
    judgement: Option<Judgement>,
}

impl<'a> Shown<'a> {
    /// A subject that no gate judges.
    pub fn new(subject: Subject<'a>, saved: bool) -> Shown<'a> {
        Shown { subject, saved, top: None, judgement: None }
    }

    /// At most so many benchmarks of each word.
    pub fn top(self, top: Option<usize>) -> Shown<'a> {
        Shown { top, ..self }
    }

    /// With what a gate says, when it asks for anything.
    pub fn judged(mut self, gate: &Gate) -> Shown<'a> {
        if !gate.is_empty() {
            self.judgement = match &self.subject {
                Subject::Run(_, report) => Some(judge_report(report, gate, matches)),
                Subject::Comparison(c, run) => Some(judge_comparison(c, run.map(|(_, report)| report), gate, matches)),
                Subject::Matrix(_, compared, gone) => Some(judge_matrix(compared, gone, gate, matches)),
            };
        }
        self
    }

    /// Says on stderr why the gate is not passed; the code that it ends in.
    pub fn say_judgement(&self, console: &Console) -> ExitCode {
        let Some(judgement) = &self.judgement else { return ExitCode::Ok };
        gate::say(judgement, console);
        judgement.exit_code()
    }

    fn compared<'b>(&'b self, comparison: &'b Comparison, run: &'b Option<(&Run, &'b Report)>) -> Compared<'b> {
        Compared { comparison, report: run.map(|(_, r)| r), judgement: self.judgement.as_ref(), top: self.top }
    }

    fn screen(&self, console: &Console) -> Vec<Line> {
        let view = console.view(self.saved);
        match &self.subject {
            Subject::Run(_, report) => report::screen(report, &view),
            Subject::Comparison(c, run) => report::comparison_screen(&self.compared(c, run), &view),
            Subject::Matrix(matrix, ..) => report::matrix_screen(matrix, &view),
        }
    }

    fn gate_markdown(&self) -> String {
        self.judgement.as_ref().and_then(report::gate_markdown).map(|text| text + "\n").unwrap_or_default()
    }

    fn markdown(&self, glyphs: Glyphs) -> String {
        match &self.subject {
            Subject::Run(_, report) => self.gate_markdown() + &report::markdown(report, glyphs),
            Subject::Comparison(c, run) => report::comparison_markdown(&self.compared(c, run), glyphs),
            Subject::Matrix(matrix, ..) => self.gate_markdown() + &report::matrix_markdown(matrix, glyphs),
        }
    }

    fn csv(&self) -> String {
        match &self.subject {
            Subject::Run(_, report) => report::csv(report),
            Subject::Comparison(comparison, _) => report::comparison_csv(comparison),
            Subject::Matrix(matrix, ..) => report::matrix_csv(matrix),
        }
    }

    fn json(&self) -> String {
        match &self.subject {
            Subject::Run(_, report) => report::json(report),
            Subject::Comparison(c, run) => report::comparison_json(&self.compared(c, run)),
            Subject::Matrix(matrix, ..) => report::matrix_json(matrix),
        }
    }

    fn run(&self) -> Option<&Run> {
        match &self.subject {
            Subject::Run(run, _) | Subject::Comparison(_, Some((run, _))) => Some(run),
            _ => None,
        }
    }
}

/// The result on the standard output.
pub fn print(shown: &Shown, format: Format, console: &Console) -> Result<(), Failure> {
    let text = match format {
        Format::Table => console.render(&shown.screen(console)),
        Format::Md => shown.markdown(console.glyphs),
        Format::Csv => shown.csv(),
        Format::Json => shown.json(),
    };
    console.data(&text)
}

/// A file, whole or not at all.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    tare_store::write_atomically(path, MODE, |writer| writer.write_all(content)).map_err(Failure::writing(path))
}

/// The files that were asked for, each whole or not at all.
pub fn write(shown: &Shown, outputs: &[Output], console: &Console) -> Result<(), Failure> {
    // No half a file stays behind.
    let _hold = tare_process::hold_interrupts();
    for output in outputs {
        let fill = |writer: &mut dyn Write| match (output.form, shown.run()) {
            (FileForm::Table, _) => {
                shown.screen(console).iter().try_for_each(|line| writeln!(writer, "{}", line.plain()))
            }
            (FileForm::Markdown, _) => writer.write_all(shown.markdown(console.glyphs).as_bytes()),
            (FileForm::Csv, _) => writer.write_all(shown.csv().as_bytes()),
            (FileForm::Json, _) => writer.write_all(shown.json().as_bytes()),
            (FileForm::Measurements, Some(run)) => {
                report::measurements_csv(run).try_for_each(|line| writer.write_all(line.as_bytes()))
            }
            // Saved data has no measurements of its own to write: an empty file would be a lie.
            (FileForm::Measurements, None) => Err(std::io::Error::other("saved data has no measurements of its own")),
        };
        tare_store::write_atomically(&output.path, MODE, fill).map_err(Failure::writing(&output.path))?;
    }
    Ok(())
}
