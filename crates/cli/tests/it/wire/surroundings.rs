//! Machines as they are: full disks, folders that cannot be written, no home, readers that go away, narrow terminals.

use crate::support::{err, have, out, reference, skip, Place, FIXED, SHORT};
use std::fs;
use std::process::{Command, Stdio};

/// Runs a shell script in a mount namespace of its own with a small disk in `$DISK`; None where that is not allowed.
fn with_small_disk(place: &Place, size: &str, script: &str) -> Option<std::process::Output> {
    let disk = place.join("disk");
    fs::create_dir_all(&disk).expect("a folder");
    let whole = format!("mount -t tmpfs -o size={size} none \"$DISK\" || exit 77\ncd \"$DISK\" || exit 77\n{script}");
    let mut command = place.other("unshare");
    command.args(["-rm", "sh", "-c", &whole]).env("DISK", &disk).env("CHILD", reference());
    let output = command.output().ok()?;
    let allowed = output.status.code() != Some(77) && !err(&output).contains("unshare:");
    allowed.then_some(output)
}

#[test]
fn a_disk_that_is_full_from_the_start() {
    let place = Place::new("full");
    let script =
        "dd if=/dev/zero of=fill bs=4096 2>/dev/null\n\"$TARE\" run \"$CHILD\" --quick --launches 1 --rounds 2";
    let Some(output) = with_small_disk(&place, "64k", script) else {
        return skip("a full disk", "no small disk can be mounted here");
    };
    let reported = err(&output);
    assert_eq!((output.status.code(), out(&output)), (Some(110), String::new()), "{reported}");
    assert!(reported.contains("error: cannot write `") && reported.contains("No space left on device"), "{reported}");
    assert!(reported.contains("hint: free disk space") && reported.contains("--no-save"), "{reported}");
}

#[test]
fn a_disk_that_gets_full_while_measuring() {
    let place = Place::new("filling");
    // Room for the first event and some more; then there is room again.
    let script = "\"$TARE\" run \"$CHILD\" --quick --rounds 16 --launches 8; echo \"ended: $?\"\n\
        test -e .tare/runs/*/run.json && echo document\n\
        mount -o remount,size=4m \"$DISK\"\n\"$TARE\" run --resume latest; echo \"ended: $?\"\n\
        \"$TARE\" runs --json";
    let Some(output) = with_small_disk(&place, "48k", script) else {
        return skip("a disk that gets full", "no small disk can be mounted here");
    };
    let (screen, reported) = (out(&output), err(&output));
    let parts: Vec<&str> = screen.split("ended: ").collect();
    assert_eq!(parts.len(), 3, "{screen}{reported}");
    assert!(parts[0].contains("strlen"), "what was measured is shown all the same: {screen}{reported}");
    assert!(parts[1].starts_with("110\n") && !parts[1].contains("document"), "{screen}{reported}");
    assert!(
        reported.contains("hint: the measurements so far are safe in `") && reported.contains("tare run --resume "),
        "{reported}"
    );
    assert!(parts[2].starts_with("0\n") && parts[2].contains("\"state\": \"finished\""), "{screen}{reported}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let place = Place::new("read-only");
    let run = "\"$TARE\" run \"$CHILD\" --quick --launches 1 --rounds 2";
    let script =
        format!("mount -o remount,ro \"$DISK\"\n{run}; echo \"code $?\"\n{run} --no-save >/dev/null; echo \"code $?\"");
    let Some(output) = with_small_disk(&place, "64k", &script) else {
        return skip("a read-only folder", "no disk can be mounted here");
    };
    let (screen, reported) = (out(&output), err(&output));
    assert_eq!(screen, "code 110\ncode 0\n", "nothing is measured that cannot be kept: {reported}");
    assert!(reported.contains("error: cannot write `") && reported.contains("Read-only file system"), "{reported}");
    assert!(reported.contains("hint: ") && reported.contains("--no-save"), "{reported}");
}

#[test]
fn a_full_standard_output_is_an_error() {
    let place = Place::new("dev-full");
    for args in [
        &["list", reference()][..],
        &["help"],
        &["--version"],
        &["run", reference(), "--quick", "--launches", "1", "--rounds", "2"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let output = place.command(args).stdout(full).output().expect("tare runs");
        let reported = err(&output);
        assert_eq!(output.status.code(), Some(110), "{args:?}: {reported}");
        assert!(reported.contains("error: cannot write the standard output\n  No space left on device"), "{reported}");
    }
}

#[test]
fn no_home_and_a_cache_that_cannot_be_made() {
    let place = Place::with_stand_in("homeless");
    place.write("a.c", "#include <tare.h>\n//bench a/b 1\n");
    let output = place.command(["run", "a.c"]).env_remove("HOME").env_remove("XDG_CACHE_HOME").output().expect("runs");
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(96), "{reported}");
    assert!(
        reported.contains("no home folder") && reported.contains("hint: set a folder: `XDG_CACHE_HOME="),
        "{reported}"
    );
    // With a place for built programs it runs; where the clock of the machine is kept is of no weight.
    let mut homeless = place.command(["run", "a.c"]);
    let output = homeless.args(SHORT).env_remove("HOME").output().expect("tare runs");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let output = place.command(["run", "a.c"]).env("XDG_CACHE_HOME", "/proc/nowhere").output().expect("tare runs");
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(96), "{reported}");
    assert!(reported.contains("/proc/nowhere") && reported.contains("hint: "), "{reported}");
    // Where the clock of the machine cannot be kept, the next run takes its own again.
    let output = place.command(["run", "a.c"]).args(SHORT).env("HOME", "/proc/nowhere").output().expect("tare runs");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
}

/// What builds nothing needs no place for what is built.
#[test]
fn no_home_where_none_is_needed() {
    let place = Place::new("no-home");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    for args in [
        &["list", reference()][..],
        &["show", "latest"],
        &["runs"],
        &["help", "method"],
        &["compare", "latest", "latest"],
        &["run", reference(), "--quick", "--launches", "1", "--rounds", "2"],
    ] {
        let mut command = place.command(args);
        let output = command.env_remove("HOME").env_remove("XDG_CACHE_HOME").output().expect("tare runs");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
        let output = place.command(args).env("XDG_CACHE_HOME", "/proc/nowhere").output().expect("tare runs");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
    }
}

#[test]
fn what_a_build_lacks_is_set_up_and_no_mistake_of_the_code() {
    let place = Place::new("lacking");
    place.write("a.cpp", "#include <tare.h>\n");
    place.write("b.rs", "use tare::prelude::*;\n");
    for source in ["a.cpp", "b.rs"] {
        let output = place.command(["run", source]).env("PATH", place.join("nothing")).output().expect("tare runs");
        let reported = err(&output);
        assert_eq!(output.status.code(), Some(96), "{source}: {reported}");
        assert!(
            reported.contains("was not found on the PATH") && reported.contains("hint: install"),
            "{source}: {reported}"
        );
    }
}

/// Runs `tare` below a limit of the shell.
fn limited(place: &Place, limit: &str, args: &str) -> std::process::Output {
    let script = format!("ulimit {limit} || exit 77; exec \"$TARE\" {args}");
    place.other("sh").args(["-c", &script]).env("CHILD", reference()).output().expect("sh runs")
}

#[test]
fn limits_of_the_shell_are_named_failures() {
    let place = Place::with_stand_in("limits");
    place.write("a.cpp", "#include <tare.h>\n//bench a/b 1\n");
    // A file of 512 bytes is too small for the first event.
    let output = limited(&place, "-f 1", "run \"$CHILD\" --quick --launches 1 --rounds 2");
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(110), "{reported}");
    assert!(reported.contains("error: cannot write `") && reported.contains("File too large"), "{reported}");
    let output = limited(&place, "-n 7", "run a.cpp");
    let reported = err(&output);
    assert!(matches!(output.status.code(), Some(96 | 102)), "{:?} {reported}", output.status);
    assert!(reported.contains("Too many open files"), "{reported}");
    place.assert_nothing_left("limits");
}

/// The limit of processes binds no root: it is tried as nobody, where that is possible.
#[test]
fn no_more_processes_is_no_panic() {
    let place = Place::new("processes");
    fs::copy(reference(), place.join("child")).expect("copied");
    fs::copy(env!("CARGO_BIN_EXE_tare"), place.join("tare")).expect("copied");
    // For somebody else, whatever the umask is.
    for (name, mode) in [("", 0o777), ("home", 0o755), ("child", 0o755), ("tare", 0o755)] {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(place.join(name), rights).expect("rights");
    }
    let script = "prlimit --nproc=1 ./tare run ./child --no-save; echo \"code $?\"";
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "64999", "--regid", "64999", "--clear-groups", "sh", "-c", script]);
    let output = command.current_dir(place.join("")).env("HOME", place.join("home")).stdin(Stdio::null()).output();
    let Some(output) = output.ok().filter(|output| out(output).contains("code ")) else {
        return skip("a limit of processes", "only root can try it as somebody else");
    };
    let (screen, reported) = (out(&output), err(&output));
    assert!(!reported.contains("panicked"), "{reported}");
    assert!(screen.contains("code 102") || screen.contains("code 96"), "{screen}{reported}");
    assert!(reported.contains("Resource temporarily unavailable") && reported.contains("ulimit -u"), "{reported}");
}

#[test]
fn a_reader_that_goes_away() {
    let place = Place::new("head");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    for args in ["show latest -v", "show latest --measurements", "list . --json", "help method", "runs"] {
        let args = args.replace('.', reference());
        // The code of `tare`, not of `head`; a panic would be 101, a signal more than 128.
        let script = format!("{{ \"$TARE\" {args}; echo \"code $?\" >&2; }} | head -c 1 >/dev/null");
        let output = place.other("sh").args(["-c", &script]).output().expect("sh runs");
        assert_eq!(err(&output), "code 0\n", "{args}");
    }
}

#[test]
fn streams_that_are_closed() {
    let place = Place::new("closed");
    for redirection in [">&-", "2>&-", "<&-", "<&- >&- 2>&-"] {
        let script = format!("\"$TARE\" run '{}' {} {redirection}", reference(), SHORT.join(" "));
        let status = place.other("sh").args(["-c", &script]).output().expect("sh runs").status;
        assert!(matches!(status.code(), Some(0 | 110)), "{redirection}: {status}");
        place.assert_nothing_left(redirection);
    }
    for folder in place.runs() {
        let events = fs::read_to_string(folder.join("events.jsonl")).expect("events");
        assert!(events.lines().all(|line| line.starts_with('{')), "no progress is written into the events");
    }
}

/// Columns that a line takes; all characters that Tare writes by itself are one column wide.
fn widest(text: &str) -> (usize, &str) {
    // A command is never broken over two lines, so its line may be longer.
    let breakable = text.lines().filter(|line| !line.contains('`') && !line.starts_with("next: "));
    breakable.map(|line| (line.chars().count(), line)).max().unwrap_or((0, ""))
}

#[test]
fn narrow_screens() {
    let place = Place::new("narrow");
    let program = place.misbehave("exception@body");
    place.ends_with(100, ["run", reference(), &program].iter().chain(&SHORT));
    for columns in [60, 80, 100] {
        for flags in [&[][..], &["-v"], &["-q"]] {
            let mut command = place.command(["show", "latest"]);
            let output = command.args(flags).env("COLUMNS", columns.to_string()).output().expect("tare runs");
            let screen = out(&output);
            let (width, line) = widest(&screen);
            assert!(width <= columns, "{columns} {flags:?}: {width}: {line}\n{screen}");
            assert!(screen.contains("strlen") || flags == ["-q"], "{screen}");
        }
    }
}

fn assert_ascii(text: &str) {
    let others: Vec<&str> = text.lines().filter(|line| !line.is_ascii()).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn ascii_is_ascii() {
    let place = Place::new("ascii");
    let output = place.tare(["run", reference(), "--ascii", "-v"].iter().chain(&SHORT));
    assert_ascii(&(out(&output) + &err(&output)));
    let program = place.misbehave("exception@body");
    let output = place.tare(["run", &program, "--ascii", "-v"].iter().chain(&FIXED));
    assert_ascii(&(out(&output) + &err(&output)));
    for args in [&["show", "latest", "--ascii", "--md"][..], &["show", "latest", "--ascii"], &["runs", "--ascii"]] {
        assert_ascii(&place.ends_with(0, args));
    }
}

#[test]
fn ascii_is_ascii_in_findings_too() {
    let place = Place::new("ascii-findings");
    let program = place.misbehave("exclusive");
    let screen = place.ends_with(0, ["run", &program, "--ascii"].iter().chain(&FIXED));
    assert!(screen.contains("repeated-alone"), "{screen}");
    assert_ascii(&screen);
}

/// A terminal of so many columns: what is on it, byte by byte.
const TERMINAL: &str = r#"
import fcntl, os, pty, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
seen = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(seen)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 99)
"#;

/// What a terminal shows of bytes with `\r` and "clear to the end of the line".
fn shown(bytes: &str) -> Vec<String> {
    let line = |line: &str| {
        let last = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default();
        last.rsplit("\x1b[K").next().unwrap_or_default().to_owned()
    };
    bytes.split('\n').map(line).collect()
}

#[test]
fn a_terminal() {
    if !have("python3") {
        return skip("a terminal", "no python3");
    }
    let place = Place::new("terminal");
    let on_terminal = |columns: &str, variables: &[(&str, &str)], args: &[&str]| {
        let mut command = place.other("python3");
        command.args(["-c", TERMINAL, columns, env!("CARGO_BIN_EXE_tare")]).args(args);
        let output = command.env("TERM", "xterm").envs(variables.iter().copied()).output().expect("python3 runs");
        assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
        out(&output)
    };
    // Each visit takes longer than a status line stands at least.
    let child = place.misbehave("naps");
    let run = ["run", &child, "--filter", "good", "--quick", "--launches", "1", "--rounds", "3", "--invocations", "1"];
    let screen = on_terminal("80", &[], &run);
    assert!(screen.contains("\x1b[1m") && screen.contains("measuring"), "colours and a status line: {screen:?}");
    let lines = shown(&screen);
    assert!(!lines.iter().any(|line| line.contains("measuring")), "the status line is taken away: {lines:?}");
    let first = lines.iter().find(|line| line.contains("tare 0.")).expect("a head");
    assert!(first.starts_with("\x1b") || first.starts_with("tare"), "{first:?}");
    // No status line is wider than the screen: it would scroll.
    let narrow = on_terminal("60", &[("NO_COLOR", "1")], &run);
    assert!(!narrow.contains("\x1b[1m") && !narrow.contains("\x1b[3"), "{narrow:?}");
    let painted = narrow.split("\r\x1b[K").skip(1).filter(|part| !part.contains('\n'));
    assert!(painted.clone().count() > 1);
    for line in painted {
        assert!(line.chars().count() < 60, "{line:?}");
    }
    let (width, line) = widest(&narrow);
    assert!(width <= 62 || line.contains("\x1b[K"), "{line:?}");
    let dumb = on_terminal("80", &[("TERM", "dumb")], &run);
    assert!(!dumb.contains('\x1b'), "{dumb:?}");
}

/// Off a terminal there is one line a finished case on stderr and nothing that redraws.
#[test]
fn no_terminal() {
    let place = Place::new("no-terminal");
    let output = place.tare(["run", reference()].iter().chain(&SHORT));
    let reported = err(&output);
    assert_eq!(reported.lines().count(), 5, "{reported}");
    for (line, number) in reported.lines().zip(1..) {
        assert!(line.starts_with(&format!("[{number}/5] ")), "{line}");
    }
    assert!(!reported.contains('\r') && !reported.contains('\x1b') && !out(&output).contains('\x1b'));
    let quiet = place.tare(["run", reference(), "-q"].iter().chain(&SHORT));
    assert_eq!(err(&quiet), "");
}

#[test]
fn pointers_of_git_lfs_are_told_and_stay_with_the_run() {
    let place = Place::new("pointers");
    place.told("child", "bench a/One 3000\n");
    place.write("data/table.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:7\nsize 512000\n");
    let run = place.tare(["run", "./child"].iter().chain(&SHORT));
    let text = "pointers without content: `data/table.bin`";
    assert!(
        run.status.success() && err(&run).contains(&format!("warning: files of Git LFS are {text}; `git lfs pull`"))
    );
    assert!(place.ends_with(0, ["show", "latest"]).contains(text), "{}", out(&run));
}
