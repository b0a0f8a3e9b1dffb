//! Requests survive being written as a command line and read again. All flags are tested from their declarations, so a new flag that is not
//! carried over fails here.

use crate::args::Cli;
use crate::console::{ColorChoice, Console};
use crate::request::{concern, contradictions, of_words, parse_by};
use clap::{Command, CommandFactory};
use tare_analysis::{Advice, Again, How};
use tare_model::{Argument, CommandLine, Concern};
use tare_report::{resumed, Glyphs, Hint, Volume};

/// The commands that make runs.
const MEASURE: [&str; 6] = ["run", "time", "compare", "bisect", "watch", "why"];

/// Required arguments of a command.
fn needed(verb: &str) -> &'static [&'static str] {
    match verb {
        "compare" | "bisect" => &["one", "two"],
        "time" | "why" => &["one"],
        _ => &[],
    }
}

fn values(verb: &str, id: &str, possible: &[String]) -> Vec<String> {
    let fixed: &[&str] = match id {
        "param" if verb == "time" => &["n=1,2"],
        "param" | "baseline" | "rename" | "context" => &["a b=-2"],
        "precision" | "min_effect" | "threshold" => &["0.5%"],
        "budget" => &["5s/case", "none"],
        "timeout" | "diagnose_for" => &["30s"],
        "noise" => &["0.3ns"],
        "shard" => &["2/5"],
        "fail_on" => &["slower:3%,limit"],
        "limit" => &["sort/*: instructions <= 1200"],
        "better" => &["reqs/s=higher"],
        "ignore_failure" => &["1,2"],
        "md_limit" => &["5000"],
        "seed" => &["0x1f"],
        "on" => &["slurm: --time=30"],
        "job" | "flags" => &["-O2"],
        "parts" | "launches" | "rounds" | "invocations" | "diagnose_depth" | "cpu" | "layouts" | "top" | "runs"
        | "warmup" => &["7"],
        _ if !possible.is_empty() => return possible[..1].to_vec(),
        "filter" => &["it's", "-x y", ""],
        _ => &["-x ä"],
    };
    fixed.iter().map(|value| (*value).to_owned()).collect()
}

/// Checks that a request survives writing and reading, as a command line and as JSON, and so do its arguments.
fn survives(grammar: &mut Command, words: &[String]) -> CommandLine {
    let (cli, request) = parse_by(grammar, words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    let written = request.words();
    let (again, same) =
        parse_by(grammar, &written).unwrap_or_else(|error| panic!("{words:?} became {written:?}: {error}"));
    assert_eq!(same, request, "{words:?}");
    assert_eq!(format!("{again:?}"), format!("{cli:?}"), "{words:?} became {written:?}");
    let json = serde_json::to_string(&request).expect("JSON");
    assert_eq!(serde_json::from_str::<CommandLine>(&json).expect("a request"), request);
    request
}

struct Declared {
    verb: &'static str,
    id: String,
    flag: Option<String>,
    takes_value: bool,
    possible: Vec<String>,
}

fn arguments() -> Vec<Declared> {
    let mut grammar = Cli::command();
    grammar.build();
    let of = |verb: &'static str| {
        let command = grammar.find_subcommand(verb).expect("a command");
        command.get_arguments().map(move |arg| {
            let possible = arg.get_possible_values().into_iter().map(|value| value.get_name().to_owned()).collect();
            let flag = arg.get_long().map(|long| format!("--{long}"));
            Declared {
                verb,
                id: arg.get_id().to_string(),
                flag,
                takes_value: arg.get_action().takes_values(),
                possible,
            }
        })
    };
    MEASURE.into_iter().flat_map(of).collect()
}

/// A command line for each flag of the measuring commands: verb, flag, words.
fn command_lines() -> Vec<(&'static str, String, Vec<String>)> {
    let mut all = Vec::new();
    for Declared { verb, id, flag, takes_value, possible } in arguments() {
        let Some(flag) = flag.filter(|_| !["help", "version"].contains(&id.as_str())) else { continue };
        let needs: &[&str] = match id.as_str() {
            "unclear" => &["--again", "7f3a"],
            "again" | "resume" => &[],
            _ => needed(verb),
        };
        let beside: &[&str] = if id == "parts" { &["--on", "slurm"] } else { &[] };
        let given: Vec<String> = match takes_value {
            false => vec![flag.clone()],
            true => values(verb, &id, &possible).into_iter().map(|value| format!("{flag}={value}")).collect(),
        };
        all.extend(given.into_iter().map(|given| {
            let words = [&["tare", verb], needs, beside, &[given.as_str()]].concat().into_iter().map(str::to_owned);
            (verb, flag.clone(), words.collect())
        }));
    }
    all
}

#[test]
fn every_flag_is_carried() {
    let mut grammar = Cli::command();
    let all = command_lines();
    for (_, flag, words) in &all {
        assert!(survives(&mut grammar, words).has(flag), "{words:?}");
    }
    assert!(all.len() > 150, "{} command lines", all.len());
}

fn split(command: &str) -> Vec<String> {
    const QUOTE: &str = "\u{1}";
    let words = crate::tests::documents::words(&command.replace(r"'\''", QUOTE));
    words.into_iter().map(|word| word.replace(QUOTE, "'")).collect()
}

#[test]
fn a_printed_command_is_understood_and_keeps_what_is_not_in_its_way() {
    let mut grammar = Cli::command();
    for (verb, flag, words) in command_lines() {
        let (_, request) = parse_by(&mut grammar, &words).expect("a command line");
        if request.is_about(Concern::Stored) {
            // Runs do not store such a request.
            continue;
        }
        for how in [How::AsBefore, How::Longer, How::Launches(16), How::InFull, How::MinimumEffect(0.02)] {
            let advice = Advice { text: "again".into(), again: Some(Again::new(how)) };
            let Some(command) = Hint::of(&advice, &request).command else {
                // Nothing is longer than `--long`.
                assert!(how == How::Longer && request.has("--long"), "{words:?}: {how:?}");
                continue;
            };
            let (_, again) = parse_by(&mut grammar, split(&command)).unwrap_or_else(|e| panic!("{command}: {e}"));
            let is_kept =
                |given: &&Argument| !matches!(given.concern, Concern::Amount | Concern::Output | Concern::Gate);
            for given in request.given.iter().filter(is_kept).filter(|given| given.flag != "--min-effect") {
                assert!(again.given.contains(given), "{words:?}: {command}");
            }
        }
        let resumed = resumed(&request, verb == "compare", "7f3a");
        let (_, read) = parse_by(&mut grammar, resumed.words()).unwrap_or_else(|e| panic!("{resumed:?}: {e}"));
        assert_eq!(read, resumed, "{flag}");
        contradictions::check(&read, &Console::new(ColorChoice::Never, Volume::Quiet, Glyphs::Ascii))
            .unwrap_or_else(|failure| panic!("{resumed:?}: {}", failure.what()));
    }
}

#[test]
fn every_flag_of_what_measures_is_about_something() {
    for Declared { verb, id, .. } in arguments() {
        assert!(concern::of(&id).is_some(), "`{id}` of `tare {verb}`: add it to `request::concern`");
    }
}

#[test]
fn words_keep_their_places() {
    let mut grammar = Cli::command();
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for (line, written) in [
        ("tare -v run a -fx b --filter=y -o r.md", "tare run a --verbose --filter x b --filter y --output r.md"),
        ("tare run --flags -O2 --job=-g -- ./p --quick", "tare run --flags -O2 --job -g -- ./p --quick"),
        ("tare time a -i -- -x", "tare time a --ignore-failure=all -- -x"),
        ("tare run --runtimes 8.0,mono --features a,b", "tare run --runtimes 8.0,mono --features a,b"),
        ("tare compare main --plot a.svg", "tare compare main --output a.svg"),
        ("tare baseline set good", "tare baseline set good"),
        ("tare run --filter=-x", "tare run --filter=-x"),
    ] {
        assert_eq!(survives(&mut grammar, &words(line)).words().join(" "), written, "{line}");
    }
    let behind = survives(&mut grammar, &words("tare time a -- -x b"));
    assert!(behind.given[1..].iter().all(|given| given.flag == Argument::BEHIND), "{behind:?}");
    for line in ["tare conformance child", "tare conformance a --b -- c", "tare conformance -- a b --keep 1"] {
        survives(&mut grammar, &words(line));
    }
}

#[test]
fn a_command_of_another_version_keeps_its_words() {
    let words: Vec<String> = ["tare", "run", "a.c", "--no-such-flag"].map(str::to_owned).to_vec();
    assert_eq!(of_words(&words).words(), words);
    assert!(of_words(&[]).is_unknown());
}
