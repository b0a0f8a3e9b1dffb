//! Types and constants for generic functions: one benchmark for each combination.

use std::collections::{BTreeSet, HashSet, VecDeque};

#[tare::bench(C = [Vec<u32>, VecDeque<u32>, BTreeSet<u32>, HashSet<u32>], N = [16, 256], operations = N)]
fn fill<C: Extend<u32> + Default, const N: usize>() -> C {
    let mut all = C::default();
    all.extend(tare::keep([7; N]));
    all
}

fn main() {
    tare::main();
}
