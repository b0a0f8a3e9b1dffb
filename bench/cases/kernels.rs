// The kernels of kernels.h for Rust: pasted into generated single-file benchmarks, and a module of criterion's. An invocation does `n`
// items and continues where the previous one stopped, so its cost is proportional to n; the sums equal those of kernels.h.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

/// Xorshift with 64 bits.
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn bits32(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }
}

/// The interface of all kernels.
pub trait Kernel {
    /// With so many items an invocation.
    fn new(n: usize) -> Self;
    /// One invocation.
    fn call(&mut self) -> u64;
}

/// Numbers of nine digits from text.
pub struct Parse {
    n: usize,
    next: usize,
    texts: Vec<String>,
}

impl Kernel for Parse {
    fn new(n: usize) -> Self {
        let mut random = Random(1);
        let texts = (0..512).map(|_| (100_000_000 + random.bits32() % 900_000_000).to_string()).collect();
        Self { n, next: 0, texts }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            sum += self.texts[self.next].parse::<u64>().unwrap_or(0);
            self.next = (self.next + 1) % 512;
        }
        sum
    }
}

/// CRC-32 by eight tables; an item is eight bytes.
pub struct Crc {
    bytes: Vec<u8>,
    tables: Box<[[u32; 256]; 8]>,
}

impl Kernel for Crc {
    fn new(n: usize) -> Self {
        let mut random = Random(2);
        let bytes = (0..8 * n).map(|_| random.bits32() as u8).collect();
        let mut tables = Box::new([[0_u32; 256]; 8]);
        for i in 0..256 {
            tables[0][i] = (0..8).fold(i as u32, |crc, _| if crc & 1 != 0 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 });
        }
        for i in 0..256 {
            for k in 1..8 {
                let before = tables[k - 1][i];
                tables[k][i] = before >> 8 ^ tables[0][(before & 255) as usize];
            }
        }
        Self { bytes, tables }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let tables = &*self.tables;
        let mut crc = !0_u32;
        for block in self.bytes.chunks_exact(8) {
            let mut b: [u8; 8] = block.try_into().unwrap_or_default();
            for (byte, old) in b.iter_mut().zip(crc.to_le_bytes()) {
                *byte ^= old;
            }
            crc = (0..8).fold(0, |crc, i| crc ^ tables[7 - i][usize::from(b[i])]);
        }
        u64::from(!crc)
    }
}

/// Sorts rows of numbers, `rows` different ones in turn: an item is a row.
pub struct Sort {
    n: usize,
    rows: usize,
    length: usize,
    next: usize,
    numbers: Vec<i32>,
    row: Vec<i32>,
}

impl Sort {
    fn of(n: usize, rows: usize, length: usize) -> Self {
        let mut random = Random(3);
        let numbers = (0..rows * length).map(|_| (random.bits32() >> 1) as i32).collect();
        Self { n, rows, length, next: 0, numbers, row: vec![0; length] }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            self.row.copy_from_slice(&self.numbers[self.next * self.length..][..self.length]);
            self.row.sort_unstable();
            sum += self.row[self.length / 2] as u64;
            self.next = (self.next + 1) % self.rows;
        }
        sum
    }
}

/// 400 numbers from one fixed shuffled copy.
pub struct Sort400(Sort);

impl Kernel for Sort400 {
    fn new(_n: usize) -> Self {
        Self(Sort::of(1, 1, 400))
    }

    fn call(&mut self) -> u64 {
        self.0.call()
    }
}

/// Rows of 20.
pub struct Rows(Sort);

impl Kernel for Rows {
    fn new(n: usize) -> Self {
        Self(Sort::of(n, 61, 20))
    }

    fn call(&mut self) -> u64 {
        self.0.call()
    }
}

/// Random existing keys: 2,048 of the 100,000 of a hash map, so that they do not all fit in the caches near the core.
pub struct Lookup {
    n: usize,
    map: HashMap<u32, u32>,
    keys: Vec<u32>,
    choice: Random,
}

impl Kernel for Lookup {
    fn new(n: usize) -> Self {
        let mut random = Random(4);
        let mut map = HashMap::with_capacity(100_000);
        let mut keys = Vec::new();
        for i in 0..100_000 {
            let key = random.bits32();
            map.entry(key).or_insert(i);
            if i % (100_000 / 2048) == 0 && keys.len() < 2048 {
                keys.push(key);
            }
        }
        Self { n, map, keys, choice: Random(5) }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            sum += u64::from(self.map[&self.keys[self.choice.next() as usize % 2048]]);
        }
        sum
    }
}

/// The same for an ordered map of 1,024 entries: half of its branches are mispredicted.
pub struct Tree {
    n: usize,
    map: BTreeMap<u32, u32>,
    keys: Vec<u32>,
    choice: Random,
}

impl Kernel for Tree {
    fn new(n: usize) -> Self {
        let mut random = Random(6);
        let keys: Vec<u32> = (0..1024).map(|_| random.bits32()).collect();
        let map = keys.iter().copied().zip(0..).collect();
        Self { n, map, keys, choice: Random(7) }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            sum += u64::from(self.map[&self.keys[self.choice.next() as usize % 1024]]);
        }
        sum
    }
}

/// Joins numbers, 50 to a newly allocated text that grows.
pub struct Join {
    n: usize,
    next: usize,
    numbers: Vec<u32>,
    text: String,
}

impl Kernel for Join {
    fn new(n: usize) -> Self {
        let mut random = Random(8);
        Self { n, next: 0, numbers: (0..500).map(|_| random.bits32()).collect(), text: String::new() }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            self.text += &self.numbers[self.next].to_string();
            self.text.push(',');
            if self.next % 50 == 49 {
                sum += self.text.len() as u64;
                self.text = String::new();
            }
            self.next = (self.next + 1) % 500;
        }
        sum
    }
}

/// The tokens of a JSON document of about 1 kB, which begins again where it ends.
pub struct Json {
    n: usize,
    at: usize,
    document: Vec<u8>,
}

impl Json {
    fn peek(&self) -> u8 {
        self.document.get(self.at).copied().unwrap_or(0)
    }

    /// A number is worth itself, a text or word its length, a sign its code.
    fn token(&mut self) -> u64 {
        while matches!(self.peek(), b' ' | b'\n') {
            self.at += 1;
        }
        if self.at == self.document.len() {
            self.at = 0;
        }
        let (first, start) = (self.peek(), self.at);
        self.at += 1;
        match first {
            b'"' => {
                while self.peek() != b'"' {
                    self.at += if self.peek() == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
                (self.at - start) as u64
            }
            b'0'..=b'9' => {
                let mut value = u64::from(first - b'0');
                while self.peek().is_ascii_digit() {
                    value = 10 * value + u64::from(self.peek() - b'0');
                    self.at += 1;
                }
                value
            }
            b'a'..=b'z' => {
                while self.peek().is_ascii_lowercase() {
                    self.at += 1;
                }
                (self.at - start) as u64
            }
            sign => u64::from(sign),
        }
    }
}

impl Kernel for Json {
    fn new(n: usize) -> Self {
        let mut random = Random(9);
        let mut document = String::from("[");
        for i in 0..12 {
            let id = random.bits32() % 100_000;
            let open = random.bits32() & 1 == 0;
            let (width, height) = (random.bits32() % 1000, random.bits32() % 1000);
            document += if i == 0 { "\n" } else { ",\n" };
            document += &format!(
                "  {{\"id\": {id}, \"name\": \"item {i}\", \"open\": {open}, \"size\": [{width}, {height}], \"next\": null}}"
            );
        }
        document += "\n]\n";
        Self { n, at: 0, document: document.into_bytes() }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            sum += self.token();
        }
        sum
    }
}

/// Texts of eight characters against a regular expression, by backtracking; half of them match.
pub struct Regex {
    n: usize,
    next: usize,
    expression: Vec<Part>,
    texts: Vec<String>,
}

/// Characters from `first` to `last`, at least and at most so many of them.
pub struct Part {
    first: u8,
    last: u8,
    least: usize,
    most: usize,
}

/// Whether the parts match the whole text.
fn matches(parts: &[Part], text: &[u8]) -> bool {
    let Some((part, rest)) = parts.split_first() else { return text.is_empty() };
    let fitting = text.iter().take(part.most).take_while(|c| (part.first..=part.last).contains(c)).count();
    (part.least..=fitting).rev().any(|count| matches(rest, &text[count..]))
}

impl Kernel for Regex {
    fn new(n: usize) -> Self {
        let mut random = Random(10);
        // [a-z]+[0-9]*x
        let expression = [(b'a', b'z', 1, usize::MAX), (b'0', b'9', 0, usize::MAX), (b'x', b'x', 1, 1)]
            .map(|(first, last, least, most)| Part { first, last, least, most });
        let texts = (0..50)
            .map(|_| {
                let mut text: String = (0..4).map(|_| char::from(b'a' + (random.bits32() % 26) as u8)).collect();
                text += &(100 + random.bits32() % 900).to_string();
                text.push(if random.bits32() & 1 == 0 { 'x' } else { 'y' });
                text
            })
            .collect();
        Self { n, next: 0, expression: expression.into(), texts }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sum = 0;
        for _ in 0..self.n {
            if matches(black_box(&self.expression), self.texts[self.next].as_bytes()) {
                sum += self.next as u64 + 1;
            }
            self.next = (self.next + 1) % 50;
        }
        sum
    }
}

/// Numbers below 2^32 into four sums at a time, which the compiler makes of it, around a ring; an item is 16 numbers.
pub struct Sum {
    n: usize,
    next: usize,
    numbers: [[u32; 16]; Sum::RING],
}

impl Sum {
    /// See kernels.h.
    const RING: usize = 256;
}

impl Kernel for Sum {
    fn new(n: usize) -> Self {
        let mut random = Random(11);
        let mut numbers = [[0; 16]; Sum::RING];
        numbers.iter_mut().flatten().for_each(|number| *number = random.bits32());
        Self { n, next: 0, numbers }
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        let mut sums = [0_u32; 16];
        let mut next = self.next;
        for _ in 0..self.n {
            for (sum, number) in sums.iter_mut().zip(&self.numbers[next]) {
                *sum = sum.wrapping_add(number ^ number >> 3);
            }
            next = (next + 1) % Sum::RING;
        }
        self.next = next;
        // By place in a vector of four, as kernels.h does.
        let mut four = [0_u32; 4];
        for (i, sum) in sums.into_iter().enumerate() {
            four[i % 4] = four[i % 4].wrapping_add(sum);
        }
        four.into_iter().map(u64::from).sum()
    }
}

/// The control: N dependent multiplications.
pub struct Chain<const N: usize>(u64);

impl<const N: usize> Kernel for Chain<N> {
    fn new(_n: usize) -> Self {
        Self(3)
    }

    #[inline(never)]
    fn call(&mut self) -> u64 {
        // Written out by the assembler: a loop would add a mispredicted exit to every invocation.
        unsafe {
            std::arch::asm!(".rept {n}", "imul {x}, {x}", ".endr", n = const N, x = inout(reg) self.0, options(pure, nomem, nostack));
        }
        self.0
    }
}
