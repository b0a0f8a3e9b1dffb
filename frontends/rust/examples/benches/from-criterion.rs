//! The benchmarks of `docs/from/criterion.md`, written for Tare.

use std::collections::HashMap;
use std::future::Future;
use std::time::{Duration, Instant};

fn fib(n: u64) -> u64 {
    if n < 2 {
        1
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

fn fast_fib(n: u64) -> u64 {
    (0..n).fold((1, 1), |(a, b), _| (b, a + b)).0
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|x| x.wrapping_mul(2_654_435_761)).collect()
}

async fn later(n: u64) -> u64 {
    std::future::ready(n).await + 1
}

/// A real runtime works in the same way: `runner = tokio::runtime::Runtime::new().unwrap()`.
struct Runtime;

impl Runtime {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        use std::task::{Context, Poll, Wake, Waker};
        struct Idle;
        impl Wake for Idle {
            fn wake(self: std::sync::Arc<Self>) {}
        }
        let (waker, mut future) = (Waker::from(std::sync::Arc::new(Idle)), std::pin::pin!(future));
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return value;
            }
        }
    }
}

#[tare::bench]
fn fib_20() -> u64 {
    fib(tare::keep(20))
}

#[tare::bench(group = "fibonacci", n = [20, 21], baseline)]
fn recursive(n: u64) -> u64 {
    fib(n)
}
#[tare::bench(group = "fibonacci", n = [20, 21])]
fn iterative(n: u64) -> u64 {
    fast_fib(n)
}

#[tare::bench(size = [1024, 2048, 4096], bytes = size)]
fn from_elem(size: usize) -> Vec<u8> {
    std::iter::repeat(0_u8).take(size).collect()
}

#[tare::bench]
fn look_up() -> impl FnMut() -> Option<u32> {
    let map: HashMap<u32, u32> = (0..1000).map(|n| (n, n)).collect();
    move || map.get(&tare::keep(500)).copied()
}

#[tare::bench(input = numbers(1000))]
fn sort(data: &mut [u32]) {
    data.sort();
}

#[tare::bench(input = numbers(1000))]
fn consume(data: Vec<u32>) -> Option<u32> {
    data.into_iter().max()
}

#[tare::bench(own_time)]
fn custom(invocations: u64) -> Duration {
    let start = Instant::now();
    for n in 0..invocations {
        tare::keep(fast_fib(n % 50));
    }
    start.elapsed()
}

#[tare::bench(runner = Runtime)]
async fn future() -> u64 {
    later(20).await
}

#[tare::bench(group = "text", items = 300)]
fn words() -> impl FnMut() -> usize {
    let text = "one two three ".repeat(100);
    move || text.split(' ').count()
}

#[tare::bench(group = "slow", visit_time = Duration::from_millis(5))]
fn fib_25() -> u64 {
    fib(tare::keep(25))
}

fn main() {
    tare::main();
}
