//! From what was typed to what is meant: policies, selections. Checks, but does nothing yet.

use crate::args::{BuildArgs, CompareArgs, ContextArgs, EffortArgs, RunArgs, SelectArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::units;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tare_build::toolchain::{self, BuildOptions};
use tare_engine::{Effort, Precision, Selection};
use tare_model::{Clocking, ContextEntry, Job, Policy, Profile};
use tare_report::{clean, shell_word};

/// `a, b or c`.
pub fn any_of<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// Which benchmarks.
pub fn selection(args: &SelectArgs) -> Selection {
    Selection {
        filters: args.filter.clone(),
        exclusions: args.exclude.clone(),
        categories: args.category.clone(),
        all_categories: args.all_categories.clone(),
        excluded_categories: args.exclude_category.clone(),
        shard: args.shard,
    }
}

/// The selection in words, for those whom it left with nothing.
pub fn selection_text(selection: &Selection) -> String {
    let flags = |flag: &str, values: &[String]| values.iter().map(|v| format!("`{flag} {v}`")).collect::<Vec<_>>();
    let mut parts = flags("--filter", &selection.filters);
    parts.extend(flags("--category", &selection.categories));
    parts.extend(flags("--all-categories", &selection.all_categories));
    parts.extend(flags("--exclude-category", &selection.excluded_categories));
    parts.extend(flags("--exclude", &selection.exclusions));
    parts.extend(selection.shard.map(|shard| format!("`--shard {shard}`")));
    parts.join(" ")
}

/// Whether a filter, which is part of a name or a glob, looks like a regular expression.
pub fn is_regex(filter: &str) -> bool {
    filter.contains(['|', '{', '^', '$', '\\']) || filter.contains(".*")
}

/// Whether a filter of a selection does.
pub fn has_regex(selection: &Selection) -> bool {
    selection.filters.iter().chain(&selection.exclusions).any(|filter| is_regex(filter))
}

/// How to build.
pub fn build_options(args: &BuildArgs, config: &Config, verbose: bool) -> Result<BuildOptions, Failure> {
    // Only what is built needs it: see `pipeline::has_cache`.
    let cache = tare_store::cache_dir().unwrap_or_default();
    // Those of the command line stand last, so that they win.
    let mut flags_of_all = config.build.flags.0.clone();
    for flags in &args.flags {
        let words = units::words(flags).map_err(|what| Failure::Usage {
            what: format!("`--flags {flags}`: {what}"),
            hint: "quote them as in a shell: --flags '-O3 -DNAME=\"two words\"'".to_owned(),
        })?;
        flags_of_all.extend(words);
    }
    let mut discover = args.discover_options();
    for (suffix, command) in &config.interpreters {
        if command.0.is_empty() {
            let reason = format!("the interpreter of `{suffix}` is empty");
            return Err(Failure::Config { path: config.path.clone(), reason });
        }
        discover.interpreters.insert(suffix.trim_start_matches('.').to_owned(), command.0.clone());
    }
    let named = [
        ("c++", args.cxx.as_ref().or(config.build.cxx.as_ref())),
        ("c", args.cc.as_ref().or(config.build.cc.as_ref())),
    ];
    let toolchain =
        named.into_iter().filter_map(|(language, compiler)| Some((language.to_owned(), compiler?.clone()))).collect();
    Ok(BuildOptions {
        cache,
        cache_max: cache_max(std::env::var(CACHE_MAX_VARIABLE).ok().as_deref())?,
        job: Job { toolchain, flags: flags_of_all, ..Job::default() },
        align: !args.no_align && config.build.align.unwrap_or(true),
        discover,
        verbose,
        ..BuildOptions::default()
    })
}

/// What the user says of the run, each name once.
pub fn context(asked: &ContextArgs) -> Result<Vec<ContextEntry>, Failure> {
    let entries = &asked.context;
    let is_second = |at: &usize| entries[..*at].iter().any(|entry| entry.name == entries[*at].name);
    match (0..entries.len()).find(is_second) {
        None => Ok(entries.clone()),
        Some(at) => Err(Failure::Usage {
            what: format!("`--context {}=...` is given twice", clean(&entries[at].name)),
            hint: "give each name once".to_owned(),
        }),
    }
}

/// How much to measure.
pub fn effort(args: &EffortArgs, precision: Option<Precision>, config: &Config) -> Effort {
    let profile = match (args.quick, args.long) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Long,
        _ => Profile::Default,
    };
    let table = &config.run;
    // Who asks for a quick or a long run does not want the amount of every other.
    let usual = table.precision.filter(|_| profile == Profile::Default);
    Effort {
        profile,
        precision: precision.or(usual.map(|p| p.0)),
        launches: args.launches,
        rounds: args.rounds,
        invocations: args.invocations,
        minimum_effect: args.min_effect.or(table.min_effect.map(|m| m.0)),
        timeout_s: args.timeout.or(table.timeout.map(|t| t.0)),
        processor: args.cpu,
        clocking: if args.wall { Clocking::Wall } else { Clocking::Reference },
        memory_randomization: args.memory_randomization,
    }
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

/// Sets the time of a run of so many cases, where one was given.
pub fn set_budget(policy: &mut Policy, args: &EffortArgs, config: &Config, cases: usize) {
    let asked = args.budget.or(config.run.budget.map(|b| b.0));
    policy.budget_s = asked.and_then(|budget| budget.for_cases(cases));
}

/// Sets the time of a whole comparison of so many pairs.
pub fn set_comparison_budget(policy: &mut Policy, effort: &Effort, args: &CompareArgs, config: &Config, pairs: usize) {
    // What a project gives every comparison is more than a quick one wants.
    let of_project = if args.effort.quick { None } else { config.compare.budget.map(|b| b.0) };
    let asked = args.effort.budget.or(of_project);
    effort.set_comparison_budget(policy, asked, config.run.budget.map(|b| b.0), pairs);
}

/// Longest wait for one answer of a program, s.
pub fn timeout_s(flag: Option<f64>, config: &Config) -> f64 {
    flag.or(config.run.timeout.map(|t| t.0)).unwrap_or(Policy::default().timeout_s)
}

const CACHE_MAX_VARIABLE: &str = "TARE_CACHE_MAX";

/// What the cache may take, as the user's variable says.
fn cache_max(given: Option<&str>) -> Result<u64, Failure> {
    let Some(text) = given.filter(|text| !text.is_empty()) else { return Ok(toolchain::CACHE_MAX) };
    units::bytes(text).map_err(|expected| Failure::Usage {
        what: format!("`{CACHE_MAX_VARIABLE}={}` is not a size: {expected}", clean(text)),
        hint: format!("write it as `{CACHE_MAX_VARIABLE}=2GB`, or leave it out for 1 GiB"),
    })
}

/// What stands in place of the argument vector, where that only names another run.
static COMMAND_LINE: OnceLock<Vec<String>> = OnceLock::new();

/// Sets what the run's record has in place of the argument vector.
pub fn set_command_line(words: Vec<String>) {
    let _ = COMMAND_LINE.set(words);
}

/// The text of an argument vector, for the run's record.
pub fn command_line() -> Vec<String> {
    if let Some(words) = COMMAND_LINE.get() {
        return words.clone();
    }
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(program) = words.first_mut() {
        *program = "tare".to_owned();
    }
    words
}

/// The program of a command is there and can be run.
pub fn check_command(command: &[String]) -> Result<(), Failure> {
    command.first().map_or(Ok(()), |program| check_program(program))
}

/// A program is there, as a path or on the PATH, and can be run.
pub fn check_program(program: &str) -> Result<(), Failure> {
    let hint = match tare_command::resolved(program) {
        Some(_) => return Ok(()),
        None if program.contains('/') && Path::new(program).is_file() => {
            let word = shell_word(&clean(program));
            let interpreter = interpreter_of(program).map(|name| format!(", or name its interpreter: `{name} {word}`"));
            format!("make it executable: `chmod +x {word}`{}", interpreter.unwrap_or_default())
        }
        None => "give a path, such as `./program`, or a command on the PATH, such as `python3`".to_owned(),
    };
    Err(Failure::Usage { what: clean(&tare_command::why_not(program)), hint })
}

/// The usual interpreter of a script, by its name.
fn interpreter_of(program: &str) -> Option<&'static str> {
    match Path::new(program).extension()?.to_str()? {
        "sh" => Some("sh"),
        "bash" => Some("bash"),
        "py" => Some("python3"),
        "js" | "mjs" => Some("node"),
        "rb" => Some("ruby"),
        "pl" => Some("perl"),
        _ => None,
    }
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
    fn a_script_is_given_to_its_own_interpreter() {
        for (script, interpreter) in [("./build.sh", Some("sh")), ("a/bench.py", Some("python3")), ("./bench", None)] {
            assert_eq!(interpreter_of(script), interpreter, "{script}");
        }
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
