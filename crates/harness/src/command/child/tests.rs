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
fn what_the_host_would_not_send_ends_the_child() {
    let spec = Spec { commands: vec![command("true")], ..Spec::default() };
    for request in ["nonsense", "check", "open x 0", "hello"] {
        let ended = serve(&spec, format!("hello 1\n{request}\nbye\n").as_bytes(), &mut Vec::new());
        assert_eq!(ended.expect_err("it ends").to_string(), format!("tare cannot answer `{request}` here"));
    }
    let all = said(&spec, "hello 2\nhello 1 windows of-the-future\nbye\n");
    assert_eq!((&all[0]["kind"], &all[1]["reply"]), (&"version".into(), &"hello".into()), "{all:?}");
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
