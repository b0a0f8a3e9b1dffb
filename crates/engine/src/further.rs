//! Launches beside the planned ones, for cases whose launches differ much: a plain run ends with 12 launches of a case where these agree,
//! and makes up to three times as many where its interval would be wide.

use crate::measurement::Measurement;
use std::collections::BTreeMap;
use tare_model::{Profile, Strategy};

/// A plain run makes further launches where half of its 95 % interval would be more than this share of the time ...
const PRECISION: f64 = 0.01;
/// ... at most so many in all, as a multiple of those that are planned ...
const TIMES_MAX: f64 = 3.0;
/// ... and no more than are expected to end within this time of the case, ns.
const CASE_NS: f64 = 1.5e9;

/// What is known of the groups for that.
#[derive(Debug, Clone, Default)]
pub(crate) struct Further {
    groups: BTreeMap<usize, OfGroup>,
}

#[derive(Debug, Clone, Copy, Default)]
struct OfGroup {
    /// Its waves in this part of the run.
    made: u32,
    /// What they took, ns.
    took_ns: f64,
    /// How many it has in all, once that is decided.
    waves: Option<u32>,
}

impl Further {
    /// Another wave of a group took so long, ns.
    pub(crate) fn made(&mut self, group: usize, took_ns: f64) {
        let of_group = self.groups.entry(group).or_default();
        of_group.made += 1;
        of_group.took_ns += took_ns;
    }

    /// Waves that a group has in all; None where that is as planned.
    pub(crate) fn waves(&self, group: usize) -> Option<u32> {
        self.groups.get(&group)?.waves
    }
}

impl Measurement {
    /// Queues further waves of a group whose planned ones are `done`; whether there are any.
    ///
    /// How many is decided once, by the spread of the planned launches. A decision after each launch would tend to stop where they agree by
    /// chance.
    pub(crate) fn adds_waves(&mut self, group: usize, done: u32) -> bool {
        let members = &self.plan.groups[group];
        let planned = self.plan.policy.waves_of(members).1;
        let repeats = |&case: &u32| self.strategy_of(case) == Strategy::Throughput;
        let is_plain = members.baseline.is_none() && self.has_launches_of(Profile::Default);
        if done != planned || !is_plain || !members.cases.iter().all(repeats) {
            return false;
        }
        // Of a run that was cut off it is not known what its waves took.
        let Some(of_group) = self.further.groups.get(&group).filter(|of_group| of_group.made == planned) else {
            return false;
        };
        let took_ns = of_group.took_ns / members.cases.len().max(1) as f64;
        if let Some(run) = self.recorder.run() {
            self.settled.update(run, &[group as u32]);
        }
        let half_width = self.settled.half_width(group as u32).unwrap_or(0.0);
        let waves = waves_wanted(planned, half_width, took_ns);
        self.further.groups.entry(group).or_default().waves = Some(waves);
        if waves == planned {
            return false;
        }
        self.queue.extend((planned..waves).map(|wave| (group, wave)));
        self.mixes_further_waves();
        true
    }

    /// Waves that a group has in all, as far as that is decided.
    pub(crate) fn waves_in_all(&self, group: usize) -> u32 {
        self.further.waves(group).unwrap_or_else(|| self.plan.policy.waves_of(&self.plan.groups[group]).1)
    }

    /// Puts the further waves of all groups in turn after what is planned: a core keeps a state for seconds, and the launches of a case
    /// should not all meet the same one. What was put off stays last.
    fn mixes_further_waves(&mut self) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.make_contiguous().sort_by_key(|&(group, wave)| {
            let planned = self.plan.policy.waves_of(&self.plan.groups[group]).1;
            (wave >= self.waves_in_all(group), if wave < planned { 0 } else { wave })
        });
        self.queue = queue;
    }
}

/// How many waves a group should have, of which the planned ones took `took_ns` a case and give an interval of this half-width.
fn waves_wanted(planned: u32, half_width: f64, took_ns: f64) -> u32 {
    let for_precision = (half_width / PRECISION).powi(2).min(TIMES_MAX);
    let in_time = CASE_NS / took_ns.max(1.0);
    (f64::from(planned) * for_precision.min(in_time).max(1.0)) as u32
}

#[cfg(test)]
mod tests {
    use super::waves_wanted;

    #[test]
    fn launches_that_differ_are_followed_by_more() {
        let of = |half_width, took_ns| waves_wanted(12, half_width, took_ns);
        assert_eq!((of(0.004, 5e8), of(0.0, 0.0)), (12, 12));
        assert_eq!(of(0.0125, 5e8), 18);
        assert_eq!((of(0.05, 4e8), of(f64::INFINITY, 1e8)), (36, 36));
        // No more than there is time for.
        assert_eq!((of(0.05, 7.5e8), of(0.05, 3e9)), (24, 12));
    }
}
