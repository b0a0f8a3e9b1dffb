//! The process of a launch: command, environment and treatment.

use crate::environment::{put, ListEnd};
use crate::run_folder;
use std::path::Path;
use tare_model::{Artifact, Benchmark, Draw, HugePages, Job, LanguageFacts, LaunchChange, Process};
use tare_process::{Limits, Spec, Treatment};

/// Length of the random block in the environment of a launch, bytes.
const ENVIRONMENT_BLOCK_BYTES: u64 = 4096;

/// Combines the job, the benchmark and the changes of a diagnoser. None: the command is empty.
pub(super) fn spec(
    artifact: &Artifact,
    job: &Job,
    benchmark: &Benchmark,
    folder: Option<&Path>,
    (draw, change): (&Draw, &LaunchChange),
) -> Option<Spec> {
    let of_launch = artifact.words(draw);
    let (program, args) = of_launch.split_first()?;
    let block = "x".repeat((draw.seed % ENVIRONMENT_BLOCK_BYTES) as usize);
    let mut environment = vec![("TARE_BLOCK".into(), (draw.seed != 0).then(|| block.into()))];
    // Set even without a folder, to override an inherited one.
    environment.push((run_folder::VARIABLE.into(), folder.map(Into::into)));
    let launch = &benchmark.launch;
    let variables =
        artifact.environment.iter().chain(&job.environment).chain(&launch.environment).chain(&change.environment);
    let (strategy, is_inherited) = (benchmark.strategy, &|name: &str| std::env::var_os(name).is_some());
    let wanted = &variables.clone().collect();
    let process = Process { artifact, strategy, wanted, seed: draw.seed, is_inherited };
    let of_language = LanguageFacts::all_variables(&process);
    environment.extend(of_language.into_iter().map(|(name, value)| (name.into(), Some(value.into()))));
    environment.extend(variables.map(|(name, value)| (name.into(), Some(value.into()))));
    if let Some(tunable) = job.huge_pages.and_then(HugePages::tunable) {
        // If a tunable is set twice, glibc uses the last.
        put(&mut environment, "GLIBC_TUNABLES", tunable, ListEnd::Last);
    }
    // An allocation counter must precede the allocator.
    for library in job.preload.iter().chain(&change.preload) {
        put(&mut environment, "LD_PRELOAD", library, ListEnd::First);
    }
    let args = args.iter().chain(&job.arguments).chain(&launch.arguments).chain(&change.arguments);
    let wrappers = change.wrapper.iter().chain(&job.runtime).map(String::as_str);
    let mut words = wrappers.chain([program.as_str()]).chain(args.map(String::as_str));
    Some(Spec {
        program: words.next().unwrap_or(program).into(),
        args: words.map(Into::into).collect(),
        directory: job.directory.as_ref().unwrap_or(&artifact.directory).into(),
        environment,
        link: true,
        limits: Limits { address_space_bytes: None, core_files: false },
        treatment: Treatment {
            nice: job.nice,
            processors: job.processors.clone(),
            no_huge_pages: job.huge_pages == Some(HugePages::Off),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of a comparison get the same draw, so set order does not differ between them.
    #[test]
    #[allow(clippy::disallowed_methods)]
    fn a_launch_of_python_has_a_hash_seed_of_its_own_unless_the_user_has_one() {
        if std::env::var_os("PYTHONHASHSEED").is_some() {
            println!("skipped: a hash seed for each launch of Python: PYTHONHASHSEED is set here");
            return;
        }
        let python = Artifact {
            command: vec!["python3".to_owned()],
            language: "python".to_owned(),
            directory: ".".to_owned(),
            ..Artifact::default()
        };
        let seed_of = |artifact: &Artifact, job: &Job, seed: u64| {
            let draw = Draw { seed, ..Draw::default() };
            let change = LaunchChange::default();
            let spec = spec(artifact, job, &Benchmark::default(), None, (&draw, &change)).expect("it has a command");
            let found = spec.environment.iter().rfind(|(name, _)| name == "PYTHONHASHSEED");
            found.and_then(|(_, value)| Some(value.as_ref()?.to_string_lossy().into_owned()))
        };
        let job = Job::default();
        assert_eq!(seed_of(&python, &job, 7 << 32 | 5).as_deref(), Some("5"));
        assert_eq!(seed_of(&python, &job, 0), None);
        assert_eq!(seed_of(&Artifact { language: "c".to_owned(), ..python.clone() }, &job, 5), None);
        let own = Job { environment: [("PYTHONHASHSEED".to_owned(), "random".to_owned())].into(), ..Job::default() };
        assert_eq!(seed_of(&python, &own, 5).as_deref(), Some("random"));
    }

    #[test]
    fn a_diagnoser_changes_environment_wrapper_and_arguments_and_no_other_launch_has_them() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let artifact = Artifact { command: words(&["program", "a"]), directory: ".".to_owned(), ..Artifact::default() };
        let job = Job { runtime: words(&["runtime"]), arguments: words(&["b"]), ..Job::default() };
        let change = LaunchChange {
            preload: words(&["/lib/count.so"]),
            environment: [("COUNT".to_owned(), "1".to_owned())].into(),
            wrapper: words(&["tool", "-x"]),
            arguments: words(&["c"]),
        };
        let spec_of = |change: &LaunchChange| {
            spec(&artifact, &job, &Benchmark::default(), None, (&Draw::default(), change)).expect("it has a command")
        };
        let changed = spec_of(&change);
        assert_eq!(changed.program, Path::new("tool"));
        assert_eq!(changed.args, ["-x", "runtime", "program", "a", "b", "c"]);
        let value = |spec: &Spec, name: &str| {
            spec.environment.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.clone())
        };
        assert_eq!(value(&changed, "COUNT"), Some("1".into()));
        assert!(value(&changed, "LD_PRELOAD").is_some_and(|all| all.to_string_lossy().starts_with("/lib/count.so")));
        let plain = spec_of(&LaunchChange::default());
        assert_eq!((plain.program.as_path(), plain.args.len()), (Path::new("runtime"), 3));
        assert_eq!((value(&plain, "COUNT"), value(&plain, "LD_PRELOAD")), (None, None));
    }
}
