//! Coded remarks with evidence and advice, one file each.
//!
//! A remark is worth a line only when it is true, tells the reader something that the number does not, and leads to
//! something to do. So every rule has two bounds: a statistical one, against noise, and a smallest effect, against what is
//! real and of no consequence. `tests/it/noise.rs` measures how often each rule speaks on machines that are merely noisy.
//! Each code has a page in `docs/findings/`.

mod clock_speed;
mod clock_too_coarse;
mod command;
mod debug_build;
mod debugger;
mod different_results;
mod drift;
mod facts;
mod failed_to_decide;
mod few_launches;
mod heavy_tail;
mod launches_disagree;
mod layout_limited;
mod memory_growth;
mod merge;
mod no_ratio;
mod no_steady_state;
mod noisy_host;
mod not_at_reference;
mod optimised_away;
mod out_of_time;
mod preempted;
mod shared;
mod text;
mod too_short;
mod two_modes;
mod waves_disagree;

#[cfg(test)]
#[path = "../../tests/common/mod.rs"]
pub(crate) mod common;

pub use facts::Facts;

use facts::Context;
use tare_model::{Finding, Severity};

/// What a rule found in one case, or in the run as a whole.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    /// Index of the case; None for the whole run.
    case: Option<u32>,
    /// How much it matters.
    severity: Severity,
    /// The numbers that show it.
    evidence: String,
    /// The greater, the worse: the worst case is the one that is shown when many have the same.
    weight: f64,
    /// What to do, one line.
    advice: String,
    /// The command that helps, where there is one.
    rerun: Option<Rerun>,
}

/// How the run should be made again.
#[derive(Debug, Clone, PartialEq)]
struct Rerun {
    /// Flags to add.
    flags: String,
    /// Flags of the first run to leave out.
    without: &'static [&'static str],
    /// The baseline of the case must run too.
    with_baseline: bool,
}

impl Rerun {
    /// Again, with another amount of time: all flags about time give way.
    fn spending(flags: impl Into<String>) -> Option<Rerun> {
        let without = &["--quick", "--long", "--launches", "--waves", "--rounds", "--precision", "--budget"];
        Some(Rerun { flags: flags.into(), without, with_baseline: false })
    }
}

/// The user's own command once more for these benchmarks, with flags added and others left out.
pub(crate) fn again(original: &[String], names: &[&str], flags: &str, without: &'static [&'static str]) -> String {
    command::rerun(original, names, &Rerun { flags: flags.to_owned(), without, with_baseline: false })
}

pub use command::kept;

/// Names of the cases of a run, for people and for `--filter`.
pub(crate) fn names(run: &tare_model::Run) -> Vec<&str> {
    facts::names(run)
}

/// A share in words, for other parts that write evidence.
pub(crate) fn percent_of(share: f64) -> String {
    text::percent(share)
}

/// A time in words, for other parts that write evidence.
pub(crate) fn time_of(ns: f64) -> String {
    text::ns(ns)
}

type Rule = (&'static str, fn(&Context) -> Vec<Found>);

/// All rules. Of findings that matter equally those of a rule further up come first.
const RULES: [Rule; 22] = [
    ("debugger", debugger::find),
    ("debug-build", debug_build::find),
    ("out-of-time", out_of_time::find),
    ("different-results", different_results::find),
    ("optimised-away", optimised_away::find),
    ("no-ratio", no_ratio::find),
    ("noisy-host", noisy_host::find),
    ("preempted", preempted::find),
    ("no-steady-state", no_steady_state::find),
    ("memory-growth", memory_growth::find),
    ("drift", drift::find),
    ("two-modes", two_modes::find),
    ("launches-disagree", launches_disagree::find),
    ("waves-disagree", waves_disagree::find),
    ("too-short", too_short::find),
    ("clock-too-coarse", clock_too_coarse::find),
    ("few-launches", few_launches::find),
    ("heavy-tail", heavy_tail::find),
    ("clock-speed", clock_speed::find),
    ("not-at-reference", not_at_reference::find),
    ("layout-limited", layout_limited::find),
    ("failed-to-decide", failed_to_decide::find),
];

/// What a busy machine can do to any code.
const MAY_BE_THE_MACHINE: [&str; 6] =
    ["no-steady-state", "drift", "two-modes", "launches-disagree", "waves-disagree", "heavy-tail"];
/// The advice about it where the machine was busy: nothing in the run tells which of both it was.
const BUSY: &str =
    "the machine was busy, and that alone can be the cause: see whether it stays when the machine is quiet";

/// All findings, the worst first, then those of the whole run, then in the order of the cases.
pub fn find(facts: &Facts) -> Vec<Finding> {
    let context = Context::new(facts);
    let mut all = facts.run.findings.clone();
    for (code, rule) in RULES {
        let mut found = rule(&context);
        if context.busy && MAY_BE_THE_MACHINE.contains(&code) {
            found.iter_mut().for_each(|f| f.advice = BUSY.to_owned());
        }
        all.extend(merge::findings(&context, code, found));
    }
    all.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.case.cmp(&b.case)));
    all
}
