//! What is already done in a run that was cut off.

use crate::session::Session;
use tare_model::{Launch, LaunchOutcome, Run};

/// Complete waves of a group in a run that was cut off: all launches finished, or of cases that failed.
pub fn waves_done(run: &Run, group: usize) -> u32 {
    let mut wave = 0;
    loop {
        let mut launches = run.launches.iter().filter(|l| l.group as usize == group && l.wave == wave).peekable();
        if launches.peek().is_none() {
            return wave;
        }
        let last_try = last_try(run, group, wave);
        let complete = last_try.iter().all(|&id| {
            let launch = &run.launches[id as usize];
            launch.outcome == LaunchOutcome::Finished || run.results[launch.case as usize].failure.is_some()
        });
        if !complete {
            return wave;
        }
        wave += 1;
    }
}

/// The launches of the newest try of a wave: a resumed run makes a wave that was cut off again.
fn last_try(run: &Run, group: usize, wave: u32) -> Vec<u32> {
    let ids: Vec<u32> =
        run.launches.iter().filter(|l| l.group as usize == group && l.wave == wave).map(|l| l.id).collect();
    let mut start = ids.len().saturating_sub(1);
    while start > 0 && ids[start - 1] + 1 == ids[start] {
        let same_start = run.launches[ids[start - 1] as usize].start_ns == run.launches[ids[start] as usize].start_ns;
        if !same_start {
            break;
        }
        start -= 1;
    }
    ids[start..].to_vec()
}

/// Launches that ended well in waves that did not: their measurements are kept and not used.
pub fn launches_of_cut_waves(run: &Run) -> Vec<Launch> {
    let done: Vec<u32> = (0..run.plan.groups.len()).map(|group| waves_done(run, group)).collect();
    run.launches
        .iter()
        .filter(|l| l.outcome == LaunchOutcome::Finished && done.get(l.group as usize).is_some_and(|d| l.wave >= *d))
        .cloned()
        .collect()
}

impl Session {
    /// Groups of a run that was cut off which need no further wave: all are made, it is settled, or it was said to be over.
    pub(crate) fn close_groups(&mut self) {
        let Some(run) = self.recorder.run().cloned() else { return };
        let bounds = |group: usize| (waves_done(&run, group), run.plan.policy.waves_of(&run.plan.groups[group]));
        for group in 0..run.plan.groups.len() {
            let (done, (waves_min, waves_max)) = bounds(group);
            if done >= waves_min && waves_min < waves_max {
                self.settled.update(&run, group as u32);
            }
        }
        for (group, members) in run.plan.groups.iter().enumerate() {
            let (done, (waves_min, waves_max)) = bounds(group);
            let ended =
                |&case: &u32| run.results[case as usize].complete || run.results[case as usize].failure.is_some();
            let settled = done >= waves_min
                && waves_min < waves_max
                && self.settled.is_settled(group as u32, run.plan.comparisons());
            if done >= waves_max || settled || members.cases.iter().all(ended) {
                self.queue.retain(|(g, _)| *g != group);
                self.group_over(group);
            }
        }
    }
}
