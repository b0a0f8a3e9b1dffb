//! Interrupts. A separate test process, because the test interrupts itself.

use std::process::{Command, Stdio};
use std::time::Duration;
use tare_process::{install_interrupt_handler, interrupted, Child, Received, Spec, Wait};

const SECOND: &str = "TARE_TEST_SECOND";

fn sleeper() -> Child {
    let args = vec!["-c".into(), "trap '' TERM INT HUP; sleep 600 & sleep 600".into()];
    Child::start(&Spec { program: "/bin/sh".into(), args, link: true, ..Spec::default() }).expect("sh starts")
}

fn signal(name: &str, pid: u32) {
    let done = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status();
    assert!(done.expect("kill runs").success());
}

#[test]
fn first_asks_second_ends() {
    install_interrupt_handler().expect("descriptors");
    install_interrupt_handler().expect("again is no harm");
    if std::env::var_os(SECOND).is_some() {
        return be_interrupted_twice();
    }
    assert!(!interrupted());
    let mut child = sleeper();
    let me = std::process::id();
    let sender = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        signal("INT", me);
    });
    let got = child.receive(&mut |_| Wait::Go);
    assert!(matches!(got, Received::Stopped), "{got:?}");
    assert!(interrupted());
    assert!(matches!(child.receive(&mut |_| Wait::Go), Received::Stopped), "and from now on");
    sender.join().expect("it sends");

    // In another process, because it ends it.
    let this = std::env::current_exe().expect("a test has a file");
    let mut again =
        Command::new(this).args(["--nocapture"]).env(SECOND, "1").stdout(Stdio::piped()).spawn().expect("starts");
    let status = again.wait().expect("it ends");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut again.stdout.take().expect("piped"), &mut text).expect("text");
    assert_eq!(status.code(), Some(130), "{text}");
    let pid = text.lines().find_map(|l| l.split("sleeper ").nth(1)).expect("it tells");
    let is_gone = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    };
    // A killed process needs a moment to go.
    while !is_gone() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn be_interrupted_twice() {
    let child = sleeper();
    println!("sleeper {}", child.pid());
    signal("TERM", std::process::id());
    while !interrupted() {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal("INT", std::process::id());
    std::thread::sleep(Duration::from_secs(300));
}
