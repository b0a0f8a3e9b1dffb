//! The time that a run was given: what its earlier parts took counts, and what there is no time for is not begun.

use crate::session::Session;
use tare_model::{Run, RunStatus};

/// Rounds that a first wave has at least, however little time there is: fewer visits make no launch.
const ROUNDS_MIN: u32 = 5;

/// Time that a run took until it was cut off, ns. A part that was killed told no duration: then its last wave, whose children
/// started together and were asked one after the other, tells how long it ran at least.
pub(crate) fn spent_ns(run: &Run) -> f64 {
    let told_ns = run.elapsed_s * 1e9;
    if run.status != RunStatus::Open {
        return told_ns;
    }
    let last_ns = run.launches.iter().map(|l| l.start_ns).fold(0.0, f64::max);
    let last_wave = run.launches.iter().filter(|l| l.start_ns >= last_ns);
    let busy_ns: f64 = last_wave.flat_map(|l| &l.series).flat_map(|s| &s.columns.elapsed_ns).sum();
    told_ns.max(last_ns + busy_ns)
}

impl Session {
    /// The budget is spent.
    pub(crate) fn is_late(&self) -> bool {
        self.plan.policy.budget_s.is_some_and(|s| self.now_ns >= s * 1e9)
    }

    /// Whether there is time to begin this wave of a group.
    pub(crate) fn has_time_for(&self, wave: u32) -> bool {
        !self.is_late() || (wave == 0 && self.plan.policy.first_waves_always)
    }

    /// Rounds of a wave: fewer than `wanted` where a first wave would take more than its share of the time that is left,
    /// so that the others have theirs.
    pub(crate) fn rounds_in_time(&self, wanted: u32, round_ns: f64) -> u32 {
        let Some(wave) = &self.wave else { return wanted };
        let Some(budget_s) = self.plan.policy.budget_s else { return wanted };
        if wave.number > 0 || self.plan.policy.first_waves_always {
            return wanted;
        }
        let to_begin = 1 + self.queue.iter().filter(|(_, number)| *number == 0).count();
        let share_ns = (budget_s * 1e9 - self.now_ns).max(0.0) / to_begin as f64;
        ((share_ns / round_ns.max(1.0)) as u32).clamp(ROUNDS_MIN.min(wanted), wanted)
    }
}
