//! The user stops it: what was measured is kept and shown, nobody is left, and the run can be resumed.

use crate::support::{err, json, out, reference, signal, wait_until, Place};
use std::os::unix::process::ExitStatusExt;
use std::process::Child;

/// A run that does not end by itself: with a program that is [`held`].
const WHILE: [&str; 5] = ["--filter", "strlen", "--launches", "24", "--ascii"];

/// The text of a program whose twelfth start and all later ones wait as long as there is the file `hold`.
fn held(place: &Place, then: &str) -> String {
    let [hold, starts] = ["hold", "starts"].map(|name| place.join(name).display().to_string());
    place.write("hold", "");
    let wait = format!("while [ -e '{hold}' ] && [ $(wc -l < '{starts}') -gt 11 ]; do sleep 0.1; done");
    format!("#!/bin/sh\n# TARE_LINK\necho >> '{starts}'\n{wait}\n{then}\n")
}

/// The reference child, held.
fn child(place: &Place) -> String {
    place.script("child", &held(place, &format!("exec '{}'", reference())))
}

/// Takes the run up without anything that holds it.
fn finish(place: &Place) {
    std::fs::remove_file(place.join("hold")).expect("it held");
    place.ends_with(0, ["run", "--resume", "latest"]);
    assert_eq!(place.run_json()["status"], "finished");
}

/// Waits until something of the result is measured.
fn measuring(place: &Place) {
    wait_until("something is measured", || {
        let folder = place.runs().pop();
        let events = folder.and_then(|folder| std::fs::read_to_string(folder.join("events.jsonl")).ok());
        events.is_some_and(|text| text.contains("\"stage\":\"actual\""))
    });
}

/// Waits for the end and gives the exit code.
fn end(place: &Place, mut tare: Child) -> i32 {
    let mut status = None;
    wait_until("tare ends", || {
        status = tare.try_wait().expect("its status");
        status.is_some()
    });
    let status = status.expect("it has ended");
    assert_eq!(status.signal(), None, "tare was not killed: {}", place.read("stderr"));
    status.code().expect("a code")
}

fn stopped_by(name: &str, to_group: bool) -> Place {
    let place = Place::new("stopped");
    let tare = place.start(["run", &child(&place)].iter().chain(&WHILE));
    measuring(&place);
    let pid = tare.id().to_string();
    signal(name, &if to_group { format!("-{pid}") } else { pid });
    assert_eq!(end(&place, tare), 130, "{name}: {}", place.read("stderr"));
    place.assert_nothing_left(name);
    let run = place.run_json();
    assert_eq!(run["status"], "interrupted", "{name}");
    let (screen, id) = (place.read("stdout"), run["id"].as_str().expect("an id").to_owned());
    assert!(screen.contains("strlen"), "{name}: what was measured is shown: {screen}");
    assert!(screen.ends_with(&format!("next: tare run --resume {id}\n")), "{name}: {screen}");
    assert_eq!(screen, place.ends_with(0, ["show", "latest", "--ascii"]), "{name}");
    place
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_the_run_goes_on_later() {
    let place = stopped_by("INT", true);
    let before = place.run_json();
    finish(&place);
    let after = place.run_json();
    let launches = |run: &serde_json::Value| run["launches"].as_array().expect("launches").clone();
    let (before, after) = (launches(&before), launches(&after));
    assert!(after.len() > before.len());
    assert_eq!(after[..before.len()], before[..], "what was measured before is as it was");
    let reported = place.tare(["run", "--resume", "latest"]);
    assert_eq!(reported.status.code(), Some(2));
}

/// Each run of a command is a process of its own: those of a launch that was cut off are results all the same.
#[test]
fn ctrl_c_shows_the_runs_of_commands_so_far() {
    let place = Place::new("stopped-commands");
    let step = place.script("step", &held(&place, ":").replace("/starts", "/starts$1"));
    let steps = ["one", "two"].map(|name| format!("{step} {name}"));
    let tare = place.start(["time", &steps[0], &steps[1], "--runs", "80", "--ascii"]);
    wait_until("two launches of each command have runs", || {
        let folder = place.runs().pop();
        let events = folder.and_then(|folder| std::fs::read_to_string(folder.join("events.jsonl")).ok());
        events.is_some_and(|text| [0, 1].iter().all(|case| launches_with_runs(&text, *case) >= 2))
    });
    signal("INT", &format!("-{}", tare.id()));
    assert_eq!(end(&place, tare), 130, "{}", place.read("stderr"));
    let screen = place.read("stdout");
    assert!(screen.contains("interrupted: ") && !screen.contains("not measured"), "{screen}");
    // How much of the heading has room depends on the width of the times.
    assert!(screen.contains(" ratio ") && screen.contains("next: tare run --resume"), "{screen}");
    assert_eq!(screen, place.ends_with(0, ["show", "latest", "--ascii"]));
}

/// How many launches of a case have a result in these events.
fn launches_with_runs(events: &str, case: u64) -> usize {
    let whole_lines = events.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let events: Vec<serde_json::Value> = whole_lines.map(json).collect();
    let started = events.iter().filter(|event| event["event"] == "launch-started" && event["case"] == case);
    let has_run = |launch: &serde_json::Value| {
        events.iter().any(|event| event["stage"] == "actual" && event["launch"] == *launch)
    };
    started.filter(|event| has_run(&event["launch"])).count()
}

/// Half of a run of one program and half of another would be a run of neither.
#[test]
fn a_run_of_a_program_that_was_changed_is_not_taken_up() {
    let place = Place::new("changed");
    let program = child(&place);
    let text = place.read(&program);
    let tare = place.start(["run", program.as_str()].iter().chain(&WHILE));
    measuring(&place);
    signal("INT", &format!("-{}", tare.id()));
    assert_eq!(end(&place, tare), 130);
    let before = place.read(place.only_run().join("run.json"));
    let id = json(&before)["id"].as_str().expect("an id").to_owned();
    place.script("child", &text.replace("exec", "exec "));
    let output = place.tare(["run", "--resume", "latest"]);
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(2), "{reported}");
    assert!(reported.starts_with(&format!("error: run `{id}` cannot be resumed with `child`\n")), "{reported}");
    assert!(reported.contains("has changed since") && reported.contains("`tare run "), "{reported}");
    assert_eq!(place.read(place.only_run().join("run.json")), before, "the run is as it was");
    // As it was before: it goes on.
    place.script("child", &text);
    finish(&place);
}

#[test]
fn each_signal_to_tare_alone() {
    for name in takeable() {
        stopped_by(name, false);
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let place = Place::new("twice");
    let tare = place.start(["run", &child(&place)].iter().chain(&WHILE));
    measuring(&place);
    let group = format!("-{}", tare.id());
    signal("INT", &group);
    signal("INT", &group);
    assert_eq!(end(&place, tare), 130);
    place.assert_nothing_left("a second Ctrl-C");
    // Whichever of the two the end was, the run can be resumed.
    finish(&place);
}

/// Nothing is measured yet: there is nothing to keep, and nothing is made.
#[test]
fn ctrl_c_before_anything_is_measured() {
    for (mode, verb) in
        [("hang@hello", "run"), ("ignore-term-hang@list", "run"), ("hang@list", "list"), ("hang@end", "list")]
    {
        let place = Place::new("early");
        let program = place.misbehave(mode);
        let tare = place.start([verb, &program]);
        wait_until("the child hangs", || place.processes().iter().any(|line| line.contains("misbehave ")));
        signal("INT", &format!("-{}", tare.id()));
        assert_eq!(end(&place, tare), 130, "{mode}");
        assert_eq!(place.read("stdout"), "", "{mode}");
        assert_eq!(place.read("stderr"), "error: interrupted before anything was measured\n", "{mode}");
        assert!(!place.join(".tare").exists(), "{mode}");
        place.assert_nothing_left(mode);
    }
}

#[test]
fn a_crash_while_a_program_ends_by_itself_is_told() {
    let place = Place::new("ending");
    let output = place.tare(["list", &place.misbehave("abort@end")]);
    let told = err(&output);
    assert_eq!(output.status.code(), Some(102), "{told}");
    assert!(told.contains("error: `abort@end` failed after listing its benchmarks"), "{told}");
    assert!(told.contains("while exiting: killed by SIGABRT (signal 6)"), "{told}");
    assert!(!out(&output).is_empty(), "what was listed is kept");
}

/// A signal while a compiler runs that takes its time.
fn while_compiling(name: &str, to_group: bool) {
    let place = Place::new("compiling");
    place.write("bench.cpp", "#include <tare.h>\n");
    // Slow where it compiles, quick where it is asked what it is or compiles `main`.
    let text = "#!/bin/sh\ncase \"$*\" in *bench.cpp*) trap 'rm $TMPDIR/half; exit 1' TERM; : >$TMPDIR/half; sleep 600 & wait;; \
        *--version*) echo slow 1;; *) while [ $# -gt 1 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done;; esac\n";
    let compiler = place.script("slow-c++", text);
    let mut command = place.command(["run", "bench.cpp", "--cxx", &compiler]);
    command.env("TMPDIR", place.join("home")).env("XDG_CACHE_HOME", place.join("cache"));
    let tare = place.start_command(command);
    wait_until("the compiler runs", || place.processes().iter().any(|line| line.contains("sleep 600")));
    let pid = tare.id().to_string();
    signal(name, &if to_group { format!("-{pid}") } else { pid });
    assert_eq!(end(&place, tare), 130, "{}", place.read("stderr"));
    assert_eq!(place.read("stderr"), "error: interrupted before anything was measured\n");
    place.assert_nothing_left("a build");
    for folder in ["home", "cache/tare/tmp"] {
        let left: Vec<_> = std::fs::read_dir(place.join(folder)).expect("a folder").flatten().collect();
        assert!(left.is_empty(), "{folder}: {left:?}");
    }
}

#[test]
fn ctrl_c_while_a_compiler_runs() {
    while_compiling("INT", true);
}

#[test]
fn a_signal_to_tare_alone_while_a_compiler_runs() {
    while_compiling("TERM", false);
}

/// Nothing is built and nothing measured: there is nothing to put away, and the first signal is the end.
#[test]
fn a_signal_while_something_is_shown() {
    let place = Place::new("showing");
    place.ends_with(0, ["run", reference(), "--quick", "--launches", "1", "--rounds", "2"]);
    for name in takeable() {
        // It reads its way out: nobody takes what it writes, so that it is at work when the signal comes.
        let mut command = place.command(["show", "latest", "--measurements"]);
        let fifo = place.join(name);
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
        let reader = std::fs::OpenOptions::new().read(true).write(true).open(&fifo).expect("a pipe");
        fill(&reader);
        let mut tare = command
            .stdout(reader.try_clone().expect("a copy"))
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("tare starts");
        let pid = tare.id();
        wait_until("it takes signals", || {
            // Hang-up is the last that is taken; it is number 1, and the lowest bit. Under `nohup` it stays ignored.
            let [caught, ignored] = ["SigCgt:", "SigIgn:"].map(|which| signals(pid, which));
            (caught | ignored) & HANG_UP != 0 && caught & TERMINATE != 0
        });
        signal(name, &pid.to_string());
        let mut reported = String::new();
        std::io::Read::read_to_string(&mut tare.stderr.take().expect("piped"), &mut reported).expect("text");
        assert_eq!(
            (tare.wait().expect("an end").code(), reported.as_str()),
            (Some(130), "error: interrupted\n"),
            "{name}"
        );
    }
}

/// The signals that end a host; a hang-up is no matter under `nohup`.
fn takeable() -> Vec<&'static str> {
    if signals(std::process::id(), "SigIgn:") & HANG_UP == 0 {
        return vec!["INT", "TERM", "HUP"];
    }
    eprintln!("skipped: hang-up is ignored in this session (nohup)");
    vec!["INT", "TERM"]
}

const HANG_UP: u64 = 1;
const TERMINATE: u64 = 1 << 14;

/// The signals of a kind that the system names for a process, a bit each.
fn signals(pid: u32, which: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix(which)).unwrap_or_default();
    u64::from_str_radix(bits.trim(), 16).unwrap_or(0)
}

/// Fills a pipe until it takes no more.
fn fill(pipe: &std::fs::File) {
    // 64 KiB is what a pipe holds where nobody has changed it.
    std::io::Write::write_all(&mut &*pipe, &vec![b'x'; 64 << 10]).expect("it holds so much");
}

#[test]
fn ctrl_c_of_a_conformance_test() {
    let place = Place::new("conformance");
    let program = place.misbehave("hang@hello");
    let tare = place.start(["conformance", &program]);
    wait_until("the child hangs", || place.processes().iter().any(|line| line.contains("misbehave ")));
    signal("INT", &format!("-{}", tare.id()));
    assert_eq!(end(&place, tare), 130);
    place.assert_nothing_left("a conformance test");
}

/// What ends a job of a cluster ends the children as well, and they may go first: that is no failure of the benchmark.
#[test]
fn signals_to_a_child_and_then_to_tare() {
    let place = Place::new("both");
    let program = place.misbehave("hang@body");
    let tare = place.start(["run", &program, "--quick", "--launches", "1", "--filter", "bad"]);
    wait_until("`bad` is measured", || {
        let text = place.runs().pop().and_then(|f| std::fs::read_to_string(f.join("events.jsonl")).ok());
        text.is_some_and(|text| text.contains("\"stage\":\"warmup\"") || text.contains("opened"))
    });
    let child = place.processes().into_iter().find(|line| line.contains("misbehave ")).expect("a child");
    let child = child.split(' ').next().expect("a number").to_owned();
    let host = tare.id().to_string();
    let sent = std::process::Command::new("kill").args(["-TERM", &child, &host]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(end(&place, tare), 130, "{}", place.read("stdout"));
    let run = json(&place.read(place.only_run().join("run.json")));
    assert_eq!(run["status"], "interrupted");
    assert!(!run.to_string().contains("\"signal\""), "{run}");
}

/// A child that hangs in its body does not keep the user waiting, and what the others gave is kept.
#[test]
fn ctrl_c_while_a_body_hangs() {
    let place = Place::new("hanging");
    let program = place.misbehave("ignore-term-hang@body");
    let tare = place.start(["run", &program, "--quick", "--launches", "1"]);
    wait_until("`bad` is measured", || {
        let text = place.runs().pop().and_then(|f| std::fs::read_to_string(f.join("events.jsonl")).ok());
        text.is_some_and(|text| text.contains("\"stage\":\"warmup\""))
    });
    signal("INT", &format!("-{}", tare.id()));
    assert_eq!(end(&place, tare), 130);
    place.assert_nothing_left("a body that hangs");
    let events = std::fs::read_to_string(place.only_run().join("events.jsonl")).expect("events");
    for line in events.lines() {
        json(line);
    }
}
