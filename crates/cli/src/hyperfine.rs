//! The flags of hyperfine in ours: whoever comes from there types them, and is told what they are here.

use crate::args::Cli;
use crate::failure::Failure;
use clap::{Arg, CommandFactory};
use std::path::PathBuf;
use tare_report::{clean, shell_word};

/// A flag of hyperfine that `tare time` has not, or has by another name.
struct Flag {
    /// `-L`, or nothing.
    short: &'static str,
    long: &'static str,
    /// The values that follow it.
    values: usize,
    here: Here,
}

/// What it is here.
enum Here {
    /// The same with this flag.
    Flag(&'static str),
    /// A file in the form that this end of its name chooses.
    File(&'static str),
    /// A command before all others.
    First,
    /// `--param n=1,2`.
    List,
    /// `--param n=1..4`.
    Scan,
    /// The step of the scan before it.
    Step,
    /// Nothing, and why.
    Nothing(&'static str),
}

const fn flag(short: &'static str, long: &'static str, values: usize, here: Here) -> Flag {
    Flag { short, long, values, here }
}

const FLAGS: &[Flag] = &[
    flag("-L", "--parameter-list", 2, Here::List),
    flag("-P", "--parameter-scan", 3, Here::Scan),
    flag("-D", "--parameter-step-size", 1, Here::Step),
    flag("-m", "--min-runs", 1, Here::Flag("--runs")),
    flag("-M", "--max-runs", 1, Here::Flag("--runs")),
    flag("-C", "--conclude", 1, Here::Flag("--conclude")),
    flag("", "--command-name", 1, Here::Flag("--name")),
    flag("", "--reference", 1, Here::First),
    flag("", "--reference-name", 1, Here::Nothing("`--name` names the commands in their order")),
    flag("", "--export-json", 1, Here::File(".json")),
    flag("", "--export-csv", 1, Here::File(".csv")),
    flag("", "--export-markdown", 1, Here::File(".md")),
    flag("", "--export-asciidoc", 1, Here::File(".adoc")),
    flag("", "--export-orgmode", 1, Here::Nothing("there is Markdown, `-o FILE.md`, and AsciiDoc, `-o FILE.adoc`")),
    flag("", "--sort", 1, Here::Nothing("`--order fastest` sorts the rows")),
    flag("", "--style", 1, Here::Nothing("`--color never` and `--ascii` change the appearance")),
    flag("-u", "--time-unit", 1, Here::Nothing("the unit follows from the times")),
    flag("", "--min-benchmarking-time", 1, Here::Nothing("`--long` measures for longer")),
    flag("", "--debug-mode", 0, Here::Nothing("`-v` shows more")),
];

/// Flags of `tare time` that take the next word as their value.
fn flags_with_values() -> Vec<String> {
    let mut cli = Cli::command();
    // Flags of all commands are then flags of this one.
    cli.build();
    let time = cli.find_subcommand("time");
    let takes_next =
        |arg: &&Arg| arg.get_num_args().is_some_and(|n| n.min_values() > 0) && !arg.is_require_equals_set();
    let names = |arg: &Arg| {
        let long = arg.get_long_and_visible_aliases().unwrap_or_default().into_iter().map(|name| format!("--{name}"));
        let short = arg.get_short_and_visible_aliases().unwrap_or_default().into_iter().map(|name| format!("-{name}"));
        long.chain(short).collect::<Vec<String>>()
    };
    time.into_iter().flat_map(clap::Command::get_opts).filter(takes_next).flat_map(names).collect()
}

/// A flag as it was given, what it is here, and what else there is to say.
type Told = (String, Option<String>, &'static str);

/// Why these arguments of `tare` were refused, where flags of hyperfine are the reason, and how they are typed here.
pub fn explained(arguments: &[String]) -> Option<Failure> {
    let at = arguments.iter().position(|word| !word.starts_with('-')).filter(|&at| arguments[at] == "time")?;
    let mut words = arguments[at + 1..].iter();
    let with_values = flags_with_values();
    let (mut told, mut ours): (Vec<Told>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        if word == "--" {
            ours.extend(std::iter::once(word).chain(words).cloned());
            break;
        }
        if with_values.contains(word) {
            ours.extend(std::iter::once(word).chain(words.next()).cloned());
            continue;
        }
        let (name, joined) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        let known = FLAGS.iter().find(|flag| flag.long == name || (!flag.short.is_empty() && flag.short == name));
        // What is called the same is no reason.
        let Some(flag) = known.filter(|flag| !matches!(flag.here, Here::Flag(same) if same == name)) else {
            ours.push(word.clone());
            continue;
        };
        let left = flag.values - usize::from(joined.is_some()).min(flag.values);
        let values: Vec<String> = joined.into_iter().chain(words.by_ref().take(left).cloned()).collect();
        let given = std::iter::once(name.to_owned()).chain(values.iter().map(|value| shell_word(value)));
        let given = given.collect::<Vec<String>>().join(" ");
        let here = here(flag, &values, &mut ours);
        let why = match flag.here {
            Here::Nothing(why) => why,
            Here::First => "the others are compared with the first command",
            Here::File(".json") => " (hyperfine's own format: `-o FILE.hyperfine.json`)",
            _ => "",
        };
        told.push((given, here, why));
    }
    (!told.is_empty()).then(|| failure(&told, &ours))
}

/// Adds what a flag is here to the words; None where it is nothing, or lacks a value.
fn here(flag: &Flag, values: &[String], ours: &mut Vec<String>) -> Option<String> {
    let mut add = |name: &str, value: String| {
        ours.extend([name.to_owned(), value.clone()]);
        Some(format!("{name} {}", shell_word(&value)))
    };
    match (&flag.here, values) {
        (Here::Flag(name), [value]) => add(name, value.clone()),
        (Here::File(end), [file]) => {
            let is_fitting = file.ends_with(end);
            let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
            add("-o", if is_fitting { file.clone() } else { format!("{stem}{end}") })
        }
        (Here::First, [command]) => {
            ours.insert(0, command.clone());
            None
        }
        (Here::List, [name, list]) => add("--param", format!("{name}={list}")),
        (Here::Scan, [name, from, to]) => add("--param", format!("{name}={from}..{to}")),
        (Here::Step, [step]) => {
            let scan = ours.iter_mut().rev().find(|word| word.contains('=') && word.contains(".."))?;
            scan.push_str(&format!(":{step}"));
            Some(format!("--param {}", shell_word(scan)))
        }
        _ => None,
    }
}

/// Why a file of results cannot be what hyperfine's `--output` takes.
pub fn output(files: &[PathBuf]) -> Option<Failure> {
    let place =
        files.iter().filter_map(|file| file.to_str()).find(|name| ["null", "pipe", "inherit"].contains(name))?;
    let ours = if place == "inherit" { "--show-output".to_owned() } else { format!("--stdout {place}") };
    Some(Failure::Usage {
        what: format!("`--output {place}` is a flag of hyperfine; in Tare `--output` writes results"),
        hint: format!("use `{ours}` for the output of the commands"),
    })
}

fn failure(told: &[Told], ours: &[String]) -> Failure {
    let names: Vec<String> = told.iter().map(|(given, ..)| format!("`{given}`")).collect();
    let what = match names.as_slice() {
        [one] => format!("{one} is a flag of hyperfine"),
        several => format!("{} are flags of hyperfine", several.join(", ")),
    };
    let one = |(given, here, why): &Told| match here {
        Some(here) => format!("write `{here}` instead of `{given}`{why}"),
        None if why.is_empty() => format!("`{given}` lacks a value"),
        None => format!("leave `{given}` out: {why}"),
    };
    let mut hint = told.iter().map(one).collect::<Vec<String>>().join("; ");
    if told.iter().all(|(_, here, why)| here.is_some() || !why.is_empty()) {
        let words: Vec<String> = ours.iter().map(|word| shell_word(word)).collect();
        hint.push_str(&format!(": `tare time {}`", words.join(" ")));
    }
    Failure::Usage { what: clean(&what), hint: clean(&hint) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn told(command: &[&str]) -> Option<(String, String)> {
        let words: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        match explained(&words)? {
            Failure::Usage { what, hint } => Some((what, hint)),
            _ => None,
        }
    }

    #[test]
    fn each_flag_of_hyperfine_is_answered_with_ours() {
        for (given, ours) in [
            (vec!["-L", "n", "1,2", "sleep {n}"], "--param n=1,2 'sleep {n}'"),
            (vec!["--parameter-list", "n", "1,2", "sleep {n}"], "--param n=1,2 'sleep {n}'"),
            (vec!["-P", "n", "1", "4", "sleep {n}"], "--param n=1..4 'sleep {n}'"),
            (vec!["-P", "n", "0.1", "0.4", "-D", "0.1", "sleep {n}"], "--param n=0.1..0.4:0.1 'sleep {n}'"),
            (vec!["--export-json", "x.json", "true"], "-o x.json true"),
            (vec!["--export-json=results", "true"], "-o results.json true"),
            (vec!["false", "--reference", "true"], "true false"),
            (vec!["--export-markdown", "x.md", "true"], "-o x.md true"),
            (vec!["--export-csv", "x.csv", "true"], "-o x.csv true"),
            (vec!["--export-asciidoc", "x.adoc", "true"], "-o x.adoc true"),
            (vec!["-M", "20", "-w", "3", "true"], "--runs 20 -w 3 true"),
            (vec!["-N", "-C", "rm x", "-p", "-L", "true"], "-N --conclude 'rm x' -p -L true"),
            (vec!["--command-name", "a", "true"], "--name a true"),
            (vec!["-u", "millisecond", "--style", "basic", "true"], "true"),
        ] {
            let command = [&["-v", "time"], given.as_slice()].concat();
            let (what, hint) = told(&command).expect("an answer");
            assert!(what.contains("hyperfine") && hint.ends_with(&format!(": `tare time {ours}`")), "{what} {hint}");
            // They are refused as they are, and taken as they are told.
            assert!(Cli::try_parse_from(["tare", "time"].iter().chain(&given)).is_err(), "{given:?}");
            let words = tare_model::text::split_words(ours).expect("words");
            let taken = Cli::try_parse_from(["tare", "time"].into_iter().map(str::to_owned).chain(words));
            assert!(taken.is_ok() || ours.contains("-p -L"), "{ours}: {taken:?}");
        }
    }

    #[test]
    fn what_is_no_flag_of_hyperfine_is_not_explained() {
        for command in [
            vec!["time", "--nonsense", "true"],
            vec!["run", "-L", "n", "1"],
            vec!["time", "--", "-L"],
            vec!["time", "--conclude", "x", "--prepare", "-L", "true"],
        ] {
            assert_eq!(told(&command), None, "{command:?}");
        }
        let (_, hint) = told(&["time", "-L"]).expect("an answer");
        assert_eq!(hint, "`-L` lacks a value");
    }
}
