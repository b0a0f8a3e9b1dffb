//! Was the code alone on its core? The other hardware thread of a core may belong to somebody else, and nothing in a virtual
//! machine shows it but the width of the core: how many independent additions it completes in a cycle.
//!
//! A *reading* is the time of independent additions over the time of as many dependent ones, so that the clock of the core cancels
//! out. It repeats to half a per cent while the core is not shared, and the next level is 10 % or more above. A *window* lies between
//! two readings. Windows are judged by readings alone, never by the times of what ran in them.

use crate::order::finite_only;

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
const READINGS_MIN: usize = 20;

/// The level of an unshared core in readings that saw it at least now and then: the middle of the lowest of them that lie close
/// together, 3 % of all and at least 5. Readings must be independent of each other.
///
/// `None` below 20 readings, where none lie together, and where the level does not stand apart from what is above it (see
/// [`stands_apart`]). A session whose core was shared all the time may have a level that is too
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
/// than neighbours (a clock that moves and is not known, a loop that is not the same each time) has readings everywhere, and the
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
const SHARED_MIN: f64 = 0.25;

/// The longest of the readings above the level, without those that were interrupted; None where few are above it.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Readings of a core that is shared where `shared` says so, with an error of half a per cent.
    fn readings(shared: &[bool]) -> Vec<f64> {
        let error = |i: usize| 1.0 + 0.005 * ((i * 7 % 11) as f64 / 5.0 - 1.0);
        shared.iter().enumerate().map(|(i, s)| if *s { 0.5 } else { 0.26 } * error(i)).collect()
    }

    #[test]
    fn the_level_is_that_of_the_unshared_part_however_small() {
        let shared: Vec<bool> = (0..1000).map(|i| i % 10 != 0).collect();
        let level = unshared_level(&readings(&shared)).expect("a level");
        assert!((level / 0.26 - 1.0).abs() < 0.006, "{level}");
        assert_eq!(unshared_level(&[0.26; 19]), None);
        assert_eq!(unshared_level(&[f64::NAN; 40]), None);
    }

    #[test]
    fn a_few_readings_that_went_wrong_are_no_level() {
        let mut found = readings(&[false; 300]);
        // A clock that was read too slow for four visits, and by another share each time.
        found.extend([0.20, 0.21, 0.225, 0.24]);
        let level = unshared_level(&found).expect("a level");
        assert!((level / 0.26 - 1.0).abs() < 0.006, "{level}");
        assert_eq!(unshared_level(&(0..40).map(|i| 0.2 * 1.03_f64.powi(i)).collect::<Vec<_>>()), None);
    }

    #[test]
    fn readings_that_lie_everywhere_have_no_level() {
        let spread: Vec<f64> = (0..400).map(|i| 0.26 * (1.0 + 0.001 * f64::from(i))).collect();
        assert_eq!(unshared_level(&spread), None);
        assert!(!stands_apart(&spread, 0.26) && !stands_apart(&[], 0.26));
        // A core that is shared nine times in ten has few readings at the level, and none just above it.
        let shared: Vec<bool> = (0..400).map(|i| i % 10 != 0).collect();
        assert!(stands_apart(&readings(&shared), 0.26));
    }

    #[test]
    fn steps_of_a_clock_are_no_second_level() {
        let two_levels =
            |far: f64| -> Vec<f64> { (0..300).map(|i| if i % 3 == 0 { 0.26 } else { 0.26 * far }).collect() };
        assert!(is_flat(&two_levels(1.15), 0.26) && !is_flat(&two_levels(1.4), 0.26));
        assert!(!is_flat(&readings(&[false; 300]), 0.26), "a core that nobody shares has one level");
        // One reading in a hundred is interrupted.
        let interrupted: Vec<f64> = (0..300).map(|i| if i % 100 == 0 { 0.5 } else { 0.26 }).collect();
        assert!(!is_flat(&interrupted, 0.26) && shared_level(&interrupted, 0.26).is_none());
        let far = shared_level(&two_levels(1.15), 0.26).expect("many are above");
        assert!((far / 0.299 - 1.0).abs() < 1e-9, "{far}");
    }

    #[test]
    fn a_core_that_is_always_shared_seldom_has_a_level() {
        let mut rng = crate::Rng::new(1);
        let found = (0..500).filter(|_| {
            let readings: Vec<f64> = (0..80).map(|_| 0.26 * (1.4 + 0.5 * rng.uniform())).collect();
            unshared_level(&readings).is_some()
        });
        let found = found.count();
        assert!(found <= 30, "{found} of 500");
    }

    #[test]
    fn a_window_counts_when_its_neighbours_in_time_are_alone_too() {
        let of = |shared: &[bool]| alone_windows(&readings(shared), 0.26);
        let (x, o) = (true, false);
        assert_eq!(of(&[o; 6]), [true; 5], "the ends have one neighbour");
        assert_eq!(of(&[x; 6]), [false; 5]);
        // One shared reading takes both of its windows and the ones next to them.
        assert_eq!(of(&[o, o, o, o, x, o, o, o, o]), [true, true, false, false, false, false, true, true]);
        // Two readings at the level in a stretch that is shared prove nothing.
        assert_eq!(of(&[x, x, o, o, x, x]), [false; 5]);
        assert!(of(&[]).is_empty() && of(&[o]).is_empty());
        assert!(!alone_windows(&[0.26, f64::NAN, 0.26], 0.26).contains(&true), "a reading that is none is not alone");
    }

    #[test]
    fn a_neighbour_who_comes_and_goes_within_two_windows_is_counted() {
        let (x, o) = (true, false);
        let of = |shared: &[bool]| brief(&readings(shared), 0.26);
        assert_eq!(of(&[o; 11]), (9, 0));
        assert_eq!(of(&[x; 11]), (0, 0));
        // Between others that are alone lie the shared reading and those three or more away from it.
        assert_eq!(of(&[o, o, o, o, o, x, o, o, o, o, o]), (5, 1));
        // One who stays longer is seen by the windows that he takes.
        assert_eq!(of(&[o, o, o, o, x, x, x, o, o, o, o]), (2, 0));
        assert_eq!((of(&[]), of(&[o]), of(&[o, x])), ((0, 0), (0, 0), (0, 0)));
    }
}
