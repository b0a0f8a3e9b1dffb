//! Advice for each failure.

use super::{quoted_list, Failure};
use crate::steps::CHILD;
use std::io;
use tare_build::discover::{DiscoverError, Language};
use tare_build::revision::Why;
use tare_history::HistoryError;
use tare_model::{Argument, CommandLine, Concern, FailureKind, LanguageFacts, Step};
use tare_picture::PictureError;
use tare_report::{clean, shell_word};
use tare_store::StoreError;

/// A reminder for users of another filter syntax.
const FILTERS: &str =
    "a filter is part of a name, or a glob such as `sort*` that matches all of it; repeat the flag for several";

/// Factor by which a hint raises an exceeded timeout.
const LONGER: f64 = 5.0;

impl Failure {
    pub fn hints(&self, request: &CommandLine) -> Vec<String> {
        match self {
            Failure::Undecided { hint, .. } if hint.is_empty() => Vec::new(),
            Failure::Usage { hint, .. } | Failure::Cluster { hint, .. } | Failure::Undecided { hint, .. } => {
                vec![hint.clone()]
            }
            Failure::Discover(error) => error.hints(),
            Failure::Build(failure) => failure.hint.iter().cloned().collect(),
            Failure::List { failure, command, language, .. } => match (failure.step, &failure.cause) {
                // The child of a harness is this program.
                (Step::Start, FailureKind::Timeout { .. }) if command.get(1).is_some_and(|word| word == CHILD) => {
                    vec!["this machine needs longer to start a process: raise the limit with `--timeout SECONDS`"
                        .to_owned()]
                }
                // Our front ends always start, so the time goes into loading the user's code.
                (Step::Start, FailureKind::Timeout { seconds }) if *language != Language::UNKNOWN.name() => {
                    vec![format!(
                        "it may need longer to load: `--timeout {}s`; or name the other files in place of the folder",
                        (LONGER * seconds).ceil()
                    )]
                }
                // It never replied, so it is most likely not a child.
                (
                    Step::Start,
                    FailureKind::EarlyExit { .. } | FailureKind::Timeout { .. } | FailureKind::Protocol { .. },
                ) => {
                    let (words, is_unknown) = (shell(command), *language == Language::UNKNOWN.name());
                    let first = match failure.advised() {
                        Some(advised) => clean(advised),
                        None if is_unknown => {
                            format!("to measure it as a whole command: `tare time {}`", shell_word(&words))
                        }
                        None => LanguageFacts::of_any(language).main.to_owned(),
                    };
                    // Our front ends speak the protocol, so the user's code ended it.
                    let is_ours = !is_unknown && matches!(failure.cause, FailureKind::EarlyExit { .. });
                    let answers = (!is_ours).then(|| format!("`tare conformance {words}` shows its answers"));
                    std::iter::once(first).chain(answers).collect()
                }
                _ => [tare_report::failure_hint_for(failure, language)]
                    .into_iter()
                    .filter(|hint| !hint.is_empty())
                    .map(str::to_owned)
                    .collect(),
            },
            Failure::EmptyPart { .. } => vec!["use fewer shards: there are few groups".to_owned()],
            Failure::NoBenchmarks { language, .. } => match LanguageFacts::of_any(language).declaring {
                "" => vec!["declare one: `tare help start` shows how".to_owned()],
                declaring => vec![format!("declare one: {declaring}")],
            },
            Failure::NoSuchName { nearest, .. } if nearest.is_empty() => {
                vec!["run it without `--rename` to see the names of both sides".to_owned()]
            }
            Failure::NothingMatched { selection, nearest, list, .. } if nearest.is_empty() => {
                let names = match list.as_str() {
                    "" => "run it without this selection to see the names".to_owned(),
                    list => format!("list the benchmarks: `{list}`"),
                };
                selection.contains("--filter").then(|| FILTERS.to_owned()).into_iter().chain([names]).collect()
            }
            Failure::NothingMatched { nearest, .. } => vec![format!("did you mean {}?", quoted_list(nearest))],
            Failure::NoSuchName { nearest, .. } => vec![format!("did you mean {}?", quoted_list(nearest))],
            Failure::Store(error) => store_hints(error),
            Failure::History(error) => vec![history_hint(error)],
            Failure::CannotWrite { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                vec!["free disk space: `df -h .`".to_owned()]
            }
            Failure::CannotWrite { source, .. } if source.get_ref().is_some_and(|error| error.is::<PictureError>()) => {
                vec!["write it as SVG, which has no size limit: `-o FILE.svg`".to_owned()]
            }
            Failure::CannotWrite { .. } => {
                vec!["check the path and its permissions, or write elsewhere: `-o FILE`, or another folder".to_owned()]
            }
            Failure::NoHome { variable } => vec![format!("set a folder: `{variable}=/tmp/cache tare run ...`")],
            Failure::Run(_) | Failure::Bug { .. } => {
                vec!["please report this bug with the command and the output of `tare --version`".to_owned()]
            }
            Failure::ProgramChanged { id, command, .. } => vec![
                format!("measure again from the start: `{}`", shell(command)),
                format!("the measurements so far are kept: `tare show {id}`"),
            ],
            Failure::UnknownTopic { asked, topics } => match tare_model::text::nearest(asked, topics, 1).as_slice() {
                [] => vec![format!("topics: {}; all of them: `tare help`", quoted_list(topics))],
                near => vec![format!("did you mean {}?", quoted_list(near))],
            },
            Failure::Config { .. } => vec!["list the settings: `tare help config`".to_owned()],
            Failure::Side(error) => vec![error.hint()],
            Failure::Revision(error) if error.why == Why::OfToday => {
                benchmarks_of_today(request).into_iter().chain([error.hint()]).collect()
            }
            Failure::Revision(error) => vec![error.hint()],
            Failure::OfSide { side, ignored: Some(file), .. } => vec![format!(
                "git ignores `{}`, so `{}` lacks it: write the command that makes it into `tare.toml`: `prepare = \"npm run build\"` or the like, below `[compare]`",
                clean(&file.to_string_lossy()),
                clean(side)
            )],
            Failure::OfSide { side, ignored: None, failure } => {
                let is_unknown = matches!(**failure, Failure::Discover(DiscoverError::NotBuilt { .. }));
                let saved = is_unknown.then(|| "result files that Tare can read: `tare help comparing`".to_owned());
                let has_none = matches!(
                    **failure,
                    Failure::Discover(DiscoverError::Nothing { .. } | DiscoverError::AllSkipped { .. })
                );
                let of_today = if has_none && crate::sides::is_revision(side) { benchmarks_of_today(request) } else { None };
                of_today.into_iter().chain(failure.hints(request)).chain(saved).collect()
            }
            Failure::Import(error) => vec![error.hint()],
            Failure::CannotRead { path, .. } => vec![format!("check the permissions: `ls -l {}`", path.display())],
            Failure::NothingInCommon { base, new, .. } => {
                let name = |names: &[String], other: &str| names.first().cloned().unwrap_or_else(|| other.to_owned());
                let (old, new) = (clean(&name(base, "OLD")), clean(&name(new, "NEW")));
                let names = format!("{old}={new}").replace('\'', r"'\''");
                vec![format!("if benchmarks were renamed: `--rename '{names}'`")]
            }
            Failure::NothingCompared { .. } => {
                vec!["measure the missing benchmarks on both sides; `--rename OLD=NEW` matches renamed benchmarks"
                    .to_owned()]
            }
            Failure::Step { command, .. } => vec![format!("run it on its own to see why: `{}`", clean(command))],
            Failure::Interrupted => Vec::new(),
        }
    }
}

/// The command again, with the benchmarks of today; None if it already names them.
fn benchmarks_of_today(request: &CommandLine) -> Option<String> {
    const FLAG: &str = "--benchmarks-from";
    let takes_it = ["compare", "bisect"].contains(&request.verb.as_str())
        && ![FLAG, "--resume"].iter().any(|flag| request.has(flag));
    let of_today = || shell(&request.clone().with(Argument::value(FLAG, "worktree", Concern::Build)).words());
    takes_it.then(|| format!("to measure it with the benchmark as it is now: `{}`", of_today()))
}

fn store_hints(error: &StoreError) -> Vec<String> {
    match error {
        StoreError::NotFound { known, .. } if known.is_empty() => vec!["no runs yet: start with `tare run`".to_owned()],
        StoreError::NotFound { known, .. } => {
            vec![format!("list the runs with `tare runs`; the newest is `{}`", known[0])]
        }
        StoreError::Ambiguous { candidates, .. } => vec![format!("matching runs: {}", quoted_list(candidates))],
        StoreError::BadReference { .. } => vec!["list the runs with `tare runs`".to_owned()],
        StoreError::IdTaken { .. } => vec!["try again: ids are random".to_owned()],
        StoreError::Locked { pid, .. } => vec![format!("wait for it to end, or stop it: `kill -INT {pid}`")],
        StoreError::AlreadyFinished { id } => vec![format!("show it: `tare show {id}`")],
        StoreError::NotTrusted { path, .. } => vec![format!(
            "results are only stored in a folder that you own: remove `{}`, run `tare` in another project, or measure with `--no-save`",
            path.display()
        )],
        StoreError::NotARun { .. } => {
            vec!["list the runs with `tare runs`; pass results of other tools as files: `tare show FILE`, `tare compare OLD NEW`"
                .to_owned()]
        }
        StoreError::Damaged { path, .. } if path.ends_with("run.json") => {
            vec![format!("without it the run is read from its `events.jsonl`: `rm {}`", path.display())]
        }
        StoreError::Damaged { .. } => vec!["restore the file or remove it".to_owned()],
        StoreError::OtherSchema { is_newer: true, .. } => {
            vec!["use the version of `tare` that wrote it, or a newer one".to_owned()]
        }
        StoreError::OtherSchema { .. } => {
            vec!["measure again, or read it with the version of `tare` that wrote it".to_owned()]
        }
        StoreError::CannotRead { path, .. } => vec![format!("check the permissions: `ls -l {}`", path.display())],
        StoreError::CannotWrite { safe, .. } if safe.is_empty() => {
            vec!["free disk space or check the permissions; `--no-save` measures without storing the run".to_owned()]
        }
        StoreError::CannotWrite { safe, .. } => vec![safe.clone()],
    }
}

fn history_hint(error: &HistoryError) -> String {
    match error {
        HistoryError::Damaged { .. } => "rebuild it from the stored runs: `tare history rebuild`".to_owned(),
        HistoryError::OtherSchema { found, known, .. } if found > known => {
            "use the version of `tare` that wrote it, or a newer one".to_owned()
        }
        HistoryError::OtherSchema { place, .. } if place.contains("://") => {
            "drop its tables (`DROP SCHEMA tare CASCADE`), then add the stored runs again: `tare history push`".to_owned()
        }
        HistoryError::OtherSchema { .. } => "rebuild it from the stored runs: `tare history rebuild`".to_owned(),
        HistoryError::NotTrusted { path, .. } => {
            format!("remove it, then `tare history rebuild`: `rm {}`", path.display())
        }
        HistoryError::Busy { .. } => "wait for the other `tare` to end, then try again".to_owned(),
        HistoryError::Io { path, .. } => {
            format!("check the disk space and the permissions: `ls -l {}`", path.display())
        }
        HistoryError::Other { place, .. } if place.contains("://") => {
            "look into the log of the database; the runs are still stored: `tare history push`".to_owned()
        }
        HistoryError::Other { place, .. } => format!("check the disk space and the permissions: `ls -l {place}`"),
        HistoryError::Address { reason } if reason.contains("password") => {
            "write `url = \"postgres://user@host/database\"`, and give the password in `PGPASSWORD` or `~/.pgpass`".to_owned()
        }
        HistoryError::Address { .. } => {
            "correct `url` in the section `[history]` of `tare.toml`, as in `url = \"postgres://user@host/database\"`".to_owned()
        }
        HistoryError::WithoutPostgres => {
            "build it with the feature, in a clone of Tare: `cargo install --path crates/cli --features postgres`".to_owned()
        }
        HistoryError::Unreachable { .. } => {
            "the runs are still stored: `tare history push` adds them when the database answers".to_owned()
        }
        HistoryError::Refused { .. } => {
            "check the role, its password in `PGPASSWORD` or `~/.pgpass`, and `sslmode`".to_owned()
        }
        HistoryError::NotAllowed { .. } => {
            "ask the owner of the database for the rights: `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tare TO role`"
                .to_owned()
        }
    }
}

pub fn shell(command: &[String]) -> String {
    tare_model::text::shell_line(command.iter().map(|word| clean(word)))
}
