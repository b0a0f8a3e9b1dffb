//! What one of something costs on the machine of a run, in cycles, where `tare doctor --calibrate` has measured it.

use tare_model::Run;

/// Share of a miss that nothing hides: a core does other things meanwhile.
const SEEN: f64 = 0.5;

pub fn calibrated(run: &Run, metric: &str) -> Option<f64> {
    let costs = run.newest_environment().costs?;
    match metric {
        "instructions/mispredicted" | "counters/mispredicted" => Some(costs.mispredicted),
        "instructions/l1_misses" => Some(SEEN * costs.l1_miss),
        "instructions/last_level_misses" => Some(SEEN * costs.memory),
        "syscalls/made" => Some(costs.syscall),
        _ => None,
    }
}
