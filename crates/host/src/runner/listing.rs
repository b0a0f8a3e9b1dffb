//! What benchmarks does a program hold?

use super::conversation::{Bounds, Conversation, Stop};
use tare_model::{Artifact, Benchmark, ChildFacts, Failure, LaunchOptions, Step};
use tare_protocol::{Reply, Request, BENCHMARKS_MAX, VERSION};

/// What a program said of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Its answer to `hello`.
    pub facts: ChildFacts,
    /// Its benchmarks, in order, each with a name of its own.
    pub benchmarks: Vec<Benchmark>,
}

/// Asks a program for its benchmarks; None when the user interrupted.
///
/// # Errors
/// When the program cannot be started, is no child, or breaks the protocol.
pub fn list(artifact: &Artifact, timeout_s: f64) -> Result<Option<Listing>, Failure> {
    let mut child = Conversation::start(artifact, &LaunchOptions::default(), 0, Bounds::new(timeout_s))?;
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
    let mut benchmarks = benchmarks(child)?;
    for benchmark in &mut benchmarks {
        let of_all = facts.requires.iter().filter(|name| !benchmark.requires.contains(name));
        benchmark.requires = of_all.chain(&benchmark.requires).cloned().collect();
    }
    match child.ask(&Request::Bye, Step::End)? {
        Reply::Bye => {}
        other => return Err(Stop::Failed(child.unexpected(&other, "bye", Step::End))),
    }
    child.ended().map_err(Stop::Failed)?;
    Ok(Listing { facts, benchmarks })
}

fn benchmarks(child: &mut Conversation) -> Result<Vec<Benchmark>, Stop> {
    let mut found: Vec<Benchmark> = Vec::new();
    let mut reply = child.ask(&Request::List, Step::List)?;
    loop {
        let wrong = match reply {
            Reply::Benchmark(benchmark) => {
                if benchmark.index as usize != found.len() {
                    Some(format!("R13: `index` {} stands where {} is due", benchmark.index, found.len()))
                } else if found.len() >= BENCHMARKS_MAX {
                    Some(format!("it lists more than {BENCHMARKS_MAX} benchmarks"))
                } else {
                    found.push(*benchmark);
                    None
                }
            }
            Reply::End { count } if count as usize == found.len() => return Ok(tare_engine::distinct(found)),
            Reply::End { count } => Some(format!("R13: `count` is {count} after {} benchmarks", found.len())),
            other => return Err(Stop::Failed(child.unexpected(&other, "benchmark", Step::List))),
        };
        if let Some(reason) = wrong {
            return Err(Stop::Failed(child.broken(reason, Step::List)));
        }
        reply = child.receive(Step::List)?;
    }
}
