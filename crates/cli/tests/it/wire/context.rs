//! What programs and the user say of a run: above the table, in files, and in what is shown later.

use crate::support::{err, json, Place};

/// A program that says what it works on.
fn child(place: &Place, name: &str, context: &str) {
    place.told(name, &format!("hello \"context\":{context}\nbench bytes/sum 10\n"));
}

#[test]
fn what_is_said_of_a_run_stays_with_it() {
    let place = Place::new("context");
    child(&place, "a", r#"[{"name": "data", "value": "big.txt"}, {"name": "seed", "value": "42"}]"#);
    child(&place, "b", r#"[{"name": "data", "value": "small.txt"}, {"name": "seed", "value": "42"}]"#);
    let args = ["run", "./a", "./b", "--quick", "--launches", "2", "--rounds", "3"];
    let files = ["-o", "r.json", "-o", "r.csv", "-o", "g.google-benchmark.json"];
    let given = ["--context", "ticket=A, 1", "--context", "seed=7"];
    let screen = place.ends_with(0, args.iter().chain(&given).chain(&files));
    let line = "with  data = big.txt (a); ticket = A, 1; seed = 7; data = small.txt (b)\n";
    assert!(screen.contains(line), "{screen}");
    assert!(place.ends_with(0, ["show", "latest"]).contains(line));
    assert!(place.ends_with(0, ["show", "latest", "--md"]).contains("ticket = A, 1"));
    let report = json(&place.read("r.json"));
    let first = &report["report"]["programs"][0]["context"];
    assert_eq!(first[0], json(r#"{"name": "data", "value": "big.txt"}"#), "{first}");
    assert_eq!(first[2], json(r#"{"name": "seed", "value": "7"}"#), "{first}");
    let table = place.read("r.csv");
    assert!(table.contains(",\"data=small.txt; ticket=A, 1; seed=7\","), "{table}");
    let context = json(&place.read("g.google-benchmark.json"))["context"].clone();
    assert_eq!((&context["ticket"], &context["data (b)"]), (&json("\"A, 1\""), &json("\"small.txt\"")), "{context}");
    // The same of every program stands once, and a comparison says it of its sides.
    let sides = ["compare", "./a", "./b", "--quick", "--launches", "2", "--rounds", "3"];
    let screen = place.ends_with(0, sides.iter().chain(&["-o", "c.json"]));
    assert!(screen.contains("with  data = big.txt (./a); seed = 42; data = small.txt (./b)"), "{screen}");
    let said = json(&place.read("c.json"))["context"].clone();
    assert_eq!(said[0], json(r#"{"name": "data", "value": "big.txt", "of": "./a"}"#), "{said}");
    assert_eq!(said[1], json(r#"{"name": "seed", "value": "42"}"#), "{said}");
    for (words, part) in [
        (&["--context", "ticket"][..], "write NAME=VALUE, such as 'data=big.txt'"),
        (&["--context", "=x"], "write NAME=VALUE"),
        (&["--context", "a=1", "--context", "a=2"], "`--context a=...` is given twice"),
    ] {
        let refused = place.fails_with(2, ["run", "./a"].iter().chain(words));
        assert!(refused.contains(part), "{part}: {refused}");
    }
    let screen = place.ends_with(0, ["time", "--quick", "-N", "true", "--context", "ticket=A1"]);
    assert!(screen.contains("with  ticket = A1\n"), "{screen}");
    place.assert_nothing_left("what is said of a run");
}

/// A child that breaks the rule is a failure of its front end, by name.
#[test]
fn a_name_that_is_said_twice_is_refused() {
    let place = Place::new("context twice");
    child(&place, "a", r#"[{"name": "data", "value": "1"}, {"name": "data", "value": "2"}]"#);
    let said = err(&place.tare(["run", "./a"]));
    assert!(said.contains("`context` must have each name once"), "{said}");
}
