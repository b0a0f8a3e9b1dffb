//! Names: what of them is the number of processors.

use std::collections::{BTreeMap, BTreeSet};

/// `Sort-8` is `Sort` on 8 processors, where the number is that.
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

/// Which numbers at the end of the names of a file are those of processors.
pub(super) enum Processors {
    /// All names end in one number.
    One(String),
    /// All end in a number, not all in the same.
    Several,
    /// `-cpu 1,2`: every benchmark has its name, and its name with each of these numbers.
    Beside(BTreeSet<String>),
    /// Nothing says that a number is one of processors: with one, Go writes none.
    None,
}

impl Processors {
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Processors {
        let names: BTreeSet<&str> = names.collect();
        let suffixes: BTreeSet<Option<&str>> = names.iter().map(|name| split_processors(name).1).collect();
        match (suffixes.len(), suffixes.first()) {
            (1, Some(Some(one))) => return Processors::One((*one).to_owned()),
            (0, _) | (1, _) => return Processors::None,
            (_, Some(Some(_))) => return Processors::Several,
            _ => {}
        }
        // How many names have a partner without the number, for each number.
        let mut partners: BTreeMap<&str, usize> = BTreeMap::new();
        for name in &names {
            if let (front, Some(number)) = split_processors(name) {
                *partners.entry(number).or_default() += usize::from(names.contains(front));
            }
        }
        let beside: BTreeSet<String> =
            partners.into_iter().filter(|(_, count)| *count > 0).map(|(number, _)| number.to_owned()).collect();
        match beside.is_empty() {
            true => Processors::None,
            false => Processors::Beside(beside),
        }
    }

    /// A name without its processors, and these where the file has several numbers of them.
    pub fn split<'a>(&self, name: &'a str, is_known: impl Fn(&str) -> bool) -> (&'a str, Option<&'a str>) {
        let (front, number) = split_processors(name);
        match (self, number) {
            (Processors::One(one), Some(number)) if number == one => (front, None),
            (Processors::Several, Some(_)) => (front, number),
            (Processors::Beside(numbers), Some(number)) if numbers.contains(number) && is_known(front) => {
                (front, Some(number))
            }
            (Processors::Beside(_), _) => (name, Some("1")),
            _ => (name, None),
        }
    }
}

/// The key of a benchmark of a package.
pub(super) fn full_key(package: &str, name: &str) -> String {
    if package.is_empty() {
        name.to_owned()
    } else {
        format!("{package}.{name}")
    }
}
