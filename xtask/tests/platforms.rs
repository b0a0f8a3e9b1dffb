//! Code for other systems compiles: `docs/reference/platforms.md`.
//!
//! Only Rust code is checked: `fixtures/empty-object` stands in for the C compilers of these systems.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const MACOS: &str = "aarch64-apple-darwin";
const WINDOWS: &str = "x86_64-pc-windows-gnu";
/// The same systems in Go's terms.
const OF_GO: [(&str, &str); 2] = [("darwin", "arm64"), ("windows", "amd64")];

fn skip(what: &str, why: &str) {
    // Not `eprintln!`, whose output the test harness hides when the test passes.
    let _ = writeln!(std::io::stderr().lock(), "\nskipped: {what}: {why}");
}

fn is_long() -> bool {
    std::env::var_os("TARE_TEST_LONG").is_some()
}

/// Runs a command; Err with its output if it failed or warned. `None` if it is not installed.
fn run(command: &mut Command) -> Option<Result<(), String>> {
    let done = command.output().ok()?;
    let printed = || String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
    let is_good = done.status.success() && !String::from_utf8_lossy(&done.stderr).contains("warning: ");
    Some(if is_good { Ok(()) } else { Err(printed()) })
}

fn has_library(target: &str) -> bool {
    let asked = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    asked.is_ok_and(|done| Path::new(String::from_utf8_lossy(&done.stdout).trim()).is_dir())
}

/// `cargo check` of a package for a system.
fn check(manifest: &Path, package: &str, target: &str) {
    if !has_library(target) {
        return skip(&format!("{package} for {target}"), &format!("no library (rustup target add {target})"));
    }
    let (root, variable) = (xtask::root(), target.replace('-', "_"));
    let stand_in = root.join("fixtures/empty-object");
    let mut command = Command::new(env!("CARGO"));
    command.args(["check", "--quiet", "--package", package, "--target", target, "--manifest-path"]).arg(manifest);
    // A separate folder: the build that runs this test locks the usual one.
    command.env("CARGO_TARGET_DIR", root.join("target/platforms")).env("CARGO_INCREMENTAL", "0");
    command.env(format!("CC_{variable}"), &stand_in).env(format!("AR_{variable}"), &stand_in);
    // With this set, the SDK of macOS is not searched.
    command.env("SDKROOT", "/nonexistent");
    if let Err(printed) = run(&mut command).expect("cargo runs") {
        panic!("{package} for {target}:\n{printed}");
    }
}

#[test]
fn the_host_and_the_front_end_of_rust_compile_for_other_systems() {
    if !is_long() {
        return skip(
            "Rust code for macOS and Windows",
            "it builds all that the host needs; TARE_TEST_LONG=1 checks it",
        );
    }
    check(&xtask::root().join("Cargo.toml"), "tare-cli", MACOS);
    for target in [MACOS, WINDOWS] {
        check(&xtask::root().join("frontends/rust/Cargo.toml"), "tare", target);
    }
}

#[test]
fn the_front_end_of_go_compiles_for_other_systems() {
    if !is_long() {
        return skip("Go code for macOS and Windows", "it compiles the library of Go; TARE_TEST_LONG=1 checks it");
    }
    for (system, processor) in OF_GO {
        let mut command = Command::new("go");
        command.args(["vet", "."]).current_dir(xtask::root().join("frontends/go"));
        match run(command.env("GOOS", system).env("GOARCH", processor)) {
            None => return skip("Go code for macOS and Windows", "go is not installed"),
            Some(Err(printed)) => panic!("{system} on {processor}:\n{printed}"),
            Some(Ok(())) => {}
        }
    }
}

/// MinGW is the Windows toolchain on Linux.
#[test]
fn the_header_compiles_for_windows() {
    let root = xtask::root();
    let (examples, include) = (root.join("frontends/cpp/examples"), root.join("frontends/cpp/include"));
    let mut sources: Vec<PathBuf> = ["06-quick.cpp", "07-c.c"].map(|name| examples.join(name)).into();
    if is_long() {
        let all = std::fs::read_dir(&examples).expect("a folder").flatten().map(|entry| entry.path());
        sources = all.filter(|path| path.extension().is_some_and(|end| end == "cpp" || end == "c")).collect();
    }
    for source in sources {
        let is_c = source.extension().is_some_and(|end| end == "c");
        let (compiler, standard) = if is_c { ("gcc", "-std=c11") } else { ("g++", "-std=c++17") };
        // The variant with threads, since an example uses `std::mutex`.
        let compiler = format!("x86_64-w64-mingw32-{compiler}-posix");
        let mut command = Command::new(&compiler);
        command.args([standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]).arg(&include).arg(&source);
        match run(&mut command) {
            None => {
                return skip("the header on Windows", &format!("{compiler} is not installed (Debian: g++-mingw-w64)"))
            }
            Some(Err(printed)) => panic!("{}:\n{printed}", source.display()),
            Some(Ok(())) => {}
        }
    }
}
