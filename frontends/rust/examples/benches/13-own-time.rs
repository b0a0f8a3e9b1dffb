//! Bodies that report how long they took: the time of some steps, of a device, or of a simulation. They get the number of invocations.

use std::time::{Duration, Instant};

/// Only the sorting counts, not the shuffling before it.
#[tare::bench(own_time, n = [100])]
fn sort(n: u32, invocations: u64) -> Duration {
    let mut spent = Duration::ZERO;
    for _ in 0..invocations {
        let mut values: Vec<u32> = (0..n).map(|x| x.wrapping_mul(2_654_435_761)).collect();
        let start = Instant::now();
        tare::keep(&mut values).sort_unstable();
        spent += start.elapsed();
    }
    spent
}

/// With a set-up.
#[tare::bench(own_time)]
fn simulated() -> impl FnMut(u64) -> Duration {
    let clock_of_the_device = Duration::from_micros(3);
    move |invocations| clock_of_the_device * u32::try_from(invocations).unwrap_or(u32::MAX)
}

fn main() {
    tare::main();
}
