//! Replays every stored input and a few mutations of each.

use super::json::Random;
use super::{mutate, Target, TARGETS};
use std::fs;
use std::path::Path;

/// Approximate number of inputs to take from a related target.
const OF_OTHERS: usize = 24;

#[path = "../../../../../fixtures/kept_inputs.rs"]
mod kept_inputs;

fn kept(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in target.folders() {
        let of_folder = kept_inputs::kept_inputs(name);
        // Every form takes time, and these inputs are read elsewhere.
        let few = if name == target.name { usize::MAX } else { OF_OTHERS };
        let step = (of_folder.len() / few).max(1);
        files.extend(of_folder.into_iter().step_by(step));
    }
    assert!(!files.is_empty(), "{} has no input", target.name);
    files
}

#[test]
fn no_kept_input_panics() {
    for target in TARGETS {
        for (path, content) in kept(target) {
            // Shows the input if it panics.
            println!("{}: {path}", target.name);
            (target.body)(&content);
        }
    }
}

#[test]
fn there_are_few_kept_files() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let folders = fs::read_dir(corpus).expect("a folder").flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let sizes: Vec<u64> = files.map(|file| file.metadata().map_or(0, |data| data.len())).collect();
    assert!(sizes.len() <= 100 && sizes.iter().sum::<u64>() < 900 << 10, "{}: `fuzz/run keep`", sizes.len());
}

/// Random byte changes, like those of a fuzzer without feedback.
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
    let mut random = Random::new(seed);
    let mut below = |end: usize| random.below(end);
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

/// `TARE_FUZZ_ROUNDS` mutations per stored input; only of `TARE_FUZZ_TARGET` if it is set.
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
