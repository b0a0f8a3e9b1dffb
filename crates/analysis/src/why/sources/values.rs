//! What code works on: values of another type on one side, or objects in another form, as the profile of a runtime knows them. What that costs
//! is not known.

use super::{profile, said, Evidence, Pair, Source};
use std::collections::BTreeMap;
use tare_model::Diagnosis;

pub const SOURCE: Source = Source::of("profile", look);

/// Objects of the runtime itself differ by less.
const FORMS: f64 = 0.5;

/// A place in the code remembers as many shapes.
const SHAPES: &str = "shapes of objects";
const REMEMBERED: f64 = 4.0;

fn look(pair: &Pair) -> Vec<Evidence> {
    let of = |fact: &str| fact.rsplit_once(": ").map(|(name, of)| (name.to_owned(), of.to_owned()));
    let [base, new] = [pair.base, pair.new].map(|side| {
        profile::facts(&side, Diagnosis::VALUES_OF).filter_map(|(fact, _)| of(fact)).collect::<BTreeMap<_, _>>()
    });
    let places = profile::places(pair);
    let functions = base.keys().filter(|name| new.get(*name).is_some_and(|after| *after != base[*name]));
    let around = profile::around_of(pair, functions.filter_map(|name| Some(name.split_once(" in ")?.1)));
    let differs = |(name, before): (&String, &String)| {
        let after = new.get(name).filter(|after| *after != before)?;
        let (value, function) = name.split_once(" in ")?;
        let text = format!("`{value}` in `{function}` is {before} on the base and {after} on the new side");
        let is_place = places.iter().any(|place| place == function) || around == Some(function);
        Some(said("values", text, if is_place { pair.toward(f64::INFINITY) } else { 0.0 }))
    };
    let in_memory = [pair.base, pair.new].map(|side| profile::facts(&side, Diagnosis::IN_MEMORY).collect());
    base.iter().filter_map(differs).chain(kept(pair, in_memory)).collect()
}

/// Objects of which one side has more in a form that takes longer.
fn kept(pair: &Pair, [base, new]: [BTreeMap<&str, f64>; 2]) -> Vec<Evidence> {
    let found = base.iter().filter_map(|(what, before)| {
        let after = *new.get(what)?;
        let least = if what.starts_with(SHAPES) { REMEMBERED } else { FORMS * before.max(after) };
        let differs = (after - before).abs() > least;
        let more = if after > *before { 1.0 } else { -1.0 };
        let text = format!("{what}, in memory: {before} on the base, {after} on the new side");
        // Its cost is not known, so that it explains nothing where it goes the other way.
        (differs && pair.tendency().is_none_or(|tendency| tendency == more))
            .then(|| said("values", text, more * f64::INFINITY))
    });
    found.collect()
}
