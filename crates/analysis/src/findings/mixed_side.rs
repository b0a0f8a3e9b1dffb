//! `mixed-side`: the files of a side are of different kinds, or part of a side may not belong to it.

use super::{Code, Context, Finding, Observation, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::of_run(find);

/// What was known about a side before anything was built.
fn find(context: &Context) -> Vec<Observation> {
    let sides = context.run.sides.iter().flat_map(|sides| sides.both());
    let said = sides.flat_map(|(_, side)| side.warnings.iter().map(|warning| (side.name.as_str(), warning)));
    said.map(|(side, warning)| {
        let evidence = Sentence::new("`{side}`: {warning}").text("side", side).text("warning", warning);
        let advice = "if the benchmarks use it, correct it and compare again";
        Observation::warning(evidence, advice)
    })
    .collect()
}

pub(crate) fn facts_differ(facts: &[String]) -> Finding {
    let evidence = Sentence::new("the files differ in {facts}").text("facts", facts.join("; "));
    let advice = "use files of one machine, build and tool for each side";
    Finding::new(Code::MixedSide, Severity::Warning, evidence, advice)
}

/// A file has another unit, statistic or kind of time for these benchmarks.
pub(crate) fn another_kind(names: Vec<String>) -> Finding {
    let evidence =
        Sentence::new("left out, because the files differ in unit, statistic, kind of time or number of calls: {names}")
            .names("names", names);
    Finding::new(Code::MixedSide, Severity::Warning, evidence, "use files that were measured in one way for each side")
}
