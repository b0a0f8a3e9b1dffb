//! One build between two others: on which side of the middle it is. What `tare bisect` measures of a commit.

use super::group::shown_times;
use super::sides::{are_enough, why_all_windows};
use super::waves::{effects_of, LAUNCHES_MIN};
use crate::core::CoreUse;
use crate::visits::{CaseTimes, LaunchTimes, Quantity, TimeKind};
use serde::Serialize;
use std::collections::BTreeSet;
use tare_model::Run;
use tare_stats::bisection::Distance;
use tare_stats::location::mean;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Contrast {
    /// Log distance from the middle between both ends, positive where its time is longer.
    pub middle: Distance,
    /// Log of its time over that of the first end.
    pub level: Distance,
}

/// The contrast of a run whose first group has three cases in order; `None` where one has too few launches.
pub fn contrast(run: &Run) -> Option<Contrast> {
    let group = run.plan.groups.first()?;
    let [first, between, last] = group.cases[..] else { return None };
    let (times, _) = shown_times(run);
    let three = alike(run, [first, between, last].map(|case| &times[case as usize]));
    let waves: Vec<[Vec<f64>; 3]> = waves(&three);
    Some(Contrast { middle: combined(&waves, [-0.5, 1.0, -0.5])?, level: combined(&waves, [-1.0, 1.0, 0.0])? })
}

/// The times of all three of one kind: those of windows alone only where all have them.
fn alike(run: &Run, three: [&CaseTimes; 3]) -> [CaseTimes; 3] {
    let as_one = |quantity| three.map(|times| times.again(run, TimeKind::all_windows(quantity)));
    let [first, between, last] = three;
    if first.quantity != between.quantity || first.quantity != last.quantity {
        let cpu = as_one(Quantity::Cpu);
        return match cpu.iter().all(|times| times.quantity == Quantity::Cpu) {
            true => cpu,
            false => as_one(Quantity::Wall),
        };
    }
    let differ = |a, b| why_all_windows(0, a, b).is_some();
    let shown = three.map(CaseTimes::clone);
    // Each two of them may share a wave, and no wave be of all three.
    let lacks_waves = first.core == CoreUse::Alone && !are_enough(waves(&shown).len(), first.made_by_wave(0).len());
    match differ(first, between) || differ(first, last) || differ(between, last) || lacks_waves {
        true => as_one(first.quantity),
        false => shown,
    }
}

/// The process effects of each build in each wave in which all have launches.
fn waves(three: &[CaseTimes; 3]) -> Vec<[Vec<f64>; 3]> {
    // One exponent for all, as for two sides.
    let exponents: Option<Vec<f64>> = three.iter().map(|times| times.exponent).collect();
    let exponent = exponents.and_then(|all| mean(&all)).unwrap_or(0.0);
    let numbers: BTreeSet<u32> = three[0].launches.iter().map(|launch| launch.wave).collect();
    numbers.into_iter().filter_map(|number| wave(three, exponent, number)).collect()
}

fn wave(three: &[CaseTimes; 3], exponent: f64, number: u32) -> Option<[Vec<f64>; 3]> {
    let of = |times: &CaseTimes| -> Vec<LaunchTimes> {
        let launches = times.launches.iter().filter(|launch| launch.group == 0 && launch.wave == number);
        launches.map(|l| LaunchTimes { log_ns: times.log_ns_with(l, exponent), ..l.clone() }).collect()
    };
    let of_each: Vec<Vec<LaunchTimes>> = three.iter().map(of).collect();
    if of_each.iter().any(|launches| launches.len() < LAUNCHES_MIN) {
        return None;
    }
    let effects = effects_of(three.each_ref(), [&of_each[0], &of_each[1], &of_each[2]]);
    let wave = effects.map(|side| side.into_iter().flatten().map(|(effect, _)| effect).collect::<Vec<f64>>());
    wave.iter().all(|effects| effects.len() >= LAUNCHES_MIN).then_some(wave)
}

/// A sum of the levels of the three builds with these factors, with the larger of the errors of launches and of waves.
fn combined(waves: &[[Vec<f64>; 3]], factors: [f64; 3]) -> Option<Distance> {
    let (mut sums, mut squares, mut df, mut inverse) = (Vec::new(), 0.0, 0.0, 0.0);
    for wave in waves {
        let mut sum = 0.0;
        for (effects, factor) in wave.iter().zip(factors) {
            let centre = mean(effects)?;
            sum += factor * centre;
            squares += effects.iter().map(|effect| (effect - centre).powi(2)).sum::<f64>();
            df += effects.len() as f64 - 1.0;
            inverse += factor * factor / effects.len() as f64;
        }
        sums.push(sum);
    }
    let (count, estimate) = (sums.len() as f64, mean(&sums)?);
    let within = squares / df * inverse / (count * count);
    let between = tare_stats::spread::variance(&sums).map_or(0.0, |variance| variance / count);
    // What waves add to the error of the launches is known by the waves only, which are few (Satterthwaite).
    let (variance, added) = (within.max(between), (between - within).max(0.0));
    let df =
        if added > 0.0 { variance * variance / (within * within / df + added * added / (count - 1.0)) } else { df };
    Some(Distance { estimate, standard_error: variance.sqrt(), df })
}

#[cfg(test)]
mod tests {
    use super::contrast;
    use crate::findings::common::{share, twelve_launches, RunBuilder};

    #[test]
    fn a_build_is_nearer_to_one_end() {
        let of = |between: f64| {
            let mut builder = RunBuilder::new();
            for (name, ns) in [("good", 100.0), ("between", between), ("bad", 110.0)] {
                let case = builder.case("g", name, name == "good");
                twelve_launches(&mut builder, case, ns, |launch, _, _| f64::from(launch % 3) * 0.002);
            }
            contrast(&builder.run()).expect("a contrast")
        };
        let (like_good, like_bad) = (of(100.0), of(110.0));
        assert!(like_good.middle.bad() < 0.001 && like_bad.middle.bad() > 0.999, "{like_good:?} {like_bad:?}");
        let interval = like_good.level.ratio_interval().expect("an interval");
        assert!((like_good.level.ratio() - 1.0).abs() < 0.002 && interval.contains(1.0), "{like_good:?}");
        assert!((like_bad.level.ratio() - 1.1).abs() < 0.002, "{like_bad:?}");
        let half = of(110.0_f64.sqrt() * 10.0);
        assert!((0.05..0.95).contains(&half.middle.bad()), "{half:?}");
    }

    #[test]
    fn builds_that_were_never_alone_in_one_wave_are_compared_in_all_windows() {
        let mut builder = RunBuilder::new().with_windows();
        for name in ["good", "between", "bad"] {
            let case = builder.case("g", name, name == "good");
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        // In each of the three waves another build has a neighbour all the time.
        for launch in &mut builder.run.launches {
            let is_shared = launch.wave == launch.case;
            share(launch, 1.5, |visit, _| is_shared || visit % 10 < 2);
        }
        let run = builder.run();
        let (times, _) = super::shown_times(&run);
        assert!(times.iter().all(|t| t.core == super::CoreUse::Alone), "{:?}", times[0].core);
        assert!(contrast(&run).is_some());
    }

    #[test]
    fn two_builds_have_none() {
        let mut builder = RunBuilder::new();
        for name in ["good", "bad"] {
            let case = builder.case("g", name, name == "good");
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        assert_eq!(contrast(&builder.run()), None);
    }
}
