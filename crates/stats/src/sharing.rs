//! Was the code alone on its core? The other hardware thread of a core may belong to another tenant. In a virtual machine, only the width
//! of the core shows that: how many independent additions it completes in a cycle.
//!
//! A *reading* is the time of independent additions over the time of as many dependent ones, so that the clock of the core cancels out. It
//! repeats to half a per cent while the core is not shared, and the next level is at least 10 % above. A *window* lies between two
//! readings. Windows are judged by readings alone, never by the times of the code in them.

use crate::sample::finite_only;

/// Share of the readings that make a level: small, since a stretch without a neighbour may be short ...
const SUPPORT: f64 = 0.03;
/// ... but at least this many: one wrong look at the clock makes a few low readings.
const SUPPORT_MIN: usize = 5;
/// Readings of one level lie within this share of each other.
const LEVEL_WIDTH: f64 = 0.02;
/// A reading within this share above the level was alone. As the levels are discrete, any value from 2 to 8 % gives the same windows.
const TOLERANCE: f64 = 0.07;
/// Readings within this share above the level belong to it ...
const NEAR: f64 = 0.04;
/// ... and between that and this share there are hardly any, as the next level is further away ...
const APART: f64 = 0.10;
/// ... at most this share of those near the level. If a core is always shared and its readings are spread evenly from the level on, there
/// are 1.5 times as many, and seldom by chance as few as half.
const BETWEEN_MAX: f64 = 0.5;
/// Fewest readings for a level.
pub const READINGS_MIN: usize = 20;

/// The level of an unshared core, from independent readings of a core that was unshared at least now and then: the middle of the lowest
/// readings that lie close together, 3 % of all and at least 5.
///
/// `None` below 20 readings, if none lie close together, or if the level does not stand apart from the readings above it (see
/// [`stands_apart`]). If the core was shared all the time, the level may be too high, and nothing in the run shows that.
pub fn unshared_level(readings: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = finite_only(readings);
    if sorted.len() < READINGS_MIN {
        return None;
    }
    sorted.sort_by(f64::total_cmp);
    let support = ((sorted.len() as f64 * SUPPORT).ceil() as usize).max(SUPPORT_MIN);
    let level = sorted.windows(support).find(|w| w[support - 1] <= w[0] * (1.0 + LEVEL_WIDTH))?;
    Some(level[support / 2]).filter(|level| stands_apart(&sorted, *level))
}

/// Whether the readings have a level at all: an unshared core's level stands apart from those above it. A probe that is slowed by more than
/// neighbours (an unknown, changing clock, a loop that varies) has readings everywhere, and the lowest of them say nothing about the
/// others.
pub fn stands_apart(readings: &[f64], level: f64) -> bool {
    let up_to = |share: f64| readings.iter().filter(|reading| **reading <= level * (1.0 + share)).count();
    let near = up_to(NEAR);
    near > 0 && (up_to(APART) - near) as f64 <= BETWEEN_MAX * near as f64
}

/// Fewest readings above the level, and their smallest share, that may be another level: fewer are interrupts.
const ABOVE_MIN: usize = 20;
const ABOVE_SHARE: f64 = 0.1;
/// Quantile of these that stands for the longest: interrupts lengthen those above it.
const LONGEST: f64 = 0.9;
/// A neighbour now and then lengthens readings by at least this share: less shows no sharing.
pub const SHARED_MIN: f64 = 0.25;

/// The longest reading above the level, ignoring interrupted ones; `None` if few are above it.
pub fn shared_level(readings: &[f64], level: f64) -> Option<f64> {
    let mut above: Vec<f64> = readings.iter().copied().filter(|r| *r > level * (1.0 + TOLERANCE)).collect();
    if above.len() < ABOVE_MIN || (above.len() as f64) < ABOVE_SHARE * readings.len() as f64 {
        return None;
    }
    let at = (LONGEST * (above.len() - 1) as f64) as usize;
    Some(*above.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Whether many readings are above the level but hardly any far: steps of the clock without a neighbour look like this.
pub fn is_flat(readings: &[f64], level: f64) -> bool {
    shared_level(readings, level).is_some_and(|shared| shared < level * (1.0 + SHARED_MIN))
}

/// Who used the core in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Only the child.
    Alone,
    /// Someone else too, at its beginning and its end.
    Shared,
    /// Unknown: its ends differ, or those of an adjacent window.
    Mixed,
}

/// Who used the core in each window between consecutive readings; one fewer than readings.
///
/// A window was alone if the readings at both ends are at the level, and those of the adjacent windows as well: a neighbour who hardly ever
/// stops leaves single readings at the level with shared time between them.
pub fn sharing(readings: &[f64], level: f64) -> Vec<Sharing> {
    let is_alone = |reading: &f64| *reading <= level * (1.0 + TOLERANCE);
    let is_shared = |reading: &f64| *reading > level * (1.0 + TOLERANCE);
    let around = |window: usize| &readings[window.saturating_sub(1)..(window + 3).min(readings.len())];
    let of = |window: usize| match &readings[window..window + 2] {
        _ if around(window).iter().all(is_alone) => Sharing::Alone,
        ends if ends.iter().all(is_shared) => Sharing::Shared,
        _ => Sharing::Mixed,
    };
    (0..readings.len().saturating_sub(1)).map(of).collect()
}

/// Number of readings whose surroundings were all alone (the two before and the two after, as far as they exist), and how many of those
/// were not alone themselves. A neighbour who comes and goes within two windows also does so within one, where no reading sees them.
pub fn brief(readings: &[f64], level: f64) -> (usize, usize) {
    let is_alone = |reading: &f64| *reading <= level * (1.0 + TOLERANCE);
    let is_between = |&at: &usize| {
        let around = readings[at.saturating_sub(2)..at].iter().chain(&readings[at + 1..(at + 3).min(readings.len())]);
        around.into_iter().all(is_alone)
    };
    let between: Vec<usize> = (1..readings.len().saturating_sub(1)).filter(is_between).collect();
    (between.len(), between.iter().filter(|at| !is_alone(&readings[**at])).count())
}

/// Which of the windows between consecutive readings were alone on their core (see [`sharing`]).
pub fn alone_windows(readings: &[f64], level: f64) -> Vec<bool> {
    sharing(readings, level).into_iter().map(|window| window == Sharing::Alone).collect()
}
