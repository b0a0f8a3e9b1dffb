//! What makes this machine unfit for measurements: each check with evidence and the command that fixes it.
//!
//! A check is a value and changes nothing. A fact that cannot be seen is [`State::NotVisible`], never good: containers and virtual machines
//! hide most of them.

mod clock;
mod counters;
mod memory;
mod pace;
mod sharing;
mod surroundings;

#[cfg(test)]
mod tests;

pub use counters::Counters;

use crate::environment::tree::Tree;
use crate::environment::{read_from, Noise};
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};
use tare_model::Environment;
use tare_process::CoreReading;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Good,
    Warning,
    /// Unknown: the file does not exist, or the hypervisor hides it.
    NotVisible,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Stable name for programs, also shown on screen.
    pub code: &'static str,
    pub state: State,
    pub evidence: String,
    /// The exact command that fixes it, if any.
    pub fix: Option<String>,
    /// Use of each watched core, for the check `core-sharing`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreUsed>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoreUsed {
    pub processor: u32,
    /// Share of the windows in which the core was not shared, 0 to 1.
    pub alone_share: f64,
}

impl Check {
    pub fn new(code: &'static str, state: State, evidence: impl Into<String>) -> Check {
        Check { code, state, evidence: evidence.into(), fix: None, cores: Vec::new() }
    }

    fn good(code: &'static str, evidence: impl Into<String>) -> Check {
        Check::new(code, State::Good, evidence)
    }

    fn warning(code: &'static str, evidence: impl Into<String>) -> Check {
        Check::new(code, State::Warning, evidence)
    }

    fn not_visible(code: &'static str, evidence: impl Into<String>) -> Check {
        Check::new(code, State::NotVisible, evidence)
    }

    fn fix(self, command: impl Into<String>) -> Check {
        Check { fix: Some(command.into()), ..self }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct WatchTimes {
    /// How long to watch counters: long enough for a neighbour that is busy half of the time, short enough not to be a wait.
    counters: Duration,
    /// How long to watch each processor for a neighbour on its core ...
    core: Duration,
    /// ... and the limit for all processors together.
    cores: Duration,
}

impl WatchTimes {
    /// Half a second, and a second per processor: a neighbour's share of the core varies within a second.
    pub const USUAL: WatchTimes = WatchTimes {
        counters: Duration::from_millis(500),
        core: Duration::from_secs(1),
        cores: Duration::from_secs(4),
    };
    pub const QUICK: WatchTimes = WatchTimes {
        counters: Duration::from_millis(50),
        core: Duration::from_millis(100),
        cores: Duration::from_millis(400),
    };
}

pub struct WatchedCore {
    pub processor: u32,
    pub readings: Vec<CoreReading>,
}

/// Examines this machine: first while this process sleeps, then while it is busy on each processor in turn.
pub fn examine(look: WatchTimes) -> Vec<Check> {
    let root = Path::new("/");
    let (before, start) = (Counters::read_from(root), Instant::now());
    std::thread::sleep(look.counters);
    let mut checks = examine_from(root, &before, start.elapsed().as_secs_f64());
    let (watched, each) = watch_cores(look);
    let place = checks.iter().position(|c| c.code == "hypervisor").map_or(0, |place| place + 1);
    checks.insert(place, sharing::core_sharing(&watched, each.as_secs_f64()));
    checks
}

/// Watches one processor at a time, as two may be threads of one core.
fn watch_cores(look: WatchTimes) -> (Vec<WatchedCore>, Duration) {
    let processors = tare_process::allowed_processors();
    let each = look.core.min(look.cores / u32::try_from(processors.len().max(1)).unwrap_or(u32::MAX));
    let watch = |processor: u32| {
        let readings = tare_process::watch_core(processor, each).ok()?;
        Some(WatchedCore { processor, readings })
    };
    (processors.into_iter().filter_map(watch).collect(), each)
}

/// Runs the checks on the `proc` and `sys` below `root`; `before` was read `elapsed_s` ago.
pub fn examine_from(root: &Path, before: &Counters, elapsed_s: f64) -> Vec<Check> {
    let seen = Situation {
        tree: Tree { root },
        environment: read_from(root),
        before,
        now: &Counters::read_from(root),
        elapsed_s,
    };
    vec![
        sharing::load(&seen),
        sharing::steal(&seen),
        sharing::hypervisor(&seen),
        sharing::quota(&seen),
        sharing::siblings(&seen),
        sharing::isolation(&seen),
        pace::governor(&seen),
        pace::frequency(&seen),
        pace::turbo(&seen),
        pace::throttling(&seen),
        pace::battery(&seen),
        memory::swap(&seen),
        memory::huge_pages(&seen),
        memory::aslr(&seen),
        clock::source(&seen),
        surroundings::debugger(&seen),
        surroundings::counters(&seen),
    ]
}

struct Situation<'a> {
    tree: Tree<'a>,
    environment: Environment,
    before: &'a Counters,
    now: &'a Counters,
    elapsed_s: f64,
}

impl Situation<'_> {
    /// Shares of the watched time: stolen, and waiting for a CPU.
    fn shares(&self) -> (Option<f64>, Option<f64>) {
        Noise::until(&self.before.noise, &self.now.noise, self.elapsed_s)
    }
}

pub(crate) const CPUS: &str = "sys/devices/system/cpu";

/// `12 %`, `0.4 %`.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        p if p < 0.1 => "<0.1 %".to_owned(),
        p if p < 9.95 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}
