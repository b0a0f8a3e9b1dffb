//! The two streams: the result on stdout, everything else on stderr. Also decides on colour and the width of the screen.

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use std::env;
use std::io::{self, Write};
use std::path::Path;
use tare_model::CommandLine;
use tare_report::{clean, paragraph, Glyphs, Line, Role, View, Volume};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// Columns without a terminal, if nothing gives the width of the reader's screen.
const COLUMNS_ELSEWHERE: usize = 120;
const STDOUT: i32 = 1;
const STDERR: i32 = 2;

#[derive(Debug, Clone)]
pub struct Console {
    pub volume: Volume,
    pub glyphs: Glyphs,
    colour_out: bool,
    colour_err: bool,
    /// stderr is a terminal that can move its cursor.
    pub paints: bool,
    columns: usize,
    /// None: stderr is not a terminal, which would break lines in the middle of words.
    columns_err: Option<usize>,
    /// The command, which hints repeat.
    pub request: CommandLine,
}

impl Console {
    pub fn new(choice: ColorChoice, volume: Volume, glyphs: Glyphs) -> Console {
        let terminal = |fd| tare_process::is_terminal(fd);
        let width = |fd| tare_process::terminal_width(fd).map(usize::from);
        let reported = variable("COLUMNS").and_then(|c| c.parse().ok());
        let columns = width(STDOUT).or(reported).unwrap_or(COLUMNS_ELSEWHERE);
        Console {
            volume,
            glyphs,
            colour_out: coloured(choice, terminal(STDOUT)),
            colour_err: coloured(choice, terminal(STDERR)),
            paints: terminal(STDERR) && variable("TERM").as_deref() != Some("dumb"),
            columns: columns.clamp(40, 400),
            columns_err: width(STDERR),
            request: CommandLine::default(),
        }
    }

    /// For one of many measurements: on a terminal it uses one overwritten line, elsewhere it prints no line per case.
    pub fn aside(&self) -> Console {
        if self.paints {
            self.clone()
        } else {
            self.silent()
        }
    }

    /// Prints only failures and warnings.
    pub fn silent(&self) -> Console {
        Console { volume: Volume::Quiet, ..self.clone() }
    }

    pub fn view(&self, saved: bool) -> View {
        View { columns: self.columns, glyphs: self.glyphs, volume: self.volume, saved }
    }

    pub fn columns_err(&self) -> usize {
        self.columns_err.unwrap_or(COLUMNS_ELSEWHERE)
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn render(&self, lines: &[Line]) -> String {
        render(lines, self.glyphs, self.colour_out)
    }

    /// Writes the result. A reader that closed the pipe (`| head`) is not an error.
    pub fn result(&self, text: &str) -> Result<(), Failure> {
        self.data(&self.glyphs.of(text))
    }

    /// Writes a result for programs: names keep their bytes even with `--ascii`.
    pub fn data(&self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        settled(out.write_all(bytes).and_then(|()| out.flush()))
    }

    pub fn result_pieces(&self, mut pieces: impl Iterator<Item = String>) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        settled(pieces.try_for_each(|piece| out.write_all(piece.as_bytes())).and_then(|()| out.flush()))
    }

    pub fn say(&self, lines: &[Line]) {
        // If stderr is closed, there is no way to report it.
        let _ = io::stderr().lock().write_all(render(lines, self.glyphs, self.colour_err).as_bytes());
    }

    /// Prints a question without a line break.
    pub fn prompt(&self, text: &str) {
        let mut err = io::stderr().lock();
        let _ = err.write_all(self.glyphs.of(text).as_bytes()).and_then(|()| err.flush());
    }

    pub fn note(&self, text: &str) {
        let text = &harmless(text);
        if self.volume != Volume::Quiet {
            self.tell(vec![Line::of(Role::Quiet, "note:").with(Role::Plain, format!(" {text}"))]);
        }
    }

    /// Prints prose, wrapped because a terminal would break it in the middle of words.
    fn tell(&self, lines: Vec<Line>) {
        match self.columns_err {
            Some(columns) => self.say(&broken(lines, &View { columns, ..self.view(false) })),
            None => self.say(&lines),
        }
    }

    pub fn wrote(&self, path: &Path) {
        if self.volume != Volume::Quiet {
            let name = clean(&path.to_string_lossy());
            self.say(&[Line::of(Role::Quiet, "wrote ").with(Role::Plain, name)]);
        }
    }

    pub fn warn(&self, text: &str) {
        let text = &harmless(text);
        self.tell(vec![Line::of(Role::Warning, "warning:").with(Role::Plain, format!(" {text}"))]);
    }

    pub fn fail(&self, failure: &Failure) {
        match failure {
            Failure::EmptyPart { .. } => self.note(&failure.what()),
            _ => self.tell(failure_lines(failure, &self.request)),
        }
    }
}

/// The text of a failure: `error:`, the indented causes, a blank line, `hint:`.
pub fn failure_lines(failure: &Failure, request: &CommandLine) -> Vec<Line> {
    let what = harmless(&failure.what());
    let mut words = what.lines();
    let mut lines =
        vec![Line::of(Role::Error, "error:").with(Role::Plain, format!(" {}", words.next().unwrap_or_default()))];
    lines.extend(words.map(|line| Line::of(Role::Plain, line)));
    lines.extend(failure.causes().into_iter().map(|cause| Line::of(Role::Plain, format!("  {}", clean(&cause)))));
    let hints: Vec<String> = failure.hints(request).iter().map(|hint| harmless(hint)).collect();
    if !hints.is_empty() {
        lines.push(Line::new());
    }
    for hint in hints {
        lines.push(Line::of(Role::Hint, "hint:").with(Role::Plain, format!(" {hint}")));
    }
    lines
}

/// Wraps prose between words; the first span of a line may be its label.
fn broken(lines: Vec<Line>, view: &View) -> Vec<Line> {
    let mut fitting = Vec::new();
    for line in lines {
        match line.spans.split_first() {
            Some((word, rest)) if line.width() > view.columns => {
                let (start, text) = match rest.is_empty() {
                    true => (Line::new(), word.text.clone()),
                    false => (Line::of(word.role, &word.text), rest.iter().map(|span| span.text.as_str()).collect()),
                };
                let indent = text.len() - text.trim_start().len();
                let start = start.with(Role::Plain, " ".repeat(indent));
                paragraph(start, text.trim_start(), indent.max(2), view, &mut fitting);
            }
            _ => fitting.push(line),
        }
    }
    fitting
}

/// A text of several lines without control characters, which files and databases may contain.
fn harmless(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// A reader that is gone has what it wanted.
pub fn settled(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::CannotWrite { what: "the standard output".to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn coloured(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if variable("NO_COLOR").is_some() => false,
        ColorChoice::Auto if variable("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
        ColorChoice::Auto => terminal && variable("TERM").as_deref() != Some("dumb"),
    }
}

fn render(lines: &[Line], glyphs: Glyphs, coloured: bool) -> String {
    let mut text = String::new();
    for line in &glyphs.of_lines(lines.to_vec()) {
        if coloured {
            for span in &line.spans {
                let style = style(span.role);
                text.push_str(&format!("{style}{}{style:#}", span.text));
            }
        } else {
            text.push_str(&line.plain());
        }
        text.push('\n');
    }
    text
}

fn style(role: Role) -> Style {
    let of = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    match role {
        Role::Plain => Style::new(),
        Role::Heading => Style::new().bold(),
        Role::Value => Style::new().bold(),
        Role::Quiet => Style::new().dimmed(),
        Role::Good => of(AnsiColor::Green),
        Role::Bad => of(AnsiColor::Red),
        Role::Warning => of(AnsiColor::Yellow),
        Role::Error => of(AnsiColor::Red).bold(),
        Role::Hint => of(AnsiColor::Cyan).bold(),
        Role::Command => of(AnsiColor::Cyan),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_between_words() {
        let view = View { columns: 40, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: false };
        let text = " use `--diagnose code` or `--diagnose profile`; `tare help diagnosers` has the others";
        let hint = Line::of(Role::Hint, "hint:").with(Role::Plain, text);
        let cause = Line::of(Role::Plain, "  a cause that is indented and longer than the line is");
        let lines: Vec<String> = broken(vec![hint, cause], &view).iter().map(Line::plain).collect();
        assert!(lines.iter().all(|line| line.len() <= 40), "{lines:#?}");
        let words = lines.join(" ").split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(words, format!("hint:{text} a cause that is indented and longer than the line is"));
        assert!(lines.iter().skip(1).all(|line| line.starts_with("  ")), "{lines:#?}");
    }
}
