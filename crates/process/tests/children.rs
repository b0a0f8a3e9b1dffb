//! Children of many kinds, made with `/bin/sh`.

use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tare_process::{
    available_memory_bytes, poll_any, Child, ExitStatusKind, Limits, Received, Spec, StartError, Tick, Wait,
    LINE_BYTES_MAX,
};

/// Longest wait for events that come soon; shorter than the children here sleep.
const PATIENCE: Duration = Duration::from_secs(120);

/// Polls until the condition holds; false on timeout.
fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !is_so() {
        if begin.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

fn shell(script: &str) -> Spec {
    Spec { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()], link: true, ..Spec::default() }
}

fn start(script: &str) -> Child {
    Child::start(&shell(script)).expect("sh starts")
}

/// Fails the test instead of hanging.
fn receive(child: &mut Child) -> Received {
    child.receive(&mut |tick: Tick| if tick.waited < PATIENCE { Wait::Go } else { Wait::Stop })
}

fn line(child: &mut Child) -> String {
    match receive(child) {
        Received::Line(line) => String::from_utf8(line).expect("text"),
        other => panic!("no line but {other:?}; output: {:?}", String::from_utf8_lossy(&child.output_tail(500))),
    }
}

fn end(child: &mut Child) -> ExitStatusKind {
    child.wait_timeout(PATIENCE).expect("it ends").status
}

#[test]
fn exit_codes_and_signals() {
    for code in [0, 1, 42, 255] {
        let mut child = start(&format!("exit {code}"));
        assert!(matches!(receive(&mut child), Received::End));
        assert_eq!(end(&mut child), ExitStatusKind::Code(code));
        assert_eq!(child.try_wait().map(|e| e.status), Some(ExitStatusKind::Code(code)), "reported again");
    }
    for signal in [libc_signal("SEGV"), libc_signal("ABRT"), libc_signal("KILL"), libc_signal("TERM")] {
        let mut child = start(&format!("kill -{signal} $$"));
        assert_eq!(end(&mut child), ExitStatusKind::Signal(signal));
    }
}

fn libc_signal(name: &str) -> i32 {
    (1..32).find(|n| tare_process::signal_name(*n) == format!("SIG{name}")).expect("a signal")
}

#[test]
fn lines_go_both_ways() {
    let mut child = start("while read -r a b <&3; do echo \"$b $a\" >&4; done; echo end >&4");
    for _ in 0..3 {
        child.send(b"one two\n").expect("the child reads");
        assert_eq!(line(&mut child), "two one");
    }
    child.send(b"1 2\n3 4\n").expect("the child reads");
    assert_eq!((line(&mut child), line(&mut child)), ("2 1".to_owned(), "4 3".to_owned()));
}

#[test]
fn environment_directory_and_signals_are_clean() {
    let mut spec = shell("echo \"$TARE_X ${HOME-none} $PWD $TARE_LINK\"; trap; ls /proc/self/fd | tr '\\n' ' '; cat");
    spec.directory = "/usr".into();
    spec.environment = vec![("TARE_X".into(), Some("x".into())), ("HOME".into(), None)];
    let mut child = Child::start(&spec).expect("sh starts");
    assert_eq!(end(&mut child), ExitStatusKind::Code(0), "standard input is empty");
    let printed = String::from_utf8(child.output_tail(1000)).expect("text");
    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some("x none /usr fd:3,4"));
    assert_eq!(lines.next().map(str::trim), Some("0 1 2 3 4 5"), "5 is of ls itself");
    assert_eq!(child.output_bytes(), printed.len() as u64);
}

#[test]
fn both_outputs_are_in_order_and_the_tail_is_theirs() {
    let mut child = start("for i in 1 2 3; do echo out $i; echo err $i >&2; done; sh -c 'echo other'");
    end(&mut child);
    assert_eq!(child.output_tail(1000), b"out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nother\n");
    assert_eq!(child.output_tail(6), b"other\n");
    assert_eq!(child.output_tail(0), b"");
}

#[test]
fn what_cannot_start_says_why() {
    let failed = |program: &str, directory: &str| {
        let spec = Spec { program: program.into(), directory: directory.into(), link: true, ..Spec::default() };
        Child::start(&spec).map(drop).expect_err("must not start")
    };
    assert_eq!(failed("/no/such", "").to_string(), "program /no/such not found");
    assert_eq!(failed("no-such-tare", "").to_string(), "program no-such-tare not found");
    assert_eq!(
        failed("/etc/passwd", "").to_string(),
        "/etc/passwd cannot be executed: Permission denied (os error 13)"
    );
    assert!(matches!(failed("sh", "/no/such"), StartError::Directory { .. }));
    assert!(failed("/", "").to_string().starts_with("/ cannot be executed"));
}

#[test]
fn half_a_line_and_a_stall_is_the_callbacks_affair() {
    // Stalls until it is signalled, so that the order does not depend on speed.
    let mut child = start("go=; trap go=1 USR1; printf half >&4; until [ $go ]; do sleep 0.02; done; echo ' whole' >&4; printf rest >&4; sleep 300");
    let pid = child.pid().to_string();
    let mut ticks = Vec::new();
    let got = child.receive(&mut |tick| {
        ticks.push(tick.waited);
        let _ = std::process::Command::new("kill").args(["-USR1", &pid]).status();
        Wait::Go
    });
    assert!(matches!(got, Received::Line(line) if line == b"half whole"));
    assert!(!ticks.is_empty() && ticks[0] >= Duration::from_millis(100), "{ticks:?}");
    let got = child.receive(&mut |_| Wait::Stop);
    assert!(matches!(got, Received::Stopped));
    assert_eq!(child.partial(), b"rest");
}

#[test]
fn half_a_line_and_the_end_is_the_end() {
    let mut child = start("echo one >&4; printf '{\"reply\":' >&4; exit 3");
    assert_eq!(line(&mut child), "one");
    assert!(matches!(receive(&mut child), Received::End));
    assert_eq!(child.partial(), b"{\"reply\":");
    assert_eq!(end(&mut child), ExitStatusKind::Code(3));
}

#[test]
fn an_heir_of_the_link_does_not_hide_the_end() {
    // The process that inherits the link outlives the wait of `receive`, so the end is not its own.
    let mut child = start("sleep 300 & echo gone >&4; exit 0");
    assert_eq!(line(&mut child), "gone");
    assert!(matches!(receive(&mut child), Received::End));
}

#[test]
fn a_closed_link_is_an_error_value() {
    let mut child = start("exec 3<&- 4>&-; sleep 300");
    assert!(matches!(receive(&mut child), Received::End));
    // A process that another test is starting may hold the reading end until it executes its program.
    let start = std::time::Instant::now();
    let error = loop {
        match child.send(b"hello 1\n") {
            Err(error) => break error,
            Ok(()) => assert!(start.elapsed() < PATIENCE, "nobody reads"),
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    assert_eq!(child.try_wait(), None, "it still runs");
    assert_eq!(child.kill().status, ExitStatusKind::Signal(9));
}

#[test]
fn hanging_up_is_seen_by_the_child() {
    let mut child = start("while read -r x <&3; do echo $x >&4; done; echo over >&4; exit 7");
    child.send(b"one\n").expect("it reads");
    assert_eq!(line(&mut child), "one");
    child.hang_up();
    assert_eq!(line(&mut child), "over");
    assert_eq!(end(&mut child), ExitStatusKind::Code(7));
    assert_eq!(child.send(b"two\n").expect_err("hung up").kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn unread_requests_never_block() {
    let mut child = start("sleep 300");
    let error = (0..10_000).find_map(|_| child.send(&[b'x'; 100]).err()).expect("a pipe is finite");
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn a_line_without_end_is_too_long() {
    let mut child = start("tr '\\0' x </dev/zero >&4");
    assert!(matches!(receive(&mut child), Received::TooLong));
    assert!(matches!(receive(&mut child), Received::TooLong), "and stays so");
    assert_eq!(child.partial().len(), LINE_BYTES_MAX);
}

#[test]
fn a_long_line_is_whole() {
    let mut child = start("head -c 9000000 /dev/zero | tr '\\0' y >&4; echo >&4; echo after >&4");
    assert_eq!(line(&mut child).len(), 9_000_000);
    assert_eq!(line(&mut child), "after");
}

#[test]
fn a_flood_blocks_nobody_and_takes_little_memory() {
    const BYTES: u64 = 400_000_000;
    let before = available_memory_bytes().expect("known on Linux");
    let mut child = start(&format!("head -c {BYTES} /dev/zero | tr '\\0' z; echo last; echo done >&4; sleep 300"));
    let mut least = before;
    let got = child.receive(&mut |_| {
        least = least.min(available_memory_bytes().unwrap_or(0));
        Wait::Go
    });
    assert!(matches!(got, Received::Line(line) if line == b"done"));
    assert_eq!(child.output_bytes(), BYTES + 5);
    assert!(child.output_tail(8).ends_with(b"zzlast\n"));
    println!("a flood of 400 MB took at most {} MB", (before - least.min(before)) / 1_000_000);
}

#[test]
fn kill_takes_the_whole_group() {
    let mut child = start("trap '' TERM; (trap '' TERM; sleep 300) & sleep 300 & echo $! >&4; wait");
    let grandchild = line(&mut child);
    assert_eq!(child.kill().status, ExitStatusKind::Signal(9));
    // On a busy machine a killed process takes a while to disappear; then the search for strays reaps it.
    let path = std::path::Path::new("/proc").join(&grandchild);
    assert!(eventually(|| child.strays() == 0 && !path.exists()), "{grandchild} is reaped");
}

#[test]
fn strays_are_found_wherever_they_hide() {
    let mut child = start("sleep 300 & setsid sleep 301 & setsid sh -c 'sleep 302 & sleep 303 & wait' & echo ok >&4");
    assert_eq!(line(&mut child), "ok");
    assert_eq!(end(&mut child), ExitStatusKind::Code(0));
    let other = start("sleep 300");
    // They need a moment to start.
    assert!(eventually(|| child.strays() == 5));
    assert_eq!(child.kill_strays(), 5);
    assert_eq!((child.strays(), child.kill_strays()), (0, 0));
    assert!(other.pid() > 0 && other.resident_bytes().is_some(), "the other launch lives");
}

/// A daemon leaves its session, group, parent and output; only its mark remains.
#[test]
fn a_daemon_that_was_left_to_the_host_is_ended_with_all_that_it_started_and_nobody_else_is() {
    const DAEMON: &str = "(setsid sh -c 'sleep 604 & sleep 605 & echo $$ >&4; wait' </dev/null >/dev/null 2>&1 &)";
    let mut own =
        Command::new("sleep").arg("606").stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("sleep starts");
    let mut other = start(&format!("{DAEMON}; sleep 300"));
    let of_other = line(&mut other);
    let mut child = start(&format!("{DAEMON}; read -r go <&3"));
    let daemon = line(&mut child);
    child.send(b"go\n").expect("it reads");
    assert_eq!(end(&mut child), ExitStatusKind::Code(0));
    let parent = format!(") S {} ", std::process::id());
    let stat = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(eventually(|| stat(&daemon).contains(&parent)), "the host is its parent: {}", stat(&daemon));
    assert!(eventually(|| child.strays() == 3));
    assert_eq!(child.kill_strays(), 3);
    let lives = |pid: &str| !stat(pid).is_empty() && !stat(pid).contains(") Z ");
    assert!(!lives(&daemon) && lives(&of_other) && lives(&own.id().to_string()));
    drop(other);
    assert!(eventually(|| !lives(&of_other)) && lives(&own.id().to_string()));
    own.kill().expect("killed");
    own.wait().expect("reaped");
}

#[test]
fn dropping_kills() {
    let mut child = start("sleep 300 & echo $! >&4; wait");
    let grandchild = line(&mut child);
    let pid = child.pid().to_string();
    drop(child);
    for process in [pid, grandchild] {
        let file = std::path::Path::new("/proc").join(&process).join("stat");
        let state = || std::fs::read_to_string(&file).unwrap_or_default();
        assert!(eventually(|| state().is_empty() || state().contains(") Z ")), "{process} lives: {}", state());
    }
}

#[test]
fn memory_and_time_are_told() {
    let mut child = start("x=$(head -c 30000000 /dev/zero | tr '\\0' a); echo $((${#x})) >&4; read -r y <&3");
    assert_eq!(line(&mut child), "30000000");
    let resident = child.resident_bytes().expect("it lives");
    assert!(resident > 25_000_000, "{resident}");
    let peak = child.peak_resident_bytes().expect("it lives");
    child.send(b"go\n").expect("it reads");
    let exit = child.wait_timeout(PATIENCE).expect("it ends");
    assert!(exit.peak_memory_bytes >= Some(peak), "{exit:?} {peak}");
    assert!(exit.user_ns + exit.system_ns > 0);
    assert_eq!((child.resident_bytes(), child.peak_resident_bytes()), (None, None));
}

#[test]
fn limits_hold() {
    let mut spec = shell("ulimit -v; ulimit -c; ulimit -n; x=$(head -c 300000000 /dev/zero | tr '\\0' a); exit 0");
    spec.limits = Limits { address_space_bytes: Some(100 << 20), core_files: false };
    let mut child = Child::start(&spec).expect("sh starts");
    assert_ne!(end(&mut child), ExitStatusKind::Code(0));
    let printed = String::from_utf8_lossy(&child.output_tail(1000)).into_owned();
    assert!(printed.starts_with("102400\n0\n"), "{printed}");
}

#[test]
fn poll_any_finds_the_one_that_speaks() {
    let mut children =
        [start("sleep 300"), start("printf half >&4; sleep 300"), start("read -r go <&3; echo me >&4; sleep 300")];
    let mut all: Vec<&mut Child> = children.iter_mut().collect();
    assert_eq!(poll_any(&mut all, Duration::from_millis(50)), None);
    all[2].send(b"go\n").expect("it reads");
    assert_eq!(poll_any(&mut all, PATIENCE), Some(2));
    assert_eq!(line(&mut children[2]), "me");
    children[0].kill();
    let mut all: Vec<&mut Child> = children.iter_mut().collect();
    assert_eq!(poll_any(&mut all, PATIENCE), Some(0), "an end counts too");
    assert_eq!(poll_any(&mut [], Duration::ZERO), None);
}

#[test]
fn without_link_there_is_only_the_end() {
    let mut child = Child::start(&Spec { link: false, ..shell("echo \"${TARE_LINK-none}\"") }).expect("sh starts");
    assert!(matches!(receive(&mut child), Received::Failed(_)));
    assert_eq!(child.send(b"x\n").expect_err("no link").kind(), std::io::ErrorKind::NotConnected);
    assert_eq!(poll_any(&mut [&mut child], PATIENCE), Some(0));
    assert_eq!(end(&mut child), ExitStatusKind::Code(0));
    assert_eq!(child.output_tail(100), b"none\n");
}

#[test]
fn odd_arguments_arrive() {
    let odd = std::ffi::OsStr::from_bytes(b"a b\n\xff'\"$");
    let args = vec!["-c".into(), "printf %s \"$1\"".into(), "sh".into(), odd.to_owned()];
    let mut child = Child::start(&Spec { program: "sh".into(), args, ..Spec::default() }).expect("sh starts");
    end(&mut child);
    assert_eq!(child.output_tail(100), odd.as_bytes());
}
