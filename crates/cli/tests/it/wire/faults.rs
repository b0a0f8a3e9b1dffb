//! What is stopped, finds no room or answers at random: a few of the faults of `bench/faults`, which has them by the thousand.

use crate::support::{children, err, have, long, out, skip, Place, ROOT};
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
fn what_is_killed_at_any_moment_loses_nothing() {
    faults("killed-commands", &["kills", "3", "--of", "compare,history,merge"], &["kills", "300"]);
}

#[test]
fn a_disk_that_is_full_at_any_write_loses_nothing() {
    faults("no-room", &["disk", "--of", "run,merge", "--sample", "4"], &["disk", "--of", "run,compare,history,merge"]);
}

/// What runs other commands: builds of old commits, and jobs on nodes, which fill the same disk.
#[test]
fn a_disk_that_is_full_under_several_processes_loses_nothing() {
    faults("no-room-beside", &["disk", "--of", "bisect,slurm", "--sample", "1"], &["disk", "--of", "bisect,slurm"]);
}

#[test]
fn a_child_that_answers_at_random_is_one_named_failure() {
    faults("random-child", &["children", "300", "--most", "10"], &["children", "3600"]);
}

#[test]
fn a_clock_that_jumps_loses_nothing() {
    faults("jumping-clock", &["clock", "1"], &["clock", "20"]);
}
