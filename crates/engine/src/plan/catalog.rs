//! The benchmarks that the children listed, and their selection: names, patterns, categories.

use super::shard::Shard;
use tare_model::{Benchmark, Parameter, Strategy};

#[derive(Debug, Clone, PartialEq)]
pub struct CatalogEntry {
    pub artifact: u32,
    pub program: String,
    pub benchmarks: Vec<Benchmark>,
}

/// Which benchmarks to run. An empty list of filters takes all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// A benchmark is taken when one of these matches.
    pub filters: Vec<String>,
    /// A benchmark is left out when one of these matches.
    pub exclusions: Vec<String>,
    /// A benchmark is taken when it has one of these categories.
    pub categories: Vec<String>,
    /// A benchmark is taken when it has all of these categories.
    pub all_categories: Vec<String>,
    /// A benchmark is left out when it has one of these categories.
    pub excluded_categories: Vec<String>,
    /// Takes only one of several parts.
    pub shard: Option<Shard>,
}

impl Selection {
    pub fn is_empty(&self) -> bool {
        *self == Selection::default()
    }

    pub fn is_of_categories(&self) -> bool {
        [&self.categories, &self.all_categories, &self.excluded_categories].iter().any(|asked| !asked.is_empty())
    }

    /// Whether the categories let a benchmark with these ones through.
    pub fn takes_categories(&self, of_benchmark: &[String]) -> bool {
        let has = |category: &String| of_benchmark.contains(category);
        (self.categories.is_empty() || self.categories.iter().any(has))
            && self.all_categories.iter().all(has)
            && !self.excluded_categories.iter().any(has)
    }
}

/// Name that filters are matched against: `group/name[n=10, kind=sorted]`.
pub fn filter_name(benchmark: &Benchmark) -> String {
    if benchmark.parameters.is_empty() {
        benchmark.full_name()
    } else {
        format!("{}[{}]", benchmark.full_name(), benchmark.parameter_text())
    }
}

/// The parameters in an order independent of the front end: `kind=sorted, n=10`.
pub(crate) fn parameters_in_order(parameters: &[Parameter]) -> String {
    let mut parts: Vec<String> = parameters.iter().map(|p| format!("{}={}", p.name, p.canonical())).collect();
    parts.sort();
    parts.join(", ")
}

/// The names that patterns are compared with, including the one in another harness.
fn names(entry: &CatalogEntry, benchmark: &Benchmark) -> Vec<String> {
    let own = [filter_name(benchmark), row_key(entry, benchmark)];
    own.into_iter().chain(harness_name(benchmark).map(str::to_owned)).collect()
}

/// The name that a benchmark of another harness has there.
pub(crate) fn harness_name(benchmark: &Benchmark) -> Option<&str> {
    let code = benchmark.code.as_ref().filter(|_| benchmark.strategy == Strategy::Process);
    code.map(|code| code.full.as_str())
}

fn fits(pattern: &str, names: &[String]) -> bool {
    names.iter().any(|name| matches(pattern, name))
}

/// The name of a benchmark in its code, by which tools of its language select it: `BenchmarkSort/n=10`, `org.demo.Sort.run`.
fn code_name(benchmark: &Benchmark) -> Option<&str> {
    benchmark.code.as_ref().map(|code| code.full.as_str())
}

/// Patterns, and whether each concerns names in code: those contain packages, and only count if nothing else fits.
struct Patterns<'a>(Vec<(&'a str, bool)>);

impl<'a> Patterns<'a> {
    fn new(patterns: &'a [String], entries: &[CatalogEntry]) -> Patterns<'a> {
        let all = || entries.iter().flat_map(|entry| entry.benchmarks.iter().map(move |b| (entry, b)));
        let is_of_code = |pattern: &str| !all().any(|(entry, b)| fits(pattern, &names(entry, b)));
        Patterns(patterns.iter().map(|pattern| (pattern.as_str(), is_of_code(pattern))).collect())
    }

    fn fit(&self, entry: &CatalogEntry, benchmark: &Benchmark) -> bool {
        let names = if self.0.is_empty() { Vec::new() } else { names(entry, benchmark) };
        let fits_code = |pattern| code_name(benchmark).is_some_and(|name| matches(pattern, name));
        self.0.iter().any(|(pattern, of_code)| if *of_code { fits_code(pattern) } else { fits(pattern, &names) })
    }
}

/// Drops what the selection does not take. A baseline of selected contestants is kept only if the caller's filter does so.
pub fn select(entries: Vec<CatalogEntry>, selection: &Selection) -> Vec<CatalogEntry> {
    let filters = Patterns::new(&selection.filters, &entries);
    let exclusions = Patterns::new(&selection.exclusions, &entries);
    let taken = |entry: &CatalogEntry, benchmark: &Benchmark| {
        (selection.filters.is_empty() || filters.fit(entry, benchmark))
            && !exclusions.fit(entry, benchmark)
            && selection.takes_categories(&benchmark.categories)
            && selection.shard.is_none_or(|shard| shard.holds(benchmark))
    };
    entries
        .into_iter()
        .map(|entry| {
            let benchmarks = entry.benchmarks.iter().filter(|b| taken(&entry, b)).cloned().collect();
            CatalogEntry { benchmarks, ..entry }
        })
        .filter(|entry| !entry.benchmarks.is_empty())
        .collect()
}

/// The filters and categories of a selection that fit no benchmark.
pub fn unfitting(entries: &[CatalogEntry], selection: &Selection) -> Selection {
    let all = || entries.iter().flat_map(|entry| entry.benchmarks.iter().map(move |benchmark| (entry, benchmark)));
    let names: Vec<Vec<String>> = match selection.filters.is_empty() {
        true => Vec::new(),
        false => all()
            .map(|(entry, benchmark)| {
                names(entry, benchmark).into_iter().chain(code_name(benchmark).map(str::to_owned)).collect()
            })
            .collect(),
    };
    let fits = |pattern: &&String| names.iter().any(|names| fits(pattern, names));
    let has = |category: &&String| all().any(|(_, b)| b.categories.contains(category));
    Selection {
        filters: selection.filters.iter().filter(|f| !fits(f)).cloned().collect(),
        categories: selection.categories.iter().filter(|c| !has(c)).cloned().collect(),
        all_categories: selection.all_categories.iter().filter(|c| !has(c)).cloned().collect(),
        ..Selection::default()
    }
}

/// Whether a pattern fits a name: `*` is any characters, `?` one; a pattern without them fits any name that contains it.
pub fn matches(pattern: &str, name: &str) -> bool {
    // A line break is shown as a space, and the shown name has to match.
    let (pattern, name) = (one_line(pattern), one_line(name));
    if !pattern.contains(['*', '?']) {
        return name.contains(&pattern);
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to continue if the characters after the last `*` do not match.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    p = star + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// The name with its program, which filters accept too: `bench.cpp:group/name[n=10]`.
pub fn row_key(entry: &CatalogEntry, benchmark: &Benchmark) -> String {
    format!("{}:{}", entry.program, filter_name(benchmark))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn benchmark(group: &str, name: &str, n: Option<&str>, baseline: bool) -> Benchmark {
        let parameters = n.map(|v| Parameter::new("n", v)).into_iter().collect();
        Benchmark { group: group.into(), name: name.into(), parameters, baseline, ..Benchmark::default() }
    }

    pub(crate) fn benchmark_at(index: u32, group: &str, name: &str) -> Benchmark {
        Benchmark { index, ..benchmark(group, name, None, false) }
    }

    pub(crate) fn entry(artifact: u32, benchmarks: Vec<Benchmark>) -> CatalogEntry {
        CatalogEntry { artifact, program: format!("p{artifact}"), benchmarks }
    }

    #[test]
    fn a_name_matches_as_it_is_shown() {
        assert!(matches("e/new line", "e/new\nline") && matches("e/new l*", "e/new\tline"));
        assert!(matches("e/new\nline", "e/new\nline") && !matches("e/newline", "e/new\nline"));
        assert!(matches("e/esc?[31mred", "e/esc\u{1b}[31mred"));
    }

    #[test]
    fn globs() {
        for (pattern, name, fits) in [
            ("parse", "a/parse/b", true),
            ("parse*", "a/parse", false),
            ("*parse*", "a/parse/b", true),
            ("a/?[n=*]", "a/b[n=10]", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*", "", true),
            ("*-b?", "x-b1", true),
            ("é*", "éa", true),
            ("a?", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_that_fits_no_name_is_about_names_in_code() {
        let of = |name: &str| Benchmark {
            code: Some(tare_model::CodeName {
                method: name.into(),
                full: format!("org.demo.Sort.{name}(n: 10)"),
                ..Default::default()
            }),
            ..benchmark("Sort", name, Some("10"), false)
        };
        let entries = vec![entry(0, vec![of("fast"), of("demo")])];
        let taken = |filter: &str, exclusion: &str| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned()).into_iter().collect();
            let selection = Selection { filters: some(filter), exclusions: some(exclusion), ..Selection::default() };
            let taken = select(entries.clone(), &selection);
            taken.iter().flat_map(|e| &e.benchmarks).map(|b| b.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!([taken("Sort.fast", ""), taken("org.demo.Sort.*", "")], ["fast", "fast demo"]);
        assert_eq!(taken("", "Sort.fast"), "demo");
        // A package has a name too, which a benchmark pattern does not concern.
        assert_eq!((taken("demo", ""), taken("", "demo")), ("demo".to_owned(), "fast".to_owned()));
        let wrong = Selection { filters: vec!["Sort.fast".into(), "Sort.none".into()], ..Selection::default() };
        assert_eq!(unfitting(&entries, &wrong).filters, ["Sort.none"]);
    }

    #[test]
    fn selection_by_name_exclusion_and_category() {
        let mut list = vec![benchmark("g", "a", None, true), benchmark("g", "b", Some("1"), false)];
        list[1].categories = vec!["slow".into()];
        let entries = vec![entry(0, list)];
        let names = |selection: Selection| -> Vec<String> {
            select(entries.clone(), &selection)
                .iter()
                .flat_map(|e| e.benchmarks.iter().map(|b| b.name.clone()))
                .collect()
        };
        let of = |f: &[&str], x: &[&str], c: &[&str]| Selection {
            filters: f.iter().map(|s| s.to_string()).collect(),
            exclusions: x.iter().map(|s| s.to_string()).collect(),
            categories: c.iter().map(|s| s.to_string()).collect(),
            ..Selection::default()
        };
        assert_eq!(names(of(&[], &[], &[])), ["a", "b"]);
        assert_eq!(names(of(&["g/b*"], &[], &[])), ["b"]);
        assert_eq!(names(of(&[], &["*n=1*"], &[])), ["a"]);
        assert_eq!(names(of(&[], &[], &["slow"])), ["b"]);
        assert_eq!(names(of(&["p0:g/a"], &[], &[])), ["a"]);
        let has = |all: &[&str], excluded: &[&str]| {
            let words = |all: &[&str]| all.iter().map(|s| s.to_string()).collect();
            let of =
                Selection { all_categories: words(all), excluded_categories: words(excluded), ..Selection::default() };
            of.takes_categories(&["slow".to_owned(), "io".to_owned()])
        };
        assert!(has(&["slow", "io"], &["fast"]) && !has(&["slow", "fast"], &[]) && !has(&[], &["io"]));
    }
}
