//! Random number generators compared, and a body whose length is random.
#![allow(missing_docs)]

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use tare_classics::random::{Mt19937x64, Pcg64, SplitMix64, XorShift64Star, Xoshiro256};

#[tare::bench(group = "random", baseline)]
fn xoshiro256() -> impl FnMut() -> u64 {
    let mut random = Xoshiro256::new(1);
    move || random.next()
}

#[tare::bench(group = "random")]
fn splitmix64() -> impl FnMut() -> u64 {
    let mut random = SplitMix64::new(1);
    move || random.next()
}

#[tare::bench(group = "random")]
fn xorshift64_star() -> impl FnMut() -> u64 {
    let mut random = XorShift64Star::new(1);
    move || random.next()
}

#[tare::bench(group = "random")]
fn pcg64() -> impl FnMut() -> u64 {
    let mut random = Pcg64::new(1);
    move || random.next()
}

#[tare::bench(group = "random")]
fn mt19937_64() -> impl FnMut() -> u64 {
    let mut random = Mt19937x64::new(1);
    move || random.next()
}

/// The generator of the standard library: the hash of a counter (SipHash).
#[tare::bench(group = "random")]
fn random_state() -> impl FnMut() -> u64 {
    let state = RandomState::new();
    let mut count = 0_u64;
    move || {
        count += 1;
        state.hash_one(count)
    }
}

/// 0 to 255 draws: the times of invocations vary widely, but the mean of many must not.
#[tare::bench(group = "fluctuating", categories = ["noisy"])]
fn draws() -> impl FnMut() -> u64 {
    let mut random = XorShift64Star::new(123);
    move || {
        let mut last = 0;
        for _ in 0..random.next() >> 56 {
            last = tare::keep(random.next());
        }
        last
    }
}

fn main() {
    tare::main();
}
