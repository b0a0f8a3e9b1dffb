//! `tare compare`: measures two runnable sides interleaved, or compares two saved results as far as their data allow.

mod live;
mod same_code;
mod saved;
mod selection;

use crate::console::Console;
use crate::failure::Failure;
use crate::request::{contradictions, Settings};
use crate::session::Session;
use crate::sides::{read_result, OfElsewhere, Runnable, SideInput, Sides};
use tare_analysis::Saved;
use tare_build::revision::WORKTREE;
use tare_model::ExitCode;
use tare_report::{clean, shell_word, ComparisonSubject};

/// Criterion's baseline that holds the last run.
const CRITERION: &str = "new";
/// Where to find the forms that a comparison of saved results lacks.
const FORMS_OF_RUN: &str = "print those of a run: `tare show RUN --FORMAT`";

pub fn compare(settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    if settings.amount.launches == Some(1) {
        return Err(Failure::Usage {
            what: "a comparison needs at least 2 launches per side".to_owned(),
            hint: "write `--launches 8`, or leave the flag out".to_owned(),
        });
    }
    Session::hold(settings, console, |session| match &settings.resume {
        Some(id) => {
            contradictions::check_measured(&settings.request, console)?;
            session.go_on(id)
        }
        None => compare_sides(session),
    })
}

fn compare_sides(session: &Session) -> Result<ExitCode, Failure> {
    let Session { settings, store, console } = *session;
    // Needed only for revisions and builds.
    let cache = tare_store::cache_dir().unwrap_or_default();
    let criterion = criterion_baselines(settings)?;
    let benchmarks = OfElsewhere::of(settings.benchmarks_from.as_deref());
    let sides = Sides { store, cache: &cache, criterion, prepare: settings.prepare.as_ref(), benchmarks };
    let base = settings.base.as_deref().unwrap_or_default();
    let is_saved = sides.is_saved(base)?;
    // Saved results may contain jobs. For sides that are built, the text is one job, whatever it is.
    let job = if is_saved { jobs_of_saved(settings).ok().flatten() } else { None };
    // Two baselines or jobs of one file or folder are two sides, so one name is enough.
    let parts = [Some(criterion), job].into_iter().flatten().find(|[base, new]| is_saved && base != new);
    let both = sides.both(base, settings.new.as_deref().or(parts.map(|_| base)), &settings.paths);
    match both? {
        (SideInput::Runnable(base), SideInput::Runnable(new)) => {
            contradictions::check_measured(&settings.request, console)?;
            refuse_benchmarks_from(settings, [&base, &new])?;
            refuse_two_jobs(settings)?;
            live::compare(base, new, session)
        }
        (SideInput::Saved(base), SideInput::Saved(new)) => {
            contradictions::check_saved(&settings.request, console)?;
            settings.forms.refuse(ComparisonSubject::SAVED, FORMS_OF_RUN)?;
            let job = jobs_of_saved(settings)?;
            let mut both = [*base, *new];
            for (place, wanted) in job.into_iter().flatten().enumerate() {
                both[place] = of_job(std::mem::take(&mut both[place]), wanted)?;
            }
            for (side, part) in both.iter_mut().zip(parts.into_iter().flatten()) {
                side.name = format!("{part} of {}", side.name);
            }
            let [base, new] = both;
            saved::compare(base, new, session)
        }
        (SideInput::Saved(saved), SideInput::Runnable(other)) => Err(mixed(&saved, &other)),
        (SideInput::Runnable(other), SideInput::Saved(saved)) => Err(mixed(&saved, &other)),
    }
}

fn criterion_baselines(settings: &Settings) -> Result<[&str; 2], Failure> {
    two_of(settings.saved.criterion.as_deref().unwrap_or(CRITERION), "--criterion", "main..pr")
}

fn jobs_of_saved(settings: &Settings) -> Result<Option<[&str; 2]>, Failure> {
    settings.jobs.given.first().map(|given| two_of(given, "--job", "net8..net9")).transpose()
}

/// `main..pr`, or one name for both sides.
fn two_of<'a>(given: &'a str, flag: &str, example: &str) -> Result<[&'a str; 2], Failure> {
    let (base, new) = given.split_once("..").unwrap_or((given, given));
    match base.is_empty() || new.is_empty() {
        true => Err(Failure::Usage {
            what: format!("`{flag} {given}` names only one of the two sides"),
            hint: format!("write `{flag} OLD..NEW`, such as `{flag} {example}`"),
        }),
        false => Ok([base, new]),
    }
}

fn of_job(saved: Saved, wanted: &str) -> Result<Saved, Failure> {
    let name = saved.name.clone();
    saved.of_job(wanted).map_err(|jobs| Failure::Usage {
        what: match jobs.is_empty() {
            true => format!("`--job` cannot be used: `{name}` has no jobs"),
            false => format!("`--job {wanted}` does not name one job of `{name}`"),
        },
        hint: match jobs.is_empty() {
            true => "choose benchmarks by name: `--filter GLOB`".to_owned(),
            false => format!("use one of these, or enough of it: `{}`", jobs.join("`, `")),
        },
    })
}

fn mixed(saved: &Saved, other: &Runnable) -> Failure {
    // A folder in which nothing can be built was meant to hold results.
    if let ([folder], true) = (&other.paths[..], tare_build::discover::discover(&other.paths).is_err()) {
        if let Some(failure) = read_result(&other.name, folder, CRITERION).err().filter(|_| folder.is_dir()) {
            return failure;
        }
    }
    let (saved_name, name) = (&saved.name, shell_word(&other.name));
    // No command measures a revision by itself.
    let run = match (other.is_project, other.name == WORKTREE) {
        (_, true) => Some("tare run".to_owned()),
        (false, _) => Some(format!("tare run {name}")),
        (true, false) => None,
    };
    let measured = match (saved.tool == "tare", run) {
        (true, Some(run)) => {
            format!("; or measure first: `{run}`, then `tare compare {} latest`", shell_word(saved_name))
        }
        (true, None) => String::new(),
        (false, _) => "; or save results of the same tool for both sides and compare the files".to_owned(),
    };
    Failure::Usage {
        what: format!(
            "`{saved_name}` is a saved result and `{}` still has to run: the two cannot be measured together",
            other.name
        ),
        hint: format!(
            "compare two sides that can both run, such as the revision behind `{saved_name}`: \
             `tare compare REVISION {name}`{measured}"
        ),
    }
}

fn refuse(what: String, hint: String) -> Result<(), Failure> {
    Err(Failure::Usage { what, hint })
}

/// Refuses benchmarks from elsewhere if a side is not a revision: folders and files are built as they are.
fn refuse_benchmarks_from(settings: &Settings, sides: [&Runnable; 2]) -> Result<(), Failure> {
    let other = sides.into_iter().find(|side| settings.benchmarks_from.is_some() && !side.is_project);
    let Some(side) = other else { return Ok(()) };
    let (name, detail) = (clean(&side.name), &side.detail);
    refuse(
        format!("`--benchmarks-from` copies benchmarks over revisions, and `{name}` is {detail}"),
        "copy the benchmarks into it, or compare two revisions".to_owned(),
    )
}

fn refuse_two_jobs(settings: &Settings) -> Result<(), Failure> {
    let jobs = &settings.jobs;
    let both = jobs.given.first().and_then(|job| Some((clean(job), jobs.two()?.map(clean))));
    let Some((text, [first, second])) = both else { return Ok(()) };
    refuse(
        format!("`--job {text}` names two jobs, and sides that are built share one"),
        format!(
            "to compare two jobs: `tare run --job '{first}' --job '{second}'`; to build both sides as one says: `--job JOB`"
        ),
    )
}
