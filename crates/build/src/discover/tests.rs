use super::{
    discover, survey, DiscoverError, DiscoverOptions, Features, Language, ProjectTarget, ProjectTool, Target,
    TargetKind,
};
use crate::revision::git_in;
use crate::toolchain::context::Variables;
use crate::toolchain::tests::help::Folder;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};

fn tool(name: &str) -> ProjectTool {
    ProjectTool::named(name).expect("a tool")
}

fn names(targets: &[Target]) -> Vec<&str> {
    targets.iter().map(|t| t.name.as_str()).collect()
}

#[track_caller]
fn find(path: &Path) -> Vec<Target> {
    discover(&[path.to_owned()]).unwrap()
}

#[track_caller]
fn error(path: &Path) -> DiscoverError {
    discover(&[path.to_owned()]).unwrap_err()
}

/// False for root, who can read everything.
fn permissions_count(folder: &Folder) -> bool {
    let path = folder.write("probe", "x");
    fs::set_permissions(&path, Permissions::from_mode(0o0)).unwrap();
    let refused = fs::read(&path).is_err();
    fs::remove_file(&path).unwrap();
    if !refused {
        eprintln!("skipped: this user may read files without permission");
    }
    refused
}

fn cmake(folder: PathBuf, below: Option<PathBuf>) -> TargetKind {
    let tool = tool("cmake");
    TargetKind::Project(ProjectTarget { tool, folder, package: String::new(), name: String::new(), below })
}

#[test]
fn a_folder_mix() {
    let folder = Folder::new();
    let mixed = folder.fixture("mixed");
    for skipped in ["build", ".hidden", "target", "node_modules", ".tare"] {
        folder.write(&format!("mixed/{skipped}/skipped.cpp"), "#include <tare.h>\n");
    }
    folder.write("mixed/env/pyvenv.cfg", "");
    folder.write("mixed/env/lib/skipped.cpp", "#include <tare.h>\n");
    folder.fixture("cargo-bench");
    fs::rename(folder.path.join("cargo-bench"), mixed.join("package")).unwrap();
    folder.fixture("cmake-project");
    fs::rename(folder.path.join("cmake-project"), mixed.join("project")).unwrap();
    let targets = find(&mixed);
    assert_eq!(
        names(&targets),
        [
            "native/square.c",
            "native/sum.cpp",
            "cargo-bench/broken",
            "cargo-bench/forgotten",
            "cargo-bench/good",
            "project",
            "rust/add.rs"
        ]
    );
    assert_eq!(targets[0].language.name(), "c");
    assert_eq!(targets[1].kind, TargetKind::File);
    assert_eq!(targets[1].path, mixed.join("native/sum.cpp"));
    assert_eq!(targets[5].kind, cmake(mixed.join("project"), None));
    assert_eq!(find(&mixed), targets, "twice the same");
}

#[test]
fn files_that_were_named_are_taken_at_their_word() {
    let folder = Folder::new();
    let mixed = folder.fixture("mixed");
    assert_eq!(names(&find(&mixed.join("native/plain.cpp"))), ["plain.cpp"]);
    let both = [mixed.join("rust/plain.rs"), mixed.join("native"), mixed.join("rust/plain.rs")];
    assert_eq!(names(&discover(&both).unwrap()), ["plain.rs", "square.c", "sum.cpp"]);
}

#[test]
fn equal_names_are_told_apart() {
    let folder = Folder::new();
    let paths = ["a/x.cpp", "b/x.cpp"].map(|name| folder.write(name, "#include <tare.h>\n"));
    let targets = discover(&paths).unwrap();
    assert_eq!(names(&targets), paths.each_ref().map(|p| p.to_str().unwrap()));
    let folders = ["a", "b"].map(|name| folder.path.join(name));
    let targets = discover(&folders).unwrap();
    assert_eq!(names(&targets), paths.each_ref().map(|p| p.to_str().unwrap()));
}

#[test]
fn packages_and_workspaces() {
    let folder = Folder::new();
    let workspace = folder.fixture("cargo-workspace");
    let targets = find(&workspace);
    assert_eq!(names(&targets), ["fast/speed"]);
    let member = workspace.join("crates/fast");
    let project = ProjectTarget {
        tool: tool("cargo"),
        folder: member.clone(),
        package: "fast".into(),
        name: "speed".into(),
        below: None,
    };
    let expected = TargetKind::Project(project);
    assert_eq!(targets[0].kind, expected);
    assert_eq!(find(&member), targets);
    assert_eq!(find(&workspace.join("Cargo.toml")), targets);
    // The file of a bench target is built as that target: alone it would lack its package.
    assert_eq!(find(&member.join("benches/speed.rs")), targets);
    let text = error(&workspace.join("crates/plain"));
    assert!(
        text.hints().join("; ").contains("`harness = false` that depends on `tare`"),
        "{}",
        text.hints().join("; ")
    );
    folder.write("cargo-workspace/Cargo.toml", "[workspace\n");
    let text = error(&workspace).to_string();
    assert!(text.contains("Cargo.toml` is not valid: line 1: "), "{text}");
}

#[test]
fn a_project_is_not_needed_for_files_beside_it() {
    let folder = Folder::new();
    folder.write("Cargo.toml", "[package]\nname = \"x\"\n");
    folder.write("src/main.rs", "use tare::bench;\n");
    folder.write("native/a.cpp", "#include \"tare.h\"\n");
    folder.write("other/CMakeLists.txt", "project(other)\n# tare\n");
    assert_eq!(names(&find(&folder.path)), ["native/a.cpp"]);
    let other = find(&folder.path.join("other"));
    assert_eq!(names(&other), ["other"]);
    assert_eq!(find(&folder.path.join("other/CMakeLists.txt")), other);
}

/// A project with benchmarks does not hide files of other languages beside or below it.
#[test]
fn a_project_hides_no_other_language() {
    let folder = Folder::new();
    folder.write("go.mod", "module m\n");
    folder.write("a_test.go", "package m\nfunc BenchmarkX(b *testing.B) {}\n");
    folder.write("p.py", "import tare\n");
    folder.write("native/b.cpp", "#include \"tare.h\"\n");
    let found = find(&folder.path);
    assert_eq!(names(&found)[1..], ["native/b.cpp", "p.py"]);
    assert!(found[0].project().is_some());
    assert_eq!(find(&folder.path.join("go.mod")), found[..1], "the project alone, as it was named");
}

#[test]
fn errors_say_what_and_what_to_do() {
    let folder = Folder::new();
    let missing = error(&folder.path.join("no such"));
    assert!(matches!(missing, DiscoverError::NotFound { .. }));
    assert!(missing.to_string().ends_with("no such` does not exist"), "{missing}");
    let lua = error(&folder.write("a.lua", "print()\n"));
    assert!(lua.to_string().ends_with("there is no front end for Lua yet"), "{lua}");
    assert!(lua.hints()[0].starts_with("measure it as a whole command: `tare time 'lua "), "{:?}", lua.hints());
    let child = error(&folder.write("child.lua", "os.getenv('TARE_LINK')\n"));
    assert!(child.hints()[0].contains("`tare run -- lua "), "{:?}", child.hints());
    let zig = error(&folder.write("a.zig", ""));
    assert!(zig.to_string().ends_with("`.zig` is not a source file that this version builds"), "{zig}");
    assert!(zig.hints().join("; ").contains(".cpp .cc .cxx"), "{}", zig.hints().join("; "));
    let saved = error(&folder.write("old.json", "{}"));
    assert!(saved.hints().join("; ").contains("`tare compare OLD NEW`"), "{}", saved.hints().join("; "));
    let plain = error(&folder.write("plain", "text"));
    assert!(plain.to_string().contains("neither a source file nor an executable"), "{plain}");
    assert!(plain.hints().join("; ").contains("chmod +x '"), "{}", plain.hints().join("; "));
    fs::create_dir(folder.path.join("empty")).unwrap();
    let empty = error(&folder.path.join("empty"));
    assert!(empty.to_string().starts_with("nothing to measure in `"), "{empty}");
    assert!(empty.hints().join("; ").contains("`tare init --list`"), "{}", empty.hints().join("; "));
    let slip = error(&folder.path.join("chlid.lua"));
    assert!(
        slip.hints().join("; ").starts_with("did you mean `") && slip.hints().join("; ").ends_with("/child.lua`?"),
        "{}",
        slip.hints().join("; ")
    );
    folder.write("scripts/setup.rb", "");
    folder.write("scripts/tests/bench_it.rb", "");
    let scripts = error(&folder.path.join("scripts")).hints();
    assert!(scripts.len() == 2 && scripts[1].contains("no front end for Ruby yet; measure"), "{scripts:?}");
    assert!(scripts[1].contains("bench_it.rb"), "the one that is called a benchmark: {scripts:?}");
    let devices = error(Path::new("/dev/null"));
    assert!(devices.to_string().contains("neither a source file"), "{devices}");
}

#[test]
fn no_path_is_the_current_folder() {
    let here = discover(&[PathBuf::from(".")]);
    assert_eq!(format!("{:?}", discover(&[])), format!("{here:?}"));
}

#[test]
fn links_that_lead_in_circles_end() {
    let folder = Folder::new();
    folder.write("a/x.cpp", "#include <tare.h>\n");
    symlink(&folder.path, folder.path.join("a/up")).unwrap();
    symlink("loop", folder.path.join("loop")).unwrap();
    symlink("nowhere", folder.path.join("broken.cpp")).unwrap();
    assert_eq!(names(&find(&folder.path)), ["a/x.cpp"]);
    assert!(matches!(error(&folder.path.join("loop")), DiscoverError::Unreadable { .. }));
    // The walk ends in a very deep tree.
    let mut deep = folder.path.join("deep");
    for _ in 0..100 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("y.cpp"), "#include <tare.h>\n").unwrap();
    assert_eq!(names(&find(&folder.path)), ["a/x.cpp"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = Folder::new();
    if !permissions_count(&folder) {
        return;
    }
    let file = folder.write("closed.cpp", "#include <tare.h>\n");
    fs::set_permissions(&file, Permissions::from_mode(0o0)).unwrap();
    assert!(error(&file).to_string().contains("Permission denied"));
    let closed = folder.path.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o0)).unwrap();
    let text = error(&closed);
    assert!(text.hints().join("; ").contains("ls -ld"), "{text}");
    // In a folder, the others are found; if there are none, the error says what could not be read.
    let hint = error(&folder.path).hints().join("; ");
    assert!(hint.contains("closed.cpp` cannot be read") && hint.contains("closed` cannot be read"), "{hint}");
    folder.write("open.cpp", "#include <tare.h>\n");
    assert_eq!(names(&find(&folder.path)), ["open.cpp"]);
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_path_that_is_not_text_is_refused() {
    let folder = Folder::new();
    let path = folder.path.join(std::ffi::OsStr::from_bytes(b"x\xff.cpp"));
    fs::write(&path, "#include <tare.h>\n").unwrap();
    assert!(matches!(error(&path), DiscoverError::NotUtf8 { .. }));
    assert!(matches!(error(&folder.path), DiscoverError::NotUtf8 { .. }));
}

#[test]
fn a_script_in_a_folder_runs_only_when_it_speaks_the_protocol() {
    let folder = Folder::new();
    for (name, text, mode) in [
        ("clean.sh", "#!/bin/sh\nrm -rf /\n", 0o755),
        ("child", "#!/usr/bin/env python3\nimport os\nos.environ['TARE_LINK']\n", 0o755),
        ("library.so.1", "#!TARE_LINK", 0o755),
        ("notes", "TARE_LINK", 0o644),
    ] {
        fs::set_permissions(folder.write(name, text), Permissions::from_mode(mode)).unwrap();
    }
    let targets = find(&folder.path);
    assert_eq!((names(&targets), &targets[0].kind), (vec!["child"], &TargetKind::Program));
    // A program that is named is trusted.
    assert_eq!(find(&folder.path.join("clean.sh"))[0].kind, TargetKind::Program);
    let all: Vec<PathBuf> = vec![folder.path.clone(), folder.path.join("child")];
    assert_eq!(discover(&all).unwrap().len(), 1);
}

fn skipped(path: &Path, options: &DiscoverOptions) -> Vec<String> {
    let survey = survey(&[path.to_owned()], options).unwrap();
    survey.skipped.iter().map(|s| format!("{} {}", s.name, s.why)).collect()
}

#[test]
fn bench_targets_of_other_harnesses_are_left_alone_by_name() {
    let folder = Folder::new();
    let package = folder.fixture("moving");
    // If the source does not tell, the build does.
    assert_eq!(names(&find(&package)), ["moving/home-made", "moving/moved"]);
    let known = ["moving/nightly uses libtest, without a `#[bench]`", "moving/old uses criterion"];
    assert_eq!(
        skipped(&package, &DiscoverOptions::default()),
        [&known[..], &["moving/wide needs the feature `wide`"]].concat()
    );
    let features = Features { all: true, ..Features::default() };
    assert_eq!(skipped(&package, &DiscoverOptions { features, ..DiscoverOptions::default() }), known);
    let one = DiscoverOptions { benches: vec!["moved".into()], ..DiscoverOptions::default() };
    assert_eq!(skipped(&package, &one), [""; 0]);
    let file = folder.write("g.cpp", "#include <benchmark/benchmark.h>\nBENCHMARK_MAIN();\n");
    assert!(
        error(&file).hints().join("; ").starts_with("`g.cpp` uses Google Benchmark (run it on its own;"),
        "{}",
        error(&file)
    );
    // A harness that Tare can run is used if the package has no benchmarks of Tare, or if it is named.
    let named = DiscoverOptions { benches: vec!["old".into()], ..DiscoverOptions::default() };
    assert_eq!(names(&survey(std::slice::from_ref(&package), &named).unwrap().targets), ["moving/old"]);
    folder.write("divan only/Cargo.toml", "[package]\nname = \"y\"\n[[bench]]\nname = \"b\"\nharness = false\n");
    folder.write("divan only/benches/b.rs", "use divan::bench;\nfn main() { divan::main(); }\n");
    assert_eq!(names(&find(&folder.path.join("divan only"))), ["y/b"]);
    // By default libtest runs it, which has benchmarks only in nightly Rust.
    folder.write("nightly only/Cargo.toml", "[package]\nname = \"z\"\n");
    folder.write("nightly only/benches/b.rs", "extern crate test;\n#[bench]\nfn f(b: &mut test::Bencher) {}\n");
    folder.write("nightly only/benches/t.rs", "// #[bench]\n#[test]\nfn t() {}\n");
    assert_eq!(names(&find(&folder.path.join("nightly only"))), ["z/b"]);
    // A package that still uses another harness is skipped with its name.
    folder.write("criterion only/Cargo.toml", "[package]\nname = \"x\"\n[[bench]]\nname = \"b\"\nharness = false\n");
    folder.write("criterion only/benches/b.rs", "use brunch::Bench;\nfn main() {}\n");
    let text = error(&folder.path.join("criterion only"));
    assert!(
        text.hints().join("; ").starts_with("`x/b` uses brunch (`cargo bench --package x --bench b` runs it)"),
        "{}",
        text.hints().join("; ")
    );
}

#[test]
fn a_folder_within_a_project_is_of_that_project() {
    let folder = Folder::new();
    let member = folder.fixture("cargo-workspace").join("crates/fast");
    let all = find(&member);
    assert_eq!(find(&member.join("src")), all);
    assert_eq!(find(&member.join("benches")), all);
    folder.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.15)\nproject (p)\nadd_subdirectory(bench)\n");
    folder.write("p/bench/CMakeLists.txt", "add_executable(b b.cpp)\n");
    let (source_dir, below) = (folder.path.join("p"), Some(folder.path.join("p/bench")));
    folder.write("p/src/app.cpp", "int n;\n");
    let whole = cmake(source_dir.clone(), None);
    assert_eq!(find(&folder.path.join("p/src"))[0].kind, whole);
    let targets = find(&folder.path.join("p/bench"));
    assert_eq!(targets[0].kind, cmake(source_dir, below));
}

#[test]
fn projects_of_dotnet() {
    let folder = Folder::new();
    let program = "<Project><OutputType>Exe</OutputType><PackageReference Include=\"BenchmarkDotNet\" /></Project>";
    let library = "<Project><PackageReference Include=\"Tare\" /></Project>";
    folder.write("repo/bench/bench.csproj", program);
    folder
        .write("repo/bench/sort.cs", "using BenchmarkDotNet.Attributes;\nclass C { [Benchmark] public void F() {} }\n");
    folder.write("repo/bench/obj/made.cs", "using Tare;\n[Benchmark]\n");
    folder.write("repo/lib/lib.fsproj", library);
    folder.write("repo/app/app.vbproj", "<Project><OutputType>Exe</OutputType></Project>");
    // Its package reference is in a file for all projects.
    folder.write("repo/basic/basic.vbproj", "<Project><OutputType>Exe</OutputType></Project>");
    folder.write("repo/basic/a.vb", "Imports Tare\nPublic Class C\n<Benchmark>\nPublic Sub F()\n");
    folder.write("repo/sharp/sharp.fsproj", "<Project><OutputType>Exe</OutputType></Project>");
    folder.write("repo/sharp/a.fs", "open BenchmarkDotNet.Attributes\ntype C() =\n    [<Benchmark>]\n");
    // A library with benchmarks is a target; one without is not.
    folder.write("repo/suite/suite.csproj", "<Project><PackageReference Include=\"BenchmarkDotNet\" /></Project>");
    folder.write("repo/suite/a.cs", "using BenchmarkDotNet.Attributes;\nclass C { [Benchmark] public void F() {} }\n");
    let solution = folder.write("repo/all.sln", "");
    // A solution stands for its folder; a source file of a project is built by the project.
    for path in [folder.path.join("repo"), solution] {
        let targets = find(&path);
        assert_eq!(names(&targets), ["basic", "bench", "sharp", "suite"], "{}", path.display());
        let languages: Vec<&str> = targets.iter().map(|target| target.language.name()).collect();
        assert_eq!(languages, ["vb", "c#", "f#", "c#"]);
        assert!(targets.iter().all(|target| target.project().unwrap().tool == tool("dotnet")));
    }
    // A project that is named is found alone; so is a single file.
    assert_eq!(names(&find(&folder.path.join("repo/app/app.vbproj"))), ["app"]);
    assert_eq!(names(&find(&folder.path.join("repo/bench/sort.cs"))), ["sort.cs"]);
    assert!(error(&folder.path.join("repo/lib"))
        .hints()
        .join("; ")
        .contains("references neither Tare nor BenchmarkDotNet,"));
}

#[test]
fn a_file_of_go_is_that_file() {
    let folder = Folder::new();
    folder.write("go.mod", "module m\n");
    for name in ["a_test.go", "b_test.go"] {
        folder.write(name, "package m\nfunc BenchmarkX(b *testing.B) {}\n");
    }
    let one = find(&folder.path.join("a_test.go"));
    let below = one[0].project().unwrap().below.clone();
    assert_eq!((names(&one), below), (vec!["a_test.go"], Some(PathBuf::from("a_test.go"))));
    assert_eq!(find(&folder.path)[0].project().unwrap().below, None);
}

#[test]
fn a_file_of_java_is_that_file() {
    let folder = Folder::new();
    let text = "package p;\nimport tare.*;\nclass A { @Benchmark int a() { return 1; } }\n";
    folder.write("m/pom.xml", "<project/>");
    let (inside, loose) = (folder.write("m/src/main/java/p/A.java", text), folder.write("m/examples/B.java", text));
    folder.write("m/src/main/java/p/C.java", text);
    let module = find(&folder.path.join("m"));
    assert_eq!((names(&module), module[0].project().unwrap().below.clone()), (vec!["m"], None));
    let one = find(&inside);
    assert_eq!((names(&one), one[0].project().unwrap().below.clone()), (vec!["A.java"], Some(inside)));
    // A file beside a module's sources is not part of it.
    assert_eq!((names(&find(&loose)), find(&loose)[0].kind.clone()), (vec!["B.java"], TargetKind::File));
    assert_eq!(names(&find(&folder.path.join("m/src"))), ["m"]);
}

#[test]
fn a_file_of_dotnet_beside_others() {
    let folder = Folder::new();
    folder.write("a.cs", "using Tare;\nclass C { [Benchmark] public void F() {} }\n");
    assert_eq!(names(&find(&folder.path)), ["a.cs"]);
    folder.write("b.cpp", "#include <tare.h>\n");
    let found = survey(std::slice::from_ref(&folder.path), &DiscoverOptions::default()).unwrap();
    // Without .NET, a folder of several languages is measured without C#.
    let lack = Language::of_source(Path::new("a.cs")).and_then(|language| (language.source().lack)());
    match lack.is_none() {
        true => assert_eq!(names(&found.targets), ["a.cs", "b.cpp"]),
        false => {
            assert_eq!(names(&found.targets), ["b.cpp"]);
            assert_eq!((found.skipped[0].name.as_str(), found.skipped[0].why.contains(".NET")), ("a.cs", true));
        }
    }
}

#[test]
fn a_script_is_known_by_its_first_line_and_its_text() {
    let folder = Folder::new();
    let text = "#!/usr/bin/env -S dotnet run\nusing Tare;\nclass C { [Benchmark] public void F() {} }\n";
    let scripts = [("bench", text), ("tool", "#!/usr/bin/dotnet\nreturn 0;\n"), ("other", "#!/bin/sh\nusing Tare;\n")];
    let [bench, tool, _] = scripts.map(|(name, text)| folder.write(name, text));
    let is_of = |path: &Path| Language::of_script(path).map(|language| language.name());
    assert_eq!((is_of(&bench), is_of(&tool)), (Some("c#"), None));
    assert_eq!(find(&bench)[0].kind, TargetKind::File);
    // A text in a folder is found only if it is executable.
    assert!(matches!(error(&folder.path), DiscoverError::Nothing { .. }));
    fs::set_permissions(&bench, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(&find(&folder.path)), ["bench"]);
}

#[test]
fn what_is_there_decides_what_was_looked_for() {
    let folder = Folder::new();
    folder.write("ts/a.ts", "import { bench } from 'tarre';\n");
    let hints = error(&folder.path.join("ts")).hints();
    assert_eq!(
        hints[0],
        "looked for .js .mjs .cjs .ts .mts .cts files that import tare, mitata or tinybench, benchmarks of vitest"
    );
    folder.write("go/a.go", "package a\n");
    let hints = error(&folder.path.join("go")).hints();
    assert_eq!(hints[0], "looked for .go files named `_test.go` with `func Benchmark...`");
    folder.write("go/a_test.go", "package a\n\nfunc BenchmrkParse() {}\n");
    let hints = error(&folder.path.join("go")).hints();
    assert!(hints[0].starts_with("no `func Benchmark...` in a `_test.go` file of `"), "{hints:?}");
    // The copy of the front end in a Cargo package is not the user's.
    folder.write("rust/Cargo.toml", "[package]\nname = \"x\"\n");
    folder.write("rust/benches/tare/tare/Cargo.toml", "[package]\nname = \"tare\"\n");
    let hints = error(&folder.path.join("rust")).hints();
    assert!(
        hints[0].contains("rust/Cargo.toml` has no bench target") && !hints[0].contains("benches/tare"),
        "{hints:?}"
    );
}

#[test]
fn another_working_copy_is_left_out_and_a_submodule_is_not() {
    let folder = Folder::new();
    let source = "#include <tare.h>\n";
    for name in ["top/a.cpp", "top/clone/a.cpp", "top/tree/a.cpp", "top/module/b.cpp", "top/vendored/none.cpp"] {
        folder.write(name, if name.contains("none") { "int x;\n" } else { source });
    }
    folder.write("top/clone/.git/HEAD", "ref: refs/heads/main\n");
    folder.write("top/vendored/.git/HEAD", "ref: refs/heads/main\n");
    folder.write("top/tree/.git", "gitdir: /x/.git/worktrees/tree\n");
    folder.write("top/module/.git", "gitdir: ../.git/modules/module\n");
    let top = folder.path.join("top");
    let of = |path: &Path| survey(&[path.to_owned()], &DiscoverOptions::default()).unwrap();
    // Outside a repository, clones beside each other are all found.
    assert_eq!(names(&of(&top).targets), ["a.cpp", "clone/a.cpp", "module/b.cpp", "tree/a.cpp"]);
    folder.write("top/.git/HEAD", "ref: refs/heads/main\n");
    let found = of(&top);
    assert_eq!(names(&found.targets), ["a.cpp", "module/b.cpp"]);
    assert_eq!(found.skipped.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["clone", "tree"]);
}

#[test]
fn a_source_is_listed_once_beside_its_link_and_its_output() {
    let folder = Folder::new();
    for name in ["src/a.bench.ts", "dist/a.bench.js", "dist/b.bench.js", "test/a.bench.js"] {
        folder.write(name, "import { bench } from 'tare';\n");
    }
    symlink("a.bench.ts", folder.path.join("src/linked.bench.ts")).unwrap();
    let of = |path: &Path| survey(&[path.to_owned()], &DiscoverOptions::default()).unwrap();
    let all = ["dist/a.bench.js", "dist/b.bench.js", "src/a.bench.ts", "test/a.bench.js"];
    assert_eq!(names(&of(&folder.path).targets), all);
    folder.write(".gitignore", "dist/\n");
    git_in(&Variables::of_process(), &folder.path, &["init", "--quiet"]);
    let found = of(&folder.path);
    assert_eq!(names(&found.targets), all[1..]);
    let left_out: Vec<_> = found.skipped.iter().map(|one| (one.name.as_str(), one.why.as_str())).collect();
    let link = ("src/linked.bench.ts", "needs to be named: `src/a.bench.ts` is the same file");
    let output = (all[0], "needs to be named: `src/a.bench.ts` has the same name, and git does not ignore it");
    assert_eq!(left_out, [link, output]);
    assert_eq!(names(&of(&folder.path.join("dist")).targets), ["a.bench.js", "b.bench.js"]);
}
