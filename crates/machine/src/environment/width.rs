//! The width of an unshared core, from a short look at each processor before measuring.

use std::time::Duration;
use tare_stats::unshared_level;

/// Watch time per processor: a core is seldom shared for longer stretches.
const EACH: Duration = Duration::from_millis(20);
/// Most processors watched; they are of one kind.
const PROCESSORS_MAX: usize = 4;

/// Cycles per independent addition on an unshared core, according to a short look; None if it cannot be seen.
pub fn core_width() -> Option<f64> {
    let look = |processor: u32| {
        let readings = tare_process::watch_core(processor, EACH).ok()?;
        let cycles: Vec<f64> = readings.iter().filter(|r| r.undisturbed).map(|r| r.cycles_per_addition).collect();
        unshared_level(&cycles)
    };
    // One at a time, as two may be threads of one core.
    tare_process::allowed_processors().into_iter().take(PROCESSORS_MAX).filter_map(look).reduce(f64::min)
}
