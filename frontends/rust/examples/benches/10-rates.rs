//! Bytes and items per second beside the time of a call; amounts that only the set-up knows; skipped cases.

use std::time::Duration;

#[tare::bench(size = tare::geometric(64..=4096, 8), bytes = size, rates = [("words", size / 8)])]
fn checksum(size: usize) -> impl FnMut() -> u64 {
    let words = vec![7_u64; size / 8];
    move || words.iter().fold(0, |sum, word| sum.rotate_left(5) ^ word)
}

/// The set-up knows how long its text is: `self` is the instance.
struct Lines {
    text: String,
}

#[tare::bench(items = self.text.lines().count(), bytes = self.text.len())]
impl Lines {
    #[set_up]
    fn new() -> Self {
        Lines { text: "one\ntwo\nthree\n".repeat(100) }
    }

    #[bench]
    fn longest(&self) -> usize {
        self.text.lines().map(str::len).max().unwrap_or(0)
    }
}

/// Combinations whose window does not fit, and the slow one, are listed with the reason, but not measured.
#[tare::bench(n = [10, 100], window = [5, 50], skip_if = window > n, skip = (n == 100).then_some("needs a quiet machine"))]
fn greatest_sum(n: usize, window: usize) -> impl FnMut() -> Option<u64> {
    let numbers: Vec<u64> = (0..n as u64).collect();
    move || numbers.windows(window).map(|window| window.iter().sum()).max()
}

#[tare::bench]
fn random_device() -> impl FnMut() -> usize {
    if !std::path::Path::new("/dev/hwrng-of-another-machine").exists() {
        tare::skip("there is no hardware random number generator");
    }
    || 1
}

/// Rules of measuring: visits of 2 ms instead of 1 ms.
#[tare::bench(visit_time = Duration::from_millis(2))]
fn longer_visits() -> u64 {
    (0..1000).map(tare::keep).sum()
}

fn main() {
    tare::main();
}
