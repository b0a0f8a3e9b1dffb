// Python.

use super::{Crash, LanguageFacts, ToolchainSetting};

const NAME: &str = "python";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "Python",
    settings: &[ToolchainSetting {
        is_value: is_interpreter,
        ..ToolchainSetting::new(NAME, |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned())
    }],
    operations: "`operations=n`",
    main: "end the program with `tare.main()`; a file needs no call of it",
    declaring: "`@tare.bench` above `def name(): return work()`",
    layout_is_given: true,
    crashes: &[
        Crash::printing(
            "Fatal Python error: Segmentation fault",
            "the crash is in an extension or in the interpreter: see the innermost line of Python above",
        ),
        Crash::any(
            "set `PYTHONFAULTHANDLER=1` to see the line of Python; the crash is in an extension or in the interpreter",
        ),
    ],
    overflow: Some(Crash::printing("Cannot recover from stack overflow", Crash::OVERFLOW)),
    ..LanguageFacts::UNKNOWN
};

/// `python3.13`, `pypy3`, a path to one, with options behind it.
fn is_interpreter(word: &str) -> bool {
    let program = word.split_whitespace().next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let version = program.strip_prefix("python").or_else(|| program.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.' || c == 't'))
}
