//! What is already done in a run that was cut off.

use crate::measurement::Measurement;
use tare_model::{Launch, LaunchOutcome, Run};

/// Complete waves of each group in a run that was cut off: all launches finished, or of cases that failed or are measured elsewhere.
pub fn waves_done(run: &Run) -> Vec<u32> {
    let mut done = vec![0; run.plan.groups.len()];
    let mut launches: Vec<&Launch> = run.launches.iter().collect();
    let wave_of = |l: &&Launch| (l.group, l.wave);
    // A stable sort: the launches of a wave stay in their order, and each is looked at once, however many groups there are.
    launches.sort_by_key(wave_of);
    for wave in launches.chunk_by(|a, b| wave_of(a) == wave_of(b)) {
        let complete = |launch: &&Launch| {
            launch.outcome == LaunchOutcome::Finished || !run.results[launch.case as usize].runs_in(launch.group)
        };
        match done.get_mut(wave[0].group as usize) {
            Some(done) if *done == wave[0].wave && last_try(wave).iter().all(complete) => *done += 1,
            _ => {}
        }
    }
    done
}

/// The launches of the newest try of a wave: a resumed run makes a wave that was cut off again.
fn last_try<'a>(wave: &'a [&'a Launch]) -> &'a [&'a Launch] {
    let together = |a: &Launch, b: &Launch| a.id + 1 == b.id && a.start_ns == b.start_ns;
    let start = wave.windows(2).rposition(|pair| !together(pair[0], pair[1])).map_or(0, |before| before + 1);
    &wave[start..]
}

/// Launches that ended well in waves that did not: their measurements are kept and not used.
pub fn launches_of_cut_waves(run: &Run) -> Vec<Launch> {
    let done = waves_done(run);
    run.launches
        .iter()
        .filter(|l| l.outcome == LaunchOutcome::Finished && done.get(l.group as usize).is_some_and(|d| l.wave >= *d))
        .cloned()
        .collect()
}

impl Measurement {
    /// Groups of a run that was cut off which need no further wave: all are made, it is settled, or it was said to be over.
    pub(crate) fn close_groups(&mut self) {
        let Some(run) = self.recorder.run() else { return };
        let done = waves_done(run);
        let groups = || run.plan.groups.iter().zip(&done).map(|(g, done)| (g, *done, run.plan.policy.waves_of(g)));
        let may_be_settled: Vec<bool> =
            groups().map(|(_, done, (waves_min, waves_max))| done >= waves_min && waves_min < waves_max).collect();
        let to_update: Vec<u32> = (0..).zip(&may_be_settled).filter_map(|(g, may)| may.then_some(g)).collect();
        self.settled.update(run, &to_update);
        let settled = self.settled.settled(run.plan.comparisons());
        let ended = |&case: &u32| run.results[case as usize].complete || run.results[case as usize].failure.is_some();
        let over: Vec<bool> = groups()
            .enumerate()
            .map(|(number, (members, done, (_, waves_max)))| {
                let settled = may_be_settled[number] && settled.get(number).is_some_and(|settled| *settled);
                done >= waves_max || settled || members.cases.iter().all(ended)
            })
            .collect();
        self.queue.retain(|(group, _)| !over[*group]);
        for group in (0..over.len()).filter(|group| over[*group]) {
            self.group_over(group);
        }
    }
}
