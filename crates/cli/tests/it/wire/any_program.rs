//! Programs that speak the protocol, however they are started: a command with arguments, a script and its interpreter.

use crate::support::{children, have, json, out, reference, skip, Place, SHORT};

fn has_python(test: &str) -> bool {
    if !have("python3") {
        skip(test, "python3 is not installed");
    }
    have("python3")
}

/// A place with the reference child in Python under another name.
fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.quick_python_child("bench.py");
    // Not executable: it needs its interpreter.
    let mut permissions = std::fs::metadata(place.join("bench.py")).expect("a file").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o644);
    std::fs::set_permissions(place.join("bench.py"), permissions).expect("set");
    place
}

#[test]
fn a_command_behind_two_dashes_is_measured() {
    if !has_python("a command behind two dashes") {
        return;
    }
    let place = place("command");
    let reported = place.ends_with(0, ["list", "--filter", "sort", "--", "python3", "bench.py"]);
    assert!(reported.contains("sort/Sort[n=10]") && !reported.contains("list/Append"), "{reported}");
    let measure = ["run", "--filter", "Sort[n=10]"].iter().chain(&SHORT).chain(&["--", "python3", "bench.py", "--any"]);
    place.ends_with(0, measure);
    let run = place.run_json();
    let artifact = &run["artifacts"][0];
    assert_eq!((&artifact["name"], &artifact["toolchain"]), (&"bench.py".into(), &"command".into()), "{artifact}");
    assert_eq!(artifact["command"], serde_json::json!(["python3", "bench.py", "--any"]));
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
    if !has_python("a script and its interpreter") {
        return;
    }
    let place = place("interpreter");
    // Python has a front end: one that speaks the protocol by itself is run without it.
    let reported = place.ends_with(0, ["list", "bench.py"]);
    assert!(reported.contains("sort/SortKey[n=1000]"), "{reported}");
    std::fs::write(place.join("tare.toml"), "[interpreters]\npy = \"python3 -B\"\n").expect("written");
    // A script of a folder that is no child is left alone.
    std::fs::write(place.join("other.py"), "raise SystemExit('never run')\n").expect("written");
    for path in ["bench.py", "."] {
        let list = place.tare(["list", "--json", path]);
        assert!(list.status.success(), "{list:?}");
        let list: serde_json::Value = serde_json::from_str(&out(&list)).expect("JSON");
        assert_eq!(list["programs"].as_array().map(Vec::len), Some(1), "{list}");
        assert_eq!(list["programs"][0]["name"], "bench.py");
        assert_eq!(list["programs"][0]["child"]["language"], "python");
    }
    place.ends_with(0, ["run", "bench.py", "--filter", "Sort[n=10]"].iter().chain(&SHORT));
    let command = place.run_json()["artifacts"][0]["command"].to_string();
    assert!(command.starts_with("[\"python3\",\"-B\",\"/") && command.contains("/bench.py"), "{command}");
    std::fs::write(place.join("tare.toml"), "[interpreters]\npy = \"\"\n").expect("written");
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
