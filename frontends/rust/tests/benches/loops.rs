//! Bodies whose loops `tests/machine_code.rs` inspects.

#[tare::bench]
fn add_u64() -> impl FnMut() -> u64 {
    let mut x = 1_u64;
    move || {
        x = x.wrapping_add(x);
        x
    }
}

#[tare::bench]
fn add_u32() -> impl FnMut() -> u32 {
    let mut x = 1_u32;
    move || {
        x = x.wrapping_add(x);
        x
    }
}

#[tare::bench]
fn scale_f64() -> impl FnMut() -> f64 {
    let mut x = 1_f64;
    move || {
        x *= 1.0001;
        x
    }
}

/// Four words: xoshiro256++.
#[tare::bench]
fn xoshiro() -> impl FnMut() -> u64 {
    let mut s = [1_u64, 2, 3, 4];
    move || {
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

/// A pure function of a captured number must be computed each time.
#[tare::bench(n = [12345])]
fn pure(n: u64) -> u64 {
    n.wrapping_mul(n) ^ (n >> 3)
}

struct Counter(u64);

#[tare::bench]
impl Counter {
    #[set_up]
    fn new() -> Self {
        Counter(1)
    }

    #[bench]
    fn step(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(self.0);
        self.0
    }
}

#[tare::bench]
fn push() -> impl FnMut() -> usize {
    let mut v: Vec<u32> = Vec::with_capacity(4096);
    move || {
        if v.len() == 4096 {
            v.clear();
        }
        v.push(1);
        v.len()
    }
}

struct Fill {
    bytes: [u8; 64],
}

#[tare::bench]
impl Fill {
    #[set_up]
    fn new() -> Self {
        Fill { bytes: [0; 64] }
    }

    #[bench]
    fn fill(&mut self) -> usize {
        self.bytes.fill(tare::keep(7));
        self.bytes.len()
    }

    #[bench]
    fn sum(&self) -> u32 {
        self.bytes.iter().map(|&byte| u32::from(byte)).sum()
    }
}

/// A long multiplication (`mul`). Each `K` makes a different function, so that no loops are merged.
fn hash<const K: u64>(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ K) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ (product >> 64) as u64
}

#[tare::bench(a = [3], b = [5])]
fn kept(a: u64, b: u64) {
    let h = hash::<1>(a, b);
    tare::keep(h);
}

/// The idiom of criterion and divan.
#[tare::bench(a = [3], b = [5])]
fn black_box(a: u64, b: u64) {
    let h = hash::<2>(a, b);
    std::hint::black_box(h);
}

#[tare::bench]
fn kept_in_closure() -> impl FnMut() {
    let (a, b) = (3, 5);
    move || {
        let h = hash::<3>(a, b);
        tare::keep(h);
    }
}

#[tare::bench]
fn kept_by_reference() -> impl FnMut() {
    let (a, b) = (3, 5);
    move || {
        let h = hash::<4>(a, b);
        let _ = tare::keep(&h);
    }
}

#[tare::bench]
fn kept_of_memory() -> impl FnMut() {
    let numbers = [1_u64, 2, 3, 4, 5];
    move || {
        let h = hash::<5>(numbers[0], numbers[4]);
        tare::keep(h);
    }
}

struct Pair(u64, u64);

#[tare::bench]
impl Pair {
    #[set_up]
    fn new() -> Self {
        Pair(3, 5)
    }

    #[bench]
    fn kept_in_method(&self) {
        let h = hash::<6>(self.0, self.1);
        tare::keep(h);
    }
}

#[tare::bench]
fn kept_in_result() -> Result<impl FnMut(), String> {
    let (a, b) = (3, 5);
    Ok(move || {
        let h = hash::<7>(a, b);
        tare::keep(h);
    })
}

// An atomic works by its address: in registers it would be stored and reloaded around each invocation.
#[tare::bench]
fn counted() -> impl FnMut() -> u64 {
    let count = std::sync::atomic::AtomicU64::new(0);
    move || count.fetch_add(1, std::sync::atomic::Ordering::SeqCst)
}

fn main() {
    tare::main();
}
