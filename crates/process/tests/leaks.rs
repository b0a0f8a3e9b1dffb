//! Leaks of a host that runs for hours. A separate test process, because it counts its own resources.

use std::time::{Duration, Instant};
use tare_process::{Child, Received, Spec, Wait};

/// On a busy machine a killed process may outlive a launch's wait for it; a leak shows every time.
const TRIES: u32 = 4;

/// `./test all` uses more.
fn launches() -> u32 {
    if std::env::var_os("TARE_TEST_LONG").is_some() {
        200
    } else {
        32
    }
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("Linux").count()
}

/// Children of this process in any state, zombies too.
fn children() -> usize {
    let me = format!(" {} ", std::process::id());
    let stats = std::fs::read_dir("/proc").expect("Linux").flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        std::fs::read_to_string(entry.path().join("stat")).ok()
    });
    stats.filter(|stat| stat[stat.rfind(')').unwrap_or(0) + 3..].starts_with(me.trim_start())).count()
}

#[test]
fn nothing_is_left_after_many_launches() {
    // Touched memory, whose page tables a copying start would have to copy.
    let ballast = vec![1u8; 1 << 30];
    let left = (0..TRIES).map(|_| left_by_launches()).find(|(before, after)| before == after);
    assert!(left.is_some(), "each {} launches leave files or processes", launches());
    let (files, processes) = (open_files(), children());
    assert!(Child::start(&Spec { program: "/no/such".into(), link: true, ..Spec::default() }).is_err());
    assert!(Child::start(&Spec { program: "/etc/passwd".into(), link: true, ..Spec::default() }).is_err());
    assert_eq!((open_files(), children()), (files, processes));
    drop(ballast);
    round_trip(&spec("while read -r line <&3; do echo $line >&4; done"));
}

fn spec(script: &str) -> Spec {
    Spec { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()], link: true, ..Spec::default() }
}

/// Open files and processes before and after many launches.
fn left_by_launches() -> ([usize; 2], [usize; 2]) {
    let before = [open_files(), children()];
    let mut starts = Vec::new();
    for number in 0..launches() {
        let script = match number % 4 {
            0 => "read -r line <&3; echo $line >&4",
            1 => "sleep 600 & exit 3",
            2 => "echo out; kill -9 $$",
            _ => "sleep 600",
        };
        let begin = Instant::now();
        let mut child = Child::start(&spec(script)).expect("sh starts");
        starts.push(begin.elapsed());
        match number % 4 {
            0 => {
                assert!(child.resident_bytes().is_some());
                child.send(b"hi\n").expect("it reads");
                assert!(matches!(child.receive(&mut |_| Wait::Go), Received::Line(line) if line == b"hi"));
            }
            1 => assert!(matches!(child.receive(&mut |_| Wait::Go), Received::End)),
            2 => drop(child.wait_timeout(Duration::from_secs(300)).expect("it ends")),
            _ => {}
        }
    }
    starts.sort();
    println!("start from a host of 1 GiB: median {:?}, worst {:?}", starts[starts.len() / 2], starts[starts.len() - 1]);
    (before, [open_files(), children()])
}

/// Printed, but not checked: the machine may be busy.
fn round_trip(spec: &Spec) {
    let mut child = Child::start(spec).expect("sh starts");
    let mut times = Vec::new();
    for _ in 0..400 {
        let begin = Instant::now();
        child.send(b"ping\n").expect("it reads");
        assert!(matches!(child.receive(&mut |_| Wait::Go), Received::Line(_)));
        times.push(begin.elapsed());
    }
    times.sort();
    println!("round trip to a shell: median {:?}, 99 % {:?}", times[200], times[396]);
}
