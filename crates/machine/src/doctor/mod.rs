//! What makes this machine unfit to measure on: each check with what was seen and the command that fixes it.
//!
//! A check is a value; it asks nothing and changes nothing. What cannot be seen is [`State::NotVisible`], never good: a
//! container and a virtual machine hide most of what matters.

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

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Good,
    Warning,
    /// Nothing can be said: the file is not there, or the hypervisor hides it.
    NotVisible,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Stable name for programs, which the screen shows too.
    pub code: &'static str,
    pub state: State,
    pub evidence: String,
    /// The exact command that fixes it, where there is one.
    pub fix: Option<String>,
    /// Who used the cores, one for each processor that was watched; of the check `core-sharing`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreUsed>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoreUsed {
    pub processor: u32,
    /// Share of the windows in which nobody else used the core, 0 to 1.
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
    /// Counters are watched for so long: a neighbour that is busy half of the time shows, and nobody waits.
    counters: Duration,
    /// Each processor is watched for so long for a neighbour on its core ...
    core: Duration,
    /// ... and all of them together for no longer than this.
    cores: Duration,
}

impl WatchTimes {
    /// Half a second, and a second for each processor: a neighbour's share of the core wanders within a second.
    pub const USUAL: WatchTimes = WatchTimes {
        counters: Duration::from_millis(500),
        core: Duration::from_secs(1),
        cores: Duration::from_secs(4),
    };
    /// A tenth of it.
    pub const QUICK: WatchTimes = WatchTimes {
        counters: Duration::from_millis(50),
        core: Duration::from_millis(100),
        cores: Duration::from_millis(400),
    };
}

/// A processor and what was read on it, one reading after the other.
pub struct WatchedCore {
    pub processor: u32,
    pub readings: Vec<CoreReading>,
}

/// Looks at this machine: first this process sleeps, then it is busy on one processor after the other.
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

/// Watches the processors one after the other: two at once may be threads of one core.
fn watch_cores(look: WatchTimes) -> (Vec<WatchedCore>, Duration) {
    let processors = tare_process::allowed_processors();
    let each = look.core.min(look.cores / u32::try_from(processors.len().max(1)).unwrap_or(u32::MAX));
    let watch = |processor: u32| {
        let readings = tare_process::watch_core(processor, each).ok()?;
        Some(WatchedCore { processor, readings })
    };
    (processors.into_iter().filter_map(watch).collect(), each)
}

/// The checks of the `proc` and `sys` below `root`, where `before` was counted `elapsed_s` ago.
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
    /// Shares of the time that was watched: stolen, something waited for a CPU.
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
