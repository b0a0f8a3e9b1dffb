//! A daemon without anything that identifies its launch. A separate test process: any other launch could have started it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tare_process::{Child, Received, Spec, Wait};

const DAEMON: &str = "env -i setsid sh -c 'sleep 600 & echo $! >&4; exit' </dev/null >/dev/null 2>&1";

fn start(script: &str) -> Child {
    let args = vec!["-c".into(), script.into()];
    Child::start(&Spec { program: "/bin/sh".into(), args, link: true, ..Spec::default() }).expect("sh starts")
}

fn daemon(child: &mut Child) -> String {
    match child.receive(&mut |_| Wait::Go) {
        Received::Line(line) => String::from_utf8(line).expect("a number"),
        other => panic!("{other:?}"),
    }
}

fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

#[test]
fn it_ends_with_the_last_launch_and_nobody_else_does() {
    let mut own = Command::new("sleep").arg("601").spawn().expect("sleep starts");
    let mut first = start(&format!("{DAEMON}; sleep 600"));
    let pid = daemon(&mut first);
    let second = start("sleep 600");
    // Either launch could have started it.
    drop(first);
    assert!(lives(&pid));
    drop(second);
    let begin = Instant::now();
    while lives(&pid) && begin.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!lives(&pid));
    assert!(lives(&own.id().to_string()), "what the host started otherwise is not touched");
    own.kill().expect("killed");
    own.wait().expect("reaped");
}
