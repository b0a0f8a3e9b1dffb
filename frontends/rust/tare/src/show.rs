//! The text of a result, for `check` and for the values of parameters.
//!
//! The protocol's text (`text.rs`) comes first, then `Display`, then `Debug`; other types have none. Method resolution on references
//! ("autoref specialisation") makes the choice, which is why [`show!`](crate::__private::show) is a macro: the type must be known
//! where it is used.

use std::collections::HashSet;
use std::fmt::{self, Debug, Display, Pointer, Write};

use crate::text::Text;

/// The first 200 characters of a text, and a hash of the whole.
#[derive(Default)]
pub struct Shown {
    pub(crate) text: Option<String>,
    pub(crate) hash: u64,
    /// The reason why a benchmark with this result must not be measured.
    pub(crate) refused: Option<&'static str>,
}

impl Shown {
    /// A result that stands for a mistake in the declaration.
    pub fn refused(why: &'static str) -> Shown {
        Shown { refused: Some(why), ..Shown::default() }
    }
}

/// The number of characters to keep.
const TEXT: usize = 200;

/// Hashes a text (FNV-1a, 64 bit) and keeps its beginning.
struct Recorder {
    hash: u64,
    kept: usize,
    text: String,
}

impl Write for Recorder {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        for byte in piece.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let room = TEXT - self.kept;
        let end = piece.char_indices().nth(room).map_or(piece.len(), |(at, _)| at);
        self.text.push_str(&piece[..end]);
        self.kept += piece[..end].chars().count();
        Ok(())
    }
}

impl Recorder {
    fn new() -> Recorder {
        Recorder { hash: 0xcbf2_9ce4_8422_2325, kept: 0, text: String::new() }
    }

    fn shown(self) -> Shown {
        Shown { text: Some(self.text), hash: self.hash, refused: None }
    }
}

pub(crate) fn record(arguments: fmt::Arguments<'_>) -> Shown {
    let mut recorder = Recorder::new();
    // An error comes from the user's `fmt`: keep what was written so far.
    let _ = recorder.write_fmt(arguments);
    recorder.shown()
}

/// Holds the value whose text is wanted.
pub struct Look<'a, T: ?Sized>(pub &'a T);

/// Chooses the first text that the type has: the protocol's, `Display`, `Debug`, none.
pub trait Show {
    /// The text.
    fn shown(&self) -> Shown;
}

impl<T: Text + ?Sized> Show for &&&&Look<'_, T> {
    fn shown(&self) -> Shown {
        let mut recorder = Recorder::new();
        match self.0.write_text(&mut recorder, false) {
            Ok(true) => recorder.shown(),
            _ => Shown::default(),
        }
    }
}

impl<T: Display + ?Sized> Show for &&&Look<'_, T> {
    fn shown(&self) -> Shown {
        record(format_args!("{}", self.0))
    }
}

/// Functions and raw pointers are shown as addresses, which differ between processes, so they have no text. References are
/// shown as their referents.
impl<T: Debug + Pointer + ?Sized> Show for &&Look<'_, T> {
    fn shown(&self) -> Shown {
        let shown = record(format_args!("{:?}", self.0));
        let address = record(format_args!("{}", Address(self.0)));
        if shown.hash == address.hash {
            Shown::default()
        } else {
            shown
        }
    }
}

/// The address that a pointer holds.
struct Address<'a, T: ?Sized>(&'a T);

impl<T: Pointer + ?Sized> Display for Address<'_, T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        Pointer::fmt(self.0, to)
    }
}

impl<T: Debug + ?Sized> Show for &Look<'_, T> {
    fn shown(&self) -> Shown {
        record(format_args!("{:?}", self.0))
    }
}

impl<T: ?Sized> Show for Look<'_, T> {
    fn shown(&self) -> Shown {
        Shown::default()
    }
}

/// The text of a value: `show!(EXPRESSION)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __show {
    ($value:expr) => {
        match $value {
            value => {
                #[allow(unused_imports)]
                use $crate::__private::Show as _;
                (&&&&&$crate::__private::Look(&value)).shown()
            }
        }
    };
}

/// Whether a text contains an address, which differs between processes.
fn has_address(text: &str) -> bool {
    /// Digits of the shortest address on today's systems.
    const DIGITS: usize = 8;
    text.split("0x").skip(1).any(|rest| rest.bytes().take_while(u8::is_ascii_hexdigit).count() >= DIGITS)
}

/// The text of a value, unless it may differ between processes.
pub(crate) fn lasting(shown: Shown) -> Option<String> {
    shown.text.filter(|text| !has_address(text))
}

/// The values of a parameter as text, with their type.
pub struct Texts {
    pub(crate) texts: Vec<String>,
    /// What each value itself says, without the numbers of [`number_twins`].
    pub(crate) own: Vec<Option<String>>,
    pub(crate) kind: &'static str,
}

/// The texts of a parameter's values. A value without a text that is the same in every process is shown as in the source
/// (`written`, if the values are listed there), else by its index.
pub fn texts<T>(values: impl IntoIterator<Item = T>, show: fn(&T) -> Shown, written: &[&str]) -> Texts {
    let own: Vec<Option<String>> = values.into_iter().map(|value| lasting(show(&value))).collect();
    let written = if written.len() == own.len() { written } else { &[] };
    let text = |(number, own): (usize, &Option<String>)| {
        let written = || written.get(number).map(|text| (*text).to_owned());
        own.clone().or_else(written).unwrap_or_else(|| format!("#{number}"))
    };
    Texts { texts: own.iter().enumerate().map(text).collect(), own, kind: type_of::<T>() }
}

/// Numbers values with equal texts, which would give two cases the same name: `a`, `a #2`. The parameters are those of a row, or a
/// single one. Within rows, values may repeat unless another row is identical; then the first parameter is numbered.
pub(crate) fn number_twins(row: &mut [Texts]) {
    let Some((first, others)) = row.split_first_mut() else { return };
    let texts = &mut first.texts;
    let rest = |at: usize| others.iter().map(move |other| other.texts.get(at));
    let mut seen = HashSet::new();
    if (0..texts.len()).all(|at| seen.insert((&texts[at], rest(at).collect::<Vec<_>>()))) {
        return;
    }
    for number in 0..texts.len() {
        let twins = |text: &str| (0..number).any(|other| texts[other] == text && rest(other).eq(rest(number)));
        if twins(&texts[number]) {
            let numbered = (2..).map(|n| format!("{} #{n}", texts[number]));
            let numbered = numbered.into_iter().find(|text| !twins(text));
            texts[number] = numbered.unwrap_or_default();
        }
    }
}

/// The type of a value, in the protocol's terms.
fn type_of<T>() -> &'static str {
    match std::any::type_name::<T>().trim_start_matches('&') {
        "bool" => "boolean",
        "f32" | "f64" => "float",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "integer",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_fnv_of_the_text() {
        let shown = record(format_args!("{}", 7));
        assert_eq!(shown.text.as_deref(), Some("7"));
        assert_eq!(record(format_args!("")).hash, 0xcbf2_9ce4_8422_2325);
        assert_eq!(record(format_args!("a")).hash, 0xaf63_dc4c_8601_ec8c);
        assert_eq!(record(format_args!("foobar")).hash, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn long_texts_are_cut_but_differ() {
        let (one, other) = ("\u{fc}".repeat(300), format!("{}x", "\u{fc}".repeat(300)));
        let (one, other) = (record(format_args!("{one}")), record(format_args!("{other}")));
        assert_eq!(one.text.as_ref().map(|text| text.chars().count()), Some(200));
        assert_eq!(one.text, other.text);
        assert_ne!(one.hash, other.hash);
    }

    #[test]
    fn texts_of_values_are_different_and_hold_no_address() {
        let show = |value: &&str| Shown { text: Some((*value).to_owned()), ..Shown::default() };
        let apart = |mut row: Vec<Texts>| {
            number_twins(&mut row);
            row.into_iter().map(|texts| texts.texts).collect::<Vec<_>>()
        };
        let alone = apart(vec![texts(["a", "b", "a", "a", "a #2"], show, &[])]);
        assert_eq!(alone, [["a", "b", "a #2", "a #3", "a #2 #2"]]);
        // The third row repeats the first.
        let rows = apart(vec![texts(["1", "1", "1"], show, &[]), texts(["x", "y", "x"], show, &[])]);
        assert_eq!(rows, [["1", "1", "1 #2"], ["x", "y", "x"]]);
        assert_eq!(
            texts(["(\"f\", 0x55d0c1a2b3c4)", "0x10"], show, &["(\"f\", f)", "x"]).texts,
            ["(\"f\", f)", "0x10"]
        );
        assert_eq!(texts([1, 2], |_| Shown::default(), &["one"]).texts, ["#0", "#1"]);
        assert_eq!(
            (texts([1], |_| Shown::default(), &[]).kind, type_of::<&&f32>(), type_of::<&str>()),
            ("integer", "float", "text")
        );
    }

    #[test]
    fn the_best_text_is_taken() {
        struct Silent;
        #[derive(Debug)]
        struct Loud;
        assert_eq!(crate::__show!("a\"b").text.as_deref(), Some("a\"b"));
        assert_eq!(crate::__show!(vec![1, 2]).text.as_deref(), Some("[1,2]"));
        assert_eq!(crate::__show!(Loud).text.as_deref(), Some("Loud"));
        assert_eq!(crate::__show!(Silent).text, None);
        fn function(n: u32) -> u32 {
            n
        }
        assert_eq!(crate::__show!(function as fn(u32) -> u32).text, None, "an address is no text");
        assert_eq!(crate::__show!(&[1, 2][..]).text.as_deref(), Some("[1,2]"));
        assert_eq!(crate::__show!(Box::new(Loud)).text.as_deref(), Some("Loud"));
    }
}
