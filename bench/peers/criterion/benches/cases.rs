//! The same bodies on criterion.

use criterion::{criterion_group, criterion_main, Criterion};
use std::hint::black_box;

fn fast(c: &mut Criterion) {
    let mut x = 1u64;
    c.bench_function("fast", |b| {
        b.iter(|| {
            x = x.wrapping_add(x);
            x
        })
    });
}

fn parse(c: &mut Criterion) {
    let texts = ["123456789", "987654321", "192837465", "918273645", "135792468", "246813579"];
    c.bench_function("parse", |b| b.iter(|| texts.iter().map(|t| black_box(t).parse::<i64>().unwrap_or(0)).sum::<i64>()));
}

fn fluct(c: &mut Criterion) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    c.bench_function("fluct", |b| {
        b.iter(|| {
            let draws = draw() & 255;
            (0..draws).fold(0, |x, _| x ^ draw())
        })
    });
}

criterion_group!(benches, fast, parse, fluct);
criterion_main!(benches);
