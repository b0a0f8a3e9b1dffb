//! The width of a core that nobody shares, from a short look at each processor before anything is measured.

use std::time::Duration;
use tare_stats::unshared_level;

/// Each processor is watched for so long: the core is seldom shared for a longer stretch.
const EACH: Duration = Duration::from_millis(20);
/// Processors that are watched: they are of one kind.
const PROCESSORS_MAX: usize = 4;

/// Cycles that an independent addition takes while nobody else uses the core, as far as a short look shows; None where it cannot be
/// seen.
pub fn core_width() -> Option<f64> {
    let look = |processor: u32| {
        let readings = tare_process::watch_core(processor, EACH).ok()?;
        let cycles: Vec<f64> = readings.iter().filter(|r| r.undisturbed).map(|r| r.cycles_per_addition).collect();
        unshared_level(&cycles)
    };
    // One after the other: two at once may be threads of one core.
    tare_process::allowed_processors().into_iter().take(PROCESSORS_MAX).filter_map(look).reduce(f64::min)
}
