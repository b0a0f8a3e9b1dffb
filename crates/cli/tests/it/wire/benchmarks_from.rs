//! Benchmarks that are younger than the revisions they judge, and packages that depend on what lies beside the repository.

use crate::support::{err, git_in, have, out, skip, Place};
use serde_json::Value;
use std::process::Output;

/// Of a comparison that needs to decide nothing.
const SHORT: [&str; 7] = ["--quick", "--layouts", "1", "--launches", "2", "--rounds", "4"];

/// A repository below a folder in which it has neighbours; a stand-in for the compiler builds its sources.
struct Project {
    place: Place,
}

impl Project {
    fn new(name: &str) -> Option<Project> {
        if !have("git") {
            skip(name, "`git` is not installed");
            return None;
        }
        let place = Place::with_stand_in(name);
        place.write("repo/.gitignore", ".tare\n");
        git_in(&place, &["init", "--quiet", "."]);
        Some(Project { place })
    }

    fn write(&self, name: &str, text: &str) {
        self.place.write(&format!("repo/{name}"), text);
    }

    fn commit(&self, tag: &str) {
        git_in(&self.place, &["add", "--all"]);
        // A commit of its own: tests share a cache.
        let subject = format!("{tag} of {}", self.place.join("").display());
        git_in(&self.place, &["commit", "--quiet", "--allow-empty", "--message", &subject]);
        git_in(&self.place, &["tag", tag]);
    }

    fn tare(&self, line: &str) -> Output {
        let words = line.split(' ').chain(SHORT);
        self.place.command(words).current_dir(self.place.join("repo")).output().expect("tare runs")
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.place.read(format!("repo/{name}"))).expect("JSON")
    }
}

/// The benchmarks that were measured on both sides.
fn rows(comparison: &Value) -> Vec<String> {
    let rows = comparison["comparison"]["rows"].as_array().expect("rows").iter().filter(|row| row["metric"].is_null());
    rows.map(|row| row["name"].as_str().expect("a name").to_owned()).collect()
}

fn is_measured(done: &Output) -> bool {
    done.status.code() == Some(0)
}

/// A benchmark that needs a header of the library and one beside it.
fn bench(name: &str, header: &str) -> String {
    format!("#include <tare.h>\n#include \"../lib/{header}.h\"\n#include \"count.h\"\n//bench {name} 50\n")
}

#[test]
fn todays_benchmark_measures_old_revisions() {
    let Some(project) = Project::new("benchmarks-from") else { return };
    project.write("lib/step.h", "");
    project.commit("v1");
    project.write("lib/leap.h", "");
    project.commit("v2");
    project.write("bench/map.c", &bench("map/step", "step"));
    project.write("bench/leap.c", &bench("map/leap", "leap"));
    project.write("bench/count.h", "#define COUNT 50\n");
    let failed = project.tare("compare v1 v2 bench/map.c");
    assert_eq!(failed.status.code(), Some(2));
    let hint =
        "`tare compare v1 v2 bench/map.c --quick --layouts 1 --launches 2 --rounds 4 --benchmarks-from worktree`";
    assert!(err(&failed).contains("does not exist in `v1`") && err(&failed).contains(hint), "{}", err(&failed));
    // A file alone, with the header beside it that the revisions lack; then a folder of which one file needs what `v1` lacks.
    let one = project.tare("compare v1 v2 bench/map.c --benchmarks-from worktree -o one.json");
    assert!(is_measured(&one), "{}", err(&one));
    assert!(err(&one).contains("copied over it from `worktree`: `bench/count.h` and `bench/map.c`"), "{}", err(&one));
    assert_eq!(rows(&project.json("one.json")), ["step"]);
    assert!(out(&one).contains(", with the benchmarks from worktree"), "{}", out(&one));
    let args = "compare v1 v2 bench --benchmarks-from worktree -o two.json -o two.junit.xml -o two.md";
    let two = project.tare(args);
    assert_eq!(two.status.code(), Some(101), "{}", err(&two));
    assert_eq!(rows(&project.json("two.json")), ["step"], "the other benchmark is compared");
    for form in [out(&two), project.place.read("repo/two.junit.xml"), project.place.read("repo/two.md")] {
        assert!(form.contains("leap.c") && form.contains("could not be built"), "{form}");
    }
    let last = err(&two).lines().last().map(str::to_owned).unwrap_or_default();
    assert_eq!(last, "error: 1 program not built (`leap.c`) of `v1`");
    // The command of the run has it, so what the screen proposes and `--again` have it too.
    let run = project.json("one.json")["comparison"]["run"].as_str().map(str::to_owned).expect("a run");
    let again = project.tare(&format!("compare --again {run}"));
    assert!(is_measured(&again), "{}", err(&again));
    assert!(out(&again).contains(", with the benchmarks from worktree"), "{}", out(&again));
    // The user's files are only read, and those of a revision or another folder do as well.
    assert_eq!(git_in(&project.place, &["status", "--porcelain", "--", "lib"]), "");
    project.commit("v3");
    project.place.write("mine/bench/map.c", &bench("mine/step", "step"));
    project.place.write("mine/bench/count.h", "#define COUNT 20\n");
    for (from, group) in [("v3", "map"), ("../mine", "mine")] {
        let done = project.tare(&format!("compare v1 worktree bench/map.c --benchmarks-from {from} -o from.json"));
        assert!(is_measured(&done), "{from}: {}", err(&done));
        let row = project.json("from.json")["comparison"]["rows"][0].clone();
        assert!(row["key"].as_str().is_some_and(|key| key.contains(&format!("{group}/step"))), "{row}");
    }
    assert_eq!(project.place.read("repo/bench/count.h"), "#define COUNT 50\n", "the working tree stays as it is");
    let none = project.tare("compare v1 v2 lib --benchmarks-from worktree");
    assert!(err(&none).contains("`worktree` has no benchmark to copy over"), "{}", err(&none));
    let folders = project.tare("compare ./lib ./bench --benchmarks-from worktree");
    assert!(
        folders.status.code() == Some(2) && err(&folders).contains("copies benchmarks over revisions"),
        "{}",
        err(&folders)
    );
}

#[test]
fn a_bisection_leaves_out_commits_with_which_the_benchmark_does_not_compile() {
    const SLOW: &str = "//bench map/step 30\n";
    let Some(project) = Project::new("bisect-from") else { return };
    for (tag, text) in [("v1", "//bench map/step 10\n"), ("v2", "#error no step\n"), ("v3", SLOW), ("v4", SLOW)] {
        project.write("lib/step.h", text);
        project.commit(tag);
    }
    project.write("bench/map.c", "#include <tare.h>\n#include \"../lib/step.h\"\n#include \"count.h\"\n");
    project.write("bench/count.h", "#define COUNT 100\n");
    let args =
        ["bisect", "v1", "v4", "bench/map.c", "--json", "--benchmarks-from", "worktree", "--quick", "--layouts", "1"];
    let tare = |words: &[&str]| {
        project.place.command(words).current_dir(project.place.join("repo")).output().expect("tare runs")
    };
    let done = tare(&args);
    let found: Value = serde_json::from_str(&out(&done)).unwrap_or_else(|_| panic!("{}", err(&done)));
    assert_eq!(found["outcome"], "undecided", "{found:#}");
    let reasons: Vec<&str> =
        found["tried"].as_array().expect("tried").iter().filter_map(|tried| tried["reason"].as_str()).collect();
    assert!(reasons.len() == 1 && reasons[0].starts_with("it does not build: "), "{found:#}");
    // It goes on with the benchmarks that it began with, or not at all.
    let id = found["id"].as_str().expect("an id");
    assert_eq!(tare(&["bisect", "--resume", id]).status.code(), Some(11));
    project.write("bench/count.h", "#define COUNT 101\n");
    let changed = tare(&["bisect", "--resume", id]);
    assert!(err(&changed).contains("the benchmarks of `worktree` have changed"), "{}", err(&changed));
}

/// What a build makes is in no checkout: the error names it, and the project says how each side gets it.
#[test]
fn what_git_ignores_is_made_on_each_side() {
    let Some(project) = Project::new("prepare") else { return };
    // A commit of its own: the checkout of an earlier run of this test keeps what was made in it.
    project.write(".gitignore", &format!(".tare\nmade/\n# {}\n", std::process::id()));
    project.write("bench.c", "#include <tare.h>\n#include \"made/table.h\"\n//bench made 50\n");
    project.commit("v1");
    project.write("made/table.h", "");
    let failed = project.tare("compare v1 bench.c");
    assert_eq!(failed.status.code(), Some(101), "{}", err(&failed));
    let hint = "hint: git ignores `made/table.h`, so `v1` lacks it: write the command that makes it into `tare.toml`: `prepare = ";
    assert!(err(&failed).contains(hint), "{}", err(&failed));
    project.write("tare.toml", "[compare]\nprepare = \"mkdir -p made && touch made/table.h\"\n");
    let made = project.tare("compare v1 bench.c -o made.json");
    assert!(is_measured(&made), "{}", err(&made));
    assert_eq!(rows(&project.json("made.json")), ["made"]);
    for side in ["v1", "worktree"] {
        assert!(
            err(&made).contains(&format!("built {side} with `mkdir -p made && touch made/table.h`")),
            "{}",
            err(&made)
        );
    }
    project.write("tare.toml", "[compare]\nprepare = \"echo no rule; exit 3\"\n");
    let broken = project.tare("compare v1 bench.c");
    assert_eq!(broken.status.code(), Some(101));
    assert!(
        err(&broken).contains("could not build `v1`: sh: exit status 3") && err(&broken).contains("no rule"),
        "{}",
        err(&broken)
    );
}
