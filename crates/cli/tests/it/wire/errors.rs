//! Every error of the command line, word for word, with its exit code.

use crate::support::{err, out, reference, Place, SHORT};

#[test]
fn wrong_flags_and_values() {
    let place = Place::new("errors");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    let id = place.only_run().file_name().expect("a name").to_string_lossy().into_owned();
    place.write("notes.txt", "no code\n");
    place.write("empty/readme.txt", "no code\n");
    place.write("scripts/bench.rb", "puts 1\n");
    let commands: &[&[&str]] = &[
        &["frobnicate"],
        &["rum", "x.cpp"],
        &["run", "--quik"],
        &["run", "--quick", "--long"],
        &["run", "--budget", "10"],
        &["run", "--budget", "10 parsecs"],
        &["run", "--budget", "0s"],
        &["run", "--budget"],
        &["run", "--precision", "0.5"],
        &["run", "--precision", "100%"],
        &["run", "--timeout", "soon"],
        &["run", "--timeout", "-1s"],
        &["run", "--launches", "0"],
        &["run", "--launches", "-3"],
        &["run", "--launches", "many"],
        &["run", "--launches", "113"],
        &["run", "--budget", "5s/benchmark"],
        &["run", "--rounds", "1"],
        &["run", "--invocations", "0"],
        &["run", "--seed", "-1"],
        &["run", "--seed", "0xgg"],
        &["run", "--format", "xml"],
        &["run", "--color", "sometimes"],
        &["run", "-v", "-q"],
        &["run", "--flags", "-O3 '-DX", "CHILD"],
        &["run", "--resume", "zz"],
        &["run", "--resume", "0123"],
        &["run", "--resume", "latest", "CHILD"],
        &["run", "--resume", "latest"],
        &["run", "CHILD", "-o", "result"],
        &["run", "CHILD", "-o", "result.pdf"],
        &["run", "nowhere.cpp"],
        &["run", "notes.txt"],
        &["run", "empty"],
        &["run", "scripts/bench.rb"],
        &["run", "scripts"],
        &["run", ""],
        &["list", "--tree", "--json"],
        &["list", "CHILD", "--filter", "strln"],
        &["list", "CHILD", "--category", "zebra"],
        &["show", "zebra"],
        &["show", "latest~7"],
        &["show", "latest~x"],
        &["show", "nowhere/run.json"],
        &["show", "./notes.txt"],
        &["show", "./empty"],
        &["show", "latest", "--md", "--csv"],
        &["clean", "--keep", "many"],
        &["time", "true", "--budget", "-1s"],
        &["time", "true", "--timeout", "-1s"],
        &["conformance"],
        &["conformance", "./nowhere"],
        &["help", "zebra"],
        &["help", "findigns"],
    ];
    let escape = err(&place.tare(["show", "./a\u{1b}[31mb"]));
    assert!(escape.starts_with("error: no run `./ab` in `"), "{escape}");
    let mut all = String::new();
    for command in commands {
        let output = place.tare(command.iter().map(|word| if *word == "CHILD" { reference() } else { word }));
        let reported = err(&output);
        assert!(reported.starts_with("error: ") || output.status.code() == Some(103), "{command:?}: {reported}");
        let reported = reported.replace(&id, "ID").replace(place.join("").to_str().expect("UTF-8"), "PLACE/");
        let reported = reported.replace(reference(), "CHILD");
        all += &format!(
            "$ tare {}\n{}{reported}(exit code {})\n\n",
            command.join(" "),
            out(&output),
            output.status.code().expect("a code")
        );
    }
    insta::assert_snapshot!(all);
    assert_eq!(place.runs().len(), 1, "nothing was measured");
}

/// What a file says is shown as text, wherever it is part of an error.
#[test]
fn control_characters_of_files_do_not_reach_the_terminal() {
    let place = Place::new("control");
    let is_clean = |words: &[&str]| {
        let output = place.tare(words);
        let said = err(&output);
        assert!(!output.status.success() || said.contains("warning: "), "{words:?}: {said}");
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{words:?}: {said:?}");
        said
    };
    let toml = "[run]\n\"\u{1b}[31mquick\u{7}\" = \"\u{1b}]0;title\u{7}\"\n";
    place.write("tare.toml", toml);
    assert!(is_clean(&["run", reference()]).contains("invalid configuration"), "the file is named");
    place.write("tare.toml", "[run]\nbudget = \"5 \\u001B[31mparsecs\"\n");
    is_clean(&["run", reference()]);
    std::fs::remove_file(place.join("tare.toml")).expect("removed");
    place.write(".tare/history.db", "SQLite format 3\0\u{1b}[31m damaged");
    is_clean(&["history"]);
    place.write("x.json", "{\"\u{1b}[31m\": [}");
    is_clean(&["compare", "x.json", "x.json"]);
}
