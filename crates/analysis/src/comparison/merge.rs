//! Several files as one side: N results of a tool that starts one process are N launches.

use crate::findings::mixed_side::{another_kind, facts_differ};
use crate::findings::same_data::given_twice;
use crate::report::CoreReport;
use crate::saved::{fact, Calls, Saved, SavedCase, SavedDesign, SavedSession, ShownTime};
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Saved {
    /// One side from several results: for each case the processes of all of them. Iterations of one process, or a summary, become one
    /// launch. A result with exactly the values of another is a copy and adds no launch.
    pub fn merge(name: &str, parts: Vec<Saved>) -> Option<Saved> {
        if parts.len() <= 1 {
            return parts.into_iter().next().map(|only| Saved { name: name.to_owned(), ..only });
        }
        let first = parts[0].clone();
        let mut parts: Vec<Saved> = parts.into_iter().map(|part| part.at_clock_of(&first).unwrap_or(part)).collect();
        tell_programs_apart(&mut parts);
        with_one_statistic(&mut parts);
        let mut merged = Saved { name: name.to_owned(), ..Saved::default() };
        merged.tool = joined(parts.iter().map(|p| p.tool.as_str()));
        merged.detail = format!("{} files, the first: {}", parts.len(), parts[0].detail);
        let differing = merge_facts(&mut merged, &parts);
        if !differing.is_empty() {
            merged.findings.push(facts_differ(&differing));
        }
        let (mut places, mut copies, mut misfits) = (HashMap::new(), BTreeSet::new(), BTreeSet::new());
        let (mut failures, mut settings) = (BTreeSet::new(), BTreeMap::new());
        for part in parts {
            let date = part.machine.get(fact::DATE);
            // Findings common to all files appear once.
            for finding in part.findings {
                if !merged.findings.contains(&finding) {
                    merged.findings.push(finding);
                }
            }
            merged.failed.extend(part.failed.into_iter().filter(|f| failures.insert(f.identity())));
            for mut case in part.cases {
                note_sessions(&mut case, date);
                let identity = (case.stem.clone(), case.distinction.clone());
                let place = *places.entry(identity).or_insert(merged.cases.len());
                if let Some(first) = merged.cases.get_mut(place) {
                    in_same_windows(first, &mut case);
                }
                match merged.cases.get_mut(place) {
                    None => merged.cases.push(case),
                    Some(first) if !is_like(first, &case) => _ = misfits.insert(case.key),
                    Some(first) if is_copy(first, &case) => _ = copies.insert(case.key),
                    Some(first) => {
                        note_settings(&mut settings, first, &case);
                        append(first, case);
                    }
                }
            }
        }
        let names = |names: BTreeSet<String>| Some(names.into_iter().collect()).filter(|n: &Vec<String>| !n.is_empty());
        merged.findings.extend(names(copies).map(given_twice));
        merged.findings.extend(names(misfits).map(another_kind));
        let settings: Vec<String> = settings
            .into_iter()
            .map(|(name, of)| format!("{name}: `{}`", joined(of.iter().map(String::as_str))))
            .collect();
        if !settings.is_empty() {
            merged.findings.push(facts_differ(&settings));
        }
        merged.tell_apart();
        Some(merged)
    }
}

/// Benchmarks with the same name in files of several programs are different benchmarks.
fn tell_programs_apart(parts: &mut [Saved]) {
    let mut programs: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for part in parts.iter() {
        let Some(program) = part.machine.get(fact::PROGRAM) else { continue };
        for case in &part.cases {
            programs.entry(&case.stem).or_default().insert(program);
        }
    }
    let several = programs.into_iter().filter(|(_, of)| of.len() > 1).map(|(stem, _)| stem.to_owned());
    let several: BTreeSet<String> = several.collect();
    for part in parts {
        let Some(program) = part.machine.get(fact::PROGRAM).cloned() else { continue };
        for case in part.cases.iter_mut().filter(|case| several.contains(&case.stem)) {
            case.distinction = format!("@{program}{}", case.distinction);
        }
    }
}

/// Brings the summaries of a benchmark to a statistic that all of them have, else to the first one's: a mean is no second median.
fn with_one_statistic(parts: &mut [Saved]) {
    let mut summaries: HashMap<(String, String), Vec<&mut SavedCase>> = HashMap::new();
    for case in parts.iter_mut().flat_map(|part| &mut part.cases) {
        if let SavedDesign::Summary(_) = case.design {
            summaries.entry((case.stem.clone(), case.distinction.clone())).or_default().push(case);
        } else {
            // All its values count.
            case.settings.insert("statistic", "mean".to_owned());
        }
    }
    for cases in summaries.into_values() {
        let lacks_median = |case: &SavedCase| matches!(case.design, SavedDesign::Summary(s) if s.median_ns.is_none());
        let lacks_mean = |case: &SavedCase| matches!(case.design, SavedDesign::Summary(s) if s.mean_ns.is_none());
        let have_medians = !cases.iter().any(|case| lacks_median(case));
        let have_means = !cases.iter().any(|case| lacks_mean(case));
        let by_mean = !have_medians && (have_means || lacks_median(cases[0]));
        for case in cases {
            case.settings.insert("statistic", if by_mean { "mean" } else { "median" }.to_owned());
            keep_statistic(case, by_mean);
        }
    }
}

fn keep_statistic(case: &mut SavedCase, by_mean: bool) {
    if let SavedDesign::Summary(summary) = &mut case.design {
        *(if by_mean { &mut summary.median_ns } else { &mut summary.mean_ns }) = None;
    }
    let others = case.otherwise.as_deref_mut().into_iter().chain(case.all_windows.as_deref_mut());
    others.for_each(|other| keep_statistic(other, by_mean));
}

fn merge_facts(merged: &mut Saved, parts: &[Saved]) -> Vec<String> {
    let names: BTreeSet<&String> = parts.iter().flat_map(|p| p.machine.keys()).collect();
    let mut all = BTreeMap::new();
    let mut differing = Vec::new();
    for name in names {
        let values = joined(parts.iter().filter_map(|p| p.machine.get(name)).map(String::as_str));
        let different = parts.iter().filter_map(|p| p.machine.get(name)).collect::<BTreeSet<_>>().len() > 1;
        if different && name != fact::DATE && name != fact::PROGRAM {
            differing.push(format!("{name}: `{values}`"));
        }
        all.insert(name.clone(), values);
    }
    if parts.iter().any(|p| p.tool != parts[0].tool) {
        differing.push(format!("tool: `{}`", merged.tool));
    }
    merged.machine = all;
    differing
}

fn joined<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let mut different: Vec<&str> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    different.join("; ")
}

fn note_settings(found: &mut BTreeMap<&'static str, BTreeSet<String>>, first: &SavedCase, next: &SavedCase) {
    for (name, value) in &next.settings {
        if let Some(other) = first.settings.get(name).filter(|other| *other != value) {
            found.entry(name).or_default().extend([other.clone(), value.clone()]);
        }
    }
}

fn is_like(first: &SavedCase, next: &SavedCase) -> bool {
    let is_one_kind = first.unit == next.unit && first.quantity == next.quantity;
    let has_value = |case: &SavedCase| !matches!(case.design, SavedDesign::Summary(_)) || !as_launches(case).is_empty();
    is_one_kind
        && has_value(first)
        && has_value(next)
        && first.is_alone() == next.is_alone()
        && Calls::of(first, next) != Calls::Single
}

fn is_copy(first: &SavedCase, next: &SavedCase) -> bool {
    match (first.design, next.design) {
        (SavedDesign::Summary(a), SavedDesign::Summary(b)) => a == b,
        (SavedDesign::Summary(_), _) | (_, SavedDesign::Summary(_)) => false,
        _ if next.launches.is_empty() => false,
        _ => holds(&first.launches, &next.launches),
    }
}

/// Whether these launches are all among `first`; in the same order if they hold one value each, which may well be equal by chance.
fn holds(first: &[Vec<f64>], next: &[Vec<f64>]) -> bool {
    if next.iter().all(|launch| launch.len() > 1) {
        return next.iter().all(|launch| first.contains(launch));
    }
    next.iter().map(Vec::len).sum::<usize>() > 1 && first.windows(next.len()).any(|some| some == next)
}

/// Brings two cases to times of one kind: alone on the core if both have them, else of all windows.
fn in_same_windows(first: &mut SavedCase, next: &mut SavedCase) {
    if first.is_alone() != next.is_alone() {
        let alone = if first.is_alone() { first } else { next };
        let Some(all) = alone.all_windows.take() else { return };
        *alone = SavedCase {
            key: std::mem::take(&mut alone.key),
            stem: std::mem::take(&mut alone.stem),
            distinction: std::mem::take(&mut alone.distinction),
            otherwise: alone.otherwise.take(),
            sessions: std::mem::take(&mut alone.sessions),
            metrics: std::mem::take(&mut alone.metrics),
            ..*all
        };
    }
}

fn of_both(first: &SavedCase, next: &SavedCase) -> Option<CoreReport> {
    let (of_first, of_next) = first.core.zip(next.core)?;
    let (weight, other) = (first.launches.len() as f64, next.launches.len() as f64);
    let alone_share = (weight * of_first.alone_share + other * of_next.alone_share) / (weight + other).max(1.0);
    let slow_down = match (of_first.slow_down, of_next.slow_down) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    let windows = of_first.windows.saturating_add(of_next.windows);
    Some(CoreReport { windows, alone_share, slow_down, alone_ns: None, shared_ns: None, ..of_first })
}

fn append(first: &mut SavedCase, mut next: SavedCase) {
    first.core = of_both(first, &next);
    let (mut launches, more) = (as_launches(first), as_launches(&next));
    first.shown = match (first.shown, next.shown) {
        (Some(ShownTime::Time(a)), Some(ShownTime::Time(b))) => {
            let (of_first, of_next) = (launches.len() as f64, more.len() as f64);
            Some(ShownTime::Time(((of_first * a.ln() + of_next * b.ln()) / (of_first + of_next)).exp()))
        }
        (Some(ShownTime::Nothing), Some(ShownTime::Nothing)) => Some(ShownTime::Nothing),
        _ => None,
    };
    launches.extend(more);
    first.sessions.append(&mut next.sessions);
    first.launches = launches;
    first.design = SavedDesign::Launches;
    if first.reference_cycle_ns != next.reference_cycle_ns {
        first.reference_cycle_ns = None;
    }
    if next.clock_variance > first.clock_variance {
        (first.clock_variance, first.clock_away) = (next.clock_variance, next.clock_away);
    }
    first.loop_cost = first.loop_cost.zip(next.loop_cost).map(|(a, b)| a.with(b));
    (first.shown_interval, first.own_error) = (None, None);
    first.ended = first.ended.take().filter(|_| next.ended.is_some());
    first.otherwise =
        first.otherwise.take().zip(next.otherwise.take()).filter(|(a, b)| is_like(a, b)).map(|(mut a, b)| {
            append(&mut a, *b);
            a
        });
    first.all_windows = first.all_windows.take().zip(next.all_windows.take()).map(|(mut a, b)| {
        append(&mut a, *b);
        a
    });
    for metric in std::mem::take(&mut next.metrics) {
        match first.metrics.iter_mut().find(|m| m.quantity == metric.quantity) {
            Some(of_first) => append(of_first, metric),
            None => first.metrics.push(metric),
        }
    }
    first.exact &= next.exact;
    first.resolution_ns = [first.resolution_ns, next.resolution_ns].into_iter().flatten().reduce(f64::max);
    first.calls = first.calls.zip(next.calls).map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]);
    first.allocations = [first.allocations, next.allocations].into_iter().flatten().reduce(f64::max);
    first.allocated_bytes = first.allocated_bytes.or(next.allocated_bytes);
}

/// Records the date of the file of a case, also for its other kind of time.
fn note_sessions(case: &mut SavedCase, date: Option<&String>) {
    if case.sessions.is_empty() {
        case.sessions = vec![SavedSession { launches: as_launches(case).len(), date: date.cloned() }];
    }
    let others = case.otherwise.as_deref_mut().into_iter().chain(case.all_windows.as_deref_mut());
    for other in others.chain(&mut case.metrics) {
        note_sessions(other, date);
    }
}

/// The processes of a case; a summary counts as one process with one value.
fn as_launches(case: &SavedCase) -> Vec<Vec<f64>> {
    match case.design {
        SavedDesign::Launches => case.launches.clone(),
        SavedDesign::Iterations => vec![case.launches.concat()],
        SavedDesign::Summary(s) => s.median_ns.or(s.mean_ns).map(|v| vec![v]).into_iter().collect(),
    }
}
