//! A small seeded generator whose stream is the same on every platform and in every version.
//!
//! Orders of visits, layouts and simulations are part of a result: the seed must be enough to draw them again. Hence xoshiro256++ (Blackman
//! & Vigna 2019) seeded by splitmix64, and a logarithm made only of the four IEEE operations, since the system's `ln` differs between C
//! libraries in the last bit.

/// A reproducible random generator: xoshiro256++ seeded by splitmix64. Not for secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// A generator whose whole stream is determined by `seed`; every seed is good, including 0.
    pub fn new(seed: u64) -> Self {
        let mut s = seed;
        Rng { state: [splitmix(&mut s), splitmix(&mut s), splitmix(&mut s), splitmix(&mut s)] }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
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

    /// A uniform number in `[0, 1)` with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A uniform integer in `[0, n)`, without bias (Lemire 2019); 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            let low = wide as u64;
            // The remainder is below n, so the slow division is seldom needed.
            if low >= n || low >= n.wrapping_neg() % n {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A standard normal number (Marsaglia's polar method; the second of each pair is dropped, so that the four words are the whole state).
    pub fn normal(&mut self) -> f64 {
        loop {
            let u = 2.0 * self.uniform() - 1.0;
            let v = 2.0 * self.uniform() - 1.0;
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * portable_ln(s) / s).sqrt();
            }
        }
    }

    /// An exponential number with mean 1.
    pub fn exponential(&mut self) -> f64 {
        // `1 - uniform` lies in (0, 1], so the logarithm is finite.
        -portable_ln(1.0 - self.uniform())
    }

    /// Shuffles the slice uniformly (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// An independent generator for the part of the work called `label`.
    ///
    /// It does not advance `self`: the same state and label give the same stream, different labels give unrelated ones. So an added draw in
    /// one part does not change the draws of another.
    pub fn fork(&self, label: u64) -> Rng {
        let [a, b, c, d] = self.state;
        let mut mix = a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48);
        let first = splitmix(&mut mix);
        let mut labelled = label ^ 0x5851_f42d_4c95_7f2d;
        Rng::new(first ^ splitmix(&mut labelled))
    }
}

/// Natural logarithm of a positive, normal number by IEEE operations only (error below 2 ulp).
fn portable_ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 atanh((m-1)/(m+1)); |s| <= 0.1716, so the tail after s^21 is below 1e-18.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let s2 = s * s;
    let mut series = 0.0;
    for k in (1..=10).rev() {
        series = (series + 1.0 / (2 * k + 1) as f64) * s2;
    }
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * (1.0 + series)
}
