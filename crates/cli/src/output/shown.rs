//! Shows a result in the requested form; the same for live and stored runs and comparisons.

use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::history;
use crate::output::{self, Form, Forms, Output};
use crate::pictures;
use flate2::write::GzEncoder;
use flate2::Compression;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::Comparison;
use tare_engine::matches;
use tare_model::{Attachment, ExitCode, Run};
use tare_report::{clean, gate_lines, is_read, short, Attached, Line, Presentation, Rendered, Subject};
use tare_store::{Attachments, RunRef, Store, StoreError};

const MODE: u32 = 0o644;

/// A subject as this console shows it, judged by its gate if there is one. `saved`: it is in the store, so commands can name it.
pub fn shown<'a>(
    subject: Box<dyn Subject + 'a>,
    saved: bool,
    gate: &Gate,
    forms: &Forms,
    console: &Console,
) -> Presentation<'a> {
    let md_limit = forms.md_limit;
    let has_history = saved && Store::find(Path::new(".")).is_ok_and(|store| history::is_there(&store));
    let judgement = (!gate.is_empty()).then(|| subject.judge(gate, matches));
    let attached = subject.measured().filter(|_| saved).map(|(run, _)| of_store(run)).unwrap_or_default();
    Presentation { subject, view: console.view(saved), top: None, has_history, md_limit, judgement, attached }
}

fn of_store(run: &Run) -> Attached {
    if run.attachments.is_empty() {
        return Attached::default();
    }
    let found = Store::find(Path::new(".")).and_then(|store| store.attachments(&RunRef::Prefix(run.id.clone())));
    found.map(|attachments| attached(run, &attachments)).unwrap_or_default()
}

/// The attachments of a run: the content that forms need, and problems with the others.
pub fn attached(run: &Run, attachments: &Attachments) -> Attached {
    let content = |attachment: &Attachment| match is_read(attachment) {
        true => attachments.read(attachment).map(Some),
        false => attachments.open(attachment).map(|_| None),
    };
    let each = run.attachments.iter().filter(|attachment| attachment.lost.is_none());
    let contents = each.filter_map(|attachment| Some((attachment.path()?, content(attachment)))).collect();
    let folder = attachments.folder_of_run();
    let here = std::env::current_dir().ok().and_then(|here| folder.strip_prefix(here).ok().map(Path::to_owned));
    Attached { folder: Some(here.unwrap_or(folder).display().to_string()), contents }
}

/// Explains on stderr why the gate failed; returns its exit code.
pub fn say_judgement(shown: &Presentation, console: &Console) -> ExitCode {
    let Some(judgement) = &shown.judgement else { return ExitCode::Ok };
    gate::say(judgement, shown.subject.what_decides(), console);
    judgement.exit_code()
}

/// The exit code of the gate, or of an empty comparison, with an explanation.
pub fn judged(shown: &Presentation, console: &Console) -> ExitCode {
    let judged = say_judgement(shown, console);
    // A gate has its own exit code.
    match shown.subject.comparison().and_then(nothing_compared).filter(|_| judged == ExitCode::Ok) {
        Some(failure) => {
            console.fail(&failure);
            failure.exit_code()
        }
        None => judged,
    }
}

fn nothing_compared(comparison: &Comparison) -> Option<Failure> {
    const LISTED: usize = 8;
    if !comparison.rows.is_empty() {
        return None;
    }
    let why = |name: &String| comparison.why_not.get(name).map_or("not measured on both sides", String::as_str);
    let missing = comparison.not_measured.iter().map(|name| format!("{}: {}", short(&clean(name)), clean(why(name))));
    let failed = comparison.failed.iter().map(|failed| {
        let side = if failed.side == 0 { "base" } else { "new side" };
        format!("{}: failed on the {side}: {}", short(&clean(&failed.name)), clean(&failed.failure.cause.text()))
    });
    let alone = [(&comparison.only_base, "base"), (&comparison.only_new, "new side")];
    let alone = alone
        .into_iter()
        .flat_map(|(names, side)| names.iter().map(move |name| format!("{}: only on the {side}", short(&clean(name)))));
    let skipped = comparison.skipped.iter();
    let skipped = skipped.map(|row| format!("{}: skipped: {}", short(&clean(&row.name)), clean(&row.text())));
    let mut why: Vec<String> = missing.chain(failed).chain(alone).chain(skipped).collect();
    let more = why.len().saturating_sub(LISTED);
    why.truncate(LISTED);
    why.extend((more > 0).then(|| format!("{more} more")));
    Some(Failure::NothingCompared { why })
}

/// Combines the results of showing and of storing a run. If both failed, usually because the disk is full, both are reported: the second
/// says what is safe.
pub fn both<T>(shown: Result<T, Failure>, broken: Option<StoreError>, console: &Console) -> Result<T, Failure> {
    match (shown, broken.map(Failure::Store)) {
        (Err(first), Some(second)) => {
            console.fail(&first);
            Err(second)
        }
        (shown, None) => shown,
        (Ok(_), Some(failure)) => Err(failure),
    }
}

/// Shows the result in every requested form; false if a picture had nothing to draw, which is reported.
pub fn show(shown: &Presentation, forms: &Forms, console: &Console) -> Result<bool, Failure> {
    let printed = print(shown, &forms.printed, console)?;
    Ok(write(shown, &forms.outputs, console)? && printed)
}

pub fn warn_of_nothing(path: Option<&Path>, why: &str, console: &Console) {
    let which = path.map_or_else(|| "the picture".to_owned(), |path| format!("`{}`", clean(&path.to_string_lossy())));
    console.warn(&format!("{which} shows nothing: {}", why.trim_start_matches("nothing to draw: ")));
}

fn print(shown: &Presentation, form: &Form, console: &Console) -> Result<bool, Failure> {
    let exporter = match form {
        Form::Exporter(exporter) | Form::Picture(exporter, _) => exporter,
        Form::Template(template) => return console.data(&output::rendered(template, shown, None)?).map(|()| true),
    };
    match exporter.render(shown) {
        Rendered::Lines(lines) => console.data(&console.render(&lines))?,
        Rendered::Text(text) => console.data(&text)?,
        Rendered::Nothing { text, why } => {
            console.data(&text)?;
            warn_of_nothing(None, why, console);
            return Ok(false);
        }
        Rendered::Bytes(bytes) => console.bytes(&bytes)?,
        Rendered::Pieces(pieces) => console.result_pieces(pieces)?,
    }
    Ok(true)
}

/// Writes the requested files, each completely or not at all.
pub fn write(shown: &Presentation, outputs: &[Output], console: &Console) -> Result<bool, Failure> {
    let mut is_drawn = true;
    // An interrupt leaves no partial file.
    let _hold = tare_process::hold_interrupts();
    for output in outputs {
        match &output.form {
            Form::Template(template) => {
                write_text(output, &output::rendered(template, shown, Some(&output.file_name()))?, console)?;
            }
            Form::Exporter(exporter) | Form::Picture(exporter, _) => match exporter.render(shown) {
                Rendered::Text(text) => write_text(output, &text, console)?,
                Rendered::Nothing { text, why } => {
                    write_text(output, &text, console)?;
                    warn_of_nothing(Some(&output.path), why, console);
                    is_drawn = false;
                }
                Rendered::Lines(mut lines) => {
                    // Readers of the file do not see stderr.
                    let judged = shown.judgement.as_ref().map(|judgement| gate_lines(judgement, &shown.view));
                    let judged = judged.unwrap_or_default();
                    if !judged.is_empty() {
                        lines.push(Line::new());
                    }
                    lines.extend(judged);
                    write_with(output, |writer| {
                        lines.iter().try_for_each(|line| writeln!(writer, "{}", line.plain()))
                    })?;
                }
                Rendered::Bytes(bytes) => write_with(output, |writer| writer.write_all(&bytes))?,
                Rendered::Pieces(mut pieces) => {
                    write_with(output, |writer| pieces.try_for_each(|piece| writer.write_all(piece.as_bytes())))?;
                }
            },
        }
        if !output.appends && output.path.is_file() {
            console.wrote(&output.path);
        }
    }
    Ok(is_drawn)
}

pub fn write_text(output: &Output, text: &str, console: &Console) -> Result<(), Failure> {
    if let Form::Picture(_, look) = output.form {
        let bytes = pictures::bytes(text, look, &output.path, console)?;
        return write_with(output, |writer| writer.write_all(&bytes));
    }
    match output.appends {
        true => append(&output.path, text).map_err(Failure::writing(&output.path)),
        false => write_with(output, |writer| writer.write_all(text.as_bytes())),
    }
}

fn write_with(output: &Output, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let fill = |writer: &mut dyn Write| match output.is_compressed() {
        true => {
            let mut compressed = GzEncoder::new(writer, Compression::default());
            fill(&mut compressed)?;
            compressed.finish().map(drop)
        }
        false => fill(writer),
    };
    tare_store::write_atomically(&output.path, MODE, fill).map_err(Failure::writing(&output.path))
}

/// GitHub does not show a longer summary at all.
const SUMMARY_MAX: u64 = 1 << 20;

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let room = SUMMARY_MAX.saturating_sub(file.metadata()?.len()) as usize;
    file.write_all(cut(text, room).as_bytes())
}

/// As many whole lines as fit, and a note about the rest.
fn cut(text: &str, room: usize) -> String {
    const CUT: &str = "\n\n**Cut here: GitHub shows at most 1 MiB.** `tare show` has all of it.\n";
    // A blank line separates texts of a summary.
    let text = format!("{text}\n");
    if text.len() <= room {
        return text;
    }
    let mut end = room.saturating_sub(CUT.len()).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text[..end].rfind('\n') {
        Some(end) => format!("{}{CUT}", &text[..end]),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_summary_is_cut_at_the_end_of_a_line() {
        assert_eq!(cut("a\nb\n", 100), "a\nb\n\n");
        let long = "0123456789é\n".repeat(50);
        let text = cut(&long, 300);
        assert!(text.len() <= 300 && text.contains("é\n\n**Cut here"), "{text}");
        assert_eq!(cut(&long, 10), "");
    }
}
