// The bodies of bodies.h for Rust: pasted into generated single-file benchmarks, and a module of criterion's.

/// A chain of K dependent multiplications.
#[inline(always)]
pub fn multiply_chain<const K: usize>(x: &mut u64) {
    // Written out by the assembler: a loop would add a mispredicted exit to every invocation.
    unsafe {
        std::arch::asm!(".rept {k}", "imul {x}, {x}", ".endr", k = const K, x = inout(reg) *x, options(pure, nomem, nostack));
    }
}

pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Sorts 64 numbers; 256 permutations in turn, so that the branch predictor cannot learn one.
pub struct Sort64 {
    permutations: Vec<[i32; 64]>,
    next: usize,
}

impl Default for Sort64 {
    fn default() -> Self {
        let mut random = Random(7);
        let permutations = (0..256)
            .map(|_| {
                let mut numbers: [i32; 64] = std::array::from_fn(|i| i as i32);
                for i in (1..64).rev() {
                    numbers.swap(i, random.next() as usize % (i + 1));
                }
                numbers
            })
            .collect();
        Self { permutations, next: 0 }
    }
}

impl Sort64 {
    pub fn call(&mut self) -> u64 {
        let mut numbers = self.permutations[self.next & 255];
        self.next += 1;
        numbers.sort_unstable();
        numbers[31] as u64
    }
}

/// Parses six numbers into a newly allocated list.
pub struct Parse([&'static str; 6]);

impl Default for Parse {
    fn default() -> Self {
        Self(["123456789", "987654321", "192837465", "918273645", "135792468", "246813579"])
    }
}

impl Parse {
    pub fn call(&mut self) -> u64 {
        let numbers: Vec<u64> = self.0.iter().map(|text| std::hint::black_box(*text).parse().unwrap_or(0)).collect();
        numbers.iter().sum()
    }
}

/// The loop of random length: 0 to 255 draws, so that no two invocations cost the same.
pub struct Fluctuating(Random);

impl Default for Fluctuating {
    fn default() -> Self {
        Self(Random(0x9E37_79B9_7F4A_7C15))
    }
}

impl Fluctuating {
    pub fn call(&mut self) -> u64 {
        let draws = self.0.next() & 255;
        (0..draws).fold(0, |x, _| x ^ self.0.next())
    }
}
