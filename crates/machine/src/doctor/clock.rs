//! The clock used for times.

use super::{Check, Situation};

const FOLDER: &str = "sys/devices/system/clocksource/clocksource0";

/// Clocks that are a core register.
const REGISTERS: [&str; 2] = ["tsc", "arch_sys_counter"];

pub(super) fn source(seen: &Situation) -> Check {
    let Some(source) = seen.environment.clock_source.as_deref() else {
        return Check::not_visible("clock-source", format!("`/{FOLDER}` cannot be read"));
    };
    if REGISTERS.contains(&source) {
        return Check::good("clock-source", format!("`{source}`"));
    }
    let check = Check::warning("clock-source", format!("`{source}` instead of a CPU register"));
    let others = seen.tree.text(&format!("{FOLDER}/available_clocksource")).unwrap_or_default();
    match REGISTERS.into_iter().find(|r| others.split_whitespace().any(|other| other == *r)) {
        Some(register) => check.fix(format!("echo {register} | sudo tee /{FOLDER}/current_clocksource")),
        None => check,
    }
}
