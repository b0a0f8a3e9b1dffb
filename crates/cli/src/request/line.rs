//! Parses a command line. The flags come from their declarations, so none can be missing.

use super::concern;
use crate::args::Cli;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use tare_model::{Argument, CommandLine, Concern};

/// Parses the words of a command line, starting with `tare`, into arguments and a request.
pub fn parse<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<(Cli, CommandLine), clap::Error> {
    parse_by(&mut Cli::command(), words)
}

/// The same with declarations that exist already.
pub fn parse_by<W: Into<OsString> + Clone>(
    grammar: &mut Command,
    words: impl IntoIterator<Item = W>,
) -> Result<(Cli, CommandLine), clap::Error> {
    let matches = grammar.try_get_matches_from_mut(words)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(grammar))?;
    Ok((cli, of_matches(grammar, &matches)))
}

/// The request of a stored command line. If it cannot be parsed, each word becomes an argument.
pub fn of_words(words: &[String]) -> CommandLine {
    parse(words).map_or_else(|_| CommandLine::verbatim(words), |(_, request)| request)
}

fn of_matches(grammar: &Command, matches: &ArgMatches) -> CommandLine {
    let mut request = CommandLine::default();
    let mut below = matches.subcommand().and_then(|(verb, own)| Some((grammar.find_subcommand(verb)?, own)));
    // `tare baseline set`: the second verb is a subcommand.
    while let Some((command, own)) = below {
        match request.verb.is_empty() {
            true => command.get_name().clone_into(&mut request.verb),
            false => request.given.push(Argument::word(command.get_name())),
        }
        let mut found: Vec<(usize, Argument)> = command.get_arguments().flat_map(|arg| given(arg, own)).collect();
        found.sort_by_key(|(place, _)| *place);
        request.given.extend(found.into_iter().map(|(_, given)| given));
        below = own.subcommand().and_then(|(verb, own)| Some((command.find_subcommand(verb)?, own)));
    }
    behind_if_needed(&mut request.given);
    request
}

/// The values of an argument, with their places on the command line.
fn given(arg: &Arg, matches: &ArgMatches) -> Vec<(usize, Argument)> {
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return Vec::new();
    }
    let concern = concern::of(id).unwrap_or(Concern::View);
    // A command to run takes all words after its first one, with or without `--`.
    let flag = match (arg.get_long(), arg.is_last_set() || arg.is_trailing_var_arg_set()) {
        (Some(long), _) => format!("--{long}"),
        (None, true) => Argument::BEHIND.to_owned(),
        (None, false) => String::new(),
    };
    let places = matches.indices_of(id).into_iter().flatten();
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return places.map(|place| (place, Argument::flag(&flag, concern))).collect();
    }
    let mut places = places;
    let mut all = Vec::new();
    for occurrence in matches.get_raw_occurrences(id).into_iter().flatten() {
        let values: Vec<String> = occurrence.map(|value| value.to_string_lossy().into_owned()).collect();
        // The values of one flag are one value; positional words are several.
        let values = match arg.get_value_delimiter() {
            Some(delimiter) => vec![(values.len(), values.join(&delimiter.to_string()))],
            None => values.into_iter().map(|value| (1, value)).collect(),
        };
        for (count, value) in values {
            let place = places.by_ref().take(count.max(1)).last().unwrap_or(usize::MAX);
            let looks_like_flag = value.starts_with('-') && !arg.is_allow_hyphen_values_set();
            let joined = !arg.is_positional() && (arg.is_require_equals_set() || looks_like_flag);
            all.push((place, Argument { flag: flag.clone(), value: Some(value), concern, joined }));
        }
    }
    all
}

/// Moves words that look like flags, and all after them, behind `--`.
fn behind_if_needed(given: &mut [Argument]) {
    let is_flag = |given: &Argument| {
        given.flag.is_empty() && given.value.as_ref().is_some_and(|word| word.starts_with('-') && word != "-")
    };
    if let Some(first) = given.iter().position(is_flag) {
        given[first..].iter_mut().filter(|given| given.flag.is_empty()).for_each(|word| {
            Argument::BEHIND.clone_into(&mut word.flag);
        });
    }
}
