//! The context in which this process was started.

use super::{Check, Situation};
use crate::environment::tree::field;

/// A debugger attached to this process also sees its children.
pub(super) fn debugger(seen: &Situation) -> Check {
    let status = seen.tree.text("proc/self/status").unwrap_or_default();
    match field(&status, "TracerPid", ':').and_then(|pid| pid.parse::<u32>().ok()) {
        None => Check::not_visible("debugger", "`/proc/self/status` does not report it"),
        Some(0) => Check::good("debugger", "none attached"),
        Some(pid) => Check::warning("debugger", format!("process {pid} traces this one: start `tare` without it"))
            .fix(format!("ps -p {pid} -o pid,comm,args")),
    }
}

/// Hardware counters do not improve results, so their absence is never a warning.
pub(super) fn counters(seen: &Situation) -> Check {
    match seen.tree.number::<i32>("proc/sys/kernel/perf_event_paranoid") {
        None => Check::not_visible("perf-events", "the kernel has none"),
        Some(level) if level > 2 => {
            Check::not_visible("perf-events", format!("perf_event_paranoid is {level}: users cannot read counters"))
                .fix("sudo sysctl kernel.perf_event_paranoid=2")
        }
        Some(level) => Check::good("perf-events", format!("perf_event_paranoid is {level}")),
    }
}
