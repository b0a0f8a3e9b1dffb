use super::{Crash, LanguageFacts, ToolchainSetting};

const NAME: &str = "javascript";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "JavaScript",
    dialects: &["typescript"],
    settings: &[ToolchainSetting {
        is_value: is_runtime,
        ..ToolchainSetting::new("node", |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned())
    }],
    flags_with_word: &["-r", "--require", "--import", "--loader", "--experimental-loader", "--conditions"],
    operations: "`{ operations: n }`",
    main: "see what it printed: the file could not be loaded, or ended the process",
    declaring: "`bench('name', () => work())`, with `import { bench } from 'tare'`",
    layout_is_given: true,
    of_runtime: Some(&[]),
    crashes: &[
        Crash::printing(
            "JavaScript heap out of memory",
            "the heap has reached its limit: `--flags --max-old-space-size=4096` raises it",
        ),
        Crash::any("run it with `node --abort-on-uncaught-exception`: the crash is in an addon or in the runtime"),
    ],
    ..LanguageFacts::UNKNOWN
};

/// `node`, `node20`, `bun`, or a path to one, optionally with options.
fn is_runtime(word: &str) -> bool {
    let program = word.split_whitespace().next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let version = ["node", "bun", "deno"].iter().find_map(|name| program.strip_prefix(name));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-'))
}
