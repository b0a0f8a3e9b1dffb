//! A non-interactive helper program (compiler, git), with limits on time and output.

use crate::unix::{ended_by_signal, set_apart};
use crate::{interrupted, Group};
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often to check for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// How long to wait for the output of a killed helper.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// It is killed after this.
    pub time: Duration,
    /// Bytes kept of each stream; the rest is read and dropped.
    pub bytes: usize,
}

#[derive(Debug)]
pub struct Done {
    /// It exited with status 0.
    pub success: bool,
    /// It was stopped: out of time, or the user interrupted.
    pub stopped: bool,
    /// `exit status 1`, `killed by signal 9`, `stopped after 3600 s`.
    pub status: String,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Done {
    /// It ended by itself, unsuccessfully.
    pub fn has_failed(&self) -> bool {
        !self.success && !self.stopped
    }

    /// Both streams as text: compilers write to stderr, ninja and make repeat their messages on stdout.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text + &String::from_utf8_lossy(&self.stderr)
    }
}

/// Runs the command to its end with empty standard input.
/// Err: when the program cannot be started.
pub fn run(command: &mut Command, limits: Limits) -> io::Result<Done> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("TARE_LINK");
    // In its own group, so that its descendants can be stopped with it.
    set_apart(command);
    if interrupted() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let mut child = spawn(command)?;
    let group = Group::of(&child);
    let end = Instant::now() + limits.time;
    let readers = reader(child.stdout.take(), limits.bytes)
        .and_then(|stdout| Ok((stdout, reader(child.stderr.take(), limits.bytes)?)));
    let (of_stdout, of_stderr) = readers.inspect_err(|_| group.end(&mut child))?;
    let (stdout, in_time) = receive(&of_stdout, end);
    let (stderr, also_in_time) = receive(&of_stderr, end);
    let status = if in_time && also_in_time { wait(&mut child, end)? } else { None };
    let Some(status) = status else {
        group.end(&mut child);
        // Output from before the end; the streams close with it.
        let last = Instant::now() + LAST_OUTPUT;
        let stdout = if in_time { stdout } else { receive(&of_stdout, last).0 };
        let stderr = if also_in_time { stderr } else { receive(&of_stderr, last).0 };
        let status = match interrupted() {
            true => "stopped by the user".to_owned(),
            false => format!("stopped after {} s", limits.time.as_secs()),
        };
        return Ok(Done { success: false, stopped: true, status, stdout, stderr });
    };
    Ok(Done { success: status.success(), stopped: false, status: describe(status), stdout, stderr })
}

/// Starting a program fails for a moment if it is open for writing, here in a forking thread or in another process.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    const TRIES: u32 = 20;
    let mut tried = 0;
    loop {
        match command.spawn() {
            Err(e) if e.kind() == io::ErrorKind::ExecutableFileBusy && tried < TRIES => {
                tried += 1;
                thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

/// Reads a stream to its end in a separate thread: a full pipe would block the helper.
fn reader(stream: Option<impl Read + Send + 'static>, limit: usize) -> io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::Builder::new().spawn(move || {
        let mut kept = Vec::new();
        let mut dropped = 0_usize;
        let mut buffer = [0_u8; 16 << 10];
        let Some(mut stream) = stream else { return };
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    let room = limit.saturating_sub(kept.len()).min(n);
                    kept.extend_from_slice(&buffer[..room]);
                    dropped += n - room;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        if dropped > 0 {
            kept.extend_from_slice(format!("\n... {dropped} more bytes\n").as_bytes());
        }
        // Fails once the time is over.
        let _ = sender.send(kept);
    })?;
    Ok(receiver)
}

/// The stream's content, and whether it ended in time and before an interrupt.
fn receive(stream: &Receiver<Vec<u8>>, end: Instant) -> (Vec<u8>, bool) {
    loop {
        match stream.recv_timeout(end.saturating_duration_since(Instant::now()).min(LOOK)) {
            Ok(bytes) => return (bytes, true),
            Err(RecvTimeoutError::Disconnected) => return (Vec::new(), true),
            Err(RecvTimeoutError::Timeout) if Instant::now() < end && !interrupted() => {}
            Err(RecvTimeoutError::Timeout) => return (Vec::new(), false),
        }
    }
}

/// Waits for a child that closed its output, and is therefore nearly always about to exit.
pub(crate) fn wait(child: &mut Child, end: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end || interrupted() {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), ended_by_signal(status)) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "ended in an unknown way".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: Limits = Limits { time: Duration::from_secs(3600), bytes: 1 << 20 };

    fn sh(script: &str, limits: Limits) -> Done {
        run(Command::new("sh").args(["-c", script]), limits).unwrap()
    }

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let done = sh("echo a; echo b >&2; exit 3", PLENTY);
        assert_eq!((done.success, done.status.as_str(), done.text().as_str()), (false, "exit status 3", "a\nb\n"));
    }

    #[test]
    fn output_over_the_limit_is_dropped_and_said() {
        let done = sh("head -c 100000 /dev/zero", Limits { bytes: 10, ..PLENTY });
        assert_eq!(String::from_utf8_lossy(&done.stdout[10..]), "\n... 99990 more bytes\n");
    }

    #[test]
    fn what_a_helper_printed_before_it_was_stopped_is_kept() {
        // A busy machine may need longer than the first of these limits to start it.
        let of =
            |ms| sh("echo early; echo told >&2; sleep 600", Limits { time: Duration::from_millis(ms), bytes: 100 });
        let kept = [50, 1000, 60_000].into_iter().map(of).find(|done| done.text() == "early\ntold\n");
        assert!(kept.is_some_and(|done| !done.success));
    }

    #[test]
    fn a_helper_that_hangs_is_stopped() {
        let start = Instant::now();
        let done = sh("sleep 600", Limits { time: Duration::from_millis(100), bytes: 100 });
        assert!(!done.success && start.elapsed() < Duration::from_secs(300));
        let done = sh("exec >&- 2>&-; sleep 600", Limits { time: Duration::from_millis(100), bytes: 100 });
        assert!(!done.success && start.elapsed() < Duration::from_secs(300));
    }

    #[test]
    fn a_signal_has_its_number() {
        assert_eq!(sh("kill -9 $$", PLENTY).status, "killed by signal 9");
    }
}
