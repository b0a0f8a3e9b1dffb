//! The exact command of an advice: the user's own, with what helps added and what is in its way left out.

use crate::failures::in_quotes;
use crate::{clean, shell_word};
use tare_analysis::{Again, Decide, How, Report};
use tare_model::{RunStatus, LAYOUTS_MIN};

/// Flags without a value; every other flag takes the next word unless it has `=`.
const PLAIN: [&str; 21] = [
    "--quick",
    "--long",
    "--wall",
    "--keep-order",
    "--keep",
    "--memory-randomization",
    "--job-summary",
    "--choose",
    "--stop-on-error",
    "--ascii",
    "--no-align",
    "--no-save",
    "--no-shell",
    "--ignore-failure",
    "--show-output",
    "-i",
    "-N",
    "-v",
    "-q",
    "--verbose",
    "--quiet",
];

/// Flags about how much is measured: another amount takes the place of all of them.
const AMOUNT: &[&str] =
    &["--quick", "--long", "--preset", "--launches", "--rounds", "--precision", "--budget", "--resume", "--runs", "-r"];

/// Where a result goes and in which form: a run that is made again must not write over the report of the first one.
const OUTPUT: [&str; 6] = ["--output", "-o", "--plot", "--template", "--format", "--job-summary"];

/// Flags to add, and those of the first run to leave out.
fn flags_of(how: How) -> (String, &'static [&'static str]) {
    match how {
        How::AsBefore => (String::new(), &[]),
        How::Longer => ("--long".to_owned(), AMOUNT),
        How::Launches(count) => (format!("--launches {count}"), AMOUNT),
        // A preset or `tare.toml` may set a budget too, which would hold again.
        How::InFull => ("--budget none".to_owned(), AMOUNT),
        How::WithoutBudget => ("--budget none".to_owned(), &["--budget", "--resume"]),
        How::FreeInvocations => (String::new(), &["--invocations"]),
        How::FreeLayouts => (String::new(), &["--layouts"]),
        How::MinimumEffect(share) => {
            // As few digits as tell it.
            let percent = (share * 1e6).round() / 1e4;
            (format!("--min-effect {percent}%"), &["--min-effect", "--resume"])
        }
    }
}

/// The command line `original` once more, otherwise.
pub(crate) fn again(original: &[String], again: &Again) -> String {
    let (flags, without) = flags_of(again.how);
    let is_comparison = original.get(1).is_some_and(|verb| verb == "compare");
    // Commands are measured all together: no filter chooses among them.
    let is_time = original.get(1).is_some_and(|verb| verb == "time");
    let added: Vec<&str> = flags.split_whitespace().filter(|w| w.starts_with('-')).collect();
    let in_the_way = |flag: &str| {
        without.contains(&flag)
            || OUTPUT.contains(&flag)
            || added.contains(&flag)
            // What decides a comparison is no gate.
            || (is_comparison && flag == "--fail-on")
            || (!again.only.is_empty() && FILTERS.contains(&flag))
    };
    let mut words: Vec<String> = without_flags(original, in_the_way).iter().map(|word| shell_word(word)).collect();
    words.extend(filters(if is_time { &[] } else { &again.only }));
    words.extend(flags.split_whitespace().map(str::to_owned));
    words.extend(apart(original).1.iter().map(|word| shell_word(word)));
    words.join(" ")
}

const FILTERS: [&str; 2] = ["--filter", "-f"];

/// The words of tare without these flags and their values.
fn without_flags(original: &[String], in_the_way: impl Fn(&str) -> bool) -> Vec<String> {
    let mut words = vec!["tare".to_owned()];
    let mut rest = apart(original).0.iter().skip(1).peekable();
    if rest.peek().is_none() {
        words.push("run".to_owned());
    }
    while let Some(word) = rest.next() {
        let (flag, has_value) = flag_of(word);
        let takes_next = word.starts_with('-') && !has_value && !PLAIN.contains(&flag);
        let may_be = |next: &&String| HYPHENS.contains(&flag) || !next.starts_with('-');
        let value = if takes_next { rest.next_if(may_be) } else { None };
        if word.starts_with('-') && in_the_way(flag) {
            continue;
        }
        words.push(word.clone());
        words.extend(value.cloned());
    }
    words
}

/// The most benchmarks that a command names one by one; for more of them it names the stored run.
const NAMED_MAX: usize = 2;
/// Verbs that measure a stored run again.
const AGAIN: [&str; 2] = ["run", "compare"];

/// A command that names the stored run in place of many benchmarks: `tare run --again 7f3a --unclear --long`; None where they can be named.
pub(crate) fn shorter(original: &[String], again: &Again, run: &str) -> Option<String> {
    let verb = original.get(1).filter(|verb| AGAIN.contains(&verb.as_str()))?;
    let (flags, without) = flags_of(again.how);
    // What is left out cannot be said in this form; another amount is left out by itself.
    let is_said = flags.is_empty() && without.is_empty() || without == AMOUNT || flags.starts_with(without.first()?);
    let is_long = filters(&again.only).nth(NAMED_MAX).is_some();
    let words = format!("tare {verb} --again {run} --unclear {flags}");
    (is_long && is_said && !run.is_empty()).then(|| words.trim_end().to_owned())
}

/// The command line of a stored run once more, as words: for the benchmarks in `only`, or for all if that is empty, with further flags,
/// which replace flags of the same kind.
pub fn expanded(original: &[String], only: &[String], further: &[String]) -> Vec<String> {
    let (further, command) = apart(further);
    let given: Vec<&str> = further.iter().filter(|word| word.starts_with('-')).map(|word| flag_of(word).0).collect();
    let is_amount = |flag: &str| AMOUNT.contains(&flag);
    let has_filter = !only.is_empty() || given.iter().any(|flag| FILTERS.contains(flag));
    let in_the_way = |flag: &str| {
        given.contains(&flag)
            || OUTPUT.contains(&flag)
            || flag == "--resume"
            || flag == "--fail-on"
            || (is_amount(flag) && given.iter().any(|given| is_amount(given)))
            || (has_filter && FILTERS.contains(&flag))
    };
    let mut words = without_flags(original, in_the_way);
    words.extend(only.iter().flat_map(|name| ["--filter".to_owned(), name.clone()]));
    words.extend(further.iter().cloned());
    words.extend(apart(original).1.iter().cloned());
    words.extend(command.iter().cloned());
    words
}

/// The command that shows this run, or this file of another tool: `tare show 7f3a -v`.
pub(crate) fn show(run: &str, flag: &str) -> String {
    format!("tare show {} {flag}", shell_word(&clean(run)))
}

/// Whether so few code layouts were asked for that they do not average out.
pub(crate) fn has_few_layouts(original: &[String]) -> bool {
    let words = apart(original).0;
    let value = |(at, word): (usize, &String)| match flag_of(word) {
        ("--layouts", true) => word.split_once('=').map(|(_, value)| value.to_owned()),
        ("--layouts", false) => words.get(at + 1).cloned(),
        _ => None,
    };
    let asked = words.iter().enumerate().find_map(value).and_then(|value| value.parse::<usize>().ok());
    asked.is_some_and(|asked| asked < LAYOUTS_MIN)
}

/// The words of tare, and `--` with the command behind it, which has flags of its own.
fn apart(original: &[String]) -> (&[String], &[String]) {
    original.split_at(original.iter().position(|word| word == "--").unwrap_or(original.len()))
}

/// What decides a comparison that is unclear, asked for by `original`.
pub(crate) fn decide(original: &[String], how: &Decide) -> String {
    match how {
        Decide::Again(how) => again(original, how),
        Decide::Interleaved { sides, only } => {
            let [base, new] = sides.clone().unwrap_or_else(|| ["OLD", "NEW"].map(str::to_owned));
            let mut words = ["tare", "compare"].map(str::to_owned).to_vec();
            words.extend([base, new]);
            words.extend(filters(only));
            words.extend(Some(repeated(original, &KEPT_OTHERWISE)).filter(|kept| !kept.is_empty()));
            words.join(" ")
        }
    }
}

/// The command that goes on with a run that was stopped, asking for what the first part was asked for; in the store it must be.
pub(crate) fn resume(report: &Report) -> Option<String> {
    let verb = if report.is_comparison { "compare" } else { "run" };
    let mut words = vec![format!("tare {verb} --resume {}", report.run)];
    words.extend(Some(kept(&report.command)).filter(|kept| !kept.is_empty()));
    // A comparison has no such flag.
    words.extend(Some(STOP_ON_ERROR.to_owned()).filter(|_| !report.is_comparison && stops_on_error(&report.command)));
    (report.status != RunStatus::Finished).then(|| words.join(" "))
}

const STOP_ON_ERROR: &str = "--stop-on-error";

/// Whether the first failure ends the run; what would follow a flag as its value is none.
fn stops_on_error(original: &[String]) -> bool {
    let words = apart(original).0;
    let is_value = |at: usize| at > 0 && HYPHENS.contains(&words[at - 1].as_str());
    words.iter().enumerate().any(|(at, word)| word == STOP_ON_ERROR && !is_value(at))
}

/// Whether `tare watch` asked for it.
pub(crate) fn is_watch(original: &[String]) -> bool {
    original.get(1).is_some_and(|verb| verb == "watch")
}

/// Each once: several jobs of a benchmark have one name.
fn filters(names: &[String]) -> impl Iterator<Item = String> + '_ {
    let once = |(at, name): &(usize, &String)| !names[..*at].contains(name);
    names.iter().enumerate().filter(once).map(|(_, name)| format!("--filter {}", in_quotes(&pattern(name))))
}

/// A pattern that finds this name and can be typed: `?` for what a terminal does not show, and `*` for the middle of a long name.
pub fn pattern(name: &str) -> String {
    let shown: Vec<char> = name.chars().map(|c| if clean(&c.to_string()).starts_with(c) { c } else { '?' }).collect();
    let keep = LONGEST_TYPED / 2;
    match shown.len() > LONGEST_TYPED {
        true => shown[..keep].iter().chain(&['*']).chain(&shown[shown.len() - keep..]).collect(),
        false => shown.into_iter().collect(),
    }
}

/// The most characters of a name in a command.
const LONGEST_TYPED: usize = 160;

/// Flags whose value may look like a flag.
const HYPHENS: [&str; 2] = ["--job", "--flags"];

/// The flag of a word, and whether its value stands in the same word: `--flag=value`, `-fvalue`.
fn flag_of(word: &str) -> (&str, bool) {
    match word.split_once('=') {
        Some((flag, _)) if flag.starts_with("--") => (flag, true),
        _ => match word.get(..2) {
            Some(short @ ("-f" | "-o" | "-r")) => (short, word.len() > 2),
            _ => (word, false),
        },
    }
}

/// What a command that resumes the run must repeat: where the result goes, in which form, what is left of it, and what must not happen.
pub fn kept(original: &[String]) -> String {
    repeated(original, &[&OUTPUT[..], &KEPT_OTHERWISE].concat())
}

/// What a command repeats that is not about where the result goes.
const KEPT_OTHERWISE: [&str; 4] = ["--fail-on", "--top", "--order", "--keep"];

/// These flags of a command line, with their values.
fn repeated(original: &[String], flags: &[&str]) -> String {
    let mut words = Vec::new();
    let mut rest = apart(original).0.iter().skip(1);
    while let Some(word) = rest.next() {
        let (flag, has_value) = flag_of(word);
        if HYPHENS.contains(&flag) && !has_value {
            rest.next();
        }
        if flags.contains(&flag) {
            words.push(shell_word(word));
            if !has_value && !PLAIN.contains(&flag) {
                words.extend(rest.next().map(|value| shell_word(value)));
            }
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_name_is_shown_as_a_pattern_that_finds_it() {
        assert_eq!(pattern("g/a b[n=1]"), "g/a b[n=1]");
        assert_eq!(pattern("g/new\nline\u{1b}[31m\u{202e}"), "g/new?line?[31m?");
        let long = pattern(&format!("group/{}/end", "é".repeat(5000)));
        assert!(long.starts_with("group/é") && long.ends_with("é/end"), "{long}");
        assert_eq!((long.chars().count(), long.matches('*').count()), (161, 1));
    }

    #[test]
    fn what_was_run_stays_and_what_is_in_the_way_goes() {
        let reported =
            |line: &str, keys: &[&str]| again(&words(line), &Again::only(How::Launches(16), keys.iter().copied()));
        assert_eq!(
            reported(
                "/usr/bin/tare run sort.cpp --quick --filter s* --job g++:-O2 --rounds=2",
                &["sort.cpp:sort/it's"]
            ),
            r"tare run sort.cpp --job g++:-O2 --filter 'sort.cpp:sort/it'\''s' --launches 16"
        );
        assert_eq!(reported("tare run . --filter sort*", &[]), "tare run . --filter 'sort*' --launches 16");
        assert_eq!(reported("tare run --quick bench.rs -v", &[]), "tare run bench.rs -v --launches 16");
        assert_eq!(
            reported("tare run bench.rs -fsort* -ox.md --exclude slow -v", &["g/a"]),
            "tare run bench.rs --exclude slow -v --filter 'g/a' --launches 16"
        );
        assert_eq!(
            reported("tare run --quick -- python3 bench.py --quick -o x", &["g/a"]),
            "tare run --filter 'g/a' --launches 16 -- python3 bench.py --quick -o x"
        );
        assert_eq!(
            reported("tare time a b -r20 -i --quick -n x", &["a"]),
            "tare time a b -i -n x --launches 16",
            "commands have no filter"
        );
        assert_eq!(
            reported("tare run a.cpp --job -ffast-math --flags -o --quick", &["g/a", "g/a"]),
            "tare run a.cpp --job -ffast-math --flags -o --filter 'g/a' --launches 16"
        );
        assert_eq!(
            reported("tare run a.cpp -o r.html --output=r.csv --plot p.svg --template t.txt --job-summary --format csv --top 3", &["g/a"]),
            "tare run a.cpp --top 3 --filter 'g/a' --launches 16",
            "nothing that the first run wrote is written over"
        );
        assert_eq!(again(&[], &Again::only(How::Launches(16), ["a"])), "tare run --filter 'a' --launches 16");
    }

    #[test]
    fn many_benchmarks_are_those_of_the_run() {
        let short =
            |line: &str, how, only: &[&str]| shorter(&words(line), &Again::only(how, only.iter().copied()), "7f3a");
        let of_three = |line: &str, how| short(line, how, &["a", "b", "c"]);
        assert_eq!(
            of_three("tare run . --quick", How::Longer).as_deref(),
            Some("tare run --again 7f3a --unclear --long")
        );
        assert_eq!(
            of_three("tare compare main", How::Launches(16)).as_deref(),
            Some("tare compare --again 7f3a --unclear --launches 16")
        );
        assert_eq!(of_three("tare run .", How::AsBefore).as_deref(), Some("tare run --again 7f3a --unclear"));
        assert_eq!(
            of_three("tare compare main", How::MinimumEffect(0.02)).as_deref(),
            Some("tare compare --again 7f3a --unclear --min-effect 2%")
        );
        assert_eq!(of_three("tare run . --invocations 1", How::FreeInvocations), None, "a flag cannot be taken back");
        assert_eq!(of_three("tare time a b", How::Longer), None);
        assert_eq!(short("tare run .", How::Longer, &["a", "b", "a"]), None, "two can be named");
    }

    #[test]
    fn a_stored_command_is_given_again() {
        let expanded = |line: &str, only: &[&str], further: &str| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            let further = if further.is_empty() { Vec::new() } else { words(further) };
            expanded(&words(line), &only, &further).join(" ")
        };
        assert_eq!(expanded("tare run . --quick -o x.md -f a", &[], ""), "tare run . --quick -f a");
        assert_eq!(
            expanded("tare run . --quick -f a --job -O2 -- ./p -f b", &["g/x", "g/y"], "--launches 9 -v"),
            "tare run . --job -O2 --filter g/x --filter g/y --launches 9 -v -- ./p -f b"
        );
        assert_eq!(
            expanded("tare compare main HEAD b.c --min-effect 1% --fail-on slower", &["x"], "--min-effect 2%"),
            "tare compare main HEAD b.c --filter x --min-effect 2%"
        );
    }

    #[test]
    fn few_layouts_are_those_that_were_asked_for() {
        for (line, few) in [
            ("tare compare main --layouts 1", true),
            ("tare compare main --layouts=7 -q", true),
            ("tare compare main --layouts 8", false),
            ("tare compare main a.cpp", false),
            ("tare compare main -- b --layouts 1", false),
        ] {
            assert_eq!(has_few_layouts(&words(line)), few, "{line}");
        }
    }

    #[test]
    fn each_change_has_its_flags() {
        let reported = |line: &str, how| again(&words(line), &Again::new(how));
        assert_eq!(reported("tare run a.cpp --budget 2s -o x.md", How::WithoutBudget), "tare run a.cpp --budget none");
        for (line, of_preset) in [
            ("tare run a.cpp --preset ci", "tare run a.cpp --preset ci --budget none"),
            ("tare run a.cpp --preset=ci --budget 9s", "tare run a.cpp --preset=ci --budget none"),
            ("tare run --quick -- ./b --budget 9s", "tare run --quick --budget none -- ./b --budget 9s"),
        ] {
            assert_eq!(reported(line, How::WithoutBudget), of_preset);
        }
        assert_eq!(reported("tare compare main .", How::InFull), "tare compare main . --budget none", "of `tare.toml`");
        assert_eq!(reported("tare compare main . --budget 9s", How::InFull), "tare compare main . --budget none");
        assert_eq!(reported("tare compare main . --preset ci", How::InFull), "tare compare main . --budget none");
        assert_eq!(reported("tare run a.cpp --invocations 1", How::FreeInvocations), "tare run a.cpp");
        assert_eq!(reported("tare compare main a.cpp --layouts 1", How::FreeLayouts), "tare compare main a.cpp");
        assert_eq!(reported("tare run a.cpp --quick", How::Longer), "tare run a.cpp --long");
        let random = "tare run a.cpp --memory-randomization --quick --preset ci";
        assert_eq!(reported(random, How::Longer), "tare run a.cpp --memory-randomization --long");
        assert_eq!(reported("tare run a.cpp --quick", How::AsBefore), "tare run a.cpp --quick");
        assert_eq!(
            reported("tare compare main . --quick --fail-on slower", How::InFull),
            "tare compare main . --budget none",
            "what decides is no gate"
        );
        assert_eq!(
            reported("tare compare main . --min-effect 1%", How::MinimumEffect(0.015)),
            "tare compare main . --min-effect 1.5%"
        );
    }

    #[test]
    fn both_sides_are_measured_in_turn() {
        let of = |sides: Option<[&str; 2]>| Decide::Interleaved {
            sides: sides.map(|sides| sides.map(str::to_owned)),
            only: vec!["a".to_owned()],
        };
        let reported = |how: &Decide| decide(&words("tare compare old/ new/ -o x.md --top 3"), how);
        assert_eq!(reported(&of(None)), "tare compare OLD NEW --filter 'a' --top 3");
        assert_eq!(reported(&of(Some(["1f", "2e"]))), "tare compare 1f 2e --filter 'a' --top 3");
    }

    #[test]
    fn a_run_that_stops_on_an_error_does_so_when_it_is_resumed() {
        let stops = |line: &str| stops_on_error(&words(line));
        assert!(stops("tare run . --stop-on-error -o x.md") && stops("tare time --stop-on-error a b"));
        assert!(!stops("tare run -- ./bench --stop-on-error") && !stops("tare run --job --stop-on-error"));
    }

    #[test]
    fn what_a_run_is_asked_for_is_asked_for_again() {
        let kept = |line: &str| kept(&words(line));
        assert_eq!(
            kept("tare run . --quick -o x.md --output=y.csv -oz.txt -f a --top 3"),
            "-o x.md --output=y.csv -oz.txt --top 3"
        );
        assert_eq!(kept("tare run -o x.md -- ./bench -o y"), "-o x.md");
        assert_eq!(kept("tare compare main HEAD --fail-on slower:3% -v"), "--fail-on slower:3%");
        assert_eq!(kept("tare run --job -o --flags -ox -o y.md"), "-o y.md");
        assert_eq!(kept("tare run . --keep --template a.txt --job-summary"), "--keep --template a.txt --job-summary");
        assert_eq!(kept("tare run"), "");
    }
}
