//! Rates, skipped cases, threads, futures, own times and counts of allocations, driven through pipes.

mod support;

use support::{column, err, out, run, Link};

/// A child with its listed benchmarks.
struct Listed {
    link: Link,
    lines: Vec<String>,
}

impl Listed {
    fn start() -> Listed {
        let mut link = Link::start("extent");
        assert!(link.ask("hello 1").contains(r#""diagnosers":[{"name":"memory","metrics":[{"name":"allocations""#));
        let lines = link.list();
        Listed { link, lines }
    }

    /// The index and line of a benchmark with these values of its parameters.
    fn find(&self, name: &str, values: &str) -> (usize, &str) {
        let named = format!(r#""name":"{name}","parameters""#);
        let fits = |line: &&String| line.contains(&named) && line.contains(values);
        let line = self.lines.iter().find(fits).unwrap_or_else(|| panic!("{name}: {:?}", self.lines));
        (self.lines.iter().position(|other| other == line).unwrap(), line.trim_end())
    }

    fn open(&mut self, name: &str) -> String {
        let (index, _) = self.find(name, "");
        self.link.ask(&format!("open {index} 0"))
    }

    /// The result of the body.
    fn check(&mut self) -> u64 {
        let reply = self.link.ask("check");
        let at = reply.find(r#""text":""#).unwrap_or_else(|| panic!("{reply}")) + 8;
        reply[at..].split('"').next().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{reply}"))
    }

    fn close(&mut self) {
        assert_eq!(self.link.ask("close"), r#"{"reply":"closed"}"#);
    }
}

#[test]
fn rates_are_declared_or_learned() {
    let mut child = Listed::start();
    for n in [1, 10, 100] {
        let (_, line) = child.find("known", &format!(r#""value":"{n}""#));
        let rates = format!(
            r#""rates":[{{"name":"bytes","unit":"B","per_invocation":5000000000}},{{"name":"items","unit":"","per_invocation":{n}}},{{"name":"words","unit":"","per_invocation":{}}}]"#,
            2 * n
        );
        assert!(line.contains(&rates), "{line}");
    }
    assert!(child.find("negative", "").1.contains("`items` is -1; it must be a whole number of at least 0"));
    // The text depends on the instance; two threads read it.
    assert!(child.find("learned", "").1.contains(r#""rates":[{"name":"bytes","unit":"B","per_invocation":0}]"#));
    assert_eq!(child.open("learned"), r#"{"reply":"opened","operations":3,"rates":{"bytes":12}}"#);
    child.close();
    let (_, line) = child.find("added", r#""value":"2""#);
    assert!(line.contains(r#""group":"added""#) && line.contains(r#""name":"items","unit":"","per_invocation":2"#));
}

#[test]
fn what_is_not_wanted_is_skipped() {
    let mut child = Listed::start();
    assert_eq!(child.lines.iter().filter(|line| line.contains(r#""name":"some""#)).count(), 3);
    assert!(child.find("some", r#""value":"2""#).1.contains(r#""skipped":"`skip_if` says so""#));
    assert!(!child.find("some", r#""value":"1""#).1.contains("skipped"));
    assert!(child.find("some", r#""value":"3""#).1.contains(r#""skipped":"three""#));
    assert!(child.find("none", "").1.contains(r#""skipped":"it is declared with `skip`""#));
    assert!(child.find("later", "").1.contains(r#""skipped":"another day""#));
    for (name, why) in [("found", "not here"), ("none", "it is declared with `skip`")] {
        assert_eq!(child.open(name), format!(r#"{{"reply":"error","kind":"skipped","message":"{why}"}}"#));
    }
    let tested = out(&run("extent", &["some", "none", "found"]));
    for line in ["some/n=1 ... ok", "some/n=3 ... ignored, three", "found ... ignored, not here", "0 failed; 4 ignored"]
    {
        assert!(tested.contains(line), "{line:?} is not in\n{tested}");
    }
    let all = out(&run("extent", &["some", "--include-ignored"]));
    assert!(all.contains("some/n=3 ... ok"), "{all}");
    let ignored = out(&run("extent", &["--list", "--format", "terse", "--ignored"]));
    assert_eq!(
        ignored,
        "wanted/some/n=2: benchmark\nwanted/some/n=3: benchmark\nwanted/none: benchmark\nlater: benchmark\n",
        "{}",
        err(&run("extent", &["--list"]))
    );
}

#[test]
fn values_that_belong_together_stay_together() {
    let mut child = Listed::start();
    let rows: Vec<&String> = child.lines.iter().filter(|line| line.contains(r#""name":"row""#)).collect();
    assert_eq!(rows.len(), 4, "{rows:?}");
    let (index, _) = child.find("row", r#"[{"name":"n","value":"2","type":"integer"},{"name":"text","value":"two","type":"text"},{"name":"twice","value":"true""#);
    child.link.ask(&format!("open {index} 0"));
    assert!(child.link.ask("check").contains(r#""text":"twotwotwo""#));
    child.close();
    assert!(child.link.ask("set text x").contains("declared in rows with others"));
    assert_eq!(child.link.ask("set twice true"), r#"{"reply":"set","benchmarks":1}"#);
}

fn key_of(line: &str) -> &str {
    line.split(r#""key":""#).nth(1).and_then(|rest| rest.split('"').next()).expect("each line has one")
}

#[test]
fn a_benchmark_is_opened_by_its_key_whatever_the_order() {
    let mut first = Listed::start();
    for n in 1..=5 {
        let (index, line) = first.find("any_order", &format!(r#""value":"{n}""#));
        assert!(line.contains(&format!(r#""per_invocation":{n}"#)), "{line}");
        let mut child = Listed::start();
        assert!(child.link.ask(&format!("open {index} 0 {}", key_of(line))).contains("opened"));
        assert_eq!(child.check(), n);
        child.close();
    }
    for n in [9, 10, 100] {
        let (index, line) = first.find(&format!("at-{n}"), "");
        let opened = Listed::start().link.ask(&format!("open {index} 0 {}", key_of(line)));
        assert!(opened.contains(&format!("set-up of {n}\"")), "{opened}");
    }
    assert!(first.link.ask("open 0 0 none").contains("does not declare it"));
}

#[test]
fn threads_run_a_body_in_step() {
    let mut child = Listed::start();
    let (index, line) = child.find("plain", r#"{"name":"threads","value":"3","type":"integer"}"#);
    assert!(
        line.contains(r#""threads":3"#) && line.contains(r#""name":"calls","unit":"","per_invocation":3"#),
        "{line}"
    );
    child.link.ask(&format!("open {index} 0"));
    let before = child.check();
    child.link.ask("measure workload 2 37 5");
    assert_eq!(child.check() - before, 3 * (2 * 37 + 5) + 1);
    let before = child.check();
    child.link.ask("measure rolled 2 7 0 3");
    assert_eq!(child.check() - before, 3 * 2 * 7 * 3 + 1, "in windows");
    child.close();
    child.open("closure");
    child.link.ask("measure workload 1 100 0");
    assert_eq!(child.check(), 7 + 3 * 100 + 1, "the state is shared");
    child.close();
    assert!(child.open("stateful").contains("return `impl Fn() + Sync`"));
    child.open("panics");
    assert!(child.link.ask("measure workload 1 1 0").contains(r#""step":"body","message":"on a thread""#));
    child.close();
    assert!(child.find("zero", "").1.contains("`threads` is 0; it must be a whole number from 1 to 4096"));
}

#[test]
fn futures_are_awaited_as_often_as_they_are_asked_for() {
    let mut child = Listed::start();
    for name in ["function", "eaten", "lent", "method"] {
        assert!(child.open(name).contains(r#""opened""#), "{name}");
        let before = child.check();
        for (request, count) in
            [("workload 2 39 5", 83), ("rolled 3 5 0", 15), ("workload 1 6 0 3", 18), ("overhead 2 9 0", 0)]
        {
            let before = child.check();
            let reply = child.link.ask(&format!("measure {request}"));
            assert!(column(&reply, "elapsed_ns").iter().all(|ns| *ns > 0), "{reply}");
            assert_eq!(child.check() - before, count + 1, "{name}: {request}");
        }
        assert!(before > 0);
        child.close();
    }
}

#[test]
fn a_body_may_say_its_time() {
    let mut child = Listed::start();
    let (_, line) = child.find("said", "");
    assert!(line.contains(r#""own_time":true"#), "{line}");
    assert!(line.contains(r#""policy":{"visit_ns":3000000,"warmup_ns":0,"invocations":7}"#), "{line}");
    for (name, each) in [("said", 1000), ("said_by_closure", 10), ("said_by_method", 1)] {
        assert_eq!(child.open(name), r#"{"reply":"opened"}"#);
        let reply = child.link.ask("measure workload 2 37 5");
        assert_eq!(column(&reply, "elapsed_ns"), [37 * each; 2], "{reply}");
        let reply = child.link.ask("measure workload 1 5 0 3");
        assert_eq!(column(&reply, "window_ns"), [5 * each; 3], "{reply}");
        assert!(child.link.ask("check").contains(r#""text":null"#));
        child.close();
    }
}

#[test]
fn allocations_are_counted_exactly() {
    let mut child = Listed::start();
    // A vector grows to 4, 8, ... 1024 numbers, and each growth is one allocation of the new size.
    let known = [
        ("nothing", "", [0, 0, 0]),
        ("doubles", "", [9, 8 * 2044, 8192]),
        ("text", "\"15\"", [1, 15, 15]),
        ("text", "\"16\"", [1, 16, 16]),
    ];
    for (name, value, [allocations, bytes, peak]) in known {
        let (index, _) = child.find(name, value);
        child.link.ask(&format!("open {index} 0"));
        let reply = child.link.ask("diagnose memory 2 10 3");
        let expected = format!(
            r#"{{"reply":"diagnosed","metrics":{{"allocations":[{0},{0}],"allocated_bytes":[{1},{1}],"peak_bytes":[{2},{2}]}}}}"#,
            10 * allocations,
            10 * bytes,
            peak
        );
        assert_eq!(reply, expected, "{name}");
        child.close();
    }
    child.open("map");
    let reply = child.link.ask("diagnose memory 1 4 0");
    let (allocations, bytes) = (column(&reply, "allocations")[0], column(&reply, "allocated_bytes")[0]);
    assert_eq!((allocations, bytes / 4), (4, column(&reply, "peak_bytes")[0]), "{reply}");
    child.close();
}
