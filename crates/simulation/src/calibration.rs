//! Thousands of runs with a known truth: how often Tare is right.

use crate::{measure, Body, Scene};
use tare_analysis::{CaseEstimates, CaseReport, CoreUse, NetTime, Report, Verdict};
use tare_model::Policy;
use tare_stats::location::{mean, trimmed_mean};
use tare_stats::noise::{Machine, Parameters, Scenario};

/// Time of the simulated bodies, in ns, far above the loop and the clock.
const BODY_NS: f64 = 1000.0;
/// Visits of a simulated launch in [`centre`].
const VISITS: usize = 24;

/// Results of many runs with one comparison each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Comparison {
    pub runs: usize,
    pub slower: usize,
    pub faster: usize,
    pub same: usize,
    /// Those whose repeated 99 % interval excludes no change, ignoring the minimum effect.
    pub ungated: usize,
    /// Those whose 95 % interval contains the true ratio.
    pub covered: usize,
    /// Launches per side, over all runs.
    pub launches: usize,
    /// Simulated time over all runs, in s.
    pub seconds: f64,
    /// Runs in which the times of both sides are alone on the core.
    pub alone: usize,
    /// Sum of the log of the ratio over the true ratio.
    pub bias: f64,
}

/// Runs with one comparison each; `effect` is the true change as a share.
pub fn comparison(
    scenario: Scenario,
    effect: f64,
    policy: &Policy,
    runs: u64,
    seed: u64,
) -> Result<Comparison, String> {
    comparison_in(
        |seed| sides(Scene::new(scenario, Body::pair(BODY_NS, effect), seed).with(*policy)),
        effect,
        runs,
        seed,
    )
}

/// Makes pairs the sides of a comparison if the rules are those of `tare compare`, with any budget.
fn sides(scene: Scene) -> Scene {
    let usual = Policy::comparison(scene.policy.effort);
    let Policy { budget_s, first_waves_always, .. } = scene.policy;
    Scene { builds: scene.policy == Policy { budget_s, first_waves_always, ..usual }, ..scene }
}

/// The same for scenes with one pair each, by seed.
pub fn comparison_in(scene: impl Fn(u64) -> Scene, effect: f64, runs: u64, seed: u64) -> Result<Comparison, String> {
    let mut found = Comparison::default();
    for run in 0..runs {
        let measured = measure(&scene(seed + run))?;
        found.runs += 1;
        found.seconds += measured.world.now_s();
        found.launches += measured.run.launches.len() / 2;
        let both = estimates(&measured.report)?;
        let ratio = both.iter().find_map(|estimates| estimates.ratio.as_ref()).ok_or("there is no ratio")?;
        let (truth, none) = (1.0 + effect, 1.0);
        found.covered += usize::from(ratio.interval.contains(truth));
        found.ungated += usize::from(!ratio.interval_99.contains(none));
        found.alone += usize::from(both.iter().all(|estimates| is_alone(estimates)));
        found.bias += (ratio.ratio / truth).ln();
        match ratio.verdict {
            Verdict::Slower => found.slower += 1,
            Verdict::Faster => found.faster += 1,
            Verdict::Same => found.same += 1,
            Verdict::Unclear => {}
        }
    }
    Ok(found)
}

fn estimates(report: &Report) -> Result<Vec<&CaseEstimates>, String> {
    let failed = |case: &CaseReport| format!("nothing was measured: {:?}", case.outcome);
    report.cases.iter().map(|case| case.estimates().ok_or_else(|| failed(case))).collect()
}

fn is_alone(estimates: &CaseEstimates) -> bool {
    estimates.core.is_some_and(|core| core.times == CoreUse::Alone)
}

/// Results of many runs of a suite of equal pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Suite {
    pub suites: usize,
    /// Those that call any pair different.
    pub alarmed: usize,
    /// Number of such verdicts over all suites.
    pub alarms: usize,
    /// Pairs called the same, over all suites.
    pub same: usize,
    /// Simulated time over all suites, in s.
    pub seconds: f64,
}

/// Runs of `pairs` comparisons of equal bodies, corrected for their number.
pub fn suite(scenario: Scenario, pairs: usize, policy: &Policy, suites: u64, seed: u64) -> Result<Suite, String> {
    let mut found = Suite::default();
    for run in 0..suites {
        let bodies = (0..pairs).flat_map(|pair| Body::pair_of(&format!("pair{pair}"), BODY_NS, 0.0)).collect();
        let measured = measure(&sides(Scene::new(scenario, bodies, seed + run).with(*policy)))?;
        let cases = measured.report.cases.iter();
        let verdicts: Vec<Verdict> = cases.filter_map(|case| Some(case.estimates()?.ratio.as_ref()?.verdict)).collect();
        if verdicts.len() != pairs {
            return Err(format!("{} verdicts of {pairs}", verdicts.len()));
        }
        let alarms = verdicts.iter().filter(|v| matches!(v, Verdict::Slower | Verdict::Faster)).count();
        found.suites += 1;
        found.alarmed += usize::from(alarms > 0);
        found.alarms += alarms;
        found.same += verdicts.iter().filter(|v| **v == Verdict::Same).count();
        found.seconds += measured.world.now_s();
    }
    Ok(found)
}

/// How often the 95 % intervals of plain times contain the truth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Coverage {
    pub intervals: usize,
    /// Those that contain the centre of this machine during this run.
    pub run: usize,
    /// Those that contain the long-run centre of this machine.
    pub long_run: usize,
    /// Sum of the half-widths, as shares.
    pub half_widths: f64,
    /// Sum of the log of the time over the centre of this machine during this run.
    pub bias: f64,
    /// Simulated time over all runs, in s.
    pub seconds: f64,
    pub runs: usize,
}

/// Runs of `cases` plain cases on a machine with this noise; `long_run` is its [`centre`].
pub fn coverage(
    noise: Parameters,
    long_run: f64,
    cases: usize,
    policy: &Policy,
    runs: u64,
    seed: u64,
) -> Result<Coverage, String> {
    let scene = |seed| {
        let bodies = (0..cases).map(|i| Body { turn_ns: 0.0, ..Body::of(&format!("b{i}"), BODY_NS) }).collect();
        Scene { noise, ..Scene::new(Scenario::Quiet, bodies, seed).with(*policy) }
    };
    coverage_in(scene, Some(long_run), runs, seed)
}

/// The same for scenes of plain cases, by seed; `long_run` is their machine's centre, if known.
pub fn coverage_in(
    scene: impl Fn(u64) -> Scene,
    long_run: Option<f64>,
    runs: u64,
    seed: u64,
) -> Result<Coverage, String> {
    let mut found = Coverage::default();
    for run in 0..runs {
        let scene = scene(seed + run);
        let measured = measure(&scene)?;
        found.runs += 1;
        found.seconds += measured.world.now_s();
        // Mean cost of a launch's mode, which the run's level excludes.
        let luck = scene.noise.slow_share * scene.noise.slow_cost.ln_1p();
        let level = measured.world.run_level().unwrap_or(0.0) + luck;
        for (body, case) in scene.bodies.iter().zip(&measured.report.cases) {
            let estimates = case.estimates().ok_or("nothing was measured")?;
            let NetTime::Resolved { value_ns, interval } = &estimates.time else {
                return Err("there is no time".to_owned());
            };
            let Some(interval) = interval else { continue };
            let truth_ns = body.true_ns + body.collections.map_or(0.0, |collections| collections.mean_ns());
            found.intervals += 1;
            found.run += usize::from(interval.contains(truth_ns * level.exp()));
            found.long_run +=
                usize::from(long_run.is_some_and(|long_run| interval.contains(truth_ns * long_run.exp())));
            found.half_widths += 0.5 * interval.width() / value_ns;
            found.bias += (value_ns / truth_ns).ln() - level;
        }
    }
    Ok(found)
}

/// Results of many runs of a case beside a neighbour on the core.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Beside {
    pub runs: usize,
    /// Runs that reported a time alone on the core.
    pub alone: usize,
    /// Those of them with an interval ...
    pub intervals: usize,
    /// ... and with a 95 % interval that contains the time alone on the core, on this machine during this run.
    pub covered: usize,
    /// Sum of the log of the time over the time alone on the core, in runs that reported one ...
    pub bias: f64,
    /// ... and in all others.
    pub shared_bias: f64,
    /// Sum of the half-widths, as shares, in runs that reported a time alone ...
    pub half_widths: f64,
    /// ... and in all others.
    pub shared_half_widths: f64,
    /// Sum of the shares of windows that were alone, over all runs.
    pub windows_alone: f64,
    /// Simulated time over all runs, in s.
    pub seconds: f64,
}

/// Runs of scenes with one plain case each, by seed.
pub fn beside(scene: impl Fn(u64) -> Scene, runs: u64, seed: u64) -> Result<Beside, String> {
    let mut found = Beside::default();
    for run in 0..runs {
        let scene = scene(seed + run);
        let measured = measure(&scene)?;
        let luck = scene.noise.slow_share * scene.noise.slow_cost.ln_1p();
        let truth_ns = scene.bodies[0].true_ns * (measured.world.run_level().unwrap_or(0.0) + luck).exp();
        found.runs += 1;
        found.seconds += measured.world.now_s();
        for estimates in estimates(&measured.report)? {
            let NetTime::Resolved { value_ns, interval } = &estimates.time else {
                return Err("there is no time".to_owned());
            };
            found.windows_alone += estimates.core.map_or(0.0, |core| core.alone_share);
            let bias = (value_ns / truth_ns).ln();
            let half_width = interval.map_or(0.0, |interval| 0.5 * interval.width() / value_ns);
            if is_alone(estimates) {
                found.alone += 1;
                found.bias += bias;
                found.intervals += usize::from(interval.is_some());
                found.covered += usize::from(interval.is_some_and(|interval| interval.contains(truth_ns)));
                found.half_widths += half_width;
            } else {
                found.shared_bias += bias;
                found.shared_half_widths += half_width;
            }
        }
    }
    Ok(found)
}

/// The long-run centre of a machine as a log slow-down: the mean over `launches` that are far apart in time.
pub fn centre(noise: Parameters, launches: u64) -> f64 {
    let values: Vec<f64> = (0..launches)
        .filter_map(|launch| {
            let mut machine = Machine::with(noise, launch);
            let mut process = machine.process(launch, 0.0);
            let visits: Vec<f64> =
                (0..VISITS).map(|round| machine.visit(&mut process, round as f64 * 0.005, 0.001)).collect();
            trimmed_mean(&visits, 0.2)
        })
        .collect();
    mean(&values).unwrap_or(0.0)
}
