//! Where the time of both sides goes: functions whose share of the samples differs by more than chance. It says where the time differs, and not
//! what was done there.

use super::super::pair::Side;
use super::{said, Evidence, Pair, Says, Source, Unit};
use std::collections::BTreeMap;
use tare_model::Diagnosis;
use tare_stats::proportion;

pub const SOURCE: Source = Source::of("profile", look);

/// Functions that are named.
const MOST: usize = 3;
/// A smaller change of the time is not worth a line, as a share of the time of the longer side.
const LEAST: f64 = 0.03;

fn look(pair: &Pair) -> Vec<Evidence> {
    let ([Some(base), Some(new)], [Some(base_ns), Some(new_ns)]) =
        ([pair.base, pair.new].map(|side| functions(&side)), pair.times_ns)
    else {
        return Vec::new();
    };
    let totals = [base.total, new.total];
    let names = base.own.keys().chain(new.own.keys().filter(|name| !base.own.contains_key(*name)));
    let mut found: Vec<([f64; 2], &str)> = names
        .filter_map(|name| {
            let samples = [&base, &new].map(|side| side.own.get(name).copied().unwrap_or_default());
            proportion::change(samples, totals)?;
            let share = |side: usize| samples[side] as f64 / totals[side] as f64;
            let ns = [share(0) * base_ns, share(1) * new_ns];
            ((ns[1] - ns[0]).abs() > LEAST * base_ns.max(new_ns)).then_some((ns, *name))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| (b[1] - b[0]).abs().total_cmp(&(a[1] - a[0]).abs()));
    found.truncate(MOST);
    let evidence = |(values, name): ([f64; 2], &str)| Evidence {
        values: Some(values),
        unit: Unit::Time,
        says: Says::Where,
        ..said(
            "functions",
            format!("time in `{name}`, by its share of the samples"),
            pair.cycles(values[1] - values[0]),
        )
    };
    found.into_iter().map(evidence).collect()
}

/// The samples of a case by the function that they are in.
pub struct Functions<'a> {
    pub total: u64,
    pub own: BTreeMap<&'a str, u64>,
}

/// What the profile of a case says of its functions; None where it has none.
pub fn functions<'a>(side: &Side<'a>) -> Option<Functions<'a>> {
    let pass = side.passes("profile").find(|pass| !pass.facts.is_empty())?;
    let own: BTreeMap<&str, u64> = pass
        .facts
        .iter()
        .filter_map(|(name, samples)| Some((name.strip_prefix(Diagnosis::SAMPLES_IN)?, *samples as u64)))
        .collect();
    let total = *pass.facts.get(Diagnosis::SAMPLES)? as u64;
    (total > 0).then_some(Functions { total, own })
}
