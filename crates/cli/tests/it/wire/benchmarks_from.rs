//! Benchmarks that are younger than the revisions they judge, and packages that depend on what lies beside the repository.

use crate::support::{err, git_in, have, out, skip, Place, ROOT};
use serde_json::Value;
use std::process::Output;

/// Of a comparison that needs to decide nothing.
const SHORT: [&str; 7] = ["--quick", "--layouts", "1", "--launches", "2", "--rounds", "4"];

/// A repository below a folder in which it has neighbours.
struct Project {
    place: Place,
    has_own_cache: bool,
}

impl Project {
    fn new(name: &str, tools: &[&str]) -> Option<Project> {
        if let Some(tool) = tools.iter().find(|tool| !have(tool)) {
            skip(name, &format!("`{tool}` is not installed"));
            return None;
        }
        let place = Place::new(name);
        place.write("repo/.gitignore", ".tare\ntarget\n");
        git_in(&place, &["init", "--quiet", "."]);
        Some(Project { place, has_own_cache: tools.contains(&"cargo") })
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
        let mut command = self.place.command(words);
        // The one that tests share lies in a workspace, of which a package in it would have to be a member.
        if self.has_own_cache {
            command.env("XDG_CACHE_HOME", self.place.join("home/cache"));
        }
        command.current_dir(self.place.join("repo")).output().expect("tare runs")
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.place.read(format!("repo/{name}"))).expect("JSON")
    }
}

/// The benchmarks that were measured on both sides, or whose visits were all interrupted on a busy machine.
fn rows(comparison: &Value) -> Vec<String> {
    let of = |list: &str| comparison["comparison"][list].as_array().expect("a list").clone();
    let compared = of("rows").into_iter().filter(|row| row["metric"].is_null());
    let interrupted = of("failed").into_iter().filter(|row| row["failure"]["cause"]["kind"] == "no-valid-visits");
    let name = |row: Value| row["name"].as_str().expect("a name").rsplit('/').next().map(str::to_owned);
    let mut names: Vec<String> = compared.chain(interrupted).filter_map(name).collect();
    names.dedup();
    names
}

/// Whether the command succeeded, or other programs interrupted all visits of a side: these runs are too short for a busy machine.
fn is_measured(done: &Output) -> bool {
    match done.status.code() {
        Some(4 | 100) => format!("{}{}", out(done), err(done)).contains("too few undisturbed visits"),
        code => code == Some(0),
    }
}

/// A benchmark that calls the library `COUNT` times. It takes as many nanoseconds as its number grew, and up to 0.1 % more, whatever the machine
/// does meanwhile.
fn bench(group: &str, call: &str) -> String {
    format!(
        "// tare-flags: -O1 -g0\n#include <tare.h>\n#include <unistd.h>\n#include \"../lib/step.h\"\n#include \"count.h\"\n\
         TARE_C_BENCH(\"{group}\", .own_time = true, .visit_ns = 100000, .warmup_ns = 1) {{\n\
             static unsigned random = 0;\n    unsigned long x = 1;\n    for (int i = 0; i < COUNT; i++) x = {call};\n\
             random = (random == 0 ? (unsigned)getpid() : random) * 1664525u + 1013904223u;\n\
             tare_took(x * (1 + 1e-3 * (random >> 8) / (1 << 24)));\n    tare_keep(x);\n}}\n"
    )
}

#[test]
fn todays_benchmark_measures_old_revisions() {
    let Some(project) = Project::new("benchmarks-from", &["git", "cc"]) else { return };
    let step = "static unsigned long step(unsigned long x) { return x + 1; }\n";
    project.write("lib/step.h", step);
    project.commit("v1");
    project.write(
        "lib/step.h",
        &format!("{step}static unsigned long leap(unsigned long x) {{ return step(step(x)); }}\n"),
    );
    project.commit("v2");
    project.write("bench/map.c", &bench("map/step", "step(x)"));
    project.write("bench/leap.c", &bench("map/leap", "leap(x)"));
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
    project.place.write("mine/bench/map.c", &bench("mine/step", "step(x)"));
    project.place.write("mine/bench/count.h", "#define COUNT 20\n");
    for (from, group) in [("v3", "map"), ("../mine", "mine")] {
        let done = project.tare(&format!("compare v1 v2 bench/map.c --benchmarks-from {from} -o from.json"));
        assert!(is_measured(&done), "{from}: {}", err(&done));
        let comparison = project.json("from.json")["comparison"].clone();
        let keys = [&comparison["rows"][0]["key"], &comparison["failed"][0]["key"]]
            .map(|key| key.as_str().unwrap_or_default());
        assert!(keys.iter().any(|key| key.contains(&format!("{group}/step"))), "{comparison}");
    }
    let mixed = project.tare("compare v1 worktree bench/map.c --benchmarks-from ../mine -o from.json");
    assert!(is_measured(&mixed) && rows(&project.json("from.json")) == ["step"], "{}", err(&mixed));
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
    let Some(project) = Project::new("bisect-from", &["git", "cc"]) else { return };
    let step = |times: u32| format!("static unsigned long step(unsigned long x) {{ return x + {times}; }}\n");
    for (tag, text) in [("v1", step(1)), ("v2", "\n".to_owned()), ("v3", step(3)), ("v4", step(3))] {
        project.write("lib/step.h", &text);
        project.commit(tag);
    }
    project.write("bench/map.c", &bench("map/step", "step(x)"));
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

/// The first version has no bench target and does not know Tare, which lies beside the repository.
#[test]
fn a_package_gets_the_bench_target_and_finds_its_neighbours() {
    let Some(project) = Project::new("package-from", &["git", "cargo"]) else { return };
    project.place.plain_library();
    let manifest = "[package]\nname = \"steps\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nhelp = { path = \"../help\" }\n";
    project.place.write("help/Cargo.toml", "[package]\nname = \"help\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    project.place.write("help/src/lib.rs", "pub const FACTOR: u64 = 6364136223846793005;\n");
    project.write("Cargo.toml", manifest);
    project.write("src/lib.rs", "pub fn step(x: u64) -> u64 { x.wrapping_mul(help::FACTOR).wrapping_add(1) }\n");
    project.commit("v1");
    project.commit("v2");
    std::os::unix::fs::symlink(format!("{ROOT}/frontends/rust"), project.place.join("tare-rust")).expect("a link");
    let more = "\n[dev-dependencies]\ntare = { path = \"../tare-rust/tare\" }\n\n[[bench]]\nname = \"speed\"\nharness = false\n";
    project.write("Cargo.toml", &format!("{manifest}{more}"));
    project.write(
        "benches/speed.rs",
        "mod count;\n#[tare::bench]\nfn steps() -> u64 { (0..count::COUNT).fold(1, |x, _| std::hint::black_box(steps::step(x))) }\ntare::main!();\n",
    );
    project.write("benches/count/mod.rs", "pub const COUNT: u32 = 50;\n");
    let done = project.tare("compare v1 v2 --benchmarks-from worktree -o c.json");
    assert!(is_measured(&done), "{}", err(&done));
    assert_eq!(rows(&project.json("c.json")), ["steps"]);
    // Committed, it needs no more than the neighbours.
    project.commit("v3");
    let committed = project.tare("compare v3 worktree -o c.json");
    assert!(is_measured(&committed), "{}", err(&committed));
    assert_eq!(rows(&project.json("c.json")), ["steps"]);
}

#[test]
fn a_project_of_cmake_gets_the_folder_and_its_entry() {
    let Some(project) = Project::new("cmake-from", &["git", "cmake", "c++"]) else { return };
    let list = "cmake_minimum_required(VERSION 3.16)\nproject(steps CXX)\nadd_library(steps INTERFACE)\n\
                target_include_directories(steps INTERFACE lib ../beside)\n";
    project.place.write("beside/factor.h", "#define FACTOR 6364136223846793005u\n");
    project.write("CMakeLists.txt", list);
    project.write(
        "lib/step.h",
        "#include <factor.h>\nstatic unsigned long step(unsigned long x) { return x * FACTOR + 1; }\n",
    );
    project.commit("v1");
    project.commit("v2");
    project.write("CMakeLists.txt", &format!("{list}add_subdirectory(bench)\n"));
    project.write(
        "bench/CMakeLists.txt",
        "find_package(tare REQUIRED)\nadd_executable(speed speed.cpp)\ntarget_link_libraries(speed PRIVATE steps tare::tare)\n",
    );
    project.write(
        "bench/speed.cpp",
        "#include <tare.h>\n#include <step.h>\nstatic unsigned long x = 1;\nTARE_BENCH(\"map/step\", [] { return x = step(x); });\nTARE_MAIN()\n",
    );
    let done = project.tare("compare v1 v2 --benchmarks-from worktree -o c.json");
    assert!(is_measured(&done), "{}", err(&done));
    assert_eq!(rows(&project.json("c.json")), ["step"]);
}
