//! A result in the form that was asked for; the same for a live run and a stored one, for a run and a comparison.

use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::request::Output;
use std::io::Write;
use std::path::Path;
use tare_analysis::gate::{judge_comparison, judge_matrix, judge_report, Gate, Judgement};
use tare_engine::matches;
use tare_model::ExitCode;
use tare_report::{Exporter, Rendered, Shown, Subject};

/// Rights of a file of results.
const MODE: u32 = 0o644;

/// A subject as this console shows it, judged by a gate when that asks for anything. `saved`: it is in the store, so that commands
/// can name it.
pub fn shown<'a>(subject: Subject<'a>, saved: bool, gate: &Gate, console: &Console) -> Shown<'a> {
    let judgement = (!gate.is_empty()).then(|| judge(&subject, gate));
    Shown { subject, view: console.view(saved), top: None, judgement }
}

fn judge(subject: &Subject, gate: &Gate) -> Judgement {
    match subject {
        Subject::Run(_, report) => judge_report(report, gate, matches),
        Subject::Comparison(c, run) => judge_comparison(c, run.map(|(_, report)| report), gate, matches),
        Subject::Matrix(_, compared, gone) => judge_matrix(compared, gone, gate, matches),
    }
}

/// Says on stderr why the gate is not passed; the code that it ends in.
pub fn say_judgement(shown: &Shown, console: &Console) -> ExitCode {
    let Some(judgement) = &shown.judgement else { return ExitCode::Ok };
    gate::say(judgement, console);
    judgement.exit_code()
}

/// The result on the standard output.
pub fn print(shown: &Shown, exporter: &Exporter, console: &Console) -> Result<(), Failure> {
    match (exporter.render)(shown) {
        Rendered::Lines(lines) => console.data(&console.render(&lines)),
        Rendered::Text(text) => console.data(&text),
        Rendered::Pieces(pieces) => console.result_pieces(pieces),
    }
}

/// A file, whole or not at all.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    tare_store::write_atomically(path, MODE, |writer| writer.write_all(content)).map_err(Failure::writing(path))
}

/// The files that were asked for, each whole or not at all.
pub fn write(shown: &Shown, outputs: &[Output]) -> Result<(), Failure> {
    // No half a file stays behind.
    let _hold = tare_process::hold_interrupts();
    for output in outputs {
        let fill = |writer: &mut dyn Write| match (output.exporter.render)(shown) {
            Rendered::Lines(lines) => lines.iter().try_for_each(|line| writeln!(writer, "{}", line.plain())),
            Rendered::Text(text) => writer.write_all(text.as_bytes()),
            Rendered::Pieces(mut pieces) => pieces.try_for_each(|piece| writer.write_all(piece.as_bytes())),
        };
        tare_store::write_atomically(&output.path, MODE, fill).map_err(Failure::writing(&output.path))?;
    }
    Ok(())
}
