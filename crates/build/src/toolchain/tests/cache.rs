use super::help::{benchmarks, Bench};
use crate::discover::discover;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// In C without optimisation, which compiles fastest: the cache depends on neither language nor flags.
const HELLO: &str = "// tare-flags: -O0\n#include \"number.h\"\n#include <tare.h>\nTARE_C_BENCH(NAME) { int one = 1; tare_keep(one); }\n";
/// Compiles in no time, for tests that do not start their program.
const NOTHING: &str = "#include \"number.h\"\nint main(void) { return 0; }\n";
const HEADER: &str = "#define NAME \"first\"\n";

fn counting_compiler(bench: &mut Bench) -> PathBuf {
    let log = bench.folder.path.join("log");
    let real = bench.variables.find("gcc").or_else(|| bench.variables.find("cc")).unwrap();
    let script = format!("#!/bin/sh\necho x >> '{}'\nexec '{}' \"$@\"\n", log.display(), real.display());
    let path = bench.folder.write("counting", &script);
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    bench.options.job.toolchain.insert("c".to_owned(), format!("\"{}\"", path.display()));
    log
}

fn count(log: &Path) -> usize {
    fs::read_to_string(log).map_or(0, |text| text.lines().count())
}

#[test]
fn a_hit_starts_no_compiler() {
    let mut bench = Bench::new();
    let log = counting_compiler(&mut bench);
    bench.folder.write("number.h", HEADER);
    let file = bench.folder.write("a.c", NOTHING);
    let first = bench.build(&file);
    let starts = count(&log);
    assert!(starts >= 2 && first.cached() == 0, "{starts}");
    // No compiler is left except the wrapper itself.
    bench.variables = crate::toolchain::context::Variables::default().with("PATH", "/nonexistent");
    let second = bench.build(&file);
    assert_eq!(second.artifact(), first.artifact());
    assert_eq!((count(&log), second.started(), second.cached()), (starts, 0, 1));
}

/// Compiling `main` is most of the work: it is repeated only if its flags may refer to another file.
#[test]
fn main_is_compiled_once_for_all_folders() {
    let mut bench = Bench::new();
    let log = counting_compiler(&mut bench);
    let files = ["one", "two", "three"].map(|folder| {
        bench.folder.write(&format!("{folder}/number.h"), HEADER);
        bench.folder.write(&format!("{folder}/a.c"), HELLO)
    });
    let starts = |bench: &Bench, at: usize| {
        let before = count(&log);
        assert_eq!(benchmarks(bench.build(&files[at]).artifact()), ["first"]);
        count(&log) - before
    };
    // The version, `main`, the file.
    assert_eq!((starts(&bench, 0), starts(&bench, 1)), (3, 1));
    bench.options.job.flags = ["-include", "number.h"].map(str::to_owned).to_vec();
    assert_eq!((starts(&bench, 0), starts(&bench, 2)), (2, 2));
}

#[test]
fn a_changed_header_or_source_or_flag_is_noticed() {
    let bench = Bench::sharing();
    let header = bench.folder.write("number.h", HEADER);
    let file = bench.folder.write("a.c", HELLO);
    let first = bench.build(&file);
    assert_eq!(benchmarks(first.artifact()), ["first"]);
    // Same size and almost the same time: only the content differs.
    fs::write(&header, HEADER.replace("first", "other")).unwrap();
    let second = bench.build(&file);
    assert_eq!(benchmarks(second.artifact()), ["other"]);
    assert_ne!(first.artifact().hash, second.artifact().hash);
    assert_eq!(benchmarks(first.artifact()), ["first"]);
    fs::write(&file, HELLO.replace("NAME", "\"source\"")).unwrap();
    assert_eq!(benchmarks(bench.build(&file).artifact()), ["source"]);
    // And back: found again.
    fs::write(&file, HELLO).unwrap();
    assert_eq!(bench.build(&file).started(), 0);
    let mut bench = bench;
    bench.options.job.flags = vec!["-DMORE".to_owned()];
    assert_eq!(bench.build(&file).cached(), 0);
}

#[test]
fn a_touched_header_is_no_change() {
    let bench = Bench::new();
    let header = bench.folder.write("number.h", HEADER);
    let file = bench.folder.write("a.c", NOTHING);
    bench.build(&file);
    fs::remove_file(&header).unwrap();
    fs::write(&header, HEADER).unwrap();
    assert_eq!(bench.build(&file).started(), 0);
}

#[test]
fn a_changed_library_is_noticed() {
    let bench = Bench::new();
    let archive = |value: u32| {
        bench.folder.write("l.c", &format!("int l(void) {{ return {value}; }}\n"));
        let script = "cc -c l.c -o l.o && rm -f libl.a && ar rcs libl.a l.o";
        let status = std::process::Command::new("sh").args(["-c", script]).current_dir(&bench.folder.path).status();
        status.is_ok_and(|s| s.success())
    };
    if !archive(1) {
        return eprintln!("skipped: `cc` or `ar` is not installed");
    }
    let text = "// tare-flags: -L. -ll\nint l(void);\nint main(void) { return l(); }\n";
    let file = bench.folder.write("a.c", text);
    let first = bench.build(&file).artifact().hash.clone();
    assert_eq!(bench.build(&file).started(), 0);
    assert!(archive(2));
    assert_ne!(bench.build(&file).artifact().hash, first);
}

#[test]
fn damage_is_repaired() {
    let bench = Bench::new();
    bench.folder.write("number.h", HEADER);
    let file = bench.folder.write("a.c", HELLO);
    let artifact = bench.build(&file).artifact().clone();
    // A truncated entry.
    for entry in fs::read_dir(bench.options.cache.join("entries")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() / 2]).unwrap();
    }
    assert_eq!(bench.build(&file).artifact(), &artifact);
    // A truncated program.
    let program = fs::read(&artifact.command[0]).unwrap();
    fs::write(&artifact.command[0], &program[..100]).unwrap();
    assert_eq!(bench.build(&file).artifact().hash, artifact.hash);
    assert_eq!(benchmarks(&artifact), ["first"]);
    // A removed program; a changed front end.
    fs::remove_file(&artifact.command[0]).unwrap();
    let front_end = fs::read_dir(bench.options.cache.join("frontends")).unwrap().next().unwrap().unwrap().path();
    fs::write(front_end.join("include/tare.h"), "#error").unwrap();
    assert_eq!(bench.build(&file).artifact().hash, artifact.hash);
    assert_eq!(benchmarks(&artifact), ["first"]);
}

#[test]
fn many_at_once_on_one_cache_agree() {
    let bench = Bench::new();
    bench.folder.write("number.h", HEADER);
    let files: Vec<PathBuf> = (0..2).map(|n| bench.folder.write(&format!("f{n}.c"), NOTHING)).collect();
    let targets = discover(&files).unwrap();
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| bench.build_targets(&targets).results)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for results in &all {
        assert_eq!(results, &all[0]);
        assert!(results.iter().all(Result::is_ok), "{results:?}");
    }
    assert_eq!(fs::read_dir(bench.options.cache.join("tmp")).unwrap().count(), 0);
}

#[test]
fn the_cache_is_closed_to_others() {
    let bench = Bench::new();
    fs::create_dir(&bench.options.cache).unwrap();
    fs::set_permissions(&bench.options.cache, Permissions::from_mode(0o777)).unwrap();
    bench.folder.write("number.h", HEADER);
    bench.build(&bench.folder.write("a.c", NOTHING)).artifact();
    assert_eq!(fs::metadata(&bench.options.cache).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_cache_that_cannot_be_is_named() {
    let mut bench = Bench::new();
    bench.options.cache = bench.folder.write("file", "").join("below");
    let outcome = bench.build(&bench.folder.write("a.c", HELLO));
    assert!(outcome.failure().to_string().contains("cannot create the cache `"), "{}", outcome.failure());
    assert!(outcome.failure().hint.as_deref().unwrap().contains("another cache folder"));
}

#[test]
fn a_full_disk_is_named() {
    let bench = Bench::new();
    let full = crate::toolchain::cache::CacheError::new(
        "write",
        Path::new("/cache/x"),
        std::io::Error::from(std::io::ErrorKind::StorageFull),
    );
    assert_eq!(full.to_string(), "cannot write `/cache/x`: no storage space");
    assert!(full.hint().contains("df -h /cache/x"));
    // A real full disk, if this test may mount one.
    let cache = bench.folder.path.join("small");
    fs::create_dir(&cache).unwrap();
    let mount =
        |arguments: &[&str]| std::process::Command::new(arguments[0]).args(&arguments[1..]).arg(&cache).output();
    let mounted = mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tare-test"]);
    if !mounted.is_ok_and(|o| o.status.success()) {
        return eprintln!("skipped: `mount` is not permitted");
    }
    let mut bench = bench;
    bench.options.cache = cache.clone();
    bench.folder.write("number.h", HEADER);
    let outcome = bench.build(&bench.folder.write("a.c", HELLO));
    let _ = mount(&["umount"]);
    let failure = outcome.failure().to_string();
    assert!(failure.contains("No space left on device") && failure.contains("the disk is full"), "{failure}");
}
