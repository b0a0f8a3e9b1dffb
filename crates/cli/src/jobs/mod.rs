//! Jobs: the ways to build and run from `--job` and `[jobs.NAME]`. Settings that a job leaves out come from the command line and `[build]`.

mod allocator;
mod declared;
mod runtimes;
mod settings;
mod text;

pub use declared::{merged, why_lacking, Declared};
pub use settings::{JobTable, Words};

use crate::failure::{quoted_list, Failure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tare_build::toolchain::BuildOptions;
use tare_engine::Baseline;
use tare_model::text::nearest;
use tare_model::{HugePages, Job, Plan};
use tare_report::clean;

/// Stands for the job in `--baseline job=NAME`.
const JOB: &str = "job";

pub type KnownJobs = BTreeMap<String, JobTable>;

/// The requested jobs, and those that may be named.
#[derive(Debug, Clone, Default)]
pub struct WantedJobs {
    pub given: Vec<String>,
    /// Adds a job for each of these runtimes.
    pub runtimes: Vec<String>,
    /// Base of relative paths in them.
    pub folder: PathBuf,
    pub declared: KnownJobs,
}

impl WantedJobs {
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.runtimes.is_empty()
    }

    /// The requested jobs in order, each over `base`; without any, `base` alone, which has no name.
    pub fn over(&self, base: &Job) -> Result<Vec<Job>, Failure> {
        if self.is_empty() {
            return Ok(vec![base.clone()]);
        }
        let mut jobs: Vec<Job> = Vec::new();
        let texts = self.given.iter().map(|text| text::read(text, &self.declared));
        for job in texts.chain(runtimes::jobs(&self.runtimes)?.into_iter().map(Ok)) {
            let mut job = over(base, job?);
            place_in(&mut job, &self.folder);
            let job = ready(job)?;
            if jobs.iter().any(|other| other.id == job.id) {
                return Err(Failure::Usage {
                    what: format!("two jobs are called `{}`", clean(&job.id)),
                    hint: "give each its own name, followed by a colon: `--job 'fast: -O3'`".to_owned(),
                });
            }
            jobs.push(job);
        }
        Ok(jobs)
    }

    /// The build options of the only requested job.
    pub fn apply(&self, options: &BuildOptions) -> Result<BuildOptions, Failure> {
        let of_job = build_options(options, &self.over(&options.job)?).pop();
        Ok(of_job.unwrap_or_else(|| options.clone()))
    }

    /// The two jobs of a text such as `fast..plain` or `-O2..-O3`. None if it may be one job: a path such as `-I../include`, or a value.
    pub fn two(&self) -> Option<[&str; 2]> {
        two(self.given.first()?, &self.declared)
    }
}

/// The job name in this text: `fast` of `fast: -O3`.
pub fn name(text: &str) -> &str {
    let text = text.trim();
    text::named(text).map_or(text, |(name, _)| name)
}

fn two<'a>(text: &'a str, known: &KnownJobs) -> Option<[&'a str; 2]> {
    let (first, second) = text.split_once("..")?;
    let may_be_value = |half: &str| half.contains(['=', '/', ':']) || half.contains(char::is_whitespace);
    let is_job = |half: &str| !may_be_value(half) && text::read(half, known).is_ok();
    let alike = first.starts_with('-') == second.starts_with('-');
    (alike && is_job(first) && is_job(second) && !known.contains_key(text)).then_some([first, second])
}

pub fn build_options(options: &BuildOptions, jobs: &[Job]) -> Vec<BuildOptions> {
    let of = |job: &Job| {
        let mut options = options.clone();
        options.job = job.clone();
        if job.profile.is_some() {
            options.discover.profile.clone_from(&job.profile);
        }
        options
    };
    jobs.iter().map(of).collect()
}

pub fn set_strategies(plan: &mut Plan, jobs: &[Job]) {
    for case in &mut plan.cases {
        let strategy = jobs.get(case.job as usize).and_then(|job| job.strategy);
        case.benchmark.strategy = strategy.unwrap_or(case.benchmark.strategy);
    }
}

/// The place of the base job; None if the baseline is something else.
pub fn base(jobs: &[Job], baseline: Option<&Baseline>) -> Result<Option<u32>, Failure> {
    let Some(baseline) = baseline else { return Ok(Some(0)) };
    let Some(baseline) = baseline.parameter().filter(|value| value.name == JOB) else { return Ok(None) };
    let place = jobs.iter().position(|job| job.id == baseline.value);
    place.map(|at| Some(at as u32)).ok_or_else(|| {
        let names: Vec<String> = jobs.iter().map(|job| clean(&job.id)).collect();
        Failure::Usage {
            what: format!("no job of this run is called `{}`", clean(&baseline.value)),
            hint: format!("name one of {}", quoted_list(&names)),
        }
    })
}

fn over(base: &Job, job: Job) -> Job {
    let mut whole = job;
    for (language, compiler) in &base.toolchain {
        whole.toolchain.entry(language.clone()).or_insert_with(|| compiler.clone());
    }
    // Its own flags come last, so that they win.
    whole.flags = [base.flags.as_slice(), &whole.flags].concat();
    whole
}

/// Makes the paths of a job absolute, starting from a folder.
pub fn place_in(job: &mut Job, folder: &Path) {
    // Without a slash it is the name of an allocator.
    let library = job.allocator.as_mut().filter(|name| name.contains('/'));
    for path in job.directory.iter_mut().chain(library) {
        let placed = folder.join(path.as_str());
        *path = std::path::absolute(&placed).unwrap_or(placed).to_string_lossy().into_owned();
    }
}

fn ready(mut job: Job) -> Result<Job, Failure> {
    if let Some(name) = &job.allocator {
        job.preload = allocator::library(name)?;
    }
    if let Some(pages) = job.huge_pages {
        allocator::can_have(pages, &job)?;
    }
    if let Some(folder) = &job.directory {
        if !Path::new(folder).is_dir() {
            return Err(Failure::Usage {
                what: format!("job `{}`: `{}` is not a folder", clean(&job.id), clean(folder)),
                hint: "create it, or correct `dir`".to_owned(),
            });
        }
    }
    let allowed = tare_process::allowed_processors();
    if let Some(processor) = job.processors.iter().find(|processor| !allowed.contains(processor)) {
        let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
        return Err(Failure::Usage {
            what: format!("job `{}`: `tare` may not use processor {processor}", clean(&job.id)),
            hint: match list.is_empty() {
                true => "leave `cpus` out: this system cannot bind a process to a processor".to_owned(),
                false => format!("use {}", list.join(", ")),
            },
        });
    }
    Ok(job)
}

fn unknown(name: &str, known: &KnownJobs) -> Failure {
    let declared: Vec<String> = known.keys().cloned().collect();
    let meant = nearest(name, &declared, 1);
    let hint = match (meant.first(), declared.is_empty()) {
        (Some(meant), _) => format!("did you mean `--job {meant}`?"),
        (None, true) => {
            "define it: `--job 'fast: -O3 -march=native'`, or declare `[jobs.NAME]` in `tare.toml`".to_owned()
        }
        (None, false) => {
            format!("`tare.toml` declares {}; or define it: `--job 'fast: -O3'`", quoted_list(&declared))
        }
    };
    Failure::Usage {
        what: format!("no job is called `{}`, and it is neither a compiler nor an allocator", clean(name)),
        hint,
    }
}

fn huge_pages(text: &str) -> Option<HugePages> {
    HugePages::ALL.into_iter().find(|pages| pages.name() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Config;

    #[test]
    fn two_jobs_are_told_from_a_path_and_a_value() {
        let text = "[jobs.a]\nnice = 1\n[jobs.b]\nnice = 2\n[jobs.\"b..a\"]\nnice = 3\n";
        let config = Config::parse(text, Path::new("tare.toml")).expect("a configuration");
        for pair in ["a..b", "-O2..-O3", "g++..clang++"] {
            assert_eq!(two(pair, &config.jobs).map(|both| both.join("..")), Some(pair.to_owned()));
        }
        for one in ["-I../x", "-I..", "-DX=1..2", "A=1..B=2", "b..a", "a..c", "-O2 -I..-x"] {
            assert_eq!(two(one, &config.jobs), None, "{one}");
        }
    }

    #[test]
    fn paths_are_relative_to_where_they_are_written() {
        let place = tempfile::tempdir().expect("a folder");
        let beside = |name: &str| place.path().join(name).to_string_lossy().into_owned();
        std::fs::create_dir(place.path().join("below")).expect("a folder");
        std::fs::write(place.path().join("own.so"), "").expect("written");
        let text =
            "[run]\njobs = [\"a\", \"b: dir=below\"]\n[jobs.a]\ndir = \"below\"\nallocator = \"./own.so\"\n[jobs.c]\nallocator = \"glibc\"\n";
        let config = Config::parse(text, &place.path().join("tare.toml")).expect("a configuration");
        let read = |given: &[&str], folder: &Path| {
            let given = given.iter().map(|text| (*text).to_owned()).collect();
            let (folder, declared) = (folder.to_owned(), config.jobs.clone());
            WantedJobs { given, folder, declared, ..WantedJobs::default() }.over(&Job::default()).expect("jobs")
        };
        let of_file = read(&["a", "b: dir=below"], config.folder());
        assert_eq!(of_file[0].directory, Some(beside("below")));
        assert_eq!((&of_file[0].allocator, &of_file[0].preload), (&Some(beside("own.so")), &Some(beside("own.so"))));
        assert_eq!(of_file[1].directory, Some(beside("below")));
        // The file declares this job too, but here its folder is relative to the current one.
        let typed = read(&["a: dir=src", "c"], Path::new(""));
        let here = std::path::absolute("src").expect("a path").to_string_lossy().into_owned();
        assert_eq!((&typed[0].directory, &typed[0].allocator), (&Some(here), &Some(beside("own.so"))));
        assert_eq!(typed[1].allocator.as_deref(), Some("glibc"));
    }
}
