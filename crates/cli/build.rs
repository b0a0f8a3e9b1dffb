//! Gathers `docs/findings/*.md`, one page per finding code, and `docs/from/*.md`, one page per tool, into the tables of `tare help`. A
//! hand-written list would go out of date.
//!
//! Also asks the linker for a small release, if it supports that.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// Files in these folders that are not pages of a finding or a tool.
const ASIDE: [&str; 3] = ["README", "checklist", "benchmarkdotnet-samples"];

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "md")
        && path.file_stem().is_some_and(|name| !ASIDE.iter().any(|of| name == *of))
}

/// The names and texts of the pages in a folder of the documents, as a constant.
fn table(name: &str, folder: &str) -> String {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    // Beside the crate, inside it in the published form (`packaging/crates.py`), or beside the fuzzing folder.
    let places = ["outside/docs", "../../docs", "../docs"].map(|place| Path::new(&root).join(place).join(folder));
    let folder = places.into_iter().find(|place| place.is_dir()).expect("one of them is there");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut pages: Vec<_> = entries.map(|e| e.path()).filter(|p| is_page(p)).collect();
    pages.sort();
    let mut table = format!("pub const {name}: &[(&str, &str)] = &[\n");
    for page in pages {
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        let page = page.canonicalize().expect("it was just listed");
        // Debug formatting of a string is a Rust string literal.
        writeln!(table, "    ({name:?}, include_str!({:?})),", page.to_string_lossy()).expect("memory");
    }
    table + "];\n"
}

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let tables = table("FINDINGS", "findings") + &table("FROM", "from");
    fs::write(Path::new(&out).join("pages.rs"), tables).expect("cargo's folder can be written");
    let is_fuzzed = env::var_os("CARGO_CFG_FUZZING").is_some();
    if !is_fuzzed && env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        let out = Path::new(&out);
        let (all, few) = (small(out), vec![FOLDING.to_owned()]);
        let arguments = [all, few].into_iter().find(|arguments| links_with(arguments, out));
        arguments.iter().flatten().for_each(|argument| println!("cargo::rustc-link-arg-bins={argument}"));
    }
}

/// Merges identical functions: instances of a generic function for similar types, and the same function in several crates. They are a tenth
/// of the program.
const FOLDING: &str = "-Wl,--icf=all";
/// Stores relocations as a bitmap instead of a table; C libraries since 2022 read it.
const PACKED: &str = "-Wl,-z,pack-relative-relocs";
/// No unwind tables: a panic ends the process. They are a seventh of the program, and only needed for backtraces, with debug information.
const WITHOUT_TABLES: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) } } INSERT AFTER .text;\n";

/// Linker arguments for a small release.
fn small(out: &Path) -> Vec<String> {
    let mut arguments = vec![FOLDING.to_owned(), PACKED.to_owned()];
    if env::var("DEBUG").is_ok_and(|debug| debug == "false") {
        let script = out.join("without-tables.ld");
        fs::write(&script, WITHOUT_TABLES).expect("cargo's folder can be written");
        arguments.extend(["-Wl,--no-eh-frame-hdr".to_owned(), format!("-T{}", script.display())]);
    }
    arguments
}

/// Whether the linker accepts these arguments and its output runs here. LLD, which Rust ships for Linux, accepts all of them.
fn links_with(arguments: &[String], out: &Path) -> bool {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let mut compiler = Command::new(variable("RUSTC").unwrap_or_else(|| "rustc".to_owned()));
    compiler.args(["--crate-name", "probe", "--edition", "2021", "-", "-Cpanic=abort", "-o"]);
    compiler.arg(out.join("probe")).args(variable("TARGET").iter().flat_map(|target| ["--target", target]));
    compiler.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    compiler.args(variable("RUSTC_LINKER").map(|linker| format!("-Clinker={linker}")));
    compiler.args(variable("CARGO_ENCODED_RUSTFLAGS").iter().flat_map(|flags| flags.split('\u{1f}')));
    let child = compiler.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let is_linked = child.is_ok_and(|mut child| {
        let written = child.stdin.take().map(|mut source| source.write_all(b"fn main() {}"));
        child.wait().is_ok_and(|status| status.success()) && matches!(written, Some(Ok(())))
    });
    let runs = || Command::new(out.join("probe")).status().is_ok_and(|status| status.success());
    is_linked && (variable("HOST") != variable("TARGET") || runs())
}
