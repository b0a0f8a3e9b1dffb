//! Metrics: what a child measures per iteration besides its time. It names them in `hello`; the rest of Tare does not know them.

use serde::{Deserialize, Serialize};

/// Which values of a metric are better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Less costs less: times, bytes.
    Lower,
    /// More is better: throughput.
    Higher,
    /// Unknown.
    #[default]
    Unknown,
}

/// What a value of an iteration is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// The sum over the iteration: it is shown per operation.
    #[default]
    Operation,
    /// The sum over the iteration: it is shown per second.
    Second,
    /// A value such as a length or a share, which is shown as the mean over the iterations.
    Iteration,
}

/// A quantity that a child measures of each iteration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name: lower-case letters, digits and `_`.
    pub name: String,
    /// Unit of a value, such as `B`; empty for a count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Which values are better.
    #[serde(default)]
    pub better: Better,
    /// What a value is about.
    #[serde(default)]
    pub per: Per,
    /// The same code gives the same count in every process, so that every difference is one. Two processes show whether it does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}

const NAME_MAX: usize = 40;

impl Metric {
    pub const ALLOCATED_BYTES: &'static str = "allocated_bytes";
    /// Executed instructions in a simulated processor; with the name of its diagnoser, as in runs.
    pub const INSTRUCTIONS: &'static str = "instructions/executed";
    pub const ALLOCATIONS: &'static str = "allocations";

    pub fn collections_of(generation: u32) -> String {
        format!("collections_{generation}")
    }

    /// Whether it counts garbage collections, in total or of a generation (`collections_0`).
    pub fn is_collections(name: &str) -> bool {
        const ALL: &str = "collections";
        name == ALL || name.strip_prefix(ALL).and_then(|rest| rest.strip_prefix('_')).is_some()
    }

    /// Waits for a lock; with the name of its diagnoser, as in runs.
    pub const LOCK_CONTENTIONS: &'static str = "threading/lock_contentions";
    /// Work items completed by the thread pool.
    pub const WORK_ITEMS: &'static str = "threading/work_items";
    pub const EXCEPTIONS: &'static str = "exceptions/thrown";

    /// Prefix of thread facts from the system, which depend on what else runs.
    const OF_THREADS: &'static str = "threads/";

    /// Whether a metric gets a verdict only on request, because its count is not a cost in itself.
    pub fn is_shown_alone(name: &str) -> bool {
        [Metric::LOCK_CONTENTIONS, Metric::WORK_ITEMS, Metric::EXCEPTIONS].contains(&name)
            || Metric::is_collections(name)
            || name.starts_with(Metric::OF_THREADS)
    }

    /// Whether it counts requests of the body, so that a whole number per operation is not a coincidence and one process is enough.
    pub fn is_of_the_body(name: &str) -> bool {
        [Metric::WORK_ITEMS, Metric::EXCEPTIONS].contains(&name)
    }

    /// The rule for names, for messages that start with the subject.
    pub const NAME_RULE: &'static str = "has at most 40 characters: lower-case letters, digits and `_`";

    /// Whether a name is valid as a column and a command-line word.
    pub fn is_name(name: &str) -> bool {
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        name.len() <= NAME_MAX && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(good)
            || name.strip_prefix("x-").is_some_and(Metric::is_name)
    }
}

/// Something that happened besides the user's code during an iteration, such as a garbage collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeEvent {
    /// The iteration, from 0: an index into the columns that it stands beside.
    pub iteration: u32,
    /// What it was: `collection`, `compilation`, or another word of the child.
    pub kind: String,
    /// When it started, ns after the start of the iteration.
    pub at_ns: f64,
    /// How long it took, ns; 0 if unknown.
    pub ns: f64,
}

impl RuntimeEvent {
    /// The kind of a compilation by the runtime.
    pub const COMPILATION: &'static str = "compilation";
    /// Something was left to compile when the request was answered.
    pub const COMPILING: &'static str = "compiling";
}
