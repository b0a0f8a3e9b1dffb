//! Which frames belong to Tare and not to the benchmark.

/// Replaces all frames of Tare if a sample has no others.
const TARE: &str = "tare";
/// The root of a stack whose real root is unknown.
pub(super) const CUT: &str = "[cut off]";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub name: String,
    /// Whether it belongs to a front end.
    pub is_tare: bool,
    /// Index of the file of its code; `None` for code without a file.
    pub module: Option<usize>,
}

impl Frame {
    /// `is_tare`: its file belongs to a front end. The name may show that too.
    pub(super) fn of(name: String, is_tare: bool, module: Option<usize>) -> Frame {
        let is_tare = is_tare || self::is_tare(&name);
        Frame { name, is_tare, module }
    }
}

/// Where the body begins in a stack that starts at its root: after its callers. Functions of Tare that the body calls count as its own.
fn body(frames: &[Frame]) -> usize {
    let Some(first) = frames.iter().position(|frame| frame.is_tare) else { return 0 };
    let mut last = first;
    while let Some(next) = frames[last + 1..].iter().position(|frame| !is_between(&frame.name)).map(|at| last + 1 + at)
    {
        if !frames[next].is_tare {
            break;
        }
        last = next;
    }
    last + 1
}

/// A stack from its body on. Work of Tare itself, and what it calls between iterations such as the clock, goes below one frame.
pub(super) fn trimmed(mut frames: Vec<Frame>, is_cut: bool) -> Vec<String> {
    let start = body(&frames);
    let of_tare = start.checked_sub(1).and_then(|last| frames.get(last)).map(|frame| frame.module);
    let is_elsewhere = |frame: &Frame| frame.module.is_some() && Some(frame.module) != of_tare;
    // If the caller of the body is known, the stack is as good as whole.
    let root = match start {
        0 => is_cut.then_some(CUT),
        _ => frames[start..].iter().all(is_elsewhere).then_some(TARE),
    };
    root.map(str::to_owned).into_iter().chain(frames.drain(start..).map(|frame| frame.name)).collect()
}

/// Whether a source file belongs to a front end.
pub(super) fn is_file(path: &str) -> bool {
    ["/include/tare.h", "/include/tare/", "/tare/src/"].iter().any(|part| path.contains(part))
        || path.starts_with("tare/src/")
}

/// A function of a front end, of any language: `tare_iterate_`, `void tare::loop<...>(...)`, `<u64 as tare::text::Text>::write`,
/// `[Tare] Tare.Child::Run`.
fn is_tare(name: &str) -> bool {
    // Template arguments in brackets may belong to Tare in a user's function.
    let name = name.trim_end_matches(tare_model::Stacks::INLINED);
    let own = name.split(['<', '(']).next().unwrap_or_default();
    let last = own.rsplit(' ').next().unwrap_or_default();
    last.starts_with("tare::")
        || last.starts_with("tare_") && last.ends_with('_')
        || last.starts_with("Tare.")
        || name.starts_with("<tare::")
        || name.contains("[Tare] ")
        || own.is_empty() && name.contains(" as tare::")
        || name.contains("] Tare.") && name.contains("::")
        // Added around a body by the macros of Rust.
        || name.contains("::__TARE_NODE::{{closure}}")
}

/// A standard library function that may be between two of Tare's: a call of a closure, or a frame that catches panics.
fn is_between(name: &str) -> bool {
    const PREFIXES: [&str; 14] = [
        "core::ops::function",
        "std::panic",
        "std::panicking",
        "core::panic",
        "alloc::boxed",
        "__rust",
        "std::function",
        "std::_Function",
        // As in debug information, without their paths.
        "catch_unwind<",
        "do_call<",
        "call_once<",
        "call_mut<",
        "call<",
        "try<",
    ];
    let own = name.trim_start_matches('<');
    PREFIXES.iter().any(|prefix| own.starts_with(prefix))
        || name.contains("core::ops::function::Fn")
        || name.contains(" std::__invoke")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames in files other than the program have a `!`.
    fn frames(stack: &str) -> Vec<Frame> {
        stack.split(';').map(|name| Frame::of(name.to_owned(), false, Some(usize::from(name.ends_with('!'))))).collect()
    }

    fn cut(stack: &str) -> String {
        trimmed(frames(stack), false).join(";")
    }

    #[test]
    fn what_is_not_of_the_body_says_what_it_is() {
        assert_eq!(cut("main;tare_iterate_(int);clock_gettime!;[vdso]!"), "tare;clock_gettime!;[vdso]!");
        assert_eq!(trimmed(frames("f;g"), true).join(";"), "[cut off];f;g");
        assert_eq!(trimmed(frames("tare_step_(int);f;g"), true).join(";"), "f;g");
    }

    #[test]
    fn files_of_front_ends_are_known() {
        assert!(["/x/include/tare.h", "/c/tare/src/loops.rs", "tare/src/lib.rs"].into_iter().all(is_file));
        assert!(!["/x/tare.cpp", "/x/src/guitare/src.c", "bench/tare_test.rs"].into_iter().any(is_file));
    }

    #[test]
    fn the_root_is_the_body() {
        for (stack, own) in [
            (
                "_start;main;tare_serve_(tare_link_*);void tare::loop_<f>(int)_[i];body();heavy(int)",
                "body();heavy(int)",
            ),
            (
                "main;tare::main;core::ops::function::FnOnce::call_once;tare::loops::run::run;two::split;two::heavy",
                "two::split;two::heavy",
            ),
            (
                "main;tare::main;tare::loops::run::run;two::_::_::__TARE_NODE::{{closure}}::{{closure}};two::split",
                "two::split",
            ),
            (
                "main;<tare::a as tare::b::C>::d;two::f;<[u64] as core::slice::X>::sort",
                "two::f;<[u64] as core::slice::X>::sort",
            ),
            // Callees of the body stay, even Tare's.
            ("main;tare_iterate_(int);body;tare_opaque_(int)", "body;tare_opaque_(int)"),
            ("main;tare_iterate_(int)", TARE),
            // No frame of Tare: another thread, or a program without names.
            ("clone3;start_thread;worker", "clone3;start_thread;worker"),
            ("main;std::vector<tare::x>::push_back(int)", "main;std::vector<tare::x>::push_back(int)"),
            (
                "main;void [Tare] dynamicClass::Tare.B.Loop(int64)[Optimized];int32 [app] B::Heavy()",
                "int32 [app] B::Heavy()",
            ),
        ] {
            assert_eq!(cut(stack), own, "{stack}");
        }
    }
}
