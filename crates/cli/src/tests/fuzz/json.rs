//! Mutates one value of a JSON document. Random byte changes mostly break the JSON and test only its parser.

use serde_json::{json, Value};
use tare_stats::Rng;

/// Prefix of a text that is written without quotes, for numbers that JSON values cannot hold.
const RAW: &str = "\u{1}";

/// Numbers at the limits of types.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "0.5",
    "-0.0",
    "1e-320",
    "1e308",
    "-1e308",
    "1e999",
    "3.0000000000000004",
];

const TEXTS: [&str; 16] = [
    "",
    "a",
    "0",
    "latest",
    "../../../x",
    "a/b[n=1]",
    "\u{202e}abc",
    "\u{1b}[31m",
    "é\u{301}",
    "😀",
    "<script>",
    "null",
    "NaN",
    "2026-01-02T03:04:05Z",
    "9999-99-99T99:99:99Z",
    "a\nb\r\t\0",
];

pub(super) struct Random(Rng);

impl Random {
    pub(super) fn new(seed: u32) -> Random {
        Random(Rng::new(u64::from(seed)))
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Mutates the JSON in the first `size` bytes of `data`, in one of its lines, or after its first byte. None: it contains no JSON.
pub fn mutate(data: &mut [u8], size: usize, seed: u32) -> Option<usize> {
    let mut random = Random::new(seed);
    let input = data[..size].to_vec();
    let parsed = |part: &[u8]| serde_json::from_slice::<Value>(part).ok().filter(|v| v.is_object() || v.is_array());
    let (from, to, mut value) = if let Some(value) = parsed(&input) {
        (0, size, value)
    } else if let Some(value) = input.get(1..).and_then(parsed) {
        (1, size, value)
    } else {
        let starts: Vec<usize> = (0..size).filter(|at| *at == 0 || input[at - 1] == b'\n').collect();
        if starts.is_empty() {
            return None;
        }
        (0..4).find_map(|_| {
            let from = *random.one(&starts);
            let to = input[from..].iter().position(|byte| *byte == b'\n').map_or(size, |end| from + end);
            parsed(&input[from..to]).map(|value| (from, to, value))
        })?
    };
    for _ in 0..=random.below(3) {
        let at = random.below(nodes(&value));
        change(&mut value, at, &mut random);
    }
    let mut text = value.to_string();
    for number in NUMBERS {
        text = text.replace(&format!("\"\\u0001{number}\""), number);
    }
    let all = [&input[..from], text.as_bytes(), &input[to..]].concat();
    let room = data.get_mut(..all.len())?;
    room.copy_from_slice(&all);
    Some(all.len())
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(all) => all.iter().map(nodes).sum::<usize>(),
        Value::Object(all) => all.values().map(nodes).sum(),
        _ => 0,
    }
}

/// Changes the value with index `at`.
fn change(value: &mut Value, mut at: usize, random: &mut Random) {
    if at == 0 {
        return change_this(value, random);
    }
    at -= 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(all) => all.iter_mut().collect(),
        Value::Object(all) => all.values_mut().collect(),
        _ => Vec::new(),
    };
    for one in inner {
        let count = nodes(one);
        if at < count {
            return change(one, at, random);
        }
        at -= count;
    }
}

fn change_this(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(all) if random.below(4) != 0 => match random.below(4) {
            0 => drop(all.pop()),
            1 if !all.is_empty() => {
                let copy = random.one(all).clone();
                all.insert(random.below(all.len() + 1), copy);
            }
            2 if !all.is_empty() => drop(all.remove(random.below(all.len()))),
            _ => all.reverse(),
        },
        Value::Object(all) if random.below(4) != 0 => {
            let keys: Vec<String> = all.keys().cloned().collect();
            if keys.is_empty() {
                return;
            }
            let (one, other) = (random.one(&keys).clone(), random.one(&keys).clone());
            match random.below(3) {
                0 => drop(all.remove(&one)),
                1 => {
                    let copy = all[&one].clone();
                    all.insert(other, copy);
                }
                _ => {
                    let taken = all.remove(&one).unwrap_or_default();
                    all.insert(format!("{one}2"), taken);
                }
            }
        }
        Value::String(text) if random.below(2) == 0 => match random.below(3) {
            0 => text.push_str(random.one::<&str>(&TEXTS)),
            1 => *text = text.chars().rev().collect(),
            _ => *text = text.repeat(1 + random.below(20)),
        },
        Value::Number(number) if random.below(3) == 0 => {
            *value = json!(number.as_f64().unwrap_or_default() * random.one(&[0.5, 2.0, -1.0, 1e9, 1e-9]));
        }
        value => *value = another(random),
    }
}

fn another(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!([]),
        3 => json!({}),
        4 => json!(random.one(&TEXTS)),
        5 => (0..random.below(200)).fold(json!(1), |inner, _| json!([inner])),
        _ => json!(format!("{RAW}{}", random.one(&NUMBERS))),
    }
}
