//! `tare conformance CMD...`: plays the transcripts of `spec/conformance/` against a child and reports which rule of `spec/protocol.md` it
//! breaks. It tests every front end, including third-party ones.
//!
//! Each scene has its own process, so that one broken rule does not hide the others.

mod examine;
mod exchange;
mod launch;
mod player;
mod render;
mod results;
mod script;
mod shipped;
#[cfg(test)]
mod tests;
mod trouble;

pub use render::render;

use std::time::Duration;
use tare_model::{Benchmark, ChildFacts};

/// Number of the last rule of the protocol.
const RULES: u32 = 27;

/// Time limits and scope.
#[derive(Debug, Clone)]
pub struct Options {
    /// Longest wait for one reply or an exit.
    pub step_timeout: Duration,
    /// Longest wait for all scenes of a child that hangs; the remaining scenes are undecided.
    pub total_timeout: Duration,
    /// Include scenes that take seconds or compare clock times.
    pub long: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { step_timeout: Duration::from_secs(10), total_timeout: Duration::from_secs(300), long: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It cannot be observed from outside, or the child lacks the feature.
    NotApplicable,
    /// As specified.
    Pass,
    /// A SHOULD is not followed.
    Advice,
    /// Something else prevented the test.
    Undecided,
    Fail,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeLine {
    Sent(String),
    Received(String),
    /// Another observation.
    Seen(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneResult {
    /// The rule of the outcome: the scene's own, or another that was broken in it.
    pub rule: u32,
    pub title: String,
    /// Its location: `errors.txt:12`.
    pub place: String,
    pub outcome: Outcome,
    pub reason: String,
    /// The last lines that were exchanged; empty for a pass.
    pub lines: Vec<ExchangeLine>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ConformanceReport {
    pub command: Vec<String>,
    /// The answer to `hello`, if any.
    pub facts: Option<ChildFacts>,
    pub benchmarks: Vec<Benchmark>,
    /// Scenes in transcript order. If another rule is broken in a scene, that is a separate result.
    pub scenes: Vec<SceneResult>,
}

impl ConformanceReport {
    /// The worst outcome among a rule's scenes.
    pub fn outcome(&self, rule: u32) -> Outcome {
        let of_rule = self.scenes.iter().filter(|scene| scene.rule == rule);
        of_rule.map(|scene| scene.outcome).max().unwrap_or(Outcome::NotApplicable)
    }

    pub fn broken(&self) -> Vec<u32> {
        (1..=RULES).filter(|rule| self.outcome(*rule) == Outcome::Fail).collect()
    }

    /// No rule is broken or undecided.
    pub fn passed(&self) -> bool {
        (1..=RULES).all(|rule| self.outcome(rule) < Outcome::Undecided)
    }
}

/// Plays all transcripts against a program. Takes as long as the deadlines allow, and stops when the user interrupts.
pub fn run(command: &[String], options: &Options) -> ConformanceReport {
    player::Player::new(command, options).play(&script::scenes())
}

/// Title of a rule, as in `spec/protocol.md`.
fn rule_title(rule: u32) -> &'static str {
    match rule {
        1 => "without TARE_LINK the program runs on its own",
        2 => "TARE_LINK=fd:R,W names the descriptors",
        3 => "no frames on standard output and error",
        4 => "the end of the link ends the child",
        5 => "nothing is written without a request",
        6 => "a request is one line of at most 255 bytes",
        7 => "a reply is one line of JSON",
        8 => "every request gets exactly one reply",
        9 => "a request that is not known ends the child",
        10 => "the first request is hello",
        11 => "requests are answered in their states",
        12 => "failures of the user's code leave the right state",
        13 => "the list is unique and the same in every process",
        14 => "list runs no user code",
        15 => "exactly the requested invocations and set-ups run",
        16 => "nothing else runs between the clock reads",
        17 => "results go to a sink",
        18 => "overhead and rolled are the same loop",
        19 => "columns are complete",
        20 => "no process is left after bye",
        21 => "digests match the text",
        22 => "parameters take the given values",
        23 => "diagnosers run the requested invocations and return every metric",
        24 => "strategies are declared, and the body runs only when asked",
        25 => "operations that only the set-up or the body knows",
        26 => "the width probe does its work",
        27 => "set-up once per run happens in one process",
        _ => "",
    }
}
