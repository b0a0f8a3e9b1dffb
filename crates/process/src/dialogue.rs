//! An interactive helper program: a line to its standard input, a line back from its standard output, with limits on time and length.

use crate::helper::{describe, spawn, wait};
use crate::unix::{never_wait, set_apart};
use crate::{interrupted, Group};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often to check for an interrupt.
const LOOK: Duration = Duration::from_millis(20);
/// Most unread lines; a helper that writes more blocks.
const WAITING_MAX: usize = 4;
/// Bytes kept from the end of its standard error.
const ERRORS_MAX: usize = 4096;
/// How long a helper may take to exit after it closed its output.
const END_AFTER_OUTPUT: Duration = Duration::from_millis(500);

#[derive(Debug, PartialEq, Eq)]
pub enum HelperReply {
    /// A line without its end.
    Line(Vec<u8>),
    /// It ended: its exit status or signal.
    End(String),
    TooLong,
    /// Nothing within the time limit.
    Late,
    Interrupted,
}

/// A running interactive helper. It is killed on drop, with everything it started.
#[derive(Debug)]
pub struct Dialogue {
    child: Child,
    group: Group,
    input: Option<ChildStdin>,
    /// A line; None if it was too long.
    lines: Receiver<Option<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Dialogue {
    /// Starts the command. Its lines may have at most `line_max` bytes.
    /// Err: when it cannot be started.
    pub fn start(command: &mut Command, line_max: u64) -> io::Result<Dialogue> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("TARE_LINK");
        set_apart(command);
        let mut child = spawn(command)?;
        let group = Group::of(&child);
        let input = child.stdin.take();
        let errors = Arc::default();
        // Makes writing to a full pipe fail rather than block.
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

    /// Sends a line. Fails rather than blocks if the helper does not read.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())
    }

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

    /// An unsolicited line.
    pub fn unasked(&mut self) -> Option<Vec<u8>> {
        self.lines.try_recv().ok().flatten()
    }

    /// Its exit status, after it closed its output.
    fn status(&mut self) -> String {
        let end = Instant::now() + END_AFTER_OUTPUT;
        let status = wait(&mut self.child, end).ok().flatten();
        // Wait for the rest of its standard error: the reading thread drops its reference at the end.
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

    /// Closes its input and gives it this long to exit.
    pub fn finish(mut self, patience: Duration) {
        self.input = None;
        // If it does not, drop kills it.
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
        // An error on a pipe means its end.
        if !reader.by_ref().take(line_max + 1).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            return;
        }
        let is_whole = line.last() == Some(&b'\n');
        if is_whole {
            line.pop();
        }
        let is_too_long = line.len() as u64 > line_max;
        // Fails once the dialogue has ended.
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
