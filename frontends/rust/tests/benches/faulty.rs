//! Benchmarks with wrong declarations, between correct ones: each affects only its own row.

#[tare::bench]
fn good() -> i32 {
    tare::keep(1) + 1
}

#[tare::bench(group = "twins", name = "same")]
fn first() {}

#[tare::bench(group = "twins", name = "same")]
fn second() {}

#[tare::bench(name = "")]
fn nameless() {}

#[tare::bench(n = [10, 10])]
fn alike(n: u64) -> u64 {
    n
}

const LONG: &str =
    "a value whose text is so long that it is cut somewhere before the place where it differs from the other \
    one, which is why such values looked alike; here come some more words, so that it is longer than what is shown: ";

#[tare::bench(text = [format!("{LONG}{LONG}1"), format!("{LONG}{LONG}2")])]
fn long(text: &str) -> usize {
    text.len()
}

fn values() -> Vec<u64> {
    panic!("no file");
}

#[tare::bench(n = values())]
fn source(n: u64) -> u64 {
    n
}

#[tare::bench(n = Vec::<u64>::new())]
fn none(n: u64) -> u64 {
    n
}

#[tare::bench(n = [0, 1, -1], operations = n)]
fn operations(n: i64) -> i64 {
    n
}

#[tare::bench(cold_caches, invocations_max = 2)]
fn half_cold() {}

#[tare::bench(cold_caches, invocations = 100)]
fn once_cold() {}

#[tare::bench(operations = 5_000_000_000)]
fn many() {}

#[tare::bench]
fn also_good() -> i32 {
    tare::keep(2) + 1
}

fn main() {
    tare::main();
}
