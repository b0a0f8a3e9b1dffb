//! Benchmarks for `tests/extent.rs`: rates, excluded and skipped cases, threads in lockstep, futures, own times, added
//! benchmarks, and exact counts of allocations.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

tare::allocator!();

static COUNT: AtomicU64 = AtomicU64::new(0);

fn next() -> u64 {
    COUNT.fetch_add(1, Relaxed) + 1
}

#[tare::bench(group = "rates", n = tare::geometric(1..=100, 10), bytes = 5_000_000_000, items = n, rates = [("words", 2 * n)])]
fn known(n: u64) -> u64 {
    n
}

#[tare::bench(group = "rates", items = -1)]
fn negative() {}

struct Text(String);

#[tare::bench(group = "rates", bytes = self.0.len(), operations = self.0.lines().count(), in_threads = [2])]
impl Text {
    #[set_up]
    fn new() -> Self {
        Text("a\nb\nc\n".to_owned())
    }

    #[bench]
    fn learned(&self) -> u64 {
        next()
    }
}

#[tare::bench(group = "wanted", n = [1, 2, 3], skip_if = n == 2, skip = (n == 3).then_some("three"))]
fn some(n: u64) -> u64 {
    n
}

#[tare::bench(group = "wanted", skip)]
fn none() {}

#[tare::bench(group = "wanted")]
fn found() -> impl FnMut() {
    if tare::keep(true) {
        tare::skip("not here");
    }
    || ()
}

#[tare::bench(group = "threads", in_threads = [1, 3])]
fn plain() -> u64 {
    next()
}

#[tare::bench(group = "threads", in_threads = [3], n = [7])]
fn closure(n: u64) -> impl Fn() -> u64 + Sync {
    let count = Mutex::new(n);
    move || {
        let mut count = count.lock().unwrap();
        *count += 1;
        *count
    }
}

#[tare::bench(group = "threads", in_threads = [2])]
fn stateful() -> impl FnMut() -> u64 {
    let mut count = 0;
    move || {
        count += 1;
        count
    }
}

#[tare::bench(group = "threads", in_threads = [2])]
fn panics() -> u64 {
    assert!(next() % 2 == u64::MAX, "on a thread");
    0
}

#[tare::bench(group = "threads", in_threads = [0])]
fn zero() {}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Idle;
    impl Wake for Idle {
        fn wake(self: Arc<Self>) {}
    }
    let waker = Waker::from(Arc::new(Idle));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
    }
}

struct Runner;

impl Runner {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        block_on(future)
    }
}

#[tare::bench(group = "futures", runner = block_on, n = [1])]
async fn function(n: u64) -> u64 {
    std::future::ready(next()).await * n
}

#[tare::bench(group = "futures", runner = Runner, input = String::from("x"))]
async fn eaten(text: String) -> u64 {
    next() * text.len() as u64
}

#[tare::bench(group = "futures", runner = |task| block_on(task), input = vec![1_u64])]
async fn lent(numbers: &mut [u64]) -> u64 {
    numbers[0] += next();
    numbers[0] - 1
}

#[derive(Default)]
struct Later {
    count: u64,
}

#[tare::bench(group = "futures", runner = Runner)]
impl Later {
    #[set_up]
    async fn begin(&mut self) -> Result<(), String> {
        self.count = std::future::ready(0).await;
        Ok(())
    }

    #[bench]
    async fn method(&mut self) -> u64 {
        self.count += 1;
        self.count
    }
}

#[tare::bench(group = "own", own_time, visit_time = Duration::from_millis(3), warm_up_time = Duration::ZERO, invocations = 7)]
fn said(count: u64) -> Duration {
    Duration::from_nanos(1000 * count)
}

#[tare::bench(group = "own", own_time)]
fn said_by_closure() -> impl FnMut(u64) -> Duration {
    let each = Duration::from_nanos(10);
    move |invocations| each * invocations as u32
}

#[derive(Default)]
struct Said;

#[tare::bench(group = "own")]
impl Said {
    #[bench(own_time)]
    fn said_by_method(&mut self, invocations: u64) -> Duration {
        Duration::from_nanos(invocations)
    }
}

#[tare::bench(group = "memory")]
fn nothing() -> u64 {
    tare::keep(1)
}

#[tare::bench(group = "memory")]
fn doubles() -> Vec<u64> {
    let mut numbers = Vec::new();
    (0..1000).for_each(|n| numbers.push(n));
    numbers
}

// The order of a `HashSet` is another one each time.
#[tare::bench(group = "hashed", n = HashSet::from([1, 2, 3, 4, 5]), items = n)]
fn any_order(n: u64) -> u64 {
    n
}

#[tare::bench(group = "memory")]
fn map() -> HashMap<u64, u64> {
    (0..1000).map(|n| (n, n)).collect()
}

#[tare::bench(group = "memory", n = [15, 16])]
fn text(n: usize) -> String {
    "x".repeat(n)
}

#[tare::bench(group = "rows", (n, text) = [(1, "one"), (2, "two")], twice = [false, true])]
fn row(n: usize, text: &str, twice: bool) -> String {
    text.repeat(n + usize::from(twice))
}

fn main() {
    for n in [1_u64, 2] {
        tare::add("added", move || {
            let mut count = n;
            move || {
                count += 1;
                count
            }
        })
        .group("added")
        .parameter("n", n)
        .items(n);
    }
    for at in HashSet::from([9, 10, 100]) {
        tare::add(format!("at-{at}"), move || -> fn() { panic!("set-up of {at}") }).group("hashed");
    }
    tare::add("later", || || 1).skip("another day");
    tare::main();
}
