//! Separates names from numbers of processors.

use std::collections::{BTreeMap, BTreeSet};

/// Splits `Sort-8` into `Sort` and 8, which may be a number of processors.
pub(super) fn split_processors(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('-') {
        Some((front, digits))
            if !front.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (front, Some(digits))
        }
        _ => (name, None),
    }
}

/// Which numbers at the end of a file's names are processors.
pub(super) enum Processors {
    /// All names end in the same number.
    One(String),
    /// All names end in a number, but not the same.
    Several,
    /// `-cpu 1,2`: every benchmark occurs with its bare name, and with each of these numbers.
    Beside(BTreeSet<String>),
    /// No evidence of processors: with one, Go omits the number.
    None,
}

impl Processors {
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Processors {
        let first = First::of(names);
        let names: BTreeSet<&str> = first.0.keys().copied().collect();
        let suffixes: BTreeSet<Option<&str>> = names.iter().map(|name| split_processors(name).1).collect();
        match (suffixes.len(), suffixes.first()) {
            (1, Some(Some(one))) => return Processors::One((*one).to_owned()),
            (0, _) | (1, _) => return Processors::None,
            (_, Some(Some(_))) => return Processors::Several,
            _ => {}
        }
        // With `-cpu 1,2`, the bare name comes before those with a number; a bare name after them is another benchmark.
        let beside: BTreeSet<String> = names
            .iter()
            .filter_map(|name| split_processors(name).1.filter(|_| first.is_before(split_processors(name).0, name)))
            .map(str::to_owned)
            .collect();
        match beside.is_empty() {
            true => Processors::None,
            false => Processors::Beside(beside),
        }
    }

    /// A name without its processors, and their number if the file has several. None if ambiguous: `block-4` may be `block` on 4 processors
    /// or `block-4` on one if the file has both `block` and `block-4-4`.
    fn split<'a>(&self, name: &'a str, first: &First) -> Option<(&'a str, Option<&'a str>)> {
        let (front, number) = split_processors(name);
        Some(match (self, number) {
            (Processors::One(one), Some(number)) if number == one => (front, None),
            (Processors::Several, Some(_)) => (front, number),
            (Processors::Beside(numbers), Some(number)) if numbers.contains(number) && first.is_known(front) => {
                let is_front_of_another = numbers.iter().any(|more| first.is_known(&format!("{name}-{more}")));
                if is_front_of_another || !first.is_before(front, name) {
                    return None;
                }
                (front, Some(number))
            }
            (Processors::Beside(_), _) => (name, Some("1")),
            _ => (name, None),
        })
    }

    /// Splits all lines in order, each with its place, where `go test` runs one number of processors after another. An ambiguous name has
    /// the number of the line before it in its place.
    pub fn split_all<'a, P: PartialEq>(&self, lines: &[(P, &'a str)]) -> Vec<(&'a str, Option<&'a str>)> {
        let first = First::of(lines.iter().map(|(_, name)| *name));
        let certain: Vec<Option<(&str, Option<&str>)>> =
            lines.iter().map(|(_, name)| self.split(name, &first)).collect();
        let number_near = |at: usize| {
            let of = |other: &usize| (lines[*other].0 == lines[at].0).then_some(certain[*other]?.1).flatten();
            (0..at).rev().find_map(|other| of(&other)).or_else(|| (at + 1..lines.len()).find_map(|other| of(&other)))
        };
        let one = |at: usize| {
            let (front, number) = split_processors(lines[at].1);
            match number.filter(|_| number == number_near(at)) {
                Some(_) => (front, number),
                None => (lines[at].1, Some("1")),
            }
        };
        (0..lines.len()).map(|at| certain[at].unwrap_or_else(|| one(at))).collect()
    }
}

pub(super) struct First<'a>(BTreeMap<&'a str, usize>);

impl<'a> First<'a> {
    pub fn of(names: impl Iterator<Item = &'a str>) -> First<'a> {
        let mut first = BTreeMap::new();
        for (at, name) in names.enumerate() {
            first.entry(name).or_insert(at);
        }
        First(first)
    }

    fn is_known(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn is_before(&self, one: &str, other: &str) -> bool {
        self.0.get(one).zip(self.0.get(other)).is_some_and(|(one, other)| one < other)
    }
}

/// The key of a package's benchmark and its processors, as printed by `go test`. If its own name ends in a number, the key says that it is
/// on one processor.
pub(super) fn key_of(package: &str, full: &str, bare: &str) -> String {
    let is_own = full == bare && split_processors(bare).1.is_some();
    full_key(package, &if is_own { format!("{full}-1") } else { full.to_owned() })
}

pub(super) fn full_key(package: &str, name: &str) -> String {
    if package.is_empty() {
        name.to_owned()
    } else {
        format!("{package}.{name}")
    }
}
