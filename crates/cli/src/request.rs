//! From what was typed to what is meant: policies, selections, files to write. Checks, but does nothing yet.

use crate::args::{BuildArgs, CompareArgs, EffortArgs, RunArgs, SelectArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::units::{self, Budget};
use std::path::{Path, PathBuf};
use tare_engine::Selection;
use tare_host::toolchain::BuildOptions;
use tare_model::{Clocking, Policy, Profile};

/// Form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// The screen without colours.
    Table,
    /// Markdown.
    Markdown,
    /// One row a case.
    Csv,
    /// The report for programs.
    Json,
    /// One row an iteration.
    Measurements,
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub form: FileForm,
}

/// The files that were asked for.
pub fn outputs(paths: &[PathBuf]) -> Result<Vec<Output>, Failure> {
    paths.iter().map(|path| Ok(Output { path: path.clone(), form: form(path)? })).collect()
}

fn form(path: &Path) -> Result<FileForm, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "md" => Ok(FileForm::Markdown),
        "csv" if name.ends_with("measurements.csv") => Ok(FileForm::Measurements),
        "csv" => Ok(FileForm::Csv),
        "json" => Ok(FileForm::Json),
        "txt" => Ok(FileForm::Table),
        _ => Err(Failure::Usage {
            what: format!("the extension of `{}` is not an output format", path.display()),
            hint: "use .md, .csv, .json, .txt or .measurements.csv".to_owned(),
        }),
    }
}

/// Which benchmarks.
pub fn selection(args: &SelectArgs) -> Selection {
    Selection { filters: args.filter.clone(), exclusions: args.exclude.clone(), categories: args.category.clone() }
}

/// The selection in words, for those whom it left with nothing.
pub fn selection_text(selection: &Selection) -> String {
    let flags = |flag: &str, values: &[String]| values.iter().map(|v| format!("`{flag} {v}`")).collect::<Vec<_>>();
    let mut parts = flags("--filter", &selection.filters);
    parts.extend(flags("--category", &selection.categories));
    parts.extend(flags("--exclude", &selection.exclusions));
    parts.join(" ")
}

/// How to build.
pub fn build_options(args: &BuildArgs, config: &Config, verbose: bool) -> Result<BuildOptions, Failure> {
    // Only what is built needs it: see `pipeline::has_cache`.
    let cache = tare_store::cache_dir().unwrap_or_default();
    let mut extra_flags = Vec::new();
    // Those of the command line stand last, so that they win.
    for flags in config.build.flags.iter().chain(&args.flags) {
        let words = units::words(flags).map_err(|what| Failure::Usage {
            what: format!("`--flags {flags}`: {what}"),
            hint: "quote them as in a shell: --flags '-O3 -DNAME=\"two words\"'".to_owned(),
        })?;
        extra_flags.extend(words);
    }
    let mut wanted = args.wanted();
    for (suffix, command) in &config.interpreters {
        let reason = match units::words(command) {
            Ok(words) if !words.is_empty() => {
                wanted.interpreters.insert(suffix.trim_start_matches('.').to_owned(), words);
                continue;
            }
            Ok(_) => "it is empty".to_owned(),
            Err(reason) => reason,
        };
        let reason = format!("the interpreter of `{suffix}`: {reason}");
        return Err(Failure::Config { path: config.path.clone(), reason });
    }
    Ok(BuildOptions {
        cache,
        cxx: args.cxx.clone().or_else(|| config.build.cxx.clone()),
        cc: args.cc.clone().or_else(|| config.build.cc.clone()),
        extra_flags,
        align: !args.no_align && config.build.align.unwrap_or(true),
        wanted,
        verbose,
        ..BuildOptions::default()
    })
}

/// The rules of measuring.
pub fn policy(args: &EffortArgs, precision: Option<f64>, config: &Config) -> Policy {
    let profile = match (args.quick, args.long) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Long,
        _ => Profile::Default,
    };
    let mut policy = Policy::of(profile);
    let table = &config.run;
    if let Some(precision) = precision.or(table.precision.map(|p| p.0)) {
        policy.precision = Some(precision);
        // A precision can only be reached when there may be more waves than at least, and who looks after few launches stops on
        // those that happen to agree.
        policy.waves_min = policy.waves_min.max(PRECISION_WAVES_MIN);
        policy.waves_max = WAVES_MAX;
    }
    if let Some(launches) = args.launches {
        let (width, waves) = waves_of(launches);
        (policy.width, policy.waves_min, policy.waves_max) = (width, waves, waves);
    }
    policy.timeout_s = timeout_s(args.timeout, config);
    policy.minimum_effect = args.min_effect.or(table.min_effect.map(|m| m.0)).unwrap_or(policy.minimum_effect);
    policy.rounds = args.rounds.unwrap_or(policy.rounds);
    policy.invocations = args.invocations;
    policy.processor = args.cpu;
    if args.wall {
        policy.clocking = Clocking::Wall;
    }
    policy
}

/// The processor that the user named is one that `tare` may use.
pub fn check_processor(named: Option<u32>, allowed: &[u32]) -> Result<(), Failure> {
    let Some(processor) = named.filter(|processor| !allowed.contains(processor)) else { return Ok(()) };
    let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
    let hint = match list.is_empty() {
        true => "leave it out: this system cannot pin threads".to_owned(),
        false => format!("use one of {}", list.join(", ")),
    };
    Err(Failure::Usage { what: format!("`tare` may not use processor {processor}"), hint })
}

/// The rules of comparing two sides.
pub fn comparison_policy(args: &CompareArgs, config: &Config) -> Policy {
    let asked = policy(&args.effort, None, config);
    let usual = Policy::comparison(asked.profile);
    let (width, waves_max) = match args.effort.launches {
        Some(_) => (asked.width, asked.waves_max),
        None => (usual.width, usual.waves_max),
    };
    let rounds = args.effort.rounds.unwrap_or(usual.rounds);
    Policy { width, waves_min: usual.waves_min, waves_max, rounds, precision: None, ..asked }
}

/// Sets the time of a run of so many cases, where one was given.
pub fn set_budget(policy: &mut Policy, args: &EffortArgs, config: &Config, cases: usize) {
    let asked = args.budget.or(config.run.budget.map(|b| b.0));
    policy.budget_s = asked.map(|budget| budget.for_cases(cases));
}

/// Sets the time of a whole comparison of so many pairs, where one was given.
pub fn set_comparison_budget(policy: &mut Policy, args: &CompareArgs, config: &Config, pairs: usize) {
    /// Time of a pair with `--quick`, s: two or three waves of native code.
    const QUICK_S: f64 = 1.5;
    let of_project = if args.effort.quick { None } else { config.compare.budget.map(|b| b.0) };
    let asked = args.effort.budget.or(of_project);
    let quick = args.effort.quick && asked.is_none();
    let asked = asked.or(quick.then_some(Budget::PerCase(QUICK_S))).or(config.run.budget.map(|b| b.0));
    policy.budget_s = asked.map(|budget| budget.for_cases(pairs));
    // Nobody asked for this time: it says how many waves are enough, and not that something may be left out.
    policy.first_waves_always = quick;
}

/// Longest wait for one answer of a program, s.
pub fn timeout_s(flag: Option<f64>, config: &Config) -> f64 {
    flag.or(config.run.timeout.map(|t| t.0)).unwrap_or(Policy::default().timeout_s)
}

/// Waves of a run that is given a precision or a number of launches, at most.
const WAVES_MAX: u32 = 16;
/// The same at least, where a precision may end it: 8 launches.
const PRECISION_WAVES_MIN: u32 = 4;
/// Children of a case that are alive together at most: wider waves have boundaries for fewer looks.
const WIDTH_MAX: u32 = 7;

/// Width and number of waves for so many launches of a case, or a few more: at most 16 waves, more than one where there
/// are 8 launches (launches of one wave see the same minute), and as near to the usual width of 4 as can be.
fn waves_of(launches: u32) -> (u32, u32) {
    if launches < 8 {
        return if launches == 6 { (3, 2) } else { (launches, 1) };
    }
    let fits = |width: &u32, wanted: u32| wanted % width == 0 && (2..=WAVES_MAX).contains(&(wanted / width));
    (launches..)
        .find_map(|wanted| {
            let width =
                (2..=WIDTH_MAX).filter(|width| fits(width, wanted)).min_by_key(|width: &u32| width.abs_diff(4))?;
            Some((width, wanted / width))
        })
        .unwrap_or((4, WAVES_MAX))
}

/// The text of an argument vector, for the run's record.
pub fn command_line() -> Vec<String> {
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(program) = words.first_mut() {
        *program = "tare".to_owned();
    }
    words
}

/// Paths to look in: the current folder when there is none.
pub fn paths(args: &[PathBuf], command: &[String]) -> Vec<PathBuf> {
    if args.is_empty() && command.is_empty() {
        vec![PathBuf::from(".")]
    } else {
        args.to_vec()
    }
}

/// The folder whose revision belongs to what is measured: that of the first path.
pub fn code_of(args: &RunArgs) -> PathBuf {
    match args.paths.first() {
        Some(path) if path.is_dir() => path.clone(),
        Some(path) => {
            path.parent().filter(|p| !p.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_owned)
        }
        None => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_fill_waves() {
        for (launches, width, waves) in [
            (1, 1, 1),
            (4, 4, 1),
            (6, 3, 2),
            (7, 7, 1),
            (8, 4, 2),
            (9, 3, 3),
            (10, 5, 2),
            (11, 4, 3),
            (12, 4, 3),
            (24, 4, 6),
            (64, 4, 16),
            (112, 7, 16),
        ] {
            assert_eq!(waves_of(launches), (width, waves), "{launches}");
        }
        for launches in 1..=112 {
            let (width, waves) = waves_of(launches);
            assert!(width * waves >= launches && width * waves < launches + 8 && waves <= WAVES_MAX, "{launches}");
        }
    }

    #[test]
    fn endings_say_the_form() {
        let form_of = |name: &str| form(Path::new(name)).ok();
        assert_eq!(form_of("a.md"), Some(FileForm::Markdown));
        assert_eq!(form_of("a.measurements.csv"), Some(FileForm::Measurements));
        assert_eq!(form_of("measurements.csv"), Some(FileForm::Measurements));
        assert_eq!(form_of("a.csv"), Some(FileForm::Csv));
        assert_eq!(form_of("a"), None);
        assert_eq!(form_of("md"), None);
    }

    #[test]
    fn the_processor_is_one_that_may_be_used() {
        assert!(check_processor(None, &[]).is_ok() && check_processor(Some(3), &[1, 3]).is_ok());
        let refused = |named, allowed: &[u32]| match check_processor(Some(named), allowed) {
            Err(Failure::Usage { what, hint }) => (what, hint),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(2, &[1, 3]), ("`tare` may not use processor 2".to_owned(), "use one of 1, 3".to_owned()));
        assert!(refused(0, &[]).1.starts_with("leave it out"));
    }
}
