//! nonius: one benchmark by an anchored pattern where its version has `--filter`, else the whole program; its CSV has all samples.

use crate::harness::{escaped, one_of, Harness, List, Listed, Measured, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};

/// The description of its CSV.
const SIGN: &[u8] = b"outputs samples to a CSV file";
/// The description of a flag that the first versions do not have.
const FILTER: &[u8] = b"only run benchmarks whose name matches the regular expression";
/// What stands for that flag beside a benchmark.
const CAN_FILTER: &str = "--filter";
/// Samples of a process.
const SAMPLES: &str = "--samples=100";

pub(crate) struct Nonius;

impl Harness for Nonius {
    fn name(&self) -> &str {
        "nonius"
    }

    fn title(&self) -> &str {
        "nonius"
    }

    fn language(&self) -> &str {
        "c++"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_model::text::contains(program, SIGN)
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let done = suite.run(suite.command()?.arg("--list"))?;
        let within: Vec<String> = suite.has(FILTER).then(|| CAN_FILTER.to_owned()).into_iter().collect();
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "All available benchmarks:");
        Ok(names.map(|name| Listed { within: within.clone(), ..Listed::of_name(name) }).collect())
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let out = suite.place("out.csv");
        let mut command = suite.command()?;
        command.args(["--reporter=csv", SAMPLES]).arg(format!("--output={}", out.display()));
        if of.within.iter().any(|word| word == CAN_FILTER) {
            command.arg(format!("--filter=^{}$", escaped(&of.name)));
        }
        let saved = suite.result(&mut command, Some(&out))?;
        Ok(Measured { saved: one_of(saved, &of.name).map_err(Trouble::new)?, iterations: None })
    }

    /// A sample that lost the processor is among a hundred.
    fn statistic(&self) -> Statistic {
        Statistic::Median
    }
}
