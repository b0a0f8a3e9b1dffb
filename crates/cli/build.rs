//! Gathers `docs/findings/*.md`, one page a finding's code, into the table that `tare help CODE` looks in. The pages are
//! written beside the findings; a list of their names by hand would be forgotten.

use std::fmt::Write;
use std::path::Path;
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
}
