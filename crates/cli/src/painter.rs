//! Shows progress on stderr. It paints only on events, and the runner sends none while an iteration is measured: a spinner would take a
//! core from the measurement and wake the other children.

use crate::console::Console;
use crate::progress::{at_most, longer, Progress};
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tare_build::toolchain::BuildEvent;
use tare_model::{Event, Job, Plan, Run};
use tare_report::{clean, cut_middle, Line, Role, Volume};

/// At most ten updates per second.
const PAUSE: Duration = Duration::from_millis(100);

/// The status line on a terminal, or elsewhere one line per finished thing.
pub struct Painter<'a> {
    console: &'a Console,
    progress: Progress,
    start: Instant,
    painted: Option<Instant>,
    dirty: bool,
}

impl<'a> Painter<'a> {
    pub fn new(console: &'a Console) -> Painter<'a> {
        Painter { console, progress: Progress::default(), start: Instant::now(), painted: None, dirty: false }
    }

    fn silent(&self) -> bool {
        self.console.volume == Volume::Quiet
    }

    pub fn build(&mut self, event: &BuildEvent) {
        match event {
            BuildEvent::Started { target, .. } => self.status(&format!("building {}", clean(target))),
            BuildEvent::Finished { target, seconds, cached: false } => {
                self.line(&format!("built {} in {seconds:.1} s", clean(target)));
            }
            BuildEvent::Finished { .. } | BuildEvent::Failed { .. } | BuildEvent::Skipped { .. } => self.clear(),
            BuildEvent::Warned { target, text } => {
                self.clear();
                self.console.warn(&format!("{}: {}", clean(target), text.trim_end()));
            }
        }
    }

    pub fn list(&mut self, program: &str) {
        self.status(&format!("listing {}", clean(program)));
    }

    pub fn begin(&mut self, plan: &Plan, jobs: &[Job]) {
        self.progress = Progress::new(plan, jobs);
        self.start = Instant::now();
    }

    pub fn say_at_most(&mut self, plan: &Plan) {
        if let Some(text) = at_most(plan) {
            self.line(&text);
        }
    }

    pub fn resume(&mut self, run: &Run) {
        self.begin(&run.plan, &run.jobs);
        self.progress.resumed(run);
    }

    pub fn event(&mut self, event: &Event) {
        let ended = self.progress.on(event, self.console.glyphs);
        if let (Some(text), false) = (ended, self.console.paints) {
            self.line(&text);
        }
        if let Event::Expected { total_s } = event {
            self.line(&longer(*total_s));
        }
        if self.console.paints && self.painted.is_none_or(|at| at.elapsed() >= PAUSE) {
            let line = self.progress.line(self.start.elapsed(), self.console.columns_err(), self.console.glyphs);
            if !line.is_empty() {
                self.status(&line);
            }
        }
    }

    /// At the end of a run, reports cases that had no line of their own.
    pub fn end(&mut self) {
        let untold = self.progress.untold();
        if !self.console.paints {
            untold.iter().for_each(|text| self.line(text));
        }
    }

    pub fn clear(&mut self) {
        if self.dirty {
            self.dirty = false;
            let _ = io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }

    pub fn wait(&mut self, text: &str) {
        if self.painted.is_none_or(|at| at.elapsed() >= PAUSE) {
            self.status(text);
        }
    }

    pub fn tell(&mut self, text: &str) {
        self.line(text);
    }

    fn status(&mut self, text: &str) {
        if self.silent() || !self.console.paints {
            return;
        }
        let text = cut_middle(
            &self.console.glyphs.of(text),
            self.console.columns_err().saturating_sub(1),
            self.console.glyphs,
        );
        // A single write, so that the line is never shown half.
        let _ = io::stderr().lock().write_all(format!("\r\x1b[K{text}").as_bytes());
        self.painted = Some(Instant::now());
        self.dirty = true;
    }

    fn line(&mut self, text: &str) {
        self.clear();
        if !self.silent() {
            self.console.say(&[Line::of(Role::Quiet, text)]);
        }
    }
}

impl Drop for Painter<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}
