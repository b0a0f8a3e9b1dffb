//! Threads in lockstep: 1, 2 and 4 threads that begin together run the body. The time is per call on each thread, and the rate is for all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;

static COUNT: AtomicU64 = AtomicU64::new(0);

#[tare::bench(group = "counter", in_threads = [1, 2, 4])]
fn atomic() -> u64 {
    COUNT.fetch_add(1, Relaxed)
}

/// The return value of a set-up is shared.
#[tare::bench(group = "counter", in_threads = [1, 2, 4])]
fn mutex() -> impl Fn() -> u64 + Sync {
    let count = Mutex::new(0);
    move || {
        let mut count = count.lock().unwrap();
        *count += 1;
        *count
    }
}

struct Table(Vec<u64>);

#[tare::bench(in_threads = [1, 2], bytes = 8 * self.0.len())]
impl Table {
    #[set_up]
    fn new() -> Self {
        Table((0..1024).collect())
    }

    #[bench]
    fn sum(&self) -> u64 {
        self.0.iter().sum()
    }
}

fn main() {
    tare::main();
}
