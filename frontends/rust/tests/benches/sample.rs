//! Benchmarks for the tests: every form, and every way to fail.

use std::collections::VecDeque;

/// Doubles a captured number.
#[tare::bench]
fn double() -> impl FnMut() -> u64 {
    let mut x = 1_u64;
    move || {
        x = x.wrapping_add(x);
        x
    }
}

/// Does nothing.
#[tare::bench(categories = ["fast", "empty"])]
fn empty() {}

/// Parses a number.
#[tare::bench(group = "parse", baseline, unit = "digit", operations = 9)]
fn std() -> i64 {
    tare::keep("123456789").parse().unwrap()
}

#[tare::bench(group = "parse", description = "by hand")]
fn hand() -> i64 {
    tare::keep("123456789").bytes().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
}

#[tare::bench(n = [10, 100], text = ["a", "b \"c\""], operations = n)]
fn repeat(n: usize, text: &str) -> String {
    text.repeat(n)
}

#[tare::bench(C = [Vec<u8>, VecDeque<u8>], N = [8, 64])]
fn fill<C: Extend<u8> + Default, const N: usize>() -> C {
    let mut all = C::default();
    all.extend([7; N]);
    all
}

#[tare::bench(n = [10, 1000])]
fn sum(n: u64) -> impl FnMut() -> u64 {
    let values: Vec<u64> = (0..n).collect();
    move || values.iter().sum()
}

#[tare::bench(n = [10, 1000], input = (0..n).rev().collect::<Vec<u32>>())]
fn sort_lent(v: &mut [u32]) {
    v.sort_unstable();
}

#[tare::bench(n = [10, 1000], input = (0..n).rev().collect::<Vec<u32>>())]
fn sort_eaten(mut v: Vec<u32>) -> Vec<u32> {
    v.sort_unstable();
    v
}

struct Sort {
    shuffled: Vec<u32>,
    work: Vec<u32>,
}

#[tare::bench(n = [10, 1000], unit = "element", operations = n)]
impl Sort {
    #[set_up]
    fn new(n: u32) -> Self {
        Sort { shuffled: (0..n).rev().collect(), work: Vec::new() }
    }

    #[iteration_set_up]
    fn shuffle(&mut self) {
        self.work.clone_from(&self.shuffled);
    }

    /// Keeps equal ones in order.
    #[bench(baseline)]
    fn stable(&mut self) {
        self.work.sort();
    }

    #[bench]
    fn unstable(&mut self) {
        self.work.sort_unstable();
    }

    #[clean_up]
    fn done(self) {
        drop(self);
    }
}

fn main() {
    tare::main();
}
