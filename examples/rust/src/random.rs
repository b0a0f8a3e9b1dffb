//! Random number generators, as their authors publish them.

/// SplitMix64 (Steele, Lea, Flood).
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// xorshift64* (Vigna).
pub struct XorShift64Star(u64);

impl XorShift64Star {
    /// Starts from a seed other than 0.
    pub fn new(seed: u64) -> Self {
        XorShift64Star(seed)
    }

    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// xoshiro256++ (Blackman, Vigna).
pub struct Xoshiro256([u64; 4]);

impl Xoshiro256 {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        let mut seeds = SplitMix64::new(seed);
        Xoshiro256([seeds.next(), seeds.next(), seeds.next(), seeds.next()])
    }

    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }
}

/// PCG XSL-RR 128/64 (O'Neill).
pub struct Pcg64(u128);

impl Pcg64 {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        let mut generator = Pcg64(u128::from(seed));
        generator.next();
        generator
    }

    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        let factor = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.0 = self.0.wrapping_mul(factor).wrapping_add(0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f);
        ((self.0 >> 64) as u64 ^ self.0 as u64).rotate_right((self.0 >> 122) as u32)
    }
}

/// The Mersenne Twister mt19937_64 (Matsumoto, Nishimura).
pub struct Mt19937x64 {
    state: [u64; 312],
    at: usize,
}

impl Mt19937x64 {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        let mut state = [seed; 312];
        for i in 1..312 {
            let before = state[i - 1];
            state[i] = (before ^ (before >> 62)).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i as u64);
        }
        Mt19937x64 { state, at: 312 }
    }

    fn refill(&mut self) {
        for i in 0..312 {
            let x = (self.state[i] & 0xffff_ffff_8000_0000) | (self.state[(i + 1) % 312] & 0x7fff_ffff);
            let twist = if x & 1 == 0 { 0 } else { 0xb502_6f5a_a966_19e9 };
            self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1) ^ twist;
        }
        self.at = 0;
    }

    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        if self.at == 312 {
            self.refill();
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let mut split = SplitMix64::new(1_234_567);
        assert_eq!([split.next(), split.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        // The C++ standard: the 10000th number of a default mt19937_64.
        let mut twister = Mt19937x64::new(5489);
        assert_eq!((0..10_000).map(|_| twister.next()).last(), Some(9_981_545_732_273_789_042));
        let mut star = XorShift64Star::new(1);
        assert_eq!(star.next(), 5_180_492_295_206_395_165);
        let mut xoshiro = Xoshiro256([1, 2, 3, 4]);
        assert_eq!([xoshiro.next(), xoshiro.next()], [41_943_041, 58_720_359]);
    }
}
