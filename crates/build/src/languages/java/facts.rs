use super::{CodeName, Crash, LanguageFacts, LateCode, ToolchainSetting};

const NAME: &str = "java";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "Java",
    settings: &[ToolchainSetting {
        is_value: is_jdk,
        ..ToolchainSetting::new("java", |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned())
    }],
    flags_with_word: &[
        "-cp",
        "-classpath",
        "--class-path",
        "--module-path",
        "--add-modules",
        "--add-opens",
        "--add-exports",
        "--add-reads",
        "--enable-native-access",
    ],
    operations: "`@OperationsPerInvocation(n)`",
    optimise: "no `-Xint` and no `-XX:TieredStopAtLevel`",
    main: "see what it printed: a body called `System.exit`, or the virtual machine did not start",
    declaring: "`@Benchmark public int name() { return work(); }` in a public class",
    layout_is_given: true,
    overflow: Some(Crash::printing(
        "java.lang.StackOverflowError",
        "look for endless recursion; `--flags -Xss8m` makes the stack larger",
    )),
    crashes: &[
        Crash::printing(
            "Found one Java-level deadlock",
            "two threads wait for each other: see their lines above, and take locks in the same order everywhere",
        ),
        Crash::printing(
            "OutOfMemoryError",
            "the heap has reached its limit: `--flags -Xmx4g` raises it, and `-XX:+HeapDumpOnOutOfMemoryError` shows what fills it",
        ),
        Crash::printing(
            "Could not reserve enough space",
            "the heap does not fit into this machine: give a smaller one, `--flags -Xmx1g`",
        ),
        Crash::printing(
            "Unrecognized VM option",
            "this JDK does not know the option: `java -XX:+PrintFlagsFinal -version` lists them",
        ),
        Crash::printing(
            "A fatal error has been detected by the Java Runtime Environment",
            "the crash is in native code or in the virtual machine: see the problematic frame above; try a newer patch of the JDK",
        ),
        Crash::any("the crash is in native code or in the virtual machine"),
    ],
    crash_statuses: &[3],
    own_frames: &["at tare.child.", "TareLoop.run", "java.base/jdk.internal.reflect.", "java.base/java.lang.invoke."],
    late_code: Some(LateCode { variables: listing, lacks, is_followed: false }),
    // Records inlined methods at all instructions instead of only at safepoints.
    sampled: &[(OPTIONS, "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints")],
    option_variables: &[OPTIONS],
    ..LanguageFacts::UNKNOWN
};

/// The virtual machine reads further options from this variable.
const OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// Lists the code of the measuring loop, and of the body if it is not inlined there, with its source.
fn listing(file: &str, code: &CodeName) -> Vec<(String, String)> {
    let class = code.class.rsplit('.').next().unwrap_or_default();
    let options = format!(
        "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:CompileCommand=print,*TareLoop::run \
         -XX:CompileCommand=print,*{class}::{} -XX:+LogVMOutput -XX:-DisplayVMOutput \"-XX:LogFile={file}\"",
        code.method
    );
    vec![(OPTIONS.to_owned(), options)]
}

const LISTS_SINCE: u32 = 17;

fn lacks(runtime: &str) -> Option<String> {
    let version =
        runtime.strip_prefix("JDK ").and_then(|rest| rest.split(['.', ' ', '-', '+']).next()?.parse::<u32>().ok());
    let is_able = version.is_some_and(|version| version >= LISTS_SINCE) && !runtime.contains("OpenJ9");
    (!is_able).then(|| {
        format!(
            "{runtime} does not list the machine code that it compiles; HotSpot of JDK {LISTS_SINCE} and later does"
        )
    })
}

/// `java`, `java17`, `jdk-21`, or a path to a JDK or its `java`, optionally with options.
fn is_jdk(word: &str) -> bool {
    let program = word.split_whitespace().next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let version = ["java", "jdk"].iter().find_map(|name| program.strip_prefix(name));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-'))
}
