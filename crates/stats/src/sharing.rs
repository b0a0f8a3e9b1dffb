//! Was the code alone on its core? The other hardware thread of a core may belong to somebody else, and nothing in a virtual
//! machine shows it but the width of the core: how many independent additions it completes in a cycle.
//!
//! A *reading* is the time of independent additions over the time of as many dependent ones, so that the clock of the core cancels
//! out. It repeats to half a per cent while the core is not shared, and the next level is 10 % or more above. A *window* lies between
//! two readings. Windows are judged by readings alone, never by the times of what ran in them.

use crate::sample::finite_only;

/// Share of the readings that make a level: few, since a stretch without a neighbour may be short ...
const SUPPORT: f64 = 0.03;
/// ... but at least so many: one look at the clock that went wrong makes a few low readings.
const SUPPORT_MIN: usize = 5;
/// Readings of one level lie within this share of each other.
const LEVEL_WIDTH: f64 = 0.02;
/// A reading within this share above the level was alone. Any value from 2 to 8 % gives the same windows, as the levels are discrete.
const TOLERANCE: f64 = 0.07;
/// Readings within this share above the level are of the level ...
const NEAR: f64 = 0.04;
/// ... and from there to this share hardly any lie, as the next level is further away ...
const APART: f64 = 0.10;
/// ... at most this share of those near it: readings of a core that is always shared, spread evenly from the level on, have 1.5 times
/// as many there, by chance seldom half as many.
const BETWEEN_MAX: f64 = 0.5;
/// Fewer readings than this have no lowland.
pub const READINGS_MIN: usize = 20;

/// The level of an unshared core in readings that saw it at least now and then: the middle of the lowest of them that lie close
/// together, 3 % of all and at least 5. Readings must be independent of each other.
///
/// `None` below 20 readings, where none lie together, and where the level does not stand apart from what is above it (see
/// [`stands_apart`]). A run whose core was shared all the time may have a level that is too
/// high, and nothing in it shows that.
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

/// Whether readings have a level at all: one of an unshared core stands apart from those above it. A probe that is slowed by more
/// than neighbours (a clock that moves and is unknown, a loop that is not the same each time) has readings everywhere, and the
/// lowest of them say nothing about the others.
pub fn stands_apart(readings: &[f64], level: f64) -> bool {
    let up_to = |share: f64| readings.iter().filter(|reading| **reading <= level * (1.0 + share)).count();
    let near = up_to(NEAR);
    near > 0 && (up_to(APART) - near) as f64 <= BETWEEN_MAX * near as f64
}

/// Readings above the level that are looked at for another level: fewer, or a smaller share, are interrupts.
const ABOVE_MIN: usize = 20;
const ABOVE_SHARE: f64 = 0.1;
/// Of these the one that nine in ten lie below stands for the longest: interrupts lengthen the others.
const LONGEST: f64 = 0.9;
/// Somebody else on the core makes readings longer by this share at least, now and then: less shows no sharing.
pub const SHARED_MIN: f64 = 0.25;

/// The longest of the readings above the level, without those that were interrupted; None if few are above it.
pub fn shared_level(readings: &[f64], level: f64) -> Option<f64> {
    let mut above: Vec<f64> = readings.iter().copied().filter(|r| *r > level * (1.0 + TOLERANCE)).collect();
    if above.len() < ABOVE_MIN || (above.len() as f64) < ABOVE_SHARE * readings.len() as f64 {
        return None;
    }
    let at = (LONGEST * (above.len() - 1) as f64) as usize;
    Some(*above.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Whether many readings are above the level and hardly any far: steps of a clock, and nobody on the core, make such readings.
pub fn is_flat(readings: &[f64], level: f64) -> bool {
    shared_level(readings, level).is_some_and(|shared| shared < level * (1.0 + SHARED_MIN))
}

/// Who used the core in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody else.
    Alone,
    /// Somebody else, when it began and when it ended.
    Shared,
    /// It cannot be said: its ends differ, or those of the windows next to it.
    Mixed,
}

/// Who used the core in the windows between consecutive readings: one fewer than readings.
///
/// A window was alone when the readings at both ends are at the level, and those of the windows before and after as well: a
/// neighbour who hardly ever stops leaves single readings at the level with shared time between them.
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

/// Readings between others that were all alone (the two before and the two after, as far as there are so many), and how many of them
/// were not alone themselves: a neighbour who comes and goes within two windows does so within one too, where no reading sees him.
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
