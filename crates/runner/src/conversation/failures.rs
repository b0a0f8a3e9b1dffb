//! How a conversation fails: what the child did, named by the rule that it broke, with the last that it printed.

use super::Conversation;
use std::time::Duration;
use tare_model::{begins_crash_report, Failure, FailureKind, LanguageFacts, Step};
use tare_process::ExitStatusKind;
use tare_protocol::{ErrorKind, ErrorReply, Reply};

/// Output that is kept: this much of its end is read, bytes ...
const OUTPUT_TAIL_BYTES: usize = 8 << 10;
/// ... and at most so many lines are kept.
const OUTPUT_LINES_MAX: usize = 12;
/// A crash is looked for in this much of the end, bytes: some runtimes print every frame of a stack that overflowed.
const CRASH_BYTES: usize = 4 << 20;
/// Lines that are kept of the end of a longer report of a crash.
const CRASH_END_LINES: usize = 3;
/// A child that closed the link may take this long to end.
const END_AFTER_LINK: Duration = Duration::from_secs(2);
/// Characters of a strange line that are shown.
const SHOWN_CHARS: usize = 60;

impl Conversation {
    /// The last lines that it printed.
    pub fn output(&self) -> Vec<String> {
        let lines = self.printed(OUTPUT_TAIL_BYTES);
        lines[lines.len().saturating_sub(OUTPUT_LINES_MAX)..].to_vec()
    }

    /// The first and the last lines of the report of a crash that its runtime printed.
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

    /// The lines at the end of what it printed; one that is cut is none, unless there is no other.
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

    /// A failure of the front end, which broke this rule: unless the user's code has forked, and two processes answer.
    pub fn broken(&mut self, reason: impl Into<String>, step: Step) -> Failure {
        let others = self.child.descendants().map_or(0, |found| found.living);
        if others > 0 {
            let count = u32::try_from(others).unwrap_or(u32::MAX);
            return self.failure(FailureKind::StrayProcess { count }, step);
        }
        let request = (!self.request.is_empty()).then(|| self.request.clone());
        let front_end = self.facts.as_ref().map(|facts| facts.front_end.clone());
        self.failure(FailureKind::Protocol { reason: reason.into(), request, front_end }, step)
    }

    /// A failure of this child; the child is stopped with its whole group.
    pub fn failure(&mut self, cause: FailureKind, step: Step) -> Failure {
        self.child.kill();
        let is_crash = matches!(cause, FailureKind::Signal { .. } | FailureKind::EarlyExit { .. });
        let crash = is_crash.then(|| self.crash_report()).flatten();
        Failure { cause, step, output: crash.unwrap_or_else(|| self.output()) }
    }

    /// The deadline is over.
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

    /// The link is closed: what became of the process?
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
        // What its set-up made in the world outside is still there.
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

/// The beginning of a line as it came, in backquotes.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN_CHARS)]);
    let first = text.lines().next().unwrap_or_default();
    let cut: String = first.chars().take(SHOWN_CHARS).collect();
    let rest = if cut.len() < line.trim_ascii_end().len() { " ..." } else { "" };
    format!("`{}`{rest}", printable(&cut))
}

/// Text of a stranger for the terminal: control characters cannot move the cursor or change colours.
fn printable(line: &str) -> String {
    line.chars().take(400).map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}
