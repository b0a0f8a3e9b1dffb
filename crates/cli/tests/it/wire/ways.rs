//! How a run is run and looked at: which benchmarks, in which order, again after each change, its log, views of it.

use crate::support::{err, out, signal, wait_until, Place};
use std::time::Duration;

/// Few launches, as fast as can be.
const SHORT: [&str; 5] = ["--quick", "--launches", "2", "--rounds", "4"];

/// Two benchmarks in categories, the slowest first: the time of the other is in a header.
const SOURCE: &str = "#include <tare.h>\n//bench g/b10 3000~40 \"categories\":[\"slow\",\"io\"]\n#include \"size.h\"\n";

fn place(name: &str) -> Place {
    let place = Place::with_stand_in(name);
    write_size(&place, 100);
    place.write("work.c", SOURCE);
    place
}

fn write_size(place: &Place, ns: u32) {
    place.write("size.h", &format!("//bench g/b9 {ns} \"categories\":[\"fast\",\"io\"]\n"));
}

fn rows(shown: &str) -> Vec<&str> {
    let names = shown.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| ["b9", "b10"].contains(name)).collect()
}

#[test]
fn a_run_is_selected_ordered_and_logged() {
    let place = place("ways");
    let fails = place.misbehave("abort@body");
    let output = place.tare(["run", "work.c", &fails, "--exclude", "fine", "--order", "fastest"].iter().chain(&SHORT));
    let (shown, said) = (out(&output), err(&output));
    assert_eq!((output.status.code(), rows(&shown)), (Some(100), vec!["b9", "b10"]), "{shown}{said}");
    assert!(said.contains("--log`"), "{said}");
    let show = |args: &[&str]| place.ends_with(0, ["show", "latest"].iter().chain(args));
    assert_eq!(rows(&show(&[])), ["b10", "b9"]);
    assert_eq!(rows(&show(&["--order", "slowest"])), ["b10", "b9"]);
    assert_eq!(rows(&show(&["--order", "name"])), ["b9", "b10"]);
    let log = show(&["--log"]);
    for words in [
        "work.c built by ",
        " of work.c:",
        "group/bad failed in the body",
        "| assertion failed: x > 0",
        "finished after",
    ] {
        assert!(log.contains(words), "{words}: {log}");
    }
    // The categories, without measuring anything.
    let list = |args: &[&str]| place.ends_with(0, ["list", "work.c"].iter().chain(args));
    assert_eq!(list(&["--category", "slow", "--category", "fast"]), "g/b10\ng/b9\n");
    assert_eq!(list(&["--all-categories", "io", "--all-categories", "fast"]), "g/b9\n");
    assert_eq!(list(&["--category", "io", "--exclude-category", "slow"]), "g/b9\n");
    let said = place.fails_with(4, ["list", "work.c", "--all-categories", "fats"]);
    assert!(said.contains("`--all-categories fats`") && said.contains("did you mean `fast`"), "{said}");
    place.assert_nothing_left("ways of running");
}

#[test]
fn a_watch_compares_each_change_with_what_was_before() {
    let place = place("watch");
    let job = "--job=own: -DOF_JOB=1 A=1";
    let mut child = place.start(["watch", "work.c", job, "--filter", "g/b9"].iter().chain(&SHORT));
    let rounds = |count: usize| {
        wait_until("a round is over", || place.read("stderr").matches("Ctrl-C ends").count() >= count);
        (place.read("stdout"), place.read("stderr"))
    };
    let (shown, _) = rounds(1);
    assert!(shown.contains("b9"), "{shown}");
    // A header that the source includes; the second write ends up with another time of the file.
    std::thread::sleep(Duration::from_millis(20));
    write_size(&place, 9000);
    let (shown, said) = rounds(2);
    assert!(said.contains("changed: `size.h`") && shown.contains("before") && shown.contains("g/b9"), "{shown}{said}");
    let of_job = shown.matches("own: flags=-DOF_JOB=1; env=A=1").count();
    assert_eq!(of_job, 2, "the first run and the comparison: {shown}");
    place.write("work.c", &format!("{SOURCE}#error no C at all\n"));
    let (_, said) = rounds(3);
    assert!(said.contains("error:"), "{said}");
    place.write("work.c", SOURCE);
    let (_, said) = rounds(4);
    assert!(said.contains("the programs are the same as before"), "{said}");
    signal("INT", &child.id().to_string());
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{}", place.read("stderr"));
    assert!(place.read("stderr").contains("note: stopped"));
    assert_eq!(place.runs().len(), 2, "the first run and the comparison");
    place.assert_nothing_left("a watch");
    let said = place.fails_with(2, ["watch", "not-there.c"]);
    assert!(said.contains("not-there.c"), "{said}");
}

#[test]
fn a_script_that_changes_is_compared_as_two_runs() {
    let place = Place::new("watch-script");
    let settings = "[interpreters]\npy = \"sh\"\n";
    place.write("tare.toml", settings);
    place.told("one.py", "bench sort/one 100\n");
    place.told("two.py", "bench sort/two 100\n");
    let mut child = place.start(["watch", ".", "--filter", "sort"].iter().chain(&SHORT));
    let rounds = |count: usize| {
        wait_until("a round is over", || place.read("stderr").matches("Ctrl-C ends").count() >= count);
        place.read("stderr")
    };
    rounds(1);
    for (round, name) in [(2, "one"), (3, "two")] {
        let name = format!("{name}.py");
        place.script(&name, &format!("{}# changed\n", place.read(&name)));
        let said = rounds(round);
        assert!(said.contains(&format!("changed: `{name}`")), "{said}");
        assert_eq!(said.matches("two consecutive runs are compared").count(), round - 1, "{said}");
    }
    // That only the first was measured again is no reason to lose what is known of the second.
    let shown = place.read("stdout");
    assert_eq!(shown.matches("before").count(), 2, "{shown}");
    place.told("three.py", "bench sort/three 100\n");
    let said = rounds(4);
    assert!(said.contains("this program is new"), "{said}");
    assert_eq!(said.matches("is gone").count(), 2, "a new program is none that is gone: {said}");
    place.write("tare.toml", &format!("{settings}[run]\nmin-effect = \"2%\"\n"));
    let said = rounds(5);
    assert!(said.contains("restart it to use"), "{said}");
    signal("INT", &child.id().to_string());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    place.assert_nothing_left("a watch of a script");
}
