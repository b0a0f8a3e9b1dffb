//! Coded remarks with evidence and advice, one file each.
//!
//! A remark is worth a line only when it is true, tells the reader something that the number does not, and leads to
//! something to do. So every rule has two bounds: a statistical one, against noise, and a smallest effect, against what is
//! real and of no consequence. `tests/it/noise.rs` measures how often each rule speaks on machines that are merely noisy.
//! Each code has a page in `docs/findings/`.

mod clock_speed;
mod clock_too_coarse;
mod command;
mod core_shared;
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
use std::collections::BTreeSet;
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
const RULES: [Rule; 23] = [
    ("debugger", debugger::find),
    ("debug-build", debug_build::find),
    ("out-of-time", out_of_time::find),
    ("different-results", different_results::find),
    ("optimised-away", optimised_away::find),
    ("no-ratio", no_ratio::find),
    ("noisy-host", noisy_host::find),
    ("preempted", preempted::find),
    ("core-shared", core_shared::find),
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
/// The same where others used the core and it is not known when.
const NEIGHBOUR: &str =
    "others used the core in this run, and that alone can be the cause: see whether it stays when they do not";
/// Findings that tell the same of a case in other words. The first one that speaks is kept: a trend explains waves, launches and visits
/// that differ; waves that differ make the ratio doubtful; two speeds explain launches that differ; and what visits show counts more
/// than what the warm-up did.
const SAME_CAUSE: [&str; 5] = ["drift", "waves-disagree", "two-modes", "launches-disagree", "no-steady-state"];

/// All findings, the worst first, then those of the whole run, then in the order of the cases.
pub fn find(facts: &Facts) -> Vec<Finding> {
    let context = Context::new(facts);
    let mut found: Vec<(&str, Vec<Found>)> = RULES.iter().map(|(code, rule)| (*code, rule(&context))).collect();
    for (_, found) in found.iter_mut().filter(|(code, _)| MAY_BE_THE_MACHINE.contains(code)) {
        // Then `core-shared` says what is the matter.
        found.retain(|f| f.case.is_none_or(|case| !context.is_shared_time(case)));
        for f in found {
            if context.busy {
                f.advice = BUSY.to_owned();
            } else if f.case.is_some_and(|case| context.may_be_shared(case)) {
                f.advice = NEIGHBOUR.to_owned();
            }
        }
    }
    keep_one_of_a_cause(&mut found);
    let mut all = facts.run.findings.clone();
    all.extend(found.into_iter().flat_map(|(code, found)| merge::findings(&context, code, found)));
    all.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.case.cmp(&b.case)));
    all
}

/// Of findings that say the same of a case, the one that explains most.
fn keep_one_of_a_cause(found: &mut [(&str, Vec<Found>)]) {
    let of = |code: &str, found: &[(&str, Vec<Found>)]| {
        found.iter().find(|(other, _)| *other == code).map_or_else(Vec::new, |(_, found)| found.clone())
    };
    // A trend that the baseline does not have changes the ratio: that is what must be known.
    let doubtful = of("waves-disagree", found);
    for (_, found) in found.iter_mut().filter(|(code, _)| *code == "drift") {
        for f in found {
            if let Some(ratio) = doubtful.iter().find(|waves| waves.case == f.case) {
                (f.advice, f.rerun) = (ratio.advice.clone(), ratio.rerun.clone());
            }
        }
    }
    let mut told: BTreeSet<u32> = BTreeSet::new();
    for cause in SAME_CAUSE {
        let Some((_, found)) = found.iter_mut().find(|(code, _)| *code == cause) else { continue };
        found.retain(|f| f.case.is_none_or(|case| !told.contains(&case)));
        told.extend(found.iter().filter_map(|f| f.case));
    }
}

#[cfg(test)]
mod tests {
    use super::common::{codes, share, twelve_launches, RunBuilder};

    /// Two cases; launches of the second have luck of their own, two speeds of it, and the neighbour is there in all visits or in some.
    fn with_luck(in_ten: usize) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new().with_windows();
        for (name, luck) in [("a", 0.0), ("b", 0.2)] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0, |_, n, _| if n % 3 == 0 { luck } else { 0.0 });
        }
        for launch in &mut builder.run.launches {
            share(launch, 1.6, |visit, _| visit % 10 < in_ten);
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn what_launches_do_alone_on_the_core_is_told_and_what_they_do_beside_a_neighbour_is_not() {
        assert!(codes(&with_luck(5)).contains(&"two-modes"), "{:?}", with_luck(5));
        let shared = with_luck(10);
        let told: Vec<&str> = codes(&shared).into_iter().filter(|code| *code != "failed-to-decide").collect();
        assert_eq!(told, ["core-shared", "core-shared"], "{shared:?}");
    }

    #[test]
    fn one_cause_is_told_once() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        // A case that becomes slower over the session, whose launches then differ, and whose visits move within each.
        twelve_launches(&mut builder, case, 100.0, |wave, n, round| {
            0.15 * f64::from(wave) + 0.002 * round as f64 + if n % 4 == 0 { 0.1 } else { 0.0 }
        });
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["drift"], "{found:?}");
    }
}
