//! The classic questions: `cargo bench --bench classics`, or `tare run .`
#![allow(missing_docs)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::time::Duration;

use tare_classics::hash::{Md5, Sha256};
use tare_classics::random::SplitMix64;
use tare_classics::{bytes, table::Table};

// ------------------------------------------------------------------------------------------------ parsing an integer

mod parse {
    /// The standard library.
    #[tare::bench(baseline)]
    fn std() -> i64 {
        tare::keep("123456789").parse().unwrap()
    }

    /// A loop over the digits that only checks the digits.
    #[tare::bench]
    fn by_hand() -> Option<i64> {
        let mut number = 0_i64;
        for byte in tare::keep("123456789").bytes() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number = number * 10 + i64::from(digit);
        }
        Some(number)
    }
}

// ---------------------------------------------------------------------------------- MD5 and SHA-256 of 10,000 bytes

struct Hashes {
    md5: Md5,
    sha256: Sha256,
    data: Vec<u8>,
}

#[tare::bench(group = "hash", unit = "byte", operations = 10_000)]
impl Hashes {
    #[set_up]
    fn new() -> Self {
        Hashes { md5: Md5::default(), sha256: Sha256::default(), data: bytes(10_000) }
    }

    #[bench(baseline)]
    fn sha256(&self) -> [u8; 32] {
        self.sha256.digest(&self.data)
    }

    #[bench]
    fn md5(&self) -> [u8; 16] {
        self.md5.digest(&self.data)
    }
}

// ------------------------------------------------------------------------------------------- joining ten integers

mod join {
    use super::*;

    const NUMBERS: [u32; 10] = [1, 22, 333, 4_444, 55_555, 666_666, 7_777_777, 88_888_888, 999_999_999, 0];

    /// A string for each, and one for the result.
    #[tare::bench(baseline)]
    fn collect() -> String {
        tare::keep(&NUMBERS).iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    }

    /// One string that grows.
    #[tare::bench]
    fn write() -> String {
        let mut text = String::new();
        for (place, number) in tare::keep(&NUMBERS).iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(text, "{comma}{number}").unwrap();
        }
        text
    }

    /// One string that is large enough, and no formatting machinery.
    #[tare::bench]
    fn by_hand() -> String {
        let mut text = Vec::with_capacity(128);
        for &number in tare::keep(&NUMBERS) {
            if !text.is_empty() {
                text.extend_from_slice(b", ");
            }
            let start = text.len();
            let mut left = number;
            loop {
                text.push(b'0' + (left % 10) as u8);
                left /= 10;
                if left == 0 {
                    break;
                }
            }
            text[start..].reverse();
        }
        String::from_utf8(text).unwrap()
    }
}

// ------------------------------------------------------------- the sum of large elements, sorted and unsorted

#[derive(Clone, Copy, Debug)]
enum Order {
    Shuffled,
    Sorted,
}

struct Branch {
    data: Vec<u8>,
}

/// Sums the bytes that are at least 128.
#[tare::bench(group = "branch", order = [Order::Shuffled, Order::Sorted], unit = "byte", operations = 131_072)]
impl Branch {
    #[set_up]
    fn new(order: Order) -> Self {
        let mut data = bytes(131_072);
        if matches!(order, Order::Sorted) {
            data.sort_unstable();
        }
        Branch { data }
    }

    /// `keep` costs no instruction, but the compiler cannot compute its value speculatively, so the branch remains a branch.
    #[bench(baseline)]
    fn branchy(&self) -> u64 {
        let mut sum = 0;
        for &byte in &self.data {
            if byte >= 128 {
                sum = tare::keep(sum + u64::from(byte));
            }
        }
        sum
    }

    /// Adds 0 or the byte; `keep` prevents vectorisation, so that only the branch differs.
    #[bench]
    fn branchless(&self) -> u64 {
        let mut sum = 0;
        for &byte in &self.data {
            let mask = 0_u64.wrapping_sub(u64::from(byte >> 7));
            sum = tare::keep(sum + (u64::from(byte) & mask));
        }
        sum
    }

    /// The usual code, which the compiler turns into vector instructions.
    #[bench]
    fn vectors(&self) -> u64 {
        self.data.iter().filter(|&&byte| byte >= 128).map(|&byte| u64::from(byte)).sum()
    }
}

// ---------------------------------------------------------- a vector that grows, done right (see traps/growing.rs)

#[derive(Default)]
struct Grow {
    all: Vec<u64>,
}

/// A thousand elements, into a vector that is empty before each iteration.
#[tare::bench(group = "grow", unit = "element", operations = 1000)]
impl Grow {
    #[iteration_set_up]
    fn empty(&mut self) {
        self.all = Vec::new();
    }

    #[bench(baseline)]
    fn push(&mut self) -> usize {
        for number in 0..1000 {
            self.all.push(tare::keep(number));
        }
        self.all.len()
    }
}

/// The same with a fresh input for each invocation: many fit into one iteration, so that the resolution of the clock does not matter.
/// The vector belongs to the body and is freed within the measured time.
#[tare::bench(group = "grow", unit = "element", operations = 1000, input = Vec::new())]
fn push_fresh(mut all: Vec<u64>) -> usize {
    for number in 0..1000 {
        all.push(tare::keep(number));
    }
    all.len()
}

// ----------------------------------------------------------------------------------------------------- parameters

mod sort {
    use super::*;

    fn numbers(n: usize) -> Vec<u32> {
        let mut random = SplitMix64::new(7);
        (0..n).map(|_| random.next() as u32).collect()
    }

    #[tare::bench(baseline, n = [10, 1_000, 100_000], operations = n, unit = "element", input = numbers(n))]
    fn stable(numbers: &mut [u32]) {
        numbers.sort();
    }

    #[tare::bench(n = [10, 1_000, 100_000], operations = n, unit = "element", input = numbers(n))]
    fn unstable(numbers: &mut [u32]) {
        numbers.sort_unstable();
    }
}

// ------------------------------------------------------------------------------------------------------- sleeping

/// No work at all: wall time and CPU time must differ.
#[tare::bench(group = "sleep", categories = ["slow"])]
fn ten_milliseconds() {
    std::thread::sleep(Duration::from_millis(10));
}

// ------------------------------------------------------------------------------------- a hot path: looking up keys

mod lookup {
    use super::*;

    fn keys(n: u64) -> (Vec<u64>, impl FnMut() -> u64) {
        let mut random = SplitMix64::new(3);
        let keys: Vec<u64> = (0..n).map(|_| random.next() | 1).collect();
        let all = keys.clone();
        let next = move || all[((u128::from(random.next()) * u128::from(n)) >> 64) as usize];
        (keys, next)
    }

    /// The standard library's map, with SipHash.
    #[tare::bench(baseline, n = [1_000, 100_000])]
    fn hash_map(n: u64) -> impl FnMut() -> Option<u64> {
        let (keys, mut next) = keys(n);
        let map: HashMap<u64, u64> = keys.iter().map(|&key| (key, key ^ 1)).collect();
        move || map.get(&next()).copied()
    }

    /// The standard library's sorted map.
    #[tare::bench(n = [1_000, 100_000])]
    fn b_tree_map(n: u64) -> impl FnMut() -> Option<u64> {
        let (keys, mut next) = keys(n);
        let map: BTreeMap<u64, u64> = keys.iter().map(|&key| (key, key ^ 1)).collect();
        move || map.get(&next()).copied()
    }

    /// Open addressing, forty lines.
    #[tare::bench(n = [1_000, 100_000])]
    fn open_addressing(n: u64) -> impl FnMut() -> Option<u64> {
        let (keys, mut next) = keys(n);
        let mut table = Table::with_capacity(keys.len());
        keys.iter().for_each(|&key| table.insert(key, key ^ 1));
        move || table.get(next())
    }
}

fn main() {
    tare::main();
}
