//! How much to measure: from the user's request to the rules of a plan.

use tare_model::{Artifact, Clocking, Effort, Policy};
use tare_stats::sequential::Design;

/// How long measuring may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    Total(f64),
    /// Seconds for each case; unused time goes to the others.
    PerCase(f64),
    /// As long as it takes, whatever the project says.
    Unlimited,
}

impl Budget {
    /// Seconds for this many cases; `None` if unlimited.
    pub fn for_cases(self, cases: usize) -> Option<f64> {
        match self {
            Budget::Total(seconds) => Some(seconds),
            Budget::PerCase(seconds) => Some(seconds * cases as f64),
            Budget::Unlimited => None,
        }
    }
}

/// Half of a 95 % interval that is narrow enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Precision {
    Share(f64),
    Ns(f64),
}

/// What the user asks for, and the project's default; unset fields have their usual values. The rules of a plan follow once it is known what
/// is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Amount {
    pub effort: Effort,
    pub precision: Option<Precision>,
    pub launches: Option<u32>,
    pub rounds: Option<u32>,
    pub invocations: Option<u64>,
    pub minimum_effect: Option<f64>,
    pub timeout_s: Option<f64>,
    pub processor: Option<u32>,
    pub clocking: Clocking,
    pub memory_randomization: bool,
    pub budget: Option<Budget>,
    /// The project's budget, if none was requested.
    pub usual_budget: Option<Budget>,
    /// Total time of several comparisons, s.
    pub of_all_s: Option<f64>,
    pub keep_order: bool,
    pub seed: Option<u64>,
}

/// Most waves of a run with a given number of launches: as many as a comparison may have.
const WAVES_MAX: u32 = 32;
/// Most waves if a precision may end the run.
const PRECISION_WAVES_MAX: u32 = 16;
/// Fewest waves if a precision may end the run: 8 launches.
const PRECISION_WAVES_MIN: u32 = 4;
/// Children of a case that are alive together at most.
const WIDTH_MAX: u32 = 7;
pub const LAUNCHES_MAX: u32 = WIDTH_MAX * WAVES_MAX;
/// Default time of a case or a pair, s (`docs/decisions/0014-how-much-to-measure.md`).
const CASE_S: f64 = 12.0;
/// The same with `--quick`: two or three waves of a pair of native code.
const QUICK_CASE_S: f64 = 1.5;
/// Layouts of each program: with 64 launches a side each launch has its own, so that launches are independent.
const LAYOUTS: u32 = 64;
/// Layouts in a quick comparison, which makes some 8 launches.
const LAYOUTS_QUICK: u32 = 8;
/// Minimum effect if code layout cannot be varied: a build alone can change a time by as much (`method.md`).
const LAYOUT_LIMITED: f64 = 0.03;
/// Most waves in that case: they decide about an effect of that size, and such programs often take long to start.
const WAVES_LAYOUT_LIMITED: u32 = 16;
/// Most launches that draw the same layout: more of them do not average out what they share.
const LAUNCHES_OF_A_LAYOUT: usize = 2;

impl Amount {
    pub fn policy(&self) -> Policy {
        let mut policy = Policy::of(self.effort);
        if let Some(precision) = self.precision {
            (policy.precision, policy.precision_ns) = match precision {
                Precision::Share(share) => (Some(share), None),
                Precision::Ns(ns) => (None, Some(ns)),
            };
            // Looking after few launches would stop on those that agree by chance.
            policy.waves_min = policy.waves_min.max(PRECISION_WAVES_MIN);
            policy.waves_max = PRECISION_WAVES_MAX;
            policy.usual_launches = false;
        }
        if let Some(launches) = self.launches {
            let (width, waves) = waves_of(launches);
            (policy.width, policy.waves_min, policy.waves_max) = (width, waves, waves);
            policy.usual_launches = false;
        }
        policy.timeout_s = self.timeout_s.unwrap_or(policy.timeout_s);
        policy.minimum_effect = self.minimum_effect.unwrap_or(policy.minimum_effect);
        policy.rounds = self.rounds.unwrap_or(policy.rounds);
        policy.invocations = self.invocations;
        policy.processor = self.processor;
        policy.clocking = self.clocking;
        policy.memory_randomization = self.memory_randomization;
        policy.keep_order = self.keep_order;
        policy
    }

    /// The same, quick unless more was asked for.
    pub fn or_quick(mut self) -> Amount {
        let is_asked = self.launches.is_some() || self.rounds.is_some() || self.budget.is_some();
        if self.effort == Effort::Default && !is_asked {
            self.effort = Effort::Quick;
        }
        self
    }

    /// For one of several comparisons: a total time is not that of each.
    #[must_use]
    pub fn of_several(self) -> Amount {
        match self.budget {
            Some(Budget::Total(seconds)) => Amount { budget: None, of_all_s: Some(seconds), ..self },
            _ => self,
        }
    }

    pub fn comparison_policy(&self) -> Policy {
        let asked = Amount { precision: None, ..*self }.policy();
        let usual = Policy::comparison(self.effort);
        let (width, waves_max) = match self.launches {
            Some(_) => (asked.width, asked.waves_max),
            None => (usual.width, usual.waves_max),
        };
        let rounds = self.rounds.unwrap_or(usual.rounds);
        let asked = Policy { precision: None, precision_ns: None, ..asked };
        Policy { width, waves_min: usual.waves_min, waves_max, rounds, usual_launches: false, ..asked }
    }

    /// The policy once the builds are known: no more waves than layouts keep launches independent for, and a larger minimum effect if the
    /// layout is luck; with the time of this many pairs. `calibrated`: see [`tare_model::Calibration::minimum_effect`].
    pub fn comparison_policy_of(
        &self,
        artifacts: &[Artifact],
        pairs: usize,
        calibrated: impl Fn(f64, bool) -> f64,
    ) -> Policy {
        let mut policy = self.comparison_policy();
        if self.launches.is_none() {
            policy.waves_max = waves_max(&policy, artifacts);
        }
        if self.minimum_effect.is_none() {
            let varies_layout = !layout_may_favour(artifacts);
            let least = if varies_layout { 0.0 } else { LAYOUT_LIMITED };
            policy.minimum_effect = calibrated(policy.minimum_effect.max(least), varies_layout);
        }
        self.set_budget(&mut policy, pairs);
        policy
    }

    /// Layouts to build of each program in a comparison.
    pub fn layouts(&self) -> u32 {
        match self.effort {
            Effort::Quick => LAYOUTS_QUICK,
            Effort::Default | Effort::Long => LAYOUTS,
        }
    }

    /// Sets the time for this many cases or pairs. If the user set none, it is a cap that leaves nothing out.
    pub fn set_budget(&self, policy: &mut Policy, count: usize) {
        let (asked, usual) = (self.budget, self.usual_budget);
        let cap = self.cap().filter(|_| asked.is_none());
        // A quick run keeps its time, whatever the project's default.
        let budget = match self.effort {
            Effort::Quick => asked.or(cap).or(usual),
            _ => asked.or(usual).or(cap),
        };
        policy.budget_s = budget.and_then(|budget| budget.for_cases(count));
        policy.first_waves_always = budget.is_some() && budget == cap;
    }

    /// The time per case or pair that ends what has no other end; `None` if the user says how much is enough.
    fn cap(&self) -> Option<Budget> {
        let is_asked = self.precision.is_some() || self.launches.is_some() || self.rounds.is_some();
        match self.effort {
            _ if is_asked => None,
            Effort::Quick => Some(Budget::PerCase(QUICK_CASE_S)),
            Effort::Default => Some(Budget::PerCase(CASE_S)),
            Effort::Long => None,
        }
    }
}

/// Most waves for which launches stay practically independent.
fn waves_max(policy: &Policy, artifacts: &[Artifact]) -> u32 {
    let layouts = artifacts.iter().filter(|a| a.varies_layout()).map(|a| a.layouts.len()).min();
    let fitting = layouts.map(|layouts| ((LAUNCHES_OF_A_LAYOUT * layouts) as u32 / policy.width.max(1)).max(1));
    let is_limited = !artifacts.iter().any(Artifact::is_of_another_harness) && layout_may_favour(artifacts);
    let limited = is_limited.then_some(WAVES_LAYOUT_LIMITED);
    policy.waves_max.min(fitting.or(limited).unwrap_or(u32::MAX))
}

/// Whether code layout may favour one of these programs: it is not varied, and they do not share one interpreter.
fn layout_may_favour(artifacts: &[Artifact]) -> bool {
    let mut interpreters = artifacts.iter().filter(|a| a.interpreted).map(|a| a.command.first());
    let first = interpreters.next();
    artifacts.iter().any(Artifact::has_fixed_layout) || interpreters.any(|other| Some(other) != first)
}

/// Width and number of waves for `launches` launches of a case, or a few more: at most 32 waves, more than one from 8 launches on, and as
/// near to the usual width of 4 as possible.
fn waves_of(launches: u32) -> (u32, u32) {
    if launches < 8 {
        return if launches == 6 { (3, 2) } else { (launches, 1) };
    }
    let fits = |width: &u32, wanted: u32| {
        let waves = wanted / width;
        wanted % width == 0 && (2..=WAVES_MAX).contains(&waves) && has_looks(*width, waves)
    };
    (launches..)
        .find_map(|wanted| {
            let width =
                (2..=WIDTH_MAX).filter(|width| fits(width, wanted)).min_by_key(|width: &u32| width.abs_diff(4))?;
            Some((width, wanted / width))
        })
        .unwrap_or((4, WAVES_MAX))
}

/// Whether boundaries exist for a look after each of this many waves of that width.
fn has_looks(width: u32, waves: u32) -> bool {
    let design = Design { processes_per_side: width as usize, looks: waves as usize };
    design.max_looks().is_some_and(|looks| looks >= waves as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_fill_waves() {
        for (launches, width, waves) in [
            (1, 1, 1),
            (4, 4, 1),
            (6, 3, 2),
            (7, 7, 1),
            (8, 4, 2),
            (9, 3, 3),
            (10, 5, 2),
            (11, 4, 3),
            (12, 4, 3),
            (24, 4, 6),
            (64, 4, 16),
            (128, 4, 32),
            (LAUNCHES_MAX, 7, 32),
        ] {
            assert_eq!(waves_of(launches), (width, waves), "{launches}");
        }
        for launches in 1..=LAUNCHES_MAX {
            let (width, waves) = waves_of(launches);
            assert!(width * waves >= launches && width * waves < launches + 8 && waves <= WAVES_MAX, "{launches}");
            assert!(waves == 1 || has_looks(width, waves), "{launches} would be measured and not looked at");
        }
    }

    #[test]
    fn a_precision_leaves_room_for_more_waves_and_a_comparison_has_none() {
        let amount = Amount { precision: Some(Precision::Share(0.01)), ..Amount::default() };
        let policy = amount.policy();
        assert_eq!((policy.precision, policy.waves_max), (Some(0.01), PRECISION_WAVES_MAX));
        assert_eq!(amount.comparison_policy(), Policy::comparison(Effort::Default));
        let absolute = Amount { precision: Some(Precision::Ns(20.0)), ..Amount::default() }.policy();
        assert_eq!((absolute.precision, absolute.precision_ns), (None, Some(20.0)));
        let eight = Amount { launches: Some(8), ..amount }.comparison_policy();
        assert_eq!((eight.width, eight.waves_min, eight.waves_max), (4, 1, 2));
    }

    #[test]
    fn few_layouts_end_a_comparison_early_and_one_asks_for_a_larger_effect() {
        let artifact = |layouts: usize| -> Artifact {
            serde_json::from_value(serde_json::json!({
                "name": "p", "language": "c", "toolchain": "file", "command": ["p"], "directory": ".", "hash": "", "layouts": vec!["l"; layouts],
            }))
            .expect("an artifact")
        };
        let of = |amount: Amount, layouts| {
            let policy = amount.comparison_policy_of(&[artifact(layouts)], 1, |least, _| least);
            (policy.waves_max, policy.minimum_effect)
        };
        assert_eq!(of(Amount::default(), 64), (32, 0.01));
        assert_eq!(of(Amount::default(), 32), (16, 0.01));
        assert_eq!(of(Amount::default(), 8), (4, 0.01));
        assert_eq!(of(Amount::default(), 1), (16, LAYOUT_LIMITED));
        // The code of an interpreter is the same on both sides if they share it.
        let interpreted =
            |interpreter: &str| Artifact { interpreted: true, command: vec![interpreter.to_owned()], ..artifact(0) };
        let of_two = |base: &str, new: &str| {
            let sides = [interpreted(base), interpreted(new)];
            let policy = Amount::default().comparison_policy_of(&sides, 1, |least, _| least);
            (policy.waves_max, policy.minimum_effect)
        };
        assert_eq!(of_two("python3.8", "python3.8"), (32, 0.01));
        assert_eq!(of_two("python3.8", "python3.13"), (16, LAYOUT_LIMITED));
        // The user's values stay.
        assert_eq!(of(Amount { minimum_effect: Some(0.002), ..Amount::default() }, 1), (16, 0.002));
        assert_eq!(of(Amount { launches: Some(64), ..Amount::default() }, 8), (16, 0.01));
        let suite = Artifact { toolchain: tare_model::HARNESS.to_owned(), ..artifact(0) };
        let policy = Amount::default().comparison_policy_of(&[suite], 1, |least, _| least);
        assert_eq!((policy.waves_max, policy.minimum_effect), (32, LAYOUT_LIMITED));
    }

    #[test]
    fn what_nobody_gave_a_time_has_a_cap() {
        let of = |amount: Amount, asked, usual| {
            let mut policy = Policy::default();
            Amount { budget: asked, usual_budget: usual, ..amount }.set_budget(&mut policy, 4);
            (policy.budget_s, policy.first_waves_always)
        };
        let effort = |effort| Amount { effort, ..Amount::default() };
        let (usual, project) = (effort(Effort::Default), Some(Budget::Total(9.0)));
        assert_eq!(of(usual, None, None), (Some(48.0), true));
        assert_eq!(of(usual, None, project), (Some(9.0), false));
        assert_eq!(of(usual, Some(Budget::PerCase(5.0)), project), (Some(20.0), false));
        assert_eq!(of(usual, Some(Budget::Unlimited), project), (None, false), "of the project either");
        assert_eq!(of(effort(Effort::Quick), None, project), (Some(6.0), true));
        assert_eq!(of(effort(Effort::Quick), Some(Budget::PerCase(5.0)), project), (Some(20.0), false));
        assert_eq!(of(effort(Effort::Long), None, None), (None, false));
        assert_eq!(
            of(Amount { launches: Some(64), ..usual }, None, None),
            (None, false),
            "who asks for launches gets them"
        );
    }
}
