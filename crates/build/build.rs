//! Embeds the C, C++, Rust and C# front ends, so that one `tare` program can build a benchmark anywhere.
//!
//! Writes `embedded.rs` with lists of (path, content): the headers, the Rust crates, the C# sources. The texts are copied now, so that a
//! file that is moved a moment later breaks nothing; every folder and file is watched.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../frontends");
    let mut text = String::new();
    list(&mut text, "CPP_HEADERS", &root.join("cpp"), &["include"])?;
    list(&mut text, "RUST_CRATES", &root.join("rust"), &["tare", "tare-macros"])?;
    list(&mut text, "CSHARP_SOURCES", &root.join("csharp"), &["Tare", "BenchmarkDotNet", "Project"])?;
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("embedded.rs"), text)
}

/// One constant: the files below the folders of `base`, by their path from `base`, sorted.
fn list(text: &mut String, name: &str, base: &Path, folders: &[&str]) -> io::Result<()> {
    let mut files = Vec::new();
    for folder in folders {
        collect(&base.join(folder), &mut files)?;
    }
    for file in ["Cargo.toml"].map(|f| base.join(f)) {
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    let _ = writeln!(text, "pub(crate) const {name}: &[(&str, &str)] = &[");
    for file in files {
        let short = file.strip_prefix(base).map_err(io::Error::other)?;
        println!("cargo:rerun-if-changed={}", file.display());
        let content = fs::read_to_string(&file)?;
        let _ = writeln!(text, "    ({:?}, {content:?}),", short.display().to_string());
    }
    text.push_str("];\n");
    Ok(())
}

/// Source files that a build needs: no tests, no build output.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.')
            || ["target", "tests", "benches", "examples", "build", "bin", "obj"].contains(&name.as_str())
        {
            continue;
        }
        let wanted = path
            .extension()
            .is_some_and(|e| ["h", "hpp", "rs", "toml", "cs", "props", "targets"].iter().any(|w| e == *w));
        if path.is_dir() {
            collect(&path, files)?;
        } else if wanted {
            files.push(path);
        }
    }
    Ok(())
}
