//! `--rename OLD=NEW`: resolves the benchmarks. Names may contain `=` (`BenchmarkRead/size=10`), so where to split depends on the existing
//! names. Every form of name that `tare` shows is accepted.

use crate::failure::Failure;
use std::collections::HashMap;
use tare_report::clean;

#[derive(Debug, Default)]
pub struct Names {
    /// To the side's own name of the benchmark; None if several share the name.
    known: HashMap<String, Option<String>>,
    shown: Vec<String>,
}

impl Names {
    /// From the side's own names, each with its other names.
    pub fn of<const N: usize>(benchmarks: impl Iterator<Item = (String, [String; N])>) -> Names {
        let all: Vec<(String, [String; N])> = benchmarks.collect();
        let mut names = Names::default();
        for (own, others) in &all {
            for name in others.iter().chain([own]) {
                names.add(clean(name), own);
                names.add(name.clone(), own);
            }
        }
        // A benchmark's own name takes precedence over other names.
        names.known.extend(all.iter().map(|(own, _)| (own.clone(), Some(own.clone()))));
        names.shown = all.into_iter().map(|(own, _)| own).collect();
        names
    }

    fn add(&mut self, name: String, own: &str) {
        let place = self.known.entry(name).or_insert_with(|| Some(own.to_owned()));
        if place.as_deref() != Some(own) {
            *place = None;
        }
    }

    fn get(&self, name: &str) -> Option<&String> {
        self.known.get(name)?.as_ref()
    }
}

/// The renames of `tare compare`: typed ones must match; those of `tare.toml` may concern other sides.
#[derive(Debug, Clone, Default)]
pub struct Renames {
    pub typed: Vec<String>,
    pub usual: Vec<(String, String)>,
}

impl Renames {
    pub fn is_empty(&self) -> bool {
        self.typed.is_empty() && self.usual.is_empty()
    }

    /// Resolves them to the own names of both sides.
    pub fn of(&self, base: &Names, new: &Names) -> Result<Vec<(String, String)>, Failure> {
        let usual = |(old, to): &(String, String)| {
            resolve(&format!("{old}={to}"), base, new).unwrap_or_else(|_| (old.clone(), to.clone()))
        };
        let typed: Vec<_> = self.typed.iter().map(|rename| resolve(rename, base, new)).collect::<Result<_, _>>()?;
        let clashes = |a: &(String, String), b: &(String, String)| a != b && (a.0 == b.0 || a.1 == b.1);
        if let Some(at) = typed.iter().position(|a| typed.iter().any(|b| clashes(a, b))) {
            return Err(Failure::Usage {
                what: format!("`--rename {}` and another one name the same benchmark", clean(&self.typed[at])),
                hint: "a benchmark is compared with one other: leave one of them out".to_owned(),
            });
        }
        Ok(self.usual.iter().map(usual).chain(typed).collect())
    }
}

fn resolve(rename: &str, base: &Names, new: &Names) -> Result<(String, String), Failure> {
    let cuts = || rename.match_indices('=').map(|(at, _)| (&rename[..at], &rename[at + 1..]));
    if let Some((old, new)) = cuts().find_map(|(old, to)| base.get(old).zip(new.get(to))) {
        return Ok((old.clone(), new.clone()));
    }
    let old = cuts().find(|(old, _)| base.get(old).is_some());
    let (what, wanted, names) = match (old, cuts().find(|(_, to)| new.get(to).is_some())) {
        (Some((_, to)), _) => (format!("the new side has no `{}`", clean(to)), to, new),
        (None, Some((old, _))) => (format!("the base has no `{}`", clean(old)), old, base),
        (None, None) => {
            ("neither side has a benchmark with that name".to_owned(), cuts().next().map_or("", |(old, _)| old), base)
        }
    };
    let what = format!("`--rename {}` matches nothing: {what}", clean(rename));
    Err(Failure::NoSuchName { what, nearest: tare_model::text::nearest(wanted, &names.shown, 3) })
}

#[cfg(test)]
mod tests {
    use super::{resolve, Names, Renames};

    fn names(all: &[(&str, &str)]) -> Names {
        Names::of(all.iter().map(|(own, other)| ((*own).to_owned(), [(*other).to_owned()])))
    }

    #[test]
    fn a_name_may_hold_what_parts_two_names() {
        let base = names(&[("BenchmarkRead/size=10-8", "Read/size=10"), ("a=b", "a=b")]);
        let new = names(&[("BenchmarkScan/size=10-8", "Scan/size=10"), ("b=c", "b=c"), ("esc\u{1b}", "esc\u{1b}")]);
        for (text, old, to) in [
            ("BenchmarkRead/size=10-8=BenchmarkScan/size=10-8", "BenchmarkRead/size=10-8", "BenchmarkScan/size=10-8"),
            ("Read/size=10=Scan/size=10", "BenchmarkRead/size=10-8", "BenchmarkScan/size=10-8"),
            ("a=b=b=c", "a=b", "b=c"),
            ("a=b=esc?", "a=b", "esc\u{1b}"),
        ] {
            assert_eq!(resolve(text, &base, &new).ok(), Some((old.to_owned(), to.to_owned())), "{text}");
        }
    }

    #[test]
    fn two_renames_do_not_share_a_benchmark() {
        let (base, new) = (names(&[("a", "a"), ("b", "b")]), names(&[("c", "c"), ("d", "d")]));
        let of = |typed: &[&str]| {
            let typed = typed.iter().map(|rename| (*rename).to_owned()).collect();
            Renames { typed, usual: vec![("a".to_owned(), "c".to_owned())] }.of(&base, &new)
        };
        for both in [["a=c", "b=c"], ["a=c", "a=d"]] {
            assert!(of(&both).is_err_and(|failure| failure.what().contains("`--rename a=c`")), "{both:?}");
        }
        assert!(of(&["a=c", "a=c", "b=d"]).is_ok() && of(&["b=d"]).is_ok());
    }

    #[test]
    fn a_name_that_is_not_there_is_a_mistake() {
        let (base, new) = (names(&[("g/old", "old"), ("h/old", "old")]), names(&[("g/new", "new")]));
        for (text, said) in [
            ("g/old=g/nwe", "the new side has no `g/nwe`"),
            ("g/odl=g/new", "the base has no `g/odl`"),
            ("x=y", "neither side"),
            // Two benchmarks share this name.
            ("old=new", "the base has no `old`"),
        ] {
            let failure = resolve(text, &base, &new).expect_err(text);
            assert!(failure.what().contains(said), "{text}: {}", failure.what());
            assert_eq!(failure.exit_code(), tare_model::ExitCode::NothingMatched);
        }
    }
}
