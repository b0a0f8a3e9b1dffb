//! From a program or a source to a table: found, built, listed, measured, kept. A stand-in plays the compiler.

use crate::support::{err, json, out, reference, Place, SHORT};

const TWO: &str = "#include <tare.h>\n\
    //bench parse/strtol 30 \"baseline\":true,\"categories\":[\"c\"]\n\
    //bench parse/atoi 20 \"categories\":[\"c\",\"short\"]\n";

#[test]
fn a_folder_is_built_once_for_each_compiler() {
    let place = Place::with_stand_in("folder");
    place.write("code/two.cpp", TWO);
    place.write("code/deep/one.c", "#include <tare.h>\n//bench deep/one 10\n");
    place.write("code/other.cpp", "int main() {}\n");
    let cache = place.join("cache");
    let run = |more: &[&str]| {
        let mut command = place.command(["run", "code"]);
        let output = command.args(SHORT).args(more).env("XDG_CACHE_HOME", &cache).output().expect("tare runs");
        (output.status.code(), err(&output))
    };
    let (code, reported) = run(&[]);
    assert!(code == Some(0) && reported.contains("built two.cpp in ") && reported.contains("built "), "{reported}");
    let document = place.run_json();
    let names: Vec<&str> = document["plan"]["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| case["benchmark"]["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["one", "strtol", "atoi"], "{reported}");
    // What was built is run again without a compiler; another compiler builds anew.
    let (code, reported) = run(&[]);
    assert!(code == Some(0) && !reported.contains("built "), "{reported}");
    let (code, reported) = run(&["--cc", "false"]);
    assert!(code == Some(101) && reported.contains("could not build"), "{reported}");
    place.assert_nothing_left("a run");
}

#[test]
fn lists_flat_as_a_tree_and_for_programs() {
    let place = Place::with_stand_in("list");
    place.write("hello.c", TWO);
    assert_eq!(place.ends_with(0, ["list", "hello.c"]), "parse/strtol\nparse/atoi\n");
    assert_eq!(
        place.ends_with(0, ["list", "hello.c", "--tree"]),
        "hello.c  c\n╰─ parse\n   ├─ strtol  base  categories: c\n   ╰─ atoi  categories: c, short\n"
    );
    assert_eq!(
        place.ends_with(0, ["list", "hello.c", "--tree", "--ascii"]),
        "hello.c  c\n`- parse\n   |- strtol  base  categories: c\n   `- atoi  categories: c, short\n"
    );
    let list = json(&place.ends_with(0, ["list", "hello.c", "--json"]));
    assert_eq!((&list["format"], &list["version"]), (&"tare-list".into(), &"1.0".into()));
    let benchmark = &list["programs"][0]["benchmarks"][1];
    assert_eq!((&benchmark["group"], &benchmark["name"]), (&"parse".into(), &"atoi".into()));
    assert_eq!(benchmark["categories"], json(r#"["c", "short"]"#));
    assert_eq!(list["programs"][0]["child"]["language"], "c");
    // Several programs: the name of each stands beside.
    let both = place.ends_with(0, ["list", "hello.c", reference(), "--filter", "*str*"]);
    assert_eq!(both, "parse/strtol  hello.c\ntext/strlen   reference-child\n");
    assert!(place.runs().is_empty(), "a list measures nothing");
}

#[test]
fn filters_exclusions_and_categories() {
    let place = Place::with_stand_in("filters");
    place.write("hello.c", TWO);
    let list = |args: &[&str]| place.ends_with(0, ["list", "hello.c", reference()].iter().chain(args));
    let first = |args: &[&str]| -> Vec<String> {
        list(args).lines().map(|l| l.split("  ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(first(&["--filter", "loop"]), ["sum/loop[n=10]", "sum/loop[n=1000]"]);
    assert_eq!(first(&["--filter", "sum/*[n=10]"]), ["sum/loop[n=10]", "sum/formula[n=10]"]);
    assert_eq!(first(&["--filter", "atoi", "--filter", "*len"]), ["parse/atoi", "text/strlen"]);
    assert_eq!(first(&["--filter", "p?rse/*", "--exclude", "*atoi"]), ["parse/strtol"]);
    assert_eq!(first(&["--category", "short"]), ["parse/atoi"]);
    assert_eq!(first(&["--category", "c", "--exclude", "atoi"]), ["parse/strtol"]);
    // A run measures what a list shows.
    place.ends_with(0, ["run", "hello.c", "--category", "short"].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["plan"]["cases"].as_array().expect("cases").len(), 1);
}

#[test]
fn nothing_that_fits_gives_the_nearest_names() {
    let place = Place::new("nothing");
    let listed = format!("hint: list the benchmarks: `tare list {}`\n", reference());
    for (args, hint) in [
        (&["--filter", "strlne"][..], "hint: did you mean `text/strlen`?\n"),
        (&["--filter", "sum/lop*"], "hint: did you mean `sum/loop[n=10]` and `sum/loop[n=1000]`?\n"),
        (&["--filter", "qqqqqqqqqq"], &listed),
        (&["--category", "qqqq"], &listed),
    ] {
        for verb in ["run", "list"] {
            let output = place.tare([verb, reference()].iter().chain(args));
            let reported = err(&output);
            assert_eq!((output.status.code(), out(&output).as_str()), (Some(4), ""), "{reported}");
            assert!(reported.starts_with("error: none of 5 benchmarks matches `--"), "{reported}");
            assert!(reported.ends_with(hint), "{reported}");
        }
    }
    assert!(!place.join(".tare").exists());
}

#[test]
fn what_cannot_be_built_is_told_and_the_rest_is_measured() {
    let place = Place::with_stand_in("broken");
    place.write("good.c", TWO);
    place.write("bad.cpp", "#include <tare.h>\n#error no semicolon\n");
    let output = place.tare(["run", "bad.cpp"]);
    let reported = err(&output);
    assert_eq!((output.status.code(), out(&output)), (Some(101), String::new()), "{reported}");
    assert!(reported.starts_with("error: could not build `bad.cpp`: "), "{reported}");
    // The compiler's own words, with the place.
    assert!(reported.contains("\n    bad.cpp:2:2: error: #error no semicolon"), "{reported}");
    // Where the text tells what is missing, so does the hint.
    place.write("header.cpp", "#include <tare.h>\n#include \"nowhere.h\"\n");
    let output = place.tare(["run", "header.cpp"]);
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(101), "{reported}");
    assert!(reported.contains("error: ") && reported.contains("\n\nhint: "), "{reported}");
    assert!(!place.join(".tare").exists());
    let both = place.tare(["run", "bad.cpp", "good.c"].iter().chain(&SHORT));
    assert_eq!(both.status.code(), Some(101));
    assert!(out(&both).contains("strtol") && err(&both).contains("could not build `bad.cpp`"));
}

#[test]
fn a_program_that_is_no_child_is_named() {
    let place = Place::new("no-child");
    let scripts = [
        ("quiet", "#!/bin/sh\nexit 0\n", "exited unexpectedly with status 0"),
        ("loud", "#!/bin/sh\necho I am a calculator\nexit 3\n", "I am a calculator"),
        ("deaf", "#!/bin/sh\nsleep 600\n", "did not answer within"),
        (
            "chatty",
            "#!/bin/sh\necho hello >&4\nsleep 600\n",
            "R7: a reply is not a JSON object|R5: it wrote before the first request: `hello`",
        ),
    ];
    for (name, text, word) in scripts {
        let program = place.script(name, text);
        // All but one answer at once, or end.
        let timeout = if name == "deaf" { "0.2s" } else { "100s" };
        for verb in ["run", "list"] {
            let output = place.tare([verb, &program, "--timeout", timeout]);
            let reported = err(&output);
            assert_eq!((output.status.code(), out(&output).as_str()), (Some(102), ""), "{reported}");
            assert!(reported.starts_with(&format!("error: cannot list the benchmarks of `{name}`")), "{reported}");
            // What comes unasked may be there before the request or after it.
            let is_named = word.split('|').any(|word| reported.contains(word));
            assert!(is_named && reported.contains("command: `") && reported.contains("hint: "), "{reported}");
            assert!(reported.contains(&format!("tare conformance {program}")), "{reported}");
        }
    }
    place.assert_nothing_left("programs that are no children");
}

#[test]
fn flags_of_cargo_need_a_package() {
    let place = Place::new("no-package");
    place.write("a.cpp", "#include <tare.h>\n");
    let output = place.tare(["run", ".", "--features", "x"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(
        err(&output).contains("`--features` applies to Cargo packages, and there is none here"),
        "{}",
        err(&output)
    );
}
