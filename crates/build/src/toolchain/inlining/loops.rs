use super::super::elf::{Elf, Function};
use super::calls::Calls;
use super::debug::{self, KnownFunction};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Measuring loops of Rust: their symbols do not tell which body they measure.
const RUST: [&str; 7] = ["3run", "4feed", "6shared", "6copies", "3own", "10async_loop", "9async_fed"];
const RUST_MODULE: &str = "4tare5loops";
const CPP: &str = "_ZN4tare6detail4loopI";
const C: &str = "tare_body_";
/// Marker in the symbol of a lambda's loop, before the line of its benchmark.
const LAMBDA: &str = "tare_benchmark_";

/// Calls of a loop and functions inlined in it; both may be long lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) line: Option<u32>,
    pub(super) body: Option<String>,
    pub(super) calls: BTreeSet<String>,
    pub(super) inlined: Option<BTreeSet<String>>,
}

pub(super) struct Program<'d> {
    elf: Elf<'d>,
    functions: HashMap<u64, Function<'d>>,
    loops: Vec<(Function<'d>, BTreeSet<u64>)>,
}

impl<'d> Program<'d> {
    /// None if the program has no loops.
    pub(super) fn read(file: &'d [u8]) -> Option<Program<'d>> {
        let elf = Elf::read(file)?;
        let mut calls = Calls::new(&elf);
        let mut found: Vec<Function> = calls.functions.values().filter(|of| is_loop(of.name)).copied().collect();
        found.sort_by_key(|function| function.name);
        let loops: Vec<_> = found.into_iter().filter_map(|of| Some((of, calls.reached(of.address)?))).collect();
        let functions = calls.into_functions();
        (!loops.is_empty()).then_some(Program { elf, functions, loops })
    }

    /// The symbols that each loop reaches: if they are equal, so is the inlining.
    pub(super) fn symbols(&self) -> BTreeMap<&'d str, BTreeSet<&'d str>> {
        let symbols =
            |reached: &BTreeSet<u64>| reached.iter().map(|at| without_clone(self.functions[at].name)).collect();
        self.loops.iter().map(|(of, reached)| (of.name, symbols(reached))).collect()
    }

    /// The loops with the names of functions. Those of Rust are merged into one.
    pub(super) fn loops(&self) -> Vec<Loop> {
        let wanted = self.loops.iter().flat_map(|(of, reached)| reached.iter().copied().chain([of.address])).collect();
        let known = debug::functions(&self.elf, &wanted);
        let mut found: Vec<Loop> = Vec::new();
        let mut of_rust: Option<Loop> = None;
        for (function, reached) in &self.loops {
            let one = self.one(function, reached, &known);
            match &mut of_rust {
                _ if !is_of_rust(function.name) => found.push(one),
                None => of_rust = Some(one),
                Some(all) => {
                    all.calls.extend(one.calls);
                    all.inlined = all.inlined.take().zip(one.inlined).map(|(all, one)| &all | &one);
                }
            }
        }
        found.extend(of_rust);
        found
    }

    fn one(&self, function: &Function, reached: &BTreeSet<u64>, known: &HashMap<u64, KnownFunction>) -> Loop {
        let name = |at: &u64| match known.get(at) {
            Some(known) => Some(without_arguments(&known.name)),
            None => of_symbol(self.functions[at].name),
        };
        let is_known = known.get(&function.address);
        let inlined = |_| reached.iter().chain([&function.address]).filter_map(|at| known.get(at));
        let inlined = is_known.map(inlined).map(|all| {
            all.flat_map(|of| &of.inlined).map(|name| without_arguments(name)).collect::<BTreeSet<String>>()
        });
        let measured = is_known.and_then(|known| measured(&known.name)).filter(|_| !is_of_rust(function.name));
        Loop {
            line: line_of(function.name).or_else(|| measured.and_then(line_of_lambda)),
            body: measured.filter(|body| !body.contains("lambda")).map(str::to_owned),
            calls: reached.iter().filter_map(name).collect(),
            inlined,
        }
    }
}

pub(super) fn is_loop(symbol: &str) -> bool {
    let is_of_c = symbol.starts_with(C) && without_clone(symbol).ends_with("_loop");
    !symbol.contains(".cold") && (symbol.starts_with(CPP) || is_of_c || is_of_rust(symbol))
}

fn is_of_rust(symbol: &str) -> bool {
    let name = symbol.split_once(RUST_MODULE).map_or("", |(_, name)| name);
    RUST.iter().any(|of_rust| name.starts_with(of_rust))
}

/// The line in the name that the macros give a benchmark.
fn line_of(symbol: &str) -> Option<u32> {
    let rest = symbol.strip_prefix(C).or_else(|| symbol.split_once(LAMBDA).map(|(_, rest)| rest))?;
    rest.split_once('_')?.0.parse().ok()
}

/// The line in clang's name of a lambda: `(lambda at FILE:LINE:COLUMN)`.
fn line_of_lambda(body: &str) -> Option<u32> {
    let place = body.split_once("(lambda at ")?.1.split(')').next()?;
    place.rsplit(':').nth(1)?.parse().ok()
}

/// The body in the name of a loop, such as `find` in `loop<tare::detail::Function<find>, void>`.
fn measured(name: &str) -> Option<&str> {
    let arguments = name.strip_prefix("loop<")?.strip_suffix('>')?;
    let depth = |end: usize| {
        arguments[..end].matches(['<', '(']).count().checked_sub(arguments[..end].matches(['>', ')']).count())
    };
    let end =
        arguments.match_indices(", ").map(|(at, _)| at).find(|at| depth(*at) == Some(0)).unwrap_or(arguments.len());
    let body = &arguments[..end];
    let of_kind = |kind: &str| body.strip_prefix(kind)?.strip_prefix('<')?.strip_suffix('>');
    let method = || of_kind("tare::detail::Method").and_then(|of| of.split(", ").next());
    let function = of_kind("tare::detail::Function").or_else(method);
    Some(function.unwrap_or(body).trim_matches(['&', '(', ')']))
}

/// `find` of `find.isra.0`.
fn without_clone(symbol: &str) -> &str {
    symbol.split('.').next().unwrap_or(symbol)
}

/// `find` of `find<int>`: two versions of a library differ in the types.
fn without_arguments(name: &str) -> String {
    match name.find('<') {
        Some(at) if at > 0 && !name.starts_with("operator") => name[..at].trim_end().to_owned(),
        _ => name.to_owned(),
    }
}

/// The name of a function without debug information; None for C++.
fn of_symbol(symbol: &str) -> Option<String> {
    match rustc_demangle::try_demangle(symbol) {
        Ok(name) => Some(last_segment(&format!("{name:#}")).to_owned()),
        Err(_) if symbol.starts_with("_Z") => None,
        Err(_) => Some(without_clone(symbol).to_owned()),
    }
}

/// `find` of `<map::Map<K> as map::Find>::find::<u8>`, as debug information has it.
fn last_segment(path: &str) -> &str {
    let (mut depth, mut start, mut last) = (0_usize, 0, path);
    for (at, _) in path.char_indices().chain([(path.len(), ' ')]) {
        let rest = &path[at..];
        if depth == 0 && (rest.is_empty() || rest.starts_with("::")) && at >= start {
            let segment = &path[start..at];
            if !segment.starts_with('<') {
                last = segment;
            }
            start = at + 2;
        }
        match rest.chars().next() {
            Some('<') => depth += 1,
            Some('>') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_known_by_its_symbol() {
        let lambda = "_ZN4tare6detail4loopINL19tare_benchmark_10_0MUlvE_EvEEvPvS3_mjbPFvPKvE";
        let function = "_ZN4tare6detail4loopINS0_8FunctionIXadL_ZL5namedvEEEEvEEvPvS4_mjbPFvPKvE";
        for (symbol, line) in [(lambda, Some(10)), (function, None), ("tare_body_9_0_loop", Some(9))] {
            assert!(is_loop(symbol), "{symbol}");
            assert_eq!(line_of(symbol), line, "{symbol}");
        }
        assert!(is_loop("_ZN4tare5loops3run17h1d576dd59bde9bf0E"));
        for other in [
            "_ZN4tare6detail13overhead_loopIiEEvPvS2_mjbPFvPKvE",
            "tare_body_9_0_add",
            "main",
            "tare_body_9_0_loop.cold",
        ] {
            assert!(!is_loop(other), "{other}");
        }
    }

    #[test]
    fn a_body_is_named_as_it_is_written() {
        assert_eq!(measured("loop<tare::detail::Function<named>, void>"), Some("named"));
        assert_eq!(measured("loop<tare::detail::Function<&named>, void>"), Some("named"));
        assert_eq!(measured("loop<tare::detail::Method<&Fixture::run, Fixture>, void>"), Some("Fixture::run"));
        assert_eq!(measured("loop<Sum<int, long>, State>"), Some("Sum<int, long>"));
        assert_eq!(measured("invoke<Sum, void>"), None);
        assert_eq!(line_of_lambda("(lambda at bench.cpp:10:29)"), Some(10));
        assert_eq!(line_of_lambda("Sum"), None);
    }

    #[test]
    fn functions_have_the_names_of_the_source() {
        assert_eq!(without_arguments("find<int>"), "find");
        assert_eq!(without_arguments("operator<"), "operator<");
        assert_eq!(without_arguments("<lambda()>"), "<lambda()>");
        assert_eq!(of_symbol("_ZN1b6helper17h1ea96409da455619E").as_deref(), Some("helper"));
        assert_eq!(last_segment("<map::Map<K> as map::Find>::find::<u8>"), "find");
        assert_eq!(last_segment("b::helper"), "helper");
        assert_eq!(last_segment("helper"), "helper");
        assert_eq!(of_symbol("helper.constprop.0").as_deref(), Some("helper"));
        assert_eq!(of_symbol("_ZL6helperi"), None);
    }
}
