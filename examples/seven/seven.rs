//! The seven tasks in Rust; README.md has what they are. Rust has neither SHA-256 nor JSON in its library: the first is that of OpenSSL,
//! which is loaded where it is installed, the second the parser below.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{c_char, c_int, c_uchar, c_void};

/// The same numbers in all languages.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        self.0
    }
}

#[tare::bench(group = "parse64", name = "rust")]
fn parse() -> impl FnMut() -> i64 {
    let mut numbers = Numbers(1);
    let texts: Vec<String> = (0..64).map(|_| (100_000_000 + numbers.next() % 900_000_000).to_string()).collect();
    move || texts.iter().map(|text| text.parse::<i64>().unwrap()).sum()
}

extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

type Sha256 = unsafe extern "C" fn(*const c_uchar, usize, *mut c_uchar) -> *mut c_uchar;

fn openssl() -> Option<Sha256> {
    const NOW: c_int = 2;
    let names = [c"libcrypto.so.3", c"libcrypto.so.1.1", c"libcrypto.3.dylib"];
    let found = names.iter().find_map(|name| {
        // SAFETY: both names are texts that end in 0, and the library stays loaded.
        let code = unsafe {
            let library = dlopen(name.as_ptr(), NOW);
            if library.is_null() {
                return None;
            }
            dlsym(library, c"SHA256".as_ptr())
        };
        (!code.is_null()).then_some(code)
    });
    // SAFETY: that is how OpenSSL declares the function.
    found.map(|code| unsafe { std::mem::transmute::<*mut c_void, Sha256>(code) })
}

#[tare::bench(group = "sha256", name = "rust")]
fn hash() -> impl FnMut() -> u32 {
    let Some(sha256) = openssl() else { tare::skip("OpenSSL is not installed") };
    let data: Vec<u8> = (0..10_000).map(|i| (i % 251) as u8).collect();
    move || {
        let mut digest = [0; 32];
        // SAFETY: the lengths are those of the buffers.
        unsafe { sha256(data.as_ptr(), data.len(), digest.as_mut_ptr()) };
        u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
    }
}

#[tare::bench(group = "sort64", name = "rust")]
fn sort() -> impl FnMut() -> i64 {
    let mut numbers = Numbers(2);
    let lists: Vec<Vec<u32>> = (0..64).map(|_| (0..64).map(|_| numbers.next() >> 4).collect()).collect();
    let mut sorted = Vec::new();
    move || {
        let mut sum = 0;
        for list in &lists {
            sorted.clone_from(list);
            sorted.sort_unstable();
            sum += i64::from(sorted[32]);
        }
        sum
    }
}

/// A value of JSON.
#[allow(dead_code)]
enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

impl Value {
    fn number(&self) -> f64 {
        if let Value::Number(number) = self { *number } else { panic!("not a number") }
    }

    fn list(&self) -> &[Value] {
        if let Value::List(list) = self { list } else { panic!("not a list") }
    }

    fn member(&self, name: &str) -> &Value {
        if let Value::Object(members) = self { &members[name] } else { panic!("not an object") }
    }
}

/// Reads one.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Value {
        let literal = |reader: &mut Self, length: usize, value: Value| {
            reader.at += length;
            value
        };
        match self.text[self.at] {
            b'{' => self.object(),
            b'[' => self.list(),
            b'"' => Value::Text(self.text()),
            b't' => literal(self, 4, Value::Bool(true)),
            b'f' => literal(self, 5, Value::Bool(false)),
            b'n' => literal(self, 4, Value::Null),
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Value {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|c| !b"+-.0123456789eE".contains(c)).unwrap_or(rest.len());
        self.at += length;
        Value::Number(std::str::from_utf8(&rest[..length]).unwrap().parse().unwrap())
    }

    fn list(&mut self) -> Value {
        let mut found = Vec::new();
        self.at += 1;
        while self.text[self.at] != b']' {
            found.push(self.value());
            self.at += usize::from(self.text[self.at] == b',');
        }
        self.at += 1;
        Value::List(found)
    }

    fn object(&mut self) -> Value {
        let mut found = BTreeMap::new();
        self.at += 1;
        while self.text[self.at] != b'}' {
            let name = self.text();
            // The colon.
            self.at += 1;
            found.insert(name, self.value());
            self.at += usize::from(self.text[self.at] == b',');
        }
        self.at += 1;
        Value::Object(found)
    }

    fn text(&mut self) -> String {
        let mut found = Vec::new();
        self.at += 1;
        while self.text[self.at] != b'"' {
            self.at += usize::from(self.text[self.at] == b'\\');
            found.push(self.text[self.at]);
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8(found).unwrap()
    }
}

#[tare::bench(group = "json", name = "rust")]
fn json() -> impl FnMut() -> f64 {
    let item = |i: i32| {
        let active = i % 2 == 0;
        format!(r#"{{"id":{i},"name":"item {i}","price":{i}.25,"tags":["red","green"],"active":{active}}}"#)
    };
    let text = format!("[{}]", (0..50).map(item).collect::<Vec<_>>().join(","));
    move || {
        let all = Reader { text: text.as_bytes(), at: 0 }.value();
        let of_item = |item: &Value| {
            let active = matches!(item.member("active"), Value::Bool(true));
            item.member("id").number() + item.member("price").number() + item.member("tags").list().len() as f64
                + f64::from(u8::from(active))
        };
        all.list().iter().map(of_item).sum()
    }
}

#[derive(Clone, Copy)]
struct Body {
    x: f64,
    y: f64,
    z: f64,
    vx: f64,
    vy: f64,
    vz: f64,
    mass: f64,
}

const SOLAR_MASS: f64 = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
const YEAR: f64 = 365.24;

fn body(x: f64, y: f64, z: f64, vx: f64, vy: f64, vz: f64, mass: f64) -> Body {
    Body { x, y, z, vx: vx * YEAR, vy: vy * YEAR, vz: vz * YEAR, mass: mass * SOLAR_MASS }
}

#[allow(clippy::excessive_precision)]
fn planets() -> [Body; 5] {
    [
        body(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
        body(
            4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03,
            7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04,
        ),
        body(
            8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03,
            4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04,
        ),
        body(
            1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03,
            2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05,
        ),
        body(
            1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03,
            1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05,
        ),
    ]
}

fn advance(bodies: &mut [Body; 5], dt: f64) {
    for i in 0..bodies.len() {
        let (before, after) = bodies.split_at_mut(i + 1);
        let a = &mut before[i];
        for b in after {
            let (dx, dy, dz) = (a.x - b.x, a.y - b.y, a.z - b.z);
            let square = dx * dx + dy * dy + dz * dz;
            let scale = dt / (square * square.sqrt());
            a.vx -= dx * b.mass * scale;
            a.vy -= dy * b.mass * scale;
            a.vz -= dz * b.mass * scale;
            b.vx += dx * a.mass * scale;
            b.vy += dy * a.mass * scale;
            b.vz += dz * a.mass * scale;
        }
    }
    for a in bodies {
        a.x += dt * a.vx;
        a.y += dt * a.vy;
        a.z += dt * a.vz;
    }
}

fn energy(bodies: &[Body; 5]) -> f64 {
    let mut sum = 0.0;
    for (i, a) in bodies.iter().enumerate() {
        sum += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
        for b in &bodies[i + 1..] {
            let (dx, dy, dz) = (a.x - b.x, a.y - b.y, a.z - b.z);
            sum -= a.mass * b.mass / (dx * dx + dy * dy + dz * dz).sqrt();
        }
    }
    sum
}

#[tare::bench(group = "nbody", name = "rust")]
fn nbody() -> impl FnMut() -> f64 {
    let start = planets();
    move || {
        let mut bodies = start;
        for _ in 0..100 {
            advance(&mut bodies, 0.01);
        }
        energy(&bodies)
    }
}

#[tare::bench(group = "words", name = "rust")]
fn words() -> impl FnMut() -> i64 {
    let mut numbers = Numbers(3);
    let text = (0..1000).map(|_| format!("word{}", (numbers.next() >> 8) % 50)).collect::<Vec<_>>().join(" ");
    move || {
        let mut counts: HashMap<&str, i64> = HashMap::new();
        for word in text.split(' ') {
            *counts.entry(word).or_default() += 1;
        }
        counts.values().map(|count| count * count).sum()
    }
}

#[tare::bench(group = "fill", name = "rust")]
fn fill() -> impl FnMut() -> i64 {
    let mut numbers = Numbers(4);
    let keys: Vec<u32> = (0..1000).map(|_| (numbers.next() >> 8) % 4096).collect();
    move || {
        let mut table: HashMap<u32, i64> = HashMap::new();
        for (i, key) in (0..).zip(&keys) {
            *table.entry(*key).or_default() += i;
        }
        table.len() as i64 * 1_000_000 + table[&keys[0]]
    }
}

fn main() {
    tare::main();
}
