//! `--attach`: the pass of a diagnoser waits for the user, so that another profiler can look at the process.

use crate::console::Console;
use std::io::{self, BufRead};
use tare_diagnose::{Diagnoser, Findings, Missing, Signal, Subject, Tools, Work};
use tare_model::{Artifact, ChildFindings, Failure, Lack, LaunchChange};

/// A diagnoser whose pass waits for Enter before and after its iterations.
pub struct Attach {
    inner: Box<dyn Diagnoser>,
    console: Console,
    pid: u32,
}

impl Attach {
    /// Around a diagnoser.
    pub fn around(inner: Box<dyn Diagnoser>, console: &Console) -> Box<dyn Diagnoser> {
        Box::new(Attach { inner, console: console.clone(), pid: 0 })
    }

    /// Waits for a line; none comes where nobody is there to write it.
    fn wait(&self, what: &str) {
        self.console.prompt(what);
        let _ = io::stdin().lock().read_line(&mut String::new());
    }
}

impl Diagnoser for Attach {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        self.inner.prepare(tools)
    }

    fn listing(&self) -> LaunchChange {
        self.inner.listing()
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        self.inner.lacks(program)
    }

    fn work(&self) -> Work {
        self.inner.work()
    }

    fn work_on(&self, program: &Artifact) -> Work {
        self.inner.work_on(program)
    }

    fn invocations_max(&self, program: &Artifact) -> u64 {
        self.inner.invocations_max(program)
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        self.inner.begin(subject)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match signal {
            Signal::Started { pid } => self.pid = *pid,
            Signal::Opened { .. } => {
                let pid = self.pid;
                self.wait(&format!("\nprocess {pid} waits: attach (`perf record -g -p {pid}`), then press Enter "));
            }
            _ => {}
        }
        self.inner.signal(signal)?;
        if *signal == Signal::Measured {
            self.wait(&format!("process {} has run and still lives: press Enter to end it ", self.pid));
        }
        Ok(())
    }

    fn told(&mut self, found: ChildFindings) {
        self.inner.told(found);
    }

    fn findings(&mut self) -> Result<Findings, String> {
        self.inner.findings()
    }

    fn explain(&self, failure: &Failure) -> Option<String> {
        self.inner.explain(failure)
    }

    fn end(&mut self) {
        self.inner.end();
    }
}
