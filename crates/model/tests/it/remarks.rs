//! How programs are compiled once more for the compiler's remarks.

use tare_model::{LanguageFacts, Rebuild};

fn again(language: &str, command: &str, cache: Option<&str>) -> Result<Vec<String>, String> {
    let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let read = |path: &str| cache.filter(|_| path == "/c/b/CMakeCache.txt").map(str::to_owned);
    let remarks = LanguageFacts::of_any(language).remarks.expect("its compilers make some");
    let rebuild = Rebuild { command: &command, directory: "/p", folder: "/new", read: &read };
    Ok(remarks(&rebuild)?.into_iter().map(|words| words.join(" ")).collect())
}

#[test]
fn a_file_is_compiled_by_the_same_command_into_another_folder() {
    let gcc = again("c++", "g++ -O2 a.cpp -o /c/a", None).expect("known");
    assert_eq!(gcc, ["g++ -O2 a.cpp -o /new/program -fopt-info-inline-vec-optimized-missed"]);
    let clang = again("c", "clang-19 a.c -o /c/a", None).expect("known");
    assert!(clang[0].contains("-Rpass-missed=inline|loop-vectorize"), "{clang:?}");
    let rust = again("rust", "cargo build --manifest-path /c/Cargo.toml --target-dir /c/t --release", None);
    let rust = rust.expect("known").remove(0);
    assert!(rust
        .starts_with("cargo rustc --manifest-path /c/Cargo.toml --target-dir /new --release --offline -- -Cremark="));
    for (language, command) in [("c", "make all"), ("rust", "./a"), ("c++", "cmake --build /c/b")] {
        assert!(again(language, command, None).is_err_and(|why| why.contains("only files")), "{command}");
    }
}

#[test]
fn a_bench_target_is_compiled_where_its_dependencies_are_unless_flags_came_in_a_variable() {
    let bench = "cargo bench --no-run --package p --bench b --target-dir /c/t";
    let with = again("rust", &format!("{bench} --config build.rustflags=[]"), None).expect("known").remove(0);
    let expected =
        "cargo rustc --profile bench --package p --bench b --target-dir /c/t --config build.rustflags=[] --offline --";
    assert!(with.starts_with(expected), "{with}");
    let without = again("rust", &format!("{bench} --profile fast"), None).expect("known").remove(0);
    assert!(
        without.starts_with("cargo rustc --package p --bench b --target-dir /new --profile fast --offline"),
        "{without}"
    );
}

#[test]
fn a_cmake_project_is_configured_as_it_was() {
    let cache = "CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_CXX_FLAGS:STRING= -g1 -O3\nCMAKE_CXX_FLAGS_RELEASE:STRING=-O1\n\
                 CMAKE_CXX_COMPILER:STRING=/usr/bin/clang++\nCMAKE_BUILD_TYPE:STRING=Release\ntare_DIR:UNINITIALIZED=/f/cmake\n";
    let build = "cmake --build /c/b --parallel 2 --target bench";
    let words = again("c++", build, Some(cache)).expect("known");
    let configure = "cmake -S /p -B /new -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=/usr/bin/clang++ -Dtare_DIR=/f/cmake \
                     -DCMAKE_CXX_FLAGS= -g1 -O3 '-Rpass=inline|loop-vectorize' '-Rpass-missed=inline|loop-vectorize' -DCMAKE_C_FLAGS= ";
    assert!(words[0].starts_with(configure), "{words:?}");
    assert_eq!(words[1], "cmake --build /new --target bench");
    assert!(again("c++", build, None).is_err_and(|why| why.contains("is gone")));
}
