//! `tare profile`: a run, or a comparison, that a diagnoser watches for longer and whose times are quick. It takes the place of the command,
//! so that the run holds a command that can be repeated.

use crate::args::{Cli, Command};
use crate::failure::Failure;
use crate::request;
use std::path::Path;
use tare_model::{Argument, Request};

/// What of the command has another name, or another place, in the command that it stands for.
const OWN: [&str; 2] = ["--for", "--before"];

/// Puts the command that it stands for in its place.
pub fn expand(cli: &mut Cli, request: Request) -> Result<Request, Failure> {
    let Command::Profile(_) = &cli.command else { return Ok(request) };
    let words = words(&request);
    let (parsed, request) = request::parse(&words).map_err(|error| Failure::Usage {
        what: format!("`tare profile` cannot be understood: {}", error.to_string().lines().next().unwrap_or_default()),
        hint: "`tare profile --help` shows how it is written".to_owned(),
    })?;
    *cli = parsed;
    Ok(request)
}

/// Whether a request is what `tare profile` stands for.
pub fn is_of_profile(request: &Request) -> bool {
    request.has("--quick") && request.value_of("--diagnose") == Some("profile")
}

/// The words of the command.
fn words(request: &Request) -> Vec<String> {
    let mut places = request.given.iter().filter(|given| given.flag.is_empty()).flat_map(Argument::words);
    let (target, case) = (places.next(), places.next());
    let mut words = vec!["tare".to_owned()];
    match request.value_of("--before") {
        None => words.push("run".to_owned()),
        // A file or a folder is compared with the target, a revision with what is there now.
        Some(base) if Path::new(base).exists() => words.extend(["compare", base].map(str::to_owned)),
        Some(base) => words.extend(["compare", base, "worktree"].map(str::to_owned)),
    }
    words.extend(target);
    words.extend(case.map(|case| format!("--filter={case}")));
    words.extend(["--quick", "--diagnose", "profile"].map(str::to_owned));
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
            (
                "tare profile . -f --attach --flags=-O3",
                "tare run . --filter=-f --quick --diagnose profile --attach --flags -O3",
            ),
            ("tare profile . s --before main", "tare compare main worktree . --filter=s --quick --diagnose profile"),
            ("tare profile --for=1s -- ./p -x", "tare run --quick --diagnose profile --diagnose-for=1s -- ./p -x"),
        ] {
            // A case that begins with `-` would be a flag.
            let line = line.replace(" -f ", " ./-f ");
            let meant = meant.replace("=-f", "=./-f");
            let (mut cli, request) = request::parse(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(words(&request).join(" "), meant, "{line}");
            let expanded = expand(&mut cli, request).unwrap_or_else(|failure| panic!("{line}: {}", failure.what()));
            assert!(matches!(cli.command, Command::Run(_) | Command::Compare(_)) && is_of_profile(&expanded));
        }
    }
}
