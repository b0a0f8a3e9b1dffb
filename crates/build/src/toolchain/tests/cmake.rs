use super::help::{benchmarks, Bench};
use std::fs;

#[test]
fn executables_that_use_tare_are_built_and_others_are_not() {
    let mut bench = Bench::new();
    if !bench.has("cmake") {
        return;
    }
    let folder = bench.folder.fixture("cmake-project");
    // A target of another harness, which could not compile here, is not built.
    bench.folder.write("cmake-project/src/old.cpp", "#include <nanobench.h>\nint main() {}\n");
    let list = folder.join("CMakeLists.txt");
    let text = fs::read_to_string(&list).unwrap()
        + "add_executable(old_bench src/old.cpp)\ntarget_link_libraries(old_bench PRIVATE tare::tare)\n";
    fs::write(&list, text).unwrap();
    let outcome = bench.build(&folder);
    assert_eq!(outcome.skipped(), ["cmake-project/old_bench uses nanobench"]);
    let [Ok(linked), Ok(second)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert_eq!((linked.name.as_str(), second.name.as_str()), ("cmake-project/linked", "cmake-project/second"));
    assert_eq!(benchmarks(linked), ["linked"]);
    assert_eq!(linked.directory, folder.to_str().unwrap());
    assert_eq!((linked.toolchain.as_str(), linked.language.as_str()), ("cmake", "c++"));
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "the tree of the user stays as it is: {files:?}");
    assert_eq!(bench.build(&folder).cached(), 2);
    bench.options.discover.benches = vec!["old_bench".to_owned()];
    let outcome = bench.build(&folder);
    let is_tried = matches!(&outcome.results[..], [Err(failure)] if failure.target == "cmake-project/old_bench");
    assert!(is_tried && outcome.skipped().is_empty(), "named, so it is built: {:?}", outcome.results);
    bench.options.discover.benches = Vec::new();
    // A new executable and an error are noticed; the others are still built.
    let text = fs::read_to_string(&list).unwrap()
        + "add_executable(third src/third.cpp)\ntarget_link_libraries(third tare::tare)\n";
    fs::write(&list, &text).unwrap();
    fs::write(folder.join("src/third.cpp"), "#include <tare.h>\nbroken\n").unwrap();
    let outcome = bench.build(&folder);
    let [Ok(_), Ok(_), Err(third)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert!(third.output.contains("third.cpp:2:1: error"), "{third}");
    assert_eq!(third.target, "cmake-project/third");
    // CMake caches the default of an option that changed in the sources.
    let option = |default: &str| {
        let more = "add_executable(more src/more.cpp)\ntarget_link_libraries(more tare::tare)\n";
        format!("{text}option(MORE \"\" {default})\nif(MORE)\n{more}endif()\n")
    };
    fs::write(folder.join("src/more.cpp"), "#include <tare.h>\nbroken\n").unwrap();
    for (default, count) in [("OFF", 3), ("ON", 4)] {
        fs::write(&list, option(default)).unwrap();
        assert_eq!(bench.build(&folder).results.len(), count, "{default}");
    }
    // A pattern stands for the files that are there now.
    let late = "file(GLOB late src/late*.cpp)\nif(late)\nadd_executable(late ${late})\ntarget_link_libraries(late tare::tare)\nendif()\n";
    fs::write(&list, format!("{text}{late}")).unwrap();
    for count in [3, 4] {
        assert_eq!(bench.build(&folder).results.len(), count);
        fs::write(folder.join("src/late.cpp"), "#include <tare.h>\nbroken\n").unwrap();
    }
    // What the project reads decides too.
    let read = "file(READ more.txt more)\nif(more OR DEFINED ENV{DEMO_MORE})\nadd_executable(more src/more.cpp)\ntarget_link_libraries(more tare::tare)\nendif()\n";
    fs::write(&list, format!("{text}{read}")).unwrap();
    for (more, count) in [("0", 3), ("1", 4), ("0", 3)] {
        fs::write(folder.join("more.txt"), more).unwrap();
        assert_eq!(bench.build(&folder).results.len(), count, "{more}");
    }
    bench.variables = bench.variables.with("DEMO_MORE", "1");
    assert_eq!(bench.build(&folder).results.len(), 4);
}

/// The block of a Markdown file that begins with this line.
fn block(text: &str, first: &str) -> String {
    let start = text.find(first).unwrap() + first.len();
    text[start..start + text[start..].find("```").unwrap()].to_owned()
}

#[test]
#[ignore = "compiles many programs"]
fn the_project_of_the_readme_is_built_as_it_stands() {
    let bench = Bench::new();
    if !bench.has("cmake") {
        return;
    }
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontends/cpp/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let list = block(&readme, "```cmake CMakeLists.txt\n");
    bench.folder.write("p/CMakeLists.txt", &list);
    // TARE_MAIN() is weak, and the package has another one.
    bench.folder.write("p/parse.cpp", &block(&readme, "```cpp parse.cpp\n"));
    assert_eq!(benchmarks(bench.build(&bench.folder.path.join("p")).artifact()), ["strtol", "stoi"]);
    // Without its own main, in a project that asks for an older standard.
    let older = list.replace("add_executable", "set(CMAKE_CXX_STANDARD 14)\nadd_compile_options(-O0)\nadd_executable");
    bench.folder.write("p/CMakeLists.txt", &older);
    bench.folder.write("p/parse.cpp", "#include <tare.h>\nTARE_BENCH(\"g/a\", [] { return 1; });\n");
    assert_eq!(benchmarks(bench.build(&bench.folder.path.join("p")).artifact()), ["a"]);
}

#[test]
fn errors_of_a_configuration() {
    let mut bench = Bench::new();
    if !bench.has("cmake") {
        return;
    }
    let start = "cmake_minimum_required(VERSION 3.15)\nproject(p LANGUAGES CXX)\n";
    bench.folder.write("p/a.cpp", "int main() {}\n");
    let cases = [
        ("find_package(NoSuchThing REQUIRED)\n", "NoSuchThing"),
        ("add_executable(tool a.cpp)\n", "find_package(tare REQUIRED)"),
        ("cmake_minimum_required(VERSION 99.0)\n", "install CMake 99.0 or newer"),
    ];
    for (line, hint) in cases {
        bench.folder.write("p/CMakeLists.txt", &format!("{start}{line}"));
        let outcome = bench.build(&bench.folder.path.join("p"));
        assert!(outcome.failure().hint.as_deref().unwrap_or_default().contains(hint), "{}", outcome.failure());
    }
    // Without tare, the name decides what is built, and the program itself whether it is run.
    bench
        .folder
        .write("p/CMakeLists.txt", &format!("{start}add_executable(my_bench a.cpp)\nadd_executable(tool a.cpp)\n"));
    let outcome = bench.build(&bench.folder.path.join("p"));
    assert!(outcome.results.is_empty(), "{:?}", outcome.results);
    assert_eq!(outcome.skipped(), ["p/my_bench contains no Tare benchmark"]);
    bench.options.discover.benches = vec!["tol".to_owned()];
    let outcome = bench.build(&bench.folder.path.join("p"));
    assert_eq!(outcome.failure().hint.as_deref(), Some("available: `my_bench`, `tool`"), "{}", outcome.failure());
}

#[test]
fn other_folders_of_headers_are_another_build() {
    let mut bench = Bench::new();
    if !bench.has("cmake") {
        return;
    }
    let folder = bench.folder.fixture("cmake-project");
    let code = "#include <number.h>\n#include <tare.h>\nTARE_BENCH(NAME, [] { return 1; });\nTARE_MAIN()\n";
    fs::write(folder.join("src/second.cpp"), code).unwrap();
    let plain = bench.variables.clone();
    for name in ["one", "two"] {
        let header = bench.folder.write(&format!("{name}/number.h"), &format!("#define NAME \"{name}\"\n"));
        bench.variables = plain.clone().with("CPLUS_INCLUDE_PATH", header.parent().unwrap());
        let outcome = bench.build(&folder);
        let [Ok(_), Ok(second)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
        assert_eq!(benchmarks(second), [name]);
    }
}

#[test]
fn cmake_that_is_missing_is_named() {
    let mut bench = Bench::new();
    let folder = bench.folder.fixture("cmake-project");
    bench.variables = crate::toolchain::context::Variables::default().with("PATH", "/nonexistent");
    assert!(bench.build(&folder).failure().to_string().contains("apt install cmake"));
}

#[test]
#[ignore = "compiles many programs"]
fn make_and_a_named_compiler_do_as_well() {
    let mut bench = Bench::new();
    if !bench.has("cmake") || !bench.has("make") || !bench.has("g++") {
        return;
    }
    let script = "#!/bin/sh\nexec g++ \"$@\"\n";
    let compiler = bench.folder.write("my compiler", script);
    fs::set_permissions(&compiler, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    bench.options.job.toolchain.insert("c++".to_owned(), format!("'{}' -DEXTRA=1", compiler.display()));
    bench.variables = bench.variables.with("CMAKE_GENERATOR", "Unix Makefiles");
    let folder = bench.folder.fixture("cmake-project");
    fs::write(folder.join("src/second.cpp"), "#include <tare.h>\nTARE_BENCH(\"s\", [] { return EXTRA; });\n").unwrap();
    let outcome = bench.build(&folder);
    let [Ok(linked), Err(second)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert_eq!(benchmarks(linked), ["linked"]);
    assert!(second.hint.as_deref().unwrap_or_default().contains("TARE_MAIN"), "{second}");
    assert_eq!(bench.build(&folder).cached(), 1);
}
