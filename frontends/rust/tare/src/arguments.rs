//! The command line of a `harness = false` target, as cargo, cargo-nextest and people write it.

use crate::select::Selection;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Mode {
    Measure,
    #[default]
    Test,
    List,
    Help,
    Version,
}

/// The parsed command line.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) mode: Mode,
    pub(crate) selection: Selection,
    /// `--ignored`: only benchmarks with `skip`.
    pub(crate) ignored: bool,
    /// `--include-ignored`: also benchmarks with `skip`.
    pub(crate) include_ignored: bool,
    /// `--format terse`.
    pub(crate) terse: bool,
    pub(crate) quiet: bool,
    /// The words after `--`, for `tare run`.
    pub(crate) host: Vec<String>,
}

/// Options of libtest that are ignored.
const FLAGS: [&str; 11] = [
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--exclude-should-panic",
    "--force-run-in-process",
    "--report-time",
    "--ensure-time",
    "--shuffle",
    "--fail-fast",
    "--no-fail-fast",
    "--verbose",
];
/// Options of libtest that are ignored together with their value.
const VALUES: [&str; 5] = ["--color", "--test-threads", "--logfile", "--shuffle-seed", "-Z"];

pub(crate) const HELP: &str = "\
Usage: cargo bench [-- OPTIONS] [FILTER...] [-- OPTIONS OF tare run]

  FILTER...          only benchmarks whose name (group/name/parameter=value) contains one of these
  --exact            match whole names
  --skip FILTER      skip these; may be repeated
  --ignored          only those with `skip`; --include-ignored: those too
  --list             print the names, one per line
  --bench            measure with `tare` if that is on the PATH, else run each body once (cargo bench says --bench)
  --test             run each body once, as a test (the default when cargo does not say --bench)
  --version, --help

  TARE_DIRECT=1      in the environment: do not look for `tare`

Options of libtest that mean nothing for benchmarks are accepted and ignored.
";

/// Parses the words after the program's name. A `program` is not a bench target, so it measures by default.
pub(crate) fn parse(words: impl IntoIterator<Item = String>, program: bool) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let (mut bench, mut test) = (program, false);
    let mut other = None;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (word.clone(), None),
        };
        let mut value = || {
            value.take().or_else(|| words.next()).ok_or_else(|| format!("option `{name}` needs a value; see --help"))
        };
        match name.as_str() {
            "--bench" => bench = true,
            "--test" => test = true,
            "--list" => other = Some(Mode::List),
            "--help" | "-h" => other = other.or(Some(Mode::Help)),
            "--version" | "-V" => other = other.or(Some(Mode::Version)),
            "--exact" => arguments.selection.exact = true,
            "--ignored" => arguments.ignored = true,
            "--include-ignored" => arguments.include_ignored = true,
            "--quiet" | "-q" => arguments.quiet = true,
            "--skip" => arguments.selection.skips.push(value()?),
            "--format" => arguments.terse = value()? == "terse",
            "--" => {
                // `cargo bench` appends its `--bench` after everything else.
                let (marks, rest): (Vec<_>, Vec<_>) = words.by_ref().partition(|word| word == "--bench");
                bench |= !marks.is_empty();
                arguments.host = rest;
            }
            name if FLAGS.contains(&name) => {}
            name if VALUES.contains(&name) => drop(value()?),
            name if name.starts_with("-Z") => {}
            name if name.starts_with('-') && name.len() > 1 => {
                return Err(format!("unknown option `{word}`; see --help"));
            }
            _ => arguments.selection.filters.push(word),
        }
    }
    arguments.mode = other.unwrap_or(if bench && !test { Mode::Measure } else { Mode::Test });
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(words: &str, program: bool) -> Mode {
        parse(words.split_whitespace().map(str::to_owned), program).unwrap_or_else(|error| panic!("{error}")).mode
    }

    #[test]
    fn what_is_asked_for() {
        assert_eq!(mode("", false), Mode::Test);
        assert_eq!(mode("", true), Mode::Measure);
        assert_eq!(mode("foo --bench", false), Mode::Measure);
        assert_eq!(mode("--bench --test", true), Mode::Test);
        assert_eq!(mode("--bench --list --help", false), Mode::List);
        assert_eq!(mode("--nocapture --exact foo", false), Mode::Test);
        assert_eq!(mode("foo -- --quick --bench", false), Mode::Measure);
    }

    #[test]
    fn filters_and_the_hosts_words() {
        let words = "a --skip b c --skip=d --exact -- --quick 1 --bench";
        let arguments = parse(words.split_whitespace().map(str::to_owned), false).unwrap_or_else(|_| unreachable!());
        assert_eq!(arguments.selection.filters, ["a", "c"]);
        assert_eq!(arguments.selection.skips, ["b", "d"]);
        assert!(arguments.selection.exact);
        assert_eq!(arguments.host, ["--quick", "1"]);
    }
}
