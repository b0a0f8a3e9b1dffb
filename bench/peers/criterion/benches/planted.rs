//! The benchmarks of `bench/verdicts` on criterion; the variable CHAIN says how long the chains are: 100, 102 or 105.

use criterion::{criterion_group, criterion_main, Criterion};

#[path = "../../../cases/bodies.rs"]
mod bodies;

use bodies::{multiply_chain, Fluctuating, Parse, Sort64};

fn chain(c: &mut Criterion) {
    let length = std::env::var("CHAIN").unwrap_or_default();
    for seed in [3_u64, 5, 7, 9] {
        let mut x = seed;
        let name = format!("chain{seed}");
        match length.as_str() {
            "102" => c.bench_function(&name, |b| b.iter(|| multiply_chain::<102>(&mut x))),
            "105" => c.bench_function(&name, |b| b.iter(|| multiply_chain::<105>(&mut x))),
            _ => c.bench_function(&name, |b| b.iter(|| multiply_chain::<100>(&mut x))),
        };
    }
}

fn mixed(c: &mut Criterion) {
    let (mut sort, mut parse, mut fluct) = (Sort64::default(), Parse::default(), Fluctuating::default());
    c.bench_function("sort", |b| b.iter(|| sort.call()));
    c.bench_function("parse", |b| b.iter(|| parse.call()));
    c.bench_function("fluct", |b| b.iter(|| fluct.call()));
}

criterion_group!(benches, chain, mixed);
criterion_main!(benches);
