//! `other-machine`: both sides, or the parts of one run, are from different machines, or may be.

use super::{Code, Context, Finding, Observation, Pairs, Search, Sentence, Severity};
use crate::saved::{differing, fact};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::Environment;

pub(super) const SEARCH: Search = Search::of_run(of_run).and_of_saved(find);

const FACTS: &[&str] = &[fact::CPU, fact::PROCESSORS, fact::ARCHITECTURE, fact::FREQUENCY];
const ADVICE: &str = "measure both sides on one machine: a ratio between machines is not a ratio between programs";

fn find(found: &Pairs) -> Vec<Finding> {
    let known = differing(Code::OtherMachine, FACTS, ADVICE, found.base, found.new);
    known.into_iter().chain(unknown(found)).collect()
}

fn unknown(found: &Pairs) -> Option<Finding> {
    let silent = [found.base, found.new].into_iter().filter(|side| !side.machine.contains_key(fact::CPU));
    let names: Vec<&str> = silent.map(|side| side.name.as_str()).collect();
    let pattern = match names.len() {
        0 => return None,
        1 => "{sides} does not say which processor it was measured on",
        _ => "{sides} do not say which processor they were measured on",
    };
    let evidence = Sentence::new(pattern).text("sides", names.join(" and "));
    let advice = "make sure that both sides were measured on one machine: this data does not show it";
    Some(Finding::new(Code::OtherMachine, Severity::Note, evidence, advice))
}

/// Rows of one run from machines of different kinds, for example nodes of a cluster.
fn of_run(context: &Context) -> Vec<Observation> {
    let machine = |of: &Environment| (of.cpu.clone(), of.architecture.clone(), of.processors);
    let mut cases: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
    for launch in context.run.launches.iter().filter(|launch| launch.is_visited()) {
        cases.entry(machine(context.run.environment_of(launch))).or_default().insert(launch.case);
    }
    let mut machines: Vec<_> = cases.into_iter().collect();
    machines.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    let (Some((_, most)), true) = (machines.first(), machines.len() > 1) else { return Vec::new() };
    let weight = machines.iter().map(|(_, cases)| cases.len()).sum::<usize>() - most.len();
    let kinds = machines.iter().map(|((cpu, architecture, processors), cases)| {
        let cpu = if cpu.is_empty() { architecture } else { cpu };
        Sentence::new("{cpu}, {processors} processors: {cases} of the benchmarks")
            .text("cpu", cpu.clone())
            .count("processors", *processors as usize)
            .count("cases", cases.len())
    });
    let mut evidence = Sentence::new("the machines differ: ");
    for (at, kind) in kinds.enumerate() {
        evidence = if at > 0 { evidence.then("; ".into()) } else { evidence }.then(kind);
    }
    let advice = "compare rows of one machine only, or measure all of it on machines that are alike";
    vec![Observation::warning(evidence, advice).weighing(weight as f64)]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Part;

    #[test]
    fn rows_of_machines_that_differ_are_told() {
        let found = |cpu: &str| {
            let mut builder = RunBuilder::new();
            for name in ["a", "b", "c"] {
                let case = builder.case("g", name, false);
                twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            }
            builder.run.environment_mut().cpu = "one".to_owned();
            let mut second = Part { created: "later".to_owned(), ..builder.run.parts[0].clone() };
            second.environment.cpu = cpu.to_owned();
            builder.run.parts.push(second);
            builder.run.launches.iter_mut().filter(|launch| launch.case == 2).for_each(|launch| launch.part = 1);
            crate::analyse(&builder.run()).findings
        };
        assert!(!codes(&found("one")).contains(&"other-machine"), "two nodes that are alike");
        let found = found("two");
        let finding = found.iter().find(|finding| finding.code.name() == "other-machine").expect("it is told");
        let evidence = finding.evidence.to_string();
        assert!(
            evidence.starts_with("the machines differ: one, ") && evidence.contains("2 of the benchmarks; two, "),
            "{evidence}"
        );
    }
}
