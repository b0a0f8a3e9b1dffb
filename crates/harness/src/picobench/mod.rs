//! picobench: one benchmark of a suite where its version has `--run-only`, else the whole program; its CSV.
//!
//! Traps: its time is that of its fastest sample; a benchmark has one row for each number of iterations; it binds itself to the first
//! processor.

use crate::harness::{iterations_of, one_of, Harness, List, Measured};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use tare_analysis::{Saved, SavedCase};

/// In its help.
const SIGN: &[u8] = b"Sets default number of samples for benchmarks";
/// A flag that the first versions do not have.
const RUN_ONLY: &str = "-run-only=";
/// Samples of a process, the fastest of which it reports, and of one that lists.
const SAMPLES: [u32; 2] = [10, 1];

pub(crate) struct Picobench;

impl Harness for Picobench {
    fn name(&self) -> &str {
        "picobench"
    }

    fn title(&self) -> &str {
        "picobench"
    }

    fn language(&self) -> &str {
        "c++"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_model::text::contains(program, SIGN)
    }

    fn step_ns(&self) -> f64 {
        1.0
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let saved = ran(suite, SAMPLES[1], &[])?;
        let can_choose = suite.has(RUN_ONLY.as_bytes());
        let choice = |case: &SavedCase| match can_choose && !case.group.is_empty() && !case.name.contains(',') {
            true => vec![format!("--run-suite={}", case.group), format!("-{RUN_ONLY}{}", case.name)],
            false => Vec::new(),
        };
        let mut list = List::of_results(&saved);
        list.benchmarks.iter_mut().zip(&saved.cases).for_each(|(one, case)| one.within = choice(case));
        Ok(list)
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let saved = one_of(ran(suite, SAMPLES[0], &of.within)?, &of.name).map_err(Trouble::new)?;
        Ok(Measured { iterations: iterations_of(&saved, self.step_ns()), saved })
    }
}

fn ran(suite: &Suite, samples: u32, choice: &[String]) -> Result<Saved, Trouble> {
    let out = suite.place("out.csv");
    let mut command = suite.command()?;
    command.args([format!("--samples={samples}"), "--out-fmt=csv".to_owned(), format!("--output={}", out.display())]);
    suite.result(command.args(choice), Some(&out))
}
