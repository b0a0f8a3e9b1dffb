//! Whether an effect in visits comes from the body, or from the machine, which slows all children of a wave in the same rounds.

use super::facts::Measured;
use std::collections::BTreeMap;

/// Position between independent children (0) and children that are slow together (1), beyond which the machine is to blame.
const SHARED_MAX: f64 = 0.4;

pub(super) struct Point {
    wave: usize,
    round: u32,
    log_ns: f64,
    /// Relative to its launch.
    pub residual: f64,
}

pub(super) fn points(measured: Measured) -> Vec<Point> {
    let mut points = Vec::new();
    for (wave, launches) in measured.waves().into_iter().enumerate() {
        for launch in launches {
            let visits = launch.rounds.iter().zip(&launch.log_ns);
            points.extend(visits.map(|(&round, y)| Point { wave, round, log_ns: *y, residual: y - launch.value }));
        }
    }
    points
}

/// Whether visits above `threshold` fall into the same rounds for all children of a wave: then the machine is slow, not the body.
pub(super) fn is_shared(points: &[Point], threshold: f64) -> bool {
    come_together(points, |point| point.residual >= threshold)
}

/// The same for visits above a log time, regardless of their launch. With one child per wave nothing is known.
pub(super) fn is_shared_beyond(points: &[Point], log_ns: f64) -> bool {
    let mut rounds: Vec<(usize, u32)> = points.iter().map(|point| (point.wave, point.round)).collect();
    rounds.sort_unstable();
    rounds.dedup();
    rounds.len() < points.len() && come_together(points, |point| point.log_ns >= log_ns)
}

fn come_together(points: &[Point], is_slow: impl Fn(&Point) -> bool) -> bool {
    let mut rounds: BTreeMap<(usize, u32), (f64, f64)> = BTreeMap::new();
    for point in points {
        let (visits, slow) = rounds.entry((point.wave, point.round)).or_default();
        *visits += 1.0;
        *slow += f64::from(u8::from(is_slow(point)));
    }
    let share = rounds.values().map(|r| r.1).sum::<f64>() / points.len().max(1) as f64;
    let expected: f64 = rounds.values().map(|(visits, _)| visits * share * (1.0 - share)).sum();
    let squares: f64 = rounds.values().map(|(visits, slow)| (slow - visits * share).powi(2)).sum();
    let children = points.len() as f64 / rounds.len().max(1) as f64;
    // 1 if each child has its own times, the number of children if all have the same.
    squares > SHARED_MAX * (1.0 + children) * expected
}
