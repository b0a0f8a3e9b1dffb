//! Every failure that a user sees, with its exit code.

mod hints;

pub use hints::shell;

use std::io;
use std::path::PathBuf;
use tare_build::discover::DiscoverError;
use tare_build::revision::{RevisionError, SideError, Why};
use tare_build::toolchain::{BuildFailure, ProgramChange};
use tare_harness::program_of;
use tare_history::HistoryError;
use tare_import::ImportError;
use tare_model::text::plural;
use tare_model::{ExitCode, Step, HARNESS_PROGRAM};
use tare_report::{clean, failure_text, short};
use tare_runner::RunError;
use tare_store::StoreError;

#[derive(Debug)]
pub enum Failure {
    Usage {
        what: String,
        hint: String,
    },
    Discover(DiscoverError),
    Build(Box<BuildFailure>),
    List {
        program: String,
        command: Vec<String>,
        /// Of the artifact; unknown if Tare did not build it, which may then be a command meant for `tare time`.
        language: String,
        failure: Box<tare_model::Failure>,
    },
    NoBenchmarks {
        programs: Vec<String>,
        /// The language of the first.
        language: String,
    },
    NothingMatched {
        selection: String,
        of: usize,
        nearest: Vec<String>,
        /// The command that lists them; empty if there is none.
        list: String,
    },
    /// This part of the benchmarks is empty, which is not a fault of the machine that runs it.
    EmptyPart {
        shard: tare_engine::Shard,
        of: usize,
    },
    NoSuchName {
        what: String,
        nearest: Vec<String>,
    },
    Store(StoreError),
    History(HistoryError),
    CannotWrite {
        what: String,
        source: io::Error,
    },
    /// Neither `$HOME` nor the folder's own variable is set.
    NoHome {
        variable: &'static str,
    },
    /// A running program could not be described to the runner: an internal error.
    Run(RunError),
    ProgramChanged {
        program: String,
        change: ProgramChange,
        id: String,
        command: Vec<String>,
    },
    UnknownTopic {
        asked: String,
        topics: Vec<String>,
    },
    Config {
        path: PathBuf,
        reason: String,
    },
    Side(SideError),
    Revision(RevisionError),
    OfSide {
        side: String,
        /// A file that it asks for, which is in the working tree and ignored by git.
        ignored: Option<PathBuf>,
        failure: Box<Failure>,
    },
    Import(ImportError),
    CannotRead {
        path: PathBuf,
        source: io::Error,
    },
    /// Both sides have benchmarks, but none in common.
    NothingInCommon {
        base: Vec<String>,
        new: Vec<String>,
        /// A gate was asked for, which is then undecided.
        gated: bool,
    },
    /// Both sides have results, but no benchmark could be compared.
    NothingCompared {
        why: Vec<String>,
    },
    /// A set-up or clean-up of `tare time` failed.
    Step {
        flag: &'static str,
        command: String,
        status: String,
        output: Vec<String>,
    },
    Cluster {
        what: String,
        hint: String,
    },
    Undecided {
        what: String,
        hint: String,
    },
    /// The user stopped it before anything was measured.
    Interrupted,
    Bug {
        what: String,
    },
}

impl Failure {
    pub fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Failure {
        let what = format!("`{}`", path.into().display());
        move |source| Failure::CannotWrite { what, source }
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage { .. } | Failure::UnknownTopic { .. } | Failure::Config { .. } => ExitCode::Usage,
            Failure::Side(SideError::Revision(error)) | Failure::Revision(error) => match error.why {
                Why::SetUp => ExitCode::SetUp,
                _ => ExitCode::Usage,
            },
            Failure::Side(_) | Failure::Import(_) => ExitCode::Usage,
            Failure::OfSide { failure, .. } => failure.exit_code(),
            Failure::CannotRead { .. } | Failure::Step { .. } | Failure::Cluster { .. } => ExitCode::SetUp,
            Failure::NothingInCommon { gated: true, .. } => ExitCode::GateUndecided,
            Failure::NothingInCommon { .. } | Failure::NothingCompared { .. } => ExitCode::NothingMatched,
            Failure::Discover(error) => match error {
                DiscoverError::NotFound { .. }
                | DiscoverError::NotCargo { .. }
                | DiscoverError::NotBuilt { .. }
                | DiscoverError::NotUtf8 { .. } => ExitCode::Usage,
                DiscoverError::Unreadable { .. } => ExitCode::SetUp,
                DiscoverError::Nothing { .. } | DiscoverError::AllSkipped { .. } | DiscoverError::NoSuch { .. } => {
                    ExitCode::NothingMatched
                }
                DiscoverError::Manifest { .. } => ExitCode::BuildFailed,
            },
            Failure::Build(failure) if failure.lacking => ExitCode::SetUp,
            Failure::Build(_) => ExitCode::BuildFailed,
            Failure::List { failure, .. } if failure.is_not_loaded() => ExitCode::BuildFailed,
            Failure::List { .. } => ExitCode::ListFailed,
            Failure::EmptyPart { .. } => ExitCode::Ok,
            Failure::NoBenchmarks { .. } | Failure::NothingMatched { .. } | Failure::NoSuchName { .. } => {
                ExitCode::NothingMatched
            }
            Failure::Store(error) => match error {
                StoreError::NotFound { .. }
                | StoreError::Ambiguous { .. }
                | StoreError::BadReference { .. }
                | StoreError::NotARun { .. }
                | StoreError::AlreadyFinished { .. } => ExitCode::Usage,
                StoreError::Locked { .. }
                | StoreError::NotTrusted { .. }
                | StoreError::Damaged { .. }
                | StoreError::OtherSchema { .. }
                | StoreError::CannotRead { .. } => ExitCode::SetUp,
                StoreError::IdTaken { .. } | StoreError::CannotWrite { .. } => ExitCode::CannotWrite,
            },
            Failure::History(_) => ExitCode::SetUp,
            Failure::CannotWrite { .. } => ExitCode::CannotWrite,
            // A changed program is a usage error; a missing one can be built again.
            Failure::ProgramChanged { change: ProgramChange::Changed(_), .. } => ExitCode::Usage,
            Failure::NoHome { .. } | Failure::ProgramChanged { .. } => ExitCode::SetUp,
            Failure::Run(_) | Failure::Bug { .. } => ExitCode::Bug,
            Failure::Undecided { .. } => ExitCode::GateUndecided,
            Failure::Interrupted => ExitCode::Interrupted,
        }
    }

    /// One line about what went wrong. The compiler's output follows on separate lines.
    pub fn what(&self) -> String {
        match self {
            Failure::Usage { what, .. }
            | Failure::NoSuchName { what, .. }
            | Failure::Cluster { what, .. }
            | Failure::Undecided { what, .. } => what.clone(),
            Failure::Discover(error) => error.to_string(),
            Failure::Build(failure) => {
                let text = failure.to_string();
                let hint = failure.hint.as_ref().map(|h| format!("\n\nhint: {h}")).unwrap_or_default();
                text.strip_suffix(&hint).unwrap_or(&text).to_owned()
            }
            // The benchmarks that it listed are kept.
            Failure::List { program, failure, .. } if failure.step == Step::End => {
                format!("`{}` failed after listing its benchmarks", clean(program))
            }
            Failure::List { program, .. } => format!("cannot list the benchmarks of `{}`", clean(program)),
            Failure::EmptyPart { shard, of } => {
                format!("nothing to do: the other shards have all {of} benchmarks; `--shard {shard}` is empty")
            }
            Failure::NoBenchmarks { programs, .. } => format!("no benchmark in {}", quoted_list(programs)),
            // Those that match an exclusion are the others.
            Failure::NothingMatched { selection, of, .. } if selection.contains("--exclude") => {
                format!("none of {} is left by {selection}", plural(*of, "benchmark"))
            }
            Failure::NothingMatched { selection, of, .. } => {
                format!("none of {} matches {selection}", plural(*of, "benchmark"))
            }
            Failure::Store(error) => clean(&error.to_string()),
            Failure::History(error) => clean(&error.to_string()),
            Failure::CannotWrite { what, .. } => format!("cannot write {what}"),
            Failure::NoHome { .. } => "no home folder for the cache of built programs".to_owned(),
            Failure::Run(error) => format!("internal error: {error}"),
            Failure::ProgramChanged { program, id, .. } => {
                format!("run `{id}` cannot be resumed with `{}`", clean(program))
            }
            Failure::UnknownTopic { asked, .. } => format!("no help on `{}`", clean(asked)),
            Failure::Config { path, .. } => format!("invalid configuration in `{}`", path.display()),
            Failure::Side(error) => error.to_string(),
            Failure::Revision(error) => error.to_string(),
            Failure::OfSide { side, failure, .. } => format!("side `{}`: {}", clean(side), failure.what()),
            Failure::Import(error) => error.to_string(),
            Failure::CannotRead { path, .. } => format!("cannot read `{}`", path.display()),
            Failure::NothingInCommon { .. } => "no benchmark is on both sides".to_owned(),
            Failure::NothingCompared { .. } => "nothing was compared".to_owned(),
            Failure::Step { flag, command, .. } => format!("`{flag}` failed: `{}`", clean(command)),
            Failure::Bug { .. } => "internal error in tare".to_owned(),
            Failure::Interrupted => "interrupted before anything was measured".to_owned(),
        }
    }

    /// The chain of causes, nearest first.
    pub fn causes(&self) -> Vec<String> {
        match self {
            Failure::List { failure, command, .. } => {
                // For another harness, show its program rather than the child, which only the host can start.
                let own = command.iter().skip(if program_of(command).is_some() { HARNESS_PROGRAM } else { 0 });
                let own: Vec<&str> = own.map(String::as_str).collect();
                let mut causes = vec![failure_text(failure), format!("command: `{}`", clean(&own.join(" ")))];
                causes.extend(failure.printed().map(|line| format!("output: {}", clean(line))));
                causes
            }
            Failure::History(HistoryError::Io { source, .. }) => vec![source.to_string()],
            Failure::Store(error) => {
                let mut causes = Vec::new();
                let mut source = std::error::Error::source(error);
                while let Some(cause) = source {
                    causes.push(cause.to_string());
                    source = cause.source();
                }
                causes
            }
            Failure::CannotWrite { source, .. } | Failure::CannotRead { source, .. } => vec![source.to_string()],
            Failure::Bug { what } => vec![what.clone()],
            Failure::Step { status, output, .. } => {
                let lines = output.iter().map(|line| format!("output: {}", clean(line)));
                std::iter::once(clean(status)).chain(lines).collect()
            }
            Failure::Config { reason, .. } => reason.lines().map(str::to_owned).collect(),
            Failure::Side(SideError::Nothing { reason, .. }) => vec![reason.to_string()],
            Failure::OfSide { failure, .. } => failure.causes(),
            Failure::NothingInCommon { base, new, .. } => {
                vec![format!("the base has {}", quoted_list(base)), format!("the new side has {}", quoted_list(new))]
            }
            Failure::ProgramChanged { change, .. } => vec![clean(&change.to_string())],
            Failure::NothingCompared { why } => why.clone(),
            _ => Vec::new(),
        }
    }
}

/// `a`, `b` and `c`; a long list is cut.
pub fn quoted_list(names: &[String]) -> String {
    const MOST: usize = 8;
    let mut quoted: Vec<String> = names.iter().take(MOST).map(|n| format!("`{}`", short(&clean(n)))).collect();
    if names.len() > MOST {
        quoted.push(format!("{} more", names.len() - MOST));
    }
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "nothing".to_owned(),
    }
}
