//! Compilers, flags and jobs that differ: not a cost, but what the user chose to differ.

use super::{said, Evidence, Pair, Source};
use tare_model::Artifact;

pub const SOURCE: Source = Source::of_run(look);

/// A fact of a program, where it is known.
type Fact = fn(&Artifact) -> Option<String>;

fn look(pair: &Pair) -> Vec<Evidence> {
    let Some(both) = pair.programs() else { return Vec::new() };
    let facts: [(&str, Fact); 4] = [
        ("the compiler", |program| program.child.as_ref()?.compiler.clone()),
        ("the flags", flags),
        ("the runtime", |program| program.child.as_ref()?.runtime.clone()),
        ("the optimisation", |program| {
            program.child.as_ref()?.optimised.map(|is| if is { "optimised" } else { "not optimised" }.to_owned())
        }),
    ];
    let differs = |(name, of): &(&str, Fact)| {
        let [base, new] = both.map(of);
        let (base, new) = (base?, new?);
        (base != new)
            .then(|| said("build", format!("{name} differs: `{base}` on the base, `{new}` on the new side"), 0.0))
    };
    facts.iter().filter_map(differs).map(|found| Evidence { cycles: pair.toward(f64::INFINITY), ..found }).collect()
}

/// Those that the child knows, else those that its source was compiled with.
fn flags(program: &Artifact) -> Option<String> {
    program.child.as_ref().and_then(|child| child.flags.clone()).filter(|flags| !flags.is_empty())
}
