//! Failures of a conversation: what the child did, the rule it broke, and the end of its output.

use super::Conversation;
use std::time::Duration;
use tare_model::{begins_crash_report, Failure, FailureKind, LanguageFacts, Step};
use tare_process::ExitStatusKind;
use tare_protocol::{ErrorKind, ErrorReply, Reply};

/// How much of the end of the output is read, in bytes ...
const OUTPUT_TAIL_BYTES: usize = 8 << 10;
/// ... and how many lines of it are kept.
const OUTPUT_LINES_MAX: usize = 12;
/// How much of the end is searched for a crash report, in bytes: some runtimes print every frame of an overflowed stack.
const CRASH_BYTES: usize = 4 << 20;
/// Lines kept from the end of a long crash report.
const CRASH_END_LINES: usize = 3;
/// How long a child may take to exit after it closed the link.
const END_AFTER_LINK: Duration = Duration::from_secs(2);
/// Longest excerpt of a malformed line, in characters.
const SHOWN_CHARS: usize = 60;

impl Conversation {
    pub fn output(&self) -> Vec<String> {
        let lines = self.printed(OUTPUT_TAIL_BYTES);
        lines[lines.len().saturating_sub(OUTPUT_LINES_MAX)..].to_vec()
    }

    /// The first and last lines of a crash report from its runtime.
    fn crash_report(&self) -> Option<Vec<String>> {
        let lines = self.printed(CRASH_BYTES);
        let report = &lines[lines.iter().rposition(|line| begins_crash_report(line))?..];
        let language = LanguageFacts::of_any(self.facts.as_ref().map_or("", |facts| &facts.language));
        let report = language.without_own_frames(report);
        if report.len() <= OUTPUT_LINES_MAX {
            return Some(report);
        }
        let first = &report[..OUTPUT_LINES_MAX - CRASH_END_LINES - 1];
        let last = &report[report.len() - CRASH_END_LINES..];
        Some([first, &["...".to_owned()], last].concat())
    }

    /// The last lines of its output. A truncated line is skipped unless it is the only one.
    fn printed(&self, bytes: usize) -> Vec<String> {
        let tail = self.child.output_tail(bytes);
        let text = String::from_utf8_lossy(&tail);
        let is_cut = tail.len() == bytes && text.contains('\n');
        text.trim_matches('\0').lines().skip(usize::from(is_cut)).map(printable).collect()
    }

    /// A reply that does not fit the request.
    pub fn unexpected(&mut self, reply: &Reply, wanted: &str, step: Step) -> Failure {
        self.broken(format!("R8: it replied `{}` instead of `{wanted}`", reply.kind()), step)
    }

    /// A protocol violation by the front end, unless the user's code has forked and two processes answer.
    pub fn broken(&mut self, reason: impl Into<String>, step: Step) -> Failure {
        let others = self.child.descendants().map_or(0, |found| found.living);
        if others > 0 && self.facts.is_some() {
            let count = u32::try_from(others).unwrap_or(u32::MAX);
            return self.failure(FailureKind::StrayProcess { count }, step);
        }
        let request = (!self.request.is_empty()).then(|| self.request.clone());
        let front_end = self.facts.as_ref().map(|facts| facts.front_end.clone());
        self.failure(FailureKind::Protocol { reason: reason.into(), request, front_end }, step)
    }

    /// A failure of this child, which is stopped with its whole group.
    pub fn failure(&mut self, cause: FailureKind, step: Step) -> Failure {
        self.child.kill();
        let is_crash = matches!(cause, FailureKind::Signal { .. } | FailureKind::EarlyExit { .. });
        let crash = is_crash.then(|| self.crash_report()).flatten();
        Failure { cause, step, output: crash.unwrap_or_else(|| self.output()) }
    }

    /// The failure of a child that missed its deadline.
    pub(super) fn silent(&mut self, step: Step) -> Failure {
        let seconds = self.bounds.timeout.as_secs_f64();
        match self.waiting() {
            Some(part) => self.broken(format!("R7: incomplete reply, no line end within {seconds} s: {part}"), step),
            // No user code runs there.
            None if self.request == "bye" => {
                self.broken(format!("R8: `bye` was not answered within {seconds} s"), step)
            }
            None => self.failure(FailureKind::Timeout { seconds }, step),
        }
    }

    /// The failure of a child that closed the link, from its exit.
    pub(super) fn gone(&mut self, step: Step) -> Failure {
        let partial = self.child.partial().to_vec();
        match self.child.wait_timeout(END_AFTER_LINK).map(|exit| exit.status) {
            None => self.broken("R4: it closed the link but did not exit", step),
            Some(ExitStatusKind::Code(0)) if !partial.is_empty() => self
                .broken(format!("R7: it exited after {} bytes of a reply: {}", partial.len(), shown(&partial)), step),
            Some(status) => self.failure(by_status(status), step),
        }
    }

    pub(super) fn refused(&mut self, error: ErrorReply, step: Step) -> Failure {
        let step = match error.step.as_deref() {
            Some("set-up") => Step::SetUp,
            Some("iteration-set-up") => Step::IterationSetUp,
            Some("body") => Step::Body,
            Some("iteration-clean-up") => Step::IterationCleanUp,
            Some("clean-up") => Step::CleanUp,
            _ => step,
        };
        let cause = match error.kind {
            ErrorKind::Exception => {
                FailureKind::Exception { message: error.message, exception: error.exception, place: error.place }
            }
            ErrorKind::Failed => FailureKind::Failed { message: error.message },
            ErrorKind::Skipped => FailureKind::Skipped { reason: error.message },
            ErrorKind::Version => FailureKind::Version { versions: error.versions },
            kind @ (ErrorKind::BadValue | ErrorKind::NotSupported | ErrorKind::Other(_)) => FailureKind::Refused {
                error: printable(kind.name()),
                message: error.message,
                request: self.request.clone(),
            },
        };
        // External state from its set-up remains.
        if matches!(cause, FailureKind::Exception { .. } | FailureKind::Failed { .. }) {
            self.leave();
            self.left();
        }
        self.failure(cause, step)
    }
}

pub(super) fn by_status(status: ExitStatusKind) -> FailureKind {
    match status {
        ExitStatusKind::Code(status) => FailureKind::EarlyExit { status },
        ExitStatusKind::Signal(signal) => {
            FailureKind::Signal { signal, name: tare_process::signal_name(signal).to_owned() }
        }
    }
}

/// The start of a line, in backquotes.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN_CHARS)]);
    let first = text.lines().next().unwrap_or_default();
    let cut: String = first.chars().take(SHOWN_CHARS).collect();
    let rest = if cut.len() < line.trim_ascii_end().len() { " ..." } else { "" };
    format!("`{}`{rest}", printable(&cut))
}

/// Makes foreign text safe for a terminal: control characters cannot move the cursor or change colours.
fn printable(line: &str) -> String {
    line.chars().take(400).map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}
