use super::{Crash, LanguageFacts, Process, ToolchainSetting};

const NAME: &str = "python";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "Python",
    settings: &[ToolchainSetting {
        is_value: is_interpreter,
        ..ToolchainSetting::new(NAME, |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned())
    }],
    flags_with_word: &["-X"],
    operations: "`operations=n`",
    main:
        "see what it printed: the interpreter did not start, or a program of your own does not end with `tare.main()`",
    declaring: "`@tare.bench` above `def name(): return work()`",
    layout_is_given: true,
    of_runtime: Some(&[]),
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
    variables,
    ..LanguageFacts::UNKNOWN
};

const HASH_SEED: &str = "PYTHONHASHSEED";

/// Sets a hash seed: the order of sets and places in hash tables differ between launches, but are the same on both sides of a comparison.
fn variables(process: &Process) -> Vec<(String, String)> {
    let is_set = process.wanted.keys().any(|name| *name == HASH_SEED) || (process.is_inherited)(HASH_SEED);
    // Python takes 32 bits; 0 would disable randomisation.
    let seed = process.seed & 0xffff_ffff;
    match process.artifact.language == NAME && seed != 0 && !is_set {
        true => vec![(HASH_SEED.to_owned(), seed.to_string())],
        false => Vec::new(),
    }
}

/// `python3.13`, `pypy3`, or a path to one, optionally with options.
fn is_interpreter(word: &str) -> bool {
    let program = word.split_whitespace().next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let version = program.strip_prefix("python").or_else(|| program.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.' || c == 't'))
}
