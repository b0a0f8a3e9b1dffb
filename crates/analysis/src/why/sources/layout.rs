//! Places alone: both sides execute the same, so what differs is where code and data are. The layouts that were measured say how much the time
//! goes with them.

use super::{said, Evidence, Pair, Source};
use crate::report::CaseEstimates;
use std::collections::BTreeMap;
use tare_model::Artifact;

pub const SOURCE: Source = Source { diagnoser: None, look };

/// Beside what costs fewer cycles it comes first.
const SUSPECT: f64 = 10.0;
/// More mispredictions or misses than these are not a matter of places.
const FEW: f64 = 0.2;

fn look(pair: &Pair) -> Vec<Evidence> {
    let runs_alone = pair.run.plan.cases[pair.new.case as usize].benchmark.threads <= 1;
    let few = |name: &&str| pair.difference(name).abs() < FEW;
    let is_alike = ["instructions/mispredicted", "instructions/l1_misses"].iter().all(few);
    if !pair.is_same_work()
        || !is_alike
        || !runs_alone
        || pair.programs().is_some_and(|[base, new]| is_one_build(base, new))
    {
        return Vec::new();
    }
    let spreads = pair.estimates.map(|estimates| spread(pair, estimates));
    let text = match spreads {
        [Some(base), Some(new)] => format!(
            "both sides execute the same, and only places of code and data differ: from layout to layout the time differs by {:.1} % \
             on the base and {:.1} % on the new side",
            base * 100.0,
            new * 100.0
        ),
        _ => "both sides execute the same, and only places of code and data differ: each has one layout, so that the layout may be \
              all of the difference"
            .to_owned(),
    };
    vec![said("layout", text, pair.toward(SUSPECT))]
}

/// Both sides are one file, in which nothing can be elsewhere. Two benchmarks of one program are elsewhere all the same.
fn is_one_build(base: &Artifact, new: &Artifact) -> bool {
    !std::ptr::eq(base, new) && !base.hash.is_empty() && base.hash == new.hash
}

/// How far the means of the layouts lie apart, as a share of their mean; None of one layout.
fn spread(pair: &Pair, estimates: &CaseEstimates) -> Option<f64> {
    let mut by_layout: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for launch in &estimates.launches {
        let draw = pair.run.launches.get(launch.launch as usize)?.draw;
        by_layout.entry(draw.layout).or_default().push(launch.raw_ns);
    }
    let means: Vec<f64> = by_layout.values().filter_map(|values| tare_stats::location::mean(values)).collect();
    let (least, most) =
        (means.iter().copied().fold(f64::INFINITY, f64::min), means.iter().copied().fold(0.0, f64::max));
    (means.len() > 1 && least > 0.0).then(|| most / least - 1.0)
}
