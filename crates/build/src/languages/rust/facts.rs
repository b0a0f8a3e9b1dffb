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
    ..LanguageFacts::UNKNOWN
};
