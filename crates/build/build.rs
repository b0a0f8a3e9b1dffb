//! Embeds the C, C++, Rust and C# front ends, so that one `tare` program can build a benchmark anywhere.
//!
//! Writes `embedded.rs` with lists of (path, content): the headers, the Rust crates, the C# sources. The texts are copied now, so that a
//! file that is moved a moment later breaks nothing; every folder and file is watched. They are compressed: plain they would be more than
//! a tenth of the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../frontends");
    let mut text = String::new();
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    text += &list(&out, "CPP_HEADERS", &root.join("cpp"), &["include"])?;
    text += &list(&out, "RUST_CRATES", &root.join("rust"), &["tare", "tare-macros"])?;
    text += &list(&out, "CSHARP_SOURCES", &root.join("csharp"), &["Tare", "BenchmarkDotNet", "Project"])?;
    fs::write(out.join("embedded.rs"), text)
}

/// One list: the files below the folders of `base`, by their path from `base`, sorted. Their texts are in a compressed file of its name.
fn list(out: &Path, name: &str, base: &Path, folders: &[&str]) -> io::Result<String> {
    const LEVEL: u8 = 9;
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
    let (mut lengths, mut texts) = (String::new(), String::new());
    for file in files {
        let short = file.strip_prefix(base).map_err(io::Error::other)?;
        println!("cargo:rerun-if-changed={}", file.display());
        let content = fs::read_to_string(&file)?;
        let _ = writeln!(lengths, "    ({:?}, {}),", short.display().to_string(), content.len());
        texts += &content;
    }
    let packed = miniz_oxide::deflate::compress_to_vec(texts.as_bytes(), LEVEL);
    fs::write(out.join(name), packed)?;
    let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
    Ok(format!("pub(crate) static {name}: Files = Files::new(|| unpacked({bytes}, &[\n{lengths}]));\n"))
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
