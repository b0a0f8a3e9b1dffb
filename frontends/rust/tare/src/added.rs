//! Benchmarks that a program adds when it begins: from a loop over files, or in a test.

use std::any::Any;
use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::barrier::{sink, sink_empty};
use crate::list::Node;
use crate::loops::WORDS;
use crate::registry::{Bench, Choice, BENCHES};
use crate::show::Shown;
use crate::vtable::{Typed, Vtable};

/// What `add` was given.
pub struct Added {
    /// The set-up, of a type that the vtable knows.
    set_up: Box<dyn Any + Send + Sync>,
    pub(crate) operations: u64,
    pub(crate) rates: Vec<(&'static str, u64)>,
    pub(crate) skipped: Option<String>,
}

/// How many there were before: a loop may add thousands.
static ADDED: AtomicU32 = AtomicU32::new(0);

fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// A benchmark that is being added. It is complete when this is dropped, at the end of the statement.
pub struct Adding {
    /// None: it was added.
    bench: Option<(Bench, Added)>,
    parameters: Vec<(&'static str, &'static str)>,
}

/// Adds a benchmark, before [`main()`](crate::main()): `set_up` runs once in each process that measures it and returns the body.
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
/// Every process of the program must add the same benchmarks. Benchmarks of one loop are sorted by name.
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

/// The text of a result is unknown here: its type is any.
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

    /// Benchmarks of one group are compared with each other.
    pub fn group(self, group: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.group = Some(leak(group)))
    }

    /// Makes it the baseline: the others of its group with the same parameters are compared with it.
    pub fn baseline(self) -> Adding {
        self.with(|bench, _| bench.baseline = true)
    }

    /// A parameter with its value.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Display) -> Adding {
        self.parameters.push((leak(name), leak(value.to_string())));
        self
    }

    /// Operations that one invocation does; times are per operation.
    pub fn operations(self, operations: u64) -> Adding {
        self.with(|_, added| added.operations = operations.max(1))
    }

    /// The name of an operation.
    pub fn unit(self, unit: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.unit = leak(unit))
    }

    /// Bytes that one invocation processes, shown per second.
    pub fn bytes(self, bytes: u64) -> Adding {
        self.rate("bytes", bytes)
    }

    /// Items that one invocation processes, shown per second.
    pub fn items(self, items: u64) -> Adding {
        self.rate("items", items)
    }

    /// Another amount that one invocation processes, shown per second.
    pub fn rate(self, name: impl Into<String>, amount: u64) -> Adding {
        self.with(|_, added| added.rates.push((leak(name), amount)))
    }

    /// One line for people.
    pub fn description(self, line: impl Into<String>) -> Adding {
        self.with(|bench, _| bench.description = leak(line))
    }

    /// The body blocks, so only its wall time counts.
    pub fn waits(self) -> Adding {
        self.with(|bench, _| bench.manner.waits = true)
    }

    /// It is listed with the reason, but not measured.
    pub fn skip(self, reason: impl Into<String>) -> Adding {
        self.with(|_, added| added.skipped = Some(reason.into()))
    }

    /// See [`Adding::skip`].
    #[deprecated(note = "it is called `skip`")]
    pub fn ignore(self, reason: impl Into<String>) -> Adding {
        self.skip(reason)
    }

    /// See [`Adding::description`].
    #[deprecated(note = "it is called `description`")]
    pub fn describe(self, line: impl Into<String>) -> Adding {
        self.description(line)
    }

    /// The length of a visit.
    pub fn visit_time(self, time: Duration) -> Adding {
        self.with(|bench, _| bench.manner.visit_time = Some(time))
    }

    /// Each visit has its state at another address.
    pub fn memory_randomization(self) -> Adding {
        self.with(|bench, _| bench.manner.memory_randomization = true)
    }

    /// Before each invocation, all data is removed from the caches, unmeasured.
    pub fn cold_caches(self) -> Adding {
        self.with(|bench, _| bench.manner.cold_caches = true)
    }

    /// Each invocation intentionally returns something else.
    pub fn results_change(self) -> Adding {
        self.with(|bench, _| bench.manner.results = "change")
    }

    /// It intentionally returns something else than the other contestants.
    pub fn results_differ(self) -> Adding {
        self.with(|bench, _| bench.manner.results = "differ")
    }
}

impl Drop for Adding {
    fn drop(&mut self) {
        if let Some((bench, added)) = self.bench.take() {
            let generics = Vec::leak(std::mem::take(&mut self.parameters));
            let bench = Bench { added: Some(Box::leak(Box::new(added))), generics, ..bench };
            BENCHES.push(Box::leak(Box::new(Node::new(bench))));
        }
    }
}
