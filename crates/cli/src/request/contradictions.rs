//! Flags that contradict each other or have no effect. A misleading flag is refused. One without effect is accepted, since scripts pass the
//! same flags everywhere; a note says so, unless it requests what happens anyway.

use crate::console::Console;
use crate::failure::Failure;
use tare_model::{Argument, CommandLine, Concern};
use tare_report::clean;

#[derive(Clone, Copy)]
enum Useless {
    /// It would mislead; the text says what to do instead.
    Refused(&'static str),
    /// A note reports it.
    Noted,
    /// It requests the default.
    Silent,
}
use Useless::{Noted, Refused, Silent};

struct Situation {
    why: &'static str,
    rule: fn(&Argument) -> Option<Useless>,
}

const RESUMED: Situation = Situation {
    why: "cannot be given with `--resume`: a resumed run continues as it started",
    rule: |given| {
        use Concern::{Amount, Build, Method, Record, Selection, Subject};
        let is_fixed = matches!(given.concern, Subject | Selection | Amount | Method | Build | Record);
        is_fixed.then_some(Refused("leave it out, or measure again without `--resume`"))
    },
};

const AGAIN: Situation = Situation {
    why: "cannot be given with `--again`: the stored run determines what is measured",
    rule: |given| match (given.concern, given.flag.as_str()) {
        (Concern::Subject, _) | (_, "--resume") => Some(Refused("leave one of them out")),
        _ => None,
    },
};

const DRY: Situation = Situation {
    why: "has no effect with `--dry`: nothing is measured",
    rule: |given| match (given.concern, given.flag.as_str()) {
        (_, "--dry" | "--no-save" | "--timeout" | "--seed") => None,
        (Concern::Gate | Concern::Output, _) => Some(Refused("leave it out, or leave out `--dry` to measure")),
        (Concern::Amount | Concern::Method | Concern::Record, _) | (_, "--stop-on-error") => Some(Noted),
        _ => None,
    },
};

const SAVED: Situation = Situation {
    why: "has no effect on saved results: nothing is measured",
    rule: |given| {
        const MEASURE: &str =
            "to measure both sides, compare two revisions, folders or programs: `tare compare OLD NEW`";
        const BUILD: &str = "leave it out: comparing saved results builds nothing";
        const BY_NAME: &str = "leave it out: choose benchmarks by name, with `--filter`";
        match (given.concern, given.flag.as_str()) {
            (_, "--min-effect") => Some(Refused("for saved results use `--threshold`")),
            (_, "--wall") => Some(Refused("for saved results use `--time wall`")),
            (_, "--budget" | "--timeout" | "--keep-order" | "--seed") => Some(Noted),
            (_, "--no-save") => Some(Silent),
            (_, "--job" | "--why") => None,
            (_, "--package" | "--bench") => Some(Refused(BY_NAME)),
            (Concern::Build, _) => Some(Refused(BUILD)),
            (Concern::Amount | Concern::Method, _) | (_, "--shard" | "--param") => Some(Refused(MEASURE)),
            _ => None,
        }
    },
};

const MEASURED: Situation = Situation {
    why: "applies to saved results, but these sides are measured",
    rule: |given| match given.flag.as_str() {
        "--threshold" | "--noise" => Some(Refused("for sides that are measured use `--min-effect`")),
        "--time" => Some(Refused("for sides that are measured use `--wall`")),
        "--better" => Some(Refused("leave it out: programs declare which values of their metrics are better")),
        "--criterion" => Some(Noted),
        _ => None,
    },
};

impl Situation {
    fn check<'a>(&self, given: impl IntoIterator<Item = &'a Argument>, console: &Console) -> Result<(), Failure> {
        let useless = |given: &Argument| Some((name(given), (self.rule)(given)?));
        let all: Vec<(String, Useless)> = given.into_iter().filter_map(useless).collect();
        let refused = all.iter().find_map(|(name, useless)| match useless {
            Refused(hint) => Some((name, hint)),
            Noted | Silent => None,
        });
        if let Some((name, hint)) = refused {
            return Err(Failure::Usage { what: format!("`{name}` {}", self.why), hint: (*hint).to_owned() });
        }
        for (name, _) in all.iter().filter(|(_, useless)| matches!(useless, Noted)) {
            console.note(&format!("`{name}` {}", self.why));
        }
        Ok(())
    }
}

fn name(given: &Argument) -> String {
    clean(given.value.as_ref().filter(|_| given.is_word()).unwrap_or(&given.flag))
}

pub fn check(request: &CommandLine, console: &Console) -> Result<(), Failure> {
    if request.has("--resume") {
        // The benchmark of a bisection may be chosen once both ends are known.
        let is_chosen_now = |given: &Argument| request.verb == "bisect" && given.flag == "--filter";
        RESUMED.check(request.given.iter().filter(|given| !is_chosen_now(given)), console)?;
    }
    if request.has("--again") {
        AGAIN.check(&request.given, console)?;
    }
    if request.has("--dry") {
        DRY.check(&request.given, console)?;
    }
    Ok(())
}

pub fn check_saved(request: &CommandLine, console: &Console) -> Result<(), Failure> {
    SAVED.check(&request.given, console)
}

pub fn check_measured(request: &CommandLine, console: &Console) -> Result<(), Failure> {
    MEASURED.check(&request.given, console)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use crate::request::concern;
    use clap::CommandFactory;

    fn flags(verb: &str) -> Vec<Argument> {
        let command = Cli::command();
        let command = command.find_subcommand(verb).expect("a command");
        let given = |arg: &clap::Arg| {
            let concern = concern::of(arg.get_id().as_str()).expect("a concern");
            Some(Argument::flag(&format!("--{}", arg.get_long()?), concern))
        };
        command.get_arguments().filter_map(given).collect()
    }

    #[test]
    fn what_is_resumed_is_what_it_was() {
        for verb in ["run", "compare", "bisect"] {
            let of_build = Cli::command();
            let of_build = of_build.find_subcommand(verb).expect("a command").get_arguments();
            let headed = of_build.filter(|arg| {
                matches!(arg.get_help_heading(), Some("How to build" | "How much to measure"))
                    && !["stop_on_error", "keep"].contains(&arg.get_id().as_str())
            });
            for arg in headed {
                let flag = format!("--{}", arg.get_long().expect("a flag"));
                let given = flags(verb).into_iter().find(|given| given.flag == flag).expect("declared");
                assert!(matches!((RESUMED.rule)(&given), Some(Refused(_))), "tare {verb} --resume 7f3a {flag}");
            }
        }
        for flag in ["--fail-on", "--output", "--template", "--md-limit", "--order", "--stop-on-error", "--keep"] {
            let given = flags("run").into_iter().find(|given| given.flag == flag).expect("declared");
            assert!((RESUMED.rule)(&given).is_none(), "{flag}");
        }
    }

    #[test]
    fn only_what_would_mislead_is_refused_of_a_dry_run() {
        for given in flags("run") {
            let wanted = ["--fail-on", "--limit", "--output", "--template", "--format", "--job-summary"];
            let is_refused = matches!((DRY.rule)(&given), Some(Refused(_)));
            assert_eq!(is_refused, wanted.contains(&given.flag.as_str()), "{}", given.flag);
        }
    }

    #[test]
    fn of_saved_results_nothing_is_measured_or_built() {
        for given in flags("compare") {
            let useless = (SAVED.rule)(&given);
            let harmless =
                ["--budget", "--timeout", "--keep-order", "--seed", "--no-save"].contains(&given.flag.as_str());
            assert_eq!(matches!(useless, Some(Noted | Silent)), harmless, "{}", given.flag);
            let is_fixed = matches!(given.concern, Concern::Amount | Concern::Method | Concern::Build);
            // Jobs distinguish the contestants of one saved run; stored diagnoses are evidence.
            let has_effect = ["--job", "--why"].contains(&given.flag.as_str());
            assert!(!is_fixed || useless.is_some() || has_effect, "{}", given.flag);
        }
    }
}
