//! The kernels on criterion; the variable KERNEL_ITEMS sets the amount of work: 401, 409 or 421.

use criterion::{criterion_group, criterion_main, Criterion};

#[allow(dead_code)]
#[path = "../../../cases/kernels.rs"]
mod kernels;

use kernels::*;

fn measure<K: Kernel>(c: &mut Criterion, name: &str, n: usize) {
    c.bench_function(name, |b| {
        let mut kernel = K::new(n);
        b.iter(|| kernel.call())
    });
}

fn all(c: &mut Criterion) {
    let n = std::env::var("KERNEL_ITEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(401);
    measure::<Parse>(c, "parse", n);
    measure::<Crc>(c, "crc", n);
    measure::<Sort400>(c, "sort", n);
    measure::<Rows>(c, "rows", n);
    measure::<Lookup>(c, "lookup", n);
    measure::<Tree>(c, "tree", n);
    measure::<Join>(c, "join", n);
    measure::<Json>(c, "json", n);
    measure::<Regex>(c, "regex", n);
    measure::<Sum>(c, "sum", n);
    match n {
        409 => measure::<Chain<409>>(c, "chain", n),
        421 => measure::<Chain<421>>(c, "chain", n),
        _ => measure::<Chain<401>>(c, "chain", n),
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
