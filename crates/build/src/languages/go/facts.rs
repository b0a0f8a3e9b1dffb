use super::{Crash, LanguageFacts, ToolchainSetting};

const NAME: &str = "go";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "Go",
    settings: &[ToolchainSetting {
        is_value: |word| {
            let name = word.split_whitespace().next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            name.strip_prefix(NAME)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()))
        },
        ..ToolchainSetting::new("go", |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned())
    }],
    flags_with_word: &["-tags", "-gcflags", "-ldflags", "-asmflags", "-mod", "-pgo"],
    operations: "their time with `b.ReportMetric(ns, \"ns/item\")`",
    optimise: "no `-gcflags` with `-N` or `-l`",
    main: "its `TestMain` must call `m.Run()`, and nothing may call `os.Exit` before",
    declaring: "`func BenchmarkName(b *testing.B)` in a file `*_test.go`",
    layout_is_given: true,
    loop_is_last: true,
    overflow: Some(Crash::printing("fatal error: stack overflow", "look for endless recursion")),
    crashes: &[
        Crash::printing(
            "all goroutines are asleep",
            "the body waits for something that will not happen: see the lines of its goroutines above",
        ),
        Crash::printing(
            "concurrent map",
            "two goroutines use a map at once: protect it with a mutex, or run `go test -race`",
        ),
        Crash::printing("panic: ", "a panic in another goroutine cannot be caught: see its location above"),
        Crash::printing("DATA RACE", "two goroutines use the same memory at once: see both locations above"),
        Crash::any("run `go test -race`; if the cause is C code or `unsafe`, run the program under a debugger"),
    ],
    crash_statuses: &[2, 66],
    own_frames: &[
        "testing.(*tare",
        "testing.tare",
        "goroutine 1 [chan receive",
        "goroutine running on other thread",
        "/testing/tare_",
        "runtime.",
        "/src/runtime/",
        "runtime stack:",
        "/src/testing/testing.go",
        "testing.(*M)",
        ".TestMain(",
        "main.main()",
        "_testmain.go",
    ],
    ..LanguageFacts::UNKNOWN
};
