//! Commands that are measured as benchmarks, and requests that are refused.

use super::*;
use crate::command::spec::Sink;

fn command(text: &str) -> Command {
    Command { name: text.to_owned(), text: text.to_owned(), ..Command::default() }
}

fn said(spec: &Spec, requests: &str) -> Vec<Value> {
    let mut replies = Vec::new();
    serve(spec, requests.as_bytes(), &mut replies).expect("memory can be written");
    let lines = String::from_utf8(replies).expect("UTF-8");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn steps_run_around_each_measurement_and_not_around_the_shell() {
    let folder = std::env::temp_dir().join(format!("tare-command-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let log = folder.join("log");
    let note = |word: &str| format!("printf {word} >> {}", log.display());
    let spec = Spec {
        commands: vec![Command {
            prepare: Some(note("p")),
            conclude: Some(note("c")),
            ..command(&format!("{}; exit 3", note("x$TARE_ITERATION")))
        }],
        shell: vec!["sh".to_owned()],
        ignored: Ignored::Statuses(vec![3]),
        warm_ups: 2,
    };
    let all = said(&spec, "hello 1\nopen 0 1\ncheck\nmeasure workload 2 1 1\nmeasure overhead 2 1 0\nbye\n");
    let kinds: Vec<&str> = all.iter().map(|reply| reply["reply"].as_str().unwrap_or_default()).collect();
    assert_eq!(kinds, ["hello", "opened", "checked", "measured", "measured", "bye"], "{all:?}");
    assert_eq!(std::fs::read_to_string(&log).expect("written"), "px0cpx1cpx2cpx3cpx4c");
    assert!(all[3]["metrics"]["peak_memory"][1].as_f64().is_some_and(|bytes| bytes > 0.0), "{all:?}");
    assert!(all[4]["elapsed_ns"][0].as_f64().is_some_and(|ns| ns > 0.0), "{all:?}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn failures_have_their_step_and_change_no_state() {
    let missing = Command { stdin: Some("/no/such/file".to_owned()), ..command("true") };
    let unprepared = Command { prepare: Some("false".to_owned()), ..command("true") };
    let spec = Spec { commands: vec![command("sh -c 'exit 2'"), missing, unprepared], ..Spec::default() };
    let of = |index: u32| {
        let all = said(&spec, &format!("hello 1\nopen {index} 0\nmeasure workload 1 1 0\nclose\nbye\n"));
        assert_eq!(all[3]["reply"], "closed", "{all:?}");
        format!("{} {}", all[2]["step"].as_str().unwrap_or("none"), all[2]["message"].as_str().unwrap_or("none"))
    };
    assert_eq!(of(0), "body `sh -c 'exit 2'` exited with status 2");
    assert!(of(1).starts_with("body cannot open `/no/such/file`: "), "{}", of(1));
    assert_eq!(of(2), "iteration-set-up `--prepare`: `false` exited with status 1");
}

#[test]
fn requests_are_refused_as_the_protocol_says() {
    let spec = Spec { commands: vec![command("true")], ..Spec::default() };
    let long = format!("list {}", "x".repeat(300));
    let requests = [
        ("list", "bad-state"),
        ("hello", "bad-request"),
        ("hello 2", "version"),
        ("hello 1 windows of-the-future", "hello"),
        ("measure workload 1 1 0", "bad-state"),
        ("nonsense", "unknown-request"),
        ("set n 1", "unknown-request"),
        (&long, "bad-request"),
        ("open 1 0", "bad-request"),
        ("open 0", "bad-request"),
        ("open 0 -1", "bad-request"),
        ("open 0 007", "opened"),
        ("open 0 0", "bad-state"),
        ("measure workload 0 1 0", "bad-request"),
        ("measure workload 1 1 0 1", "bad-request"),
        ("measure other 1 1 0", "bad-request"),
        ("measure rolled 1 1 0", "not-supported"),
        ("measure overhead 3 1 0", "measured"),
        ("hello 1", "hello"),
        ("close", "closed"),
        ("bye", "bye"),
    ];
    let text: String = requests.iter().map(|(request, _)| format!("{request}\n")).collect();
    let all = said(&spec, &text);
    let kinds = all.iter().map(|reply| if reply["reply"] == "error" { &reply["kind"] } else { &reply["reply"] });
    let expected: Vec<&str> = requests.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds.map(|kind| kind.as_str().unwrap_or_default()).collect::<Vec<_>>(), expected, "{all:?}");
}

#[test]
fn input_and_output_are_those_of_the_command() {
    let folder = std::env::temp_dir().join(format!("tare-command-io-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("in"), "some input").expect("written");
    let cat = |stdout| Command { stdin: Some(path("in")), stdout, ..command("cat") };
    let spec = Spec { commands: vec![cat(Sink::File(path("out"))), cat(Sink::Pipe)], ..Spec::default() };
    let all = said(&spec, "hello 1\nopen 0 0\nmeasure workload 2 1 0\nclose\nopen 1 0\ncheck\nbye\n");
    assert_eq!((&all[2]["reply"], &all[5]["reply"]), (&"measured".into(), &"checked".into()), "{all:?}");
    assert_eq!(std::fs::read_to_string(path("out")).expect("written"), "some input");
    std::fs::remove_dir_all(&folder).expect("removed");
}
