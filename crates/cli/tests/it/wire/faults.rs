//! What is stopped, finds no room or answers at random: a few of the faults of `bench/faults`, which has them by the thousand.

use crate::support::{children, err, have, long, out, skip, Place, ROOT, SHORT};
use std::path::Path;

/// Runs `bench/faults` with the host of these tests.
fn faults(name: &str, short: &[&str], all: &[&str]) {
    if !have("python3") || !cfg!(target_os = "linux") {
        return skip(name, "it needs Linux and `python3`");
    }
    let place = Place::new(name);
    let script = Path::new(ROOT).join("bench/faults");
    let words = if long() { all } else { short };
    let mut command = place.other(script.to_str().expect("UTF-8"));
    command.args(words).arg("--built").arg(children()).env("TARE_BENCH_HOST", env!("CARGO_BIN_EXE_tare"));
    let output = command.output().expect("python3 runs");
    assert!(output.status.success(), "bench/faults {}\n{}{}", words.join(" "), out(&output), err(&output));
    println!("{}", out(&output));
}

#[test]
fn a_disk_that_is_full_at_any_write_loses_nothing() {
    faults("no-room", &["disk", "--of", "run,merge", "--sample", "1"], &["disk", "--of", "run,compare,history,merge"]);
}

#[test]
fn a_child_that_answers_at_random_is_one_named_failure() {
    faults("random-child", &["children", "300", "--most", "5"], &["children", "3600"]);
}

/// What depends on the moment, and what runs other commands: builds of old commits, and jobs on nodes, which fill the same disk.
#[test]
fn faults_at_any_moment_lose_nothing() {
    if !long() {
        return skip("faults at random moments", "TARE_TEST_LONG=1 has them");
    }
    for words in [&["kills", "300"][..], &["disk", "--of", "bisect,slurm"], &["clock", "20"]] {
        faults("moments", words, words);
    }
}

/// Two benchmarks that make a file each and remove it; the body of one throws.
const LEAVES: &str = r#"
import os
import tare


@tare.bench(group="g", baseline=True)
def fine():
    name = f"made-{os.getpid()}"
    open(name, "w").close()
    yield lambda: 1
    os.remove(name)


@tare.bench(group="g")
def throws():
    name = f"made-{os.getpid()}"
    open(name, "w").close()
    yield lambda: 1 // 0
    os.remove(name)
"#;

#[test]
fn what_a_set_up_made_is_cleaned_up_after_a_failure_too() {
    if !have("python3") {
        return skip("the clean-up after a failure", "no python3");
    }
    let place = Place::new("clean-up");
    place.write("leaves.py", LEAVES);
    let screen = place.ends_with(100, ["run", "leaves.py"].iter().chain(&SHORT));
    assert!(screen.contains("threw ZeroDivisionError"), "{screen}");
    let made = std::fs::read_dir(place.join(".")).expect("a folder").filter_map(Result::ok);
    let left: Vec<_> = made.map(|e| e.file_name()).filter(|n| n.to_string_lossy().starts_with("made-")).collect();
    assert!(left.is_empty(), "{left:?}");
}
