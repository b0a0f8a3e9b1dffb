use super::help::{benchmarks, Bench};
use crate::toolchain::BuildEvent;
use std::fs;

#[test]
fn a_rust_file_becomes_a_child_and_is_found_again() {
    let bench = Bench::new();
    if !bench.has("cargo") {
        return;
    }
    let folder = bench.folder.fixture("mixed").join("rust");
    let first = bench.build(&folder.join("add.rs"));
    assert_eq!(benchmarks(first.artifact()), ["add"]);
    assert_eq!((first.artifact().language.as_str(), first.artifact().toolchain.as_str()), ("rust", "file"));
    let again = bench.build(&folder.join("add.rs"));
    assert_eq!((again.started(), again.artifact()), (0, first.artifact()));
    // A module and an included file are noticed.
    let text = fs::read_to_string(folder.join("add.rs")).unwrap();
    fs::write(folder.join("other.rs"), "pub const N: u64 = 1;\n").unwrap();
    fs::write(folder.join("add.rs"), text.replace("tare::keep(1)", "other::N") + "mod other;\n").unwrap();
    let with_module = bench.build(&folder.join("add.rs")).artifact().hash.clone();
    assert_eq!(bench.build(&folder.join("add.rs")).started(), 0);
    fs::write(folder.join("other.rs"), "pub const N: u64 = 2;\n").unwrap();
    assert_ne!(bench.build(&folder.join("add.rs")).artifact().hash, with_module);
}

#[test]
fn flags_edition_and_dependencies_of_a_rust_file() {
    let bench = Bench::new();
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
    let bench = Bench::new();
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
    let missing = crate::toolchain::shop::Variables::default().with("PATH", "/nonexistent");
    let without = Bench { variables: missing, ..bench };
    assert!(without.build(&folder.join("crate.rs")).failure().to_string().contains("rustup.rs"));
}

#[test]
fn a_package_builds_what_it_can() {
    let bench = Bench::new();
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
    // Flags of the user stay in force beside ours.
    assert!(good.build_command.iter().any(|word| word.starts_with("build.rustflags=")), "{:?}", good.build_command);
}

#[test]
fn a_workspace_with_flags_and_a_poor_profile() {
    let bench = Bench::new();
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
