//! Where each code is looked for, one file each. The list of all codes is in `finding/codes.rs`.
//! A remark is worth a line only when it is true, tells the reader something that the number does not, and leads to something to do. So every
//! rule has a statistical bound, against noise, and a smallest effect. `tests/it/false_findings.rs` measures how often each rule speaks on machines
//! that are merely noisy. Which flag or command an advice means is known at the edge (`tare_report`), not here.

mod facts;
mod merge;
mod shared;

#[cfg(test)]
#[path = "../../tests/common/mod.rs"]
pub(crate) mod common;

pub use facts::Facts;

use crate::finding::{codes, Code, Finding, How, Means, Number, Sentence, Severity, Unit, Units};
use crate::report::ComparisonRow;
use crate::saved::{Saved, SavedCase};
use facts::{Context, Measured};
use std::collections::{BTreeMap, BTreeSet, HashSet};

macro_rules! searches {
    ($($module:ident: $code:ident = $name:literal;)*) => {
        $(pub(crate) mod $module;)*

        const SEARCHES: &[(Code, Search)] = &[$((Code::$code, $module::SEARCH),)*];
    };
}

codes!(searches);

/// How a code is found. Some are reported where data is read or joined, not here.
#[derive(Clone, Copy)]
struct Search {
    run: Option<InRun>,
    saved: Option<fn(&Pairs) -> Vec<Finding>>,
    /// A busy machine can have this effect on any code.
    may_be_the_machine: bool,
    /// What describes the same effect in a case, and says more: this code is then left out.
    told_by: &'static [Code],
}

#[derive(Clone, Copy)]
enum InRun {
    Whole(fn(&Context) -> Vec<Observation>),
    EachCase(fn(&Context, Measured) -> Option<Observation>),
}

impl Search {
    const ELSEWHERE: Search = Search { run: None, saved: None, may_be_the_machine: false, told_by: &[] };

    const fn of_run(find: fn(&Context) -> Vec<Observation>) -> Search {
        Search { run: Some(InRun::Whole(find)), ..Search::ELSEWHERE }
    }

    const fn of_cases(find: fn(&Context, Measured) -> Option<Observation>) -> Search {
        Search { run: Some(InRun::EachCase(find)), ..Search::ELSEWHERE }
    }

    const fn of_saved(find: fn(&Pairs) -> Vec<Finding>) -> Search {
        Search::ELSEWHERE.and_of_saved(find)
    }

    const fn and_of_saved(self, find: fn(&Pairs) -> Vec<Finding>) -> Search {
        Search { saved: Some(find), ..self }
    }

    const fn may_be_the_machine(self) -> Search {
        Search { may_be_the_machine: true, ..self }
    }

    const fn told_by(self, told_by: &'static [Code]) -> Search {
        Search { told_by, ..self }
    }
}

impl InRun {
    fn find(self, context: &Context) -> Vec<Observation> {
        match self {
            InRun::Whole(find) => find(context),
            InRun::EachCase(find) => {
                context.measured().filter_map(|m| find(context, m).map(|found| found.of(m.case))).collect()
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Observation {
    case: Option<u32>,
    severity: Severity,
    evidence: Sentence,
    /// Larger is worse: if many have the same finding, the worst case is shown.
    weight: f64,
    advice: Sentence,
    again: Option<How>,
    /// The cases to measure again, if not its own.
    only: Vec<String>,
}

impl Observation {
    fn new(severity: Severity, evidence: impl Into<Sentence>, advice: impl Into<Sentence>) -> Observation {
        let (evidence, advice) = (evidence.into(), advice.into());
        Observation { case: None, severity, evidence, weight: 0.0, advice, again: None, only: Vec::new() }
    }

    fn warning(evidence: impl Into<Sentence>, advice: impl Into<Sentence>) -> Observation {
        Observation::new(Severity::Warning, evidence, advice)
    }

    fn note(evidence: impl Into<Sentence>, advice: impl Into<Sentence>) -> Observation {
        Observation::new(Severity::Note, evidence, advice)
    }

    fn of(self, case: u32) -> Observation {
        Observation { case: Some(case), ..self }
    }

    fn weighing(self, weight: f64) -> Observation {
        Observation { weight, ..self }
    }

    fn again(self, how: impl Into<Option<How>>) -> Observation {
        Observation { again: how.into(), ..self }
    }
}

pub(crate) struct Pairs<'a> {
    pub base: &'a Saved,
    pub new: &'a Saved,
    pub pairs: &'a [(&'a SavedCase, &'a SavedCase)],
    /// Keys of pairs compared in all windows, as one side has no times alone on the core.
    pub all_windows: &'a HashSet<&'a str>,
    pub rows: &'a [ComparisonRow],
}

/// The findings on two saved sides, in the order of the registry.
pub(crate) fn of_saved(pairs: &Pairs) -> Vec<Finding> {
    SEARCHES.iter().filter_map(|(_, rule)| rule.saved).flat_map(|find| find(pairs)).collect()
}

/// The advice for what the machine can cause, if it was busy: nothing in the run shows which of the two it was.
const BUSY: &str = "the machine was busy, which alone can be the cause: check whether this persists on an idle machine";
/// The same if others used the core at unknown times.
const NEIGHBOUR: &str =
    "others used the core in this run, which alone can be the cause: check whether this persists when they do not";
/// All findings of a run: the worst first, then those of the whole run, then in the order of the cases.
pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut context = Context::new(facts);
    let (may_be_the_machine, others): (Vec<_>, Vec<_>) = SEARCHES.iter().partition(|(_, rule)| rule.may_be_the_machine);
    let search = |context: &Context, of: &[&(Code, Search)]| -> BTreeMap<Code, Vec<Observation>> {
        of.iter().filter_map(|(code, rule)| Some((*code, rule.run?.find(context)))).collect()
    };
    let mut found = search(&context, &may_be_the_machine);
    context.sort_out(&mut found);
    found.extend(search(&context, &others));
    let cases = |found: &[Observation]| found.iter().filter_map(|f| f.case).collect::<BTreeSet<u32>>();
    let told: BTreeMap<Code, BTreeSet<u32>> = found.iter().map(|(code, found)| (*code, cases(found))).collect();
    for (code, rule) in SEARCHES.iter().filter(|(_, rule)| !rule.told_by.is_empty()) {
        let is_told = |case: u32| rule.told_by.iter().any(|code| told.get(code).is_some_and(|t| t.contains(&case)));
        found.entry(*code).or_default().retain(|f| f.case.is_none_or(|case| !is_told(case)));
    }
    let mut all: Vec<Finding> =
        found.into_iter().flat_map(|(code, found)| merge::findings(&context, code, found)).collect();
    all.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.case.cmp(&b.case)));
    all
}

impl Context<'_> {
    /// Drops what the machine may have caused where another finding says so, and changes the advice of the rest if it was busy.
    fn sort_out(&mut self, found: &mut BTreeMap<Code, Vec<Observation>>) {
        for found in found.values_mut() {
            // `core-shared` or `noisy-host` then reports the cause.
            found.retain(|f| f.case.is_none_or(|case| !self.is_shared_time(case)));
            if self.noisy {
                self.unlisted += std::mem::take(found).len();
            }
            for f in found {
                let cause = match () {
                    () if self.busy => BUSY,
                    () if f.case.is_some_and(|case| self.may_be_shared(case)) => NEIGHBOUR,
                    () => continue,
                };
                (f.advice, f.severity) = (cause.into(), Severity::Note);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::common::{codes, share, twelve_launches, RunBuilder};

    /// Two cases; launches of the second have luck of their own, at two speeds, and the neighbour is there in all visits or in some.
    fn with_luck(in_ten: usize) -> Vec<crate::Finding> {
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
        let reported: Vec<&str> = codes(&shared).into_iter().filter(|code| *code != "failed-to-decide").collect();
        assert_eq!(reported, ["core-shared", "core-shared"], "{shared:?}");
    }

    #[test]
    fn one_cause_is_told_once() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        // A case that becomes slower over the session, so its launches differ too, with drifting visits in each.
        twelve_launches(&mut builder, case, 100.0, |wave, n, round| {
            0.15 * f64::from(wave) + 0.002 * round as f64 + if n % 4 == 0 { 0.1 } else { 0.0 }
        });
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["drift"], "{found:?}");
    }
}
