use super::help::{benchmarks, Bench};
use std::fs;

#[test]
fn executables_that_use_tare_are_built_and_others_are_not() {
    let bench = Bench::new();
    if !bench.has("cmake") {
        return;
    }
    let folder = bench.folder.fixture("cmake-project");
    let outcome = bench.build(&folder);
    let [Ok(linked), Ok(second)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert_eq!((linked.name.as_str(), second.name.as_str()), ("cmake-project/linked", "cmake-project/second"));
    assert_eq!(benchmarks(linked), ["linked"]);
    assert_eq!(linked.directory, folder.to_str().unwrap());
    assert_eq!((linked.toolchain.as_str(), linked.language.as_str()), ("cmake", "c++"));
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "the tree of the user stays as it is: {files:?}");
    assert_eq!(bench.build(&folder).cached(), 2);
    // A new executable and an error are noticed; the others go on.
    let list = folder.join("CMakeLists.txt");
    let text = fs::read_to_string(&list).unwrap()
        + "add_executable(third src/third.cpp)\ntarget_link_libraries(third tare::tare)\n";
    fs::write(&list, text).unwrap();
    fs::write(folder.join("src/third.cpp"), "#include <tare.h>\nbroken\n").unwrap();
    let outcome = bench.build(&folder);
    let [Ok(_), Ok(_), Err(third)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert!(third.output.contains("third.cpp:2:1: error"), "{third}");
    assert_eq!(third.target, "cmake-project/third");
}

#[test]
fn errors_of_a_configuration() {
    let bench = Bench::new();
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
    // Mended, it works; without tare the name decides.
    bench
        .folder
        .write("p/CMakeLists.txt", &format!("{start}add_executable(my_bench a.cpp)\nadd_executable(tool a.cpp)\n"));
    assert_eq!(bench.build(&bench.folder.path.join("p")).artifact().name, "p/my_bench");
}

#[test]
fn cmake_that_is_missing_is_named() {
    let mut bench = Bench::new();
    let folder = bench.folder.fixture("cmake-project");
    bench.variables = crate::toolchain::shop::Variables::default().with("PATH", "/nonexistent");
    assert!(bench.build(&folder).failure().to_string().contains("apt install cmake"));
}

#[test]
fn make_and_a_named_compiler_do_as_well() {
    let mut bench = Bench::new();
    if !bench.has("cmake") || !bench.has("make") || !bench.has("g++") {
        return;
    }
    let script = "#!/bin/sh\nexec g++ \"$@\"\n";
    let compiler = bench.folder.write("my compiler", script);
    fs::set_permissions(&compiler, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    bench.options.cxx = Some(format!("'{}' -DEXTRA=1", compiler.display()));
    bench.variables = bench.variables.with("CMAKE_GENERATOR", "Unix Makefiles");
    let folder = bench.folder.fixture("cmake-project");
    fs::write(folder.join("src/second.cpp"), "#include <tare.h>\nTARE_BENCH(\"s\", [] { return EXTRA; });\n").unwrap();
    let outcome = bench.build(&folder);
    let [Ok(linked), Err(second)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert_eq!(benchmarks(linked), ["linked"]);
    assert!(second.hint.as_deref().unwrap_or_default().contains("TARE_MAIN"), "{second}");
    assert_eq!(bench.build(&folder).cached(), 1);
}
