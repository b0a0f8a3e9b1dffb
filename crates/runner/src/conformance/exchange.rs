//! A dialogue with one process of the child: requests, deadlines and a log.

use super::launch::spec;
use super::script::{Expected, Start};
use super::trouble::{fits, Trouble};
use super::ExchangeLine;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tare_process::{poll_any, signal_name, Child, Exit, ExitStatusKind, Received, Tick, Wait};
use tare_protocol::{decode, Reply};

/// Most lines kept in the log.
const LINES_KEPT: usize = 8;
/// Characters kept of each line.
const CHARS_KEPT: usize = 160;
/// Output limit of a child, in bytes.
const OUTPUT_BYTES_MAX: u64 = 256 << 20;
const LIST_LINES_MAX: usize = 1_000_000;
/// Factor by which the first reply may take longer: a virtual machine starts slowly on a busy machine.
const START_FACTOR: u32 = 2;
/// How long processes of a child may outlive it.
const STRAY_GRACE: Duration = Duration::from_millis(300);
/// How long to watch for a second reply before the next request.
const SECOND_REPLY: Duration = Duration::from_millis(2);
/// How long to wait for a reply that may follow an unsolicited line, and for the first line of a child that is known to write one: it has
/// to start first.
const OVERTAKEN: Duration = Duration::from_secs(5);
/// The same once a wait has shown that this child writes none.
const NOT_OVERTAKEN: Duration = Duration::from_millis(10);
const PAUSE: Duration = Duration::from_millis(10);
/// How often a silent child is checked.
const SLICE: Duration = Duration::from_millis(if cfg!(test) { 10 } else { 1000 });

/// Longest time of an iteration of a few invocations, with its two clock probes, on a busy machine.
const ITERATION: Duration = Duration::from_micros(500);

/// Extra waiting time for a request: `measure workload 100000 1 0` is two seconds of work for a child with a core of its own.
fn work_of(request: &str) -> Duration {
    let mut words = request.split_whitespace();
    let iterations = (words.next() == Some("measure")).then(|| words.nth(1)).flatten();
    let number = |word: Option<&str>| word.and_then(|word| word.parse().ok()).unwrap_or(0u32);
    // Each window has a reading of the width probe, like an iteration's two clock probes.
    let (iterations, windows) = (number(iterations), number(words.nth(2)).max(1));
    ITERATION * iterations.saturating_mul(windows).min(100_000)
}

pub(super) struct Exchange {
    child: Child,
    /// Its part of the run folder.
    folder: Option<PathBuf>,
    pub(super) lines: Vec<ExchangeLine>,
    /// Longest wait for a reply or the exit.
    timeout: Duration,
    /// Extra time for the last request, if it asks for many iterations.
    work: Duration,
    /// A wait ran out of time: the child hangs.
    pub(super) timed_out: bool,
    /// A reply came, so the process has started.
    answered: bool,
    spoken: bool,
    /// The first request was `hello`, with no answer so far.
    first_hello: bool,
    /// Whether the child writes a line unasked, once any of its processes has shown it.
    pub(super) greets: Option<bool>,
}

/// The result of a wait.
enum Got {
    Line(Vec<u8>),
    End,
    Nothing,
}

impl Exchange {
    pub(super) fn start(
        command: &[String],
        (start, folder): (&Start, Option<&Path>),
        timeout: Duration,
        greets: Option<bool>,
    ) -> Result<Exchange, Trouble> {
        let child = Child::start(&spec(command, start, folder));
        let child = child.map_err(|error| Trouble::undecided(format!("the program could not be started: {error}")))?;
        let (work, lines) = (Duration::ZERO, Vec::new());
        Ok(Exchange {
            child,
            folder: folder.map(Path::to_owned),
            lines,
            timeout,
            work,
            timed_out: false,
            answered: false,
            spoken: false,
            first_hello: false,
            greets,
        })
    }

    fn note(&mut self, line: ExchangeLine) {
        if self.lines.len() == LINES_KEPT {
            self.lines.remove(0);
        }
        self.lines.push(line);
    }

    fn see(&mut self, what: impl Into<String>) {
        self.note(ExchangeLine::Seen(what.into()));
    }

    /// Sends raw bytes. If the child has gone, the wait for the reply notices.
    pub(super) fn send(&mut self, bytes: &str) -> Result<(), Trouble> {
        if !self.spoken {
            self.nothing_more()?;
            self.first_hello = bytes.starts_with("hello");
        }
        self.spoken = true;
        self.work = work_of(bytes);
        self.note(ExchangeLine::Sent(shorten(bytes.trim_end_matches('\n'))));
        if let Err(error) = self.child.send(bytes.as_bytes()) {
            self.see(format!("sending failed: {error}"));
        }
        Ok(())
    }

    /// Fails on an unsolicited line, before it is mistaken for the next reply.
    fn nothing_more(&mut self) -> Result<(), Trouble> {
        let greeting = !self.spoken && self.greets == Some(true);
        let time = if greeting { OVERTAKEN.min(self.timeout) } else { SECOND_REPLY };
        if poll_any(&mut [&mut self.child], time).is_none() {
            return Ok(());
        }
        match self.wait(Duration::ZERO)? {
            Got::Line(line) => {
                self.note(ExchangeLine::Received(shorten(&String::from_utf8_lossy(&line))));
                Err(match self.spoken {
                    true => Trouble::broken_rule(8, "more than one reply"),
                    false => self.greeting(),
                })
            }
            Got::End | Got::Nothing => Ok(()),
        }
    }

    pub(super) fn hang_up(&mut self) {
        self.child.hang_up();
        self.see("the host closed its end of the link");
    }

    fn wait(&mut self, timeout: Duration) -> Result<Got, Trouble> {
        let mut flood = 0;
        // The callback cannot inspect the child while it waits, so the wait is sliced.
        let begin = Instant::now();
        loop {
            let is_silent = self.tells_silence();
            let child = &mut self.child;
            let left = timeout.saturating_sub(begin.elapsed()).min(SLICE);
            let received = child.receive(&mut |tick: Tick| if tick.waited < left { Wait::Go } else { Wait::Stop });
            match received {
                Received::Line(line) => return Ok(Got::Line(line)),
                Received::End => return Ok(Got::End),
                Received::TooLong => return Err(Trouble::broken_rule(7, "a reply is longer than 16 MiB")),
                Received::Failed(error) => return Err(Trouble::undecided(format!("reading failed: {error}"))),
                Received::Stopped if tare_process::interrupted() => return Err(Trouble::undecided("interrupted")),
                Received::Stopped => flood = flood.max(child.output_bytes()),
            }
            if flood > OUTPUT_BYTES_MAX {
                return Err(Trouble::undecided(format!("the program printed {} MiB", flood >> 20)));
            }
            if is_silent || begin.elapsed() >= timeout {
                return Ok(Got::Nothing);
            }
        }
    }

    /// Children of the tests announce their silence, so that no test waits.
    fn tells_silence(&self) -> bool {
        cfg!(test) && self.folder.as_ref().is_some_and(|folder| folder.join("silent").exists())
    }

    pub(super) fn reply(&mut self) -> Result<Reply, Trouble> {
        // The first reply includes the start of the process.
        let start = if self.answered { Duration::ZERO } else { self.timeout * START_FACTOR };
        let timeout = self.timeout + start + self.work;
        match self.wait(timeout)? {
            Got::Line(line) => {
                self.answered = true;
                self.note(ExchangeLine::Received(shorten(&String::from_utf8_lossy(&line))));
                decode(&line).map_err(|error| {
                    let text = error.to_string();
                    let rule = [19, 23].into_iter().find(|rule| text.contains(&format!("R{rule}:"))).unwrap_or(7);
                    self.greeting_or(Trouble::broken_rule(rule, text))
                })
            }
            Got::End => {
                let partial = String::from_utf8_lossy(self.child.partial()).into_owned();
                let half = if partial.is_empty() { String::new() } else { format!(" after {:?}", shorten(&partial)) };
                let how = self.how_it_ended();
                Err(Trouble::broken_rule(8, format!("no reply: {how}{half}")))
            }
            Got::Nothing => {
                self.timed_out = true;
                let partial = String::from_utf8_lossy(self.child.partial()).into_owned();
                let seconds = timeout.as_secs_f64();
                if partial.is_empty() {
                    Err(Trouble::broken_rule(8, format!("no reply within {seconds} s")))
                } else {
                    let start = shorten(&partial);
                    Err(Trouble::broken_rule(7, format!("no line end within {seconds} s in the reply {start:?}")))
                }
            }
        }
    }

    /// If the answer to the first `hello` is wrong and another line follows, it was unsolicited. The result of the first long wait is
    /// remembered, so that a child which answers wrongly costs only one.
    fn greeting_or(&mut self, trouble: Trouble) -> Trouble {
        if !std::mem::take(&mut self.first_hello) {
            return trouble;
        }
        let time = if self.greets == Some(false) { NOT_OVERTAKEN } else { OVERTAKEN.min(self.timeout) };
        let followed = poll_any(&mut [&mut self.child], time).is_some();
        match followed && matches!(self.wait(Duration::ZERO), Ok(Got::Line(_))) {
            true => self.greeting(),
            false => {
                self.greets.get_or_insert(false);
                trouble
            }
        }
    }

    fn greeting(&mut self) -> Trouble {
        self.greets = Some(true);
        Trouble::broken_rule(5, "the child wrote a line without a request")
    }

    fn how_it_ended(&mut self) -> String {
        match self.child.wait_timeout(Duration::from_millis(500)) {
            Some(exit) => ended(&exit),
            None => "the child closed the link but is still running".to_owned(),
        }
    }

    pub(super) fn ask(&mut self, request: &str) -> Result<Reply, Trouble> {
        self.send(&format!("{request}\n"))?;
        let reply = self.reply()?;
        self.first_hello = false;
        self.nothing_more()?;
        Ok(reply)
    }

    /// The expected reply; for `list`, the last one.
    pub(super) fn expect(&mut self, expected: &Expected) -> Result<Vec<Reply>, Trouble> {
        let mut replies = Vec::new();
        loop {
            let reply = self.reply()?;
            let more = expected.kind == "list" && matches!(reply, Reply::Benchmark(_));
            if !more {
                fits(&reply, expected).map_err(|trouble| self.greeting_or(trouble))?;
            }
            replies.push(reply);
            if !more {
                self.first_hello = false;
                self.nothing_more()?;
                return Ok(replies);
            }
            if replies.len() > LIST_LINES_MAX {
                return Err(Trouble::broken("the list does not end"));
            }
        }
    }

    /// CPU time of the child so far, in ns; `None` if the system does not report it.
    pub(super) fn cpu_ns(&self) -> Option<u64> {
        self.child.cpu_ns()
    }

    pub(super) fn silent(&mut self, time: Duration) -> Result<(), Trouble> {
        match self.wait(time)? {
            Got::Nothing if self.child.partial().is_empty() => Ok(()),
            Got::Nothing => {
                let text = shorten(&String::from_utf8_lossy(self.child.partial()));
                Err(Trouble::broken(format!("the child wrote {text:?} without a request")))
            }
            Got::Line(line) => {
                self.note(ExchangeLine::Received(shorten(&String::from_utf8_lossy(&line))));
                Err(Trouble::broken("the child wrote a line without a request"))
            }
            Got::End => {
                let how = self.how_it_ended();
                Err(Trouble::undecided(format!("{how} without being asked")))
            }
        }
    }

    pub(super) fn exit(&mut self, code: Option<i32>) -> Result<(), Trouble> {
        let begin = Instant::now();
        let exit = loop {
            let is_silent = self.tells_silence();
            if let Some(exit) = self.child.wait_timeout(Duration::from_millis(200)) {
                break exit;
            }
            if code.is_some() && matches!(self.wait(Duration::ZERO), Ok(Got::Line(_))) {
                return Err(Trouble::broken("the child replied instead of ending"));
            }
            if tare_process::interrupted() {
                return Err(Trouble::undecided("interrupted"));
            }
            if is_silent || begin.elapsed() >= self.timeout || self.child.output_bytes() > OUTPUT_BYTES_MAX {
                self.timed_out = true;
                return Err(Trouble::broken(format!(
                    "the process is still running after {:.1} s",
                    begin.elapsed().as_secs_f64()
                )));
            }
        };
        self.see(ended(&exit));
        match (code, exit.status) {
            (None, _) => Ok(()),
            (Some(code), ExitStatusKind::Code(got)) if code == got => Ok(()),
            (Some(code), _) => Err(Trouble::broken(format!("{}, not with status {code}", ended(&exit)))),
        }
    }

    pub(super) fn no_strays(&mut self) -> Result<(), Trouble> {
        let begin = Instant::now();
        loop {
            match self.child.strays() {
                0 => return Ok(()),
                count if begin.elapsed() >= STRAY_GRACE => {
                    self.child.kill_strays();
                    return Err(Trouble::broken(format!("processes still running after the child ended: {count}")));
                }
                _ => std::thread::sleep(PAUSE),
            }
        }
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&self.child.output_tail(64 << 10)).into_owned()
    }

    pub(super) fn no_frames_printed(&mut self) -> Result<(), Trouble> {
        let printed = self.printed();
        let is_frame = |line: &&str| decode(line.trim().as_bytes()).is_ok();
        match printed.lines().find(is_frame) {
            None => Ok(()),
            Some(line) => {
                self.see(format!("printed: {}", shorten(line)));
                Err(Trouble::broken_rule(3, "a frame was written to standard output or error"))
            }
        }
    }

    pub(super) fn printed_lines(&mut self, want: usize) -> Result<(), Trouble> {
        let printed = self.printed();
        let count = printed.lines().count();
        if count == want {
            return Ok(());
        }
        self.see(format!("printed: {}", shorten(&printed)));
        Err(Trouble::broken(format!("{count} lines were printed, not {want}")))
    }

    pub(super) fn note_output(&mut self) {
        if let Some(line) = self.printed().lines().rev().find(|line| !line.trim().is_empty()) {
            self.see(format!("the last line it printed: {}", shorten(line)));
        }
    }

    /// Ends the process, including descendants that left its group.
    pub(super) fn finish(mut self) {
        self.child.kill();
        self.child.kill_strays();
    }
}

fn ended(exit: &Exit) -> String {
    match exit.status {
        ExitStatusKind::Code(code) => format!("the child exited with status {code}"),
        ExitStatusKind::Signal(signal) => format!("the child was killed by {}", signal_name(signal)),
    }
}

fn shorten(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(CHARS_KEPT).collect();
    if characters.next().is_some() {
        format!("{start}... ({} bytes)", text.len())
    } else {
        start
    }
}

#[cfg(test)]
mod tests {
    use super::{work_of, Duration};

    #[test]
    fn many_iterations_have_time() {
        assert_eq!(work_of("measure overhead 100000 1 0\n"), Duration::from_secs(50));
        assert_eq!(work_of("measure workload 99999999 1 0\n"), Duration::from_secs(50));
        assert_eq!(work_of("measure overhead 100 1 0 1000\n"), Duration::from_secs(50));
        for other in ["measure\n", "measure workload x 1 0\n", "open 7 100000\n", "list\n", ""] {
            assert_eq!(work_of(other), Duration::ZERO, "{other}");
        }
    }
}
