//! Processor time taken by other work during a run.

use super::tree::Tree;
use std::path::Path;
use std::time::Instant;

/// Kernel counters at one moment; None if not visible.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Noise {
    /// Ticks of all processors, and the stolen ones among them.
    pub ticks: Option<(u64, u64)>,
    /// Time since boot in which something waited for a CPU, in µs.
    pub pressure_us: Option<u64>,
}

impl Noise {
    pub fn read_from(root: &Path) -> Noise {
        let tree = Tree { root };
        // Only the first line of /proc/stat is needed; on a big machine the interrupt counts make the rest long.
        let ticks = tree.head("proc/stat", 512).and_then(|text| {
            let line = text.lines().next()?.strip_prefix("cpu ")?.to_owned();
            let numbers: Vec<u64> = line.split_whitespace().map_while(|n| n.parse().ok()).take(8).collect();
            // user nice system idle iowait irq softirq steal; guest time is included in user.
            let steal = *numbers.get(7)?;
            Some((numbers.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)), steal))
        });
        let pressure_us = tree.text("proc/pressure/cpu").and_then(|text| {
            let some = text.lines().find(|l| l.starts_with("some "))?;
            some.split("total=").nth(1)?.trim().parse().ok()
        });
        Noise { ticks, pressure_us }
    }

    /// Shares of the time between `self` and `later`, 0 to 1: stolen by the hypervisor, and waiting for a CPU.
    pub fn until(&self, later: &Noise, elapsed_s: f64) -> (Option<f64>, Option<f64>) {
        let steal = self.ticks.zip(later.ticks).and_then(|((total, steal), (later_total, later_steal))| {
            share(later_steal.checked_sub(steal)? as f64, later_total.checked_sub(total)? as f64)
        });
        let pressure = self.pressure_us.zip(later.pressure_us);
        let pressure = pressure.and_then(|(us, later)| share(later.checked_sub(us)? as f64, elapsed_s * 1e6));
        (steal, pressure)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole).clamp(0.0, 1.0))
}

#[derive(Debug, Clone, Copy)]
pub struct NoiseStart {
    noise: Noise,
    at: Instant,
}

/// Records the counters; [`NoiseStart::finish`] returns the noise since.
pub fn noise_start() -> NoiseStart {
    NoiseStart { noise: Noise::read_from(Path::new("/")), at: Instant::now() }
}

impl NoiseStart {
    /// (steal, CPU pressure) since the start as shares of 0 to 1, for [`tare_model::Environment`]. Can be called repeatedly: a run in parts
    /// calls it after each.
    pub fn finish(&self) -> (Option<f64>, Option<f64>) {
        self.noise.until(&Noise::read_from(Path::new("/")), self.at.elapsed().as_secs_f64())
    }
}
