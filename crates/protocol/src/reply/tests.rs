//! Valid replies, and invalid ones with the rules that they break.

use super::*;
use tare_model::{ParameterType, SetUp, Strategy};

#[test]
fn reads_the_replies_of_the_spec() {
    let hello = br#"{"reply":"hello","protocol":1,"language":"c++","front_end":"x 1","optimised":null,
        "clock":"c","clock_resolution_ns":17,"unroll":16,"capabilities":["cpu"],"unknown":[1],
        "context":[{"name":"data","value":"big.txt"},{"name":"seed","value":""}]}"#;
    let Ok(Reply::Hello(facts)) = decode(hello) else { panic!("it is a reply") };
    assert!(facts.unroll == 16 && facts.can("cpu"));
    assert_eq!((facts.context.len(), facts.context[0].value.as_str()), (2, "big.txt"));
    for more in [r#"{"name":"","value":"1"}"#, r#"{"name":"seed","value":"1"}"#] {
        let twice = String::from_utf8_lossy(hello).replace("]}", &format!(",{more}]}}"));
        let error = decode(twice.as_bytes()).expect_err("must be refused").to_string();
        assert!(error.contains("`context` must have each name once"), "{error}");
    }
    let own = String::from_utf8_lossy(hello).replace("\"unknown\"", "\"width_per_runtime\":true,\"unknown\"");
    let error = decode(own.as_bytes()).expect_err("must be refused").to_string();
    assert!(error.contains("it needs `width_per_process`"), "{error}");
    let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","parameters":[]}"#;
    assert!(matches!(decode(line), Ok(Reply::Benchmark(b)) if b.operations == 1 && b.unit == "op"));
    assert_eq!(decode(br#"{"reply":"end","count":1}"#), Ok(Reply::End { count: 1, notes: Vec::new() }));
    let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","parameters":[],
        "set_ups":["thread","iteration","process"],"requires":["x-quiet"],"diagnosers":["threading"],"x-colour":"red"}"#;
    let Ok(Reply::Benchmark(b)) = decode(line) else { panic!("it is a benchmark") };
    assert_eq!((&b.set_ups[..], &b.requires[..]), (&[SetUp::Iteration][..], &["x-quiet".to_owned()][..]));
    assert_eq!(b.diagnosers, ["threading"]);
    let line = br#"{"reply":"benchmark","index":0,"group":"","name":"a","waits":true,"invocations_max":100,"strategy":"cold-start",
        "parameters":[{"name":"n","value":"5","type":"integer"},{"name":"k","value":"x","type":"colour"}]}"#;
    let Ok(Reply::Benchmark(b)) = decode(line) else { panic!("it is a benchmark") };
    assert_eq!((b.waits, b.invocations_max, b.invalid), (true, Some(100), None));
    assert_eq!(b.strategy, Strategy::ColdStart);
    assert_eq!(b.parameters.iter().map(|p| p.kind).collect::<Vec<_>>(), [Some(ParameterType::Integer), None]);
    let line = br#"{"reply":"error","kind":"out-of-battery","message":"m"}"#;
    assert!(matches!(decode(line), Ok(Reply::Error(e)) if e.kind == ErrorKind::Other("out-of-battery".to_owned())));
    let line = br#"{"reply":"error","kind":"exception","message":"m","file":"f","line":3}"#;
    assert!(matches!(decode(line), Ok(Reply::Error(e)) if e.place.as_deref() == Some("f:3")));
}

#[test]
fn an_option_that_cannot_be_read_costs_its_benchmark_alone() {
    let line =
        br#"{"reply":"benchmark","index":3,"group":"g","name":"a","parameters":[{"name":"n","value":"5"}],"unit":"x",
        "threads":-1,"rates":[{"name":"x","per_invocation":"NaN"}],"categories":"fast"}"#;
    let Ok(Reply::Benchmark(b)) = decode(line) else { panic!("it is a benchmark") };
    assert_eq!((b.index, b.group.as_str(), b.name.as_str(), b.parameters.len()), (3, "g", "a", 1));
    let wrong = r#"`categories` cannot be "fast", `rates` cannot be [{"name":"x","per_invocation":"NaN"}], `threads` cannot be -1"#;
    assert_eq!(b.invalid.as_deref(), Some(wrong));
    assert!(decode(br#"{"reply":"benchmark","index":3,"name":5,"group":"","parameters":[]}"#).is_err());
}

#[test]
fn metrics_and_events_stand_beside_the_times() {
    let line = br#"{"reply":"measured","elapsed_ns":[1,2],"metrics":{"a":[3,4],"b":[5,null]},
        "events":[{"iteration":1,"kind":"collection","at_ns":5,"ns":6},{"iteration":0,"kind":"nap"}]}"#;
    let Ok(Reply::Measured(columns)) = decode(line) else { panic!("it is a reply") };
    assert_eq!((columns.metrics["a"].as_slice(), columns.events.len()), ([3.0, 4.0].as_slice(), 2));
    assert!(columns.metrics["b"].is_empty(), "a metric without a value in some iteration has none");
    assert_eq!((columns.events[0].at_ns, columns.events[1].ns), (5.0, 0.0));
}

#[test]
fn refuses_what_is_not_a_reply() {
    for (line, part) in [
        (&b"hello"[..], "R7"),
        (b"[]", "not an object"),
        (b"{}", "no member `reply`"),
        (b"\xff", "UTF-8"),
        (br#"{"reply":"what"}"#, "unknown reply"),
        (br#"{"reply":"end"}"#, "count"),
        (br#"{"reply":"measured","elapsed_ns":[1],"cpu_ns":[1,2]}"#, "R19"),
        (br#"{"reply":"measured","elapsed_ns":[-1]}"#, "contains -1"),
        (br#"{"reply":"measured","elapsed_ns":[1],"operations":[1,2]}"#, "R19: `operations` has 2 entries"),
        (br#"{"reply":"measured","elapsed_ns":[1],"operations":[0]}"#, "R25: `operations` contains 0"),
        (br#"{"reply":"diagnosed","operations":[-1],"metrics":{}}"#, "R25: `operations` contains -1"),
        (br#"{"reply":"measured","elapsed_ns":[1],"metrics":{"a":[1,2]}}"#, "R19: `a` has 2 entries"),
        (br#"{"reply":"measured","elapsed_ns":[1],"events":[{"iteration":1,"kind":"nap"}]}"#, "R19: `events`"),
        (br#"{"reply":"opened","operations":0}"#, "R25: `operations` is 0"),
        (br#"{"reply":"opened","operations":1.5}"#, "R25: `operations` is 1.5"),
        (br#"{"reply":"opened","rates":{"bytes":-1}}"#, "R25: the amount of the rate `bytes` is -1"),
        (br#"{"reply":"opened","operations":"ten"}"#, "R25: `operations` is \"ten\""),
        (br#"{"reply":"opened","input_bytes":-1}"#, "R28: `input_bytes` is -1"),
        (br#"{"reply":"opened","loop_address":0}"#, "R29: `loop_address` is 0"),
        (br#"{"reply":"opened","loop_address":"0x40"}"#, "R29: `loop_address` is \"0x40\""),
        (br#"{"reply":"diagnosed","elapsed_ns":[1]}"#, "metrics"),
        (br#"{"reply":"diagnosed","metrics":{"a":[-2]}}"#, "R23: `a` contains -2"),
        (br#"{"reply":"benchmark","index":0,"group":"","name":"a"}"#, "parameters"),
    ] {
        let error = decode(line).expect_err("must be refused").to_string();
        assert!(error.contains(part), "{error:?} does not name {part:?}");
    }
}

#[test]
fn a_declaration_that_cannot_be_measured_is_one_invalid_benchmark() {
    for (members, part) in [
        (r#""name":"""#, "its name is empty"),
        (r#""name":"a","operations":0"#, "`operations` is 0; it must be a whole number of at least 1"),
        (r#""name":"a","operations":-1"#, "`operations` is -1"),
        (r#""name":"a","operations":"ten""#, "`operations` is \"ten\"; it must be a whole number of at least 1"),
        (r#""name":"a","invocations_max":0"#, "`invocations_max` is 0; it must be a whole number of at least 1"),
        (r#""name":"a","strategy":"thorough""#, "`strategy` is \"thorough\"; it must be `throughput`, `monitoring` or"),
        (r#""name":"a","jobs":[{"environment":{}}]"#, "one of its jobs has no name"),
        (r#""name":"a","jobs":[{"name":"b","strategy":"thorough"}]"#, "its job \"b\": `strategy` is \"thorough\""),
        (r#""name":"a","launch":{"environment":{"TARE_LINK":"x"}}"#, "`launch` sets the variable \"TARE_LINK\""),
        (r#""name":"a","operations":1.5"#, "`operations` is 1.5"),
        (r#""name":"a","policy":{"visit_ns":0}"#, "`visit_ns` of `policy` is 0; it must be a number above 0"),
        (
            r#""name":"a","policy":{"warmup_ns":2e13}"#,
            "`warmup_ns` of `policy` is 20000000000000.0; it must be a number from 0 to 1e13",
        ),
        (r#""name":"a","policy":{"visit_ns":1e14}"#, "it must be a number above 0, up to 1e13"),
        (r#""name":"a","policy":{"invocations":0}"#, "`invocations` of `policy` is 0"),
        (r#""name":"a","rates":[{"name":"a b","per_invocation":1}]"#, "the name of a rate has at most 40"),
        (r#""name":"a","rates":[{"name":"b","per_invocation":-0.5}]"#, "the amount of the rate `b` is -0.5"),
        (
            r#""name":"a","rates":[{"name":"b","per_invocation":1},{"name":"b","per_invocation":1}]"#,
            "two rates have the name `b`",
        ),
        (r#""name":"a","operations":0,"invalid":"its set-up is missing""#, "its set-up is missing"),
    ] {
        let line = format!(r#"{{"reply":"benchmark","index":0,"group":"","parameters":[],{members}}}"#);
        let Ok(Reply::Benchmark(benchmark)) = decode(line.as_bytes()) else { panic!("{line} is a benchmark") };
        assert!(benchmark.invalid.as_deref().is_some_and(|reason| reason.contains(part)), "{benchmark:?}");
        assert_eq!(benchmark.operations, 1);
    }
}

/// Found by fuzzing: a value of several kilobytes was quoted whole.
#[test]
fn what_is_wrong_is_said_in_a_few_words_however_long_the_value_is() {
    let line = format!(r#"{{"reply":"end","count":"{}"}}"#, "é".repeat(5000));
    let said = decode(line.as_bytes()).expect_err("a text is not a count").to_string();
    assert!(said.chars().count() < 400 && said.contains("éé…éé") && said.ends_with("expected u64"), "{said}");
}

proptest::proptest! {
    #[test]
    fn never_panics(bytes: Vec<u8>) {
        let _ = decode(&bytes);
    }
}
