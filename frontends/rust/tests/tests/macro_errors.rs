//! Mistakes in `#[tare::bench]`: in each file in `compile-fail/`, `//~ TEXT` is the error expected at its line. Other errors
//! fail the test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the library and returns its path.
fn library() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--package", "tare", "--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let path = text.split('"').find(|word| word.contains("/libtare-") || word.ends_with("/libtare.rlib"));
    PathBuf::from(path.expect("cargo says where the library is"))
}

fn check(library: &Path, file: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(file).unwrap();
    let folder = library.parent().unwrap();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "--edition",
            "2021",
            "--error-format",
            "short",
            "--emit",
            "metadata",
            "--crate-type",
            "lib",
            "-A",
            "warnings",
        ])
        .arg("-o")
        .arg(std::env::temp_dir().join(format!("tare-compile-fail-{}", std::process::id())))
        .arg("--extern")
        .arg(format!("tare={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", folder.display()))
        .arg("-L")
        .arg(format!("dependency={}", folder.join("deps").display()))
        .arg(file)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors: Vec<&str> =
        errors.lines().filter(|line| line.contains(": error") && !line.contains("aborting due to")).collect();
    let mut wanted = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let Some((_, text)) = line.split_once("//~ ") else { continue };
        let place = format!("{}:{}:", file.display(), number + 1);
        if !errors.iter().any(|error| error.starts_with(&place) && error.contains(text)) {
            return Err(format!("{}:{}: no error with `{text}` in {errors:#?}", file.display(), number + 1));
        }
        wanted.push((place, text));
    }
    // The compiler may repeat an error for each place where the macro used a token.
    let expected = |error: &&str| wanted.iter().any(|(place, text)| error.starts_with(place) && error.contains(text));
    if wanted.is_empty() || !errors.iter().all(expected) {
        return Err(format!("{}: {wanted:?} wanted, these are there: {errors:#?}", file.display()));
    }
    Ok(())
}

#[test]
fn mistakes_are_told_at_their_place() {
    let library = library();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile-fail");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let failures: Vec<String> = files.iter().filter_map(|file| check(&library, file).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
