//! The number of launches, and of runs in each.

use tare_model::Profile;

/// Numbers of launches that fill whole waves.
const LAUNCHES: [u32; 7] = [8, 9, 10, 12, 14, 15, 16];
/// Number of launches when there are many runs.
const LAUNCHES_USUAL: u32 = 12;

/// Maximum runs per launch: more runs of a short command add little compared with another launch.
pub const ROUNDS_MAX: u32 = 60;

pub fn launch_ns(profile: Profile) -> f64 {
    match profile {
        Profile::Quick => 6e7,
        Profile::Default => 2e8,
        Profile::Long => 1e9,
    }
}

/// Launches and runs per launch for at least this many runs in total.
pub fn launches_and_rounds(runs: u32) -> (u32, u32) {
    if runs < LAUNCHES[0] {
        return (runs, 1);
    }
    let fits = |launches: &u32| (launches * runs.div_ceil(*launches), launches.abs_diff(LAUNCHES_USUAL));
    let launches = LAUNCHES.into_iter().min_by_key(fits).unwrap_or(LAUNCHES_USUAL);
    (launches, runs.div_ceil(launches))
}

#[cfg(test)]
mod tests {
    use super::launches_and_rounds;
    use tare_engine::Effort;

    #[test]
    fn runs_are_as_many_as_asked_or_a_few_more() {
        for (runs, expected) in [(1, (1, 1)), (7, (7, 1)), (8, (8, 1)), (10, (10, 1)), (24, (12, 2)), (100, (10, 10))] {
            assert_eq!(launches_and_rounds(runs), expected, "{runs}");
        }
        for runs in 1..500 {
            let (launches, rounds) = launches_and_rounds(runs);
            assert!((runs..runs + 8).contains(&(launches * rounds)), "{runs}");
            let policy = Effort { launches: Some(launches), ..Effort::default() }.policy();
            assert_eq!(policy.width * policy.waves_max, launches, "a wave is not filled: {runs}");
        }
    }
}
