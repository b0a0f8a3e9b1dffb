//! Other users of the processors.

use super::{percent, Check, CoreUsed, Situation, WatchedCore, CPUS};
use crate::environment::tree::list;
use tare_model::text::plural;
use tare_process::CoreReading;
use tare_stats::{alone_windows, unshared_level};

/// Results suffer from this share of time in which something waits for a CPU.
const PRESSURE: f64 = 0.05;
/// Results suffer if others keep this share of all processors busy.
const BUSY: f64 = 0.2;
/// Results suffer from this share of stolen time.
const STEAL: f64 = 0.005;
/// A sibling busier than this slows its core.
const SIBLING: f64 = 0.1;
/// Results suffer below this share of time without a neighbour on the core.
const ALONE: f64 = 0.9;
/// Fewest windows for a statement about a processor.
const WINDOWS_MIN: usize = 20;
/// Most processors listed one by one.
const LISTED: usize = 4;
const WHO: &str = "ps -eo pcpu,pid,comm --sort=-pcpu | head";

pub(super) fn load(seen: &Situation) -> Check {
    let busy: Vec<f64> = seen.now.processors.keys().filter_map(|&cpu| seen.before.busy(seen.now, cpu)).collect();
    let busy = (!busy.is_empty()).then(|| busy.iter().sum::<f64>() / busy.len() as f64);
    let (_, pressure) = seen.shares();
    let mut facts = Vec::new();
    facts.extend(
        pressure.map(|p| format!("tasks waited for a CPU {} of the time, over {:.1} s", percent(p), seen.elapsed_s)),
    );
    facts.extend(busy.map(|b| format!("processors {} busy", percent(b))));
    if let Some(load) = seen.environment.load_1min {
        facts.push(format!("load {load:.2} on {}", plural(seen.environment.processors, "processor")));
    }
    let evidence = facts.join(", ");
    match (pressure, busy) {
        (None, None) => Check::not_visible("load", "neither `/proc/pressure/cpu` nor `/proc/stat` can be read"),
        (pressure, busy) if pressure.is_some_and(|p| p > PRESSURE) || busy.is_some_and(|b| b > BUSY) => {
            Check::warning("load", evidence).fix(WHO)
        }
        _ => Check::good("load", evidence),
    }
}

pub(super) fn steal(seen: &Situation) -> Check {
    let since_boot = seen.now.noise.ticks.map(|(_, stolen)| stolen);
    match (seen.shares().0, since_boot) {
        (Some(share), _) if share > STEAL => Check::warning(
            "steal",
            format!("the hypervisor took {} of the time, over {:.1} s", percent(share), seen.elapsed_s),
        ),
        // Many hypervisors never count steal time, so zero in a virtual machine proves nothing.
        (Some(_), Some(0)) if seen.environment.virtual_machine != Some(false) => {
            Check::not_visible("steal", "always 0: the hypervisor may not report it")
        }
        (Some(share), _) => {
            Check::good("steal", format!("{} of the time, over {:.1} s", percent(share), seen.elapsed_s))
        }
        (None, _) => Check::not_visible("steal", "`/proc/stat` does not report it"),
    }
}

pub(super) fn hypervisor(seen: &Situation) -> Check {
    match seen.environment.virtual_machine {
        Some(true) => {
            Check::warning("hypervisor", "a virtual machine: other users of its cores are only visible in the times")
        }
        Some(false) => Check::good("hypervisor", "none"),
        None => Check::not_visible("hypervisor", "neither the processor nor the firmware reports it"),
    }
}

/// Checks for work on the other hardware threads of the cores, given processors that were watched for `elapsed_s` each.
pub(super) fn core_sharing(watched: &[WatchedCore], elapsed_s: f64) -> Check {
    const CODE: &str = "core-sharing";
    let undisturbed = |w: &WatchedCore| -> Vec<f64> {
        w.readings.iter().filter(|r| r.undisturbed).map(|r| r.cycles_per_addition).collect()
    };
    // One level for all: processors are of one kind, and one of them may be shared all the time.
    let level = watched.iter().filter_map(|w| unshared_level(&undisturbed(w))).reduce(f64::min);
    let Some(level) = level else {
        return Check::not_visible(CODE, "no processor could be observed for long enough");
    };
    let cores: Vec<CoreUsed> = watched.iter().filter_map(|w| core_used(w, level)).collect();
    let by_share = |a: &&CoreUsed, b: &&CoreUsed| a.alone_share.total_cmp(&b.alone_share);
    let (Some(worst), Some(best)) = (cores.iter().min_by(by_share), cores.iter().max_by(by_share)) else {
        return Check::not_visible(CODE, "other programs kept all processors busy");
    };
    let at = |core: &CoreUsed| format!("{} on processor {}", percent(1.0 - core.alone_share), core.processor);
    let list = match &cores[..] {
        few if few.len() <= LISTED => few.iter().map(at).collect::<Vec<_>>().join(", "),
        many => format!("{} to {} of {} processors", at(best), at(worst), many.len()),
    };
    let evidence = format!("core time used by others: {list} (checked for {elapsed_s:.1} s each)");
    // No advice to use another processor: which one is shared least changes within seconds.
    let check = match worst.alone_share >= ALONE {
        true => Check::good(CODE, evidence),
        false => Check::warning(CODE, format!("{evidence}: ordinary code then takes 1.0 to 1.9 times as long")),
    };
    Check { cores, ..check }
}

/// Evaluates the readings on a processor, given the level of an unshared core; None if something else ran there most of the time.
fn core_used(watched: &WatchedCore, level: f64) -> Option<CoreUsed> {
    // After something else ran, a reading is invalid, and the windows around it are unknown.
    let reading = |r: &CoreReading| if r.undisturbed { r.cycles_per_addition } else { f64::NAN };
    let readings: Vec<f64> = watched.readings.iter().map(reading).collect();
    // Windows between two readings: the first and last have only one.
    let windows = alone_windows(&readings, level).into_iter().skip(1);
    let known = windows.zip(readings.windows(4)).filter(|(_, around)| around.iter().all(|cycles| !cycles.is_nan()));
    let seen: Vec<bool> = known.map(|(alone, _)| alone).collect();
    let alone_share = seen.iter().filter(|alone| **alone).count() as f64 / seen.len() as f64;
    (seen.len() >= WINDOWS_MIN).then_some(CoreUsed { processor: watched.processor, alone_share })
}

pub(super) fn quota(seen: &Situation) -> Check {
    let periods = seen.now.throttled.filter(|n| *n > 0);
    let now = seen.before.throttled.zip(seen.now.throttled).map_or(0, |(before, now)| now.saturating_sub(before));
    let stopped = match (periods, now) {
        (Some(n), 0) => format!(", throttled in {} since it started", plural(n, "period")),
        (Some(_), n) => format!(", throttled in {} of the last {:.1} s", plural(n, "period"), seen.elapsed_s),
        (None, _) => String::new(),
    };
    match seen.environment.cpu_quota {
        Some(quota) => Check::warning("cpu-quota", format!("limited to {quota:.2} processors{stopped}")),
        None if now > 0 => Check::warning("cpu-quota", format!("a limit of unknown size{stopped}")),
        None if seen.now.throttled.is_none() => {
            Check::not_visible("cpu-quota", "the control groups cannot be read: see `docker inspect`")
        }
        None => Check::good("cpu-quota", format!("none{stopped}")),
    }
}

pub(super) fn siblings(seen: &Situation) -> Check {
    let cores = seen
        .now
        .processors
        .keys()
        .filter_map(|cpu| Some(list(&seen.tree.text(&format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list"))?)));
    let shared: Vec<u32> = cores.filter(|core| core.len() > 1).flatten().collect();
    let busy = |cpu: &u32| seen.before.busy(seen.now, *cpu).map(|share| (*cpu, share));
    let busiest = shared.iter().filter_map(busy).max_by(|a, b| a.1.total_cmp(&b.1));
    match (seen.environment.smt, busiest) {
        (Some(true), Some((cpu, share))) if share > SIBLING => {
            Check::warning("smt", format!("threads share a core, and processor {cpu} is {} busy", percent(share)))
                .fix(SMT_OFF)
        }
        (Some(true), _) => Check::warning("smt", "threads share a core; the siblings are idle now").fix(SMT_OFF),
        (Some(false), _) if seen.environment.virtual_machine == Some(true) => {
            Check::not_visible("smt", "each processor appears to be a separate core, as usual in a virtual machine")
        }
        (Some(false), _) => Check::good("smt", "no threads share a core"),
        (None, _) => Check::not_visible("smt", "the topology of the processors cannot be read"),
    }
}

const SMT_OFF: &str = "echo off | sudo tee /sys/devices/system/cpu/smt/control";

/// Isolated processors; usually there are none, which is fine.
pub(super) fn isolation(seen: &Situation) -> Check {
    // The file is empty if none is isolated, which `text` would report as missing.
    let read = |name: &str| std::fs::read_to_string(seen.tree.path(&format!("{CPUS}/{name}"))).ok();
    let Some(isolated) = read("isolated") else {
        return Check::not_visible("isolation", format!("`/{CPUS}/isolated` cannot be read"));
    };
    let isolated = isolated.trim().to_owned();
    let quiet = read("nohz_full").map(|t| t.trim().to_owned()).filter(|t| !list(t).is_empty());
    let ticks = quiet.map_or_else(|| "with timer ticks".to_owned(), |cpus| format!("without timer ticks on {cpus}"));
    if isolated.is_empty() {
        return Check::good("isolation", "no processor is isolated");
    }
    Check::good("isolation", format!("processors {isolated} are isolated, {ticks}"))
        .fix(format!("taskset --cpu-list {isolated} tare run"))
}
