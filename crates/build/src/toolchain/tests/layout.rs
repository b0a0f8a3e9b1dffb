use super::help::{benchmarks, Bench, Outcome};
use crate::toolchain::BuildEvent;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tare_model::Artifact;

const SOURCE: &str = "#include <tare.h>\n#include <algorithm>\n#include <map>\n#include <string>\n\
    static int numbers[64];\n\
    __attribute__((noinline)) int one(int x) { return x * 3 + 1; }\n\
    __attribute__((noinline)) int two(int x) { return x % 7 ? one(x) : x / 7; }\n\
    TARE_BENCH(\"group/calls\", [] { static int x; return two(++x); });\n\
    TARE_BENCH(\"group/search\", [] { static int x; return std::lower_bound(numbers, numbers + 64, ++x % 64) - numbers; });\n\
    TARE_BENCH(\"group/map\", [] { std::map<std::string, int> m; for (int i = 0; i < 9; i++) m[std::to_string(i)] = i; \
    return m.size(); });\n";

/// Places within a part of the code are relative to multiples of this.
const PART_STEP: u64 = 8192;

/// In C without optimisation, which compiles in a fraction of the time: the linker makes the layouts.
const IN_C: &str = "// tare-flags: -O0\n#include <tare.h>\n\
    __attribute__((noinline)) int one(int x) { return x * 3 + 1; }\n\
    __attribute__((noinline)) int two(int x) { return x % 7 ? one(x) : x / 7; }\n\
    TARE_C_BENCH(\"group/calls\") { static int x; tare_keep(two(++x)); }\n";

fn bench() -> Bench {
    let mut bench = Bench::sharing();
    bench.options.layouts = 8;
    bench
}

/// With the lld of rustc if no other is installed.
fn bench_with_lld() -> Bench {
    let mut bench = bench();
    let sysroot = PathBuf::from(output("rustc", &["--print", "sysroot"]).trim());
    let targets = fs::read_dir(sysroot.join("lib/rustlib")).into_iter().flatten().flatten();
    let folder = targets.map(|target| target.path().join("bin/gcc-ld")).find(|folder| folder.join("ld.lld").is_file());
    if let Some(folder) = folder {
        let path = bench.variables.get("PATH").unwrap_or_default().to_owned();
        bench.variables = bench.variables.with("PATH", format!("{path}:{}", folder.display()));
    }
    bench
}

/// A function: its address, and its instructions without addresses.
#[derive(Debug, PartialEq)]
struct Function {
    address: u64,
    size: u64,
    instructions: Vec<String>,
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Above this number of functions, only every eighth is read: a Rust program has thousands, nearly all from its standard library.
const READ_ALL: usize = 500;

/// The functions of a program by name, size and index among those of the same name.
fn functions(program: &str) -> BTreeMap<(String, u64, usize), Function> {
    let names = output("nm", &["-S", "--defined-only", program]);
    let mut found = BTreeMap::new();
    for line in names.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [address, size, kind, name] = words[..] else { continue };
        if !["t", "T", "w", "W"].contains(&kind) || name.starts_with("_dl") {
            continue;
        }
        let [address, size] = [address, size].map(|n| u64::from_str_radix(n, 16).unwrap());
        let mut key = (name.to_owned(), size, 0);
        while found.contains_key(&key) {
            key.2 += 1;
        }
        found.insert(key, Function { address, size, instructions: Vec::new() });
    }
    let all = found.len() <= READ_ALL;
    let is_read = |name: &str| all || name.bytes().map(u32::from).sum::<u32>() % 8 == 0;
    // By address: the same code may have several names.
    let mut read: BTreeMap<u64, Vec<&mut Function>> = BTreeMap::new();
    for (_, function) in found.iter_mut().filter(|((name, ..), _)| is_read(name)) {
        read.entry(function.address).or_default().push(function);
    }
    let mut current = None;
    for line in output("objdump", &["-d", "--no-show-raw-insn", "-j", ".text", program]).lines() {
        // The line that names a function and its address; most functions are skipped.
        if line.ends_with(">:") {
            let place = line.split(' ').next().and_then(|place| u64::from_str_radix(place, 16).ok());
            current = place.and_then(|place| read.get_mut(&place));
            continue;
        }
        let Some(functions) = &mut current else { continue };
        let digits = line.trim_start();
        let Some(place) = digits.find(':').and_then(|end| u64::from_str_radix(&digits[..end], 16).ok()) else {
            continue;
        };
        if functions.iter().all(|function| place >= function.address + function.size) {
            continue;
        }
        let text = instruction(line);
        for function in functions.iter_mut().filter(|function| place < function.address + function.size) {
            function.instructions.push(text.clone());
        }
    }
    found
}

/// An instruction from a line of disassembly without addresses: those must differ between layouts; registers and small numbers must not.
fn instruction(line: &str) -> String {
    let text = line.split_once(":\t").map_or("", |(_, text)| text);
    let words: Vec<&str> = text.split_whitespace().take_while(|w| !w.starts_with(['<', '#'])).collect();
    let is_place = |word: &str| word.contains("(%rip)") || (words[0].starts_with(['j', 'c']) && word.len() > 3);
    let kept = words.iter().enumerate().filter(|(n, word)| *n == 0 || !is_place(word)).map(|(_, word)| *word);
    kept.collect::<Vec<_>>().join(" ")
}

/// Checks that all layouts differ, have the same functions at different places, and speak the protocol.
#[track_caller]
fn check(artifact: &Artifact, count: usize) {
    assert_eq!(artifact.layouts.len(), count, "{artifact:?}");
    assert_eq!(artifact.layouts[0], artifact.command[0]);
    assert_eq!(artifact.layouts.iter().collect::<BTreeSet<_>>().len(), count);
    assert_eq!(artifact.varies_layout(), count >= 8);
    let lengths: BTreeSet<usize> = artifact.layouts.iter().map(String::len).collect();
    assert_eq!(lengths.len(), 1, "the length of its own name moves the stack of a program");
    let stack = |program: &str| {
        let segments = output("readelf", &["-lW", program]);
        segments.lines().find(|line| line.contains("GNU_STACK")).map(str::to_owned)
    };
    let expected = benchmarks(artifact);
    let first = functions(&artifact.layouts[0]);
    assert!(first.len() > 20, "{} functions", first.len());
    let mut places: BTreeMap<&(String, u64, usize), BTreeSet<u64>> = BTreeMap::new();
    for (at, layout) in artifact.layouts.iter().enumerate() {
        let mut alone = artifact.clone();
        alone.command[0] = layout.clone();
        assert_eq!(benchmarks(&alone), expected, "{layout}");
        let others = if at == 0 { None } else { Some(functions(layout)) };
        let these = others.as_ref().unwrap_or(&first);
        assert!(these.keys().eq(first.keys()), "{layout} has other functions");
        assert_eq!(stack(layout), stack(&artifact.layouts[0]), "the stack of {layout}");
        for (key, function) in &first {
            assert_eq!(these[key].instructions, function.instructions, "{key:?} of {layout}");
            places.entry(key).or_default().insert(these[key].address);
        }
    }
    let moved = places.values().filter(|at| at.len() > count / 2).count();
    assert!(moved * 10 > places.len() * 7, "only {moved} of {} functions were moved", places.len());
}

fn warnings(outcome: &Outcome) -> String {
    let text = outcome.events.iter().filter_map(|event| match event {
        BuildEvent::Warned { text, .. } => Some(text.as_str()),
        _ => None,
    });
    text.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_c_file_in_four_layouts() {
    in_layouts("a b.c", IN_C, 4);
}

#[test]
#[ignore = "compiles many programs"]
fn a_cpp_file_in_eight_layouts() {
    in_layouts("a b.cpp", SOURCE, 8);
}

fn in_layouts(name: &str, source: &str, count: u32) {
    let mut bench = bench();
    bench.options.layouts = count;
    if !bench.has("objdump") {
        return;
    }
    let file = bench.folder.write(name, source);
    let outcome = bench.build(&file);
    check(outcome.artifact(), count as usize);
    assert_eq!(warnings(&outcome), "");
    assert!(outcome.artifact().build_command.contains(&"-ffunction-sections".to_owned()));
    let again = bench.build(&file);
    assert_eq!((again.started(), again.artifact()), (0, outcome.artifact()));
    // A removed layout is made again.
    fs::remove_file(&outcome.artifact().layouts[3]).unwrap();
    assert_eq!(bench.build(&file).artifact(), outcome.artifact());
    assert!(Path::new(&outcome.artifact().layouts[3]).is_file());
}

/// Every linker with the first compiler, and every compiler with the first linker.
#[test]
#[ignore = "compiles many programs"]
fn every_linker_and_compiler_that_is_here() {
    compilers_and_linkers(|compiler, linker| compiler == 0 || linker == 0);
}

#[test]
#[ignore = "long: the pairs that every_linker_and_compiler_that_is_here leaves out"]
fn every_linker_with_every_compiler() {
    compilers_and_linkers(|compiler, linker| compiler != 0 && linker != 0);
}

/// Tests the installed pairs of a compiler and a linker that are asked for by index.
fn compilers_and_linkers(asked: impl Fn(usize, usize) -> bool) {
    let mut bench = bench_with_lld();
    bench.options.layouts = 3;
    let file = bench.folder.write("a.c", IN_C);
    let mut seen = BTreeSet::new();
    let here = |names: &[&'static str], start: &str| {
        names.iter().copied().filter(|name| bench.has(&format!("{start}{name}"))).collect::<Vec<_>>()
    };
    let (mut compilers, linkers) = (here(&["gcc", "clang", "clang-14"], ""), here(&["bfd", "lld", "mold"], "ld."));
    // Two names of one compiler count once.
    compilers.retain(|compiler| seen.insert(bench.variables.find(compiler).and_then(|path| path.canonicalize().ok())));
    let pairs = (0..compilers.len()).flat_map(|compiler| (0..linkers.len()).map(move |linker| (compiler, linker)));
    for (compiler, linker) in pairs.filter(|&(compiler, linker)| asked(compiler, linker)) {
        let (compiler, linker) = (compilers[compiler], linkers[linker]);
        bench.options.job.toolchain.insert("c".to_owned(), compiler.to_owned());
        bench.options.job.flags = vec![format!("-fuse-ld={linker}")];
        let outcome = bench.build(&file);
        assert_eq!(outcome.artifact().layouts.len(), 3, "{compiler} {linker}: {}", warnings(&outcome));
        check(outcome.artifact(), 3);
    }
}

/// In layouts of the same number, two programs have their shared functions in the same order, and most of them at the same places within
/// their parts of the code; other numbers have another order.
#[test]
#[ignore = "compiles many programs"]
fn two_programs_have_their_functions_in_the_same_order_and_places() {
    let mut bench = bench_with_lld();
    bench.options.layouts = 4;
    let function = |name: &str| format!("__attribute__((noinline)) int {name}(int x) {{ return x * 3 + 1; }}\n");
    let functions: String = (0..SHARED).map(|at| function(&format!("shared{at}"))).collect();
    let files = ["base", "new"].map(|side| {
        let added = if side == "new" { function("added") + &function("another") } else { String::new() };
        bench
            .folder
            .write(&format!("{side}/a.c"), &IN_C.replace("TARE_C_BENCH", &format!("{added}{functions}TARE_C_BENCH")))
    });
    for linker in ["bfd", "lld"].into_iter().filter(|linker| bench.has(&format!("ld.{linker}"))).collect::<Vec<_>>() {
        bench.options.job.flags = vec![format!("-fuse-ld={linker}")];
        let [base, new] = files.each_ref().map(|file| {
            let outcome = bench.build(file);
            assert_eq!(outcome.artifact().layouts.len(), 4, "{linker}: {}", warnings(&outcome));
            outcome.artifact().layouts.iter().map(|layout| shared_functions(layout)).collect::<Vec<_>>()
        });
        let order = |layout: &[(String, u64)]| layout.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let orders: BTreeSet<Vec<String>> = base.iter().map(|layout| order(layout)).collect();
        assert_eq!(orders.len(), 4, "{linker}: {base:?}");
        for (base, new) in base.iter().zip(&new) {
            assert_eq!((base.len(), order(base)), (SHARED, order(new)), "{linker}");
        }
        // The first layout is in the linker's own order.
        let pairs = || base.iter().zip(&new).skip(1).flat_map(|(base, new)| base.iter().zip(new));
        let moved = pairs().filter(|(base, new)| base.1 % PART_STEP != new.1 % PART_STEP).count();
        assert!(moved * 4 < pairs().count(), "{linker}: {moved} of {} were moved", pairs().count());
    }
}

/// Number of functions that both programs of a test have.
const SHARED: usize = 150;

/// The functions `shared0`, `shared1` ... of a program with their addresses, sorted by address.
fn shared_functions(program: &str) -> Vec<(String, u64)> {
    let names = output("nm", &["-n", "--defined-only", program]);
    let functions = names.lines().filter_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_shared = words.get(2).is_some_and(|name| name.starts_with("shared"));
        is_shared.then(|| (words[2].to_owned(), u64::from_str_radix(words[0], 16).unwrap()))
    });
    functions.collect()
}

#[test]
#[ignore = "compiles many programs"]
fn what_is_linked_otherwise_works_as_well() {
    let mut bench = bench();
    bench.options.layouts = 3;
    let other = "__attribute__((noinline)) int elsewhere(int x) { return x * 5; }\n";
    bench.folder.write("other.c", other);
    let source = "// tare-flags: other.c\nint elsewhere(int);\n".to_owned()
        + IN_C
        + "TARE_C_BENCH(\"other\") { static int x; tare_keep(elsewhere(++x)); }\n";
    let file = bench.folder.write("with other.c", &source);
    for flags in ["-s", "-no-pie", "-static", "-flto"] {
        bench.options.job.flags = flags.split_whitespace().map(str::to_owned).collect();
        let outcome = bench.build(&file);
        let artifact = outcome.artifact();
        assert_eq!(artifact.layouts.len(), 3, "{flags}: {}", warnings(&outcome));
        let names = benchmarks(artifact);
        for layout in &artifact.layouts {
            let mut alone = artifact.clone();
            alone.command[0] = layout.clone();
            assert_eq!(benchmarks(&alone), names, "{flags}");
        }
    }
}

#[test]
fn one_layout_without_asking_and_a_reason_when_there_cannot_be_more() {
    let mut bench = bench();
    let file = bench.folder.write("a.c", IN_C);
    bench.options.layouts = 1;
    let plain = bench.build(&file);
    assert!(plain.artifact().layouts.is_empty() && warnings(&plain).is_empty());
    assert!(!plain.artifact().build_command.contains(&"-ffunction-sections".to_owned()));
    bench.options.layouts = 8;
    bench.options.job.flags = vec!["-fno-function-sections".to_owned(), "-Wl,--script=own.ld".to_owned()];
    let script = output("ld", &["-pie", "--verbose"]);
    bench.folder.write("own.ld", script.split("==================================================").nth(1).unwrap());
    if bench.build(&file).results[0].is_ok() {
        for _ in 0..2 {
            let outcome = bench.build(&file);
            assert!(outcome.artifact().layouts.is_empty());
            let text = "the layout of its code cannot be varied: it has its own linker script";
            assert_eq!(warnings(&outcome), text);
        }
    }
    let program = bench.folder.path.join("program");
    fs::copy(&plain.artifact().command[0], &program).unwrap();
    let outcome = bench.build(&program);
    assert!(outcome.artifact().layouts.is_empty());
    assert!(warnings(&outcome).contains("it was built elsewhere"), "{}", warnings(&outcome));
}

#[test]
#[ignore = "compiles many programs"]
fn rust_files_and_packages_in_layouts() {
    let mut bench = Bench::sharing();
    if !bench.has("cargo") || !bench.has("objdump") {
        return;
    }
    bench.options.layouts = 1;
    let file = bench.folder.fixture("mixed").join("rust/add.rs");
    let plain = bench.build(&file);
    assert!(plain.artifact().layouts.is_empty());
    bench.options.layouts = 3;
    // Cargo has nothing to do, and the layouts are made from the recorded link.
    let outcome = bench.build(&file);
    assert_eq!(outcome.artifact().layouts.len(), 3, "{}", warnings(&outcome));
    assert_eq!(outcome.artifact().hash, plain.artifact().hash);
    check(outcome.artifact(), 3);
    assert_eq!(bench.build(&file).started(), 0);
    let folder = bench.folder.fixture("cargo-workspace");
    let outcome = bench.build(&folder);
    assert_eq!(outcome.artifact().layouts.len(), 3, "{}", warnings(&outcome));
    check(outcome.artifact(), 3);
    assert_eq!(bench.build(&folder).artifact(), outcome.artifact());
}

/// Two sides of a comparison share Cargo's build folder, which must keep them apart.
#[test]
#[ignore = "compiles many programs"]
fn rust_files_of_one_name_at_once() {
    let mut bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    bench.options.layouts = 2;
    let source = fs::read_to_string(bench.folder.fixture("mixed").join("rust/add.rs")).unwrap();
    let files = ["base", "new"].map(|side| bench.folder.write(&format!("{side}/add.rs"), &source));
    std::thread::scope(|scope| {
        let builds = files.each_ref().map(|file| scope.spawn(|| bench.build(file)));
        for build in builds {
            let outcome = build.join().unwrap();
            assert_eq!(outcome.artifact().layouts.len(), 2, "{}", warnings(&outcome));
        }
    });
}

#[test]
#[ignore = "compiles many programs"]
fn rust_without_its_own_linker() {
    let mut bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    bench.options.layouts = 3;
    bench.options.job.flags = vec!["-Clinker-features=-lld".to_owned(), "-Clink-arg=-fuse-ld=bfd".to_owned()];
    let outcome = bench.build(&bench.folder.fixture("mixed").join("rust/add.rs"));
    if outcome.results[0].as_ref().is_err_and(|f| f.output.contains("linker-features")) {
        eprintln!("skipped: this rustc has no `-Clinker-features`");
        return;
    }
    assert_eq!(outcome.artifact().layouts.len(), 3, "{}", warnings(&outcome));
    check(outcome.artifact(), 3);
}

#[test]
#[ignore = "compiles many programs"]
fn executables_of_cmake_in_layouts() {
    let mut bench = bench();
    bench.options.layouts = 3;
    if !bench.has("cmake") || !bench.has("objdump") {
        return;
    }
    let folder = bench.folder.fixture("cmake-project");
    let outcome = bench.build(&folder);
    assert_eq!(outcome.results.len(), 2);
    for result in &outcome.results {
        check(result.as_ref().unwrap(), 3);
    }
    let again = bench.build(&folder);
    assert_eq!(again.cached(), 2);
    assert_eq!(again.results, outcome.results);
}

#[test]
#[ignore = "compiles many programs"]
fn what_is_done_after_the_link_is_not_lost() {
    let mut bench = bench();
    bench.options.layouts = 3;
    if !bench.has("cmake") || !bench.has("strip") {
        return;
    }
    let folder = bench.folder.fixture("cmake-project");
    let list = folder.join("CMakeLists.txt");
    let text = fs::read_to_string(&list).unwrap()
        + "add_custom_command(TARGET second POST_BUILD COMMAND strip $<TARGET_FILE:second>)\n";
    fs::write(list, text).unwrap();
    for _ in 0..2 {
        let outcome = bench.build(&folder);
        let counts: Vec<usize> = outcome.results.iter().map(|r| r.as_ref().unwrap().layouts.len()).collect();
        assert_eq!(counts, [3, 0]);
        assert!(warnings(&outcome).contains("it was changed after it was linked"), "{}", warnings(&outcome));
    }
}
