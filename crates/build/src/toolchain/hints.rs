//! What to do about what a compiler, a linker, Cargo, CMake or `dotnet` said.

/// A rule: a hint when the output contains all of the words. `{}` stands for the text between the two marks.
struct Rule {
    words: &'static [&'static str],
    /// What is before and after the text for `{}`.
    between: Option<(&'static str, &'static str)>,
    hint: &'static str,
}

const fn rule(words: &'static [&'static str], hint: &'static str) -> Rule {
    Rule { words, between: None, hint }
}

const fn naming(words: &'static [&'static str], between: (&'static str, &'static str), hint: &'static str) -> Rule {
    Rule { words, between: Some(between), hint }
}

const NEWER_STANDARD: &str = "request a newer standard in the file: `// tare-flags: -std=c++20`";

/// Of a benchmark; what the compiler says is about the next line.
const SEMICOLON: &str = "a declaration ends with a semicolon: `TARE_BENCH(\"name\", [] { ... });`";
/// A container of `std::unique_ptr` says that it can be copied, and cannot.
const NOT_COPIED: &str = "captured values are copied: create values that cannot be copied in a set-up, \
                          `TARE_BENCH(\"name\", [](State& s) { ... }).set_up([] { return State(); });`";

macro_rules! add_from_clone {
    () => {
        "add the front end from a clone of Tare: `cargo add --dev tare --path PATH-TO-TARE/frontends/rust/tare`"
    };
}
macro_rules! not_ours {
    () => {
        "the `tare` on crates.io is another project"
    };
}
const ADD_TARE: &str = concat!(add_from_clone!(), "; ", not_ours!());
const ANOTHER_TARE: &str = concat!(not_ours!(), ": `cargo remove --dev tare`, then ", add_from_clone!());

/// The first that fits is taken: causes before consequences.
const RULES: &[Rule] = &[
    rule(&["No space left on device"], "the disk is full: free some space, see `df -h`"),
    rule(&["Killed signal terminated program"], "out of memory: build fewer targets at once"),
    // C and C++.
    rule(
        &["tare.h: No such file or directory"],
        "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::tare)",
    ),
    rule(
        &["tare/bench.hpp: No such file or directory"],
        "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::tare)",
    ),
    rule(
        &["'tare/bench.hpp' file not found"],
        "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::tare)",
    ),
    rule(
        &["'tare.h' file not found"],
        "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::tare)",
    ),
    rule(&["tare::detail::make_body", "must be constructible from input type"], NOT_COPIED),
    rule(&["tare::detail::make_body", "deleted "], NOT_COPIED),
    rule(&["two consecutive '['", "TARE_BENCH"], SEMICOLON),
    rule(&["an attribute list cannot appear here", "TARE_BENCH"], SEMICOLON),
    rule(&["expected ',' or ';' at end of input", "TARE_BENCH"], SEMICOLON),
    rule(&["tare.h: include it before other headers"], "make `#include <tare.h>` the first include of the file"),
    naming(
        &["fatal error: ", ": No such file or directory"],
        ("fatal error: ", ": No such file or directory"),
        "name the folder of `{}`: `// tare-flags: -Ifolder`; or install the package that contains it: `apt-file search {}`",
    ),
    naming(
        &["fatal error: '", "' file not found"],
        ("fatal error: '", "' file not found"),
        "name the folder of `{}`: `// tare-flags: -Ifolder`; or install the package that contains it: `apt-file search {}`",
    ),
    rule(&["tare/coroutine.hpp needs coroutines"], NEWER_STANDARD),
    rule(&["only available from C++"], NEWER_STANDARD),
    rule(&["only available with '-std="], NEWER_STANDARD),
    rule(&["is a C++20 extension"], NEWER_STANDARD),
    rule(&["is a C++23 extension"], "request a newer standard in the file: `// tare-flags: -std=c++23`"),
    rule(&["C++17 or newer"], "this file or CMakeLists.txt sets an older standard: use `-std=c++17` or newer"),
    rule(
        &["tare.h needs C++17"],
        "this file or CMakeLists.txt sets an older standard: use `-std=c++17` or newer",
    ),
    rule(&["requires C++17"], "this file or CMakeLists.txt sets an older standard: use `-std=c++17` or newer"),
    rule(&["'concept' does not name a type"], NEWER_STANDARD),
    rule(&["'requires' does not name a type"], NEWER_STANDARD),
    rule(&["'co_await'"], NEWER_STANDARD),
    rule(&["unrecognized command-line option"], "the compiler does not know this flag: see `--cxx` and the flags of the job"),
    rule(&["unknown argument:"], "the compiler does not know this flag: see `--cxx` and the flags of the job"),
    rule(
        &["undefined reference to `main'"],
        "include <tare.h> and declare benchmarks with TARE_BENCH, or write TARE_MAIN()",
    ),
    rule(&["undefined symbol: main"], "include <tare.h> and declare benchmarks with TARE_BENCH, or write TARE_MAIN()"),
    rule(&["multiple definition of `main'"], "keep one `main`: TARE_MAIN() only yields to a `main` in another file"),
    rule(&["redefinition of 'main'"], "keep either `main` or TARE_MAIN() in the file"),
    rule(&["redefinition of 'int main("], "keep either `main` or TARE_MAIN() in the file"),
    naming(
        &["cannot find -l"],
        ("cannot find -l", "\n"),
        "install the development package of `{}`, or name the folder of the library: `// tare-flags: -Lfolder`",
    ),
    naming(
        &["unable to find library -l"],
        ("unable to find library -l", "\n"),
        "install the development package of `{}`, or name the folder of the library: `// tare-flags: -Lfolder`",
    ),
    rule(
        &["undefined reference to `"],
        "link the library or source that defines it: `// tare-flags: -lNAME` or `// tare-flags: other.cpp`; or use CMake",
    ),
    rule(&["undefined symbol: "], "link the library or source that defines it: `// tare-flags: -lNAME`; or use CMake"),
    // Rust.
    rule(&["linker `cc` not found"], "install a linker: `apt install gcc libc6-dev`"),
    naming(
        &["error: linking with `", "unable to find library -l"],
        ("unable to find library -l", "\n"),
        "install the development package of `{}`",
    ),
    naming(
        &["requires rustc "],
        ("requires rustc ", " "),
        "update Rust: `rustup update` (at least {})",
    ),
    rule(&["is not permitted in Rust 2015"], "use a newer edition: `edition = \"2021\"` in Cargo.toml, `// tare-edition: 2021` in a file"),
    rule(&["feature `edition2024` is required"], "update Rust: `rustup update`; or use `edition = \"2021\"`"),
    rule(&["only allowed in Rust 2024"], "use a newer edition: `edition = \"2024\"` in Cargo.toml, `// tare-edition: 2024` in a file"),
    rule(&["only allowed in Rust 2021 or later"], "use a newer edition: `edition = \"2021\"` in Cargo.toml, `// tare-edition: 2021` in a file"),
    rule(&["failed to parse the `edition` key"], "use an edition that this Rust knows: `// tare-edition: 2021`"),
    rule(&["ignoring invalid dependency `tare` which is missing a lib target"], ANOTHER_TARE),
    rule(&["this file contains", "`tare`"], ADD_TARE),
    rule(&["unresolved module or unlinked crate `tare`"], ADD_TARE),
    naming(
        &["use of unresolved module or unlinked crate `"],
        ("use of unresolved module or unlinked crate `", "`"),
        "add the crate: `// tare-dependencies: {} = \"*\"` in a single file, `cargo add --dev {}` in a package",
    ),
    naming(
        &["unresolved import `"],
        ("unresolved import `", "`"),
        "if `{}` is another crate, add it: `// tare-dependencies: NAME = \"*\"` in a single file, `cargo add --dev NAME` in a package",
    ),
    rule(&["`main` function not found in crate"], "a benchmark file ends with `fn main() { tare::main() }`"),
    rule(&["Could not resolve host"], "a dependency must be downloaded and there is no network: run `cargo fetch` with network access first"),
    rule(&["failed to download"], "a dependency must be downloaded: check the network, or run `cargo fetch` first"),
    rule(&["no matching package named"], "check the name and version of the dependency"),
    // .NET.
    rule(
        &["Unable to load the service index"],
        "a package must be downloaded and there is no network: run `dotnet restore` with network access first",
    ),
    naming(
        &["Could not resolve SDK \""],
        ("Could not resolve SDK \"", "\""),
        "install the whole .NET SDK, which has `{}`, or name a version that can be downloaded: `#:sdk {}@VERSION` in a file",
    ),
    rule(&["NU1101"], "check the name of the package, and the sources that `dotnet nuget list source` shows"),
    rule(&["NU1102"], "check the version of the package, and the sources that `dotnet nuget list source` shows"),
    rule(&["NETSDK1045"], "the project is for a newer .NET: install that version, or change `<TargetFramework>`"),
    rule(&["CS0234", "'BenchmarkDotNet'"], "Tare has no part of this name: see `tare help benchmarkdotnet`"),
    rule(&["CS5001"], "add a `Main` that calls `BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args)`"),
    // CMake.
    naming(
        &["Could not find a package configuration file provided by \""],
        ("Could not find a package configuration file provided by \"", "\""),
        "install the development package of {}, or set CMAKE_PREFIX_PATH to where it is",
    ),
    rule(&["No CMAKE_CXX_COMPILER could be found"], "install a compiler: `apt install g++`"),
    rule(&["No CMAKE_C_COMPILER could be found"], "install a compiler: `apt install gcc libc6-dev`"),
    naming(&["CMake ", " or higher is required"], ("CMake ", " or higher is required"), "install CMake {} or newer"),
    rule(&["CMake was unable to find a build program"], "install one: `apt install ninja-build`, or `apt install make`"),
];

/// The hint for what was printed, where one is known.
pub(crate) fn of_output(output: &str) -> Option<String> {
    // gcc and clang quote with these where the terminal can show them.
    let output = output.replace(['\u{2018}', '\u{2019}'], "'");
    newer_standard(&output).or_else(|| RULES.iter().find_map(|rule| of_rule(rule, &output)))
}

fn of_rule(rule: &Rule, output: &str) -> Option<String> {
    if !rule.words.iter().all(|word| output.contains(word)) {
        return None;
    }
    let Some((before, after)) = rule.between else { return Some(rule.hint.to_owned()) };
    let name = output.lines().find_map(|line| name_in(line, before, after))?;
    Some(rule.hint.replace("{}", &name))
}

/// Names of `std` that a standard after C++17 brought: some compilers only say that there is no such name.
fn newer_standard(output: &str) -> Option<String> {
    const CPP20: [&str; 9] =
        ["span", "ranges", "format", "jthread", "bit_cast", "popcount", "source_location", "views", "latch"];
    const CPP23: [&str; 6] = ["expected", "print", "println", "mdspan", "generator", "unreachable"];
    let lacks = |name: &&&str| {
        output.contains(&format!("'{name}' is not a member of 'std'"))
            || output.contains(&format!("no member named '{name}' in namespace 'std'"))
            || output.contains(&format!("'std::{name}' has not been declared"))
    };
    if let Some(name) = CPP20.iter().find(lacks) {
        return Some(format!("`std::{name}` came with C++20: `// tare-flags: -std=c++20` in the file"));
    }
    let name = CPP23.iter().find(lacks)?;
    Some(format!("`std::{name}` came with C++23: `// tare-flags: -std=c++23` in the file"))
}

/// The text between the two marks; a mark of `\n` is the end of the line, or of what comes before an explanation.
fn name_in(line: &str, before: &str, after: &str) -> Option<String> {
    let (_, rest) = line.split_once(before)?;
    let name = match after {
        "\n" => rest.split(": ").next()?,
        _ => rest.split_once(after)?.0,
    };
    Some(name.trim().chars().take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in() {
        let hint = of_output("/usr/bin/ld: cannot find -lfoo: No such file or directory\ncollect2: error\n").unwrap();
        assert!(hint.contains("package of `foo`,"), "{hint}");
        let hint = of_output("a.cpp:1:10: fatal error: x/y.h: No such file or directory\n").unwrap();
        assert!(hint.contains("`x/y.h`") && hint.contains("apt-file search x/y.h"), "{hint}");
    }

    #[test]
    fn slips_of_declarations_are_recognised() {
        let gcc = "tare.h:1: error: two consecutive \u{2018}[\u{2019} shall only introduce an attribute\nnote: in expansion of macro \u{2018}TARE_BENCH\u{2019}\n";
        assert_eq!(of_output(gcc).as_deref(), Some(SEMICOLON));
        let clang = "a.cpp:3:1: error: an attribute list cannot appear here\ntare.h:1: note: expanded from macro 'TARE_BENCH'\n";
        assert_eq!(of_output(clang).as_deref(), Some(SEMICOLON));
        let copied = "void* tare::detail::make_body(const void*)\nerror: static assertion failed: result type must be constructible from input type\n";
        assert_eq!(of_output(copied).as_deref(), Some(NOT_COPIED));
    }

    #[test]
    fn the_right_line_gives_the_name() {
        let output = "CMake Error at CMakeLists.txt:3 (x):\n  CMake 99.0 or higher is required.  You have\n";
        assert_eq!(of_output(output).unwrap(), "install CMake 99.0 or newer");
        let hint = of_output("error: \u{2018}concept\u{2019} does not name a type").unwrap();
        assert!(hint.contains("-std=c++20"), "{hint}");
    }

    #[test]
    fn the_crate_of_the_same_name_is_not_recommended() {
        let missing = "error[E0433]: cannot find module or crate: use of unresolved module or unlinked crate `tare`\n";
        assert_eq!(of_output(missing).as_deref(), Some(ADD_TARE));
        let cargo = "warning: b v0.1.0 (/b) ignoring invalid dependency `tare` which is missing a lib target\n";
        assert_eq!(of_output(&format!("{cargo}{missing}")).as_deref(), Some(ANOTHER_TARE));
    }

    #[test]
    fn causes_before_consequences() {
        let hint = of_output("undefined reference to `main'\nundefined reference to `f'").unwrap();
        assert!(hint.contains("TARE_MAIN"), "{hint}");
        assert_eq!(of_output("something else"), None);
    }
}
