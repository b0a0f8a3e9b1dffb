//! Programs that speak the protocol, however they are started: a command with arguments, a script and its interpreter.

use crate::support::{children, json, out, reference, Place, SHORT};

/// A place with a program that needs its interpreter: it is not executable.
fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.told("bench.py", "bench sort/plain[n=10] 10\nbench sort/key[n=10] 10\nbench list/append 10\n");
    let text = place.read("bench.py");
    std::fs::remove_file(place.join("bench.py")).expect("removed");
    place.write("bench.py", &text);
    place
}

#[test]
fn a_command_behind_two_dashes_is_measured() {
    let place = place("command");
    let reported = place.ends_with(0, ["list", "--filter", "sort", "--", "sh", "bench.py"]);
    assert!(reported.contains("sort/plain[n=10]") && !reported.contains("list/append"), "{reported}");
    let measure = ["run", "--filter", "plain[n=10]"].iter().chain(&SHORT).chain(&["--", "sh", "bench.py", "--any"]);
    place.ends_with(0, measure);
    let run = place.run_json();
    let artifact = &run["artifacts"][0];
    assert_eq!((&artifact["name"], &artifact["toolchain"]), (&"bench.py".into(), &"command".into()), "{artifact}");
    assert_eq!(artifact["command"], serde_json::json!(["sh", "bench.py", "--any"]));
    place.ends_with(0, ["show", "latest"]);
    place.assert_nothing_left("a command");
}

#[test]
fn a_command_that_cannot_be_measured_says_why() {
    let place = Place::new("no-command");
    let reported = place.fails_with(102, ["run", "--", "true", "--any"]);
    assert!(reported.contains("`true`") && reported.contains("exited unexpectedly with status 0"), "{reported}");
    let reported = place.fails_with(2, ["run", "--", "no-such-program-of-anybody"]);
    assert!(reported.contains("program `no-such-program-of-anybody`"), "{reported}");
    place.write("plain.py", "print(1)\n");
    let reported = place.fails_with(2, ["run", "--", "./plain.py"]);
    assert!(
        reported.contains("`./plain.py` is not executable") && reported.contains("`chmod +x ./plain.py`"),
        "{reported}"
    );
}

#[test]
fn a_script_is_run_by_the_interpreter_of_its_suffix() {
    let place = place("interpreter");
    place.write("tare.toml", "[interpreters]\npy = \"sh -e\"\n");
    // A script of a folder that is no child is left alone.
    place.write("other.py", "raise SystemExit('never run')\n");
    for path in ["bench.py", "."] {
        let list = place.tare(["list", "--json", path]);
        assert!(list.status.success(), "{list:?}");
        let list: serde_json::Value = serde_json::from_str(&out(&list)).expect("JSON");
        assert_eq!(list["programs"].as_array().map(Vec::len), Some(1), "{list}");
        assert_eq!(list["programs"][0]["name"], "bench.py");
        assert_eq!(list["programs"][0]["child"]["language"], "c");
    }
    place.ends_with(0, ["run", "bench.py", "--filter", "plain[n=10]"].iter().chain(&SHORT));
    let command = place.run_json()["artifacts"][0]["command"].to_string();
    assert!(command.starts_with("[\"sh\",\"-e\",\"/") && command.contains("/bench.py"), "{command}");
    place.write("tare.toml", "[interpreters]\npy = \"\"\n");
    assert!(place.fails_with(2, ["list", "bench.py"]).contains("the interpreter of `py` is empty"));
}

/// `--param`: the list, every launch of a run, and both sides of a comparison go by the value that is given.
#[test]
fn parameters_are_set_from_outside() {
    let place = Place::new("param");
    let reported = place.ends_with(0, ["list", reference(), "--param", "n=5000", "--param", "n=12"]);
    for name in ["sum/loop[n=5000]", "sum/loop[n=12]", "sum/formula[n=5000]", "text/strlen"] {
        assert!(reported.contains(name), "{name}: {reported}");
    }
    assert!(!reported.contains("n=1000") && !reported.contains("n=10]"), "{reported}");
    place.ends_with(0, ["run", reference(), "--param", "n=5000", "--filter", "sum"].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["artifacts"][0]["given"], serde_json::json!([{"name": "n", "value": "5000"}]));
    let cases = run["plan"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 2, "{cases:?}");
    assert!(cases.iter().all(|case| case["benchmark"]["parameters"][0]["value"] == "5000"), "{cases:?}");
    // sum/loop and sum/formula return the same: each launch was given the value before it was opened.
    assert!(run["results"].as_array().expect("results").iter().all(|result| result["failure"].is_null()), "{run}");
    std::fs::copy(reference(), place.join("other")).expect("copied");
    let compare = ["compare", reference(), "./other", "--param", "n=77", "--filter", "sum/loop"];
    place.ends_with(0, compare.iter().chain(&SHORT));
    let compared = place.runs().into_iter().map(|folder| folder.join("run.json"));
    let compared = compared.map(|path| json(&std::fs::read_to_string(path).expect("run.json")));
    let sides = compared.flat_map(|run| run["plan"]["cases"].as_array().expect("cases").clone());
    let given = sides.filter(|case| case["benchmark"]["parameters"][0]["value"] == "77");
    assert_eq!(given.count(), 2, "both sides");
    place.assert_nothing_left("parameters");
}

#[test]
fn a_parameter_that_cannot_be_set_says_why() {
    let place = Place::new("no-param");
    let listed = format!("hint: list the parameters with their values: `tare list {}`", reference());
    for (arguments, reason) in [
        (["run", reference(), "--param", "n=twelve"], "`--param` of `n`: n is a whole number"),
        (["run", reference(), "--param", "m=1"], "no benchmark has a parameter `m`"),
        (["list", reference(), "--param", "m=1"], &listed),
        (["list", reference(), "--param", "n"], "write NAME=VALUE"),
    ] {
        let reported = place.fails_with(2, arguments);
        assert!(reported.contains(reason), "{reported}");
    }
    let output = place.tare(["list", "--param", "n=twelve", "--", reference()]);
    let hint = format!("hint: list the declared values: `tare list -- {}`", reference());
    assert!(crate::support::err(&output).contains(&hint), "{}", crate::support::err(&output));
    let misbehave = children().join("misbehave");
    let reported = place.fails_with(2, ["list", misbehave.to_str().expect("UTF-8"), "--param", "n=1"]);
    assert!(reported.contains("none of these programs accepts values"), "{reported}");
}
