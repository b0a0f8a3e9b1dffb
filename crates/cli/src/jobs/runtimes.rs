//! `--runtimes 8.0,net9.0`: a job for each runtime of a language.

use crate::failure::Failure;
use tare_build::languages::runtimes;
use tare_model::Job;

/// All installed runtimes.
const ALL: &str = "all";

pub fn jobs(asked: &[String]) -> Result<Vec<Job>, Failure> {
    let mut values: Vec<String> = Vec::new();
    for word in asked {
        match word.as_str() {
            ALL => values.extend(installed()?),
            word => values.push(runtimes::value(word)),
        }
    }
    let job = |value: String| {
        let id = runtimes::title(&value);
        Job { id, toolchain: [(runtimes::LANGUAGE.to_owned(), value)].into(), ..Job::default() }
    };
    Ok(values.into_iter().map(job).collect())
}

fn installed() -> Result<Vec<String>, Failure> {
    let all = runtimes::installed();
    match all.is_empty() {
        true => Err(Failure::Usage {
            what: format!("`--runtimes all`: no {} is installed", runtimes::NOUN),
            hint: runtimes::INSTALL.to_owned(),
        }),
        false => Ok(runtimes::newest_of_series(&all)),
    }
}
