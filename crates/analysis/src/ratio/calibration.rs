//! What comparisons of identical programs say of a machine: pure, from runs to a [`Calibration`].

use super::sides::Sides;
use super::waves::shared_waves;
use crate::clock::reference_cycle_ns;
use crate::visits::all_times;
use std::collections::BTreeMap;
use tare_model::{Calibration, Decidable, KernelSpread, LayoutSpread, Run};
use tare_stats::sequential::{lambda_of, layout_margin, only_look, Look, Wave};
use tare_stats::special::binom_ppf;

/// Times that people wait, s.
const WAITS_S: [f64; 3] = [1.0, 5.0, 30.0];
/// Launches of a side in a comparison at most: what a time cannot use is not promised.
const LAUNCHES_MAX: u32 = 64;
/// Critical value at the last look plus the quantile of 90 % power.
const CRITICAL: f64 = 2.99 + 1.28;
/// Two-sided error of an alarm.
const ALPHA: f64 = 0.01;

#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationPair {
    pub kernel: String,
    pub waves: Vec<Wave>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    pub elapsed_s: f64,
    pub launches: u32,
}

/// The comparisons of a run; those that failed are left out.
pub fn calibration_pairs(run: &Run) -> Vec<CalibrationPair> {
    let times = all_times(run, reference_cycle_ns(run));
    let failed = |case: u32| run.results[case as usize].failure.is_some();
    let mut found = Vec::new();
    for (number, group) in run.plan.groups.iter().enumerate() {
        let Some(base) = group.baseline.filter(|&base| !failed(base)) else { continue };
        for case in group.contestants().filter(|&case| !failed(case)) {
            let waves =
                shared_waves(run, &Sides::of(run, number as u32, [&times[base as usize], &times[case as usize]]));
            let kernel = run.plan.cases[case as usize].benchmark.name.clone();
            found.push(CalibrationPair { kernel, waves });
        }
    }
    found.retain(|pair| !pair.waves.is_empty());
    found
}

/// What comparisons of a program with itself (`same`) and with the same code in other layouts (`rebuilt`) say.
pub fn assess(same: &[CalibrationPair], rebuilt: &[CalibrationPair], spent: Spent) -> Option<Calibration> {
    let process_sd = spread(same.iter())?;
    let comparisons = same.len() as u32;
    let lambda = lambda_of(same.iter().map(|pair| pair.waves.as_slice()));
    // Waves that differ more than their processes explain cost precision, when that is known for sure.
    let inflated = process_sd * lambda.map_or(1.0, |l| l.inflation()).sqrt();
    let by_kernel = |name: &str| spread(same.iter().filter(|pair| pair.kernel == name));
    let mut names: Vec<&str> = Vec::new();
    for pair in same {
        if !names.contains(&pair.kernel.as_str()) {
            names.push(&pair.kernel);
        }
    }
    Some(Calibration {
        recorded: String::new(),
        comparisons,
        alarms: alarms(same),
        alarms_expected: binom_ppf(0.99, comparisons.into(), ALPHA).unwrap_or(0) as u32,
        lambda: lambda.map(|l| l.value),
        process_sd,
        kernels: names
            .into_iter()
            .filter_map(|name| Some(KernelSpread { name: name.to_owned(), process_sd: by_kernel(name)? }))
            .collect(),
        decides: WAITS_S.into_iter().filter_map(|seconds| decidable(seconds, inflated, spent)).collect(),
        layout: (!rebuilt.is_empty()).then(|| layout(rebuilt)),
        costs: None,
    })
}

/// Comparisons whose plain t interval of 99 % excludes no change after their last wave: one in a hundred is chance.
fn alarms(pairs: &[CalibrationPair]) -> u32 {
    let alarm = |pair: &&CalibrationPair| only_look(&pair.waves, 1.0).is_some_and(|look| look.p <= ALPHA);
    pairs.iter().filter(alarm).count() as u32
}

/// Standard deviation of process effects within a side and a wave, pooled.
fn spread<'a>(pairs: impl Iterator<Item = &'a CalibrationPair>) -> Option<f64> {
    let (mut squares, mut df) = (0.0, 0usize);
    for side in pairs.flat_map(|pair| &pair.waves).flat_map(|wave| [&wave.a, &wave.b]).filter(|side| side.len() > 1) {
        let mean = side.iter().sum::<f64>() / side.len() as f64;
        squares += side.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        df += side.len() - 1;
    }
    (df > 0).then(|| (squares / df as f64).sqrt()).filter(|sd| sd.is_finite())
}

fn decidable(seconds: f64, process_sd: f64, spent: Spent) -> Option<Decidable> {
    let fitting = seconds * f64::from(spent.launches) / (2.0 * spent.elapsed_s);
    if !fitting.is_finite() || fitting < 2.0 {
        return None;
    }
    let launches = (fitting as u32).min(LAUNCHES_MAX);
    let effect = (CRITICAL * process_sd * (2.0 / f64::from(launches)).sqrt()).exp_m1();
    Some(Decidable { seconds, launches, effect })
}

/// The variance between builds of each kernel, pooled; below 0 it counts as 0.
fn layout(pairs: &[CalibrationPair]) -> LayoutSpread {
    let mut kernels: BTreeMap<&str, Vec<Look>> = BTreeMap::new();
    for pair in pairs {
        kernels.entry(&pair.kernel).or_default().extend(only_look(&pair.waves, 1.0));
    }
    let of = |looks: &Vec<Look>| {
        let estimates: Vec<f64> = looks.iter().map(|look| look.estimate).collect();
        let errors: Vec<f64> = looks.iter().map(|look| look.standard_error).collect();
        layout_margin(&estimates, &errors)
    };
    let margins: Vec<f64> = kernels.values().filter_map(of).collect();
    let squares = margins.iter().map(|m| m * m).sum::<f64>() / margins.len() as f64;
    let margin = (!margins.is_empty()).then(|| squares.sqrt());
    LayoutSpread {
        comparisons: pairs.len() as u32,
        alarms: alarms(pairs),
        build_sd: margin.map(|m| m / (3.0 * std::f64::consts::SQRT_2)),
        margin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Effects of `sd` around `shift`, from a fixed sequence that is even over the pairs.
    fn pair(kernel: &str, number: u32, sd: f64, shift: f64) -> CalibrationPair {
        let mut state = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995;
        let mut normal = move || {
            let mut sum = -6.0;
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                sum += (state >> 11) as f64 / (1u64 << 53) as f64;
            }
            sum
        };
        let mut side = |shift: f64| -> Vec<f64> { (0..4).map(|_| shift + sd * normal()).collect() };
        let waves = (0..4).map(|_| Wave { a: side(0.0), b: side(shift), ..Wave::default() }).collect();
        CalibrationPair { kernel: kernel.to_owned(), waves }
    }

    #[test]
    fn identical_programs() {
        let same: Vec<CalibrationPair> =
            (0..100).map(|n| pair(if n % 2 == 0 { "even" } else { "odd" }, n, 0.01, 0.0)).collect();
        let found = assess(&same, &[], Spent { elapsed_s: 100.0, launches: 1000 }).expect("comparisons");
        assert_eq!((found.comparisons, found.alarms_expected), (100, 4));
        assert!(found.alarms <= 4, "{}", found.alarms);
        assert!((found.process_sd / 0.01 - 1.0).abs() < 0.1, "{}", found.process_sd);
        assert!((0.7..1.4).contains(&found.lambda.expect("waves")), "{:?}", found.lambda);
        assert_eq!(found.kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["even", "odd"]);
        // 0.1 s a launch: 5 a side in a second; more than 64 are not made.
        assert_eq!(found.decides.iter().map(|d| d.launches).collect::<Vec<_>>(), [5, 25, 64]);
        // at 32 launches it is 1.07 % for 1 %: sqrt(32 / 25) times that at 25.
        assert!((found.decides[1].effect - 0.0121).abs() < 0.0012, "{:?}", found.decides);
        assert_eq!(found.layout, None);
    }

    #[test]
    fn one_of_a_hundred_is_an_alarm() {
        // The design of the doctor: four waves of four children a side.
        let same: Vec<CalibrationPair> = (0..20_000).map(|n| pair("k", n, 0.01, 0.0)).collect();
        let rate = f64::from(alarms(&same)) / same.len() as f64;
        assert!((rate - ALPHA).abs() < 0.0025, "{rate}");
    }

    #[test]
    fn rebuilt_programs_differ_by_luck() {
        let same = [pair("k", 1, 0.002, 0.0)];
        let rebuilt: Vec<CalibrationPair> =
            [-0.03, 0.0, 0.03].into_iter().enumerate().map(|(n, shift)| pair("k", n as u32, 0.002, shift)).collect();
        let found = assess(&same, &rebuilt, Spent { elapsed_s: 1.0, launches: 1 }).expect("comparisons");
        let layout = found.layout.expect("layouts");
        assert_eq!((layout.comparisons, layout.alarms), (3, 2));
        assert!((layout.build_sd.expect("three") - 0.03).abs() < 0.003, "{layout:?}");
        assert!(found.decides.len() == 2, "one launch in a second is no comparison: {:?}", found.decides);
    }

    #[test]
    fn nothing_says_nothing() {
        assert_eq!(assess(&[], &[], Spent::default()), None);
        let lonely =
            CalibrationPair { kernel: "k".into(), waves: vec![Wave { a: vec![0.0], b: vec![0.0], ..Wave::default() }] };
        assert_eq!(assess(&[lonely], &[], Spent::default()), None);
    }
}
