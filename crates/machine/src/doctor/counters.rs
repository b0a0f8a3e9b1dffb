//! Kernel counters; the checks compare two moments.

use super::CPUS;
use crate::environment::tree::{field, Tree};
use crate::environment::Noise;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counters {
    pub(super) noise: Noise,
    /// Ticks of each processor: total and busy.
    pub(super) processors: BTreeMap<u32, (u64, u64)>,
    /// Thermal throttling events of a core or its package since boot, the maximum over processors.
    pub(super) thermal: Option<u64>,
    /// Periods in which the control group exhausted its quota.
    pub(super) throttled: Option<u64>,
}

impl Counters {
    pub fn read_from(root: &Path) -> Counters {
        let tree = Tree { root };
        Counters {
            noise: Noise::read_from(root),
            processors: processors(&tree.text("proc/stat").unwrap_or_default()),
            thermal: thermal(tree),
            throttled: throttled(tree),
        }
    }

    /// Share of the time until `later` in which a processor was busy, 0 to 1.
    pub(super) fn busy(&self, later: &Counters, processor: u32) -> Option<f64> {
        let (all, busy) = self.processors.get(&processor)?;
        let (later_all, later_busy) = later.processors.get(&processor)?;
        let all = later_all.checked_sub(*all).filter(|ticks| *ticks > 0)?;
        Some((later_busy.checked_sub(*busy)? as f64 / all as f64).clamp(0.0, 1.0))
    }
}

fn processors(stat: &str) -> BTreeMap<u32, (u64, u64)> {
    let one = |line: &str| {
        let (name, ticks) = line.strip_prefix("cpu")?.split_once(' ')?;
        let ticks: Vec<u64> = ticks.split_whitespace().map_while(|n| n.parse().ok()).take(8).collect();
        let all = ticks.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
        // user nice system idle iowait irq softirq steal
        let idle = ticks.get(3)?.saturating_add(*ticks.get(4)?);
        Some((name.parse().ok()?, (all, all.saturating_sub(idle))))
    };
    stat.lines().filter_map(one).collect()
}

fn thermal(tree: Tree) -> Option<u64> {
    let count = |cpu: &String, name: &str| tree.number::<u64>(&format!("{CPUS}/{cpu}/thermal_throttle/{name}"));
    let of = |cpu: &String| count(cpu, "core_throttle_count").max(count(cpu, "package_throttle_count"));
    numbered(tree).iter().filter_map(of).max()
}

/// The folders `cpu0`, `cpu1`, ...
pub(super) fn numbered(tree: Tree) -> Vec<String> {
    let is_cpu = |name: &String| name.strip_prefix("cpu").is_some_and(|n| n.parse::<u32>().is_ok());
    tree.names(CPUS).into_iter().filter(is_cpu).collect()
}

fn throttled(tree: Tree) -> Option<u64> {
    let groups = tree.text("proc/self/cgroup")?;
    let folders = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_end_matches('/'));
        match controllers {
            "" => Some(vec![format!("sys/fs/cgroup{path}"), "sys/fs/cgroup".to_owned()]),
            c if c.split(',').any(|c| c == "cpu") => {
                Some(vec![format!("sys/fs/cgroup/{c}{path}"), format!("sys/fs/cgroup/{c}")])
            }
            _ => None,
        }
    });
    // In a container the path is the host's, but the mount shows the own group.
    let stat = |folder: String| field(&tree.text(&format!("{folder}/cpu.stat"))?, "nr_throttled", ' ')?.parse().ok();
    folders.flatten().find_map(stat)
}
