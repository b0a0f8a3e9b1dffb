//! The types of Tare: everything that crosses a boundary between two parts. Pure: no files, clock or terminal. Names contain units (`_ns`
//! is nanoseconds, `_bytes` is bytes).
#![forbid(unsafe_code)]

mod artifact;
mod attachment;
mod calibration;
mod case;
mod command_line;
mod diagnosis;
mod draw;
mod environment;
mod event;
mod exit;
mod failure;
mod fold;
mod job;
mod json;
mod language;
mod merge;
mod metric;
mod plan;
mod rate;
mod run;
mod series;
mod side;
mod stacks;
pub mod text;
mod visit;

pub use artifact::{Artifact, ChildFacts, ContextEntry, LoopCalls, WidthProbe, HARNESS, HARNESS_PROGRAM, LAYOUTS_MIN};
pub use attachment::{Attachment, Maker, Owner};
pub use calibration::{Calibration, Costs, Decidable, KernelSpread, LayoutSpread};
pub use case::{
    Benchmark, Case, CodeName, DeclaredJob, LaunchOptions, Parameter, ParameterType, Results, SetUp, Strategy,
};
pub use command_line::{Argument, CommandLine, Concern};
pub use diagnosis::{ChildFile, ChildFindings, Diagnoser, Diagnosis, Lack, LaunchChange, Remark};
pub use draw::Draw;
pub use environment::{Cache, ClockReference, CoreWidth, Environment, GitState, LevelFound};
pub use event::Event;
pub use exit::ExitCode;
pub use failure::{begins_crash_report, Failure, FailureKind, Step};
pub use fold::{fold, Recorder};
pub use job::{HugePages, Job, PolicyOverlay, Setting};
pub use json::named;
pub use language::{Chosen, Crash, LanguageFacts, LateCode, LateEvents, Process, Rebuild, RemarksOf, ToolchainSetting};
pub use merge::MergeError;
pub use metric::{Better, Metric, Per, RuntimeEvent};
pub use plan::{CaseGroup, Clocking, DiagnosisPlan, Effort, Plan, Policy, INTERVAL_LAUNCHES};
pub use rate::{serialize_amount, InstanceWork, Rate};
pub use run::{
    schema_major, CaseResult, InvalidRun, Launch, LaunchOutcome, Part, Repetition, Run, RunStatus, METHOD_VERSION,
    SCHEMA_VERSION,
};
pub use series::{Columns, Loop, Series, Stage};
pub use side::{FailedProgram, Missing, Side, SideFacts, Sides};
pub use stacks::{Stacks, Weight};
pub use visit::{
    probes_agree, visits, visits_judged, Readings, TraitCounts, Visit, VisitTraits, Windows, CLEAN_SHARE_MIN,
};
