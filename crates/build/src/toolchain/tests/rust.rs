use super::help::{benchmarks, Bench};
use crate::toolchain::BuildEvent;
use std::fs;

#[test]
fn a_rust_file_becomes_a_child_and_is_found_again() {
    let bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    let folder = bench.folder.fixture("mixed").join("rust");
    let first = bench.build(&folder.join("add.rs"));
    assert_eq!(benchmarks(first.artifact()), ["add"]);
    assert_eq!((first.artifact().language.as_str(), first.artifact().toolchain.as_str()), ("rust", "file"));
    let again = bench.build(&folder.join("add.rs"));
    assert_eq!((again.started(), again.artifact()), (0, first.artifact()));
    // Changes of a module and an included file are noticed.
    let text = fs::read_to_string(folder.join("add.rs")).unwrap();
    fs::write(folder.join("other.rs"), "pub const N: u64 = 1;\n").unwrap();
    fs::write(folder.join("add.rs"), text.replace("tare::keep(1)", "other::N") + "mod other;\n").unwrap();
    let with_module = bench.build(&folder.join("add.rs")).artifact().hash.clone();
    assert_eq!(bench.build(&folder.join("add.rs")).started(), 0);
    fs::write(folder.join("other.rs"), "pub const N: u64 = 2;\n").unwrap();
    assert_ne!(bench.build(&folder.join("add.rs")).artifact().hash, with_module);
}

#[test]
#[ignore = "compiles many programs"]
fn flags_edition_and_dependencies_of_a_rust_file() {
    let bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    bench.folder.write("help er/Cargo.toml", "[package]\nname = \"helper\"\nversion = \"0.1.0\"\n");
    let helper = bench.folder.write("help er/src/lib.rs", "pub fn n() -> u64 { 1 }\n");
    let text =
        "// tare-flags: --cfg special\n// tare-edition: 2018\n// tare-dependencies: helper = { path = \"help er\" }\n\
                #[cfg(special)]\n#[tare::bench]\nfn gen() -> u64 { helper::n() }\nfn main() { tare::main(); }\n";
    let file = bench.folder.write("match.rs", text);
    let first = bench.build(&file);
    assert_eq!(benchmarks(first.artifact()), ["gen"]);
    assert_eq!(bench.build(&file).started(), 0);
    fs::write(helper, "pub fn n() -> u64 { 2 }\n").unwrap();
    assert_ne!(bench.build(&file).artifact().hash, first.artifact().hash);
    let broken = bench.folder.write("b.rs", "// tare-dependencies: x =\nfn main() {}\n");
    let outcome = bench.build(&broken);
    assert!(outcome.failure().status.contains("the dependency `x =` is not valid"), "{}", outcome.failure());
}

#[test]
fn errors_of_rust_files() {
    let bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    let folder = bench.folder.fixture("broken");
    let outcome = bench.build(&folder.join("crate.rs"));
    let failure = outcome.failure();
    assert!(failure.output.contains("error[E0432]") && failure.output.contains("no_such_crate"), "{failure}");
    assert!(failure.hint.as_deref().unwrap_or_default().contains("tare-dependencies: no_such_crate"), "{failure}");
    assert!(!failure.output.contains("Compiling"), "{failure}");
    let outcome = bench.build(&folder.join("edition.rs"));
    let failure = outcome.failure();
    assert!(
        failure.output.contains("E0670") && failure.hint.as_deref().unwrap_or_default().contains("edition"),
        "{failure}"
    );
    let missing = crate::toolchain::context::Variables::default().with("PATH", "/nonexistent");
    let without = Bench { variables: missing, ..bench };
    assert!(without.build(&folder.join("crate.rs")).failure().to_string().contains("rustup.rs"));
}

#[test]
#[ignore = "compiles many programs"]
fn a_package_builds_what_it_can() {
    let bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    let folder = bench.folder.fixture("cargo-bench");
    let outcome = bench.build(&folder);
    let names: Vec<_> = outcome.results.iter().map(|r| r.as_ref().map_or_else(|f| &f.target, |a| &a.name)).collect();
    assert_eq!(names, ["cargo-bench/broken", "cargo-bench/forgotten", "cargo-bench/good"]);
    let [Err(broken), Err(forgotten), Ok(good)] = &outcome.results[..] else { panic!("{:?}", outcome.results) };
    assert!(broken.output.contains("error[E0308]: mismatched types"), "{broken}");
    assert!(broken.output.contains("let number: u32 = \"text\";"), "{broken}");
    assert!(forgotten.hint.as_deref().unwrap().contains("name = \"forgotten\"\n    harness = false"), "{forgotten}");
    assert_eq!(benchmarks(good), ["double"]);
    assert_eq!(good.directory, folder.to_str().unwrap());
    assert_eq!(good.toolchain, "cargo");
    assert!(!folder.join("target").exists());
    // The user's flags apply in addition to ours.
    assert!(good.build_command.iter().any(|word| word.starts_with("build.rustflags=")), "{:?}", good.build_command);
}

#[test]
#[ignore = "compiles many programs"]
fn a_workspace_with_flags_and_a_poor_profile() {
    let bench = Bench::sharing();
    if !bench.has("cargo") {
        return;
    }
    let folder = bench.folder.fixture("cargo-workspace");
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text + "[profile.bench]\ndebug-assertions = true\n").unwrap();
    fs::create_dir(folder.join(".cargo")).unwrap();
    fs::write(folder.join(".cargo/config.toml"), "[target.'cfg(unix)']\nrustflags = [\"--cfg\", \"theirs\"]\n")
        .unwrap();
    let source = folder.join("crates/fast/benches/speed.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text + "#[cfg(not(theirs))]\ncompile_error!(\"flags of the user were lost\");\n").unwrap();
    let outcome = bench.build(&folder);
    assert_eq!(outcome.artifact().name, "fast/speed");
    assert_eq!(benchmarks(outcome.artifact()), ["forgotten"]);
    let warned = outcome.events.iter().any(|event| match event {
        BuildEvent::Warned { text, .. } => text.contains("debug-assertions"),
        _ => false,
    });
    assert!(warned, "{:?}", outcome.events);
    assert_eq!(bench.build(&folder).cached(), 1);
}

/// Two folders with the same dependencies, like two revisions: shared code is compiled once and their own code never mixed up, even if a
/// file is older than the other folder's build.
#[test]
#[ignore = "compiles many programs"]
fn dependencies_are_compiled_once_for_all_revisions() {
    let mut bench = Bench::sharing();
    if !bench.has("cargo") || !bench.has("git") {
        return;
    }
    let trace = bench.folder.path.join("compiled");
    bench.folder.write("dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let script =
        "fn main() {\n    use std::io::Write;\n    let mut file = std::fs::File::options().create(true).append(true)\
                  .open(std::env::var(\"TRACE\").unwrap()).unwrap();\n    writeln!(file, \"x\").unwrap();\n    \
                  println!(\"cargo::rerun-if-changed=build.rs\");\n}\n";
    bench.folder.write("dep/build.rs", script);
    bench.folder.write("dep/src/lib.rs", "pub fn n() -> u64 {\n    1\n}\n");
    // External dependencies come by git, which needs no network.
    let home = bench.folder.path.join("cargo home");
    bench.variables = bench.variables.with("CARGO_HOME", &home).with("TRACE", &trace);
    let git = |words: &[&str]| crate::revision::git_in(&bench.variables, &bench.folder.path.join("dep"), words);
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "a"]);
    let manifest = format!(
        "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dev-dependencies]\ntare = {{ path = \"{}/tare\" }}\n\
         [dependencies]\ndep = {{ git = \"file://{}\" }}\n[[bench]]\nname = \"b\"\nharness = false\n[workspace]\n",
        bench.front_end(),
        bench.folder.path.join("dep").display()
    );
    let write = |revision: &str, name: &str| {
        bench.folder.write(&format!("{revision}/Cargo.toml"), &manifest);
        bench.folder.write(&format!("{revision}/src/lib.rs"), &format!("pub const NAME: &str = \"{name}\";\n"));
        let body = format!("#[tare::bench]\nfn {name}() -> u64 {{\n    dep::n() + own::NAME.len() as u64\n}}\n");
        let main = "fn main() {\n    tare::main();\n}\n";
        bench.folder.write(&format!("{revision}/benches/b.rs"), &(body + main))
    };
    // The second is written before the first is built: by its time, it seems to be part of the first build.
    let folders = ["old", "new é"].map(|revision| {
        let name = revision.split(' ').next().unwrap();
        write(revision, if name == "new" { "renewed" } else { name });
        bench.folder.path.join(revision)
    });
    let old = bench.build(&folders[0]).artifact().clone();
    let new = bench.build(&folders[1]).artifact().clone();
    assert_eq!((benchmarks(&old), benchmarks(&new)), (vec!["old".to_owned()], vec!["renewed".to_owned()]));
    assert_eq!(fs::read_to_string(&trace).unwrap(), "x\n", "the dependency is compiled once");
    // Neither build overwrote the other's.
    let again = bench.build(&folders[0]);
    assert_eq!((again.cached(), again.artifact()), (1, &old));
    assert_eq!(bench.build(&folders[1]).cached(), 1);
}
