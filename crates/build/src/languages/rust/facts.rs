use super::{Crash, LanguageFacts, Rebuild};

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: "rust",
    title: "Rust",
    flags_with_word: &["-C", "-Z", "-A", "-W", "-F", "-L", "-l", "--cfg"],
    operations: "`operations = n`",
    optimise: "`--release`",
    main: "call `tare::main()` in its `main`",
    declaring: "`#[tare::bench] fn name() -> u64 { work() }`",
    overflow: Some(Crash::printing(
        "has overflowed its stack",
        "look for endless recursion, or run the body in a thread with a larger stack (`std::thread::Builder::stack_size`)",
    )),
    crashes: &[
        Crash::printing(
            "panicked at",
            "the panic could not be caught (a second panic, or `panic = \"abort\"`): see its location above",
        ),
        Crash::any("run the program under a debugger; if the cause is `unsafe` code, test that with `cargo miri test`"),
    ],
    counting: "let the program count its own allocations: `tare::allocator!();` at the top of the bench target, or \
               `tare::allocator!(mimalloc::MiMalloc);` instead of its `#[global_allocator]`",
    loop_files: &[
        "/tare/src/loops.rs",
        "/tare/src/barrier.rs",
        "/tare/src/passing.rs",
        "/tare/src/vtable.rs",
        "/tare/src/pool.rs",
    ],
    remarks: Some(remarks),
    unwinds: true,
    ..LanguageFacts::UNKNOWN
};

/// Arguments for remarks of rustc. Their places come from debug information.
const REMARKS: [&str; 4] = ["--offline", "--", "-Cremark=inline loop-vectorize", "-Cdebuginfo=1"];

/// Commands for optimisation remarks, from Cargo's call for a single file in a package of its own or for a bench target.
fn remarks(of: &Rebuild) -> Result<Vec<Vec<String>>, String> {
    let is = |word: &str| of.command.iter().any(|one| one == word);
    let mut words = of.command.to_vec();
    let target = words.iter().position(|word| word == "--target-dir").filter(|at| at + 1 < words.len());
    match (of.command.get(1).map(String::as_str), target) {
        (Some("build"), Some(target)) if is("--manifest-path") => of.folder.clone_into(&mut words[target + 1]),
        (Some("bench"), Some(target)) => {
            words.retain(|word| word != "--no-run");
            if !is("--profile") {
                words.splice(2..2, ["--profile", "bench"].map(str::to_owned));
            }
            // Dependencies are reused unless flags came in a variable: the command lacks those, so everything is rebuilt.
            if !is("--config") {
                let target = words.iter().position(|word| word == "--target-dir").unwrap_or(target);
                of.folder.clone_into(&mut words[target + 1]);
            }
        }
        _ => return Err("only files and bench targets that Cargo builds are compiled once more for remarks".to_owned()),
    }
    "rustc".clone_into(&mut words[1]);
    words.extend(REMARKS.map(str::to_owned));
    Ok(vec![words])
}
