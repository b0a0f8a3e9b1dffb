//! Which readings of a core's width were alone.

use tare_stats::*;

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
    // A clock that read too slow for four visits, by a different share each time.
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
    // A core shared nine times in ten has few readings at the level, and none just above it.
    let shared: Vec<bool> = (0..400).map(|i| i % 10 != 0).collect();
    assert!(stands_apart(&readings(&shared), 0.26));
}

#[test]
fn steps_of_a_clock_are_no_second_level() {
    let two_levels = |far: f64| -> Vec<f64> { (0..300).map(|i| if i % 3 == 0 { 0.26 } else { 0.26 * far }).collect() };
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
    let mut rng = Rng::new(1);
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
    // One shared reading spoils both of its windows and the adjacent ones.
    assert_eq!(of(&[o, o, o, o, x, o, o, o, o]), [true, true, false, false, false, false, true, true]);
    // Two readings at the level in a shared stretch prove nothing.
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
    // The surroundings of the shared reading, and of those three or more away from it, are alone.
    assert_eq!(of(&[o, o, o, o, o, x, o, o, o, o, o]), (5, 1));
    // A longer stay shows in its own windows.
    assert_eq!(of(&[o, o, o, o, x, x, x, o, o, o, o]), (2, 0));
    assert_eq!((of(&[]), of(&[o]), of(&[o, x])), ((0, 0), (0, 0), (0, 0)));
}
