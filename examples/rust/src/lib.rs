//! What the benchmarks of this package measure: small hashes, random number generators and a hash table, in plain Rust.

pub mod hash;
pub mod random;
pub mod table;

/// `length` bytes that look random and are the same each time.
pub fn bytes(length: usize) -> Vec<u8> {
    let mut numbers = random::SplitMix64::new(42);
    (0..length).map(|_| (numbers.next() >> 56) as u8).collect()
}
