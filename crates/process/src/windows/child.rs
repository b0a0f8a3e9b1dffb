//! Children are not started on Windows yet. There is no value of these types, so that nothing can be asked of one.

use crate::{Descendants, Exit, Finished, Received, Spec, StartError, Tick, Wait};
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::process::Command;
use std::time::Duration;

/// A child process; there is none on this system.
#[derive(Debug)]
pub struct Child(Infallible);

impl Child {
    /// Starts a process on other systems.
    ///
    /// # Errors
    /// Always.
    pub fn start(_spec: &Spec) -> Result<Child, StartError> {
        Err(StartError::NotOn { system: "Windows" })
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        match self.0 {}
    }

    /// Sends a line.
    ///
    /// # Errors
    /// There is none to send it to.
    pub fn send(&mut self, _line: &[u8]) -> io::Result<()> {
        match self.0 {}
    }

    /// Closes the host's end.
    pub fn hang_up(&mut self) {
        match self.0 {}
    }

    /// Waits for a line.
    pub fn receive(&mut self, _wait: &mut dyn FnMut(Tick) -> Wait) -> Received {
        match self.0 {}
    }

    /// What came of a line that is not finished.
    pub fn partial(&self) -> &[u8] {
        match self.0 {}
    }

    /// What is there to be read.
    pub fn unread(&mut self) -> &[u8] {
        match self.0 {}
    }

    /// Bytes that it has written to its outputs.
    pub fn output_bytes(&self) -> u64 {
        match self.0 {}
    }

    /// The last bytes of its outputs.
    pub fn output_tail(&self, _bytes: usize) -> Vec<u8> {
        match self.0 {}
    }

    /// Memory that it has resident, bytes.
    pub fn resident_bytes(&self) -> Option<u64> {
        match self.0 {}
    }

    /// Most memory that it had resident, bytes.
    pub fn peak_resident_bytes(&self) -> Option<u64> {
        match self.0 {}
    }

    /// CPU time that it has used, ns.
    pub fn cpu_ns(&self) -> Option<u64> {
        match self.0 {}
    }

    /// What the processes that it has started have used.
    pub fn descendants(&self) -> Option<Descendants> {
        match self.0 {}
    }

    /// How it ended, if it has.
    pub fn try_wait(&mut self) -> Option<Exit> {
        match self.0 {}
    }

    /// Waits for its end.
    pub fn wait_timeout(&mut self, _timeout: Duration) -> Option<Exit> {
        match self.0 {}
    }

    /// Ends it.
    pub fn kill(&mut self) -> Exit {
        match self.0 {}
    }

    /// Processes that it left behind.
    pub fn strays(&self) -> u32 {
        match self.0 {}
    }

    /// Ends the processes that it left behind.
    pub fn kill_strays(&self) -> u32 {
        match self.0 {}
    }
}

/// Waits for one of no children.
pub fn poll_any(_children: &mut [&mut Child], _timeout: Duration) -> Option<usize> {
    None
}

/// The link that this process was started with.
///
/// # Errors
/// When it was started with one: no host does that here.
pub fn child_link() -> io::Result<Option<(File, File)>> {
    match std::env::var_os("TARE_LINK") {
        None => Ok(None),
        Some(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "`TARE_LINK` has no form for Windows yet")),
    }
}

/// Takes the time of programs; there is none on this system.
#[derive(Debug)]
pub struct ProgramTimer(Infallible);

impl ProgramTimer {
    /// Makes it on other systems.
    ///
    /// # Errors
    /// Always.
    pub fn new() -> io::Result<ProgramTimer> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "Tare does not measure programs on Windows yet"))
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// There is none to run it.
    pub fn run(&self, _command: Command) -> io::Result<Finished> {
        match self.0 {}
    }
}
