//! What benchmarks does a program hold?

use super::conversation::{Bounds, Conversation, Stop};
use std::collections::HashSet;
use tare_model::{Artifact, Benchmark, ChildFacts, Failure, FailureKind, Step};
use tare_protocol::{Reply, Request, BENCHMARKS_MAX, VERSION};

/// What a program said of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Its answer to `hello`.
    pub facts: ChildFacts,
    /// Its benchmarks, in order.
    pub benchmarks: Vec<Benchmark>,
}

/// Asks a program for its benchmarks; None when the user interrupted.
///
/// # Errors
/// When the program cannot be started, is no child, or breaks the protocol.
pub fn list(artifact: &Artifact, timeout_s: f64) -> Result<Option<Listing>, Failure> {
    let mut child = Conversation::start(artifact, 0, Bounds::new(timeout_s))?;
    match conversation(&mut child) {
        Ok(listing) => Ok(Some(listing)),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Interrupted) => Ok(None),
    }
}

fn conversation(child: &mut Conversation) -> Result<Listing, Stop> {
    let facts = match child.ask(&Request::Hello { version: VERSION }, Step::Start)? {
        Reply::Hello(facts) => *facts,
        other => return Err(Stop::Failed(child.unexpected(&other, "hello", Step::Start))),
    };
    let benchmarks = benchmarks(child)?;
    match child.ask(&Request::Bye, Step::End)? {
        Reply::Bye => {}
        other => return Err(Stop::Failed(child.unexpected(&other, "bye", Step::End))),
    }
    child.ended().map_err(Stop::Failed)?;
    Ok(Listing { facts, benchmarks })
}

fn benchmarks(child: &mut Conversation) -> Result<Vec<Benchmark>, Stop> {
    let mut found: Vec<Benchmark> = Vec::new();
    let mut names = HashSet::new();
    let mut reply = child.ask(&Request::List, Step::List)?;
    loop {
        let wrong = match reply {
            Reply::Benchmark(benchmark) => {
                let name = format!("{}[{}]", benchmark.full_name(), benchmark.parameter_text());
                if benchmark.index as usize != found.len() {
                    Some(format!("`index` {} stands where {} is due", benchmark.index, found.len()))
                } else if found.len() >= BENCHMARKS_MAX {
                    Some(format!("it lists more than {BENCHMARKS_MAX} benchmarks"))
                } else if !names.insert(name.clone()) {
                    Some(format!("R13: two benchmarks are named `{}`", name.trim_end_matches("[]")))
                } else {
                    found.push(*benchmark);
                    None
                }
            }
            Reply::End { count } if count as usize == found.len() => return Ok(found),
            Reply::End { count } => Some(format!("`count` is {count} after {} benchmarks", found.len())),
            other => return Err(Stop::Failed(child.unexpected(&other, "benchmark", Step::List))),
        };
        if let Some(reason) = wrong {
            return Err(Stop::Failed(child.failure(FailureKind::Protocol { reason }, Step::List)));
        }
        reply = child.receive(Step::List)?;
    }
}
