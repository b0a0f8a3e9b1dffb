//! Embeds the front ends, so that one `tare` program can build a benchmark anywhere.
//!
//! If the front end of a language is in `frontends/`, `front-end.txt` in the folder of the language lists the files to embed. For each
//! language, their texts are compressed, since plain they would be a tenth of the program, and written with an expression that unpacks them
//! (`src/embedded.rs`). They are copied now, so that moving a file during the build breaks nothing; every folder and file is watched.

use miniz_oxide::deflate::compress_to_vec;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The compressor's highest level.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let languages = root.join("src/languages");
    println!("cargo:rerun-if-changed={}", languages.display());
    for language in fs::read_dir(languages)? {
        let language = language?.path();
        let list = language.join("front-end.txt");
        if list.is_file() {
            println!("cargo:rerun-if-changed={}", list.display());
            let name = language.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (files, texts) = embedded(&fs::read_to_string(list)?, &repository(&root))?;
            fs::write(out.join(format!("{name}.packed")), compress_to_vec(texts.as_bytes(), LEVEL))?;
            let packed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.packed\"))");
            fs::write(out.join(format!("{name}.rs")), format!("crate::embedded::unpacked({packed}, &[\n{files}])"))?;
        }
    }
    Ok(())
}

/// The root of the repository; in the published crate, the folder with the repository's files that it needs (`packaging/crates.py`).
fn repository(root: &Path) -> PathBuf {
    let outside = root.join("outside");
    if outside.is_dir() {
        outside
    } else {
        root.join("../..")
    }
}

/// When packing a crate, cargo leaves out folders with a `Cargo.toml`, so such files get a longer name there.
const NESTED: &str = ".nested";

/// The files on a list: their sorted paths, relative to the folder in its first line, with their lengths; and their texts.
fn embedded(list: &str, root: &Path) -> io::Result<(String, String)> {
    let mut lines = list.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let base = root.join(lines.next().unwrap_or_default());
    let mut files = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let path = base.join(words.next().unwrap_or_default());
        let endings: Vec<&str> = words.collect();
        match endings.is_empty() {
            true if path.is_file() => files.push(path),
            true => files.push(PathBuf::from(format!("{}{NESTED}", path.display()))),
            false => collect(&path, &endings, &mut files)?,
        }
    }
    files.sort();
    let (mut lengths, mut texts) = (String::new(), String::new());
    for file in files {
        let short = without_nested(file.strip_prefix(&base).map_err(io::Error::other)?);
        println!("cargo:rerun-if-changed={}", file.display());
        let content = fs::read_to_string(&file)?;
        let _ = writeln!(lengths, "    ({:?}, {}),", short.display().to_string(), content.len());
        texts += &content;
    }
    Ok((lengths, texts))
}

fn without_nested(path: &Path) -> PathBuf {
    let name = path.display().to_string();
    PathBuf::from(name.strip_suffix(NESTED).unwrap_or(&name))
}

/// Source files that a build needs, without tests and build output.
fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
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
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if without_nested(&path).extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
        {
            files.push(path);
        }
    }
    Ok(())
}
