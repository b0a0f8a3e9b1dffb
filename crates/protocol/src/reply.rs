//! What a child answers, checked as far as one line can be: the rest is the business of the conversation.

use crate::declared::{amount, diagnosers, metrics, policy, rates, DiagnoserLine, MetricLine, PolicyLine, RateLine};
use crate::REPLY_BYTES_MAX;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tare_model::{
    Amounts, Benchmark, ChildFacts, Columns, DeclaredJob, LaunchOptions, Parameter, ParameterType, Results,
    RuntimeEvent, SetUp, Strategy,
};

/// Why a line is not a reply. The text names the rule that is broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Longer than allowed.
    #[error("R7: a reply is longer than 16 MiB")]
    TooLong,
    /// Not UTF-8.
    #[error("R7: a reply is not UTF-8")]
    NotUtf8,
    /// Not JSON or not an object.
    #[error("R7: a reply is not a JSON object: {reason} in {start:?}")]
    NotJson {
        /// What the parser says.
        reason: String,
        /// First characters of the line.
        start: String,
    },
    /// A member is missing or of a wrong type.
    #[error("a `{reply}` reply: {reason}")]
    Member {
        /// Kind of the reply.
        reply: String,
        /// What is wrong.
        reason: String,
    },
    /// A reply of a kind that does not exist.
    #[error("R7: unknown reply {0:?}")]
    UnknownKind(String),
}

/// What went wrong in the child.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum ErrorKind {
    /// It does not know the verb.
    UnknownRequest,
    /// Wrong arguments.
    BadRequest,
    /// Does not fit the state.
    BadState,
    /// It does not speak the host's version.
    Version,
    /// The user's code threw.
    Exception,
    /// A program that the benchmark runs failed.
    Failed,
    /// It does not have that part.
    NotSupported,
    /// The benchmark is not to be measured, here or now.
    Skipped,
    /// A kind that this version does not know: a refusal.
    Other(String),
}

impl From<String> for ErrorKind {
    fn from(name: String) -> ErrorKind {
        match name.as_str() {
            "unknown-request" => ErrorKind::UnknownRequest,
            "bad-request" => ErrorKind::BadRequest,
            "bad-state" => ErrorKind::BadState,
            "version" => ErrorKind::Version,
            "exception" => ErrorKind::Exception,
            "failed" => ErrorKind::Failed,
            "not-supported" => ErrorKind::NotSupported,
            "skipped" => ErrorKind::Skipped,
            _ => ErrorKind::Other(name),
        }
    }
}

impl ErrorKind {
    /// Its name in the protocol.
    pub fn name(&self) -> &str {
        match self {
            ErrorKind::UnknownRequest => "unknown-request",
            ErrorKind::BadRequest => "bad-request",
            ErrorKind::BadState => "bad-state",
            ErrorKind::Version => "version",
            ErrorKind::Exception => "exception",
            ErrorKind::Failed => "failed",
            ErrorKind::NotSupported => "not-supported",
            ErrorKind::Skipped => "skipped",
            ErrorKind::Other(name) => name,
        }
    }
}

/// An `error` reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReply {
    /// What went wrong.
    pub kind: ErrorKind,
    /// For people.
    pub message: String,
    /// `set-up`, `iteration-set-up`, `body`, `iteration-clean-up` or `clean-up`.
    pub step: Option<String>,
    /// Type of the exception.
    pub exception: Option<String>,
    /// Where it was thrown: `file:line` as far as known.
    pub place: Option<String>,
    /// Versions that the child speaks.
    pub versions: Vec<u64>,
}

/// A reply of a child.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// To `hello`.
    Hello(Box<ChildFacts>),
    /// To `list`, one of many.
    Benchmark(Box<Benchmark>),
    /// To `list`, the last.
    End {
        /// Number of benchmarks.
        count: u64,
        /// What the user should know of the declarations, a line each.
        notes: Vec<String>,
    },
    /// To `set`.
    Set {
        /// Benchmarks that have the parameter.
        benchmarks: u64,
    },
    /// To `open`: what one invocation does, where only the set-up shows it.
    Opened(Amounts),
    /// To `check`.
    Checked {
        /// Equal for equal results.
        digest: Option<String>,
        /// The result as text.
        text: Option<String>,
    },
    /// To `measure`.
    Measured(Box<Columns>),
    /// To `diagnose`: the values of each metric.
    Diagnosed {
        /// Operations of an invocation of each iteration, where they differ.
        operations: Vec<f64>,
        /// The values of each metric, one for each iteration.
        metrics: BTreeMap<String, Vec<f64>>,
    },
    /// To `randomize`.
    Randomized,
    /// To `collect`.
    Collected {
        /// What lives, bytes, where the runtime knows it.
        live_bytes: Option<u64>,
    },
    /// To `close`.
    Closed,
    /// To `bye`.
    Bye,
    /// To anything.
    Error(ErrorReply),
}

impl Reply {
    /// The value of the member `reply`.
    pub fn kind(&self) -> &'static str {
        match self {
            Reply::Hello(_) => "hello",
            Reply::Benchmark(_) => "benchmark",
            Reply::End { .. } => "end",
            Reply::Set { .. } => "set",
            Reply::Opened(_) => "opened",
            Reply::Checked { .. } => "checked",
            Reply::Measured(_) => "measured",
            Reply::Diagnosed { .. } => "diagnosed",
            Reply::Randomized => "randomized",
            Reply::Collected { .. } => "collected",
            Reply::Closed => "closed",
            Reply::Bye => "bye",
            Reply::Error(_) => "error",
        }
    }
}

/// Reads one line without its line end.
///
/// # Errors
/// When the line is not a reply of version 1; the text names what is wrong.
pub fn decode(line: &[u8]) -> Result<Reply, DecodeError> {
    if line.len() >= REPLY_BYTES_MAX {
        return Err(DecodeError::TooLong);
    }
    let text = std::str::from_utf8(line).map_err(|_| DecodeError::NotUtf8)?;
    let start = || text.chars().take(60).collect::<String>();
    let value: Value =
        serde_json::from_str(text).map_err(|e| DecodeError::NotJson { reason: e.to_string(), start: start() })?;
    let Value::Object(mut members) = value else {
        return Err(DecodeError::NotJson { reason: "not an object".to_owned(), start: start() });
    };
    let Some(Value::String(kind)) = members.remove("reply") else {
        return Err(DecodeError::NotJson { reason: "no member `reply`".to_owned(), start: start() });
    };
    by_kind(&kind, members)
}

fn by_kind(kind: &str, members: Map<String, Value>) -> Result<Reply, DecodeError> {
    Ok(match kind {
        "hello" => Reply::Hello(Box::new(hello(read(kind, members)?)?)),
        "benchmark" => Reply::Benchmark(Box::new(benchmark(read(kind, members)?))),
        "end" => {
            let End { count, notes } = read(kind, members)?;
            Reply::End { count, notes }
        }
        "set" => Reply::Set { benchmarks: read::<SetReply>(kind, members)?.benchmarks },
        "opened" => opened(read(kind, members)?)?,
        "checked" => {
            let checked: Checked = read(kind, members)?;
            Reply::Checked { digest: checked.digest, text: checked.text }
        }
        "measured" => Reply::Measured(Box::new(measured(read(kind, members)?)?)),
        "diagnosed" => diagnosed(read(kind, members)?)?,
        "randomized" => Reply::Randomized,
        "collected" => {
            let collected: CollectedReply = read(kind, members)?;
            Reply::Collected { live_bytes: collected.live_bytes }
        }
        "closed" => Reply::Closed,
        "bye" => Reply::Bye,
        "error" => Reply::Error(error(read(kind, members)?)),
        other => return Err(DecodeError::UnknownKind(other.chars().take(60).collect())),
    })
}

fn read<T: for<'a> Deserialize<'a>>(kind: &str, members: Map<String, Value>) -> Result<T, DecodeError> {
    T::deserialize(Value::Object(members))
        .map_err(|e| DecodeError::Member { reply: kind.to_owned(), reason: e.to_string() })
}

pub(crate) fn member(reply: &str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Member { reply: reply.to_owned(), reason: reason.into() }
}

#[derive(Deserialize)]
struct Hello {
    protocol: u64,
    language: String,
    front_end: String,
    runtime: Option<String>,
    compiler: Option<String>,
    flags: Option<String>,
    optimised: Option<bool>,
    #[serde(default)]
    debugger: bool,
    clock: String,
    clock_resolution_ns: f64,
    unroll: u64,
    rolled_unroll: Option<u64>,
    #[serde(default)]
    calls_body: bool,
    probe_cycles: Option<f64>,
    probe_steps: Option<f64>,
    width_additions: Option<f64>,
    #[serde(default)]
    width_per_process: bool,
    #[serde(default)]
    compiles_late: bool,
    #[serde(default)]
    compiles_by_clock: bool,
    #[serde(default)]
    collects: bool,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    metrics: Vec<MetricLine>,
    #[serde(default)]
    diagnosers: Vec<DiagnoserLine>,
    capabilities: Vec<String>,
}

fn hello(h: Hello) -> Result<ChildFacts, DecodeError> {
    let wrong = |reason: &str| Err(member("hello", reason));
    if h.protocol != crate::VERSION {
        return wrong(&format!("`protocol` is {}, not 1", h.protocol));
    }
    if h.clock_resolution_ns.is_nan() || h.clock_resolution_ns <= 0.0 {
        return wrong("`clock_resolution_ns` must be greater than 0");
    }
    if h.unroll == 0 || h.rolled_unroll == Some(0) {
        return wrong("`unroll` and `rolled_unroll` must be at least 1");
    }
    let can = |name: &str| h.capabilities.iter().any(|c| c == name);
    let is_positive = |length: Option<f64>| length.is_some_and(|l| l > 0.0);
    if can("probe") && is_positive(h.probe_cycles) == is_positive(h.probe_steps) {
        return wrong("the capability `probe` needs `probe_cycles` or `probe_steps`, greater than 0, and not both");
    }
    if can("windows") && !h.width_additions.is_some_and(|a| a > 0.0) {
        return wrong("`width_additions` must be greater than 0 with the capability `windows`");
    }
    if can("windows") && !(can("probe") && is_positive(h.probe_cycles)) && !h.width_per_process {
        return wrong("the capability `windows` needs `probe` with `probe_cycles`, or `width_per_process`");
    }
    let diagnoses = can("diagnose");
    if can("rolled") && h.rolled_unroll.is_none() {
        return wrong("`rolled_unroll` is needed with the capability `rolled`");
    }
    Ok(ChildFacts {
        language: h.language,
        front_end: h.front_end,
        runtime: h.runtime,
        compiler: h.compiler,
        flags: h.flags,
        optimised: h.optimised,
        debugger: h.debugger,
        clock: h.clock,
        clock_resolution_ns: h.clock_resolution_ns,
        unroll: h.unroll,
        rolled_unroll: h.rolled_unroll,
        probe_cycles: h.probe_cycles,
        probe_steps: h.probe_steps.filter(|s| *s > 0.0),
        width_additions: h.width_additions.filter(|a| *a > 0.0),
        width_per_process: h.width_per_process,
        calls_body: h.calls_body,
        // What compiles by the clock compiles late.
        compiles_late: h.compiles_late || h.compiles_by_clock,
        compiles_by_clock: h.compiles_by_clock,
        collects: h.collects,
        requires: h.requires,
        metrics: metrics(h.metrics)?,
        diagnosers: diagnosers(h.diagnosers, diagnoses)?,
        capabilities: h.capabilities,
    })
}

#[derive(Deserialize)]
struct ParameterLine {
    name: String,
    value: String,
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl From<ParameterLine> for Parameter {
    fn from(line: ParameterLine) -> Parameter {
        let kind = line.kind.as_deref().and_then(ParameterType::named);
        Parameter { name: line.name, value: line.value, kind }
    }
}

#[derive(Deserialize)]
struct BenchmarkLine {
    index: u32,
    group: String,
    name: String,
    parameters: Vec<ParameterLine>,
    file: Option<String>,
    line: Option<u32>,
    #[serde(default)]
    baseline: bool,
    operations: Option<serde_json::Value>,
    unit: Option<String>,
    #[serde(default)]
    rates: Vec<RateLine>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    set_ups: Vec<String>,
    returns: Option<bool>,
    threads: Option<u32>,
    invalid: Option<String>,
    skipped: Option<String>,
    #[serde(default)]
    waits: bool,
    #[serde(default)]
    own_time: bool,
    results: Option<String>,
    #[serde(default)]
    policy: PolicyLine,
    strategy: Option<String>,
    invocations_max: Option<serde_json::Number>,
    #[serde(default)]
    launch: LaunchOptions,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    jobs: Vec<JobLine>,
}

#[derive(Deserialize)]
struct JobLine {
    #[serde(default)]
    name: String,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    runtime: Option<String>,
    strategy: Option<String>,
    #[serde(default)]
    base: bool,
}

/// A job of a benchmark; the reason why it is none.
fn job(line: JobLine) -> Result<DeclaredJob, String> {
    let JobLine { name, environment, runtime, strategy, base } = line;
    if name.is_empty() {
        return Err("one of its jobs has no name; give it one".to_owned());
    }
    let strategy = match strategy {
        Some(given) => Some(strategy_of(&given).map_err(|reason| format!("its job {name:?}: {reason}"))?),
        None => None,
    };
    Ok(DeclaredJob { name, environment, runtime, strategy, is_base: base })
}

fn strategy_of(given: &str) -> Result<Strategy, String> {
    Strategy::named(given)
        .ok_or_else(|| format!("`strategy` is {given:?}; it must be `throughput`, `monitoring` or `cold-start`"))
}

/// A benchmark whose name or number of operations cannot be used is invalid, and no reason to refuse the whole list.
fn benchmark(b: BenchmarkLine) -> Benchmark {
    let operations = b.operations.as_ref().map(operations).transpose();
    let most = b.invocations_max.as_ref().map(serde_json::Number::as_u64);
    let strategy = b.strategy.as_deref().map_or(Ok(Strategy::default()), strategy_of);
    let jobs: Result<Vec<DeclaredJob>, String> = b.jobs.into_iter().map(job).collect();
    let rates = rates(b.rates);
    let policy = policy(b.policy);
    let invalid = match &operations {
        _ if b.invalid.is_some() => b.invalid,
        _ if b.name.is_empty() => Some("its name is empty; give it one".to_owned()),
        Err(reason) => Some(reason.clone()),
        _ if rates.is_err() => rates.as_ref().err().cloned(),
        _ if policy.is_err() => policy.as_ref().err().cloned(),
        _ if matches!(most, Some(None | Some(0))) => {
            let given = b.invocations_max.map(|number| number.to_string()).unwrap_or_default();
            Some(format!("`invocations_max` is {given}; it must be a whole number of at least 1"))
        }
        _ if strategy.is_err() => strategy.as_ref().err().cloned(),
        _ if jobs.is_err() => jobs.as_ref().err().cloned(),
        _ => b.launch.bad_variable().map(|name| {
            format!("`launch` sets the variable {name:?}; give it another name: no `=` in it, and no `TARE_` before it")
        }),
    };
    Benchmark {
        index: b.index,
        group: b.group,
        name: b.name,
        parameters: b.parameters.into_iter().map(Parameter::from).collect(),
        file: b.file,
        line: b.line,
        baseline: b.baseline,
        operations: operations.ok().flatten().unwrap_or(1),
        unit: b.unit.unwrap_or_else(|| "op".to_owned()),
        rates: rates.unwrap_or_default(),
        categories: b.categories,
        description: b.description,
        set_ups: b.set_ups.iter().filter_map(|name| SetUp::named(name)).collect(),
        returns: b.returns,
        threads: b.threads.unwrap_or(1),
        invalid,
        skipped: b.skipped,
        waits: b.waits,
        own_time: b.own_time,
        results: b.results.as_deref().map_or(Results::Same, Results::named),
        policy: policy.unwrap_or_default(),
        strategy: strategy.unwrap_or_default(),
        launch: b.launch,
        invocations_max: most.flatten().filter(|&n| n >= 1),
        requires: b.requires,
        jobs: jobs.unwrap_or_default(),
    }
}

#[derive(Deserialize)]
struct End {
    count: u64,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct CollectedReply {
    live_bytes: Option<u64>,
}

#[derive(Deserialize)]
struct SetReply {
    benchmarks: u64,
}

#[derive(Deserialize)]
struct Opened {
    operations: Option<serde_json::Value>,
    #[serde(default)]
    rates: BTreeMap<String, serde_json::Number>,
}

/// Operations of an invocation, or what is wrong with what was given.
fn operations(given: &serde_json::Value) -> Result<u64, String> {
    let wrong = || format!("`operations` is {given}; it must be a whole number of at least 1");
    given.as_u64().filter(|&n| n >= 1).ok_or_else(wrong)
}

fn opened(opened: Opened) -> Result<Reply, DecodeError> {
    let wrong = |reason: String| member("opened", format!("R25: {reason}"));
    let operations = opened.operations.as_ref().map(operations).transpose().map_err(wrong)?;
    let rates = opened.rates.iter().map(|(name, given)| Ok((name.clone(), amount(name, given)?)));
    Ok(Reply::Opened(Amounts { operations, rates: rates.collect::<Result<_, String>>().map_err(wrong)? }))
}

#[derive(Deserialize)]
struct Checked {
    digest: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct Measured {
    elapsed_ns: Vec<f64>,
    #[serde(default)]
    cpu_ns: Vec<f64>,
    #[serde(default)]
    process_cpu_ns: Vec<f64>,
    #[serde(default)]
    probe_before_ns: Vec<f64>,
    #[serde(default)]
    probe_after_ns: Vec<f64>,
    #[serde(default)]
    switches: Vec<f64>,
    #[serde(default)]
    waits: Vec<f64>,
    #[serde(default)]
    compilations: Vec<f64>,
    #[serde(default)]
    operations: Vec<f64>,
    #[serde(default)]
    window_ns: Vec<f64>,
    #[serde(default)]
    width_ns: Vec<f64>,
    #[serde(default)]
    metrics: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    events: Vec<EventLine>,
}

#[derive(Deserialize)]
struct EventLine {
    iteration: u32,
    kind: String,
    #[serde(default)]
    at_ns: f64,
    #[serde(default)]
    ns: f64,
}

fn measured(m: Measured) -> Result<Columns, DecodeError> {
    let columns = Columns {
        elapsed_ns: m.elapsed_ns,
        cpu_ns: m.cpu_ns,
        process_cpu_ns: m.process_cpu_ns,
        probe_before_ns: m.probe_before_ns,
        probe_after_ns: m.probe_after_ns,
        switches: m.switches,
        waits: m.waits,
        compilations: m.compilations,
        operations: m.operations,
        window_ns: m.window_ns,
        width_ns: m.width_ns,
        metrics: m.metrics,
        events: m.events.into_iter().map(event).collect(),
    };
    counted("measured", &columns.operations)?;
    let length = columns.len();
    for (name, values) in std::iter::once(("elapsed_ns", &columns.elapsed_ns)).chain(columns.optional()) {
        if !values.is_empty() && values.len() != length {
            return Err(member("measured", format!("R19: `{name}` has {} entries, not {length}", values.len())));
        }
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("measured", format!("`{name}` contains {bad}")));
        }
    }
    if !columns.windows_fit() {
        let (windows, readings) = (columns.window_ns.len(), columns.width_ns.len());
        let why = format!(
            "R19: {windows} entries of `window_ns` and {readings} of `width_ns` do not match {length} iterations"
        );
        return Err(member("measured", why));
    }
    for (name, values) in [("window_ns", &columns.window_ns), ("width_ns", &columns.width_ns)] {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("measured", format!("`{name}` contains {bad}")));
        }
    }
    if !columns.events_fit() {
        let why = format!("R19: `events` has an entry outside the {length} iterations, or an invalid time");
        return Err(member("measured", why));
    }
    Ok(columns)
}

#[derive(Deserialize)]
struct Diagnosed {
    #[serde(default)]
    operations: Vec<f64>,
    metrics: BTreeMap<String, Vec<f64>>,
}

fn diagnosed(d: Diagnosed) -> Result<Reply, DecodeError> {
    counted("diagnosed", &d.operations)?;
    for (name, values) in &d.metrics {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("diagnosed", format!("R23: `{name}` contains {bad}")));
        }
    }
    Ok(Reply::Diagnosed { operations: d.operations, metrics: d.metrics })
}

/// R25: operations of an invocation of each iteration.
fn counted(kind: &'static str, operations: &[f64]) -> Result<(), DecodeError> {
    match operations.iter().find(|n| !(n.is_finite() && **n > 0.0)) {
        Some(bad) => Err(member(kind, format!("R25: `operations` contains {bad}; each entry must be greater than 0"))),
        None => Ok(()),
    }
}

fn event(line: EventLine) -> RuntimeEvent {
    RuntimeEvent { iteration: line.iteration, kind: line.kind, at_ns: line.at_ns, ns: line.ns }
}

#[derive(Deserialize)]
struct ErrorLine {
    kind: ErrorKind,
    #[serde(default)]
    message: String,
    step: Option<String>,
    #[serde(rename = "type")]
    exception: Option<String>,
    file: Option<String>,
    line: Option<u64>,
    #[serde(default)]
    versions: Vec<u64>,
}

fn error(e: ErrorLine) -> ErrorReply {
    let place = match (e.file, e.line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        (Some(file), None) => Some(file),
        _ => None,
    };
    ErrorReply { kind: e.kind, message: e.message, step: e.step, exception: e.exception, place, versions: e.versions }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_replies_of_the_spec() {
        let hello = br#"{"reply":"hello","protocol":1,"language":"c++","front_end":"x 1","optimised":null,
            "clock":"c","clock_resolution_ns":17,"unroll":16,"capabilities":["cpu"],"unknown":[1]}"#;
        assert!(matches!(decode(hello), Ok(Reply::Hello(facts)) if facts.unroll == 16 && facts.can("cpu")));
        let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","parameters":[]}"#;
        assert!(matches!(decode(line), Ok(Reply::Benchmark(b)) if b.operations == 1 && b.unit == "op"));
        assert_eq!(decode(br#"{"reply":"end","count":1}"#), Ok(Reply::End { count: 1, notes: Vec::new() }));
        let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","parameters":[],
            "set_ups":["thread","iteration","process"],"requires":["x-quiet"],"x-colour":"red"}"#;
        assert!(
            matches!(decode(line), Ok(Reply::Benchmark(b)) if b.set_ups == [SetUp::Iteration] && b.requires == ["x-quiet"])
        );
        let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","waits":true,"invocations_max":100,"strategy":"cold-start",
            "parameters":[{"name":"n","value":"5","type":"integer"},{"name":"k","value":"x","type":"colour"}]}"#;
        let Ok(Reply::Benchmark(b)) = decode(line) else { panic!("it is a benchmark") };
        assert_eq!((b.waits, b.invocations_max, b.invalid), (true, Some(100), None));
        assert_eq!(b.strategy, Strategy::ColdStart);
        assert_eq!(b.parameters.iter().map(|p| p.kind).collect::<Vec<_>>(), [Some(ParameterType::Integer), None]);
        let line = br#"{"reply":"error","kind":"out-of-battery","message":"m"}"#;
        assert!(matches!(decode(line), Ok(Reply::Error(e)) if e.kind == ErrorKind::Other("out-of-battery".to_owned())));
        let line = br#"{"reply":"error","kind":"exception","message":"m","file":"f","line":3}"#;
        assert!(matches!(decode(line), Ok(Reply::Error(e)) if e.place.as_deref() == Some("f:3")));
    }

    #[test]
    fn metrics_and_events_stand_beside_the_times() {
        let line = br#"{"reply":"measured","elapsed_ns":[1,2],"metrics":{"a":[3,4]},
            "events":[{"iteration":1,"kind":"collection","at_ns":5,"ns":6},{"iteration":0,"kind":"nap"}]}"#;
        let Ok(Reply::Measured(columns)) = decode(line) else { panic!("it is a reply") };
        assert_eq!((columns.metrics["a"].as_slice(), columns.events.len()), ([3.0, 4.0].as_slice(), 2));
        assert_eq!((columns.events[0].at_ns, columns.events[1].ns), (5.0, 0.0));
    }

    #[test]
    fn refuses_what_is_not_a_reply() {
        for (line, part) in [
            (&b"hello"[..], "R7"),
            (b"[]", "not an object"),
            (b"{}", "no member `reply`"),
            (b"\xff", "UTF-8"),
            (br#"{"reply":"what"}"#, "unknown reply"),
            (br#"{"reply":"end"}"#, "count"),
            (br#"{"reply":"measured","elapsed_ns":[1],"cpu_ns":[1,2]}"#, "R19"),
            (br#"{"reply":"measured","elapsed_ns":[-1]}"#, "contains -1"),
            (br#"{"reply":"measured","elapsed_ns":[1],"operations":[1,2]}"#, "R19: `operations` has 2 entries"),
            (br#"{"reply":"measured","elapsed_ns":[1],"operations":[0]}"#, "R25: `operations` contains 0"),
            (br#"{"reply":"diagnosed","operations":[-1],"metrics":{}}"#, "R25: `operations` contains -1"),
            (br#"{"reply":"measured","elapsed_ns":[1],"metrics":{"a":[1,2]}}"#, "R19: `a` has 2 entries"),
            (br#"{"reply":"measured","elapsed_ns":[1],"metrics":{"a":[-2]}}"#, "`a` contains -2"),
            (br#"{"reply":"measured","elapsed_ns":[1],"events":[{"iteration":1,"kind":"nap"}]}"#, "R19: `events`"),
            (br#"{"reply":"opened","operations":0}"#, "R25: `operations` is 0"),
            (br#"{"reply":"opened","operations":1.5}"#, "R25: `operations` is 1.5"),
            (br#"{"reply":"opened","rates":{"bytes":-1}}"#, "R25: the amount of the rate `bytes` is -1"),
            (br#"{"reply":"opened","operations":"ten"}"#, "R25: `operations` is \"ten\""),
            (br#"{"reply":"diagnosed","elapsed_ns":[1]}"#, "metrics"),
            (br#"{"reply":"diagnosed","metrics":{"a":[-2]}}"#, "R23: `a` contains -2"),
            (br#"{"reply":"benchmark","index":0,"group":"","name":"a"}"#, "parameters"),
        ] {
            let error = decode(line).expect_err("must be refused").to_string();
            assert!(error.contains(part), "{error:?} does not name {part:?}");
        }
    }

    #[test]
    fn a_declaration_that_cannot_be_measured_is_one_invalid_benchmark() {
        for (members, part) in [
            (r#""name":"""#, "its name is empty"),
            (r#""name":"a","operations":0"#, "`operations` is 0; it must be a whole number of at least 1"),
            (r#""name":"a","operations":-1"#, "`operations` is -1"),
            (r#""name":"a","operations":"ten""#, "`operations` is \"ten\"; it must be a whole number of at least 1"),
            (r#""name":"a","invocations_max":0"#, "`invocations_max` is 0; it must be a whole number of at least 1"),
            (
                r#""name":"a","strategy":"thorough""#,
                "`strategy` is \"thorough\"; it must be `throughput`, `monitoring` or",
            ),
            (r#""name":"a","jobs":[{"environment":{}}]"#, "one of its jobs has no name"),
            (r#""name":"a","jobs":[{"name":"b","strategy":"thorough"}]"#, "its job \"b\": `strategy` is \"thorough\""),
            (r#""name":"a","launch":{"environment":{"TARE_LINK":"x"}}"#, "`launch` sets the variable \"TARE_LINK\""),
            (r#""name":"a","operations":1.5"#, "`operations` is 1.5"),
            (r#""name":"a","policy":{"visit_ns":0}"#, "`visit_ns` of `policy` is 0; it must be a number above 0"),
            (r#""name":"a","policy":{"invocations":0}"#, "`invocations` of `policy` is 0"),
            (r#""name":"a","rates":[{"name":"a b","per_invocation":1}]"#, "the name of a rate has at most 40"),
            (r#""name":"a","rates":[{"name":"b","per_invocation":1.5}]"#, "the amount of the rate `b` is 1.5"),
            (
                r#""name":"a","rates":[{"name":"b","per_invocation":1},{"name":"b","per_invocation":1}]"#,
                "two rates have the name `b`",
            ),
            (r#""name":"a","operations":0,"invalid":"its set-up is missing""#, "its set-up is missing"),
        ] {
            let line = format!(r#"{{"reply":"benchmark","index":0,"group":"","parameters":[],{members}}}"#);
            let Ok(Reply::Benchmark(benchmark)) = decode(line.as_bytes()) else { panic!("{line} is a benchmark") };
            assert!(benchmark.invalid.as_deref().is_some_and(|reason| reason.contains(part)), "{benchmark:?}");
            assert_eq!(benchmark.operations, 1);
        }
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes: Vec<u8>) {
            let _ = decode(&bytes);
        }
    }
}
