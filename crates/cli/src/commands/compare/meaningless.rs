//! Flags that have no effect on the sides that are compared. Where the result would be taken for what it is not, a flag is refused by name;
//! where it is the same with and without it, a note says so, as scripts give the same flags everywhere.

use crate::args::CompareArgs;
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::forms::Forms;
use crate::jobs;
use crate::sides::Runnable;
use tare_report::{clean, ComparisonSubject};

fn refuse(what: &str, hint: &str) -> Result<(), Failure> {
    Err(Failure::Usage { what: what.to_owned(), hint: hint.to_owned() })
}

/// Values that no comparison can use.
pub fn refuse_of_any(args: &CompareArgs) -> Result<(), Failure> {
    if args.effort.launches == Some(1) {
        return refuse(
            "a comparison needs at least 2 launches per side",
            "write `--launches 8`, or leave the flag out",
        );
    }
    Ok(())
}

/// Says which flags have no effect: on saved results `--no-save` asks for what is done anyway, so it is not mentioned.
pub fn note_harmless(args: &CompareArgs, is_saved: bool, console: &Console) {
    let effort = &args.effort;
    let flags = match is_saved {
        true => vec![
            ("--budget", effort.budget.is_some()),
            ("--timeout", effort.timeout.is_some()),
            ("--keep-order", effort.keep_order),
            ("--seed", effort.seed.is_some()),
        ],
        false => vec![("--criterion", args.saved.criterion.is_some())],
    };
    let what = if is_saved { "saved results: nothing is measured" } else { "sides that are measured" };
    for (flag, _) in flags.into_iter().filter(|(_, is_given)| *is_given) {
        console.note(&format!("`{flag}` has no effect on {what}"));
    }
}

/// Flags about measuring and building, where nothing is measured or built.
pub fn refuse_of_saved(args: &CompareArgs, forms: &Forms) -> Result<(), Failure> {
    let (effort, build) = (&args.effort, &args.build);
    const MEASURE: &str = "to measure both sides, compare two revisions, folders or programs: `tare compare OLD NEW`";
    const BUILD: &str = "leave it out: nothing is built to compare saved results";
    let flags = [
        // It may set each of the others.
        ("--preset", effort.preset.is_some(), MEASURE),
        ("--min-effect", effort.min_effect.is_some(), "for saved results use `--threshold`"),
        ("--quick", effort.quick, MEASURE),
        ("--long", effort.long, MEASURE),
        ("--launches", effort.launches.is_some(), MEASURE),
        ("--rounds", effort.rounds.is_some(), MEASURE),
        ("--invocations", effort.invocations.is_some(), MEASURE),
        ("--memory-randomization", effort.memory_randomization, MEASURE),
        ("--cpu", effort.cpu.is_some(), MEASURE),
        ("--wall", effort.wall, "for saved results use `--time wall`"),
        ("--diagnose", !args.diagnose.is_empty(), MEASURE),
        ("--cxx", build.cxx.is_some(), BUILD),
        ("--cc", build.cc.is_some(), BUILD),
        ("--flags", !build.flags.is_empty(), BUILD),
        ("--no-align", build.no_align, BUILD),
        ("--layouts", args.layouts.is_some(), BUILD),
        ("--features", !build.features.is_empty(), BUILD),
        ("--all-features", build.all_features, BUILD),
        ("--no-default-features", build.no_default_features, BUILD),
        ("--profile", build.profile.is_some(), BUILD),
        ("--package", !build.package.is_empty(), "leave it out: choose benchmarks by name, with `--filter`"),
        ("--bench", !build.bench.is_empty(), "leave it out: choose benchmarks by name, with `--filter`"),
        ("--benchmarks-from", args.benchmarks_from.is_some(), BUILD),
        ("--shard", args.select.shard.is_some(), MEASURE),
        ("--param", !args.select.param.is_empty(), MEASURE),
    ];
    if let Some((flag, _, hint)) = flags.iter().find(|(_, given, _)| *given) {
        return refuse(&format!("`{flag}` has no effect on saved results"), hint);
    }
    forms.refuse(ComparisonSubject::SAVED, "print those of a run: `tare show RUN --FORMAT`")
}

/// Flags about saved results, where sides are measured.
pub fn refuse_of_live(args: &CompareArgs) -> Result<(), Failure> {
    let saved = &args.saved;
    let flags = [
        ("--threshold", saved.threshold.is_some(), "for sides that are measured use `--min-effect`"),
        ("--noise", saved.noise.is_some(), "for sides that are measured use `--min-effect`"),
        ("--time", saved.time.is_some(), "for sides that are measured use `--wall`"),
        ("--better", !saved.better.is_empty(), "programs say themselves which values of their metrics are better"),
    ];
    match flags.iter().find(|(_, given, _)| *given) {
        Some((flag, _, hint)) => {
            refuse(&format!("`{flag}` applies to saved results, and these sides are measured"), hint)
        }
        None => Ok(()),
    }
}

/// Benchmarks to lay over what is no revision: a folder or file is built as it is.
pub fn refuse_benchmarks_from(args: &CompareArgs, sides: [&Runnable; 2]) -> Result<(), Failure> {
    match sides.into_iter().find(|side| args.benchmarks_from.is_some() && !side.is_project) {
        None => Ok(()),
        Some(side) => refuse(
            &format!(
                "`--benchmarks-from` lays benchmarks over revisions, and `{}` is {}",
                clean(&side.name),
                side.detail
            ),
            "copy the benchmarks into it, or compare two revisions",
        ),
    }
}

/// Two jobs, where both sides are built as one says.
pub fn refuse_two_jobs(args: &CompareArgs, config: &Config) -> Result<(), Failure> {
    let Some((text, [first, second])) = args.saved.job.as_deref().and_then(|job| Some((job, jobs::two(job, config)?)))
    else {
        return Ok(());
    };
    refuse(
        &format!("`--job {}` names two jobs, and sides that are built share one", clean(text)),
        &format!(
            "to compare two jobs: `tare run --job '{}' --job '{}'`; to build both sides as one says: `--job JOB`",
            clean(first),
            clean(second)
        ),
    )
}
