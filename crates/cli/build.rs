//! Gathers `docs/findings/*.md`, one page a finding's code, into the table that `tare help CODE` looks in. The pages are
//! written beside the findings; a list of their names by hand would be forgotten.
//!
//! And asks the linker of a release to keep equal functions once, where it can.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// The index of the folder is no finding.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "md") && path.file_stem().is_some_and(|name| name != "README")
}

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&root).join("../../docs/findings");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut pages: Vec<_> = entries.map(|e| e.path()).filter(|p| is_page(p)).collect();
    pages.sort();
    let mut table = String::from("pub const FINDINGS: &[(&str, &str)] = &[\n");
    for page in pages {
        let code = page.file_stem().unwrap_or_default().to_string_lossy();
        let page = page.canonicalize().expect("it was just listed");
        // Debug formatting of a string is a Rust string literal.
        writeln!(table, "    ({code:?}, include_str!({:?})),", page.to_string_lossy()).expect("memory");
    }
    table.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("findings.rs"), table).expect("cargo's folder can be written");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && links_with(FOLDING, Path::new(&out)) {
        println!("cargo::rustc-link-arg-bins={FOLDING}");
    }
}

/// Of the same generic function for similar types, and of the same function in several crates, one is kept. It is a tenth of the program.
const FOLDING: &str = "-Wl,--icf=all";

/// Whether the linker takes this argument: LLD, which Rust brings along for Linux, mold and gold do; others do not.
fn links_with(argument: &str, out: &Path) -> bool {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let mut compiler = Command::new(variable("RUSTC").unwrap_or_else(|| "rustc".to_owned()));
    compiler.args(["--crate-name", "probe", "--edition", "2021", "-", "-C", &format!("link-arg={argument}"), "-o"]);
    compiler.arg(out.join("probe")).args(variable("TARGET").iter().flat_map(|target| ["--target", target]));
    compiler.args(variable("RUSTC_LINKER").map(|linker| format!("-Clinker={linker}")));
    compiler.args(variable("CARGO_ENCODED_RUSTFLAGS").iter().flat_map(|flags| flags.split('\u{1f}')));
    let child = compiler.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.is_ok_and(|mut child| {
        let written = child.stdin.take().map(|mut source| source.write_all(b"fn main() {}"));
        child.wait().is_ok_and(|status| status.success()) && matches!(written, Some(Ok(())))
    })
}
