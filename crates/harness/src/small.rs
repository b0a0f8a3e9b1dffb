//! C++ harnesses whose processes write one small table.
//!
//! Traps: the time of Celero is that of its fastest sample. It lists only groups, has a flag for a group but none for one benchmark or a
//! shorter time, and prints whole microseconds for all iterations. nanobench has no flags and prints two decimals; the program's other
//! output is not a result.

use crate::harness::{iterations_of, one_of, About, Harness, List, Measured, Statistic, RESOLUTION_NS};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use tare_analysis::Saved;

pub(crate) struct Small {
    about: About<'static>,
    step_ns: Option<f64>,
    statistic: Statistic,
    list: fn(&Suite) -> Result<List, Trouble>,
    /// The results of a process for this benchmark, perhaps with others.
    measure: fn(&Suite, &OfBenchmark) -> Result<Saved, Trouble>,
}

impl Harness for Small {
    fn about(&self) -> About<'_> {
        self.about
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        (self.list)(suite)
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let saved = one_of((self.measure)(suite, of)?, &of.name).map_err(Trouble::new)?;
        Ok(Measured { iterations: self.step_ns.and_then(|step_ns| iterations_of(&saved, step_ns)), saved })
    }

    fn step_ns(&self) -> f64 {
        self.step_ns.unwrap_or(RESOLUTION_NS)
    }

    fn statistic(&self) -> Statistic {
        self.statistic
    }
}

/// A variable of nanobench that keeps advice about the machine out of its table.
const QUIET: &str = "NANOBENCH_SUPPRESS_WARNINGS";

pub(crate) const NANOBENCH: Small = Small {
    about: About { name: "nanobench", title: "nanobench", language: "c++", signs: &[QUIET] },
    step_ns: None,
    statistic: Statistic::Mean,
    list: |suite| Ok(List::of_results(&nanobench(suite)?)),
    measure: |suite, _| nanobench(suite),
};

fn nanobench(suite: &Suite) -> Result<Saved, Trouble> {
    suite.result(suite.command()?.env(QUIET, "1"), None)
}

pub(crate) const CELERO: Small = Small {
    about: About { name: "celero", title: "Celero", language: "c++", signs: &["Runs a specific group of benchmarks."] },
    step_ns: Some(1e3),
    statistic: Statistic::Mean,
    list: |suite| Ok(List::of_results(&celero(suite, "")?)),
    measure: |suite, of| celero(suite, of.name.split('/').next().unwrap_or_default()),
};

fn celero(suite: &Suite, group: &str) -> Result<Saved, Trouble> {
    let out = suite.place("out.csv");
    let mut command = suite.command()?;
    command.arg("-t").arg(&out);
    if !group.is_empty() {
        command.args(["-g", group]);
    }
    suite.result(&mut command, Some(&out))
}
