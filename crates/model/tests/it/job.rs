//! Jobs as they are shown and told apart.

use tare_model::{Job, PolicyOverlay};

#[test]
fn settings_are_shown_as_they_are_written() {
    let toolchain = [("c++".to_owned(), "clang++-14".to_owned()), ("c".to_owned(), "clang-14".to_owned())].into();
    let job = Job {
        toolchain,
        flags: vec!["-O3".into(), "-DX".into()],
        processors: vec![0, 1, 2, 5],
        nice: Some(5),
        preload: Some("/lib/x.so".into()),
        policy: PolicyOverlay { warmup_ns: Some(5e6), ..PolicyOverlay::default() },
        ..Job::default()
    };
    let shown: Vec<String> = job.settings().iter().map(|s| format!("{}={}", s.name, s.value)).collect();
    assert_eq!(shown, ["compiler=clang++-14", "flags=-O3 -DX", "cpus=0-2,5", "nice=5", "warm-up=5ms"]);
    assert!(job.builds_like(&Job { nice: None, ..job.clone() }));
    assert!(!job.builds_like(&Job { linker: Some("lld".into()), ..job.clone() }));
}
