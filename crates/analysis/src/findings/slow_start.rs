//! `slow-start`: each visit begins slower than it ends, after its lead-in: others used caches and branch predictors, or a function called
//! anew in each visit has lost what it had built up.

use super::{Context, Means, Measured, Observation, Search, Sentence, Unit};
use tare_model::{Columns, Metric, Series, Stage, INTERVAL_LAUNCHES};
use tare_stats::location::{mean, median};

/// Fewest windows of a visit.
const WINDOWS_MIN: usize = 4;
/// Visits of a launch that are enough.
const VISITS_MIN: usize = 8;
/// Smallest share that the beginning adds to a visit.
const COST_MIN: f64 = 0.03;
/// Share of the launches that must show half of it.
const AGREE: f64 = 0.8;
/// Visits in which the core's clock moved by more (log) are ignored.
const CLOCK_MAX: f64 = 0.03;
/// Smallest reported share that the beginning of a call adds: single tries of the pilot vary more than visits.
const RESTART_MIN: f64 = 0.1;
/// Difference in allocations per invocation that does not matter.
const FEW_ALLOCATIONS: f64 = 0.5;
/// Smallest ratio of lengths: closer ones say little about the beginning.
const LONGER: f64 = 4.0;

pub(super) const SEARCH: Search = Search::of_cases(|context, m| restart(context, m).or_else(|| case(context, m)));

/// The pilot has tried iterations of several lengths; the longest and a much shorter one show what each call of the function adds.
fn restart(context: &Context, measured: Measured) -> Option<Observation> {
    let benchmark = &context.run.plan.cases.get(measured.case as usize)?.benchmark;
    if !benchmark.restarts {
        return None;
    }
    let launches = context.run.launches.iter().filter(|launch| launch.case == measured.case);
    let all: Vec<&Series> = launches.flat_map(|launch| &launch.series).collect();
    let visit = all.iter().filter(|s| s.stage == Stage::Actual).map(|s| s.invocations).max()? as f64;
    // A busy machine makes a short iteration longer, but its CPU time less so.
    let time = |columns: &Columns| least(if columns.cpu_ns.is_empty() { &columns.elapsed_ns } else { &columns.cpu_ns });
    let allocations = |columns: &Columns| least(columns.metrics.get(Metric::ALLOCATIONS)?);
    let found = |quantity: &dyn Fn(&Columns) -> Option<f64>, beside: f64| {
        let tried = all.iter().filter(|s| s.stage == Stage::Pilot);
        let tried = tried.filter_map(|s| Some((s.invocations as f64, quantity(&s.columns)?)));
        Restart::of(tried.collect(), visit, beside).filter(|restart| restart.cost >= RESTART_MIN)
    };
    let (restart, unit, what) = match found(&time, 0.0) {
        Some(restart) => (restart, Unit::Ns, "take longer"),
        None => (found(&allocations, FEW_ALLOCATIONS)?, Unit::Count, "allocate more often"),
    };
    let [(fewer, short), (more, long)] = restart.tried;
    let evidence = Sentence::new("each visit calls the function again, and its first invocations ")
            .then(what.into())
            .then(Sentence::new(
                ": {short} an invocation if a call makes {fewer}, {long} if it makes {more}; that is {cost} of what is shown",
            ))
            .number("short", short / fewer, unit)
            .count("fewer", fewer as usize)
            .number("long", long / more, unit)
            .count("more", more as usize)
            .number("cost", restart.cost, Unit::Share);
    let advice = Sentence::new("use a loop that runs on from visit to visit, or longer visits: {visits}")
        .means("visits", Means::LongVisits(1000));
    Some(Observation::warning(evidence, advice).weighing(restart.cost))
}

fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

struct Restart {
    /// Invocations of two calls, and the total time of each.
    tried: [(f64, f64); 2],
    cost: f64,
}

impl Restart {
    /// From the longest of these calls and a much shorter one. `beside`: allowance per invocation.
    fn of(mut tried: Vec<(f64, f64)>, visit: f64, beside: f64) -> Option<Restart> {
        tried.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // Of several calls with one length, the shortest: other activity only adds.
        tried.dedup_by_key(|(calls, _)| *calls);
        let &(more, longer) = tried.last()?;
        let &(fewer, shorter) = tried.iter().rfind(|(fewer, _)| LONGER * fewer <= more)?;
        let each = (longer - shorter).max(0.0) / (more - fewer);
        let begin = (longer - more * each).max(0.0);
        (begin > beside * visit)
            .then(|| Restart { tried: [(fewer, shorter), (more, longer)], cost: begin / (begin + visit * each) })
    }
}

fn case(context: &Context, measured: Measured) -> Option<Observation> {
    let series = |launch: u32| {
        let all = context.run.launches[launch as usize].series.iter();
        all.filter(|s| s.stage == Stage::Actual).max_by_key(|s| s.columns.len())
    };
    let courses: Vec<Course> =
        measured.times.launches.iter().filter_map(|l| course(&series(l.launch)?.columns)).collect();
    if courses.len() < INTERVAL_LAUNCHES {
        return None;
    }
    let cost = median(&courses.iter().map(|c| c.cost).collect::<Vec<_>>())?;
    let start = median(&courses.iter().map(|c| c.start).collect::<Vec<_>>())?;
    let alike = courses.iter().filter(|c| c.falls && c.cost >= 0.5 * cost).count();
    (cost >= COST_MIN && alike as f64 >= AGREE * courses.len() as f64).then(|| {
let evidence = Sentence::new(
            "an invocation takes {start} times as long at the beginning of a visit as at its end, in {alike} of {launches}; that adds \
             {cost} or more to the time",
        )
        .number("start", start, Unit::Times)
        .count("alike", alike)
        .number("launches", courses.len() as f64, Unit::Launches)
        .number("cost", cost, Unit::Share);
let advice = Sentence::new(
            "caches and branch predictors adapt to repeated data: {visits} measures that case, rotating inputs measure new data",
        )
        .means("visits", Means::LongVisits(20));
Observation::warning(evidence, advice).weighing(cost)
})
}

struct Course {
    /// Time in the first window over the time in the second half.
    start: f64,
    /// Excess of the whole visit over one that is like its second half throughout, as a share of it.
    cost: f64,
    /// Whether the first quarter is slower than the second.
    falls: bool,
}

/// The course of the visits of a launch: the median of each window over visits, so that single disturbances do not count.
fn course(columns: &Columns) -> Option<Course> {
    let windows = columns.windows();
    if windows < WINDOWS_MIN || !columns.windows_fit() {
        return None;
    }
    let clock = columns.probe_before_ns.iter().zip(&columns.probe_after_ns);
    let steady: Vec<bool> = clock.map(|(before, after)| (after / before).ln().abs() <= CLOCK_MAX).collect();
    let visits: Vec<Vec<f64>> = columns
        .window_ns
        .chunks(windows)
        .zip(steady)
        .filter(|(visit, is_steady)| *is_steady && visit.iter().all(|ns| *ns > 0.0))
        .filter_map(|(visit, _)| {
            let end = median(&visit[windows / 2..])?;
            Some(visit.iter().map(|ns| ns / end).collect())
        })
        .collect();
    if visits.len() < VISITS_MIN {
        return None;
    }
    let of_window = |at: usize| median(&visits.iter().map(|v: &Vec<f64>| v[at]).collect::<Vec<_>>());
    let course: Vec<f64> = (0..windows).filter_map(of_window).collect();
    let quarter = windows.div_ceil(4);
    let falls = mean(&course[..quarter])? > mean(&course[quarter..2 * quarter])?;
    Some(Course { start: course[0], cost: mean(&course)? - 1.0, falls })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder, WINDOWS};
    use tare_model::Stage;

    /// `factor` gives the relative time of a window by launch, visit and index.
    fn findings(factor: impl Fn(usize, usize, usize) -> f64, clock: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for (number, launch) in builder.run.launches.iter_mut().enumerate() {
            share(launch, 1.0, |_, _| false);
            for series in launch.series.iter_mut().filter(|s| s.stage == Stage::Actual) {
                let columns = &mut series.columns;
                for (at, ns) in columns.window_ns.iter_mut().enumerate() {
                    *ns *= factor(number, at / WINDOWS, at % WINDOWS);
                }
                for (visit, ns) in columns.elapsed_ns.iter_mut().enumerate() {
                    let more = columns.window_ns[visit * WINDOWS..(visit + 1) * WINDOWS].iter().sum::<f64>() - *ns;
                    *ns += more;
                    columns.cpu_ns[visit] += more;
                    columns.probe_after_ns[visit] *= clock;
                }
            }
        }
        crate::analyse(&builder.run()).findings
    }

    /// A function that each visit calls again, tried with 100 and 800 invocations per call; visits have 10,000.
    fn restarted(ns: [f64; 2], allocations: [f64; 2]) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        builder.run.plan.cases[0].benchmark.restarts = true;
        for (n, at) in [(100, 0), (800, 1)] {
            let mut series = builder.series(Stage::Pilot, n, vec![ns[at] * n as f64]);
            series.columns.metrics = [("allocations".to_owned(), vec![allocations[at] * n as f64])].into();
            builder.run.launches[0].series.insert(0, series);
        }
        let series = builder.run.launches.iter_mut().flat_map(|launch| &mut launch.series);
        series.filter(|s| s.stage == Stage::Actual).for_each(|s| s.invocations = 10_000);
        crate::analyse(&builder.run()).findings.into_iter().filter(|f| f.code.name() == "slow-start").collect()
    }

    #[test]
    fn the_beginning_of_each_call_is_told_where_it_is_much_of_a_visit() {
        let begin = |ns: f64| [100.0 + ns / 100.0, 100.0 + ns / 800.0];
        let told = restarted(begin(5e5), [0.0; 2]);
        let evidence = told[0].evidence.to_string();
        assert!(
            evidence.contains("take longer: 5.090 \u{b5}s an invocation if a call makes 100, 723.8 ns"),
            "{evidence}"
        );
        assert!(evidence.ends_with("that is 33 % of what is shown"), "{evidence}");
        assert!(restarted(begin(1e5), [0.0; 2]).is_empty(), "9 %");
        // A hundred thousand allocations in ten thousand invocations with one each.
        let told = restarted([100.0; 2], [1001.0, 126.0]);
        let evidence = told[0].evidence.to_string();
        assert!(evidence.contains("allocate more often: 1001 an invocation if a call makes 100, 126 if"), "{evidence}");
        assert!(restarted([100.0; 2], [1.0, 1.0 / 8.0]).is_empty(), "one in a hundred invocations");
    }

    #[test]
    fn of_calls_of_one_length_the_shortest_counts() {
        let of = |tried: &[(f64, f64)]| super::Restart::of(tried.to_vec(), 1000.0, 0.0).map(|restart| restart.cost);
        assert!(of(&[(100.0, 1700.0), (800.0, 8000.0)]).is_some_and(|cost| cost > 0.05));
        assert_eq!(of(&[(100.0, 1700.0), (800.0, 8000.0), (100.0, 1000.0)]), None);
    }

    /// Learned within a visit, and forgotten before the next.
    fn learned(_: usize, _: usize, window: usize) -> f64 {
        1.0 + 0.6 * (-(window as f64) / 3.0).exp()
    }

    #[test]
    fn a_visit_that_begins_slower_than_it_ends() {
        let found = findings(learned, 1.0);
        assert_eq!(codes(&found), ["slow-start"]);
        let evidence = found[0].evidence.to_string();
        assert!(evidence.starts_with("an invocation takes 1.5"), "{evidence}");
        assert!(evidence.contains("in 12 of 12 launches; that adds 1"), "{evidence}");
    }

    #[test]
    fn what_others_do_and_what_is_short_is_not_reported() {
        // Soon over; in half of the launches; in some visits; slower at the end; while the clock moves.
        assert!(findings(|_, _, window| if window == 0 { 1.2 } else { 1.0 }, 1.0).is_empty());
        let some = findings(|launch, visit, window| if launch % 2 == 0 { learned(0, visit, window) } else { 1.0 }, 1.0);
        assert!(!codes(&some).contains(&"slow-start"), "{some:?}");
        let some = findings(|_, visit, window| if visit % 3 == 0 { learned(0, visit, window) } else { 1.0 }, 1.0);
        assert!(!codes(&some).contains(&"slow-start"), "{some:?}");
        assert!(!codes(&findings(|_, _, window| 1.0 + 0.05 * window as f64, 1.0)).contains(&"slow-start"));
        assert!(!codes(&findings(learned, 1.05)).contains(&"slow-start"));
    }
}
