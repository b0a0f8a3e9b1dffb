//! Checks that a benchmark runs at all: one invocation of its body in its own process, without measurement.

use super::conversation::{Bounds, Conversation, Stop};
use super::listing::set_requests;
use std::path::Path;
use tare_model::{Artifact, Benchmark, Draw, Failure, Job, LaunchChange, Step};
use tare_protocol::{Reply, Request, VERSION};

/// The return value of the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DryResult {
    /// As text, if the front end can format it.
    pub text: Option<String>,
    /// Its digest; None if the body returns nothing.
    pub digest: Option<String>,
}

/// Runs the body of a benchmark once, with its set-ups and clean-ups; None when the user interrupted. `folder` is for things that
/// its program makes once.
/// Err: when the program cannot be started, the benchmark fails, or the protocol is broken.
pub fn dry(
    artifact: &Artifact,
    job: &Job,
    benchmark: &Benchmark,
    folder: Option<&Path>,
    seed: u64,
    timeout_s: f64,
) -> Result<Option<DryResult>, Failure> {
    let how = (&Draw { seed, ..Draw::default() }, &LaunchChange::default());
    let mut child = Conversation::start(artifact, job, benchmark, folder, how, Bounds::new(timeout_s))?;
    match conversation(&mut child, artifact, benchmark, seed) {
        Ok(ran) => Ok(Some(ran)),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Interrupted) => Ok(None),
    }
}

fn conversation(
    child: &mut Conversation,
    artifact: &Artifact,
    benchmark: &Benchmark,
    seed: u64,
) -> Result<DryResult, Stop> {
    ask(child, &Request::Hello { version: VERSION }, Step::Start, "hello", |reply| matches!(reply, Reply::Hello(_)))?;
    for request in set_requests(artifact) {
        ask(child, &request, Step::SetUp, "set", |reply| matches!(reply, Reply::Set { .. }))?;
    }
    ask(child, &Request::open(benchmark, seed), Step::SetUp, "opened", |reply| matches!(reply, Reply::Opened { .. }))?;
    child.opened();
    let ran = match child.ask(&Request::Check, Step::Body)? {
        Reply::Checked { digest, text } => DryResult { text, digest },
        other => return Err(Stop::Failed(child.unexpected(&other, "checked", Step::Body))),
    };
    ask(child, &Request::Close, Step::CleanUp, "closed", |reply| *reply == Reply::Closed)?;
    ask(child, &Request::Bye, Step::End, "bye", |reply| *reply == Reply::Bye)?;
    child.ended()?;
    Ok(ran)
}

fn ask(
    child: &mut Conversation,
    request: &Request,
    step: Step,
    wanted: &str,
    fits: impl Fn(&Reply) -> bool,
) -> Result<(), Stop> {
    let reply = child.ask(request, step)?;
    if fits(&reply) {
        return Ok(());
    }
    Err(Stop::Failed(child.unexpected(&reply, wanted, step)))
}
