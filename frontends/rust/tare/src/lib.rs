//! Benchmarks in Rust, for the command `tare` and without it.
//!
//! ```no_run
//! #[tare::bench]
//! fn parse() -> i64 {
//!     tare::keep("123456789").parse().unwrap()
//! }
//!
//! fn main() {
//!     tare::main();
//! }
//! ```
//!
//! [`bench`](macro@bench) lists everything that can be declared: parameters, set-ups, baselines, inputs. [`main()`] measures, lists or
//! tests, as requested. [`keep`] hides the inputs of a body from the optimiser; results are hidden anyway.
//!
//! This crate depends only on its own macro, and builds in a few seconds.

#![warn(missing_docs)]

mod added;
mod arguments;
mod barrier;
mod callgrind;
mod clock;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod cold;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
mod cold {
    pub(crate) const SUPPORTED: bool = false;
    pub(crate) fn flush() {}
}
mod compiler;
mod context;
mod direct;
mod form;
mod guard;
mod instance;
mod list;
mod loops;
mod memory;
mod metric;
mod once;
mod passing;
mod pool;
mod protocol;
mod read;
mod registry;
mod rotation;
mod runner;
mod scatter;
mod select;
mod series;
mod show;
mod skip;
mod state;
mod team;
mod text;
mod vtable;

pub use added::{add, Adding};
pub use barrier::keep;
pub use context::context;
pub use once::{bytes_once_per_run, once_per_run, Made};
pub use rotation::{rotate, Rotation};
pub use series::{geometric, linear};
pub use skip::skip;
/// Declares a benchmark, or the benchmarks of a type.
///
/// # A function
/// Each invocation calls it. Its result goes to a sink, so that the compiler has to compute it. Pass inputs that are known
/// at compile time through `tare::keep`. A value with a destructor is dropped within the measured time.
/// ```
/// #[tare::bench]
/// fn parse() -> i64 {
///     tare::keep("123456789").parse().unwrap()
/// }
/// # fn main() {}
/// ```
///
/// # Parameters
/// `NAME = VALUES`, where NAME is a parameter of the function and VALUES is anything iterable. Several parameters form all combinations.
/// ```
/// #[tare::bench(n = [10, 100, 1000], text = ["a", "b"])]
/// fn repeat(n: usize, text: &str) -> String {
///     text.repeat(n)
/// }
/// # fn main() {}
/// ```
/// Values that belong together are given in rows, which are not combined: `(n, text) = [(1, "one"), (2, "two")]`. [`linear`] and [`geometric`]
/// make values in steps. `skip_if = CONDITION` skips combinations.
/// A value that is taken by value and is not `Copy` is cloned for each invocation before the clock starts, like `input`.
/// Values of a parameter taken by reference may be references or owned. A value without `Display` or `Debug`, such as a
/// function, is shown as it is written in the source. If there is only one parameter, its values may be called `args`.
/// ```
/// fn twice(n: u64) -> u64 {
///     n + n
/// }
/// fn square(n: u64) -> u64 {
///     n * n
/// }
///
/// #[tare::bench(function = [twice, square], values = [vec![1, 2], vec![3]])]
/// fn apply(function: fn(u64) -> u64, values: &[u64]) -> u64 {
///     values.iter().copied().map(function).sum()
/// }
/// # fn main() {}
/// ```
/// Types and constants for generic parameters work in the same way. If there is only one, it may be called `types` or `consts`.
/// ```
/// # use std::collections::VecDeque;
/// #[tare::bench(C = [Vec<u8>, VecDeque<u8>], N = [8, 64])]
/// fn fill<C: Extend<u8> + Default, const N: usize>() -> C {
///     let mut all = C::default();
///     all.extend([7; N]);
///     all
/// }
/// # fn main() {}
/// ```
///
/// # A set-up and a body: a function that returns a closure
/// The function is the set-up, and the closure is the body. Small captures live in registers. The return type
/// decides: anything that can be called without arguments is a body (`impl FnMut`, `Box<dyn FnMut()>`, `Rc<dyn Fn()>`, a
/// function pointer, an alias of one of these), also within a `Result` or an `Option`, whose `Err` or `None` is a failure of the set-up.
/// A call through `dyn` is part of the time. Futures, closures that take arguments, and closures within a tuple or a `Vec`
/// are errors, because the wrong thing would be measured.
/// ```
/// #[tare::bench(n = [10, 1000])]
/// fn sum(n: u64) -> impl FnMut() -> u64 {
///     let values: Vec<u64> = (0..n).collect();
///     move || values.iter().sum()
/// }
/// # fn main() {}
/// ```
///
/// # A fresh input for each invocation
/// `input = EXPRESSION` is evaluated for each invocation before the clock starts, for the parameter of the function that has no
/// values. An input taken by reference is dropped after the clock has stopped; an input taken by value belongs to the body.
/// ```
/// #[tare::bench(n = [10, 1000], input = (0..n).rev().collect::<Vec<u32>>())]
/// fn sort(v: &mut Vec<u32>) {
///     v.sort_unstable();
/// }
/// # fn main() {}
/// ```
/// The function may also return a closure that takes the input as its argument. Its captures are set up once.
/// ```
/// #[tare::bench(input = [0_u8; 16])]
/// fn copy() -> impl FnMut(&mut [u8; 16]) {
///     let data = vec![1; 16];
///     move |out| out.copy_from_slice(&data)
/// }
/// # fn main() {}
/// ```
/// Tare makes as many inputs at a time as fit in the cache of the core.
///
/// # A type
/// The methods marked `#[bench]` are measured as a group, each with its own instance.
/// ```
/// struct Sort {
///     shuffled: Vec<u32>,
///     work: Vec<u32>,
/// }
///
/// #[tare::bench(n = [10, 1000], unit = "element", operations = n)]
/// impl Sort {
///     #[set_up]
///     fn new(n: u32) -> Self {
///         Sort { shuffled: (0..n).rev().collect(), work: Vec::new() }
///     }
///
///     #[iteration_set_up]
///     fn shuffle(&mut self) {
///         self.work.clone_from(&self.shuffled);
///     }
///
///     #[bench(baseline)]
///     fn stable(&mut self) {
///         self.work.sort();
///     }
///
///     #[bench]
///     fn unstable(&mut self) {
///         self.work.sort_unstable();
///     }
/// }
/// # fn main() {}
/// ```
/// `#[set_up]` is either a constructor that takes the parameters (and may return a `Result` or an `Option`), or a method. A method is
/// called on an instance made by `Default`, with the parameters assigned to the fields of the same names. `#[clean_up]` takes `&mut self`
/// or `self`; `#[iteration_set_up]` and `#[iteration_clean_up]` take `&mut self` and run around each iteration. All may return a `Result`.
///
/// `#[iteration_operations]` marks a method that takes `&self` and returns the number of operations per invocation, if it varies
/// between iterations. It is called after each iteration, before the clean-up and outside the measured time, and may return a fraction.
///
/// # Rates
/// The amount that one invocation processes is shown per second, beside its time: `bytes`, `items`, or any other with `rates`. Amounts may
/// use the parameters, and in an `impl` also the instance, in which case they are evaluated after its set-up.
/// ```
/// #[tare::bench(n = [64, 4096], bytes = n, rates = [("words", n / 8)])]
/// fn sum(n: usize) -> impl FnMut() -> u64 {
///     let words = vec![1_u64; n / 8];
///     move || words.iter().sum()
/// }
/// # fn main() {}
/// ```
///
/// # Threads in lockstep
/// `in_threads = [1, 2, 4]` runs the body on that many threads, which start together. The time is per call, and lasts until the last thread
/// has finished. Rates are for all threads together; `calls` is shown if there is no other rate. Threads share the return value of a set-up
/// (`impl Fn() + Sync`) or the instance (`&self`); each has its own copy of a function's parameters. `threads = N` declares the number of
/// threads that the body itself uses.
///
/// # Futures
/// An `async fn` needs `runner = ...`: an object with `block_on` (`tokio::runtime::Runtime::new().unwrap()`), which is created once per
/// process, or a function (`futures::executor::block_on`). An iteration is one future that awaits the invocations one by one. Set-ups and
/// methods of an `impl` may be `async` too.
///
/// # Times that the body reports
/// With `own_time` the body gets the number of invocations and returns how long they took, as a `Duration`. The number is the parameter of
/// the function that has no values, the argument of a returned closure (`impl FnMut(u64) -> Duration`), or the argument of a method.
///
/// # Options
/// <!-- spec/child.toml: options of rust -->
///
/// | option | meaning |
/// |---|---|
/// | `name = TEXT` | instead of the name in the code |
/// | `group = TEXT` | benchmarks that are compared with each other; by default the module or the type |
/// | `baseline` | the others of the group, with the same parameters, are compared with this one |
/// | `args = LIST` | values of the first parameter, as in divan |
/// | `types = LIST` | values of a generic parameter, as in divan |
/// | `consts = LIST` | values of a constant parameter, as in divan |
/// | `input = EXPRESSION` | makes the argument of each invocation before the clock starts |
/// | `operations = N` | operations that one invocation does, a whole number of at least 1 (1); times are shown per operation; may use the parameters |
/// | `unit = TEXT` | the name of an operation (`op`) |
/// | `bytes = N` | bytes that one invocation processes, shown per second beside the time |
/// | `items = N` | items that it processes, likewise |
/// | `rates = [("lines", N)]` | any other amounts, likewise |
/// | `categories = ["fast"]` | for filters |
/// | `description = TEXT` | one line; by default the first line of the documentation |
/// | `skip = TEXT` | listed with this reason, but not measured; `skip` in a set-up does the same; also alone, a `bool`, or an `Option` of a text; may use the parameters |
/// | `skip_if = CONDITION` | skipped under this condition |
/// | `threads = N` | threads that the body uses itself (1); 0 if unknown |
/// | `in_threads = [1, 2, 4]` | runs the body in that many threads in lockstep, with a case for each number; rates are for all threads together; not with `own_time` |
/// | `runner = EXPRESSION` | what runs futures: an object with `block_on`, or a function |
/// | `waits` | the body blocks (sleeps, waits for input, output or others), so only its wall time counts |
/// | `own_time` | the body says how long it took, and only that counts; it gets the number of invocations and returns a `Duration` |
/// | `results_change` | each invocation returns something else on purpose: no finding reports it |
/// | `results_differ` | it returns something else than the other contestants on purpose |
/// | `cold_start` | only the first invocation of each process is measured; the start-up time of the process is shown beside it |
/// | `monitoring` | each invocation is a measurement, including the first one: no warm-up, nothing dropped |
/// | `visit_time = TIME` | length of a visit (1 ms), unless a flag says otherwise; a `Duration` |
/// | `warm_up_time = TIME` | instead of a warm-up that ends when the times are steady |
/// | `invocations = N` | per iteration, instead of as many as fill a visit |
/// | `invocations_max = N` | the maximum per iteration, because each uses up something that was prepared (1 with an iteration set-up) |
/// | `memory_randomization` | each visit has the instance at another address, which shows how the address affects the time |
/// | `cold_caches` | before each invocation, all data of the process is removed from the caches, unmeasured. Code stays, and so does memory that is both writable and executable, or belongs to a device. One invocation per iteration, whatever `--invocations` says. Linux on x86-64 and AArch64 |
/// | `environment = [("NAME", "value")]` | variables of the processes that measure it |
/// | `arguments = ["--x"]` | arguments of their command line |
/// | `diagnose = ["code"]` | diagnosers that look at it in every run, as `tare run --diagnose code` has them look at all |
/// | `crate = PATH` | where this crate is, if it is not `::tare` |
///
/// For an `impl`, options in its attribute apply to all its benchmarks.
pub use tare_macros::bench;

/// Declares a metric that is counted in addition to the time, by a function without parameters that returns a number.
///
/// The function returns a total that never decreases. `tare run` shows the increase per operation in its own column. The function is
/// called before and after each iteration, outside the measured time, for all benchmarks of the program.
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// static COMPARISONS: AtomicU64 = AtomicU64::new(0);
///
/// #[tare::metric(lower_is_better)]
/// fn comparisons() -> u64 {
///     COMPARISONS.load(Relaxed)
/// }
/// # fn main() {}
/// ```
/// | option | meaning |
/// |---|---|
/// | `name = "..."` | instead of the function's name: lower-case letters, digits and `_` |
/// | `unit = "B"` | bytes, or another unit as it is shown |
/// | `lower_is_better`, `higher_is_better` | for comparisons |
/// | `per_iteration` | the value is shown as it is read after an iteration, as a mean |
/// | `crate = path::to::tare` | where this crate is |
pub use tare_macros::metric;

/// Runs the benchmarks of this program as the environment and the command line request. It exits the process if the status is
/// not 0, for example because a benchmark failed.
///
/// * With `TARE_LINK`: speaks the Tare protocol with the host that set it.
/// * With `--bench` (from `cargo bench`), or in a program that is not a bench target: measures by replacing itself with
///   `tare` if that is on the `PATH`; otherwise runs each body once.
/// * Otherwise (`cargo test --benches`, cargo-nextest): runs each body once, as a test.
///
/// # Panics
/// Never. Benchmarks that panic are reported, and the others continue.
pub fn main() {
    if let Some(link) = std::env::var_os("TARE_LINK") {
        protocol::serve(&link.to_string_lossy());
    }
    let status = direct::run();
    once::remove_own();
    if status != 0 {
        std::process::exit(status);
    }
}

/// Defines `fn main() { tare::main() }`.
#[macro_export]
macro_rules! main {
    () => {
        fn main() {
            $crate::main();
        }
    };
}

/// Used by the code that `#[tare::bench]` generates. Not stable: don't use it directly.
#[doc(hidden)]
pub mod __private {
    pub use crate::barrier::{copy, keep, never, sink, sink_empty};
    pub use crate::form::{fed_body, Body, Choose, Form, Outcome, Refuse, Threads};
    pub use crate::list::List;
    pub use crate::loops::{FLOATS, PLACE, SELF, WORDS};
    pub use crate::memory::Counting;
    pub use crate::metric::{Metric, METRICS};
    pub use crate::passing::{IntoInstance, Lend, Of, Operations, Pass};
    pub use crate::read::{chosen, Read};
    pub use crate::registry::{Bench, Choice, Manner, Parameter, Rate, BENCHES};
    pub use crate::runner::{block_on, BlockOn};
    pub use crate::series::Step;
    pub use crate::show::{texts, Look, Show, Shown};
    pub use crate::skip::{by_condition, Ignore};
    pub use crate::vtable::{Amounts, IntoOutcome, Typed};
    pub use crate::{
        __lend as lend, __look as look, __parameter as parameter, __read as read, __register as register,
        __show as show,
    };
}
