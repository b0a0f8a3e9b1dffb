//! Celero: one group in each process, the table of its results: it has no flag for one benchmark, and none for a shorter time.
//!
//! Traps: its list has groups only, so what is in them is known when they have run; its time is that of its fastest sample, in whole
//! microseconds for all iterations.

use crate::harness::{iterations_of, one_of, Harness, List, Measured};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use tare_analysis::Saved;

/// In its help.
const SIGN: &[u8] = b"Runs a specific group of benchmarks.";

pub(crate) struct Celero;

impl Harness for Celero {
    fn name(&self) -> &str {
        "celero"
    }

    fn title(&self) -> &str {
        "Celero"
    }

    fn language(&self) -> &str {
        "c++"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_model::text::contains(program, SIGN)
    }

    fn step_ns(&self) -> f64 {
        1e3
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        Ok(List::of_results(&ran(suite, "")?))
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let group = of.name.split('/').next().unwrap_or_default();
        let saved = one_of(ran(suite, group)?, &of.name).map_err(Trouble::new)?;
        Ok(Measured { iterations: iterations_of(&saved, self.step_ns()), saved })
    }
}

fn ran(suite: &Suite, group: &str) -> Result<Saved, Trouble> {
    let out = suite.place("out.csv");
    let mut command = suite.command()?;
    command.arg("-t").arg(&out);
    if !group.is_empty() {
        command.args(["-g", group]);
    }
    suite.result(&mut command, Some(&out))
}
