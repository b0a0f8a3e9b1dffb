//! A function that one build inlines and the other calls, in the measuring loop or by the stacks of samples.

use super::profile::{change, of_both, Functions};
use super::{said, Evidence, Pair, Source};
use crate::finding::{Code, Finding};
use crate::findings::inlined_differently::{BASE_CALLS, NEW_CALLS};
use tare_model::Diagnosis;

pub const SOURCE: Source = Source::of_run(look);

/// What a call and what it keeps the compiler from typically cost, at least, in cycles.
const LEAST: f64 = 4.0;

fn look(pair: &Pair) -> Vec<Evidence> {
    if !pair.is_of_one_run() {
        return Vec::new();
    }
    let its = pair.new.report.findings.iter().filter(|found| found.code == Code::InlinedDifferently);
    let its = its.filter(|found| found.case.is_none() || found.concerns(pair.new.case.case));
    let executed = pair.executed();
    let cycles = (executed.abs() * 0.5).max(LEAST);
    let its = its.map(|found| said("inlining", found.evidence.to_string(), cycles * calling(found, executed)));
    its.chain(by_samples(pair)).chain(by_code(pair)).collect()
}

fn by_code(pair: &Pair) -> Vec<Evidence> {
    let names = |fact: &str| {
        let passes = [pair.base, pair.new].into_iter().flat_map(|side| side.passes("code"));
        let names = passes.flat_map(|pass| pass.facts.keys()).filter_map(|name| name.strip_prefix(fact));
        names.map(|name| format!("`{name}`")).collect::<Vec<String>>()
    };
    let both = [(Diagnosis::CALLED_NOW, "base", "new side", 1.0), (Diagnosis::INLINED_NOW, "new side", "base", -1.0)];
    let of = |(fact, inlines, calls, sign): (&str, &str, &str, f64)| {
        let names = names(fact);
        let text = format!(
            "{}, inlined in the machine code of the {inlines}, {} called in a loop of the {calls}",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" }
        );
        (!names.is_empty()).then(|| said("inlining", text, sign * f64::INFINITY))
    };
    both.into_iter().filter_map(of).collect()
}

/// Share of the samples from which a function that is called or inlined matters.
const MUCH: f64 = 0.02;

/// The functions that stacks show as called on one side and as inlined on the other.
fn by_samples(pair: &Pair) -> Vec<Evidence> {
    let [Some(base), Some(new)] = of_both(pair) else { return Vec::new() };
    let [Some(base_ns), Some(new_ns)] = pair.times_ns else { return Vec::new() };
    let own = |of: &Functions, names: &[String; 2]| names.iter().filter_map(|name| of.own.get(name)).sum();
    let found = |(calls, inlines): (&Functions, &Functions), sides: [&str; 2]| {
        let of = |edge: &[String; 2]| {
            let text = format!(
                "`{}` is called by `{}` on the {} and inlined into it on the {}",
                edge[0], edge[1], sides[0], sides[1]
            );
            // What such a call keeps the compiler from is in both of them.
            let values = change([own(&base, edge), own(&new, edge)], [base.total, new.total], [base_ns, new_ns])?;
            Some(said("inlining", text, pair.cycles(values[1] - values[0])))
        };
        let is_much = |samples: Option<&u64>, all: u64| samples.is_some_and(|n| *n as f64 >= MUCH * all as f64);
        let is_it = |edge: &&[String; 2]| {
            is_much(calls.called.get(*edge), calls.total)
                && is_much(inlines.inlined.get(*edge), inlines.total)
                && !calls.inlined.contains_key(*edge)
                && !inlines.called.contains_key(*edge)
        };
        calls.called.keys().filter(is_it).filter_map(of).collect::<Vec<_>>()
    };
    let (of_new, of_base) = (found((&new, &base), ["new side", "base"]), found((&base, &new), ["base", "new side"]));
    // The side that calls pays for it.
    let new_pays = of_new.into_iter().filter(|found| found.cycles > 0.0);
    new_pays.chain(of_base.into_iter().filter(|found| found.cycles < 0.0)).collect()
}

/// Which side pays for calls: the one that calls what the other has inlined; where both do, the one that executes more.
fn calling(found: &Finding, executed: f64) -> f64 {
    let calls = |name: &str| found.evidence.values.contains_key(name);
    match (calls(BASE_CALLS), calls(NEW_CALLS)) {
        (true, false) => -1.0,
        (false, true) => 1.0,
        _ if executed < 0.0 => -1.0,
        _ => 1.0,
    }
}
