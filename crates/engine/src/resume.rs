//! What is already done in a run that was cut off.

use tare_model::{LaunchOutcome, Run};

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
