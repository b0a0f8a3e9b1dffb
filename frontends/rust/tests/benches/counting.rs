//! Bodies that count how often they ran: in a register, in memory, with inputs.

use std::sync::atomic::{AtomicU64, Ordering};

#[tare::bench]
fn captured() -> impl FnMut() -> u64 {
    let mut count = 0;
    move || {
        count += 1;
        count
    }
}

#[tare::bench]
fn in_memory() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed) + 1
}

#[derive(Default)]
struct Big {
    count: u64,
    rest: [u64; 9],
}

#[tare::bench]
impl Big {
    #[bench]
    fn in_place(&mut self) -> u64 {
        self.count += 1;
        self.rest[self.count as usize % 9] = self.count;
        self.count
    }
}

#[tare::bench(input = vec![1])]
fn eaten(one: Vec<u64>) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(one[0], Ordering::Relaxed) + 1
}

#[tare::bench(input = vec![1])]
fn lent(one: &mut [u64]) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    one[0] += 1;
    COUNT.fetch_add(one[0] - 1, Ordering::Relaxed) + 1
}

/// Where two blocks lie that are allocated one after the other, within a page of 4096 bytes: the first, and how far the second is
/// from it.
#[tare::bench(bytes = [4096, 1 << 20])]
fn places(bytes: usize) -> impl FnMut() -> String {
    let (one, other) = (vec![1_u8; bytes], vec![2_u8; bytes]);
    move || {
        let (one, other) = (one.as_ptr() as usize, other.as_ptr() as usize);
        format!("{} {}", one % 4096, other.wrapping_sub(one) % 4096)
    }
}

fn main() {
    tare::main();
}
