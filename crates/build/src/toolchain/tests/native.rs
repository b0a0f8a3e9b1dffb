use super::help::{ask, benchmarks, Bench};
use crate::discover::discover;
use crate::toolchain::context::Variables;
use crate::toolchain::BuildEvent;
use std::fs;

const HELLO: &str = "#include <tare.h>\nTARE_BENCH(\"group/name\", [] { return 1; });\n";

/// Compiles in a third of the time, for tests that work the same in C.
const IN_C: &str = "// tare-flags: -O0\n#include <tare.h>\nTARE_C_BENCH(\"name\") { int one = 1; tare_keep(one); }\n";

/// Compiles faster, for tests that work the same at every optimisation level.
const UNOPTIMISED: &str = "// tare-flags: -O0\n#include <tare.h>\nTARE_BENCH(\"group/name\", [] { return 1; });\n";

#[test]
fn a_cpp_file_without_main_becomes_a_child() {
    let bench = Bench::sharing();
    let file = bench.folder.write("my bench ö.cpp", HELLO);
    let outcome = bench.build(&file);
    let artifact = outcome.artifact();
    assert_eq!(benchmarks(artifact), ["name"]);
    assert_eq!((artifact.name.as_str(), artifact.language.as_str()), ("my bench ö.cpp", "c++"));
    assert_eq!((artifact.toolchain.as_str(), artifact.hash.len()), ("file", 64));
    assert_eq!(artifact.directory, bench.folder.path.to_str().unwrap());
    for flag in ["-std=c++17", "-O2", "-falign-functions=64", "-falign-loops=64"] {
        assert!(artifact.build_command.iter().any(|word| word == flag), "{flag}");
    }
    assert!(!artifact.build_command.iter().any(|word| word.starts_with("-D")), "no macro that was not asked for");
    let hello = ask(artifact, "hello 1\nbye\n");
    assert!(hello.contains("\"optimised\":true"), "{hello}");
    assert!(hello.contains("\"flags\":\"-O2 -falign-functions=64 -falign-loops=64\""), "{hello}");
}

#[test]
fn flags_are_told_as_they_were_given() {
    let mut bench = Bench::sharing();
    bench.options.job.flags = vec!["-DTEXT=\"a \\ ?\"".to_owned()];
    let file = bench.folder.write("told.c", IN_C);
    let hello = ask(bench.build(&file).artifact(), "hello 1\nbye\n");
    assert!(hello.contains(r#"-DTEXT=\u0022a \u005c ?\u0022""#), "{hello}");
}

#[test]
fn the_command_that_is_shown_builds_the_program() {
    let bench = Bench::sharing();
    let file = bench.folder.write("shown.c", &format!("// tare-flags: -DX=1 -lm\n{IN_C}"));
    let mut artifact = bench.build(&file).artifact().clone();
    let line = tare_model::text::shell_line(&artifact.build_command);
    let status =
        std::process::Command::new("sh").args(["-c", &line]).current_dir(&artifact.directory).status().unwrap();
    assert!(status.success(), "{line}");
    artifact.command = vec!["./shown".to_owned()];
    assert_eq!(benchmarks(&artifact), ["name"]);
}

#[test]
fn main_is_the_users_or_ours() {
    let bench = Bench::sharing();
    let own = "// tare-flags: -O0\n#include <tare.h>\nTARE_BENCH(\"own\", [] { return 1; });\nint main(int c, char** v) { return tare_main(c, v); }\n";
    bench.folder.write("mine.h", "#pragma once\n#include <tare.h>\n");
    let files = [("own.cpp", own.to_owned()), ("indirect.cpp", UNOPTIMISED.replace("<tare.h>", "\"mine.h\""))];
    for (name, text) in files {
        let file = bench.folder.write(name, &text);
        assert_eq!(benchmarks(bench.build(&file).artifact()).len(), 1, "{name}");
    }
}

#[test]
fn a_c_file_takes_flags_from_its_comment() {
    let mut bench = Bench::sharing();
    bench.options.job.flags = vec!["-O0".to_owned()];
    let folder = bench.folder.fixture("mixed");
    let outcome = bench.build(&folder.join("native/square.c"));
    assert_eq!(outcome.artifact().language, "c");
    assert_eq!(benchmarks(outcome.artifact()), ["root"]);
    assert!(outcome.artifact().build_command.contains(&"-DSIDE=7".to_owned()));
    let outcome = bench.build(&bench.folder.write("without main.c", IN_C));
    assert_eq!(benchmarks(outcome.artifact()), ["name"]);
}

#[test]
fn clang_builds_as_well() {
    let mut bench = Bench::sharing();
    let names = ["clang++", "clang++-14", "clang++-16", "clang++-19"];
    let Some(clang) = names.iter().find(|name| bench.has(name)) else { return };
    bench.options.job.toolchain.insert("c++".to_owned(), (*clang).to_owned());
    let file = bench.folder.write("a.cpp", &format!("// tare-flags: -lm\n{UNOPTIMISED}"));
    let outcome = bench.build(&file);
    assert_eq!(benchmarks(outcome.artifact()), ["name"]);
    assert_eq!(outcome.artifact().build_command[0], **clang);
    assert_eq!(bench.build(&file).started(), 0);
}

/// `assert` stays active unless the user disables it.
#[test]
fn assertions_are_in_force() {
    let mut bench = Bench::sharing();
    let file = bench.folder.write(
        "asserting.c",
        &("#ifdef NDEBUG\n#define NAME \"without\"\n#else\n#define NAME \"with\"\n#endif\n".to_owned()
            + &IN_C.replace("\"name\"", "NAME")),
    );
    assert_eq!(benchmarks(bench.build(&file).artifact()), ["with"]);
    bench.options.job.flags = vec!["-DNDEBUG".to_owned()];
    assert_eq!(benchmarks(bench.build(&file).artifact()), ["without"]);
}

#[test]
fn an_older_standard_is_named_first() {
    let bench = Bench::sharing();
    let file = bench.folder.write("older.cpp", &format!("// tare-flags: -std=c++14\n{HELLO}"));
    let outcome = bench.build(&file);
    let failure = outcome.failure();
    let first = failure.output.lines().find(|line| line.contains("error")).unwrap_or_default();
    assert!(first.contains("tare.h needs C++17: compile with -std=c++17"), "{failure}");
    assert!(!failure.output.contains("tare.h:4"), "the header itself says nothing else: {failure}");
    assert!(failure.hint.as_deref().unwrap_or_default().contains("-std=c++17"), "{failure}");
}

#[test]
fn errors_show_the_compilers_text_and_a_hint() {
    let bench = Bench::sharing();
    let folder = bench.folder.fixture("broken");
    let cases = [
        ("syntax.cpp", "undeclared_name", ""),
        ("standard.cpp", "span", "-std=c++20"),
        ("header.cpp", "no/such/header.h", "-Ifolder"),
        ("library.cpp", "cannot find -lno_such_library", "package of `no_such_library`"),
        ("symbol.cpp", "undefined reference to `elsewhere()'", "tare-flags: other.cpp"),
        ("main.cpp", "undefined reference to `main'", "TARE_MAIN()"),
    ];
    let mut bench = bench;
    bench.options.job.toolchain.insert("c++".to_owned(), "g++".to_owned());
    bench.options.job.flags = vec!["-O0".to_owned()];
    if !bench.has("g++") {
        return;
    }
    for (file, text, hint) in cases {
        let outcome = bench.build(&folder.join(file));
        let failure = outcome.failure();
        assert_eq!(failure.status, "exit status 1", "{failure}");
        assert!(failure.output.contains(text), "{failure}");
        assert!(
            failure.to_string().contains(&format!("could not build `{file}`: g++: exit status 1\n  g++ ")),
            "{failure}"
        );
        assert_eq!(failure.hint.is_some(), !hint.is_empty(), "{failure}");
        assert!(failure.hint.as_deref().unwrap_or_default().contains(hint), "{failure}");
        assert!(matches!(outcome.events.last(), Some(BuildEvent::Failed { .. })));
    }
}

#[test]
fn one_error_does_not_stop_the_others() {
    let bench = Bench::sharing();
    let nothing = "int main(void) { return 0; }\n";
    let good = bench.folder.write("good.c", nothing);
    let broken = bench.folder.write("broken.c", "x\n");
    let also = bench.folder.write("also good.c", nothing);
    let targets = discover(&[good, broken, also]).unwrap();
    let outcome = bench.build_targets(&targets);
    assert!(outcome.results[0].is_ok() && outcome.results[1].is_err() && outcome.results[2].is_ok());
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let mut bench = Bench::sharing();
    let file = bench.folder.write("a.cpp", HELLO);
    bench.variables = Variables::default().with("PATH", "/nonexistent");
    let outcome = bench.build(&file);
    assert_eq!(outcome.failure().status, "`g++` was not found on the PATH");
    assert!(outcome.failure().to_string().contains("apt install g++"));
    bench.options.job.toolchain.insert("c++".to_owned(), "clang++-99 -O3".to_owned());
    assert!(bench.build(&file).failure().to_string().contains("apt install clang-99"));
    bench.options.job.toolchain.insert("c++".to_owned(), String::new());
    assert!(bench.build(&file).results[0].is_err());
}

#[test]
fn a_compiler_that_is_none_is_told() {
    let mut bench = Bench::sharing();
    let file = bench.folder.write("a.cpp", HELLO);
    bench.options.job.toolchain.insert("c++".to_owned(), "false".to_owned());
    assert!(bench.build(&file).results[0].is_err());
    bench.options.job.toolchain.insert("c++".to_owned(), "true".to_owned());
    let outcome = bench.build(&file);
    assert!(outcome.failure().status.contains("cannot read"), "{}", outcome.failure());
}

#[test]
fn flags_of_the_user_win() {
    let mut bench = Bench::sharing();
    bench.options.job.flags = vec!["-O0".to_owned(), "-std=c++20".to_owned()];
    bench.options.align = false;
    let file = bench.folder.write("a.cpp", &format!("static_assert(__cplusplus > 201703L, \"\");\n{HELLO}"));
    let outcome = bench.build(&file);
    assert!(ask(outcome.artifact(), "hello 1\nbye\n").contains("\"optimised\":false"));
    assert!(!outcome.artifact().build_command.iter().any(|word| word.starts_with("-falign")));
}

#[test]
fn a_program_is_taken_as_it_is() {
    let bench = Bench::sharing();
    // A file with a name like an option.
    let file = bench.folder.write("-O3.c", IN_C);
    let built = bench.build(&file).artifact().command[0].clone();
    let program = bench.folder.path.join("a program");
    fs::copy(built, &program).unwrap();
    let outcome = bench.build(&program);
    assert_eq!(outcome.started(), 0);
    assert_eq!((outcome.artifact().toolchain.as_str(), outcome.artifact().build_command.len()), ("program", 0));
    assert_eq!(benchmarks(outcome.artifact()), ["name"]);
    // A folder is searched for programs that speak the protocol.
    bench.folder.write("others/text", "#!/bin/sh\n");
    fs::create_dir(bench.folder.path.join("only")).unwrap();
    fs::copy(&program, bench.folder.path.join("only/one")).unwrap();
    assert_eq!(discover(&[bench.folder.path.join("only")]).unwrap()[0].name, "one");
}
