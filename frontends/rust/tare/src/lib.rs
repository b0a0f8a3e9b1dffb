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
//! [`bench`](macro@bench) says all that can be declared: parameters, set-ups, baselines, inputs. [`main()`] measures, lists or
//! tests, as it is asked to. [`keep`] hides the inputs of a body from the optimiser; results are hidden anyway.
//!
//! This crate depends on no other (but its own macro), and builds in a few seconds.

#![warn(missing_docs)]

mod added;
mod arguments;
mod barrier;
mod callgrind;
mod clock;
mod cold;
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
mod quick;
mod read;
mod registry;
mod rotation;
mod runner;
mod scatter;
mod select;
mod series;
mod show;
mod team;
mod text;
mod vtable;
mod wanted;

pub use added::{add, Adding};
pub use barrier::keep;
pub use context::context;
pub use once::{bytes_once_per_run, once_per_run, Made};
pub use quick::{time, Timing};
pub use rotation::{rotate, Rotation};
pub use series::{geometric, linear};
/// Declares a benchmark, or the benchmarks of a type.
///
/// # A function
/// Each invocation calls it. What it returns goes to a sink, so that it has to be computed; inputs that are known when
/// compiling should go through `tare::keep`. A value with a destructor is dropped within the measured time.
/// ```
/// #[tare::bench]
/// fn parse() -> i64 {
///     tare::keep("123456789").parse().unwrap()
/// }
/// # fn main() {}
/// ```
///
/// # Parameters
/// `NAME = VALUES`, where NAME is a parameter of the function and VALUES anything that can be iterated. Several make all combinations.
/// ```
/// #[tare::bench(n = [10, 100, 1000], text = ["a", "b"])]
/// fn repeat(n: usize, text: &str) -> String {
///     text.repeat(n)
/// }
/// # fn main() {}
/// ```
/// Values that belong together are given in rows, which make no combinations: `(n, text) = [(1, "one"), (2, "two")]`. [`linear`] and [`geometric`]
/// are values in steps. `skip_if = CONDITION` leaves combinations out.
/// What a function takes by value and cannot be copied is cloned for each invocation before the clock starts, as `input` is;
/// what it takes by reference may be given as a reference or as a value. A value without a text of its own (`Display` or
/// `Debug`), such as a function, is shown as it is written. `args` is another word for the values of the only parameter.
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
/// Types and constants for generic parameters are given alike; `types` and `consts` are other words for the only one.
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
/// The function is the set-up, the closure the body. Small captures live in registers. What counts is the type that is
/// returned: anything that can be called without arguments is a body (`impl FnMut`, `Box<dyn FnMut()>`, `Rc<dyn Fn()>`, a
/// function pointer, a type alias of one), also in a `Result` or an `Option`, whose `Err` or `None` is a failure of the set-up.
/// A call through `dyn` is part of the time. A closure that hides in a tuple or a `Vec`, or takes arguments, and a future
/// fail by name: something else than what is meant would be measured.
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
/// `input = EXPRESSION` is computed before the clock starts, once for each invocation, for the parameter of the function
/// that has no values. One taken by reference is dropped after the clock has stopped; one by value is the body's.
/// ```
/// #[tare::bench(n = [10, 1000], input = (0..n).rev().collect::<Vec<u32>>())]
/// fn sort(v: &mut Vec<u32>) {
///     v.sort_unstable();
/// }
/// # fn main() {}
/// ```
/// So does a closure that the function returns and that takes one argument: what it captures is set up once.
/// ```
/// #[tare::bench(input = [0_u8; 16])]
/// fn copy() -> impl FnMut(&mut [u8; 16]) {
///     let data = vec![1; 16];
///     move |out| out.copy_from_slice(&data)
/// }
/// # fn main() {}
/// ```
/// As many inputs are made at a time as stay in the cache of the core.
///
/// # A type
/// The methods marked `#[bench]` are measured, each with an instance of its own, as a group.
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
/// `#[set_up]` is a constructor that takes the parameters (and may return a `Result` or an `Option`), or a method of an instance made by
/// `Default` whose fields of the parameters' names have been assigned. `#[clean_up]` takes `&mut self` or `self`;
/// `#[iteration_set_up]` and `#[iteration_clean_up]` take `&mut self` and surround each iteration. All may return a `Result`.
///
/// `#[iteration_operations]` before a method that takes `&self` and returns a number: how many operations an invocation did, where each
/// iteration does another number. The method is called after each, before its clean-up and outside the measured time, and may return a
/// fraction.
///
/// # Rates
/// What one invocation works through is shown per second, beside its time: `bytes`, `items`, or any other with `rates`. The amounts may use the
/// parameters, and in an `impl` the instance: then they are read when its set-up is done.
/// ```
/// #[tare::bench(n = [64, 4096], bytes = n, rates = [("words", n / 8)])]
/// fn sum(n: usize) -> impl FnMut() -> u64 {
///     let words = vec![1_u64; n / 8];
///     move || words.iter().sum()
/// }
/// # fn main() {}
/// ```
///
/// # Threads in step
/// `threads = [1, 2, 4]`, a list, runs the body on so many threads that begin together. The time is that of a call, until the last thread has
/// ended; rates are those of all threads, and without other rates there is `calls`. Threads share what a set-up returns
/// (`impl Fn() + Sync`) or the instance (`&self`); of the parameters of a function each has a copy. A single number says how many threads the body uses by itself.
///
/// # Futures
/// An `async fn` needs `runner = ...`: an object with `block_on` (`tokio::runtime::Runtime::new().unwrap()`), which is made once in each process, or
/// a function (`futures::executor::block_on`). An iteration is one future that awaits the invocations one after the other. Set-ups and
/// methods of an `impl` may be `async` too.
///
/// # Times that the body says
/// With `own_time` the body gets the number of invocations and returns how long they took, as a `Duration`: the parameter without values of a function,
/// the argument of a returned closure (`impl FnMut(u64) -> Duration`), or of a method.
///
/// # Options
/// | option | meaning |
/// |---|---|
/// | `name = "..."` | instead of the function's name |
/// | `group = "..."` | what is compared with each other; instead of the module's or type's name |
/// | `baseline` | the others of the group are compared with this one |
/// | `operations = N` | what one invocation does, a whole number of at least 1; may use the parameters. Times are for one of them |
/// | `unit = "byte"` | the name of such an operation |
/// | `bytes = N`, `items = N`, `rates = [("name", N)]` | see above |
/// | `categories = ["fast"]` | for filters |
/// | `ignore`, `ignore = REASON` | shown and not measured: a text, a truth value, or an `Option` of a text; may use the parameters. [`skip`] says it in a set-up |
/// | `skip_if = CONDITION` | there is no case for these parameters |
/// | `describe = "..."` | one line; instead of the first line of the documentation |
/// | `threads = [1, 2]` | see above |
/// | `threads = N` | threads that the body uses; 0 when not known |
/// | `runner = EXPRESSION` | see above |
/// | `own_time` | see above |
/// | `visit_time = DURATION` | length of a visit, 1 ms without it |
/// | `warm_up_time = DURATION` | instead of a warm-up that ends when the times are steady |
/// | `invocations = N` | of an iteration, instead of as many as make a visit |
/// | `waits` | the body blocks (sleeps, waits for input, output or others): it is judged by its wall time alone |
/// | `invocations_max = N` | invocations of an iteration at most, because each uses up something that was prepared |
/// | `monitoring` | each invocation is a measurement, the first one too: no warm-up, and none is dropped |
/// | `memory_randomization` | each visit has the state elsewhere in memory: shows what its place does to the time |
/// | `cold_caches` | before each invocation all data leaves the caches, which is not measured; the code stays, and so does memory that can be written and run, or belongs to a device. One invocation per iteration, whatever `--invocations` says. Linux on x86-64 and AArch64 |
/// | `results_change` | each invocation returns something else, on purpose: no finding says so |
/// | `results_differ` | it returns something else than the other contestants, on purpose |
/// | `cold_start` | the first invocation of each process is measured, and no other |
/// | `environment = [("NAME", "value")]` | variables of the processes that measure it |
/// | `arguments = ["--x"]` | arguments of their command line |
/// | `input = EXPRESSION` | see above |
/// | `crate = path::to::tare` | where this crate is, if it is not `::tare` |
///
/// For an `impl`, options in its attribute hold for all of its benchmarks.
pub use tare_macros::bench;
pub use wanted::skip;

/// Names what is counted beside the time: a function without parameters that returns a number.
///
/// It returns a total that never falls. `tare run` shows what an operation adds to it, in a column of its own. The function is
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

/// Runs the benchmarks of this program, as the environment and the command line say, and ends the process if there is
/// anything to say by its exit status.
///
/// * `TARE_LINK` is set: speaks the Tare protocol with the host that set it.
/// * `--bench` is given (by `cargo bench`), or this is a program and not a bench target: measures, by handing itself to
///   `tare` when that is on the `PATH`, else here, quickly.
/// * else (`cargo test --benches`, cargo-nextest): runs each body once, as a test.
///
/// # Panics
/// Never; benchmarks that panic are reported and the others go on.
pub fn main() {
    if let Some(link) = std::env::var_os("TARE_LINK") {
        protocol::serve(&link.to_string_lossy());
    }
    let status = direct::run();
    if status != 0 {
        std::process::exit(status);
    }
}

/// `fn main() { tare::main() }`.
#[macro_export]
macro_rules! main {
    () => {
        fn main() {
            $crate::main();
        }
    };
}

/// What the code that `#[tare::bench]` writes needs; not for use by hand, and not stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::barrier::{copy, never, sink, sink_empty};
    pub use crate::form::{
        fed_body, Body, ByBody, ByClone, ByCopies, ByCopy, ByNeither, ByNoCopies, ByNoSharing, ByRefusal, BySharing,
        Form, IsBody, IsFine, IsRefused, Outcome, Teams,
    };
    pub use crate::list::{List, Node};
    pub use crate::loops::{FLOATS, PLACE, SELF, WORDS};
    pub use crate::memory::Counting;
    pub use crate::metric::{Count, Metric, METRICS};
    pub use crate::passing::{ByCopying, ByLeaking, ByMoving, ByReference, IntoInstance, Lent, Operations, Passed};
    pub use crate::read::{chosen, ByNoReading, ByReading, Reader};
    pub use crate::registry::{Bench, Choice, Manner, Parameter, Rate, BENCHES};
    pub use crate::runner::{block_on, BlockOn};
    pub use crate::series::Step;
    pub use crate::show::{texts, ByAddress, ByDebug, ByDisplay, ByNothing, ByText, Look, Shown};
    pub use crate::vtable::{Amounts, IntoOutcome, Typed};
    pub use crate::wanted::{Ignore, Wanted};
    pub use crate::{
        __lend as lend, __look as look, __parameter as parameter, __read as read, __register as register,
        __show as show,
    };
}
