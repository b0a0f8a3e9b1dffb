//! Flags that say nothing of the sides that are compared: a user who gives one expects something of it, and nothing would come.

use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::request::{FileForm, Output};

fn refuse(what: &str, hint: &str) -> Result<(), Failure> {
    Err(Failure::Usage { what: what.to_owned(), hint: hint.to_owned() })
}

/// Flags that say nothing of any comparison.
pub fn refuse_of_any(args: &CompareArgs) -> Result<(), Failure> {
    if args.effort.precision.is_some() {
        return refuse(
            "`--precision` is of `tare run`: a comparison goes on until every verdict is clear",
            "say which change matters: `--min-effect 0.5%`",
        );
    }
    if args.effort.launches == Some(1) {
        return refuse("a comparison needs at least 2 launches a side", "`--launches 8`, or leave it to `tare`");
    }
    Ok(())
}

/// Flags about measuring and building, where nothing is measured or built.
pub fn refuse_of_saved(args: &CompareArgs, outputs: &[Output]) -> Result<(), Failure> {
    let (effort, build) = (&args.effort, &args.build);
    const MEASURE: &str = "measure both sides with it: `tare compare OLD NEW` of two revisions, folders or programs";
    const BUILD: &str = "leave it out: nothing is built of saved results";
    let flags = [
        ("--min-effect", effort.min_effect.is_some(), "for saved results it is `--threshold`"),
        ("--quick", effort.quick, MEASURE),
        ("--long", effort.long, MEASURE),
        ("--budget", effort.budget.is_some(), MEASURE),
        ("--budget-each", args.budget_each.is_some(), MEASURE),
        ("--timeout", effort.timeout.is_some(), MEASURE),
        ("--launches", effort.launches.is_some(), MEASURE),
        ("--waves", effort.waves.is_some(), MEASURE),
        ("--rounds", effort.rounds.is_some(), MEASURE),
        ("--invocations", effort.invocations.is_some(), MEASURE),
        ("--cpu", effort.cpu.is_some(), MEASURE),
        ("--wall", effort.wall, "for saved results it is `--time wall`"),
        ("--seed", effort.seed.is_some(), MEASURE),
        ("--cxx", build.cxx.is_some(), BUILD),
        ("--cc", build.cc.is_some(), BUILD),
        ("--flags", !build.flags.is_empty(), BUILD),
        ("--no-align", build.no_align, BUILD),
        ("--layouts", args.layouts.is_some(), BUILD),
        ("--no-save", args.no_save, "leave it out: a comparison of saved results is not kept"),
    ];
    if let Some((flag, _, hint)) = flags.iter().find(|(_, given, _)| *given) {
        return refuse(&format!("`{flag}` says nothing of saved results"), hint);
    }
    if outputs.iter().any(|output| output.form == FileForm::Measurements) {
        return refuse(
            "a comparison of saved results has no measurements of its own to write",
            "those of a run: `tare show RUN --measurements`",
        );
    }
    Ok(())
}

/// Flags about saved results, where sides are measured.
pub fn refuse_of_live(args: &CompareArgs) -> Result<(), Failure> {
    let saved = &args.saved;
    let flags = [
        ("--threshold", saved.threshold.is_some(), "for sides that are measured it is `--min-effect`"),
        ("--noise", saved.noise.is_some(), "for sides that are measured say which change matters: `--min-effect`"),
        ("--time", saved.time.is_some(), "for sides that are measured it is `--wall`"),
        ("--job", saved.job.is_some(), "leave it out: it is for results of BenchmarkDotNet"),
        ("--criterion", saved.criterion.is_some(), "leave it out: it is for a folder of criterion's results"),
    ];
    match flags.iter().find(|(_, given, _)| *given) {
        Some((flag, _, hint)) => refuse(&format!("`{flag}` is for saved results, and these sides are measured"), hint),
        None => Ok(()),
    }
}
