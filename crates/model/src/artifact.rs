//! A built program and its child's description of itself.

use crate::{Diagnoser, Draw, Lack, LaunchChange, Metric, Parameter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a toolchain built from a target: a program that can be launched.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Artifact {
    /// Short name for people: the file or the bench target.
    pub name: String,
    /// Language of the source: `c`, `c++`, `c#`, `rust`, ...; as the child reports it where that differs.
    pub language: String,
    /// The toolchain that built it: `file`, `cargo`, `cmake`, `dotnet`, `program`.
    pub toolchain: String,
    /// Program and arguments of a launch.
    pub command: Vec<String>,
    /// Working directory of a launch.
    pub directory: String,
    /// Variables of all its processes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The command that built it; empty for a built program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_command: Vec<String>,
    /// Content hash of the source or program, hexadecimal: equal hash, equal code.
    pub hash: String,
    /// Programs with the same code in another layout, the first of them `command[0]`; each launch draws one.
    /// Empty: the layout cannot be varied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<String>,
    /// An interpreter runs it: the machine code of a launch is that of `command[0]`, and it compiles nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interpreted: bool,
    /// Values of parameters that the user gave instead of the declared ones, in the order of `--param`; every launch gets them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Parameter>,
    /// What the user says of the run (`--context`); it counts before what the program says under the same name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextEntry>,
    /// How it was started when it was asked for its benchmarks, so that it names the diagnosers that this makes possible.
    #[serde(default, skip_serializing_if = "LaunchChange::is_empty")]
    pub listed_with: LaunchChange,
    /// Diagnosers that were asked for and cannot look at it, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lacks: BTreeMap<String, Lack>,
    /// The job that it was built for: index into [`crate::Run::jobs`].
    #[serde(default)]
    pub job: u32,
    /// What the compiler built in to watch the program: sanitizers, coverage, profilers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instruments: Vec<String>,
    /// What the compiler called and what it inlined in measuring loops, where another program of the run differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopCalls>,
    /// What the child said of itself in `hello`; None before it was listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<ChildFacts>,
}

/// The functions that a measuring loop calls, itself or through others, and those that are inlined there. Only those that another
/// program of the run has the other way round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopCalls {
    /// Line of the benchmark that it measures, where the program says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The function or the type that it measures, where the program names it. Without line and body: all loops of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Functions that are called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// Functions that are inlined; None if the program has no debug information of the loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inlined: Option<Vec<String>>,
}

/// The toolchain name for programs of another harness.
pub const HARNESS: &str = "harness";
/// Position of that program in its artifact's command: after the child that starts it.
pub const HARNESS_PROGRAM: usize = 3;
/// With fewer layouts, their effects do not average out: two or three may all be slow.
pub const LAYOUTS_MIN: usize = 8;

impl Artifact {
    pub fn declares(&self, diagnoser: &str) -> bool {
        self.child.as_ref().is_some_and(|child| child.diagnosers.iter().any(|declared| declared.name == diagnoser))
    }

    /// The command line of a launch, with the layout that it drew as the program. A program of another harness is an argument of the child
    /// that starts it.
    pub fn words(&self, draw: &Draw) -> Vec<String> {
        let place = if self.is_of_another_harness() { HARNESS_PROGRAM } else { 0 };
        let mut words = self.command.clone();
        if let (Some(word), Some(layout)) = (words.get_mut(place), self.drawn(draw)) {
            layout.clone_into(word);
        }
        words
    }

    /// The command as people would start it: for a program of another harness, without the child before it, which only the host can start.
    pub fn own_command(&self) -> &[String] {
        let own = if self.is_of_another_harness() { HARNESS_PROGRAM } else { 0 };
        self.command.get(own..).unwrap_or(&self.command)
    }

    fn drawn(&self, draw: &Draw) -> Option<&String> {
        let count = self.layouts.len().max(1);
        self.layouts.get(draw.layout as usize % count)
    }

    /// The program of a launch: the layout that it drew.
    pub fn program(&self, draw: &Draw) -> Option<&str> {
        self.drawn(draw).or_else(|| self.command.first()).map(String::as_str)
    }

    /// The layout that a launch drew; None if there are too few to average out their effects.
    pub fn layout(&self, draw: &Draw) -> Option<u64> {
        self.varies_layout().then(|| u64::from(draw.layout) % self.layouts.len() as u64)
    }

    /// The given parameters, each with all of its values.
    pub fn given_by_name(&self) -> Vec<(&str, Vec<&str>)> {
        let mut by_name: Vec<(&str, Vec<&str>)> = Vec::new();
        for Parameter { name, value, .. } in &self.given {
            match by_name.iter_mut().find(|(known, _)| known == name) {
                Some((_, values)) => values.push(value),
                None => by_name.push((name, vec![value])),
            }
        }
        by_name
    }

    /// Merges the context of another run of this program: merged results may be of several data sets.
    pub(crate) fn add_context(&mut self, other: &Artifact) {
        let mut all = self.all_context();
        let more: Vec<ContextEntry> = other.all_context().into_iter().filter(|entry| !all.contains(entry)).collect();
        if !more.is_empty() {
            all.extend(more);
            self.context = all;
        }
    }

    /// Context from the program and the user. Each name appears once, or once per value in merged runs.
    pub fn all_context(&self) -> Vec<ContextEntry> {
        let of_child = self.child.iter().flat_map(|child| &child.context);
        let is_given = |name: &str| self.context.iter().any(|entry| entry.name == name);
        of_child.filter(|entry| !is_given(&entry.name)).chain(&self.context).cloned().collect()
    }

    pub fn is_of_another_harness(&self) -> bool {
        self.toolchain == HARNESS
    }

    /// Whether launches draw from enough code layouts to average out their effects.
    pub fn varies_layout(&self) -> bool {
        self.layouts.len() >= LAYOUTS_MIN
    }

    /// Whether its only layout may favour it. An interpreter's code is the same for all programs that it runs.
    pub fn has_fixed_layout(&self) -> bool {
        !self.varies_layout() && !self.interpreted
    }
}

/// Something that is said of a run, such as the data that it works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextEntry {
    /// What it is about; not empty.
    pub name: String,
    /// What is said, for people.
    pub value: String,
}

/// What a child reports about itself in its `hello` reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChildFacts {
    /// Lower-case language name.
    pub language: String,
    /// Name and version of the front end.
    pub front_end: String,
    /// Runtime or standard library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Compiler with version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// Compiler flags as far as known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// Built with optimisation; None if unknown.
    pub optimised: Option<bool>,
    /// A debugger or instrumentation is attached.
    #[serde(default)]
    pub debugger: bool,
    /// Name of the clock.
    pub clock: String,
    /// Smallest step that the clock was seen to make, in ns; greater than 0.
    pub clock_resolution_ns: f64,
    /// Invocations per turn of the workload loop, at least 1.
    pub unroll: u64,
    /// The same for the rolled loop, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolled_unroll: Option<u64>,
    /// The loops call the body through a pointer: an invocation bears a call, and the rolled loop calls the empty body beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub calls_body: bool,
    /// Length of the clock probe in cycles, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe_cycles: Option<f64>,
    /// Length of a clock probe whose cycles are unknown, in steps of some kind: it is compared within one process only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe_steps: Option<f64>,
    /// Independent additions in a reading of the width probe, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_additions: Option<f64>,
    /// Readings of the width probe are comparable within one process only: it is not the native loop of the protocol.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub width_per_process: bool,
    /// But they are comparable between processes of the same front end and runtime.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub width_per_runtime: bool,
    /// The runtime compiles while the benchmark runs, so that a launch first runs other code than later.
    #[serde(default, alias = "managed")]
    pub compiles_late: bool,
    /// It does so some time after a call, whether or not the benchmark runs meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compiles_by_clock: bool,
    /// It does so as soon as something was called often, and says while something is left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compiles_by_count: bool,
    /// Memory is given back by a garbage collector, so that it grows for a while before it shrinks.
    #[serde(default)]
    pub collects: bool,
    /// What the program says of the run, each name once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextEntry>,
    /// What every benchmark of the child requires of the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// What the child measures of each iteration beside its time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// What can be requested from it in separate passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnosers: Vec<Diagnoser>,
    /// Optional parts of the protocol that the child has.
    pub capabilities: Vec<String>,
}

/// What the readings of a width probe can be compared with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WidthProbe {
    None,
    /// All of the machine.
    Native,
    /// All of this front end and runtime.
    OfRuntime(String),
    /// Others of the same process only.
    OfProcess,
}

impl WidthProbe {
    pub fn runtime(&self) -> Option<&str> {
        match self {
            WidthProbe::OfRuntime(runtime) => Some(runtime),
            WidthProbe::None | WidthProbe::Native | WidthProbe::OfProcess => None,
        }
    }
}

impl ChildFacts {
    /// The language of the program with which `tare time` measures commands.
    pub const COMMANDS: &'static str = "command";

    /// The runtime may have threads that work beside the measuring one.
    pub fn has_helpers(&self) -> bool {
        self.compiles_late || self.collects
    }

    /// Where the child counts what they compile and collect, what other threads do besides is the body's.
    pub fn tells_of_helpers(&self) -> bool {
        !self.has_helpers() || (self.compiles_by_count && self.can("compilations"))
    }

    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|c| c == capability)
    }

    pub fn width_probe(&self) -> WidthProbe {
        match (self.can("windows"), self.width_per_process, self.width_per_runtime) {
            (false, ..) => WidthProbe::None,
            (true, false, _) => WidthProbe::Native,
            // Their times depend on the core's clock, which only a conversion to cycles removes.
            (true, true, true) if self.probe_cycles.is_some() => {
                let runtime = self.runtime.as_deref().or(self.compiler.as_deref()).unwrap_or(&self.language);
                WidthProbe::OfRuntime(format!("{}, {runtime}", self.front_end))
            }
            (true, true, _) => WidthProbe::OfProcess,
        }
    }
}
