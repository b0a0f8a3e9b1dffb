//! The waves that both sides of a ratio share: the effect of each launch within its wave.

use super::sides::Sides;
use crate::core::CoreUse;
use crate::visits::{CaseTimes, LaunchTimes, Location};
use std::collections::BTreeSet;
use tare_model::{Artifact, Draw, Run};
use tare_stats::effects::process_effects;
use tare_stats::sequential::Wave;

/// Launches of a side that a wave needs.
pub(crate) const LAUNCHES_MIN: usize = 2;

/// Process effects of both sides for each wave of the group in which both have launches.
pub(crate) fn shared_waves(run: &Run, sides: &Sides) -> Vec<Wave> {
    let (group, base, contestant) = (sides.group, sides.base.as_ref(), sides.new.as_ref());
    // One exponent for both; a side without a clock probe takes the correction from the other too.
    let exponent = match (base.exponent, contestant.exponent) {
        (Some(a), Some(b)) => 0.5 * (a + b),
        _ => 0.0,
    };
    // What marks the layouts of the contestant.
    let of_another = if have_the_same_layouts(run, base.case, contestant.case) { 0 } else { OF_OTHERS };
    let numbers: BTreeSet<u32> = base.launches.iter().filter(|l| l.group == group).map(|l| l.wave).collect();
    numbers
        .into_iter()
        .filter_map(|number| {
            let of = |times: &CaseTimes| -> Vec<LaunchTimes> {
                let launches = times.launches.iter().filter(|l| l.group == group && l.wave == number);
                launches.map(|l| LaunchTimes { log_ns: times.log_ns_with(l, exponent), ..l.clone() }).collect()
            };
            let (a, b) = (of(base), of(contestant));
            if a.len() < LAUNCHES_MIN || b.len() < LAUNCHES_MIN {
                return None;
            }
            let effects = effects_of([base, contestant], [&a, &b]);
            let (a, b) = (with_draws(&a, &effects[0]), with_draws(&b, &effects[1]));
            let partner = |draw: &Draw| b.iter().position(|(other, _)| draw.is_partner_of(other));
            let pairs = a.iter().enumerate().filter_map(|(at, (draw, _))| Some((at, partner(draw)?))).collect();
            let of_contestant = layouts(run, contestant.case, &b).into_iter().map(|layout| of_another | layout);
            let layouts = (layouts(run, base.case, &a), of_contestant.collect());
            let effects = |side: Vec<(Draw, f64)>| side.into_iter().map(|(_, effect)| effect).collect();
            Some(Wave { pairs, layouts, a: effects(a), b: effects(b) })
        })
        .collect()
}

/// The effect of each launch of a wave, by side; None without any.
pub(crate) fn effects_of<const SIDES: usize>(
    times: [&CaseTimes; SIDES],
    sides: [&[LaunchTimes]; SIDES],
) -> [Vec<Option<f64>>; SIDES] {
    let mut rows = by_rounds(&sides.iter().copied().flatten().collect::<Vec<_>>());
    // Rounds that were added in search of a core alone have some sides only: in them the neighbour would stay in its times.
    if times.iter().any(|t| t.core == CoreUse::Any) {
        let has_all = |row: &Vec<Option<f64>>| {
            let mut rest = row.as_slice();
            sides.iter().all(|side| {
                let (of_side, others) = rest.split_at(side.len());
                rest = others;
                of_side.iter().any(Option::is_some)
            })
        };
        rows.retain(has_all);
    }
    // What one side is made of the other is made of, too.
    let location = times.iter().map(|t| t.location).fold(Location::Trimmed, Location::of_both);
    let effects: Vec<Option<f64>> = match location {
        // What makes a visit slow is its own, a place in memory or a collection: rounds do not share it, and none is left out.
        Location::Mean | Location::OverCalls => {
            let of = |column: usize| rows.iter().filter_map(|row| row[column]).collect::<Vec<f64>>();
            let columns = rows.first().map_or(0, Vec::len);
            (0..columns).map(|column| location.centre(&of(column))).collect()
        }
        Location::Trimmed => process_effects(&rows).into_iter().map(|e| e.map(|e| e.effect)).collect(),
    };
    // Where no round is left there are no columns either.
    let mut effects = effects.into_iter();
    sides.map(|side| side.iter().map(|_| effects.next().flatten()).collect())
}

fn with_draws(launches: &[LaunchTimes], effects: &[Option<f64>]) -> Vec<(Draw, f64)> {
    launches.iter().zip(effects).filter_map(|(launch, &effect)| Some((launch.draw, effect?))).collect()
}

/// Marks the layouts of a contestant that have nothing to do with those of the base.
const OF_OTHERS: u64 = 1 << 63;

/// Layouts of the same number have the functions in the same order, as far as both programs have the same.
fn have_the_same_layouts(run: &Run, base: u32, contestant: u32) -> bool {
    let of = |case: u32| artifact(run, case).map(|artifact| artifact.layouts.len());
    of(base) == of(contestant)
}

fn artifact(run: &Run, case: u32) -> Option<&Artifact> {
    run.artifacts.get(run.plan.cases[case as usize].artifact as usize)
}

/// The layouts of these launches of a case; none where its program has few.
fn layouts(run: &Run, case: u32, launches: &[(Draw, f64)]) -> Vec<u64> {
    let artifact = artifact(run, case);
    launches.iter().filter_map(|(draw, _)| artifact?.layout(draw)).collect()
}

/// Natural logs of times: rows are rounds, columns launches; `None` for a dropped visit.
pub fn by_rounds(launches: &[&LaunchTimes]) -> Vec<Vec<Option<f64>>> {
    let rounds = launches.iter().flat_map(|l| &l.rounds).map(|&r| r as usize + 1).max().unwrap_or(0);
    let mut rows = vec![vec![None; launches.len()]; rounds];
    for (column, launch) in launches.iter().enumerate() {
        for (&round, &log_ns) in launch.rounds.iter().zip(&launch.log_ns) {
            rows[round as usize][column] = Some(log_ns);
        }
    }
    rows
}
