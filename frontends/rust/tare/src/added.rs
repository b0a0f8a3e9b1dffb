//! Benchmarks that a program adds at its start: in a loop over files, or in a test.

use std::any::Any;
use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::barrier::{sink, sink_empty};
use crate::loops::WORDS;
use crate::registry::{Bench, Choice, BENCHES};
use crate::show::Shown;
use crate::vtable::{Typed, Vtable};

/// The arguments of `add`.
pub struct Added {
    /// The set-up; the vtable knows its type.
    set_up: Box<dyn Any + Send + Sync>,
    pub(crate) operations: u64,
    pub(crate) rates: Vec<(&'static str, u64)>,
    pub(crate) skipped: Option<String>,
}

/// Counts additions, for their order: a loop may add thousands at one line.
static ADDED: AtomicU32 = AtomicU32::new(0);

fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// A benchmark being added, which is registered when this is dropped at the end of the statement.
pub struct Adding {
    /// None once registered.
    bench: Option<(Bench, Added)>,
    parameters: Vec<(&'static str, &'static str)>,
}

/// Adds a benchmark. Call it before [`main()`](crate::main()).
///
/// `set_up` runs once in each process that measures the benchmark, and returns the body.
///
/// ```no_run
/// for file in ["small.json", "large.json"] {
///     let length = std::fs::metadata(file).map_or(0, |data| data.len());
///     tare::add("parse", move || {
///         let text = std::fs::read_to_string(file).unwrap();
///         move || text.matches('{').count()
///     })
///     .parameter("file", file)
///     .bytes(length);
/// }
/// tare::main();
/// ```
/// Every process of the program must add the same benchmarks.
#[track_caller]
pub fn add<F, B, T>(name: impl Into<String>, set_up: F) -> Adding
where
    F: Fn() -> B + Send + Sync + 'static,
    B: FnMut() -> T + 'static,
{
    let place = std::panic::Location::caller();
    let bench = Bench {
        name: leak(name),
        file: place.file(),
        line: place.line(),
        order: ADDED.fetch_add(1, Ordering::Relaxed),
        returns: std::mem::size_of::<T>() != 0,
        vtable: vtable::<F, B, T>,
        ..Bench::EMPTY
    };
    let added = Added { set_up: Box::new(set_up), operations: 1, rates: Vec::new(), skipped: None };
    Adding { bench: Some((bench, added)), parameters: Vec::new() }
}

fn made<F: Fn() -> B + 'static, B>(choice: &Choice) -> Result<B, String> {
    let set_up = choice.1.and_then(|added| added.set_up.downcast_ref::<F>());
    set_up.map(|set_up| set_up()).ok_or_else(|| "its set-up is not there".to_owned())
}

/// Any result type is allowed, so its text is unknown.
fn look<B: FnMut() -> T, T>(body: &mut B) -> Shown {
    sink(body());
    Shown::default()
}

fn vtable<F, B, T>() -> Vtable
where
    F: Fn() -> B + 'static,
    B: FnMut() -> T + 'static,
{
    Typed::new::<WORDS>(made::<F, B>, |body: &mut B| sink(body()), |body: &mut B| sink_empty(&mut *body), look::<B, T>)
        .set_up()
        .erase()
}

impl Adding {
    fn with(mut self, change: impl FnOnce(&mut Bench, &mut Added)) -> Adding {
        if let Some((bench, added)) = &mut self.bench {
            change(bench, added);
        }
        self
    }

    /// Sets the group. The benchmarks of a group are compared with each other.
    pub fn group(self, group: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.group = Some(leak(group)))
    }

    /// Makes this the baseline, with which others of the group with the same parameters are compared.
    pub fn baseline(self) -> Adding {
        self.with(|bench, _| bench.baseline = true)
    }

    /// Adds a parameter with its value.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Display) -> Adding {
        self.parameters.push((leak(name), leak(value.to_string())));
        self
    }

    /// Sets the number of operations per invocation. Times are shown per operation.
    pub fn operations(self, operations: u64) -> Adding {
        self.with(|_, added| added.operations = operations.max(1))
    }

    /// Sets the name of an operation.
    pub fn unit(self, unit: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.unit = leak(unit))
    }

    /// Sets the bytes processed per invocation, shown per second.
    pub fn bytes(self, bytes: u64) -> Adding {
        self.rate("bytes", bytes)
    }

    /// Sets the items processed per invocation, shown per second.
    pub fn items(self, items: u64) -> Adding {
        self.rate("items", items)
    }

    /// Adds any other amount processed per invocation, shown per second.
    pub fn rate(self, name: impl Into<String>, amount: u64) -> Adding {
        self.with(|_, added| added.rates.push((leak(name), amount)))
    }

    /// Sets a description of one line.
    pub fn description(self, line: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.description = leak(line))
    }

    /// Declares that the body blocks, so that only its wall time counts.
    pub fn waits(self) -> Adding {
        self.with(|bench, _| bench.manner.waits = true)
    }

    /// Lists the benchmark with a reason instead of measuring it.
    pub fn skip(self, reason: impl Into<String>) -> Adding {
        self.with(|_, added| added.skipped = Some(reason.into()))
    }

    /// Sets the length of a visit.
    pub fn visit_time(self, time: Duration) -> Adding {
        self.with(|bench, _| bench.manner.visit_time = Some(time))
    }

    /// Moves the state to another address for each visit.
    pub fn memory_randomization(self) -> Adding {
        self.with(|bench, _| bench.manner.memory_randomization = true)
    }

    /// Flushes all data from the caches before each invocation, outside the measured time.
    pub fn cold_caches(self) -> Adding {
        self.with(|bench, _| bench.manner.cold_caches = true)
    }

    /// Declares that each invocation returns a different result on purpose.
    pub fn results_change(self) -> Adding {
        self.with(|bench, _| bench.manner.results = "change")
    }

    /// Declares that its result differs on purpose from those of the other contestants.
    pub fn results_differ(self) -> Adding {
        self.with(|bench, _| bench.manner.results = "differ")
    }
}

impl Drop for Adding {
    fn drop(&mut self) {
        if let Some((bench, added)) = self.bench.take() {
            let generics = Vec::leak(std::mem::take(&mut self.parameters));
            let bench = Bench { added: Some(Box::leak(Box::new(added))), generics, ..bench };
            BENCHES.push(Box::leak(Box::new(bench)));
        }
    }
}
