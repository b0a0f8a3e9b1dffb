//! Includes of C and C++ sources: Tare or another harness.

use crate::discover::without_comments;

/// Whether a C or C++ text includes `tare.h` or a header of its folder `tare`.
pub(super) fn includes_tare(text: &str) -> bool {
    const HEADERS: [&str; 6] =
        ["tare.h", "tare/bench.hpp", "tare/nanobench.hpp", "tare/once.hpp", "tare/coroutine.hpp", "tare/gpu.hpp"];
    let is_ours = |name: &str, header| name.strip_suffix(header).is_some_and(|p| p.is_empty() || p.ends_with('/'));
    text.contains("tare") && included(&without_comments(text)).any(|name| HEADERS.iter().any(|h| is_ours(name, h)))
}

/// Names of the headers that a text without comments includes.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(include_of).map(|name| name.trim_matches(['"', '<', '>']))
}

fn include_of(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include").map(str::trim)
}

/// Headers of other harnesses, with the harness's common name.
const FOREIGN: [(&str, &str); 7] = [
    ("benchmark/benchmark.h", "Google Benchmark"),
    ("nanobench.h", "nanobench"),
    ("catch2/benchmark/catch_benchmark.hpp", CATCH2),
    ("celero/Celero.h", "Celero"),
    ("nonius/nonius.h++", "nonius"),
    ("nonius.h++", "nonius"),
    ("picobench/picobench.hpp", "picobench"),
];
const CATCH2: &str = "Catch2";
/// Headers that include all of Catch2.
const CATCH2_ALL: [&str; 3] = ["catch.hpp", "catch2/catch_all.hpp", "catch_amalgamated.hpp"];
const CATCH2_BENCHMARK: &str = "BENCHMARK(";

pub(super) fn foreign(text: &str) -> Option<&'static str> {
    let text = without_comments(text);
    let included: Vec<&str> = included(&text).collect();
    let is_included =
        |header: &str| included.iter().any(|name| *name == header || name.ends_with(&format!("/{header}")));
    let named = FOREIGN.iter().find(|(header, _)| is_included(header)).map(|(_, known_as)| *known_as);
    let has_benchmark = || CATCH2_ALL.iter().any(|header| is_included(header)) && text.contains(CATCH2_BENCHMARK);
    named.or_else(|| has_benchmark().then_some(CATCH2))
}

pub(super) fn quoted(line: &str) -> Option<&str> {
    include_of(line)?.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_in_code_counts_header_in_comment_does_not() {
        assert!(includes_tare("#include <tare.h>\n"));
        assert!(includes_tare("  #  include \"../x/tare.h\"  // here\n"));
        assert!(
            includes_tare("#include <tare/bench.hpp>\n")
                && includes_tare("#include \"x/tare/nanobench.hpp\"\n")
                && includes_tare("#include <tare/coroutine.hpp>\n")
        );
        assert!(!includes_tare("#include <tare/other.hpp>\n#include <guitare/bench.hpp>\n"));
        assert!(!includes_tare("// #include <tare.h>\n/*\n#include <tare.h>\n*/ int x;\n"));
        assert!(!includes_tare("#include <guitare.h>\n"));
        assert!(includes_tare("const char* s = \"/*\";\n#include <tare.h>\n"));
    }

    #[test]
    fn harnesses_of_others_are_known_by_their_headers() {
        assert_eq!(foreign("#include <benchmark/benchmark.h>\n"), Some("Google Benchmark"));
        assert_eq!(foreign("#include \"../third_party/nanobench.h\"\n"), Some("nanobench"));
        let catch2 = |text: &str| foreign(&format!("#include <catch2/catch.hpp>\n{text}"));
        assert_eq!((catch2("BENCHMARK(\"a\") {};"), catch2("// BENCHMARK(\n")), (Some("Catch2"), None));
        assert_eq!(foreign("// #include <nanobench.h>\n#include \"my_benchmark.h\"\n"), None);
    }
}
