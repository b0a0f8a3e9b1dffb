//! What fuzzing calls: what programs, kernels and runtimes wrote, as any bytes. Nothing may panic.

use crate::{external, instructions, profile, remarks};

/// The first byte says what the rest is.
pub fn read(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    match kind % 6 {
        0 => profile::fuzz::names(&text),
        1 => profile::fuzz::mappings(&text),
        2 => profile::fuzz::module(rest),
        3 => rest.split(|byte| *byte == b'\n').for_each(|line| drop(external::heard(line))),
        4 => drop(instructions::counts(&text)),
        _ => text.lines().for_each(|line| drop(remarks::remark(line))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    const BETWEEN: &[u8] = b"\n--- next input ---\n";

    #[test]
    fn no_kept_input_panics() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/diagnose");
        let files: Vec<_> = fs::read_dir(&folder).expect("kept inputs").flatten().collect();
        assert!(!files.is_empty());
        for file in files {
            println!("{}", file.path().display());
            let content = fs::read(file.path()).expect("a kept input");
            // As `fuzz/run keep` writes several to one file.
            let mut rest = &content[..];
            while let Some(at) = rest.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
                super::read(&rest[..at]);
                rest = &rest[at + BETWEEN.len()..];
            }
            super::read(rest);
        }
    }
}
