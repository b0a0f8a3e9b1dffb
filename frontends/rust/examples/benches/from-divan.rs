//! The benchmarks of `docs/from/divan.md`, written for Tare.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;
use std::time::Duration;

fn fib(n: u64) -> u64 {
    if n < 2 {
        1
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|x| x.wrapping_mul(2_654_435_761)).collect()
}

#[tare::bench]
fn add() -> i32 {
    tare::keep(2) + tare::keep(1)
}

#[tare::bench(args = [1, 2, 4, 8, 16])]
fn fibonacci(n: u64) -> u64 {
    fib(n)
}

#[tare::bench(types = [Vec<u32>, BTreeSet<u32>, HashSet<u32>])]
fn from_range<T: FromIterator<u32>>() -> T {
    (0..100).collect()
}

#[tare::bench(consts = [16, 64, 256])]
fn zeroed<const N: usize>() -> [u8; N] {
    tare::keep([0; N])
}

#[tare::bench]
fn look_up() -> impl FnMut() -> Option<u32> {
    let map: HashMap<u32, u32> = (0..1000).map(|n| (n, n)).collect();
    move || map.get(&tare::keep(500)).copied()
}

#[tare::bench(n = [10, 1000], input = numbers(n))]
fn sort(values: &mut [u32]) {
    values.sort();
}

#[tare::bench(args = [64, 4096], bytes = n)]
fn copy(n: usize) -> impl FnMut() {
    let (from, mut to) = (vec![1_u8; n], vec![0; n]);
    move || to.copy_from_slice(&from)
}

#[tare::bench(in_threads = [1, 2])]
fn contended() -> impl Fn() + Sync {
    let count = Mutex::new(0_u64);
    move || *count.lock().unwrap() += 1
}

#[tare::bench(bytes = 1400, items = 300)]
fn count_words() -> impl FnMut() -> usize {
    let text = "one two three ".repeat(100);
    move || text.split(' ').count()
}

#[tare::bench(skip = "slow", visit_time = Duration::from_millis(5))]
fn slow() -> u64 {
    fib(tare::keep(30))
}

fn main() {
    tare::main();
}
