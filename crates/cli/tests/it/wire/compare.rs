//! `tare compare`, the gate and baselines by the real binary, on a git repository of one C file, which a stand-in for the compiler builds. The
//! benchmarks tell their times.

use crate::support::{err, git_in, have, out, skip};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const FIRST: &str = "#include <tare.h>\n//bench mix/short 100\n//bench mix/steady 150\n//bench mix/old 50\n";

/// A repository with a tag `base` and a commit after it.
struct Place {
    folder: crate::support::Place,
}

impl Place {
    /// None where git is missing.
    fn new(name: &str) -> Option<Place> {
        if !have("git") {
            skip(name, "`git` is not installed");
            return None;
        }
        let place = Place { folder: crate::support::Place::with_stand_in(&format!("compare-{name}")) };
        fs::create_dir(place.repo()).expect("a folder");
        place.git(&["init", "--quiet", "-b", "main", "."]);
        place.commit(FIRST);
        place.git(&["tag", "base"]);
        place.commit(&FIRST.replace("short 100", "short 400").replace("mix/old", "mix/new"));
        Some(place)
    }

    fn repo(&self) -> PathBuf {
        self.folder.join("repo")
    }

    fn write(&self, source: &str) {
        fs::write(self.repo().join("bench.c"), source).expect("a file");
    }

    fn commit(&self, source: &str) {
        self.write(source);
        self.git(&["add", "bench.c"]);
        // A commit of its own: tests share a cache, and a checkout there goes by the commit.
        self.git(&["commit", "--quiet", "-m", &format!("a change in {}", self.folder.join("").display())]);
    }

    fn git(&self, args: &[&str]) -> String {
        git_in(&self.folder, args)
    }

    fn tare(&self, args: &[&str]) -> Output {
        self.folder.command(args).current_dir(self.repo()).output().expect("tare runs")
    }

    /// What git knows of the user's files, refs and worktrees.
    fn state(&self) -> String {
        ["status --porcelain --ignored", "worktree list", "for-each-ref", "stash list", "log --oneline"]
            .map(|line| self.git(&line.split(' ').collect::<Vec<_>>()))
            .join("\n")
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn what_is_slower_fails_the_gate() {
    let Some(place) = Place::new("slower") else { return };
    fs::create_dir(place.repo().join(".tare")).expect("a folder");
    fs::write(place.repo().join(".tare/.gitignore"), "*\n").expect("a file");
    let before = place.state();
    let args = [
        "compare",
        "base",
        "HEAD",
        "--layouts",
        "1",
        "--fail-on",
        "slower:3%",
        "-o",
        "../c.md",
        "-o",
        "../c.json",
        "-o",
        "../c.csv",
        "-o",
        "../c.txt",
    ];
    let compared = place.tare(&args);
    let (text, said) = (out(&compared), err(&compared));
    assert_eq!(code(&compared), Some(10), "{text}\n{said}");
    assert!(text.starts_with("SLOWER  1 of 2 benchmarks\n"), "{text}");
    assert!(text.contains("\nslower (1)") && text.contains("\n  mix/short "), "{text}");
    assert!(text.contains("only in base (1)\n  mix/old\nonly in new (1)\n  mix/new\n"), "{text}");
    assert!(said.contains("error: the gate failed\n  mix/short: slower:3%: ratio "), "{said}");
    assert_eq!(place.state(), before, "the user's files, refs and worktrees are as they were");
    assert_eq!(out(&place.tare(&["show", "latest"])), text, "a stored comparison is printed again, byte for byte");
    assert_eq!(out(&place.tare(&["show"])), text, "the latest is what is shown where nothing is named");
    assert_eq!(code(&place.tare(&["show", "latest"])), Some(0), "who looks is not judged");
    let ordered = place.tare(&["show", "latest", "--order", "fastest"]);
    assert!(code(&ordered) == Some(0) && err(&ordered).contains("no effect on a comparison"), "{}", err(&ordered));
    assert_eq!(code(&place.tare(&["show", "latest", "--fail-on", "slower"])), Some(10));
    let gone = place.tare(&["show", "latest", "--fail-on", "faster", "-q"]);
    assert_eq!(code(&gone), Some(11), "{}", err(&gone));
    assert!(err(&gone).contains("mix/old: faster: it is missing on the new side"), "{}", err(&gone));
    let read = |name: &str| fs::read_to_string(place.folder.join(name)).expect(name);
    assert!(read("c.md").starts_with("### SLOWER: 1 of 2 benchmarks; the gate failed\n"), "{}", read("c.md"));
    assert!(read("c.md").contains("**The gate failed**\n\n- mix/short: slower:3%: ratio "), "{}", read("c.md"));
    let of_text = read("c.txt");
    assert!(
        of_text.starts_with(&text) && of_text.contains("\n\nthe gate failed\n  mix/short: slower:3%: ratio "),
        "{of_text}"
    );
    assert!(read("c.json").contains("\"exit_code\": 10"), "{}", read("c.json"));
    assert_eq!(read("c.csv").lines().count(), 5, "{}", read("c.csv"));
    assert_eq!(code(&place.tare(&["baseline", "set", "before"])), Some(0));
    let refused = place.tare(&["compare", "before", "latest"]);
    assert!(code(&refused) == Some(2) && err(&refused).contains("is itself a comparison"), "{}", err(&refused));
}

#[test]
fn the_same_code_is_neither_slower_nor_faster() {
    let Some(place) = Place::new("same") else { return };
    let rules = "slower:3%,faster:3%";
    let args = ["compare", "HEAD", "HEAD", "--layouts", "1", "--filter", "mix/steady", "--fail-on", rules];
    let compared = place.tare(&args);
    assert_eq!(code(&compared), Some(0), "{}\n{}", out(&compared), err(&compared));
    assert!(err(&compared).contains("note: the code layout cannot be varied"), "{}", err(&compared));
    assert!(out(&compared).contains("minimum effect 3 %"), "{}", out(&compared));
    assert!(err(&compared).contains("note: both sides are commit `"), "{}", err(&compared));
    // The change is elsewhere.
    fs::write(place.repo().join("more.txt"), "more\n").expect("a file");
    place.git(&["add", "more.txt"]);
    let args = ["compare", "HEAD", "bench.c", "--layouts", "1", "--filter", "mix/steady", "--quick"];
    let compared = place.tare(&args);
    assert_eq!(code(&compared), Some(0), "{}\n{}", out(&compared), err(&compared));
    assert!(err(&compared).contains("note: both sides are the same program, byte for byte"), "{}", err(&compared));
}

#[test]
fn a_renamed_benchmark_is_compared_and_uncommitted_work_is_a_side() {
    let Some(place) = Place::new("renamed") else { return };
    place.write(&FIRST.replace("mix/old", "mix/newest"));
    let args =
        ["compare", "base", "--layouts", "1", "--quick", "--filter", "mix/newest", "--rename", "mix/old=mix/newest"];
    let compared = place.tare(&args);
    let text = out(&compared);
    assert_eq!(code(&compared), Some(0), "{text}\n{}", err(&compared));
    assert!(text.contains("1 benchmark compared") && !text.contains("only in"), "{text}");
    assert!(text.contains("new   worktree  ") && text.contains(" with changes\n"), "{text}");
    assert!(!err(&compared).contains("both sides are commit"), "{}", err(&compared));
    let without = place.tare(&["compare", "base", "--layouts", "1", "--quick", "--filter", "mix/newest"]);
    assert_eq!(code(&without), Some(4), "{}", err(&without));
}

#[test]
fn a_build_that_breaks_names_its_side() {
    let Some(place) = Place::new("broken") else { return };
    place.commit("#include <tare.h>\n#error nothing\n");
    for sides in [["base", "HEAD"], ["base...HEAD", "bench.c"]] {
        let compared = place.tare(&[&["compare"], &sides[..], &["--layouts", "1", "--quick"]].concat());
        assert_eq!(code(&compared), Some(101), "{}", err(&compared));
        assert!(err(&compared).contains("error: side `HEAD`: could not build `bench.c`"), "{}", err(&compared));
        assert_eq!(out(&compared), "");
    }
}

#[test]
fn saved_runs_have_names_and_are_compared_as_far_as_they_carry() {
    let Some(place) = Place::new("saved") else { return };
    let run = ["run", "bench.c", "--filter", "mix/steady", "--launches", "4", "--rounds", "8"];
    assert_eq!(code(&place.tare(&run)), Some(0));
    let set = place.tare(&["baseline", "set", "before"]);
    assert!(code(&set) == Some(0) && out(&set).starts_with("before is run "), "{}", err(&set));
    assert_eq!(code(&place.tare(&["show", "before"])), Some(0));
    assert_eq!(code(&place.tare(&run)), Some(0));
    // Two sessions decide no small change, however alike they are.
    let compared = place.tare(&["compare", "before", "latest", "--threshold", "90%", "--fail-on", "slower,faster"]);
    assert_eq!(code(&compared), Some(0), "{}\n{}", out(&compared), err(&compared));
    assert!(out(&compared).contains("how   two saved sessions"), "{}", out(&compared));
    let mixed = place.tare(&["compare", "before", "worktree"]);
    assert!(
        code(&mixed) == Some(2) && err(&mixed).contains("is a saved result and `worktree` still has to run"),
        "{}",
        err(&mixed)
    );
    assert!(err(&mixed).contains("measure first: `tare run`, then `tare compare before latest`"), "{}", err(&mixed));
    let mut clean = place.folder.clean(&["--keep", "0"]);
    assert!(
        out(&clean.current_dir(place.repo()).output().expect("tare runs")).starts_with("deleted 1 run: "),
        "a baseline is kept"
    );
    assert!(out(&place.tare(&["baseline", "list"])).starts_with("before  "));
    assert_eq!(code(&place.tare(&["baseline", "remove", "before"])), Some(0));
    assert_eq!(code(&place.tare(&["baseline", "remove", "before"])), Some(2));
    assert_eq!(code(&place.tare(&["baseline", "set", "beef"])), Some(2));
    // Names that git knows too: branch, tag, and one that is neither.
    for (name, revision) in [("main", "refs/heads/main"), ("base", "refs/tags/base"), ("HEAD", "HEAD~0")] {
        let set = place.tare(&["baseline", "set", name]);
        assert!(
            code(&set) == Some(0) && err(&set).contains(&format!("`{name}` is also a git revision")),
            "{}",
            err(&set)
        );
        let compared = place.tare(&["compare", name, "latest"]);
        let hint = format!("write `run:{name}` for the baseline or `{revision}` for the git revision");
        assert!(err(&compared).contains(&format!("`{name}` is a baseline and a git revision")), "{}", err(&compared));
        assert!(code(&compared) == Some(2) && err(&compared).contains(&hint), "{}", err(&compared));
        place.git(&["rev-parse", "--verify", "--quiet", revision]);
    }
}

#[test]
fn flags_that_say_nothing_of_a_comparison_are_refused() {
    let Some(place) = Place::new("meaningless") else { return };
    for (flags, text) in [
        (["--precision", "1%"], "unexpected argument '--precision'"),
        (["--launches", "1"], "at least 2 launches per side"),
        (["--launches", "01"], "at least 2 launches per side"),
        (["--launches", "225"], "it must be a whole number from 1 to 224"),
    ] {
        let refused = place.tare(&["compare", "base", "HEAD", flags[0], flags[1]]);
        assert!(code(&refused) == Some(2) && err(&refused).contains(text), "{}", err(&refused));
    }
}

#[test]
fn limits_are_judged() {
    let Some(place) = Place::new("limits") else { return };
    let run = ["run", "bench.c", "--filter", "mix/steady", "--launches", "4", "--rounds", "8"];
    let limit =
        |text: &str| fs::write(place.repo().join("tare.toml"), format!("[limits]\n\"*\" = {text}\n")).expect("a file");
    limit("{ time = \"1 s\" }");
    let kept = place.tare(&run);
    assert_eq!(code(&kept), Some(0), "{}", err(&kept));
    limit("{ allocations = 3 }");
    let uncounted = place.tare(&run);
    assert_eq!(code(&uncounted), Some(11), "{}", err(&uncounted));
    assert!(err(&uncounted).contains("nothing counted it"), "{}", err(&uncounted));
    let counting = place.folder.misbehave("metrics");
    let counted = place.tare(&["run", &counting, "--quick", "--launches", "4", "--rounds", "8"]);
    assert_eq!(code(&counted), Some(0), "{}", err(&counted));
    limit("{ time = \"0.001 ns\" }");
    let passed = place.tare(&run);
    assert_eq!(code(&passed), Some(10), "{}", err(&passed));
    assert!(err(&passed).contains("mix/steady: time <= 0.001 ns: "), "{}", err(&passed));
    assert_eq!(code(&place.tare(&["show", "latest"])), Some(0));
    assert_eq!(code(&place.tare(&["show", "latest", "--fail-on", "limit"])), Some(10));
    limit("{ tmie = \"1 s\" }");
    let wrong = place.tare(&run);
    assert!(code(&wrong) == Some(2) && err(&wrong).contains("tmie"), "{}", err(&wrong));
}

#[test]
fn mistakes_are_told_before_anything_is_built() {
    let Some(place) = Place::new("mistakes") else { return };
    fs::create_dir(place.repo().join("main")).expect("a folder");
    for (args, status, word) in [
        (&["compare"][..], 2, "<BASE>"),
        (&["compare", "bsae"], 2, "base"),
        (&["compare", "main"], 2, "refs/heads/main"),
        (&["compare", "bench.c"], 2, "`tare compare HEAD bench.c`"),
        (&["compare", "."], 2, "compared with itself"),
        (&["compare", "base", "HEAD", "--fail-on", "slow"], 2, "`slower:3%`"),
        (&["compare", "base", "HEAD", "no.cpp"], 2, "no.cpp"),
        (&["compare", "base", "HEAD", "--rename", "a"], 2, "OLD=NEW"),
        (&["compare", "bench.c", "bench.c", "more.cpp"], 2, "a single file"),
        (&["compare", "--resume", "ff"], 2, "no run `ff`"),
        (&["compare", "base", "HEAD", "-o", "x.doc"], 2, "is not an output format"),
        (&["compare", "base", "HEAD", "--fail-on", "slower:0.5%"], 2, "add `--min-effect 0.5%`"),
    ] {
        let output = place.tare(args);
        assert_eq!(code(&output), Some(status), "{args:?}: {}", err(&output));
        assert!(err(&output).starts_with("error: ") && err(&output).contains(word), "{args:?}: {}", err(&output));
        assert_eq!(out(&output), "", "{args:?}");
    }
    let fine = place.tare(&["compare", "base", "HEAD", "--layouts", "1", "--fail-on", "slower:2%"]);
    assert_eq!(code(&fine), Some(2), "{}", err(&fine));
    assert!(err(&fine).contains("is below the minimum effect of 3 %"), "{}", err(&fine));
    // Three on each side, two of them on both.
    let none = place.tare(&["compare", "base", "HEAD", "--layouts", "1", "--filter", "zebra*"]);
    assert_eq!(code(&none), Some(4), "{}", err(&none));
    assert!(err(&none).contains("none of 4 benchmarks matches"), "{}", err(&none));
}

#[test]
fn a_value_of_a_parameter_is_a_baseline() {
    let Some(place) = Place::new("parameter") else { return };
    place.folder.told("repo/chain", "bench chain/run[n=10] 10\nbench chain/run[n=40] 40\n");
    let run = ["run", "./chain", "--launches", "4", "--rounds", "8", "--baseline", "n=10", "--fail-on", "slower"];
    let compared = place.tare(&run);
    assert_eq!(code(&compared), Some(10), "{}\n{}", out(&compared), err(&compared));
    assert!(out(&compared).contains("1.00  base") && out(&compared).contains(" slower "), "{}", out(&compared));
    let none = place.tare(&["run", "./chain", "--baseline", "n=11"]);
    assert!(
        code(&none) == Some(2) && err(&none).contains("no benchmark has `n=11` and another value"),
        "{}",
        err(&none)
    );
}

#[test]
fn a_benchmark_is_a_baseline_by_its_name() {
    let Some(place) = Place::new("by-name") else { return };
    place.folder.told("repo/chain", "bench chain/few 50\nbench chain/many 500\nbench other/alone 1\n");
    let run = |more: &[&str]| {
        place.tare(&[&["run", "./chain", "--filter", "chain/*", "--launches", "4", "--rounds", "4"], more].concat())
    };
    let plain = run(&[]);
    assert_eq!(code(&plain), Some(0), "{}", err(&plain));
    assert!(err(&plain).contains("note: no baseline is declared; to compare: `--baseline few`"), "{}", err(&plain));
    for name in ["few", "chain/few"] {
        let compared = run(&["--baseline", name]);
        assert_eq!(code(&compared), Some(0), "{}", err(&compared));
        let shown = out(&compared);
        let base = shown.lines().find(|line| line.trim_start().starts_with("few ")).unwrap_or_default();
        assert!(base.contains("1.00 ") && base.contains(" base"), "{shown}");
        assert!(!err(&compared).contains("to compare:"), "{}", err(&compared));
    }
    for (baseline, what, hint) in [
        ("fwe", "no benchmark is called `fwe`", "did you mean `--baseline few`?"),
        ("zzzzzz", "no benchmark is called `zzzzzz`", "name one of `few` and `many`"),
        ("chain=many", "no benchmark has a parameter `chain`", "did you mean `--baseline many`?"),
    ] {
        let refused = run(&["--baseline", baseline]);
        assert_eq!(code(&refused), Some(2), "{}", err(&refused));
        assert!(err(&refused).contains(what) && err(&refused).contains(hint), "{}", err(&refused));
    }
    let alone = place.tare(&["run", "./chain", "--baseline", "alone"]);
    assert!(err(&alone).contains("`alone` is the only benchmark of its group"), "{}", err(&alone));
}

/// The translation of a program into another language returns something else.
#[test]
fn contestants_with_different_results_fail_the_gate_that_asks_for_it() {
    let place = crate::support::Place::new("different");
    place.told(
        "two",
        "bench sort/right 10 \"baseline\":true | \"result\":\"42\"\nbench sort/wrong 10 | \"result\":\"43\"\n",
    );
    let output = place.tare(["run", "./two", "--fail-on", "different", "--quick", "--launches", "2", "--rounds", "3"]);
    assert_eq!(output.status.code(), Some(10), "{}{}", out(&output), err(&output));
    let said = format!("{}{}", out(&output), err(&output));
    assert!(said.contains("different: returned `43`, the baseline returned `42`"), "{said}");
}

const OTHER: &str = "#include <tare.h>\n//bench other/one 1\n";

#[test]
fn what_one_side_cannot_build_is_a_failure_and_not_one_sided() {
    let Some(place) = Place::new("unbuilt") else { return };
    fs::write(place.repo().join("other.c"), OTHER).expect("a file");
    place.git(&["add", "other.c"]);
    place.git(&["commit", "--quiet", "-m", "another"]);
    fs::write(place.repo().join("other.c"), format!("{OTHER}#error retrun\n")).expect("a file");
    let args = ["compare", "HEAD", "worktree", "bench.c", "other.c"];
    let quick =
        ["--quick", "--layouts", "1", "--launches", "4", "--filter", "mix/steady", "--filter", "other", "-o", "c.md"];
    let compared = place.tare(&[&args[..], &quick].concat());
    let (text, said) = (out(&compared), err(&compared));
    assert_eq!(code(&compared), Some(101), "{text}\n{said}");
    assert!(said.contains("error: side `worktree`: could not build `other.c`") && said.contains("retrun"), "{said}");
    assert!(text.contains("not measured (1)\n  other/one\n") && !text.contains("only in"), "{text}");
    assert!(text.contains("error: other.c of `worktree`  could not be built: ") && text.contains("retrun"), "{text}");
    assert!(text.contains("mix/steady") || text.contains("same 1") || text.contains("unclear 1"), "{text}");
    let last = text.lines().last().expect("a line");
    assert!(!last.contains("c.md"), "a command that measures again writes over nothing: {last}");
    assert_eq!(out(&place.tare(&["show", "latest"])), text, "the run knows it");
    // Nothing of one side: the compiler is heard of each side that fails, and nothing is measured.
    let none = place.tare(&["compare", "HEAD", "worktree", "other.c", "--layouts", "1"]);
    assert_eq!(code(&none), Some(101));
    assert!(
        out(&none).is_empty() && err(&none).contains("side `worktree`: could not build `other.c`"),
        "{}",
        err(&none)
    );
    place.git(&["commit", "--quiet", "-am", "broken"]);
    let both = place.tare(&["compare", "HEAD", "worktree", "other.c", "--layouts", "1"]);
    assert_eq!(code(&both), Some(101));
    assert!(["`HEAD`", "`worktree`"].iter().all(|side| err(&both).contains(&format!("side {side}: could not"))));
}

#[test]
fn a_category_filters_saved_results_or_says_that_they_have_none() {
    let Some(place) = Place::new("category") else { return };
    place.write("#include <tare.h>\n//bench c/in 1 \"categories\":[\"hot\"]\n//bench c/out 2\n");
    let run = place.tare(&["run", "bench.c", "--quick", "--launches", "4", "--rounds", "5"]);
    assert_eq!(code(&run), Some(0), "{}", err(&run));
    let csv = |args: &[&str]| out(&place.tare(&[&["compare", "latest", "latest", "--format", "csv"], args].concat()));
    assert!(csv(&[]).contains("c/out") && csv(&[]).contains("c/in"), "{}", csv(&[]));
    assert!(!csv(&["--category", "hot"]).contains("c/out") && csv(&["--category", "hot"]).contains("c/in"));
    let foreign = r#"{"context": {}, "benchmarks": [{"name": "a", "run_type": "iteration", "iterations": 5, "real_time": 2.0,
        "cpu_time": 2.0, "time_unit": "ns"}]}"#;
    fs::write(place.repo().join("g.json"), foreign).expect("a file");
    let refused = place.tare(&["compare", "g.json", "g.json", "--category", "hot"]);
    assert_eq!(code(&refused), Some(2), "{}", out(&refused));
    assert!(err(&refused).contains("`g.json` has no categories"), "{}", err(&refused));
}

/// A comment on a pull request has to say that the new side does not build, and not what the day before said.
#[test]
fn files_say_why_nothing_was_measured() {
    let Some(place) = Place::new("no-result") else { return };
    place.commit("#include <tare.h>\n#error no_such_name\n");
    let forms = ["c.md", "c.json", "c.csv", "c.txt"];
    for form in forms {
        fs::write(place.folder.join(form), "of the day before").expect("a file");
    }
    let files = forms.map(|form| ["-o".to_owned(), format!("../{form}")]).concat();
    let args = ["compare", "base", "HEAD", "--layouts", "1"].into_iter().map(str::to_owned).chain(files);
    let output = place.tare(&args.collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code(&output), Some(101), "{}", err(&output));
    for form in forms {
        let text = fs::read_to_string(place.folder.join(form)).expect("a file");
        assert!(text.contains("side `HEAD`: could not build `bench.c`") && text.contains("no_such_name"), "{text}");
    }
    let text = fs::read_to_string(place.folder.join("c.json")).expect("a file");
    assert!(text.contains("\"format\": \"tare-failure\"") && text.contains("\"exit_code\": 101"), "{text}");
    // What cannot be written is refused before anything is built or measured.
    let output = place.tare(&["compare", "base", "HEAD", "-o", "no/such/folder.md"]);
    assert_eq!((code(&output), out(&output)), (Some(110), String::new()), "{}", err(&output));
    assert!(!err(&output).contains("could not build"), "{}", err(&output));
}
