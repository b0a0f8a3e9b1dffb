use crate::toolchain::hints::Hint;

/// After a benchmark; the compiler reports the next line.
const SEMICOLON: &str = "a declaration ends with a semicolon: `TARE_BENCH(\"name\", [] { ... });`";
/// A container of `std::unique_ptr` claims to be copyable, but is not.
const NOT_COPIED: &str = "captured values are copied: create values that cannot be copied in a set-up, \
                          `TARE_BENCH(\"name\", [](State& s) { ... }).set_up([] { return State(); });`";
const FIND_PACKAGE: &str =
    "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::main), \
     or tare::tare for C and for a program with TARE_MAIN()";
const NAME_OF_HEADER: &str = "there is no such header: write `#include <tare.h>`";

pub(in crate::languages) const HINTS: &[Hint] = &[
    (
        &["fatal error: tare.h: No such file or directory", "fatal error: 'tare.h' file not found"],
        FIND_PACKAGE,
    ),
    (
        &["fatal error: tare.", "fatal error: 'tare.", "fatal error: tare/tare.", "fatal error: 'tare/tare."],
        NAME_OF_HEADER,
    ),
    (&["fatal error: tare/", "fatal error: 'tare/"], FIND_PACKAGE),
    (
        &[
            "tare::detail::make_body ... must be constructible from input type",
            "tare::detail::make_body ... deleted ",
        ],
        NOT_COPIED,
    ),
    (
        &[
            "two consecutive '[' ... TARE_BENCH",
            "an attribute list cannot appear here ... TARE_BENCH",
            "expected ',' or ';' at end of input ... TARE_BENCH",
        ],
        SEMICOLON,
    ),
    (&["tare.h: include it before other headers"], "make `#include <tare.h>` the first include of the file"),
    (
        &["fatal error: {}: No such file or directory", "fatal error: '{}' file not found"],
        "name the folder of `{}`: `// tare-flags: -Ifolder`; or install the package that contains it: `apt-file search {}`",
    ),
    (&["is a C++23 extension"], "request a newer standard in the file: `// tare-flags: -std=c++23`"),
    (
        &[
            "tare/coroutine.hpp needs coroutines",
            "only available from C++",
            "only available with '-std=",
            "is a C++20 extension",
            "'concept' does not name a type",
            "'requires' does not name a type",
            "'co_await'",
        ],
        "request a newer standard in the file: `// tare-flags: -std=c++20`",
    ),
    (
        &["'{}' is not a member of 'std'", "no member named '{}' in namespace 'std'", "'std::{}' has not been declared"],
        "`std::{}` needs its `#include`, or a newer standard: `// tare-flags: -std=c++20` or `-std=c++23` in the file",
    ),
    (
        &["C++17 or newer", "tare.h needs C++17", "requires C++17"],
        "this file or CMakeLists.txt sets an older standard: use `-std=c++17` or newer",
    ),
    (
        &["unrecognized command-line option", "unknown argument:"],
        "the compiler does not know this flag: see `--cxx` and the flags of the job",
    ),
    (
        &["undefined reference to `main'", "undefined symbol: main"],
        "include <tare.h> and declare benchmarks with TARE_BENCH, or write TARE_MAIN()",
    ),
    (&["multiple definition of `main'"], "keep one `main`: TARE_MAIN() only yields to a `main` in another file"),
    (&["redefinition of 'main'", "redefinition of 'int main("], "keep either `main` or TARE_MAIN() in the file"),
    (
        &["cannot find -l{}", "unable to find library -l{}"],
        "install the development package of `{}`, or name the folder of the library: `// tare-flags: -Lfolder`",
    ),
    (
        &["undefined reference to `", "undefined symbol: "],
        "link the library or source that defines it: `// tare-flags: -lNAME` or `// tare-flags: other.cpp`; or use CMake",
    ),
    (
        &["Could not find a package configuration file provided by \"{}\""],
        "install the development package of {}, or set CMAKE_PREFIX_PATH to where it is",
    ),
    (
        &["Build step for {} failed:", "Failed to clone repository: '{}'"],
        "the project downloads {}: build it with network access, or name a copy with `--features FETCHCONTENT_SOURCE_DIR_NAME=FOLDER`, the name in capitals",
    ),
    (&["No CMAKE_CXX_COMPILER could be found"], "install a compiler: `apt install g++`"),
    (&["No CMAKE_C_COMPILER could be found"], "install a compiler: `apt install gcc libc6-dev`"),
    (&["CMake {} or higher is required"], "install CMake {} or newer"),
    (&["CMake was unable to find a build program"], "install one: `apt install ninja-build`, or `apt install make`"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::hints::of_output;

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
    fn what_a_project_downloads_is_named() {
        let said = "fatal: unable to access 'https://example.org/b.git/': Could not resolve host: example.org\nCMake Error at FetchContent.cmake:1616 (message):\n  Build step for benchmark failed: 1\n";
        let hint = of_output(said).expect("a hint");
        assert!(hint.starts_with("the project downloads benchmark: ") && !hint.contains("cargo"), "{hint}");
        let cloned = of_output("CMake Error at x-gitclone.cmake:31 (message):\n  Failed to clone repository: 'https://example.org/b.git'\n");
        assert!(cloned.is_some_and(|hint| hint.contains("downloads https://example.org/b.git: ")));
    }

    #[test]
    fn a_wrong_name_of_the_header_is_answered_with_the_right_one() {
        for name in ["tare.hpp", "tare/tare.h"] {
            let gcc = format!("a.cpp:1:10: fatal error: {name}: No such file or directory\n");
            assert_eq!(of_output(&gcc).as_deref(), Some(NAME_OF_HEADER));
            let clang = format!("a.cpp:1:10: fatal error: '{name}' file not found\n");
            assert_eq!(of_output(&clang).as_deref(), Some(NAME_OF_HEADER));
        }
        for name in ["tare.h", "tare/once.hpp"] {
            let gcc = format!("a.cpp:1:10: fatal error: {name}: No such file or directory\n");
            assert_eq!(of_output(&gcc).as_deref(), Some(FIND_PACKAGE));
        }
    }
}
