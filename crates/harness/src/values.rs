//! The time of a process, from the values that its harness measured.

use crate::harness::Statistic;
use tare_analysis::{Saved, SavedCase, SavedDesign, SavedTime};

/// A repetition lost the processor if its wall time exceeds its CPU time by this share ...
const GAP_SHARE: f64 = 0.02;
/// ... and by this much, ns.
const GAP_NS: f64 = 10_000.0;
/// A repetition whose wall time is this multiple of its CPU time may have waited for something.
const WAITS: f64 = 2.0;
/// This many repetitions that kept the processor stand for all of them.
const KEPT_MIN: usize = 3;

/// The time of an iteration in a process, ns.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Times {
    pub(crate) wall_ns: Option<f64>,
    /// Set if the benchmark computes and its CPU time is known.
    pub(crate) cpu_ns: Option<f64>,
    /// Whether all repetitions waited. When others use the processor, only some do.
    pub(crate) waits: bool,
}

impl Times {
    /// The times in a process's result; each of its repetitions has this many iterations. For a benchmark that `computes`, repetitions that
    /// lost the processor are left out if enough others did not. That is decided by their CPU time, never by their value.
    pub(crate) fn of(case: &SavedCase, statistic: Statistic, iterations: f64, computes: bool) -> Times {
        let Some(cpu) = case.otherwise.as_deref().filter(|_| computes) else {
            return Times { wall_ns: value(case, statistic), ..Times::default() };
        };
        let (walls, cpus) = (values(case), values(cpu));
        let has_gap = |wall: f64, cpu: f64| iterations * (wall - cpu) > (GAP_SHARE * iterations * cpu).max(GAP_NS);
        let kept = walls.iter().zip(&cpus).filter(|(wall, cpu)| !has_gap(**wall, **cpu));
        let (kept_walls, kept_cpus): (Vec<f64>, Vec<f64>) = kept.unzip();
        let waits = walls.iter().zip(&cpus).all(|(wall, cpu)| *wall > WAITS * cpu);
        match kept_walls.len() >= KEPT_MIN && walls.len() == cpus.len() {
            true => Times { wall_ns: of_values(kept_walls, statistic), cpu_ns: of_values(kept_cpus, statistic), waits },
            false => Times { wall_ns: value(case, statistic), cpu_ns: value(cpu, statistic), waits },
        }
    }
}

/// Makes the wall time the main value and the CPU time the other, as Tare measures, even if a benchmark asks its harness for CPU time only.
pub(crate) fn wall_first(mut saved: Saved) -> Saved {
    for case in saved.cases.iter_mut().filter(|case| case.quantity == SavedTime::Cpu.quantity()) {
        let Some(wall) = case.otherwise.take() else { continue };
        let (metrics, stem, distinction) = (case.metrics.clone(), case.stem.clone(), case.distinction.clone());
        let cpu = std::mem::replace(case, SavedCase { metrics, stem, distinction, ..*wall });
        case.otherwise = Some(Box::new(SavedCase { metrics: Vec::new(), ..cpu }));
    }
    saved
}

fn values(case: &SavedCase) -> Vec<f64> {
    match case.design {
        SavedDesign::Summary(_) => value(case, Statistic::Mean).into_iter().collect(),
        _ => case.launches.iter().flatten().copied().collect(),
    }
}

/// The value of a process, for the time or another quantity.
pub(crate) fn value(case: &SavedCase, statistic: Statistic) -> Option<f64> {
    match case.design {
        SavedDesign::Summary(summary) => match statistic {
            Statistic::Mean => summary.mean_ns.or(summary.median_ns),
            _ => summary.median_ns.or(summary.mean_ns),
        },
        _ => of_values(values(case), statistic),
    }
}

fn of_values(mut values: Vec<f64>, statistic: Statistic) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    // Interpolates if the place is not whole.
    let at = |share: f64| {
        let place = share * last as f64;
        let (below, part) = (place as usize, place.fract());
        values[below] + part * (values[(below + 1).min(last)] - values[below])
    };
    Some(match statistic {
        Statistic::Mean => values.iter().sum::<f64>() / values.len() as f64,
        Statistic::Median => at(0.5),
        Statistic::LowerQuartile => at(0.25),
        Statistic::Minimum => values[0],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_analysis::SavedSummary;

    fn case(walls: &[f64], cpus: &[f64]) -> SavedCase {
        let of = |values: &[f64]| SavedCase {
            design: SavedDesign::Iterations,
            launches: vec![values.to_vec()],
            ..SavedCase::new("a", "a")
        };
        SavedCase { otherwise: Some(Box::new(of(cpus))), ..of(walls) }
    }

    #[test]
    fn wall_time_comes_first_whatever_the_benchmark_asks_for() {
        let [wall, cpu] = [SavedTime::Wall, SavedTime::Cpu].map(|time| time.quantity().to_owned());
        let mut asked = case(&[3.0], &[9.0]);
        (asked.quantity, asked.otherwise.as_mut().expect("both").quantity) = (cpu.clone(), wall.clone());
        let saved = wall_first(Saved { cases: vec![asked, case(&[3.0], &[9.0])], ..Saved::default() });
        let kinds = |case: &SavedCase| (case.quantity.clone(), case.launches[0][0]);
        let [first, second] = &saved.cases[..] else { panic!("two") };
        assert_eq!((kinds(first), kinds(first.otherwise.as_ref().expect("both"))), ((wall.clone(), 9.0), (cpu, 3.0)));
        assert_eq!(kinds(second), (wall, 3.0));
    }

    #[test]
    fn a_statistic_is_one_of_the_values_or_between_two() {
        let of = |statistic| of_values(vec![5.0, 1.0, 2.0, 4.0], statistic);
        use Statistic::{LowerQuartile, Mean, Median, Minimum};
        assert_eq!([Mean, Median, LowerQuartile, Minimum].map(of), [3.0, 3.0, 1.75, 1.0].map(Some));
        assert_eq!((of_values(Vec::new(), Median), of_values(vec![7.0], LowerQuartile)), (None, Some(7.0)));
        let summary = SavedSummary { mean_ns: Some(6.0), median_ns: None, sd_ns: None, values: None };
        let case = SavedCase { design: SavedDesign::Summary(summary), ..SavedCase::new("a", "a") };
        assert_eq!((value(&case, Minimum), value(&case, Mean)), (Some(6.0), Some(6.0)));
    }

    #[test]
    fn repetitions_that_lost_the_processor_are_left_out_where_enough_kept_it() {
        let of =
            |walls: &[f64], cpus: &[f64], computes| Times::of(&case(walls, cpus), Statistic::Median, 1e6, computes);
        let (walls, cpus) = ([3.0, 2.0, 9.0, 2.5, 8.0], [3.0, 2.0, 2.1, 2.5, 2.2]);
        let times = |wall_ns, cpu_ns, waits| Times { wall_ns: Some(wall_ns), cpu_ns, waits };
        assert_eq!(of(&walls, &cpus, true), times(2.5, Some(2.5), false));
        // A slow one that kept the processor counts; so do all if too few kept it.
        assert_eq!(of(&[2.0, 9.0, 9.5], &[2.0, 2.0, 9.5], true), times(9.0, Some(2.0), false));
        assert_eq!(of(&walls, &cpus, false), times(3.0, None, false));
        let of_mean = |ns: f64| SavedSummary { mean_ns: Some(ns), median_ns: None, sd_ns: None, values: None };
        let summary = |ns: f64| SavedCase { design: SavedDesign::Summary(of_mean(ns)), ..SavedCase::new("a", "a") };
        let aggregates = SavedCase { otherwise: Some(Box::new(summary(2.0))), ..summary(3.0) };
        assert_eq!(Times::of(&aggregates, Statistic::Median, 3.0, true), times(3.0, Some(2.0), false));
        // A benchmark that waits does so in each repetition.
        assert_eq!(of(&[9.0, 7.0], &[2.0, 2.0], true), times(8.0, Some(2.0), true));
    }
}
