//! `tare profile` and `tare why`: replaced by a run or comparison with their diagnosers, so that the run stores a command that can be
//! repeated.

use crate::args::{Cli, Command, WhyArgs};
use crate::failure::Failure;
use crate::request;
use crate::sides::Sides;
use std::path::Path;
use tare_model::{Argument, CommandLine, Concern};
use tare_store::Store;

/// Flags of `tare profile` that have another name or place in the command that replaces it.
const OWN: [&str; 2] = ["--for", "--before"];

pub fn expand(cli: &mut Cli, request: CommandLine) -> Result<CommandLine, Failure> {
    let words = match &cli.command {
        Command::Profile(_) => Some(profile(&request)),
        Command::Why(args) => why(args, &request)?,
        _ => None,
    };
    let Some(words) = words else { return Ok(request) };
    let (parsed, request) = request::parse(&words).map_err(|error| Failure::Usage {
        what: format!("`tare {}` cannot be understood: {}", request.verb, request::first_line(&error)),
        hint: format!("`tare {} --help` shows how it is written", request.verb),
    })?;
    *cli = parsed;
    Ok(request)
}

/// Whether a request is one that replaces `tare profile`.
pub fn is_of_profile(request: &CommandLine) -> bool {
    request.has("--quick") && request.value_of("--diagnose") == Some(tare_diagnose::PROFILE)
}

/// The command that measures and explains; None if a stored run is explained.
fn why(args: &WhyArgs, request: &CommandLine) -> Result<Option<Vec<String>>, Failure> {
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    let sides = Sides::of(&store, Path::new(""));
    let is_one = args.case.is_none() && args.new.as_deref().is_none_or(|new| !sides.is_side(new));
    let is_saved = sides.is_saved(&args.base)?;
    if is_one && is_saved {
        return Ok(None);
    }
    let mut words = vec!["tare".to_owned()];
    // A source and a word that is not a side: a source and a benchmark in it.
    let case = match is_one && Path::new(&args.base).exists() {
        true => {
            words.extend(["run", &args.base].map(str::to_owned));
            &args.new
        }
        false => {
            words.extend(["compare", &args.base].map(str::to_owned));
            words.extend(args.new.clone());
            words.extend(args.paths.iter().map(|path| path.to_string_lossy().into_owned()));
            &args.case
        }
    };
    words.extend(case.iter().map(|case| format!("--filter={case}")));
    words.push("--why".to_owned());
    words.extend((!is_saved && !request.is_about(Concern::Amount)).then(|| "--quick".to_owned()));
    words.extend(request.given.iter().filter(|given| !given.is_word()).flat_map(Argument::words));
    Ok(Some(words))
}

fn profile(request: &CommandLine) -> Vec<String> {
    let mut places = request.given.iter().filter(|given| given.flag.is_empty()).flat_map(Argument::words);
    let (target, case) = (places.next(), places.next());
    let mut words = vec!["tare".to_owned()];
    match request.value_of("--before") {
        None => words.push("run".to_owned()),
        // A file or folder is compared with the target, a revision with the working tree.
        Some(base) if Path::new(base).exists() => words.extend(["compare", base].map(str::to_owned)),
        Some(base) => words.extend(["compare", base, "worktree"].map(str::to_owned)),
    }
    words.extend(target);
    words.extend(case.map(|case| format!("--filter={case}")));
    words.extend(["--quick", "--diagnose", tare_diagnose::PROFILE].map(str::to_owned));
    words.extend(request.value_of("--for").map(|time| format!("--diagnose-for={time}")));
    let others = request.given.iter().filter(|given| !given.is_word() && !OWN.contains(&given.flag.as_str()));
    words.extend(others.flat_map(Argument::words));
    let [_, behind] = request.parts();
    if !behind.is_empty() {
        words.push("--".to_owned());
        words.extend(behind);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_for_a_run_or_a_comparison() {
        for (line, meant) in [
            ("tare profile", "tare run --quick --diagnose profile"),
            ("tare profile b.cpp", "tare run b.cpp --quick --diagnose profile"),
            (
                "tare profile b.cpp sort --for 10s -o p.html",
                "tare run b.cpp --filter=sort --quick --diagnose profile --diagnose-for=10s --output p.html",
            ),
            ("tare profile . -f --flags=-O3", "tare run . --filter=-f --quick --diagnose profile --flags -O3"),
            ("tare profile . s --before main", "tare compare main worktree . --filter=s --quick --diagnose profile"),
            ("tare profile --for=1s -- ./p -x", "tare run --quick --diagnose profile --diagnose-for=1s -- ./p -x"),
        ] {
            // A case that begins with `-` would be read as a flag.
            let line = line.replace(" -f ", " ./-f ");
            let meant = meant.replace("=-f", "=./-f");
            let (mut cli, request) = request::parse(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(profile(&request).join(" "), meant, "{line}");
            let expanded = expand(&mut cli, request).unwrap_or_else(|failure| panic!("{line}: {}", failure.what()));
            assert!(matches!(cli.command, Command::Run(_) | Command::Compare(_)) && is_of_profile(&expanded));
        }
    }
}
