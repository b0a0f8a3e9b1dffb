//! Does this file use Tare? Looked for in the text, since nothing has been compiled yet.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// More of a source file is not read: generated sources of this size are no benchmarks.
const SOURCE_LIMIT: u64 = 4 << 20;
/// More of a program is not read.
const PROGRAM_LIMIT: u64 = 64 << 20;
/// Every front end has this word in it: it must look at the environment variable.
const LINK_WORD: &[u8] = b"TARE_LINK";

/// The text of a source file, up to a limit; bytes that are not UTF-8 are replaced.
pub(crate) fn read_source(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SOURCE_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text with comments of C and Rust blanked. Literals are respected well enough for looking for words.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            out.push(' ');
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with('"') {
            let length = literal_length(rest);
            out.push_str(&rest[..length]);
            length
        } else {
            out.push('/');
            1
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// Length of the string literal that `text` begins with; it ends at the end of the line at the latest, so that one odd
/// quote (of a raw string, of a character) does not swallow the file.
fn literal_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A C or C++ text that includes `tare.h`, or one of the headers of its folder `tare`.
pub(crate) fn includes_tare_header(text: &str) -> bool {
    const HEADERS: [&str; 5] =
        ["tare.h", "tare/bench.hpp", "tare/nanobench.hpp", "tare/once.hpp", "tare/coroutine.hpp"];
    let is_ours = |name: &str, header| name.strip_suffix(header).is_some_and(|p| p.is_empty() || p.ends_with('/'));
    text.contains("tare") && included(&without_comments(text)).any(|name| HEADERS.iter().any(|h| is_ours(name, h)))
}

/// Names of the headers that a text without comments includes.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(include_of).map(|name| name.trim_matches(['"', '<', '>']))
}

/// What a line of C or C++ includes: `"name"` or `<name>`.
pub(crate) fn include_of(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include").map(str::trim)
}

/// A Rust text that uses the crate `tare`.
pub(crate) fn uses_tare_crate(text: &str) -> bool {
    text.contains("tare") && uses_crate(&without_comments(text), "tare")
}

/// A C# text with benchmarks of Tare, or with those of BenchmarkDotNet, which are built with the compatibility assembly.
pub(crate) fn uses_tare_namespace(text: &str) -> bool {
    // `[Benchmark]`, `[<Benchmark>]` in F#, `<Benchmark>` in Visual Basic.
    if !["[Benchmark", "<Benchmark", "Benchmark("].iter().any(|word| text.contains(word)) {
        return false;
    }
    let text = without_comments(text);
    let is_ours = |name: &str| {
        ["Tare", "BenchmarkDotNet"]
            .iter()
            .any(|own| name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '.', ' '])))
    };
    text.lines().any(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("global ").map_or(line, str::trim_start);
        let imports = ["using ", "open ", "Imports "].iter().find_map(|word| line.strip_prefix(word));
        imports.map(str::trim).is_some_and(is_ours)
    })
}

/// Whether a text without comments uses a crate.
fn uses_crate(text: &str, name: &str) -> bool {
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.lines().any(|line| {
        let line = line.trim_start();
        let after = |words: &str| line.strip_prefix(words).and_then(|rest| rest.strip_prefix(name));
        after("use ").or_else(|| after("use ::")).or_else(|| after("extern crate ")).is_some_and(is_whole)
            || word_then(line, name, "::")
    })
}

/// Who runs the benchmarks of a bench target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Harness {
    /// Tare.
    Tare,
    /// Somebody else, by name.
    Other(&'static str),
    /// The source does not say: its program will.
    Unknown,
}

/// Crates that bring a harness of their own, with the name under which they are known.
const HARNESSES: [(&str, &str); 11] = [
    ("criterion", "criterion"),
    ("divan", "divan"),
    ("codspeed_criterion_compat", "criterion"),
    ("codspeed_divan_compat", "divan"),
    ("iai_callgrind", "iai-callgrind"),
    ("gungraun", "gungraun"),
    ("iai", "iai"),
    ("tango_bench", "tango-bench"),
    ("brunch", "brunch"),
    ("bencher", "bencher"),
    ("glassbench", "glassbench"),
];

/// The harness of a bench target, as far as its main file tells.
pub(super) fn harness(source: &Path, is_own_harness: bool) -> Harness {
    let text = without_comments(&read_source(source).unwrap_or_default());
    if uses_crate(&text, "tare") {
        return Harness::Tare;
    }
    let other = HARNESSES.iter().find(|(name, _)| text.contains(name) && uses_crate(&text, name));
    match other {
        Some((_, known_as)) => Harness::Other(known_as),
        // Without a line that says otherwise, Cargo gives it libtest's `main`.
        None if !is_own_harness => Harness::Other("libtest (`#[bench]`)"),
        None => Harness::Unknown,
    }
}

/// Headers of benchmarks that bring a harness of their own, with the name under which they are known.
const HEADERS: [(&str, &str); 4] = [
    ("benchmark/benchmark.h", "Google Benchmark"),
    ("nanobench.h", "nanobench"),
    ("catch2/benchmark/catch_benchmark.hpp", "Catch2"),
    ("celero/Celero.h", "Celero"),
];

/// The harness of others that a C++ source includes, by name.
pub(crate) fn foreign_header(text: &str) -> Option<&'static str> {
    let text = without_comments(text);
    let included: Vec<&str> = included(&text).collect();
    let is_included =
        |header: &str| included.iter().any(|name| *name == header || name.ends_with(&format!("/{header}")));
    HEADERS.iter().find(|(header, _)| is_included(header)).map(|(_, known_as)| *known_as)
}

/// `word` followed by `next`, not as the end of a longer word.
fn word_then(line: &str, word: &str, next: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        line[at + word.len()..].starts_with(next)
            && !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

/// A program or script that speaks the protocol, as far as can be told without running it.
pub(crate) fn speaks_protocol(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut head = [0_u8; 4];
    if file.read_exact(&mut head).is_err() || !(head == *b"\x7fELF" || head.starts_with(b"#!")) {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.take(PROGRAM_LIMIT).read_to_end(&mut bytes)?;
    Ok(contains(&bytes, LINK_WORD))
}

/// A script that speaks the protocol, as far as its text tells.
pub(crate) fn is_script(path: &Path) -> bool {
    read_source(path).is_ok_and(|text| contains(text.as_bytes(), LINK_WORD))
}

/// Whether a built program has a front end in it, as far as can be told without running it.
pub(crate) fn has_front_end(program: &[u8]) -> bool {
    contains(program, LINK_WORD)
}

/// Whether `needle` is in `bytes`.
pub(crate) fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    let Some((&first, _)) = needle.split_first() else { return true };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&b| b == first) {
        rest = &rest[at..];
        if rest.starts_with(needle) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_in_code_counts_header_in_comment_does_not() {
        assert!(includes_tare_header("#include <tare.h>\n"));
        assert!(includes_tare_header("  #  include \"../x/tare.h\"  // here\n"));
        assert!(
            includes_tare_header("#include <tare/bench.hpp>\n")
                && includes_tare_header("#include \"x/tare/nanobench.hpp\"\n")
                && includes_tare_header("#include <tare/coroutine.hpp>\n")
        );
        assert!(!includes_tare_header("#include <tare/other.hpp>\n#include <guitare/bench.hpp>\n"));
        assert!(!includes_tare_header("// #include <tare.h>\n/*\n#include <tare.h>\n*/ int x;\n"));
        assert!(!includes_tare_header("#include <guitare.h>\n"));
        assert!(includes_tare_header("const char* s = \"/*\";\n#include <tare.h>\n"));
    }

    #[test]
    fn crate_in_code_counts() {
        assert!(uses_tare_crate("use tare::bench;\n"));
        assert!(uses_tare_crate("use tare;\n"));
        assert!(uses_tare_crate("#[tare::bench]\nfn x() {}\n"));
        assert!(uses_tare_crate("fn main() { tare::main() }\n"));
        assert!(!uses_tare_crate("// use tare::bench;\n"));
        assert!(!uses_tare_crate("use tare_model::Run;\n"));
        assert!(!uses_tare_crate("use guitare::x; a::tare::b();\n"));
        assert!(uses_tare_crate("    use ::tare as t;\n"));
    }

    #[test]
    fn namespaces_of_benchmarks_count() {
        assert!(uses_tare_namespace("using Tare;\nclass C { [Benchmark] public void F() {} }\n"));
        assert!(uses_tare_namespace("  using BenchmarkDotNet.Attributes;\n [Benchmark(Baseline = true)]\n"));
        assert!(uses_tare_namespace("global using Tare;\n[Benchmark]\n"));
        assert!(!uses_tare_namespace("// using Tare;\n[Benchmark]\n"));
        assert!(!uses_tare_namespace("using Target;\n[Benchmark]\n"));
        assert!(!uses_tare_namespace("using Tare;\nclass C {}\n"));
    }

    #[test]
    fn harnesses_of_others_are_known_by_their_headers() {
        assert_eq!(foreign_header("#include <benchmark/benchmark.h>\n"), Some("Google Benchmark"));
        assert_eq!(foreign_header("#include \"../third_party/nanobench.h\"\n"), Some("nanobench"));
        assert_eq!(foreign_header("// #include <nanobench.h>\n#include \"my_benchmark.h\"\n"), None);
    }

    #[test]
    fn comments_go_and_literals_stay() {
        assert_eq!(without_comments("a/b \"//x\\\"/*\" c // d\ne/* f */g"), "a/b \"//x\\\"/*\" c \ne g");
        assert_eq!(without_comments("/* open"), " ");
        assert_eq!(without_comments("'\"'\nx // y"), "'\"'\nx ");
    }
}
