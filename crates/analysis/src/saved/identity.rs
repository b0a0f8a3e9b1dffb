//! The identity of a case: which cases of two sides, or of two files of one side, are the same. Decided by fields, never by joined text.

use super::{Saved, SavedCase};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The stem of a case and, if it matters, its distinction.
pub(crate) type Identity<'a> = (&'a str, &'a str);

pub(crate) struct Identities<'a> {
    /// A side has several jobs, so a case only matches its own job.
    pub several_jobs: bool,
    ambiguous: HashSet<&'a str>,
}

impl<'a> Identities<'a> {
    pub fn of(sides: [&'a Saved; 2]) -> Identities<'a> {
        let mut ambiguous = HashSet::new();
        for side in sides {
            let mut seen = HashSet::new();
            ambiguous.extend(side.cases.iter().map(|case| case.stem.as_str()).filter(|stem| !seen.insert(*stem)));
        }
        Identities { several_jobs: sides.iter().any(|side| side.jobs().len() > 1), ambiguous }
    }

    /// The identity of this case. Two sides of one job each are compared whatever their jobs, like two files of two runtimes.
    pub fn identity(&self, case: &'a SavedCase) -> Identity<'a> {
        match self.several_jobs || self.ambiguous.contains(case.stem.as_str()) {
            true => (&case.stem, &case.distinction),
            false => (&case.stem, ""),
        }
    }

    /// The name of a case that only one side has: with its job, as the other side may have it under another one.
    pub fn name(&self, case: &SavedCase) -> String {
        match self.several_jobs && !case.job.is_empty() {
            true => format!("{}{}", case.stem, case.distinction),
            false => case.key.clone(),
        }
    }
}

/// Keys of the base with those of the new side, if two tools name the same code differently.
pub(crate) fn of_one_code(base: &Saved, new: &Saved) -> BTreeMap<String, String> {
    if base.tool == new.tool {
        return BTreeMap::new();
    }
    let of_new: HashMap<String, &str> = new.code_names().map(|(key, code)| (code, key)).collect();
    let keys: HashSet<&str> = new.code_names().map(|(key, _)| key).collect();
    let others = base.code_names().filter(|(key, _)| !keys.contains(key));
    others.filter_map(|(key, code)| Some((key.to_owned(), (*of_new.get(&code)?).to_owned()))).collect()
}

/// The same for two sides whose machines put different texts into their keys: only if a benchmark has one key per side.
pub(crate) fn of_other_machine(base: &Saved, new: &Saved) -> BTreeMap<String, String> {
    let (of_base, of_new) = (base.portable_keys(), new.portable_keys());
    let of_both = of_base.iter().filter_map(|(portable, keys)| Some((keys, of_new.get(portable)?)));
    let one = |keys: &BTreeSet<&str>| keys.first().filter(|_| keys.len() == 1).map(|key| (*key).to_owned());
    of_both.filter_map(|(base, new)| Some((one(base)?, one(new)?))).filter(|(base, new)| base != new).collect()
}

impl Saved {
    /// The keys of a side that include a text from its machine, by the key without it.
    fn portable_keys(&self) -> HashMap<&str, BTreeSet<&str>> {
        let of_cases = self.cases.iter().map(|c| (c.portable_key.as_str(), c.key.as_str()));
        let of_failed = self.failed.iter().map(|f| (f.portable_key.as_str(), f.key.as_str()));
        let mut keys: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (portable, key) in of_cases.chain(of_failed).filter(|(portable, _)| !portable.is_empty()) {
            keys.entry(portable).or_default().insert(key);
        }
        keys
    }

    /// The keys of a side with the names of their code; the same if the tool calls it by that name.
    fn code_names(&self) -> impl Iterator<Item = (&str, String)> {
        let named = |key: &str, stem: &str, code: &str| match (code, key.strip_prefix(stem)) {
            ("", _) | (_, None) => key.to_owned(),
            (code, Some(apart)) => format!("{code}{apart}"),
        };
        let of_cases = self.cases.iter().map(move |c| (c.key.as_str(), named(&c.key, &c.stem, &c.code_name)));
        of_cases.chain(self.failed.iter().map(move |f| (f.key.as_str(), named(&f.key, &f.stem, &f.code_name))))
    }

    /// Gives every case a unique key. Returns the keys that only a number distinguishes.
    pub fn tell_apart(&mut self) -> Vec<String> {
        let several_jobs = self.jobs().len() > 1;
        let mut counts: HashMap<String, usize> = HashMap::new();
        for case in &self.cases {
            *counts.entry(case.stem.clone()).or_default() += 1;
        }
        let mut used: HashMap<String, usize> = HashMap::new();
        let mut repeated = Vec::new();
        for case in &mut self.cases {
            // A run with several jobs has them in all its keys.
            let is_needed = counts[&case.stem] > 1 || (several_jobs && case.key != case.stem);
            case.key = if is_needed { format!("{}{}", case.stem, case.distinction) } else { case.stem.clone() };
            let count = used.entry(case.key.clone()).or_default();
            *count += 1;
            if *count > 1 {
                repeated.push(case.key.clone());
                case.distinction.push_str(&format!("#{count}"));
                case.key = format!("{}{}", case.stem, case.distinction);
            }
        }
        repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(keys: &[(&str, &str)]) -> Saved {
        let case = |(key, portable): &(&str, &str)| {
            let named = SavedCase::new((*key).to_owned(), (*key).to_owned());
            SavedCase { portable_key: (*portable).to_owned(), ..named }
        };
        Saved { cases: keys.iter().map(case).collect(), ..Saved::default() }
    }

    #[test]
    fn what_a_machine_puts_into_a_key_is_no_other_benchmark_where_a_side_has_one_of_it() {
        let (a4, a8, a16) = (("A-4", "A"), ("A-8", "A"), ("A-16", "A"));
        let renamed = |base: &[_], new: &[_]| of_other_machine(&side(base), &side(new)).into_iter().collect::<Vec<_>>();
        assert_eq!(renamed(&[a8, ("B-8", "B")], &[a16, ("C-16", "C")]), [("A-8".to_owned(), "A-16".to_owned())]);
        for (base, new) in [(&[a8, a16][..], &[a8, a16][..]), (&[a8], &[a8, a16]), (&[a4, a8], &[a16]), (&[a8], &[a8])]
        {
            assert_eq!(renamed(base, new), []);
        }
    }
}
