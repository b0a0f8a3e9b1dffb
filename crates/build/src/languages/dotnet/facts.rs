use super::{CodeName, Crash, LanguageFacts, LateCode, LateEvents, Process, ToolchainSetting};

/// What a runtime is chosen by; of C#, and of the other languages too.
const NAME: &str = "c#";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "C#",
    dialects: &["f#", "vb"],
    settings: &[ToolchainSetting::new(
        "dotnet",
        |value| Ok(vec![(NAME, value.to_owned())]),
        |chosen| chosen.get(NAME).cloned(),
    )],
    operations: "`OperationsPerInvoke = n`",
    optimise: "`-c Release`",
    main: "its `Main` ended without its benchmarks: it must call `BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args)`",
    declaring: "`[Benchmark] public int Name() => Work();` in a public class",
    layout_is_given: true,
    // What is inlined has no name in what .NET says of its code.
    of_runtime: Some(&[("DOTNET_JitNoInline", "1")]),
    overflow: Some(Crash::printing("Stack overflow.", Crash::OVERFLOW)),
    crashes: &[
        Crash::printing(
            "Could not load file or assembly",
            "an assembly that the program was built with is missing or has another version: build the program again",
        ),
        Crash::printing(
            "Unhandled exception",
            "an exception in `Main` or in another thread was not caught: see its location above",
        ),
    ],
    late_code: Some(LateCode { variables: listing, lacks: |runtime| lacks(runtime, LISTS_SINCE, "list the machine code that it compiles"), is_followed: true }),
    late_events: Some(LateEvents {
        // What is compiled, and what is inlined; who allocates, and where all code is.
        inlining: |file| events(file, "0x1010"),
        allocations: |file| events(file, "0x31"),
        own: &["Tare", "<Tare"],
        lacks: |runtime| lacks(runtime, TELLS_SINCE, "tell what it inlines and who allocates"),
    }),
    variables,
    own_variables: &["BENCHMARK_CASE", "DOTNET_STARTUP_HOOKS"],
    ..LanguageFacts::UNKNOWN
};

const TOOLCHAIN: &str = "dotnet";
/// Prefixes of the runtime's variables: of .NET 6 and later, and of all earlier ones.
const PREFIXES: [&str; 2] = ["DOTNET_", "COMPlus_"];
/// Each with what it does. The C# front end does not show them as settings: see `Runtime.cs`.
const VARIABLES: [(&str, &str); 2] = [
    // With one processor the runtime waits 1 s in place of 100 ms before it compiles anything again, and longer while new methods are
    // called: a body would be measured as it was compiled at first.
    ("TC_DelaySingleProcMultiplier", "1"),
    // A port for debuggers and profilers: two threads, and three files in the folder for temporary files, which stay when a process is
    // ended from outside.
    ("EnableDiagnostics", "0"),
];

/// Calls are counted when nothing new was called for so many ms in place of 100: a body has its last code 0.3 s earlier. Only where the
/// runtime says what it compiles, and not where first calls count. It is shown as a setting: the user may want another one.
const SOON: (&str, &str) = ("TC_CallCountingDelayMs", "8");

/// Nothing of it changes the code that is compiled. None where the process is not of .NET.
fn variables(process: &Process) -> Vec<(String, String)> {
    let Process { artifact, strategy, wanted, is_inherited, .. } = *process;
    let compiles_by_clock = artifact.child.as_ref().is_some_and(|child| child.compiles_by_clock);
    if artifact.toolchain != TOOLCHAIN && !compiles_by_clock {
        return Vec::new();
    }
    let is_set = |name: &String| wanted.contains_key(name) || is_inherited(name);
    let names = |name: &str| PREFIXES.map(|prefix| format!("{prefix}{name}"));
    // Before it has said what it is, it only lists.
    let is_counted = artifact.child.as_ref().is_none_or(|child| child.can("compilations"));
    let soon = (is_counted && !strategy.keeps_all()).then_some(&SOON);
    let own = VARIABLES.iter().chain(soon).filter(|(name, _)| !names(name).iter().any(is_set));
    let own = own.flat_map(|(name, value)| names(name).map(|name| (name, (*value).to_owned())));
    // .NET 5 and earlier know settings by their old name alone, and pass over the new one in silence.
    let old = |(name, value): (&&String, &&String)| {
        let rest = name.strip_prefix(PREFIXES[0]).filter(|rest| rest.contains(|c: char| c.is_ascii_lowercase()))?;
        Some((format!("{}{rest}", PREFIXES[1]), (*value).clone()))
    };
    let old = wanted.iter().filter_map(old).filter(|(name, _)| !is_set(name));
    own.chain(old).collect()
}

fn listing(file: &str, _: &CodeName) -> Vec<(String, String)> {
    let variables = [("JitDisasm", "*"), ("JitDisasmWithCodeBytes", "1"), ("JitStdOutFile", file)];
    variables.map(|(name, value)| (format!("{}{name}", PREFIXES[0]), value.to_owned())).to_vec()
}

/// The runtime writes these events to a file while the program runs: all of them, with what they have to say.
fn events(file: &str, keywords: &str) -> Vec<(String, String)> {
    let of = format!("Microsoft-Windows-DotNETRuntime:{keywords}:5");
    let variables = [("EnableEventPipe", "1"), ("EventPipeOutputPath", file), ("EventPipeConfig", &of)];
    variables.map(|(name, value)| (format!("{}{name}", PREFIXES[0]), value.to_owned())).to_vec()
}

const LISTS_SINCE: u32 = 7;
const TELLS_SINCE: u32 = 5;

fn lacks(runtime: &str, since: u32, what: &str) -> Option<String> {
    let version = runtime.strip_prefix(".NET ").and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    let is_able = version.is_some_and(|version| version >= since);
    (!is_able).then(|| format!("{runtime} does not {what}; .NET {since} and later do"))
}
