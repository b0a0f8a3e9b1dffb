//! What a run that was cut off has already done.

use tare_model::{Launch, LaunchOutcome, Run};

/// Complete waves of each group in a run that was cut off: all launches finished, or belong to cases that failed or are measured elsewhere.
pub fn waves_done(run: &Run) -> Vec<u32> {
    let mut done = vec![0; run.plan.groups.len()];
    let mut launches: Vec<&Launch> = run.launches.iter().collect();
    let wave_of = |l: &&Launch| (l.group, l.wave);
    // A stable sort keeps the launches of a wave in order, and each is looked at once, no matter how many groups there are.
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

/// The launches of the newest try of a wave: a resumed run repeats a wave that was cut off.
fn last_try<'a>(wave: &'a [&'a Launch]) -> &'a [&'a Launch] {
    let together = |a: &Launch, b: &Launch| a.id + 1 == b.id && a.start_ns == b.start_ns;
    let start = wave.windows(2).rposition(|pair| !together(pair[0], pair[1])).map_or(0, |before| before + 1);
    &wave[start..]
}

/// Launches that ended well in waves that did not: their measurements are kept but not used.
pub fn launches_of_cut_waves(run: &Run) -> Vec<Launch> {
    let done = waves_done(run);
    run.launches
        .iter()
        .filter(|l| l.outcome == LaunchOutcome::Finished && done.get(l.group as usize).is_some_and(|d| l.wave >= *d))
        .cloned()
        .collect()
}
