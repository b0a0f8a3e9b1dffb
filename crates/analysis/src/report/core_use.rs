//! Who used the core while a case, or a whole run, was measured.

use crate::core::CoreUse;
use crate::estimate::NetTime;
use crate::visits::CaseTimes;
use serde::Serialize;
use std::collections::BTreeSet;
use tare_model::{Run, WidthProbe};
use tare_stats::interval::Interval;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CoreReport {
    pub times: CoreUse,
    pub windows: u32,
    /// Share of them in which only the child used the core, 0 to 1.
    pub alone_share: f64,
    /// Time in shared windows over time in windows alone, within launches; `None` if either kind is too rare.
    pub slow_down: Option<f64>,
    /// Time of an operation in windows alone, ns; `None` if they are too rare, or the time cannot be distinguished from nothing.
    pub alone_ns: Option<f64>,
    /// Time of an operation in entirely shared windows, ns; `None` as above.
    pub shared_ns: Option<f64>,
}

/// Share of shared windows from which they matter: a tenth of them at 1.9 times the time makes a time 9 % too long.
const SHARED_MIN: f64 = 0.1;

/// Assumed slow-down of code in shared windows if unknown (`docs/concepts/neighbour.md`).
const SLOW_DOWN_MOST: f64 = 1.9;

impl CoreReport {
    pub fn is_shared_time(&self) -> bool {
        self.times == CoreUse::Any && self.shared_share() > SHARED_MIN
    }

    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }

    /// By what factor others may have lengthened the shown time: 1 for a time alone on the core.
    pub fn others_at_most(&self) -> f64 {
        match self.is_shared_time() {
            true => 1.0 + self.shared_share() * (self.slow_down.unwrap_or(SLOW_DOWN_MOST).max(1.0) - 1.0),
            false => 1.0,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoreSummary {
    pub windows: u64,
    /// Share of them in which only the child used the core, 0 to 1.
    pub alone_share: f64,
    /// Cycles per independent addition on an unshared core; `None` if each process has its own level.
    pub cycles_per_addition: Option<f64>,
    /// Its source: `machine profile` or `this run`.
    pub source: Option<String>,
    pub cases_alone: usize,
    pub cases_any: usize,
    /// Cases without windows: their children have no width probe, or an invocation is too long.
    pub cases_not_judged: usize,
}

impl CoreSummary {
    pub fn is_shared(&self) -> bool {
        self.shared_share() > SHARED_MIN
    }

    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }
}

pub(crate) fn core_summary(run: &Run, times: &[CaseTimes]) -> Option<CoreSummary> {
    let mut windows = 0;
    let mut alone = 0.0;
    for of_case in times.iter().filter_map(|t| t.windows) {
        windows += u64::from(of_case.judged);
        alone += f64::from(of_case.alone);
    }
    // A case without launches has no time, so it belongs to none of the three.
    let cases = |core: CoreUse| times.iter().filter(|t| t.core == core && !t.launches.is_empty()).count();
    let mut probes: BTreeSet<WidthProbe> =
        run.artifacts.iter().filter_map(|a| Some(a.child.as_ref()?.width_probe())).collect();
    probes.remove(&WidthProbe::None);
    // Of several, the native one, which belongs to the machine.
    let shown = probes.get(&WidthProbe::Native).or(probes.first().filter(|_| probes.len() == 1));
    let level = shown.and_then(|probe| run.newest_environment().core_width_by(probe));
    (windows > 0).then(|| CoreSummary {
        windows,
        alone_share: alone / windows as f64,
        cycles_per_addition: level.map(|width| width.cycles_per_addition),
        source: level.map(|width| width.source.clone()),
        cases_alone: cases(CoreUse::Alone),
        cases_any: cases(CoreUse::Any),
        cases_not_judged: cases(CoreUse::NotJudged),
    })
}

/// A time widened to what it might be without others on the core: a neighbour alone must not make it exceed a limit.
pub(crate) fn without_others(time: &NetTime, core: &CoreReport) -> NetTime {
    match time {
        NetTime::Resolved { value_ns, interval: Some(interval) } => NetTime::Resolved {
            value_ns: *value_ns,
            interval: Some(Interval { lower: interval.lower / core.others_at_most(), upper: interval.upper }),
        },
        other => other.clone(),
    }
}
