//! A helper program that is talked to: a line to its standard input, a line back from its standard output, each within a limit of time
//! and length.

use crate::helper::{describe, spawn, wait};
use crate::unix::{never_wait, set_apart};
use crate::{interrupted, Group};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the user interrupted.
const LOOK: Duration = Duration::from_millis(20);
/// Lines that wait to be read: a helper that writes more waits too.
const WAITING_MAX: usize = 4;
/// Bytes of its standard error that are kept, the last ones.
const ERRORS_MAX: usize = 4096;
/// A helper that has closed its output ends within this time, or is ended.
const END_AFTER_OUTPUT: Duration = Duration::from_millis(500);

/// What came from a helper.
#[derive(Debug, PartialEq, Eq)]
pub enum HelperReply {
    /// A line without its end.
    Line(Vec<u8>),
    /// It is gone: how it ended.
    End(String),
    /// It wrote more than a line may have.
    TooLong,
    /// Nothing, in the time that it had.
    Late,
    /// The user interrupted.
    Interrupted,
}

/// A helper that is talked to. It is ended, with all that it started, when this is dropped.
#[derive(Debug)]
pub struct Dialogue {
    child: Child,
    group: Group,
    input: Option<ChildStdin>,
    /// A line; None: one that is too long.
    lines: Receiver<Option<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Dialogue {
    /// Starts the command. A line of it has at most `line_max` bytes.
    /// Err: the system's, when it cannot be started.
    pub fn start(command: &mut Command, line_max: u64) -> io::Result<Dialogue> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("TARE_LINK");
        set_apart(command);
        let mut child = spawn(command)?;
        let group = Group::of(&child);
        let input = child.stdin.take();
        let errors = Arc::default();
        // Writing to the pipe fails when it is full, where it would wait.
        let threads = input.as_ref().map_or(Ok(()), never_wait).and_then(|()| {
            let (sender, lines) = sync_channel(WAITING_MAX);
            if let Some(stdout) = child.stdout.take() {
                thread::Builder::new().spawn(move || read_lines(stdout, line_max, &sender))?;
            }
            if let Some(stderr) = child.stderr.take() {
                let kept = Arc::clone(&errors);
                thread::Builder::new().spawn(move || keep_last(stderr, &kept))?;
            }
            Ok(lines)
        });
        let lines = threads.inspect_err(|_| group.end(&mut child))?;
        Ok(Dialogue { child, group, input, lines, errors })
    }

    /// Sends a line. One who does not read cannot make the host wait: that is an error.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())
    }

    /// Waits for the next line.
    pub fn receive(&mut self, patience: Duration) -> HelperReply {
        let end = Instant::now() + patience;
        loop {
            if interrupted() {
                return HelperReply::Interrupted;
            }
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now()).min(LOOK)) {
                Ok(Some(line)) => return HelperReply::Line(line),
                Ok(None) => return HelperReply::TooLong,
                Err(RecvTimeoutError::Disconnected) => return HelperReply::End(self.status()),
                Err(RecvTimeoutError::Timeout) if Instant::now() < end => {}
                Err(RecvTimeoutError::Timeout) => return HelperReply::Late,
            }
        }
    }

    /// A line that came without being waited for.
    pub fn unasked(&mut self) -> Option<Vec<u8>> {
        self.lines.try_recv().ok().flatten()
    }

    /// How it ended, after it has closed its output.
    fn status(&mut self) -> String {
        let end = Instant::now() + END_AFTER_OUTPUT;
        let status = wait(&mut self.child, end).ok().flatten();
        // Its last words: the thread that reads them lets go of them at their end.
        while Arc::strong_count(&self.errors) > 1 && Instant::now() < end && !interrupted() {
            thread::sleep(Duration::from_millis(1));
        }
        status.map_or_else(|| "its output was closed while it was still running".to_owned(), describe)
    }

    /// The last lines of its standard error.
    pub fn errors(&self) -> Vec<String> {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).lines().map(str::trim_end).filter(|l| !l.is_empty()).map(str::to_owned).collect()
    }

    /// Lets it end by itself: its input is closed, and it has this long.
    pub fn finish(mut self, patience: Duration) {
        self.input = None;
        // However that goes: it is ended when this is dropped.
        let _ = wait(&mut self.child, Instant::now() + patience);
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        self.group.end(&mut self.child);
    }
}

fn read_lines(stdout: impl Read, line_max: u64, sender: &SyncSender<Option<Vec<u8>>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        // An error is an end: the descriptor is of a pipe.
        if !reader.by_ref().take(line_max + 1).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            return;
        }
        let is_whole = line.last() == Some(&b'\n');
        if is_whole {
            line.pop();
        }
        let is_too_long = line.len() as u64 > line_max;
        // Nobody listens when the dialogue is over.
        if sender.send((!is_too_long).then_some(line)).is_err() || is_too_long {
            return;
        }
    }
}

fn keep_last(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0_u8; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let over = kept.len().saturating_sub(ERRORS_MAX);
        kept.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn sh(script: &str) -> Dialogue {
        Dialogue::start(Command::new("sh").args(["-c", script]), 100).expect("sh starts")
    }

    #[test]
    fn a_line_is_answered_by_a_line() {
        let mut helper = sh("while read line; do echo \"got $line\"; done");
        for word in ["a", "b"] {
            helper.send(word).expect("sent");
            assert_eq!(helper.receive(LONG), HelperReply::Line(format!("got {word}").into_bytes()));
        }
        assert_eq!(helper.unasked(), None);
        assert_eq!(helper.receive(Duration::from_millis(1)), HelperReply::Late);
        helper.finish(LONG);
    }

    #[test]
    fn an_end_has_its_status_and_its_last_words() {
        let mut helper = sh("echo why >&2; exit 3");
        assert_eq!(helper.receive(LONG), HelperReply::End("exit status 3".to_owned()));
        while helper.errors().is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(helper.errors(), ["why"]);
    }

    #[test]
    fn neither_a_flood_nor_one_who_does_not_read_holds_the_host_up() {
        let mut helper = sh("yes '' | head -c 1000000 | tr '\\n' x; sleep 100");
        assert_eq!(helper.receive(LONG), HelperReply::TooLong);
        let line = "x".repeat(1 << 16);
        assert!((0..100).any(|_| helper.send(&line).is_err()));
        let mut many = sh("yes");
        assert_eq!(many.receive(LONG), HelperReply::Line(b"y".to_vec()));
        assert_eq!(many.receive(LONG), HelperReply::Line(b"y".to_vec()));
    }
}
