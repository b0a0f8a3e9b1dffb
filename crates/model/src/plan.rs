//! The plan of a run and its rules.

use crate::Case;
use serde::{Deserialize, Serialize};

/// Cases that are compared with each other: their children run at the same time and are visited in turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseGroup {
    /// Indices into [`Plan::cases`].
    pub cases: Vec<u32>,
    /// Index into [`Plan::cases`] of the baseline, one of `cases`; None if nothing is compared.
    pub baseline: Option<u32>,
    /// The cases are builds of one benchmark: all make visits of as many invocations as the baseline, so that nothing but
    /// the build differs, as long as none takes more than four times as long as it, or less than a quarter. The baseline stands first.
    #[serde(default)]
    pub same_invocations: bool,
    /// Nothing is compared, and yet several children of each case are alive at a time: they wait together for a runtime that compiles some
    /// time after it was called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub side_by_side: bool,
}

impl CaseGroup {
    /// Cases compared with the baseline; empty without one.
    pub fn contestants(&self) -> impl Iterator<Item = u32> + '_ {
        let is_contestant = |case: &u32| self.baseline.is_some_and(|baseline| baseline != *case);
        self.cases.iter().copied().filter(is_contestant)
    }
}

/// The cases with the order and rules of their measurement. A plan and a seed decide everything that is not measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The rows, in the order of the table.
    pub cases: Vec<Case>,
    /// What is measured together; every case is in one group at least.
    pub groups: Vec<CaseGroup>,
    /// The rules.
    pub policy: Policy,
    /// Which diagnosers look at the cases, and how.
    #[serde(default, skip_serializing_if = "DiagnosisPlan::is_empty")]
    pub diagnosis: DiagnosisPlan,
    /// Groups that this run measures, where others measure the rest; none: all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<u32>,
    /// Source of all randomness of the run.
    pub seed: u64,
}

impl Plan {
    /// Number of comparisons: contestants in all groups with a baseline.
    pub fn comparisons(&self) -> usize {
        self.groups.iter().filter(|g| g.baseline.is_some()).map(|g| g.cases.len().saturating_sub(1)).sum()
    }

    /// The diagnosers of a case, each once: those of the whole run, then those of its declaration.
    pub fn diagnosers_of(&self, case: u32) -> impl Iterator<Item = &str> {
        let (of_run, declared) = (&self.diagnosis.diagnosers, &self.cases[case as usize].benchmark.diagnosers);
        let further = declared.iter().filter(|name| !of_run.contains(name));
        of_run.iter().chain(further).map(String::as_str)
    }

    /// Whether this run measures a group.
    pub fn measures(&self, group: u32) -> bool {
        self.only.is_empty() || self.only.contains(&group)
    }

    /// The name of a rule with an implausible value.
    pub(crate) fn beyond(&self) -> Option<&'static str> {
        let DiagnosisPlan { watch_s, depth, .. } = self.diagnosis;
        match (watch_s, depth) {
            (Some(s), _) if !(0.0..=DiagnosisPlan::WATCH_MAX_S).contains(&s) => Some("watch_s"),
            (_, Some(depth)) if depth > DEPTH_MAX => Some("depth"),
            _ => self.policy.beyond(),
        }
    }
}

/// Before 2.2 the rules held what diagnosers do and what other runs measure, called the effort otherwise, and did not say whether a number
/// of launches was asked for.
impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Plan, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            cases: Vec<Case>,
            groups: Vec<CaseGroup>,
            policy: StoredPolicy,
            diagnosis: Option<DiagnosisPlan>,
            only: Option<Vec<u32>>,
            seed: u64,
        }
        #[derive(Deserialize)]
        struct StoredPolicy {
            #[serde(flatten)]
            rules: Policy,
            profile: Option<Effort>,
            usual_launches: Option<bool>,
            #[serde(flatten)]
            diagnosis: DiagnosisPlan,
            #[serde(default)]
            only: Vec<u32>,
        }
        let Stored { cases, groups, mut policy, diagnosis, only, seed } = Stored::deserialize(from)?;
        policy.rules.effort = policy.profile.unwrap_or(policy.rules.effort);
        let waves = |policy: &Policy| (policy.width, policy.waves_min, policy.waves_max);
        let is_usual = || waves(&policy.rules) == waves(&Policy::of(policy.rules.effort));
        let usual_launches = policy.usual_launches.unwrap_or_else(is_usual);
        Ok(Plan {
            cases,
            groups,
            policy: Policy { usual_launches, ..policy.rules },
            diagnosis: diagnosis.unwrap_or(policy.diagnosis),
            only: only.unwrap_or(policy.only),
            seed,
        })
    }
}

/// Diagnosers that look at a run, and what they are asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct DiagnosisPlan {
    /// Those that look at every case, beside those that its declaration asks for, in passes of their own, after the times were measured.
    #[serde(alias = "diagnose", skip_serializing_if = "Vec::is_empty")]
    pub diagnosers: Vec<String>,
    /// Those that look at both sides of what got slower or faster, and at nothing else.
    #[serde(alias = "diagnose_changed", skip_serializing_if = "Vec::is_empty")]
    pub of_changed: Vec<String>,
    /// How long a diagnoser watches a body that runs steadily, s; None: as long as it wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch_s: Option<f64>,
    /// Calls that a diagnoser of code follows, one after the other; None: as many as it wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Names of the events that are counted where a diagnoser counts events; none: the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<String>,
    /// The run is to say why times are what they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub why: bool,
}

/// Most calls that anyone follows.
const DEPTH_MAX: u32 = 100;

impl DiagnosisPlan {
    /// Longest time that a diagnoser may watch a case, in s: an hour.
    pub const WATCH_MAX_S: f64 = 3600.0;

    pub fn is_empty(&self) -> bool {
        *self == DiagnosisPlan::default()
    }
}

/// How much time to spend.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// About 0.2 s per case of native code.
    Quick,
    /// About 1 s per case.
    #[default]
    Default,
    /// Up to 16 waves.
    Long,
}

/// Which kind of time is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Clocking {
    /// Times of code that follows the core's clock are shown at the reference clock of the environment.
    #[default]
    Reference,
    /// Wall-clock times.
    Wall,
}

/// The rules of measuring and deciding; constants and their reasons are in the method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Policy {
    /// How much time to spend.
    pub effort: Effort,
    /// Children of each case of a comparison that run at the same time in a wave.
    pub width: u32,
    /// Waves of a comparison at least.
    pub waves_min: u32,
    /// Waves of a comparison at most; also the number of looks of the sequential rule.
    pub waves_max: u32,
    /// Waves follow where the planned ones decide nothing: no number of launches and no precision was asked for, and no two sides are compared.
    pub usual_launches: bool,
    /// Valid visits of each child in a wave.
    pub rounds: u32,
    /// Time that the visits of a launch are to take together, ns, for bodies that need no warm-up in each process: there are then fewer of
    /// long ones, at least one, and no more than `rounds`. None: as the length of a visit has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_ns: Option<f64>,
    /// Target length of a visit, ns.
    pub visit_ns: f64,
    /// Stop a case when the half-width of its 95 % interval is below this share of its value (0.005 is 0.5 %).
    pub precision: Option<f64>,
    /// The same as a time of an operation, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_ns: Option<f64>,
    /// Time for the whole run, all its parts together, s: what has not started when it is spent is not measured.
    pub budget_s: Option<f64>,
    /// The budget is a cap that nobody asked for: the first four launches of every case are made where they end within twice that time.
    pub first_waves_always: bool,
    /// Time that these launches need where that is more than the budget, s, as far as the first of them show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_s: Option<f64>,
    /// Deadline of one step of a child, s.
    pub timeout_s: f64,
    /// Smallest change that is called faster or slower, as a share (0.01 is 1 %).
    pub minimum_effect: f64,
    /// Which kind of time is shown.
    pub clocking: Clocking,
    /// Fixed number of invocations of an iteration.
    pub invocations: Option<u64>,
    /// Fixed warm-up, ns; None: by values. With 0 no launch warms up after the first.
    pub warmup_ns: Option<f64>,
    /// A child whose resident memory grew by more than this since `opened`, and with every visit, is stopped; bytes.
    pub growth_limit_bytes: u64,
    /// Run benchmarks in the order of the table instead of a random one.
    pub keep_order: bool,
    /// The processor that bodies which compute alone are measured on; None: where the core is shared least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<u32>,
    /// Before each visit but the first the child makes its instance anew, elsewhere in memory: the times are then those of many places of the
    /// data, and all of them count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory_randomization: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            effort: Effort::Default,
            width: 2,
            waves_min: 6,
            waves_max: 6,
            usual_launches: true,
            rounds: 24,
            launch_ns: None,
            visit_ns: 1e6,
            precision: None,
            precision_ns: None,
            budget_s: None,
            first_waves_always: false,
            expected_s: None,
            timeout_s: 60.0,
            minimum_effect: 0.01,
            clocking: Clocking::Reference,
            invocations: None,
            warmup_ns: None,
            growth_limit_bytes: 24 << 20,
            keep_order: false,
            processor: None,
            memory_randomization: false,
        }
    }
}

/// Launches of a case, or processes of a side, needed for an interval: fewer do not show how much they differ.
pub const INTERVAL_LAUNCHES: usize = 4;

/// Largest credible values of rules: more than any user requests, less than a damaged digit would produce.
const WIDTH_MAX: u32 = 64;
const WAVES_MAX: u32 = 200_000;
const ROUNDS_MAX: u32 = 1_000_000;
/// For a launch of a whole command, whose end may depend on a number of runs only: its time is then 1e18.
const LAUNCH_MAX_NS: f64 = 1e18;

impl Policy {
    /// Longest visit or warm-up: 10,000 s.
    pub const TIME_MAX_NS: f64 = 1e13;
    /// Longest wait for a reply, in s.
    pub const TIMEOUT_MAX_S: f64 = 1e8;

    /// The name of a rule with an implausible value.
    pub(crate) fn beyond(&self) -> Option<&'static str> {
        let is_time = |ns: f64| (0.0..=Policy::TIME_MAX_NS).contains(&ns);
        let is_launch = |ns: f64| (0.0..=LAUNCH_MAX_NS).contains(&ns);
        let rules = [
            ("width", (1..=WIDTH_MAX).contains(&self.width)),
            ("waves_min", self.waves_min <= self.waves_max),
            ("waves_max", self.waves_max <= WAVES_MAX),
            ("rounds", self.rounds <= ROUNDS_MAX),
            ("visit_ns", is_time(self.visit_ns)),
            ("launch_ns", self.launch_ns.is_none_or(is_launch)),
            ("warmup_ns", self.warmup_ns.is_none_or(is_time)),
            ("timeout_s", (0.0..=Policy::TIMEOUT_MAX_S).contains(&self.timeout_s)),
        ];
        rules.into_iter().find(|(_, is_possible)| !is_possible).map(|(name, _)| name)
    }

    /// Children of each case in a group that are alive together. A case without a comparison has one at a time, because children of one
    /// wave share the same minute; [`CaseGroup::side_by_side`] is the exception.
    pub fn width_of(&self, group: &CaseGroup) -> u32 {
        if group.baseline.is_some() || group.side_by_side {
            self.width
        } else {
            1
        }
    }

    /// Least and most waves of a group, such that a case has the same number of launches either way.
    pub fn waves_of(&self, group: &CaseGroup) -> (u32, u32) {
        let times = self.width / self.width_of(group).max(1);
        (self.waves_min * times, self.waves_max * times)
    }

    pub fn of(effort: Effort) -> Policy {
        let base = Policy { effort, ..Policy::default() };
        match effort {
            Effort::Quick => Policy { waves_min: 2, waves_max: 2, rounds: 16, ..base },
            Effort::Default => base,
            Effort::Long => Policy { waves_min: 8, waves_max: 16, rounds: 32, precision: Some(0.005), ..base },
        }
    }

    /// Its launches are so few that a difference takes one more wave.
    pub fn takes_confirmation(&self) -> bool {
        self.usual_launches && self.effort == Effort::Quick
    }

    /// The rules for comparing two sides, with a look after each of at most 32 waves of 4 launches per side. The number of looks is part of
    /// the rule that limits false alarms: less time ends early, more time makes waves longer.
    pub fn comparison(effort: Effort) -> Policy {
        let rounds = match effort {
            Effort::Long => 48,
            _ => Policy::of(effort).rounds,
        };
        Policy { effort, width: 4, waves_min: 1, waves_max: 32, usual_launches: false, rounds, ..Policy::default() }
    }
}
