//! The machine code of the body and of what it calls: vectors that only one side uses, divisions, calls that only one side makes, and its size.

use super::super::pair::Side;
use super::{profile, said, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::of(DIAGNOSER, look);

const DIAGNOSER: &str = "code";
/// What takes long, by kind: the least difference that counts, and what one costs that is executed once, in cycles.
const SLOW: [(&str, f64, f64, &str); 3] = [
    ("divisions", 1.0, 20.0, "divisions and square roots in the machine code, which take long"),
    ("atomics", 1.0, 20.0, "atomic instructions in loops of the machine code, as of a lock"),
    ("copying", 64.0, 0.05, "bytes that single moves copy in loops of the machine code, as of a large value"),
];
/// What narrower vectors cost at least, in cycles.
const LEAST: f64 = 4.0;

fn look(pair: &Pair) -> Vec<Evidence> {
    let mut found = Vec::new();
    let executed = pair.executed();
    if let Some([base, new]) = pair.facts(DIAGNOSER, "vector_bits").filter(|[base, new]| base != new) {
        let width = |bits: f64| if bits > 0.0 { format!("{bits} bits") } else { "none".to_owned() };
        let text = format!("vector instructions in loops: {} on the base, {} on the new side", width(base), width(new));
        // More is executed where vectors are narrower.
        let narrower = if new < base { 1.0 } else { -1.0 };
        let cycles = narrower * (executed.abs() * 0.5).max(LEAST);
        found.push(said("vectors", text, cycles));
    }
    found.extend(SLOW.iter().filter_map(|of| slow(pair, *of)));
    if let Some([base, new]) = pair.facts(DIAGNOSER, "calls").filter(|[base, new]| base != new) {
        let text = format!(
            "calls in the machine code of the body and of what it calls: {base} on the base, {new} on the new side"
        );
        let more = if new > base { 1.0 } else { -1.0 };
        let evidence = said("calls", text, more * (executed.abs() * 0.2).max(1.0));
        found.push(Evidence { says: Says::HowMuch, ..evidence });
    }
    if let Some(values) = pair.facts(DIAGNOSER, "bytes").filter(|[base, new]| base != new) {
        let text = format!("bytes of machine code: {} on the base, {} on the new side", values[0], values[1]);
        found.push(Evidence { says: Says::HowMuch, ..said("code", text, 0.0) });
    }
    found
}

fn slow(pair: &Pair, (kind, least, each, text): (&'static str, f64, f64, &str)) -> Option<Evidence> {
    let [base, new] = pair.facts(DIAGNOSER, kind).filter(|[base, new]| (new - base).abs() >= least)?;
    // How often they run is not known but by samples.
    let each = if profile::has_work(pair, kind) { each } else { f64::INFINITY };
    let text = format!("{text}: {base} on the base, {new} on the new side");
    Some(said(kind, text, (new - base) * each))
}

/// Neither side calls anything by a pointer in its own machine code: calls through pointers are those of shared libraries.
pub fn calls_no_pointer(pair: &Pair) -> bool {
    pair.facts(DIAGNOSER, "pointers") == Some([0.0, 0.0])
}

/// Both sides run the same machine code, addresses aside, as far as the functions that it calls were followed to their ends.
pub fn is_same(pair: &Pair) -> bool {
    // The side that is read second knows it.
    let knows = |side: &Side| side.fact(DIAGNOSER, "same") == Some(1.0);
    // What threads of the program run is not part of what the body calls.
    let is_whole = pair.facts(DIAGNOSER, "whole") == Some([1.0, 1.0]);
    pair.is_of_one_run() && is_whole && (knows(&pair.base) || knows(&pair.new)) && !pair.works_in_threads()
}
