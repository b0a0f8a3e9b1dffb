//! The text of a result as defined in `spec/protocol.md` (R21). Equal results have the same text in every language.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::{Error, Write};
use std::rc::Rc;
use std::sync::Arc;

/// Whether there is a text; an error stops the writing early.
pub type Written = Result<bool, Error>;

/// A value whose text the protocol defines. Others use `Display` or `Debug`.
pub trait Text {
    /// Writes the text. `inside` a list, strings are quoted and `None` is `null`. Returns `false` if it has none, whatever was written.
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written;
}

macro_rules! numbers {
    ($($kind:ty)*) => {
        $(impl Text for $kind {
            fn write_text(&self, to: &mut dyn Write, _: bool) -> Written {
                write!(to, "{self}").map(|()| true)
            }
        })*
    };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool);

impl Text for f64 {
    fn write_text(&self, to: &mut dyn Write, _: bool) -> Written {
        float(*self, to).map(|()| true)
    }
}

impl Text for f32 {
    fn write_text(&self, to: &mut dyn Write, _: bool) -> Written {
        float(f64::from(*self), to).map(|()| true)
    }
}

/// Writes a number like JavaScript and RFC 8785.
fn float(value: f64, to: &mut dyn Write) -> Result<(), Error> {
    if value.is_nan() {
        return to.write_str("NaN");
    }
    if value == 0.0 {
        return to.write_char('0');
    }
    if value < 0.0 {
        to.write_char('-')?;
    }
    if value.is_infinite() {
        return to.write_str("Infinity");
    }
    // One digit, a point, the other digits, `e`, the exponent: the shortest text that parses to the same value.
    let written = format!("{:e}", value.abs());
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    // The value is 0.DIGITS times 10 to the power of this.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let length = digits.len() as i32;
    match point {
        -5..=0 => write!(to, "0.{:0<1$}{digits}", "", point.unsigned_abs() as usize),
        1..=21 if length <= point => write!(to, "{digits:0<0$}", point as usize),
        1..=21 => write!(to, "{}.{}", &digits[..point as usize], &digits[point as usize..]),
        _ if length == 1 => write!(to, "{digits}e{:+}", point - 1),
        _ => write!(to, "{}.{}e{:+}", &digits[..1], &digits[1..], point - 1),
    }
}

impl Text for str {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        if inside {
            quote(self, to)?;
        } else {
            to.write_str(self)?;
        }
        Ok(true)
    }
}

/// Writes a string like `JSON.stringify`.
fn quote(text: &str, to: &mut dyn Write) -> Result<(), Error> {
    to.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => to.write_str("\\\"")?,
            '\\' => to.write_str("\\\\")?,
            '\u{8}' => to.write_str("\\b")?,
            '\t' => to.write_str("\\t")?,
            '\n' => to.write_str("\\n")?,
            '\u{c}' => to.write_str("\\f")?,
            '\r' => to.write_str("\\r")?,
            c if c < ' ' => write!(to, "\\u{:04x}", u32::from(c))?,
            c => to.write_char(c)?,
        }
    }
    to.write_char('"')
}

impl Text for String {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        self.as_str().write_text(to, inside)
    }
}

impl Text for char {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        self.encode_utf8(&mut [0; 4]).write_text(to, inside)
    }
}

impl<T: Text> Text for Option<T> {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        match self {
            Some(value) => value.write_text(to, inside),
            None if inside => to.write_str("null").map(|()| true),
            None => Ok(false),
        }
    }
}

macro_rules! holders {
    ($($kind:ty)*) => {
        $(impl<T: Text + ?Sized> Text for $kind {
            fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
                (**self).write_text(to, inside)
            }
        })*
    };
}
holders!(&T &mut T Box<T> Rc<T> Arc<T>);

impl<T: Text + ToOwned + ?Sized> Text for Cow<'_, T> {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        (**self).write_text(to, inside)
    }
}

/// The elements of a list.
fn list(elements: &mut dyn Iterator<Item = &dyn Text>, to: &mut dyn Write) -> Written {
    let mut before = '[';
    for element in elements {
        to.write_char(before)?;
        if !element.write_text(to, true)? {
            return Ok(false);
        }
        before = ',';
    }
    to.write_str(if before == '[' { "[]" } else { "]" }).map(|()| true)
}

macro_rules! lists {
    ($($kind:ty)*) => {
        $(impl<T: Text> Text for $kind {
            fn write_text(&self, to: &mut dyn Write, _: bool) -> Written {
                list(&mut self.iter().map(|element| element as &dyn Text), to)
            }
        })*
    };
}
lists!([T] Vec<T> VecDeque<T> LinkedList<T> BTreeSet<T>);

impl<T: Text, const N: usize> Text for [T; N] {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        self[..].write_text(to, inside)
    }
}

impl<K: Text, V: Text> Text for BTreeMap<K, V> {
    fn write_text(&self, to: &mut dyn Write, inside: bool) -> Written {
        self.iter().collect::<Vec<(&K, &V)>>().write_text(to, inside)
    }
}

/// No text: the order differs in every process.
impl<T, S> Text for HashSet<T, S> {
    fn write_text(&self, _: &mut dyn Write, _: bool) -> Written {
        Ok(false)
    }
}
impl<K, V, S> Text for HashMap<K, V, S> {
    fn write_text(&self, _: &mut dyn Write, _: bool) -> Written {
        Ok(false)
    }
}

macro_rules! tuples {
    ($(($($kind:ident $place:tt),+))*) => {
        $(impl<$($kind: Text),+> Text for ($($kind,)+) {
            fn write_text(&self, to: &mut dyn Write, _: bool) -> Written {
                list(&mut [$(&self.$place as &dyn Text),+].into_iter(), to)
            }
        })*
    };
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__show;

    fn text_of(hexadecimal: &str) -> String {
        let digits = hexadecimal.trim_start_matches('-');
        let bytes = (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    }

    fn float_of(bits: &str) -> f64 {
        f64::from_bits(u64::from_str_radix(bits, 16).unwrap())
    }

    fn each<T>(value: &str, convert: fn(&str) -> T) -> Vec<T> {
        if value == "-" {
            return Vec::new();
        }
        value.split(',').map(convert).collect()
    }

    /// R21: the table that the tests of all front ends read.
    #[test]
    fn digests_are_those_of_the_table() {
        let table = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../spec/digests.txt"));
        let number = |text: &str| text.parse::<i128>().unwrap();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let (kind, value) = (columns[0], columns[1]);
            let shown = match kind {
                "integer" => __show!(number(value)),
                "float" => __show!(float_of(value)),
                "boolean" => __show!(value == "true"),
                "text" => __show!(text_of(value)),
                "integers" => __show!(each(value, |text| text.parse::<i128>().unwrap())),
                "floats" => __show!(each(value, float_of)),
                "booleans" => __show!(each(value, |text| text == "true")),
                "texts" => __show!(each(value, text_of)),
                "lists" => {
                    let lists = value.split(';').map(|list| each(list, |text| text.parse::<u8>().unwrap()));
                    __show!(lists.collect::<VecDeque<_>>())
                }
                "pairs" => __show!(each(value, |pair| {
                    let (number, text) = pair.split_once(':').unwrap();
                    (number.parse::<i8>().unwrap(), Some(Box::new(text_of(text))))
                })),
                other => panic!("there is no kind {other}"),
            };
            assert_eq!(format!("{:016x}", shown.hash), columns[2], "{line} {:?}", shown.text);
        }
    }

    #[test]
    fn what_has_no_text() {
        assert_eq!(__show!(None::<u8>).text, None);
        assert_eq!(__show!(vec![None, Some('x')]).text.as_deref(), Some("[null,\"x\"]"));
        assert_eq!(__show!(HashMap::from([(1, 2)])).text, None, "its order is chance");
        assert_eq!(__show!(vec![HashSet::from([1])]).text, None);
        assert_eq!(__show!(BTreeMap::from([("a", 0.5_f32)])).text.as_deref(), Some("[[\"a\",0.5]]"));
        assert_eq!(__show!(0.1_f32).text.as_deref(), Some("0.10000000149011612"), "widened to a double");
    }
}
