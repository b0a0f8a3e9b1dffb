//! A row of the table: a benchmark with its parameters, run under a job.

use crate::{InstanceWork, PolicyOverlay, Rate, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A named input of a benchmark with one of its values, as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Name of the parameter.
    pub name: String,
    /// Value as the front end writes it.
    pub value: String,
    /// The type of the value, if the front end reports it.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ParameterType>,
}

/// The type of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ParameterType {
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// Anything else.
    Text,
}

impl Parameter {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Parameter {
        Parameter { name: name.into(), value: value.into(), kind: None }
    }

    /// A canonical form of the value: numbers that front ends write differently become equal texts.
    pub fn canonical(&self) -> String {
        let number = match self.kind {
            Some(ParameterType::Integer) => self.value.parse::<i128>().ok().map(|number| number.to_string()),
            Some(ParameterType::Float) => self.value.parse::<f64>().ok().map(|number| number.to_string()),
            _ => None,
        };
        number.unwrap_or_else(|| self.value.clone())
    }
}

/// The set-ups and clean-ups that a benchmark can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetUp {
    /// Once per launch, before everything.
    Global,
    /// Once per launch, at the end.
    GlobalCleanUp,
    /// Before each iteration, untimed.
    Iteration,
    /// After each iteration, untimed.
    IterationCleanUp,
}

/// How a benchmark is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Warmed up, with enough invocations per iteration for a visit, and the cost of the loop subtracted.
    #[default]
    Throughput,
    /// Each invocation is a separate iteration. Nothing is warmed up or dropped.
    Monitoring,
    /// Only the first invocation of each process.
    ColdStart,
    /// Each process is one measurement, which the harness of the benchmark makes by itself.
    Process,
}

impl Strategy {
    pub fn title(self) -> &'static str {
        match self {
            Strategy::Throughput => "throughput",
            Strategy::Monitoring => "monitoring",
            Strategy::ColdStart => "cold start",
            Strategy::Process => "a process of its harness",
        }
    }

    /// Keeps every measurement: no pilot, warm-up or empty loop.
    pub fn keeps_all(self) -> bool {
        self != Strategy::Throughput
    }

    /// Disturbed measurements count: a call that happens once, or differs by design, cannot be repeated.
    pub fn counts_disturbed(self) -> bool {
        matches!(self, Strategy::Monitoring | Strategy::ColdStart)
    }

    pub fn is_single(self) -> bool {
        matches!(self, Strategy::ColdStart | Strategy::Process)
    }

    /// Whether it is the default, which is omitted.
    pub fn is_throughput(&self) -> bool {
        *self == Strategy::Throughput
    }
}

/// What a benchmark declares about the results of its body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Results {
    /// They are the same in each invocation and for all contestants.
    #[default]
    Same,
    /// Each invocation intentionally returns something else.
    Change,
    /// It intentionally returns something else than the other contestants.
    Differ,
}

impl Results {
    pub fn is_same(&self) -> bool {
        *self == Results::Same
    }
}

/// How a benchmark wants its children to be started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct LaunchOptions {
    /// Environment variables with their values.
    pub environment: BTreeMap<String, String>,
    /// Arguments that follow the program's own.
    pub arguments: Vec<String>,
}

impl LaunchOptions {
    pub fn is_empty(&self) -> bool {
        self.environment.is_empty() && self.arguments.is_empty()
    }

    /// A variable that the system rejects, or that is reserved by Tare.
    pub fn bad_variable(&self) -> Option<&str> {
        let bad = |name: &&String| name.is_empty() || name.contains(['=', '\0']) || name.starts_with("TARE_");
        self.environment.keys().find(bad).map(String::as_str)
    }
}

/// A job from the declaration of a benchmark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct DeclaredJob {
    /// Its name, also the value of the parameter `Job` where the processes of several jobs are started in different ways.
    pub name: String,
    /// Environment variables, which the launch of the benchmark has too.
    pub environment: BTreeMap<String, String>,
    /// Version of the runtime, or what else the front end calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// How it is measured, if the job says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The benchmark is compared with itself under this job.
    pub is_base: bool,
}

/// A benchmark of an artifact with its parameters filled in, as its front end listed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// Its number in the child's list: the argument of `open`.
    pub index: u32,
    /// What `open` says in addition, so that a process whose list has another order finds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Benchmarks of one group are compared with each other; may be empty.
    pub group: String,
    /// Name within the group.
    pub name: String,
    /// The parameters with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Source file of the declaration, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line of the declaration, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Whether the others of its group with the same parameters are compared with it.
    #[serde(default)]
    pub baseline: bool,
    /// Operations that one invocation does, at least 1.
    #[serde(default = "one")]
    pub operations: u64,
    /// Name of an operation.
    #[serde(default = "op")]
    pub unit: String,
    /// The amounts that an invocation processes, shown as rates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Rate>,
    /// For filters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// One line for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Which set-ups and clean-ups it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_ups: Vec<SetUp>,
    /// The body returns a value that goes to the sink; None if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<bool>,
    /// Threads that the body uses; 0 if unknown.
    #[serde(default = "one_thread")]
    pub threads: u32,
    /// What is wrong with its declaration: it fails without being measured, and the others are measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// Why it should not be measured: nothing is started for it, and this is not a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The body blocks intentionally (sleeps, waits for input or for another thread): only its wall time counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// The body reports how long it took: this is its time, and nothing is subtracted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_time: bool,
    /// Each iteration calls the user's function anew, which runs its invocations in a loop of its own: what the first of them do, such as
    /// filling a cache, is done again in each iteration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
    /// What it declares about the results of its body.
    #[serde(default, skip_serializing_if = "Results::is_same")]
    pub results: Results,
    /// Rules of measuring that its declaration sets.
    #[serde(default, skip_serializing_if = "PolicyOverlay::is_empty")]
    pub policy: PolicyOverlay,
    /// How it is measured.
    #[serde(default, skip_serializing_if = "Strategy::is_throughput")]
    pub strategy: Strategy,
    /// Maximum of invocations per iteration, because each uses up something that was prepared; None: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations_max: Option<u64>,
    /// Bytes of the input that is prepared for each invocation, as reported by the child that was opened first; None: there is none, or its
    /// size is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_bytes: Option<u64>,
    /// How a child that measures it is started, in addition to how all children of its program are started.
    #[serde(default, skip_serializing_if = "LaunchOptions::is_empty")]
    pub launch: LaunchOptions,
    /// Diagnosers that its declaration asks for, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnosers: Vec<String>,
    /// What it requires of the host: it fails on a host that lacks one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// The jobs that its declaration wants it to be measured under.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<DeclaredJob>,
    /// The names of its code, if the front end reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeName>,
}

/// The names of a benchmark's code in its language. Other tools of the language use these names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeName {
    /// Namespace, package or module; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Class; may be empty.
    #[serde(default, rename = "type", skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Method or function.
    pub method: String,
    /// The full name with the values of the parameters, as the tools of the language write it.
    pub full: String,
}

impl Default for Benchmark {
    fn default() -> Benchmark {
        Benchmark {
            index: 0,
            key: None,
            group: String::new(),
            name: String::new(),
            parameters: Vec::new(),
            file: None,
            line: None,
            baseline: false,
            operations: one(),
            unit: op(),
            rates: Vec::new(),
            categories: Vec::new(),
            description: String::new(),
            set_ups: Vec::new(),
            returns: None,
            threads: one_thread(),
            invalid: None,
            skipped: None,
            waits: false,
            own_time: false,
            restarts: false,
            results: Results::Same,
            policy: PolicyOverlay::default(),
            strategy: Strategy::Throughput,
            invocations_max: None,
            input_bytes: None,
            launch: LaunchOptions::default(),
            diagnosers: Vec::new(),
            requires: Vec::new(),
            jobs: Vec::new(),
            code: None,
        }
    }
}

fn one() -> u64 {
    1
}

fn one_thread() -> u32 {
    1
}

fn op() -> String {
    "op".to_owned()
}

impl Benchmark {
    /// `group/name`, or the name alone without a group.
    pub fn full_name(&self) -> String {
        if self.group.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.group, self.name)
        }
    }

    /// Sets the operations and rates of an invocation, if only the set-up knows them.
    pub fn learn(&mut self, work: &InstanceWork) {
        self.operations = work.operations.unwrap_or(self.operations);
        self.input_bytes = self.input_bytes.or(work.input_bytes);
        for rate in &mut self.rates {
            rate.per_invocation = work.rates.get(&rate.name).copied().unwrap_or(rate.per_invocation);
        }
    }

    /// `n=10, kind=sorted`; empty without parameters.
    pub fn parameter_text(&self) -> String {
        let parts: Vec<String> = self.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
        parts.join(", ")
    }

    pub fn has_iteration_set_up(&self) -> bool {
        self.set_ups.iter().any(|s| matches!(s, SetUp::Iteration | SetUp::IterationCleanUp))
    }
}

/// A row of the table: a benchmark of an artifact under a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// Index into [`crate::Run::artifacts`].
    pub artifact: u32,
    /// Index into [`crate::Run::jobs`].
    pub job: u32,
    /// The side of a comparison to which it belongs; None without a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The benchmark with its parameters.
    pub benchmark: Benchmark,
    /// Stable name of the benchmark: program, group, name and parameters. Together with job and side it is unique.
    pub key: String,
}
