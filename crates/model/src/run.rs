//! The central document: screens, files and comparisons are functions of it.

use crate::{
    Artifact, Attachment, ChildFacts, CommandLine, Diagnosis, Draw, Effort, Environment, Failure, Job, Loop, Missing,
    Plan, Policy, Series, Sides, Stage, Strategy,
};
use serde::{Deserialize, Serialize};

/// Version of the document's format: readers reject a greater first number.
pub const SCHEMA_VERSION: &str = "2.2";

/// The major version; documents with another one have another format. None: not a version.
pub fn schema_major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// Version of the method: results with different versions are not comparable without a note.
pub const METHOD_VERSION: &str = "waves-4";

/// How a launch ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LaunchOutcome {
    /// It still runs, or the run was cut off while it ran; its measurements are kept and not used for results.
    #[default]
    Unfinished,
    /// It did everything that was requested.
    Finished,
    /// It failed; see the case's failure.
    Failed,
}

/// One child process for one case, with everything that it measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Launch {
    /// Number within the run, from 0.
    pub id: u32,
    /// Index of the case.
    pub case: u32,
    /// Index of the case group within the plan.
    pub group: u32,
    /// Wave of the group, from 0.
    pub wave: u32,
    /// The part of the run in which it was made: index into [`Run::parts`].
    #[serde(default)]
    pub part: u32,
    /// What chance decided about it.
    #[serde(flatten)]
    pub draw: Draw,
    /// Time of its start since the start of the run, all parts together, ns.
    pub start_ns: f64,
    /// Invocations of a visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u64>,
    /// The processor to which its measuring thread was pinned; None: not pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<u32>,
    /// How it ended.
    pub outcome: LaunchOutcome,
    /// Process start until it was opened, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up_ns: Option<f64>,
    /// Greatest resident memory, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Growth of resident memory that continues with the invocations, bytes; what the first ones allocate and keep is not included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_growth_bytes: Option<i64>,
    /// Raw measurements.
    pub series: Vec<Series>,
}

impl Launch {
    /// It has visits, so it may count.
    pub fn is_visited(&self) -> bool {
        self.series.iter().any(|series| series.stage == Stage::Actual)
    }
}

/// How a case ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseResult {
    /// All waves that were planned for it are done.
    pub complete: bool,
    /// The one failure that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What `check` reported: digest of the result of one invocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What `check` reported: the result as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the next invocation returned, if it was something else: its text, or its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<String>,
    /// It failed beside other processes and was measured again alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Repetition>,
    /// Its child has loops of single turns, and it was too short for them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrolled: bool,
}

/// Why a case was measured again alone, and where: another process may have held something exclusive that its set-up needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Repetition {
    /// How it failed beside other processes.
    pub failure: Failure,
    /// Index of the case group that was added to the plan for it.
    pub group: u32,
}

impl CaseResult {
    /// Whether its launches in this group count, or will: it has not failed and was not moved to a group of its own.
    pub fn runs_in(&self, group: u32) -> bool {
        self.failure.is_none() && self.repeated.as_ref().is_none_or(|alone| alone.group == group)
    }

    /// It failed. Skipped cases have not.
    pub fn is_failed(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.skipped().is_none())
    }
}

/// State of the run as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// It is still running, or it was killed: `tare run --resume ID` continues it.
    #[default]
    Open,
    /// Stopped by the user: `tare run --resume ID` continues it.
    Interrupted,
    /// Done.
    Finished,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRun {
    pub reason: String,
}

impl std::fmt::Display for InvalidRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the run is inconsistent: {}", self.reason)
    }
}

impl std::error::Error for InvalidRun {}

/// A document with more rounds per wave is rejected.
const ROUNDS_MAX: u32 = 10_000_000;

impl Run {
    /// Number of groups in the original plan; later ones were added for repeated cases.
    pub fn planned_groups(&self) -> usize {
        let added = self.results.iter().filter_map(|result| Some(result.repeated.as_ref()?.group as usize)).min();
        added.map_or(self.plan.groups.len(), |first| first.min(self.plan.groups.len()))
    }

    /// Checks what readers rely on: valid indices and columns of equal length. The document may be damaged or written by something else.
    pub fn validate(&self) -> Result<(), InvalidRun> {
        let wrong = |reason: String| Err(InvalidRun { reason });
        let cases = self.plan.cases.len();
        if self.parts.is_empty() {
            return wrong("it has no part".to_owned());
        }
        if self.results.len() != cases {
            return wrong(format!("{} results for {cases} cases", self.results.len()));
        }
        if let Some(index) = self.artifacts.iter().position(|a| a.job as usize >= self.jobs.len()) {
            return wrong(format!("program {index} names a job that does not exist"));
        }
        for (index, case) in self.plan.cases.iter().enumerate() {
            if case.side.is_some() != self.sides.is_some() {
                return wrong(format!("case {index} and the run differ in whether two sides are compared"));
            }
            if case.artifact as usize >= self.artifacts.len() || case.job as usize >= self.jobs.len() {
                return wrong(format!("case {index} names an artifact or a job that does not exist"));
            }
        }
        for (index, group) in self.plan.groups.iter().enumerate() {
            let exists = |case: &u32| (*case as usize) < cases;
            if !group.cases.iter().all(exists) || group.baseline.is_some_and(|base| !group.cases.contains(&base)) {
                return wrong(format!("group {index} names a case that does not exist"));
            }
        }
        for (index, result) in self.results.iter().enumerate() {
            let Some(alone) = &result.repeated else { continue };
            let group = self.plan.groups.get(alone.group as usize);
            if group.is_none_or(|group| group.cases != [index as u32] || group.baseline.is_some()) {
                return wrong(format!("case {index} was measured again in a group that is not its own"));
            }
        }
        self.validate_rules()?;
        self.validate_launches()?;
        self.validate_diagnoses()
    }

    /// The rules are plausible. Otherwise a run resumed by others could go on for ever.
    fn validate_rules(&self) -> Result<(), InvalidRun> {
        let wrong = |reason: String| Err(InvalidRun { reason });
        let mut facts = self.artifacts.iter().filter_map(|artifact| artifact.child.as_ref());
        if facts.any(|facts| facts.unroll == 0 || facts.rolled_unroll == Some(0)) {
            return wrong("a program has a loop of 0 invocations".to_owned());
        }
        let of_cases = || (0..self.plan.cases.len() as u32).find_map(|case| self.policy_of(case).beyond());
        match self.plan.beyond().or_else(of_cases) {
            Some(rule) => wrong(format!("the rule `{rule}` has a value that cannot be asked for")),
            None => Ok(()),
        }
    }

    fn validate_launches(&self) -> Result<(), InvalidRun> {
        let wrong = |reason: String| Err(InvalidRun { reason });
        for (index, launch) in self.launches.iter().enumerate() {
            let names = launch.id as usize == index
                && (launch.case as usize) < self.plan.cases.len()
                && (launch.group as usize) < self.plan.groups.len()
                && (launch.part as usize) < self.parts.len();
            if !names {
                return wrong(format!("launch {index} is out of order or names a case or part that does not exist"));
            }
            if !launch.series.iter().all(Series::is_even) {
                return wrong(format!(
                    "a series of launch {index} has columns of different lengths or impossible counts"
                ));
            }
        }
        Ok(())
    }

    fn validate_diagnoses(&self) -> Result<(), InvalidRun> {
        for (index, diagnosis) in self.diagnoses.iter().enumerate() {
            let names =
                (diagnosis.case as usize) < self.plan.cases.len() && (diagnosis.part as usize) < self.parts.len();
            let fits = diagnosis
                .metrics
                .values()
                .all(|values| diagnosis.operations.is_empty() || values.len() == diagnosis.operations.len());
            if !names || !fits || diagnosis.invocations == 0 {
                let reason = format!("diagnosis {index} names a case or part that does not exist, or ran nothing");
                return Err(InvalidRun { reason });
            }
        }
        Ok(())
    }
}

impl Series {
    /// Its columns have equal lengths, and its counts are possible.
    fn is_even(&self) -> bool {
        let length = self.round.len();
        self.columns.len() == length
            && self.columns.windows_fit()
            && self.columns.optional().all(|(_, column)| column.is_empty() || column.len() == length)
            && self.columns.events_fit()
            && self.columns.operations.iter().all(|operations| *operations > 0.0)
            && self.invocations > 0
            && self.round.iter().all(|round| *round <= ROUNDS_MAX)
    }
}

/// A section of a run that was measured without interruption, on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// When it started: UTC, RFC 3339.
    pub created: String,
    /// The machine.
    pub environment: Environment,
    /// Duration, s.
    pub elapsed_s: f64,
}

impl Run {
    /// The user's request; without one, the words of the run's command.
    pub fn wanted(&self) -> CommandLine {
        match self.request.is_unknown() {
            true => CommandLine::verbatim(&self.command),
            false => self.request.clone(),
        }
    }

    /// Whether `--long` would measure more.
    pub fn can_be_longer(&self) -> bool {
        let rules = if self.sides.is_some() { Policy::comparison } else { Policy::of };
        self.plan.policy.rounds < rules(Effort::Long).rounds
    }

    /// The environment at the start of the run, whose clock is the reference clock of all times.
    pub fn environment(&self) -> &Environment {
        &self.parts[0].environment
    }

    pub fn environment_mut(&mut self) -> &mut Environment {
        &mut self.parts[0].environment
    }

    pub fn newest_environment(&self) -> &Environment {
        &self.parts[self.parts.len() - 1].environment
    }

    pub fn environment_of(&self, launch: &Launch) -> &Environment {
        &self.parts[launch.part as usize].environment
    }

    /// Largest share of stolen time in any part, 0 to 1.
    pub fn steal(&self) -> Option<f64> {
        self.greatest(|environment| environment.steal)
    }

    /// Largest share of time in any part in which tasks waited for a CPU, 0 to 1.
    pub fn cpu_pressure(&self) -> Option<f64> {
        self.greatest(|environment| environment.cpu_pressure)
    }

    pub fn child_of(&self, case: u32) -> Option<&ChildFacts> {
        let artifact = self.plan.cases.get(case as usize)?.artifact;
        self.artifacts.get(artifact as usize)?.child.as_ref()
    }

    /// A turn of the case's loop is a single invocation, although its child has an unrolled loop.
    pub fn has_single_turns(&self, case: u32) -> bool {
        self.child_of(case).is_some_and(|child| child.can("single")) && !self.results[case as usize].unrolled
    }

    /// The loop that a case runs in place of this one.
    pub fn loop_of(&self, case: u32, which: Loop) -> Loop {
        match self.has_single_turns(case) {
            true => which.of_single_turns(),
            false => which,
        }
    }

    /// Invocations per turn in the loop of a case, and in the loop that reveals the cost of a turn, if its child has one.
    pub fn turns_of(&self, case: u32) -> Option<(u64, Option<u64>)> {
        let child = self.child_of(case)?;
        Some(match self.has_single_turns(case) {
            true => (1, Some(child.unroll)),
            false => (child.unroll, child.rolled_unroll),
        })
    }

    /// The rules of a case: the plan's, overridden by its declaration, then by its job.
    pub fn policy_of(&self, case: u32) -> Policy {
        let Some(case) = self.plan.cases.get(case as usize) else { return self.plan.policy };
        let overlay = self.jobs.get(case.job as usize).map(|job| job.policy).unwrap_or_default();
        // The user's job settings take precedence over the code's.
        overlay.over(&case.benchmark.policy.over(&self.plan.policy))
    }

    /// The memory of a case should be randomized between visits, whether or not its child can.
    pub fn wants_other_memory(&self, case: u32) -> bool {
        let strategy = self.plan.cases.get(case as usize).map(|case| case.benchmark.strategy);
        !strategy.is_some_and(Strategy::is_single) && self.policy_of(case).memory_randomization
    }

    /// The same, and its child can.
    pub fn randomizes_memory(&self, case: u32) -> bool {
        self.wants_other_memory(case) && self.child_of(case).is_some_and(|child| child.can("randomize"))
    }

    fn greatest(&self, of: impl Fn(&Environment) -> Option<f64>) -> Option<f64> {
        self.parts.iter().filter_map(|part| of(&part.environment)).filter(|v| v.is_finite()).reduce(f64::max)
    }
}

/// One execution of a plan with every raw measurement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema: String,
    /// Hexadecimal, unique.
    pub id: String,
    /// UTC, RFC 3339.
    pub created: String,
    /// Version of Tare.
    pub tare: String,
    /// [`METHOD_VERSION`] of the writer.
    pub method: String,
    /// The command line that made it.
    pub command: Vec<String>,
    /// The same in parsed form, with what `tare.toml` said; unknown in runs of older versions.
    #[serde(default, skip_serializing_if = "CommandLine::is_unknown")]
    pub request: CommandLine,
    /// The sections in which it was measured, at least one; a resumed run has several.
    pub parts: Vec<Part>,
    /// What was built.
    pub artifacts: Vec<Artifact>,
    /// How things were built and run; cases and artifacts name theirs.
    pub jobs: Vec<Job>,
    /// The two sides of a comparison; None without a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
    /// What is missing in a run without sides.
    #[serde(default, skip_serializing_if = "Missing::is_empty")]
    pub missing: Missing,
    /// What it was meant to run.
    pub plan: Plan,
    /// How each case of the plan ended; same order as `plan.cases`.
    pub results: Vec<CaseResult>,
    /// Every launch with its measurements.
    pub launches: Vec<Launch>,
    /// Every pass of a diagnoser.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnoses: Vec<Diagnosis>,
    /// Every file that belongs to a part of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// State of the whole run.
    pub status: RunStatus,
    /// Duration so far, s; all parts together.
    pub elapsed_s: f64,
}
