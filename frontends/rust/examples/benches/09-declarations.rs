//! What a benchmark can declare besides its body: how it is run, how it is started, and what is counted in addition to the time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::OnceLock;
use std::time::Duration;

static HASHED: AtomicU64 = AtomicU64::new(0);

/// A total that never decreases. The amount that an operation adds to it is shown beside the time.
#[tare::metric(unit = "B", higher_is_better)]
fn hashed_bytes() -> u64 {
    HASHED.load(Relaxed)
}

#[tare::bench(group = "hash", n = [100, 1000])]
fn fnv(n: usize) -> impl FnMut() -> u64 {
    let text = vec![7_u8; n];
    move || {
        HASHED.fetch_add(text.len() as u64, Relaxed);
        text.iter().fold(14695981039346656037, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(1099511628211))
    }
}

static NAMES: OnceLock<BTreeMap<u32, String>> = OnceLock::new();

/// The first call in a process makes the table. Only this call is measured, once in each launch.
#[tare::bench(group = "table", cold_start)]
fn first_look_up() -> Option<&'static String> {
    NAMES.get_or_init(|| (0..1000).map(|n| (n, n.to_string())).collect()).get(&tare::keep(500))
}

/// Each call as it is, including the first.
#[tare::bench(group = "table", monitoring)]
fn each_look_up() -> Option<&'static String> {
    first_look_up()
}

/// A body that sleeps is judged by its wall time. The variable is set before the process starts.
#[tare::bench(group = "wait", waits, environment = [("MICROSECONDS", "200")])]
fn sleep() -> impl FnMut() {
    let text = std::env::var("MICROSECONDS").unwrap_or_default();
    let time = Duration::from_micros(text.parse().unwrap_or(0));
    move || std::thread::sleep(time)
}

/// Each invocation takes one of the 500 elements that are prepared before the iteration, so there are at most 500 invocations.
#[derive(Default)]
struct Stack {
    items: Vec<u32>,
}

#[tare::bench(group = "stack", invocations_max = 500)]
impl Stack {
    #[iteration_set_up]
    fn fill(&mut self) {
        self.items = (0..500).collect();
    }

    #[bench]
    fn pop(&mut self) -> Option<u32> {
        self.items.pop()
    }
}

fn main() {
    tare::main();
}
