//! nanobench, in a program of its own or in tests of doctest: the whole program in each process, and the table that it prints. It has no
//! flags.
//!
//! Traps: its table has two decimals; what the program prints beside it is not a result; advice about the machine would stand in it.

use crate::harness::{one_of, Harness, List, Measured};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use tare_analysis::Saved;

/// A variable that the library looks at.
const SIGN: &str = "NANOBENCH_SUPPRESS_WARNINGS";

pub(crate) struct Nanobench;

impl Harness for Nanobench {
    fn name(&self) -> &str {
        "nanobench"
    }

    fn title(&self) -> &str {
        "nanobench"
    }

    fn language(&self) -> &str {
        "c++"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_model::text::contains(program, SIGN.as_bytes())
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        Ok(List::of_results(&ran(suite)?))
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let saved = one_of(ran(suite)?, &of.name).map_err(Trouble::new)?;
        Ok(Measured { saved, iterations: None })
    }
}

fn ran(suite: &Suite) -> Result<Saved, Trouble> {
    suite.result(suite.command()?.env(SIGN, "1"), None)
}
