//! The history of one benchmark on one machine: which of its values form a series, and where they changed for good.

use super::marks::{accept, follow};
use super::values::{
    Basis, Change, History, HistoryOptions, Kept, LeftOut, Level, Trend, TrendCreep, TrendPoint, TrendStep,
};
use super::HistoryRun;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use tare_stats::{creep, steps, Creep, Step};

/// The history from the values of some runs; `runs` and the values of each case are in order of time.
pub fn history(runs: Vec<HistoryRun>, mut kept: Vec<Kept>, options: &HistoryOptions) -> History {
    let earlier = follow(&mut kept, options);
    // By name: programs may move, and people ask for names. Most values are next to others of their benchmark.
    let of = |one: &Kept| (one.point.key.clone(), one.point.job.clone());
    let mut stretches: Vec<Vec<Kept>> = Vec::new();
    for one in kept {
        let is_of = |other: &Kept| other.point.key == one.point.key && other.point.job == one.point.job;
        match stretches.last_mut().filter(|stretch| stretch.last().is_some_and(is_of)) {
            Some(stretch) => stretch.push(one),
            None => stretches.push(vec![one]),
        }
    }
    let mut cases: BTreeMap<(String, String), Vec<Kept>> = BTreeMap::new();
    for mut stretch in stretches {
        let Some(first) = stretch.first() else { continue };
        cases.entry(of(first)).or_default().append(&mut stretch);
    }
    let mut trends: Vec<Trend> = cases.into_values().filter_map(|kept| trend(&runs, kept, options)).collect();
    for trend in &mut trends {
        if let Some((names, last)) = earlier.get(&(trend.key.clone(), trend.job.clone())) {
            trend.earlier.clone_from(names);
            trend.renamed_at = trend.points.iter().position(|point| point.run > *last);
        }
        accept(&runs, trend, options);
    }
    trends.sort_by(|a, b| (&a.name, &a.key, &a.job).cmp(&(&b.name, &b.key, &b.job)));
    let machine = runs.last().map(|run| run.machine.clone()).unwrap_or_default();
    History { machine, runs, trends, ..History::default() }
}

fn trend(runs: &[HistoryRun], mut kept: Vec<Kept>, options: &HistoryOptions) -> Option<Trend> {
    kept.sort_by_key(|one| one.run);
    let newest = kept.last()?.clone();
    let least = options.minimum_effect.unwrap_or(runs[newest.run].minimum_effect).max(0.0);
    let identity = common_base(&kept);
    // A single odd run at the end must not exclude all others.
    let method = usual(kept.iter().map(|one| runs[one.run].method.as_str()));
    let kind = usual(kept.iter().filter(|one| one.point.time_ns.is_some()).map(|one| kind_of(runs, one)));
    let basis = match &identity {
        Some((base, _)) => Basis::Ratio { base: base.clone() },
        None => Basis::Time,
    };
    let left_out = |one: &Kept| match &identity {
        Some((_, identity)) => not_in_ratios(runs, one, method, identity),
        None => not_in_times(runs, one, kind),
    };
    let newest_used = kept.iter().rev().find(|one| left_out(one).is_none()).unwrap_or(&newest).run;
    let points: Vec<TrendPoint> = kept.iter().map(|one| point(runs, one, newest_used, left_out(one))).collect();
    let mut trend = Trend {
        key: newest.point.key.clone(),
        name: newest.point.name.clone(),
        job: newest.point.job.clone(),
        basis,
        points,
        levels: Vec::new(),
        steps: Vec::new(),
        creep: None,
        earlier: Vec::new(),
        renamed_at: None,
        accepted: None,
    };
    let used: Vec<(usize, f64)> = (0..trend.points.len())
        .filter(|&at| trend.points[at].left_out.is_none())
        .filter_map(|at| Some((at, trend.value(&trend.points[at]).filter(|v| *v > 0.0)?.ln())))
        .collect();
    let values: Vec<f64> = used.iter().map(|(_, value)| *value).collect();
    let mut found = steps(&values, least.ln_1p(), SEED);
    if let Some(creep) = creep(&values, least.ln_1p()) {
        trend.creep = Some(trend_creep(&used, &creep));
        found.steps.retain(|step| step.at <= creep.from);
        found.levels.retain(|(_, to, _)| *to <= creep.from);
    }
    let level = |&(from, to, mean): &(usize, usize, f64)| Level {
        first: used[from].0,
        last: used[to - 1].0,
        value: mean.exp(),
    };
    trend.levels = found.levels.iter().map(level).collect();
    trend.steps = found.steps.iter().map(|step| trend_step(runs, &kept, &used, step)).collect();
    Some(trend)
}

/// Seed of the permutations, fixed so that the same history gives the same result.
const SEED: u64 = 20;

/// Number of newest values that decide which kind of value is usual.
const NEWEST: usize = 5;

/// The most frequent value among the newest; on ties, the newest of them.
fn usual<T: PartialEq + Copy>(all: impl DoubleEndedIterator<Item = T>) -> Option<T> {
    let newest: Vec<T> = all.rev().take(NEWEST).collect();
    let count = |one: &T| newest.iter().filter(|other| *other == one).count();
    // `max_by_key` returns the last of equal ones.
    newest.iter().rev().max_by_key(|one| count(one)).copied()
}

/// Only values of one kind form a series of times: method, CPU time or wall time, clock.
type ValueKind<'a> = (&'a str, bool, bool);

fn kind_of<'a>(runs: &'a [HistoryRun], one: &Kept) -> ValueKind<'a> {
    (&runs[one.run].method, one.point.is_cpu_time, one.point.at_reference)
}

fn identity_of(one: &Kept) -> Option<&str> {
    Some(one.point.base.as_ref()?.identity.as_str())
}

/// The base that most of the newest values and most of all values have: its name and identity.
fn common_base(kept: &[Kept]) -> Option<(String, String)> {
    let identity = usual(kept.iter().map(identity_of))??;
    let alike = kept.iter().filter(|one| identity_of(one) == Some(identity));
    let bases = kept.iter().rev().filter_map(|one| one.point.base.as_ref());
    let base = bases.into_iter().find(|base| base.identity == identity)?;
    (2 * alike.count() > kept.len()).then(|| (base.name.clone(), base.identity.clone()))
}

fn not_in_ratios(runs: &[HistoryRun], one: &Kept, method: Option<&str>, identity: &str) -> Option<LeftOut> {
    if one.point.base.as_ref().is_none_or(|base| base.identity != identity) {
        return Some(LeftOut::OtherBase);
    }
    (Some(runs[one.run].method.as_str()) != method).then_some(LeftOut::OtherMethod)
}

fn not_in_times(runs: &[HistoryRun], one: &Kept, kind: Option<ValueKind>) -> Option<LeftOut> {
    // Without a time there is no kind.
    let (Some(_), Some(kind)) = (one.point.time_ns, kind) else { return Some(LeftOut::NoTime) };
    let of = kind_of(runs, one);
    if of.0 != kind.0 {
        return Some(LeftOut::OtherMethod);
    }
    if of != kind {
        return Some(LeftOut::OtherTime);
    }
    one.point.is_shared.then_some(LeftOut::CoreShared)
}

fn point(runs: &[HistoryRun], one: &Kept, newest: usize, left_out: Option<LeftOut>) -> TrendPoint {
    // If the machine's profile was made again since, its clock differs.
    let clocks = [newest, one.run].map(|run| runs[run].cycle_ns.filter(|ns| *ns > 0.0));
    let scale = match clocks {
        [Some(now), Some(then)] if one.point.at_reference => now / then,
        _ => 1.0,
    };
    let base = one.point.base.as_ref();
    TrendPoint {
        run: one.run,
        time_ns: one.point.time_ns.map(|ns| ns * scale),
        time_interval: one.point.interval.map(|interval| interval.map(|ns| ns * scale)),
        ratio: base.map(|base| base.ratio),
        ratio_interval: base.map(|base| base.interval),
        base: base.map(|base| base.name.clone()),
        compiler: one.point.compiler.clone(),
        left_out,
    }
}

fn trend_creep(used: &[(usize, f64)], creep: &Creep) -> TrendCreep {
    TrendCreep {
        first: used[creep.from].0,
        last: used[used.len() - 1].0,
        ratio: creep.change.exp(),
        interval: creep.interval.map(f64::exp),
        verdict: if creep.change > 0.0 { Verdict::Slower } else { Verdict::Faster },
        accepted: false,
    }
}

fn trend_step(runs: &[HistoryRun], kept: &[Kept], used: &[(usize, f64)], step: &Step) -> TrendStep {
    let (before, after) = (used[step.within.0 - 1].0, used[step.within.1].0);
    let (old, new) = (&kept[before], &kept[after]);
    let of = |one: &Kept| {
        let run = &runs[one.run];
        [
            ("compiler", one.point.compiler.clone()),
            ("flags", one.point.flags.clone()),
            ("system", run.os.clone()),
            ("tare", run.tare.clone()),
        ]
    };
    let changes = of(old).into_iter().zip(of(new)).filter(|((_, from), (_, to))| from != to);
    TrendStep {
        before,
        at: used[step.at].0,
        after,
        ratio: step.change.exp(),
        interval: step.interval.map(f64::exp),
        verdict: if step.change > 0.0 { Verdict::Slower } else { Verdict::Faster },
        p: step.p,
        confirmed: step.confirmed,
        accepted: false,
        changes: changes.map(|((what, from), (_, to))| Change { what, from, to }).collect(),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
