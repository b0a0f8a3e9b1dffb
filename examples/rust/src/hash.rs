//! MD5 and SHA-256, as the standards write them down.

/// Pads a message and hands out its blocks of 64 bytes.
fn blocks(message: &[u8], length: [u8; 8], mut block: impl FnMut(&[u8; 64])) {
    let mut chunks = message.chunks_exact(64);
    for chunk in &mut chunks {
        block(chunk.try_into().expect("64 bytes"));
    }
    let rest = chunks.remainder();
    let mut last = [0; 128];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let end = if rest.len() < 56 { 64 } else { 128 };
    last[end - 8..end].copy_from_slice(&length);
    for chunk in last[..end].chunks_exact(64) {
        block(chunk.try_into().expect("64 bytes"));
    }
}

const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// MD5 (RFC 1321).
pub struct Md5 {
    sines: [u32; 64],
}

impl Default for Md5 {
    fn default() -> Self {
        let mut sines = [0; 64];
        for (i, sine) in sines.iter_mut().enumerate() {
            *sine = (f64::from(i as u32 + 1).sin().abs() * 4_294_967_296.0) as u32;
        }
        Md5 { sines }
    }
}

impl Md5 {
    /// The digest of a message.
    pub fn digest(&self, message: &[u8]) -> [u8; 16] {
        let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
        blocks(message, (message.len() as u64 * 8).to_le_bytes(), |block| self.compress(&mut state, block));
        let mut digest = [0; 16];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        digest
    }

    fn compress(&self, state: &mut [u32; 4], block: &[u8; 64]) {
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
        }
        let [mut a, mut b, mut c, mut d] = *state;
        for i in 0..64 {
            let (mix, word) = match i / 16 {
                0 => ((b & c) | (!b & d), i),
                1 => ((d & b) | (!d & c), (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), (7 * i) % 16),
            };
            let sum = a.wrapping_add(mix).wrapping_add(self.sines[i]).wrapping_add(words[word]);
            a = d;
            d = c;
            c = b;
            b = b.wrapping_add(sum.rotate_left(SHIFTS[i / 16][i % 4]));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(new);
        }
    }
}

/// SHA-256 (FIPS 180-4).
pub struct Sha256 {
    start: [u32; 8],
    rounds: [u32; 64],
}

impl Default for Sha256 {
    /// The constants are the first bits of the roots of the first primes.
    fn default() -> Self {
        let primes: Vec<u64> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
        // floor(root * 2^32) by bisection, in integers: doubles have too few bits for the cube roots.
        let bits = |prime: u64, power: u32| {
            let (mut low, mut high) = (0_u128, 1_u128 << 36);
            while high - low > 1 {
                let middle = (low + high) / 2;
                if middle.pow(power) <= u128::from(prime) << (32 * power) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low as u32
        };
        let mut hash = Sha256 { start: [0; 8], rounds: [0; 64] };
        for (i, prime) in primes.into_iter().take(64).enumerate() {
            if i < 8 {
                hash.start[i] = bits(prime, 2);
            }
            hash.rounds[i] = bits(prime, 3);
        }
        hash
    }
}

impl Sha256 {
    /// The digest of a message.
    pub fn digest(&self, message: &[u8]) -> [u8; 32] {
        let mut state = self.start;
        blocks(message, (message.len() as u64 * 8).to_be_bytes(), |block| self.compress(&mut state, block));
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }

    fn compress(&self, state: &mut [u32; 8], block: &[u8; 64]) {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes(bytes.try_into().expect("4 bytes"));
        }
        for i in 16..64 {
            let (x, y) = (words[i - 15], words[i - 2]);
            let low = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let high = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            words[i] = words[i - 16].wrapping_add(low).wrapping_add(words[i - 7]).wrapping_add(high);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (word, round) in words.into_iter().zip(self.rounds) {
            let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let one = h.wrapping_add(high).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
            let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let two = low.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(one));
            (d, c, b, a) = (c, b, a, one.wrapping_add(two));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(digest: &[u8]) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn md5_of_the_rfc() {
        let md5 = Md5::default();
        assert_eq!(hex(&md5.digest(b"")), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(&md5.digest(b"message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
        let long = b"12345678901234567890123456789012345678901234567890123456789012345678901234567890";
        assert_eq!(hex(&md5.digest(long)), "57edf4a22be3c955ac49da2e2107b67a");
    }

    #[test]
    fn sha256_of_the_standard() {
        let sha = Sha256::default();
        assert_eq!(hex(&sha.digest(b"")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(&sha.digest(b"abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(&sha.digest(long)), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}
