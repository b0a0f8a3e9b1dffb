//! A user's program as a diagnoser: it receives the signals of a launch as lines of JSON on its standard input, and answers each with a
//! line on its standard output. `docs/guides/diagnosers.md` documents the form.

mod messages;

use crate::{Belongs, Diagnoser, File, Findings, Missing, Pass, Signal, Subject, Tools, Work};
pub(crate) use messages::heard;
use messages::{begin, signal, Content, Reply, Result as PassResult};
use std::fs::OpenOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tare_model::{Artifact, Attachment, Lack, LaunchChange, Maker, Metric, Per, Remark};
use tare_process::{Dialogue, HelperReply};

/// Longest line of a reply, bytes.
const LINE_MAX: u64 = 4 << 20;
/// How long a program that reads no more may take to end.
const ENDING: Duration = Duration::from_secs(1);
/// Most metrics, attachments and findings of a pass.
const COUNT_MAX: usize = 100;
/// Bytes of all attachments of a pass.
const PASS_BYTES_MAX: usize = 64 << 20;
/// Longest text of a finding, title or name, characters.
const TEXT_MAX: usize = 2000;
/// A program that has given its result must end within this time, or is killed.
const END_AFTER_RESULT: Duration = Duration::from_secs(2);
/// Characters shown of a line that makes no sense.
const SHOWN_MAX: usize = 80;

#[derive(Debug)]
pub struct External {
    name: String,
    command: Vec<String>,
    folder: PathBuf,
    pass: Option<Ongoing>,
}

#[derive(Debug)]
struct Ongoing {
    dialogue: Dialogue,
    patience: Duration,
    folder: Option<PathBuf>,
    iterations: u64,
    /// Once set, the program may exit.
    found: Option<PassResult>,
}

impl Clone for External {
    /// Without the current pass.
    fn clone(&self) -> External {
        External::new(&self.name, self.command.clone(), &self.folder)
    }
}

impl External {
    /// A program with its arguments, which runs in `folder`.
    pub fn new(name: &str, command: Vec<String>, folder: &Path) -> External {
        External { name: name.to_owned(), command, folder: folder.to_owned(), pass: None }
    }

    /// The program; with a `/` it is a path relative to the folder.
    fn program(&self) -> PathBuf {
        let word = self.command.first().map(String::as_str).unwrap_or_default();
        if word.contains('/') {
            self.folder.join(word)
        } else {
            word.into()
        }
    }

    fn ask(&mut self, line: &str, about: &str) -> Result<Reply, String> {
        let Some(pass) = &mut self.pass else { return Err("its pass has not begun".to_owned()) };
        if let Some(line) = pass.dialogue.unasked() {
            return Err(format!("it wrote a line that was not requested: {}", shown(&line)));
        }
        // If sending fails, the reason is in the reply: a program that is ending has a moment for its status.
        let sent = pass.dialogue.send(line);
        let why = match pass.dialogue.receive(if sent.is_ok() { pass.patience } else { ENDING }) {
            HelperReply::Line(line) => {
                return match heard(&line) {
                    Ok(Reply::Error { message }) => Err(format!("it says: {}", cut(&message))),
                    Ok(reply) => Ok(reply),
                    Err(error) => Err(format!("its reply to `{about}` is not valid: {error}: {}", shown(&line))),
                };
            }
            HelperReply::End(status) => format!("it ended before it replied to `{about}`: {status}"),
            HelperReply::TooLong => format!("its reply to `{about}` is longer than {} MiB", LINE_MAX >> 20),
            HelperReply::Late if sent.is_err() => format!("it does not read `{about}`"),
            HelperReply::Late => format!("it did not reply to `{about}` within {} s", pass.patience.as_secs_f64()),
            HelperReply::Interrupted => "interrupted".to_owned(),
        };
        Err(match pass.dialogue.errors().last() {
            Some(line) => format!("{why}; the last line of its errors: {}", cut(line)),
            None => why,
        })
    }
}

impl Diagnoser for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason| Missing { reason, is_fatal: true };
        tools.program(&self.program().to_string_lossy()).map_err(missing)
    }

    fn lacks(&self, _program: &Artifact) -> Option<Lack> {
        None
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(Work::Iterations)
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let mut command = Command::new(self.program());
        command.args(self.command.iter().skip(1));
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(&self.folder);
        }
        let dialogue =
            Dialogue::start(&mut command, LINE_MAX).map_err(|error| format!("it cannot be started: {error}"))?;
        self.pass = Some(Ongoing {
            dialogue,
            patience: subject.patience,
            folder: subject.folder.clone(),
            iterations: subject.iterations,
            found: None,
        });
        match self.ask(&begin(subject), "begin")? {
            Reply::Ready(change) => Ok(change),
            other => Err(other.instead_of("ready", "begin")),
        }
    }

    fn signal(&mut self, happened: &Signal) -> Result<(), String> {
        // Every line needs a reply, and programs do not know this signal.
        if *happened == Signal::Measured {
            return Ok(());
        }
        let (line, about) = signal(happened);
        match (self.ask(&line, about)?, happened) {
            (Reply::Result(found), Signal::Ended) => {
                if let Some(pass) = &mut self.pass {
                    pass.found = Some(*found);
                }
                Ok(())
            }
            (other, Signal::Ended) => Err(other.instead_of("result", about)),
            (Reply::Ok, _) => Ok(()),
            (other, _) => Err(other.instead_of("ok", about)),
        }
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let Some(pass) = &mut self.pass else { return Err("its pass has not begun".to_owned()) };
        let found = pass.found.as_mut().map(std::mem::take).ok_or("it gave no result")?;
        let lengths = [found.metrics.len(), found.attachments.len(), found.findings.len()];
        if lengths.iter().any(|length| *length > COUNT_MAX) {
            return Err(format!("its result has more than {COUNT_MAX} metrics, attachments or findings"));
        }
        let mut findings = Findings::default();
        for metric in found.metrics {
            let known: Vec<&str> = findings.metrics.iter().map(|(metric, _)| metric.name.as_str()).collect();
            let metric = checked(metric, pass.iterations, &known)?;
            findings.metrics.push(metric);
        }
        let mut names: Vec<String> = Vec::new();
        let mut room = PASS_BYTES_MAX;
        for attachment in found.attachments {
            if names.contains(&attachment.name) {
                return Err(format!("two attachments have the name `{}`", cut(&attachment.name)));
            }
            names.push(attachment.name.clone());
            let content = content(attachment.content, pass.folder.as_deref()).and_then(|content| {
                room = room
                    .checked_sub(content.len())
                    .ok_or(format!("a pass has at most {} MiB", PASS_BYTES_MAX >> 20))?;
                Ok(content)
            });
            findings.files.push(File {
                of: if attachment.of.as_deref() == Some("side") { Belongs::Side } else { Belongs::Case },
                content,
                name: cut(&attachment.name),
                title: cut(&attachment.title),
                media_type: media_type(attachment.media_type),
                maker: Maker::Program,
            });
        }
        findings.remarks = found
            .findings
            .into_iter()
            .map(|said| Remark {
                is_warning: said.severity.as_deref() == Some("warning"),
                text: cut(&said.text),
                advice: cut(&said.advice),
            })
            .collect();
        Ok(findings)
    }

    fn end(&mut self) {
        if let Some(pass) = self.pass.take().filter(|pass| pass.found.is_some()) {
            pass.dialogue.finish(END_AFTER_RESULT);
        }
    }
}

/// A metric that is usable as a column, with a value per iteration.
fn checked(metric: messages::Metric, iterations: u64, known: &[&str]) -> Result<(Metric, Vec<f64>), String> {
    let name = cut(&metric.name);
    if !Metric::is_name(&metric.name) {
        return Err(format!("the name of a metric {}; not `{name}`", Metric::NAME_RULE));
    }
    if known.contains(&metric.name.as_str()) {
        return Err(format!("two metrics have the name `{name}`"));
    }
    let per = match metric.per.as_deref() {
        None => Per::Operation,
        Some(per) => tare_model::named(per)
            .filter(|per| *per != Per::Second)
            .ok_or_else(|| format!("`per` of `{name}` is `{}`, not `operation` or `iteration`", cut(per)))?,
    };
    if metric.values.len() as u64 != iterations {
        let values = metric.values.len();
        return Err(format!("`{name}` has {values} values for {iterations} iterations"));
    }
    if let Some(value) = metric.values.iter().find(|value| !value.is_finite() || **value < 0.0) {
        return Err(format!("`{name}` has the value {value}; it must be a number of at least 0"));
    }
    let better = metric.better.as_deref().and_then(tare_model::named).unwrap_or_default();
    Ok((Metric { name: metric.name, unit: cut(&metric.unit), better, per, exact: false }, metric.values))
}

/// The content of an attachment, or why it is missing.
fn content(content: Content, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    match content {
        Content { text: Some(text), file: None } => Ok(text.into_bytes()),
        Content { text: None, file: Some(name) } => read(&name, folder),
        _ => Err("it needs either `text` or `file`".to_owned()),
    }
}

/// The content of a file in the folder of the pass. Nothing outside of it is read.
fn read(name: &str, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    let is_plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != "..";
    let Some(folder) = folder.filter(|_| is_plain) else {
        return Err(format!("`{}` is not the name of a file in the folder of the pass", cut(name)));
    };
    let path = folder.join(name);
    let why = |error: std::io::Error| format!("`{}` cannot be read: {error}", cut(name));
    let is_file = std::fs::symlink_metadata(&path).map_err(why)?.is_file();
    if !is_file {
        return Err(format!("`{}` is not a regular file", cut(name)));
    }
    let mut content = Vec::new();
    let file = OpenOptions::new().read(true).open(&path).map_err(why)?;
    file.take(Attachment::BYTES_MAX + 1).read_to_end(&mut content).map_err(why)?;
    Ok(content)
}

/// Accepts short media types with only valid characters.
fn media_type(given: Option<String>) -> String {
    const UNKNOWN: &str = "application/octet-stream";
    const MOST: usize = 100;
    let good = |c: char| c.is_ascii_alphanumeric() || "/+-.; =".contains(c);
    let is_one = |text: &String| text.len() <= MOST && text.contains('/') && text.chars().all(good);
    given.filter(is_one).unwrap_or_else(|| UNKNOWN.to_owned())
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_MAX).collect()
}

/// The start of a line, made readable.
fn shown(line: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(line).chars().take(SHOWN_MAX).collect();
    format!("{text:?}")
}

#[cfg(test)]
mod tests;
