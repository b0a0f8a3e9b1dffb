//! A request is read from a command line and written as one. All flags are asked from their declarations, so that a flag that is added later
//! and not carried fails here.

use crate::args::Cli;
use crate::request::{concern, of_words, parse_by};
use clap::{Command, CommandFactory};
use tare_model::{Given, Request};

/// The commands that make runs.
const MEASURE: [&str; 5] = ["run", "time", "compare", "bisect", "watch"];

/// What a command needs at least.
fn needed(verb: &str) -> &'static [&'static str] {
    match verb {
        "compare" | "bisect" => &["one", "two"],
        "time" => &["one"],
        _ => &[],
    }
}

/// Values that an argument takes.
fn values(verb: &str, id: &str, possible: &[String]) -> Vec<String> {
    let fixed: &[&str] = match id {
        "param" if verb == "time" => &["n=1,2"],
        "param" | "baseline" | "rename" | "context" => &["a b=-2"],
        "precision" | "min_effect" | "threshold" => &["0.5%"],
        "budget" => &["5s/case", "none"],
        "timeout" => &["30s"],
        "noise" => &["0.3ns"],
        "shard" => &["2/5"],
        "fail_on" => &["slower:3%,limit"],
        "better" => &["reqs/s=higher"],
        "ignore_failure" => &["1,2"],
        "md_limit" => &["5000"],
        "seed" => &["0x1f"],
        "job" | "flags" => &["-O2"],
        "launches" | "rounds" | "invocations" | "cpu" | "layouts" | "top" | "runs" | "warmup" => &["7"],
        _ if !possible.is_empty() => return possible[..1].to_vec(),
        "filter" => &["it's", "-x y", ""],
        _ => &["-x ä"],
    };
    fixed.iter().map(|value| (*value).to_owned()).collect()
}

/// A request is the same after it was written and read, as a command line and as JSON; so are the arguments.
fn survives(grammar: &mut Command, words: &[String]) -> Request {
    let (cli, request) = parse_by(grammar, words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    let written = request.words();
    let (again, same) =
        parse_by(grammar, &written).unwrap_or_else(|error| panic!("{words:?} became {written:?}: {error}"));
    assert_eq!(same, request, "{words:?}");
    assert_eq!(format!("{again:?}"), format!("{cli:?}"), "{words:?} became {written:?}");
    let json = serde_json::to_string(&request).expect("JSON");
    assert_eq!(serde_json::from_str::<Request>(&json).expect("a request"), request);
    request
}

/// An argument of a command that measures.
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

#[test]
fn every_flag_is_carried() {
    let mut grammar = Cli::command();
    let mut count = 0;
    for Declared { verb, id, flag, takes_value, possible } in arguments() {
        let Some(flag) = flag.filter(|_| !["help", "version"].contains(&id.as_str())) else { continue };
        let needs: &[&str] = match id.as_str() {
            "unclear" => &["--again", "7f3a"],
            "again" | "resume" => &[],
            _ => needed(verb),
        };
        let lines: Vec<String> = match takes_value {
            false => vec![flag.clone()],
            true => values(verb, &id, &possible).into_iter().map(|value| format!("{flag}={value}")).collect(),
        };
        for line in lines {
            let words = [&["tare", verb], needs, &[line.as_str()]].concat();
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            let request = survives(&mut grammar, &words);
            assert!(request.has(&flag), "tare {verb} {line}");
            count += 1;
        }
    }
    assert!(count > 150, "{count} command lines");
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
    assert!(behind.given[1..].iter().all(|given| given.flag == Given::BEHIND), "{behind:?}");
}

#[test]
fn a_command_of_another_version_keeps_its_words() {
    let words: Vec<String> = ["tare", "run", "a.c", "--no-such-flag"].map(str::to_owned).to_vec();
    assert_eq!(of_words(&words).words(), words);
    assert!(of_words(&[]).is_unknown());
}
