//! Every input that was kept, and a few that are like it.

use super::{mutate, Target, TARGETS};
use std::fs;
use std::path::Path;

/// The kept inputs of a target with their paths.
fn kept(target: &Target) -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut files = Vec::new();
    for folder in target.folders().map(|name| corpus.join(name)).filter(|folder| folder.is_dir()) {
        let entries = fs::read_dir(&folder).expect("a folder").flatten();
        files.extend(entries.map(|entry| {
            (entry.path().display().to_string(), fs::read(entry.path()).expect("a kept input"))
        }));
    }
    assert!(!files.is_empty(), "{} has no input", target.name);
    files.sort();
    files
}

#[test]
fn no_kept_input_panics() {
    for target in TARGETS {
        for (path, content) in kept(target) {
            // The name of the input, when it panics.
            println!("{}: {path}", target.name);
            (target.body)(&content);
        }
    }
}

#[test]
fn there_are_few_kept_inputs() {
    let bytes: usize = TARGETS.iter().filter(|t| t.like.is_none()).flat_map(kept).map(|(_, content)| content.len()).sum();
    assert!(bytes < 900 << 10, "{bytes} bytes: `fuzz/run keep`");
}

/// Changes bytes as a fuzzer does that does not know where they lead.
fn changed(input: &[u8], seed: u32) -> Vec<u8> {
    let mut data = input.to_vec();
    data.resize(input.len() + 4096, 0);
    if seed % 2 == 0 {
        if let Some(size) = mutate(&mut data, input.len(), seed) {
            data.truncate(size);
            return data;
        }
    }
    data.truncate(input.len());
    let mut state = u64::from(seed) << 20 | 0x5bd1;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % end.max(1) as u64) as usize
    };
    for _ in 0..=below(4) {
        let (from, length) = (below(data.len()), 1 + below(16));
        let to = (from + length).min(data.len());
        match below(5) {
            0 if !data.is_empty() => data[from] ^= 1 << below(8),
            1 => drop(data.drain(from..to)),
            2 => {
                let copy = data[from..to].to_vec();
                data.splice(from..from, copy);
            }
            3 => data.truncate(from),
            _ if !data.is_empty() => data[from] = *b"\0\xff9-\"{[\n".get(below(8)).unwrap_or(&0),
            _ => {}
        }
    }
    data
}

/// As many as TARE_FUZZ_ROUNDS says for each kept input; of `TARE_FUZZ_TARGET` alone where that is set.
#[test]
fn no_changed_input_panics() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (rounds, first): (u32, u32) = (number("TARE_FUZZ_ROUNDS").unwrap_or(1), number("TARE_FUZZ_SEED").unwrap_or(1));
    let only = std::env::var("TARE_FUZZ_TARGET").ok();
    for target in TARGETS.iter().filter(|target| only.as_ref().is_none_or(|name| name == target.name)) {
        let mut calls = 0_u64;
        for (at, (path, content)) in kept(target).iter().enumerate() {
            for seed in first..first.saturating_add(rounds) {
                let input = changed(content, seed.wrapping_mul(7919).wrapping_add(at as u32));
                let body = std::panic::AssertUnwindSafe(|| (target.body)(&input));
                if std::panic::catch_unwind(body).is_err() {
                    let place = std::env::temp_dir().join(format!("tare-fuzz-{}-{seed}-{at}", target.name));
                    fs::write(&place, &input).expect("written");
                    panic!("{} panics on {path} as TARE_FUZZ_SEED={seed} changes it: {}", target.name, place.display());
                }
                calls += 1;
            }
        }
        println!("{}: {calls} calls", target.name);
    }
}
