//! Events as lines of `events.jsonl`.

use tare_model::{Event, FailureKind, InstanceWork, RunStatus, Step};

fn text(event: &Event) -> String {
    String::from_utf8(event.to_json().expect("JSON")).expect("text")
}

fn back(event: &Event) {
    assert_eq!(Event::from_json(text(event).as_bytes()).expect("an event"), *event);
}

#[test]
fn an_event_has_its_name_among_its_members() {
    let finished = Event::CaseFinished { case: 3 };
    assert_eq!(text(&finished), r#"{"event":"case-finished","case":3}"#);
    back(&finished);
    let work = InstanceWork { operations: Some(7), ..InstanceWork::default() };
    let opened = Event::LaunchOpened { launch: 1, start_up_ns: 1.5e6, work };
    assert_eq!(text(&opened), r#"{"event":"launch-opened","launch":1,"start_up_ns":1500000.0,"operations":7}"#);
    back(&opened);
    back(&Event::Output { launch: 2, lines: vec!["\":{ \"event\":\"measured\" }".to_owned()] });
    let ended = RunStatus::Finished;
    back(&Event::RunFinished { status: ended, elapsed_s: 0.1 + 0.2, steal: None, cpu_pressure: Some(0.25) });
    let cause = FailureKind::EarlyExit { status: 3 };
    let failure = tare_model::Failure { cause, step: Step::Body, output: vec!["}}".to_owned()] };
    back(&Event::CaseFailed { case: 0, failure });
}

#[test]
fn a_line_is_read_whatever_stands_where_and_what_is_wrong_is_said() {
    let read = |line: &str| Event::from_json(line.as_bytes()).map_err(|error| error.to_string());
    let finished = Ok(Event::CaseFinished { case: 3 });
    assert_eq!(read(r#" {"case": 3, "of a later version": [{}], "event": "case\u002dfinished"} "#), finished);
    for (line, what) in [
        (r#"{"case":3}"#, "missing field `event`"),
        (r#"{"event":"case-finished"}"#, "missing field `case`"),
        (r#"{"event":"case-vanished"}"#, "unknown variant `case-vanished`"),
        (r#"{"event":"case-finished","case":-1}"#, "invalid value: integer `-1`, expected u32 at line 1"),
        (r#"{"event":"case-finished","case":3}{"#, "trailing characters"),
        (r#"{"event":"case-fin"#, "EOF while parsing a string"),
    ] {
        assert!(read(line).is_err_and(|error| error.contains(what)), "{line}: {:?}", read(line));
    }
}
