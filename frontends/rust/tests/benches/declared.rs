//! Every setting that a benchmark can declare about how it is run, for `tests/protocol.rs`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static TOTAL: AtomicU64 = AtomicU64::new(0);

#[tare::metric(unit = "B", lower_is_better)]
fn total() -> u64 {
    TOTAL.load(Relaxed)
}

#[tare::metric(name = "level", higher_is_better, per_iteration)]
fn level_of_water() -> f32 {
    0.5
}

#[tare::bench(group = "declared", whole = [1], number = [0.5], truth = [true], text = ["a"], lent = [2_u8])]
fn typed(whole: u32, number: f64, truth: bool, text: &str, lent: &u8) -> bool {
    TOTAL.fetch_add(3, Relaxed);
    whole == 1 && number > 0.0 && truth && text == "a" && *lent == 2
}

#[tare::bench(group = "declared", waits)]
fn sleeps() {}

#[tare::bench(group = "declared", invocations_max = 100)]
fn batch() {}

#[tare::bench(group = "declared", cold_start)]
fn cold() {}

#[tare::bench(group = "declared", cold_caches)]
fn cold_data() {}

#[tare::bench(group = "declared", environment = [("COLOUR", "red=1"), ("EMPTY", "")], arguments = ["--one", "two words"])]
fn launch() -> String {
    std::env::var("COLOUR").unwrap_or_default()
}

#[derive(Default)]
struct Kind;

#[tare::bench(group = "declared", monitoring, waits)]
impl Kind {
    #[bench]
    fn of_all(&mut self) {}

    #[bench(cold_start, waits = false)]
    fn of_one(&mut self) {}
}

fn main() {
    tare::context("data", "small.txt");
    tare::context("seed", 42);
    tare::context("data", "big \"1\".txt");
    tare::main();
}
