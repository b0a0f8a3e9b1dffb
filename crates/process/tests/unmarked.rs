//! A grandchild without a mark. A separate test process: a launch of another test could end it first.

use std::time::{Duration, Instant};
use tare_process::{Child, Received, Spec, Tick, Wait};

fn start(script: &str) -> Child {
    let args = vec!["-c".into(), script.into()];
    Child::start(&Spec { program: "/bin/sh".into(), args, link: true, ..Spec::default() }).expect("sh starts")
}

/// Fails the test instead of hanging.
fn line(child: &mut Child) -> String {
    match child.receive(&mut |tick: Tick| if tick.waited < Duration::from_secs(60) { Wait::Go } else { Wait::Stop }) {
        Received::Line(line) => String::from_utf8(line).expect("a number"),
        other => panic!("no line but {other:?}"),
    }
}

/// Without its environment a grandchild has no mark. It is found by its output, or because nothing else can have started it.
#[test]
fn a_grandchild_without_environment_in_a_session_of_its_own_is_found() {
    let mut child = start("env -i setsid sh -c 'echo $$ >&4; exec sleep 340' & wait");
    let grandchild = line(&mut child);
    child.kill();
    assert_eq!((child.strays(), child.kill_strays()), (1, 1));
    // On a busy machine a killed process takes a while to disappear; then the search for strays reaps it.
    let path = std::path::Path::new("/proc").join(&grandchild);
    let begin = Instant::now();
    while (child.strays() > 0 || path.exists()) && begin.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.strays() == 0 && !path.exists(), "{grandchild} is reaped");
    let mut other = start("env -i setsid sh -c 'echo $$ >&4; exec sleep 350' & wait");
    line(&mut other);
    other.kill();
    assert_eq!(child.strays(), 0, "that of another launch is none of this one");
}
