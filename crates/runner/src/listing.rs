use super::conversation::{Bounds, Conversation, Stop};
use super::run_folder::RunFolder;
use tare_model::{Artifact, Benchmark, ChildFacts, Draw, Failure, FailureKind, Job, Step};
use tare_protocol::{Reply, Request, BENCHMARKS_MAX, REQUEST_BYTES_MAX, VERSION};

/// A parameter with values set by the user, and how many benchmarks have it, or what is wrong with the values.
pub type SetParameter = (String, Result<u64, String>);

/// A program's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Its answer to `hello`.
    pub facts: ChildFacts,
    /// Its benchmarks in order, with distinct names.
    pub benchmarks: Vec<Benchmark>,
    /// Remarks for the user about their declarations, one per line.
    pub notes: Vec<String>,
    /// Parameters with values set by the user. Empty if the child does not support setting any.
    pub set_parameters: Vec<SetParameter>,
    /// A crash during exit, after a complete answer.
    pub crash: Option<Failure>,
}

/// Asks a program for its benchmarks; None when the user interrupted.
/// Err: when the program cannot be started, is not a child, or breaks the protocol.
pub fn list(artifact: &Artifact, job: &Job, timeout_s: f64) -> Result<Option<Listing>, Failure> {
    let (folder, none) = (RunFolder::new(), Benchmark::default());
    let bounds = Bounds::new(timeout_s);
    let mut child = Conversation::start(
        artifact,
        job,
        &none,
        folder.of(0).as_deref(),
        (&Draw::default(), &artifact.listed_with),
        bounds,
    )?;
    match conversation(&mut child, artifact, job) {
        Ok(listing) => Ok(Some(listing)),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Interrupted) => Ok(None),
    }
}

fn conversation(child: &mut Conversation, artifact: &Artifact, job: &Job) -> Result<Listing, Stop> {
    let facts = match child.ask(&Request::Hello { version: VERSION }, Step::Start)? {
        Reply::Hello(facts) => *facts,
        other => return Err(Stop::Failed(child.unexpected(&other, "hello", Step::Start))),
    };
    // A wrapper may hide which process answers.
    if let Some(library) = job.preload.as_ref().filter(|library| job.runtime.is_empty() && !child.has_loaded(library)) {
        let allocator = job.allocator.as_deref().unwrap_or(library);
        let reason = format!(
            "the allocator `{allocator}` was not loaded: the program is linked statically, or it is not a library"
        );
        return Err(Stop::Failed(child.failure(FailureKind::NotStarted { reason }, Step::Start)));
    }
    let set_parameters = if facts.can("parameters") { set(child, artifact)? } else { Vec::new() };
    let (mut benchmarks, notes) = benchmarks(child)?;
    for benchmark in &mut benchmarks {
        let of_all = facts.requires.iter().filter(|name| !benchmark.requires.contains(name));
        benchmark.requires = of_all.chain(&benchmark.requires).cloned().collect();
    }
    match child.ask(&Request::Bye, Step::End)? {
        Reply::Bye => {}
        other => return Err(Stop::Failed(child.unexpected(&other, "bye", Step::End))),
    }
    let crash = match child.ended() {
        Ok(_) => None,
        // Not the front end's fault: an object or a function of the program crashes on exit.
        Err(Stop::Failed(failure)) if matches!(failure.cause, FailureKind::Signal { .. }) => Some(failure),
        Err(stop) => return Err(stop),
    };
    Ok(Listing { facts, benchmarks, notes, set_parameters, crash })
}

fn set(child: &mut Conversation, artifact: &Artifact) -> Result<Vec<SetParameter>, Stop> {
    let mut set = Vec::new();
    for request in set_requests(artifact) {
        let Request::Set { name, .. } = &request else { continue };
        if request.encode().len() > REQUEST_BYTES_MAX {
            set.push((
                name.clone(),
                Err(format!("its values are too long: a request has at most {REQUEST_BYTES_MAX} bytes")),
            ));
            continue;
        }
        let outcome = match child.ask(&request, Step::List)? {
            Reply::Set { benchmarks } => Ok(benchmarks),
            Reply::Error(error) => Err(error.message),
            other => return Err(Stop::Failed(child.unexpected(&other, "set", Step::List))),
        };
        set.push((name.clone(), outcome));
    }
    Ok(set)
}

/// The requests that set parameter values.
pub(super) fn set_requests(artifact: &Artifact) -> Vec<Request> {
    let by_name = artifact.given_by_name().into_iter();
    let request = |(name, values): (&str, Vec<&str>)| Request::Set {
        name: name.to_owned(),
        values: values.into_iter().map(str::to_owned).collect(),
    };
    by_name.map(request).collect()
}

fn benchmarks(child: &mut Conversation) -> Result<(Vec<Benchmark>, Vec<String>), Stop> {
    let mut found: Vec<Benchmark> = Vec::new();
    let mut reply = child.ask(&Request::List, Step::List)?;
    loop {
        let wrong = match reply {
            Reply::Benchmark(benchmark) => {
                if benchmark.index as usize != found.len() {
                    Some(format!("R13: `index` is {} instead of {}", benchmark.index, found.len()))
                } else if found.len() >= BENCHMARKS_MAX {
                    Some(format!("it lists more than {BENCHMARKS_MAX} benchmarks"))
                } else {
                    found.push(*benchmark);
                    None
                }
            }
            Reply::End { count, notes } if count as usize == found.len() => {
                return Ok((tare_engine::distinct(found), notes))
            }
            Reply::End { count, .. } => Some(format!("R13: `count` is {count} after {} benchmarks", found.len())),
            other => return Err(Stop::Failed(child.unexpected(&other, "benchmark", Step::List))),
        };
        if let Some(reason) = wrong {
            return Err(Stop::Failed(child.broken(reason, Step::List)));
        }
        reply = child.receive(Step::List)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_as_its_job_says() {
        let kept = tempfile::tempdir().expect("a folder");
        let folder = kept.path();
        // Cannot start without a runtime.
        let script = folder.join("script");
        std::fs::write(&script, "echo \"$0 $1 $TARE_OF_JOB\" > seen\n").expect("written");
        let artifact: Artifact = serde_json::from_value(serde_json::json!({
            "name": "p", "language": "", "toolchain": "program", "command": [script, "--bench"], "directory": folder, "hash": "",
        }))
        .expect("an artifact");
        let environment = [("TARE_OF_JOB".to_owned(), "two words".to_owned())].into();
        let job = Job { environment, runtime: vec!["/bin/sh".to_owned()], ..Job::default() };
        // Exits without an answer.
        assert!(list(&artifact, &job, 60.0).is_err());
        let seen = std::fs::read_to_string(folder.join("seen")).expect("it ran");
        assert_eq!(seen, format!("{} --bench two words\n", script.display()));
        assert!(list(&artifact, &Job::default(), 60.0).is_err_and(|f| f.cause.code() == "not-started"));
    }
}
