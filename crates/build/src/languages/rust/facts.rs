// Rust.

use super::{Crash, LanguageFacts};

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: "rust",
    title: "Rust",
    operations: "`operations = n`",
    optimise: "`--release`",
    main: "call `tare::main()` in its `main`",
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
    ..LanguageFacts::UNKNOWN
};

/// Of the call of Cargo that builds one file as a package of its own.
fn remarks(build: &[String], folder: &str) -> Option<Vec<String>> {
    let mut words = build.to_vec();
    let of_file = words.get(1)? == "build" && words.iter().any(|word| word == "--manifest-path");
    let target = words.iter().position(|word| word == "--target-dir").filter(|_| of_file)?;
    "rustc".clone_into(words.get_mut(1)?);
    folder.clone_into(words.get_mut(target + 1)?);
    words.extend(["--offline", "--", "-Cremark=inline", "-Cdebuginfo=1"].map(str::to_owned));
    Some(words)
}
