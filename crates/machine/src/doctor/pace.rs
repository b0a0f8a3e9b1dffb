//! Clock rates of the cores and their stability.

use super::counters::numbered;
use super::{Check, Situation, CPUS};
use std::collections::BTreeSet;
use tare_model::text::plural;

fn hidden(seen: &Situation) -> &'static str {
    if seen.environment.virtual_machine == Some(true) {
        "set by the hypervisor"
    } else {
        "there is no `cpufreq` in /sys"
    }
}

fn values(seen: &Situation, file: &str) -> BTreeSet<String> {
    let of = |cpu: &String| seen.tree.text(&format!("{CPUS}/{cpu}/cpufreq/{file}"));
    numbered(seen.tree).iter().filter_map(of).collect()
}

pub(super) fn governor(seen: &Situation) -> Check {
    let governors = values(seen, "scaling_governor");
    if governors.is_empty() {
        return Check::not_visible("governor", hidden(seen));
    }
    let names = governors.iter().map(|g| format!("`{g}`")).collect::<Vec<_>>().join(", ");
    if governors.len() == 1 && governors.contains("performance") {
        return Check::good("governor", names);
    }
    Check::warning("governor", format!("{names} instead of `performance`"))
        .fix("sudo cpupower frequency-set --governor performance")
}

pub(super) fn frequency(seen: &Situation) -> Check {
    let bound = |file: &str| -> Vec<u64> { values(seen, file).iter().filter_map(|v| v.parse().ok()).collect() };
    let lowest = bound("scaling_min_freq").into_iter().min();
    let highest = bound("scaling_max_freq").into_iter().max();
    match lowest.zip(highest) {
        None => Check::not_visible("frequency", hidden(seen)),
        Some((low, high)) if low == high => Check::good("frequency", format!("fixed at {} MHz", low / 1000)),
        Some((low, high)) => Check::warning("frequency", format!("varies from {} to {} MHz", low / 1000, high / 1000))
            .fix(format!("sudo cpupower frequency-set --min {high}kHz")),
    }
}

/// Turbo: speed that lasts while the core is cool.
pub(super) fn turbo(seen: &Situation) -> Check {
    match seen.environment.turbo {
        None => Check::not_visible("turbo", hidden(seen)),
        Some(false) => Check::good("turbo", "off"),
        Some(true) => {
            let intel = seen.tree.text(&format!("{CPUS}/intel_pstate/no_turbo")).is_some();
            let (value, file) = if intel { (1, "intel_pstate/no_turbo") } else { (0, "cpufreq/boost") };
            Check::warning("turbo", "on: the clock depends on heat and on the load of other cores")
                .fix(format!("echo {value} | sudo tee /{CPUS}/{file}"))
        }
    }
}

pub(super) fn throttling(seen: &Situation) -> Check {
    let Some(count) = seen.now.thermal else {
        return Check::not_visible("thermal-throttling", "not reported here");
    };
    let now = seen.before.thermal.map_or(0, |before| count.saturating_sub(before));
    match (now, count) {
        (0, 0) => Check::good("thermal-throttling", "never since boot"),
        (0, n) => Check::warning("thermal-throttling", format!("{} since boot, not now", plural(n, "time"))),
        (now, _) => Check::warning("thermal-throttling", format!("{} in {:.1} s", plural(now, "time"), seen.elapsed_s)),
    }
}

pub(super) fn battery(seen: &Situation) -> Check {
    let folder = "sys/class/power_supply";
    if !seen.tree.path(folder).is_dir() {
        return Check::not_visible("battery", format!("`/{folder}` cannot be read"));
    }
    let supplies = seen.tree.names(folder);
    let file = |supply: &String, name: &str| seen.tree.text(&format!("{folder}/{supply}/{name}")).unwrap_or_default();
    // Includes the battery of a mouse, whose scope is a device.
    let own: Vec<&String> = supplies.iter().filter(|s| file(s, "scope") != "Device").collect();
    let batteries: Vec<&&String> = own.iter().filter(|s| file(s, "type") == "Battery").collect();
    match batteries.iter().find(|s| file(s, "status") == "Discharging") {
        Some(name) => Check::warning("battery", format!("running on battery `{name}`: plug the machine in")),
        None if batteries.is_empty() => Check::good("battery", "none"),
        None => Check::good("battery", "not in use"),
    }
}
