//! The child, driven through pipes.

mod support;

use std::collections::HashSet;

use support::{column, Link};

fn error(reply: &str, kind: &str) {
    assert!(reply.contains(r#""reply":"error""#) && reply.contains(&format!(r#""kind":"{kind}""#)), "{kind}: {reply}");
}

#[test]
fn declarations() {
    let mut link = Link::start("declared");
    let hello = link.ask("hello 1 metrics");
    let metrics = r#""metrics":[{"name":"level","unit":"","better":"higher","per":"iteration"},{"name":"total","unit":"B","better":"lower","per":"operation"}]"#;
    assert!(hello.contains(metrics), "{hello}");
    let context = r#""context":[{"name":"data","value":"big \"1\".txt"},{"name":"seed","value":"42"}]"#;
    assert!(hello.contains(context), "{hello}");
    let lines = link.list();
    let of = |name: &str| {
        let named = format!(r#""name":"{name}","parameters""#);
        lines.iter().position(|line| line.contains(&named)).unwrap_or_else(|| panic!("{name}: {lines:?}"))
    };
    for (name, members) in [
        ("sleeps", r#""threads":1,"waits":true}"#),
        ("batch", r#""threads":1,"invocations_max":100}"#),
        ("cold", r#""threads":1,"strategy":"cold-start"}"#),
        ("cold_data", r#""threads":1,"invocations_max":1}"#),
        (
            "launch",
            r#""threads":1,"launch":{"environment":{"COLOUR":"red=1","EMPTY":""},"arguments":["--one","two words"]}}"#,
        ),
        ("of_all", r#""threads":1,"waits":true,"strategy":"monitoring"}"#),
        ("of_one", r#""threads":1,"strategy":"cold-start"}"#),
        ("typed", r#""threads":1}"#),
    ] {
        assert!(lines[of(name)].trim_end().ends_with(members), "{}", lines[of(name)]);
    }
    for (name, kind) in
        [("whole", "integer"), ("number", "float"), ("truth", "boolean"), ("text", "text"), ("lent", "integer")]
    {
        let line = &lines[of("typed")];
        let at = line.find(&format!(r#"{{"name":"{name}","#)).unwrap_or_else(|| panic!("{name}: {line}"));
        let end = line[at..].find('}').unwrap_or_default() + at;
        assert!(line[at..end].ends_with(&format!(r#""type":"{kind}""#)), "{name}: {line}");
    }
    assert_eq!(link.ask(&format!("open {} 0", of("typed"))), r#"{"reply":"opened"}"#);
    for (request, count) in
        [("workload 2 5 9", 15), ("rolled 2 5 0", 15), ("workload 2 5 3 4", 60), ("single 2 5 9", 15)]
    {
        let reply = link.ask(&format!("measure {request}"));
        let expected = format!(r#""metrics":{{"level":[0.5,0.5],"total":[{count},{count}]}}"#);
        assert!(reply.contains(&expected), "{request}: {reply}");
    }
    assert!(!link.ask("measure overhead 1 1 0").contains("metrics"));
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
}

#[test]
fn a_conversation() {
    let mut link = Link::start("sample");
    error(&link.ask("hello 2"), "version");
    let hello = link.ask("hello 1");
    // The host's capabilities change nothing.
    for words in ["windows", "of-the-future x-fast 7", "1 x x x x x x x x x x x x"] {
        assert!(link.ask(&format!("hello 1 {words}")).starts_with(r#"{"reply":"hello","protocol":1,"#));
    }
    assert!(hello.starts_with(r#"{"reply":"hello","protocol":1,"language":"rust","front_end":"tare-rust "#), "{hello}");
    assert!(hello.contains(r#""compiler":"rustc 1."#) && hello.contains(r#""optimised":true"#), "{hello}");
    let lines = link.list();
    assert_eq!(lines.len(), 22);
    assert_eq!(lines, link.list());
    assert!(
        lines[0].starts_with(r#"{"reply":"benchmark","index":0,"group":"","name":"double","parameters":[],"key":"#),
        "{}",
        lines[0]
    );
    assert!(lines[0].contains(r#""description":"Doubles a captured number.","set_ups":["global"],"returns":true"#));
    assert!(
        lines[0].contains(r#"sample.rs","line":7,"#) && lines[20].contains(r#"sample.rs","line":83,"#),
        "{}",
        lines[20]
    );
    assert!(lines[2].contains(r#""baseline":true,"operations":9,"unit":"digit""#), "{}", lines[2]);
    let typed = r#"{"name":"n","value":"100","type":"integer"},{"name":"text","value":"b \"c\"","type":"text"}"#;
    assert!(lines[7].contains(typed), "{}", lines[7]);
    assert!(lines[7].contains(r#""operations":100"#), "{}", lines[7]);
    assert!(
        lines[10].contains(
            r#"[{"name":"C","value":"VecDeque<u8>","type":"text"},{"name":"N","value":"8","type":"integer"}]"#
        ),
        "{}",
        lines[10]
    );
    assert!(
        lines[18].contains(r#""set_ups":["global","global-clean-up","iteration"],"returns":false"#),
        "{}",
        lines[18]
    );

    assert_eq!(link.ask("open 0 0"), r#"{"reply":"opened"}"#);
    assert!(link.ask("check").ends_with(r#""text":"2"}"#));
    let measured = link.ask("measure workload 3 160 5");
    for name in ["elapsed_ns", "cpu_ns", "process_cpu_ns", "probe_before_ns", "probe_after_ns", "switches", "waits"] {
        assert_eq!(column(&measured, name).len(), 3, "{measured}");
    }
    assert_eq!(column(&link.ask("measure overhead 2 100 0"), "elapsed_ns").len(), 2);
    assert_eq!(column(&link.ask("measure rolled 2 100 0"), "cpu_ns").len(), 2);
    for (which, iterations, windows) in
        [("workload", 3, 5), ("rolled", 1, 64), ("overhead", 2, 1), ("workload", 1, 1024)]
    {
        let measured = link.ask(&format!("measure {which} {iterations} 16 1 {windows}"));
        let (elapsed, times) = (column(&measured, "elapsed_ns"), column(&measured, "window_ns"));
        assert_eq!((elapsed.len(), times.len()), (iterations, iterations * windows), "{measured}");
        assert_eq!(column(&measured, "width_ns").len(), iterations * (windows + 1), "{measured}");
        let sums: Vec<u64> = times.chunks(windows).map(|windows| windows.iter().sum()).collect();
        assert_eq!(sums, elapsed, "{measured}");
    }
    assert!(!link.ask("measure workload 1 16 1").contains("window_ns"));
    assert_eq!(link.ask("randomize 7"), r#"{"reply":"randomized"}"#);
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    assert_eq!(link.ask("open 1 99"), r#"{"reply":"opened"}"#);
    assert_eq!(link.ask("check"), r#"{"reply":"checked","digest":null,"text":null}"#);
    assert_eq!(link.ask("bye"), r#"{"reply":"bye"}"#);
    assert_eq!(link.hang_up(), 0);
}

/// R15: exactly LEAD + ITERATIONS x INVOCATIONS invocations, as counted by bodies that double or count.
#[test]
fn invocations_are_counted_exactly() {
    let mut link = Link::start("counting");
    link.ask("hello 1");
    let count = |link: &mut Link| -> u64 {
        let reply = link.ask("check");
        let text = reply.rsplit(r#""text":""#).next().unwrap();
        text[..text.find('"').unwrap()].parse().unwrap()
    };
    for name in ["captured", "in_memory", "in_place", "eaten", "lent"] {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        link.ask(&format!("open {index} 3"));
        let mut before = count(&mut link);
        for (request, runs) in [
            ("measure workload 3 100 7", 307),
            ("measure workload 1 1 0", 1),
            ("measure workload 2 16 16", 48),
            ("measure rolled 3 101 3", 306),
            ("measure single 3 101 3", 306),
            ("measure overhead 5 1000 0", 0),
            ("measure workload 2 100 7 5", 1007),
            ("measure rolled 1 3 0 64", 192),
            ("measure workload 3 16 16 1", 64),
            ("measure overhead 2 100 1 5", 0),
        ] {
            let reply = link.ask(request);
            assert!(reply.contains("measured"), "{name}: {reply}");
            let after = count(&mut link);
            assert_eq!(after - before, runs + 1, "{name}: {request}");
            before = after;
        }
        assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    }
    assert!(link.ask("bye").contains("bye"));
    assert_eq!(link.hang_up(), 0);
}

/// Each seed moves blocks to other offsets within a page, together and relative to one another, both small blocks and those that
/// are mapped in their own pages by default.
#[test]
fn seeds_move_the_heap() {
    for bytes in ["4096", "1048576"] {
        let (mut places, mut distances) = (HashSet::new(), HashSet::new());
        for seed in 1..=16_u64 {
            let mut link = Link::start("counting");
            link.ask("hello 1");
            let index = link.index(&[r#""name":"places""#, &format!(r#""value":"{bytes}""#)]);
            link.ask(&format!("open {index} {}", (seed << 32) | (0x5bd1_e995 * seed)));
            let reply = link.ask("check");
            let text = reply.rsplit('"').nth(1).unwrap();
            let (place, distance) = text.split_once(' ').unwrap();
            places.insert(place.to_owned());
            distances.insert(distance.to_owned());
        }
        assert!(places.len() >= 12, "{bytes}: the first block lies at {places:?}");
        assert!(distances.len() >= 12, "{bytes}: the second is {distances:?} from it");
    }
}

#[test]
fn the_end_of_the_link_ends_the_child() {
    let mut link = Link::start("sample");
    link.ask("hello 1");
    link.ask("open 0 0");
    link.send(b"meas");
    assert_eq!(link.hang_up(), 0);
}

#[test]
fn an_unknown_link_is_an_error() {
    let output = std::process::Command::new(support::bench("sample")).env("TARE_LINK", "tcp:80").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(support::err(&output).contains("TARE_LINK=`tcp:80` is not `fd:R,W`"));
}

#[test]
fn failures_have_step_message_and_place() {
    let mut link = Link::start("failing");
    link.ask("hello 1");
    let open = |link: &mut Link, name: &str| {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        link.ask(&format!("open {index} 0"))
    };
    let has = |reply: &str, parts: &[&str]| {
        error(reply, "exception");
        for part in parts {
            assert!(reply.contains(part), "{part} in {reply}");
        }
    };
    let reply = open(&mut link, "set_up");
    has(&reply, &[r#""step":"set-up""#, "index out of bounds", r#"failing.rs","line":17"#, r#""type":"panic""#]);
    let reply = open(&mut link, "never");
    has(&reply, &[r#""step":"set-up""#, "InvalidDigit", r#""type":"Err""#]);
    assert_eq!(open(&mut link, "body"), r#"{"reply":"opened"}"#);
    for request in ["check", "measure workload 1 1 0", "measure rolled 1 9 1"] {
        has(&link.ask(request), &[r#""step":"body""#, "the body has no value", r#"failing.rs","line":11"#]);
    }
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);

    assert_eq!(open(&mut link, "step"), r#"{"reply":"opened"}"#);
    assert!(link.ask("measure workload 2 4 0").contains("measured"));
    has(&link.ask("measure workload 1 4 0"), &[r#""step":"iteration-set-up""#, "the third time"]);
    assert!(link.ask("measure workload 1 4 0").contains("measured"));
    has(&link.ask("measure workload 1 4 0"), &[r#""step":"iteration-clean-up""#, "five times"]);
    assert!(link.ask("measure overhead 1 4 0").contains("measured"));
    has(&link.ask("randomize 3"), &[r#""step":"clean-up""#, "clean-up 7"]);
    has(&link.ask("check"), &["no instance"]);
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);

    assert_eq!(open(&mut link, "midway"), r#"{"reply":"opened"}"#);
    has(&link.ask("measure workload 1 1000 0"), &[r#""step":"body""#, "enough"]);
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);

    assert_eq!(open(&mut link, "also_good"), r#"{"reply":"opened"}"#);
    assert!(link.ask("check").ends_with(r#""text":"3"}"#));
    assert!(link.ask("bye").contains("bye"));
    assert_eq!(link.hang_up(), 0);
}

#[test]
fn a_selection_is_inherited() {
    let mut link = Link::start_with("sample", &[("TARE_RUST_SELECTION", "\n+parse\n+Sort\n-hand")]);
    link.ask("hello 1");
    let lines = link.list();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].contains(r#""index":0,"group":"parse","name":"std""#), "{}", lines[0]);
}

/// A result that can be called is the body, however its type is written; any other fails by name.
#[test]
fn the_body_is_what_can_be_called() {
    let mut link = Link::start("forms");
    link.ask("hello 1");
    let names = [
        "result_ok",
        "option_some",
        "boxed",
        "alias",
        "nested",
        "counted",
        "parameter",
        "shared",
        "pointer",
        "captured",
        "fed_body",
        "fed_by_value",
        "fed_boxed",
    ];
    for name in names {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        let reply = link.ask(&format!("open {index} 0"));
        assert!(reply.starts_with(r#"{"reply":"opened""#), "{name}: {reply}");
        assert!(link.ask("measure overhead 1 20 0").contains("measured"), "{name}");
        assert!(link.ask("measure workload 1 20 0").contains("measured"), "{name}");
        let text = match name {
            "shared" | "pointer" => r#""text":"1"}"#,
            "captured" => r#""text":"7"}"#,
            _ => r#""text":"21"}"#,
        };
        let reply = link.ask("check");
        assert!(reply.ends_with(text), "{name}: one instance is called 21 times: {reply}");
        assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    }
    for (name, part) in [
        ("result_err", "InvalidDigit"),
        ("option_none", "returned `None` instead of a body"),
        ("fed_none", "returned `None` instead of a body"),
        ("vector", "a closure inside something else"),
        ("pair", "a closure inside something else"),
        ("future", "a future, which does nothing until it is polled"),
        ("lazy", "an iterator, which does nothing until it is consumed"),
        ("argument", "a closure that takes arguments"),
        ("neither", "must be `Clone`"),
    ] {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        let reply = link.ask(&format!("open {index} 0"));
        error(&reply, "exception");
        assert!(reply.contains(r#""step":"set-up""#) && reply.contains(part), "{name}: {reply}");
    }
    for name in ["fed", "method"] {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        assert!(link.ask(&format!("open {index} 0")).contains(r#""opened""#));
        let reply = link.ask("check");
        error(&reply, "exception");
        assert!(reply.contains("it returns a closure, which would not be called"), "{name}: {reply}");
        assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    }
}

/// The names of the user's functions and parameters do not matter to the macro.
#[test]
fn any_name_will_do() {
    let mut link = Link::start("forms");
    link.ask("hello 1");
    let plain = "bench body call choice main look made names run set sink tare text this value vtable written";
    let with_options = [
        ("state", r#""value":"2""#, "2"),
        ("state", r#""value":"3""#, "3"),
        ("task", r#""value":"4""#, "4"),
        ("task", r#""value":"5""#, "5"),
        ("input", "", "24"),
        ("closure", "", "12"),
        ("count", "", "24"),
        ("picked", "", "10"),
    ];
    for (name, part, text) in plain.split(' ').map(|name| (name, "", name)).chain(with_options) {
        let index = link.index(&[&format!(r#""group":"names","name":"{name}""#), part]);
        assert!(link.ask(&format!("open {index} 0")).contains(r#""opened""#), "{name}");
        assert!(link.ask("measure workload 1 20 0").contains("measured"), "{name}");
        let reply = link.ask("check");
        assert!(reply.ends_with(&format!(r#""text":"{text}"}}"#)), "{name}: {reply}");
        assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    }
    let index = link.index(&[r#""group":"names","name":"invocations""#]);
    assert!(link.ask(&format!("open {index} 0")).contains(r#""opened""#));
    assert!(link.ask("measure workload 1 20 0").contains("measured"));
}

/// R28: the memory of a prepared input, including its heap.
#[test]
fn inputs_say_their_size() {
    let mut link = Link::start("forms");
    link.ask("hello 1");
    let mut size = |name: &str| {
        let index = link.index(&[&format!(r#""name":"{name}""#)]);
        let reply = link.ask(&format!("open {index} 0"));
        link.ask("close");
        let digits = reply.split(r#""input_bytes":"#).nth(1).map(|rest| rest.trim_end_matches('}').to_owned());
        digits.map(|digits| digits.parse::<u64>().unwrap())
    };
    assert_eq!((size("boxed"), size("fed_body")), (None, Some(4)));
    let on_heap = size("fed_from_the_heap").unwrap();
    // Only the GNU C library reports its heap usage.
    let known = if cfg!(target_env = "gnu") { 1800..2400 } else { 24..2400 };
    assert!(known.contains(&on_heap), "{on_heap}");
}

/// Parameters that are function pointers, not `Copy`, or borrowed: same names in every process, and each call has its own value.
#[test]
fn parameters_of_any_type() {
    let mut link = Link::start("forms");
    link.ask("hello 1");
    assert_eq!(link.list(), {
        let mut other = Link::start("forms");
        other.ask("hello 1");
        other.list()
    });
    for (name, value, text) in [
        ("function", "add", "6"),
        ("function", "double", "10"),
        ("string", "a", "a!"),
        ("string", "bc", "bc!"),
        ("lent", "[1,2]", "3"),
        ("both", "2", "6"),
        ("words", r#"[\"x\",1]"#, r#"[\"d\",\"x\"]"#),
        ("made", "1", "1"),
    ] {
        let kind = if name == "both" { "integer" } else { "text" };
        let ending = format!(r#""value":"{value}","type":"{kind}"}}]"#);
        let index = link.index(&[&format!(r#""name":"{name}""#), &ending]);
        assert!(link.ask(&format!("open {index} 5")).contains(r#""opened""#), "{name}");
        assert!(link.ask("measure workload 2 33 7").contains("measured"), "{name}");
        assert!(link.ask("measure overhead 2 33 7").contains("measured"), "{name}");
        let reply = link.ask("check");
        assert!(reply.ends_with(&format!(r#""text":"{text}"}}"#)), "{name} {value}: {reply}");
        assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    }
}

/// R22: parameters that are numbers or texts accept new values; invalid values change nothing.
#[test]
fn parameters_are_set() {
    let mut link = Link::start("sample");
    link.ask("hello 1");
    let declared = link.list();
    for request in ["set n x", "set n -1", "set n 10 1.5", "set C Vec<u8>"] {
        let reply = link.ask(request);
        match request {
            // Generic parameters cannot be set.
            "set C Vec<u8>" => assert_eq!(reply, r#"{"reply":"set","benchmarks":0}"#),
            _ => error(&reply, "bad-value"),
        }
        assert_eq!(link.list(), declared, "{request}");
    }
    assert!(link.ask("set n 3").contains(r#"{"reply":"set","benchmarks":"#));
    assert_eq!(link.ask("set text %C3%A4%20b %"), r#"{"reply":"set","benchmarks":1}"#);
    let lines = link.list();
    let repeat: Vec<&String> = lines.iter().filter(|line| line.contains(r#""name":"repeat""#)).collect();
    assert_eq!(repeat.len(), 2, "{lines:#?}");
    let index = link.index(&[
        r#""name":"repeat""#,
        r#"{"name":"n","value":"3","type":"integer"},{"name":"text","value":"ä b","type""#,
    ]);
    assert_eq!(link.ask(&format!("open {index} 0")), r#"{"reply":"opened"}"#);
    assert!(link.ask("check").ends_with("\"text\":\"\u{e4} b\u{e4} b\u{e4} b\"}"));
    assert!(link.ask("measure workload 2 33 7").contains("measured"));
}

/// A wrong declaration yields one benchmark that reports its error.
#[test]
fn a_wrong_declaration_costs_its_own_row() {
    let mut link = Link::start("faulty");
    link.ask("hello 1");
    let lines = link.list();
    for (part, fault) in [
        (r#""name":"same (2)""#, "`twins/same` is declared at "),
        (r#""name":"(no name)""#, "its name is empty"),
        (r#""name":"source""#, "the values of its parameter `n`: panic at "),
        (r#""name":"none""#, "its parameter `n` has no values"),
        (r#"{"name":"n","value":"0","type""#, "`operations` is 0; it must be a whole number of at least 1"),
        (r#"{"name":"n","value":"-1","type""#, "`operations` is -1"),
        (r#""name":"half_cold""#, "`cold_caches` leaves one invocation per iteration"),
        (r#""name":"once_cold""#, "`cold_caches` leaves one invocation per iteration"),
    ] {
        let line = lines.iter().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part} in {lines:#?}"));
        assert!(line.contains(&format!(r#""invalid":"{fault}"#)), "{line}");
    }
    assert_eq!(lines.iter().filter(|line| line.contains(r#""invalid""#)).count(), 8, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains(r#""name":"many""#) && line.contains(r#""operations":5000000000"#)));
    let index = link.index(&[r#""name":"alike""#, r#""value":"10 #2""#]);
    assert_eq!(link.ask(&format!("open {index} 0")), r#"{"reply":"opened"}"#);
    assert!(link.ask("check").ends_with(r#""text":"10"}"#));
    assert_eq!(link.ask("close"), r#"{"reply":"closed"}"#);
    let index = link.index(&[r#""name":"source""#]);
    let reply = link.ask(&format!("open {index} 0"));
    error(&reply, "exception");
    assert!(reply.contains("no file"), "{reply}");
}
