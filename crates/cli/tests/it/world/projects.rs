//! Projects of the usual tools.

use crate::support::{err, git_in, have, json, out, skip, Place, ROOT, SHORT};

/// A repository below a folder in which it has neighbours. Its first versions do not know Tare.
struct Project {
    place: Place,
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

    /// Measures both versions with the benchmark of the working tree.
    fn assert_measures(&self, benchmark: &str) {
        let words = "compare v1 v2 --benchmarks-from worktree --layouts 1 --launches 2 --rounds 4 --format json";
        let mut command = self.place.command(words.split(' '));
        // The cache that tests share lies in a workspace, of which a package in it would have to be a member.
        command.env("XDG_CACHE_HOME", self.place.join("home/cache"));
        let done = command.current_dir(self.place.join("repo")).output().expect("tare runs");
        assert_eq!(done.status.code(), Some(0), "{}", err(&done));
        let rows = json(&out(&done))["comparison"]["rows"].clone();
        assert_eq!(rows[0]["name"], benchmark, "{rows:#}");
    }
}

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
        "mod count;\n#[tare::bench(monitoring)]\nfn steps() -> u64 { (0..count::COUNT).fold(1, |x, _| std::hint::black_box(steps::step(x))) }\ntare::main!();\n",
    );
    project.write("benches/count/mod.rs", "pub const COUNT: u32 = 50;\n");
    project.assert_measures("steps");
}

#[test]
#[ignore = "compiles many programs"]
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
        "#include <tare.h>\n#include <step.h>\nstatic unsigned long x = 1;\nTARE_BENCH(\"map/step\", [] { return x = step(x); }).monitoring();\nTARE_MAIN()\n",
    );
    project.assert_measures("step");
}

/// As much of a program of Google Benchmark as a project of CMake needs.
const STAND_IN: &str = r#"#include "benchmark/benchmark.h"
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
    const char* out = 0;
    for (int i = 1; i < count; ++i) {
        if (!strcmp(words[i], "--benchmark_list_tests=true")) return puts("BM_Cmake/8") < 0;
        if (!strncmp(words[i], "--benchmark_out=", 16)) out = words[i] + 16;
    }
    FILE* file = out ? fopen(out, "w") : 0;
    if (!file) return 1;
    fputs("{\"context\": {}, \"benchmarks\": [{\"name\": \"BM_Cmake/8\", \"iterations\": 1000, \"real_time\": 70.5,"
          " \"cpu_time\": 70.5, \"time_unit\": \"us\"}]}", file);
    return fclose(file);
}
"#;

#[test]
fn a_project_of_cmake_with_another_harness_is_built_and_run() {
    if !have("cmake") {
        return skip("a project with Google Benchmark", "no cmake");
    }
    let place = Place::new("harness-cmake");
    place.write("bench.c", STAND_IN);
    place.write("benchmark/benchmark.h", "");
    let lists = "cmake_minimum_required(VERSION 3.15)\nproject(p C)\nadd_executable(parse_bench bench.c)\n";
    place.write("CMakeLists.txt", &format!("{lists}target_include_directories(parse_bench PRIVATE .)\n"));
    let shown = place.ends_with(0, ["run", "."].iter().chain(&SHORT));
    assert!(shown.contains("BM_Cmake") && shown.contains("70.5"), "{shown}");
}

/// A source that no target builds is in a project of its own, or behind an option.
#[test]
fn what_no_target_of_cmake_builds_is_told_with_the_way_to_it() {
    if !have("cmake") {
        return skip("a source that no target builds", "no cmake");
    }
    let place = Place::new("cmake-left-out");
    place.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.15)\nproject(p CXX)\noption(P_BENCH \"b\" OFF)\n");
    place.write("bench/b.cpp", "#include <tare.h>\n");
    let option = place.fails_with(101, ["list", "."]);
    assert!(option.contains("no target builds `bench/b.cpp`") && option.contains("`--features P_BENCH`"), "{option}");
    place.write("bench/CMakeLists.txt", "cmake_minimum_required(VERSION 3.15)\nproject(b CXX)\n");
    let own = place.fails_with(101, ["list", "."]);
    assert!(own.contains("hint: it is in a project of its own: `tare run ") && own.contains("/bench`"), "{own}");
}
