//! The samples of `docs/from/benchmarkdotnet-samples.md`, in Rust.

use std::fmt::Write;
use std::time::Duration;

fn nap(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

// String join
#[tare::bench(group = "join", baseline)]
fn join() -> String {
    (0..10).map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}
#[tare::bench(group = "join")]
fn push_str() -> String {
    let mut text = String::new();
    for i in 0..10 {
        text += &i.to_string();
        text += ", ";
    }
    text.truncate(text.len() - 2);
    text
}
#[tare::bench(group = "join")]
fn with_room() -> String {
    let mut text = String::with_capacity(30);
    for i in 0..10 {
        write!(text, "{i}, ").unwrap();
    }
    text.truncate(text.len() - 2);
    text
}

// A list
#[tare::bench(group = "list", input = Vec::with_capacity(1))]
fn add(list: &mut Vec<u32>) {
    list.push(1234);
}
#[tare::bench(group = "list", operations = 1000)]
fn add_loop() -> impl FnMut() {
    let mut list = Vec::new();
    move || {
        list.clear();
        (0..1000).for_each(|_| list.push(1234_u32));
    }
}

// Parameters
#[tare::bench(group = "params", a = [1, 2], b = [3, 6], waits)]
fn params(a: u64, b: u64) {
    nap(a + b);
}

// Parameters from a function
fn values_of_a() -> [u64; 2] {
    [1, 2]
}
#[tare::bench(group = "sources", a = values_of_a(), b = tare::linear(3..=6, 3), waits)]
fn sources(a: u64, b: u64) {
    nap(a + b);
}

// Arguments
#[tare::bench(more = [true, false], (a, b) = [(1, 3), (1, 6), (2, 3), (2, 6)], waits)]
fn arguments(more: bool, a: u64, b: u64) {
    nap(if more { a + b + 5 } else { a + b });
}

// Arguments from a function
fn numbers() -> [(f64, f64); 4] {
    [(1.0, 1.0), (2.0, 2.0), (4.0, 4.0), (10.0, 10.0)]
}
#[tare::bench((x, y) = numbers())]
fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

// Several modes
#[tare::bench(modes = [1, 2, 3, 4], waits, monitoring)]
fn sleep(modes: u64) -> impl FnMut() {
    let mut random = 42_u64;
    move || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        nap(3 + 3 * ((random >> 33) % modes));
    }
}

// Set-up and clean-up
#[derive(Default)]
struct Steps;
#[tare::bench]
impl Steps {
    #[set_up]
    fn set_up(&mut self) {}
    #[iteration_set_up]
    fn iteration_set_up(&mut self) {}
    #[bench]
    fn benchmark(&mut self) {}
    #[iteration_clean_up]
    fn iteration_clean_up(&mut self) {}
    #[clean_up]
    fn clean_up(&mut self) {}
}

// Operations of an invocation
#[tare::bench(group = "increment")]
fn in_a_loop() -> impl FnMut() {
    let mut a = 0_u32;
    move || (0..4).for_each(|_| a = tare::keep(a.wrapping_add(1)))
}
#[tare::bench(group = "increment", operations = 4)]
fn four() -> impl FnMut() {
    let mut a = 0_u32;
    move || {
        a = tare::keep(a.wrapping_add(1));
        a = tare::keep(a.wrapping_add(1));
        a = tare::keep(a.wrapping_add(1));
        a = tare::keep(a.wrapping_add(1));
    }
}

// Three jobs
#[tare::bench(group = "roots")]
fn sqrt14() -> f64 {
    (1..=14).map(|i| tare::keep(f64::from(i)).sqrt()).sum()
}

fn main() {
    tare::main();
}
