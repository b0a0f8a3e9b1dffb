//! `--runtimes 8.0,net9.0,mono`: a job for each runtime of .NET.

use crate::failure::Failure;
use tare_build::toolchain::version_and_architecture;
use tare_model::Job;

/// The language whose runtimes are meant.
const LANGUAGE: &str = "c#";
/// Every one that is installed.
const ALL: &str = "all";

/// A job for each of the runtimes that were asked for.
pub fn jobs(asked: &[String]) -> Result<Vec<Job>, Failure> {
    let mut jobs: Vec<Job> = Vec::new();
    for word in asked {
        let words = match word.as_str() {
            ALL => installed()?,
            // As target frameworks are called.
            word => vec![word.trim_start_matches("netcoreapp").trim_start_matches("net").to_owned()],
        };
        jobs.extend(words.into_iter().map(|runtime| job(&runtime)));
    }
    Ok(jobs)
}

fn job(runtime: &str) -> Job {
    Job { id: name(runtime), toolchain: [(LANGUAGE.to_owned(), runtime.to_owned())].into(), ..Job::default() }
}

/// As people call it.
fn name(runtime: &str) -> String {
    if let (Some(version), Some(architecture)) = version_and_architecture(runtime) {
        return format!("{} {architecture}", name(version));
    }
    let series = runtime.split('.').next().and_then(|number| number.parse::<u32>().ok());
    match series {
        Some(1..=3) => format!(".NET Core {runtime}"),
        Some(_) => format!(".NET {runtime}"),
        None if runtime == "mono" => "Mono".to_owned(),
        None => runtime.to_owned(),
    }
}

/// The newest of each series, and Mono, where they are installed.
fn installed() -> Result<Vec<String>, Failure> {
    let all = tare_build::toolchain::runtimes();
    match all.is_empty() {
        true => Err(Failure::Usage {
            what: "`--runtimes all`: no .NET runtime is installed".to_owned(),
            hint: "install the .NET SDK: see https://dotnet.microsoft.com/download; or set `DOTNET_ROOT` to its folder"
                .to_owned(),
        }),
        false => Ok(newest_of_series(&all)),
    }
}

fn newest_of_series(all: &[String]) -> Vec<String> {
    let series = |word: &str| {
        let (version, architecture) = version_and_architecture(word);
        (
            version.map(|version| version.rsplit_once('.').map_or(version, |(series, _)| series).to_owned()),
            architecture.map(str::to_owned),
        )
    };
    let mut found: Vec<String> = Vec::new();
    // They stand in their order: the last of a series is its newest.
    for version in all {
        found.retain(|known| series(known) != series(version));
        found.push(version.clone());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_have_the_names_that_people_use() {
        let of = |words: &[&str]| -> Vec<(String, String)> {
            let asked: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let made = jobs(&asked).expect("jobs");
            made.into_iter().map(|job| (job.id, job.toolchain["c#"].clone())).collect()
        };
        let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        assert_eq!(
            of(&["netcoreapp3.1", "net8.0", "10", "mono", "net8.0-x86", "8.0-s390x"]),
            [
                pair(".NET Core 3.1", "3.1"),
                pair(".NET 8.0", "8.0"),
                pair(".NET 10", "10"),
                pair("Mono", "mono"),
                pair(".NET 8.0 x86", "8.0-x86"),
                pair(".NET 8.0 s390x", "8.0-s390x")
            ]
        );
        let all = ["3.1.2", "3.1.23", "8.0.4", "8.0.1-x86", "8.0.3-x86", "8.0.2-s390x", "mono"].map(str::to_owned);
        assert_eq!(newest_of_series(&all), ["3.1.23", "8.0.4", "8.0.3-x86", "8.0.2-s390x", "mono"]);
    }
}
