//! From the values of a pair to the evidence that they support: an interval over sessions or launches, or only a ratio.

use super::options::{
    CPU_BEARS_OUT, LAUNCH_SD, OFFSET_OF_SESSION, OFFSET_OF_SPREAD, SESSION_SD, SESSION_SD_AT_REFERENCE,
    SESSION_SD_MEASURED,
};
use super::{SavedCase, SavedDesign, ShownTime, CPU_TIME, WALL_TIME};
use crate::clock::assumed_share;
use crate::ratio::{common_loop, overhead, without_of};
use crate::verdict::{Evidence, NoiseSource, Objection, Student, Uncertainty};
use crate::visits::Location;
use tare_model::INTERVAL_LAUNCHES;
use tare_stats::location::mean;
use tare_stats::modes::m_value;
use tare_stats::overhead::Overhead;
use tare_stats::spread::{sd, variance};

/// Processes per side below which there is no verdict.
pub(crate) const PROCESSES_MIN: usize = INTERVAL_LAUNCHES;
/// Standard deviations beyond which a time is over a limit, where the standard deviation is an assumption.
const ASSUMED_SIGMAS: f64 = 3.0;
/// Fewest values for modes (the bound of ResultsComparer).
const MODE_VALUES_MIN: usize = 12;
/// m-value from which a sample is marked: at most 2 % of unimodal samples reach it.
const SEVERAL_MODES: f64 = 2.8;
/// Cycle lengths within this share of each other are the same reference clock.
const SAME_CLOCK: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sides {
    /// Both are runs of Tare on one machine, by one method.
    pub one_machine: bool,
    /// A side is from another tool: Tare itself drops visits in which a program had to wait for its processor.
    pub is_foreign: bool,
}

/// The evidence of a pair. Both sides have values (see `pairing`).
pub(crate) fn evidence(base: &SavedCase, new: &SavedCase, sides: Sides) -> Evidence {
    let at_reference = sides.one_machine && same_clock(base, new);
    let logs = Logs::of_both(base, new);
    let all = |units: fn(&Logs) -> &[f64]| logs.iter().all(|side| units(side).len() >= PROCESSES_MIN);
    let found = if all(Logs::sessions) {
        let offset = match is_alternating(base, new) {
            true => Offset { known: SESSION_SD_MEASURED, of_spread: 0.0 },
            false => Offset { known: SESSION_SD_MEASURED, of_spread: OFFSET_OF_SPREAD },
        };
        from_units(logs.each_ref().map(Logs::sessions), offset, base, new)
    } else if all(Logs::launches) {
        // The launches of a run of Tare are spread over its session.
        let (known, of_spread) = match at_reference {
            true => (SESSION_SD_AT_REFERENCE, OFFSET_OF_SPREAD),
            false => (SESSION_SD, OFFSET_OF_SESSION),
        };
        from_units(logs.each_ref().map(Logs::launches), Offset { known, of_spread }, base, new)
    } else {
        None
    };
    let overhead = overhead_of(base, new);
    let difference_ns = centre_ns(new).zip(centre_ns(base)).map(|(new, base)| new - base);
    // Files of other tools are judged by the times that they show; runs of Tare subtract one common loop from both sides.
    let beside = if sides.is_foreign { log_ratio_shown(base, new) } else { None };
    let Some((estimate, student)) = found.map(|found| without_loop(found, overhead)) else {
        let few = from_few(base, new, &logs, overhead);
        return Evidence { estimate: beside.unwrap_or(few.estimate), ..few };
    };
    let estimate = beside.unwrap_or(estimate);
    Evidence {
        estimate,
        uncertainty: Some(Uncertainty::Student(student)),
        p: Some(student.p(estimate)),
        may_be_same: at_reference,
        looks: 1,
        objection: sides.is_foreign.then(|| contradiction(base, new)).flatten(),
        difference_ns,
    }
}

/// The times next to the ratio of a pair, ns per operation: as their tools show them, else the statistic that both sides have.
pub(crate) fn shown_ns(base: &SavedCase, new: &SavedCase) -> [Option<f64>; 2] {
    let statistic = Statistic::for_both(base, new);
    // Both lose a common loop, as in their ratio.
    let common = common_loop([base.loop_cost, new.loop_cost], base.operations == new.operations);
    let more_ns = |case: &SavedCase| {
        let loops = case.loop_cost.zip(common);
        loops.map_or(0.0, |(own, common)| own.beside_body.value - common.beside_body.value)
    };
    [base, new].map(|case| match case.shown {
        Some(ShownTime::Time(ns)) => Some(ns + more_ns(case)).filter(|ns| *ns > 0.0),
        Some(ShownTime::Nothing) => None,
        None => statistic.log_value(case).map(f64::exp).filter(|ns| ns.is_finite()),
    })
}

fn log_ratio_shown(base: &SavedCase, new: &SavedCase) -> Option<f64> {
    let [base, new] = shown_ns(base, new);
    Some((new? / base?).ln()).filter(|log| log.is_finite())
}

fn overhead_of(base: &SavedCase, new: &SavedCase) -> Option<Overhead> {
    let is_something = |case: &SavedCase| matches!(case.shown, Some(ShownTime::Time(_)));
    match is_something(base) && is_something(new) {
        true => overhead([base.loop_cost, new.loop_cost], base.operations == new.operations, centre_ns(base)?),
        false => None,
    }
}

fn without_loop((estimate, student): (f64, Student), overhead: Option<Overhead>) -> (f64, Student) {
    let Some(overhead) = overhead else { return (estimate, student) };
    let (estimate, error, bound) = without_of((estimate, student.error, student.bound), &overhead);
    (estimate, Student { error, bound, ..student })
}

/// The evidence of a metric's values, all greater than 0: nothing is assumed about sessions, only their spread counts.
pub(crate) fn of_counts(base: &SavedCase, new: &SavedCase) -> Option<(f64, Student)> {
    let logs = Logs::of_both(base, new);
    let offset = Offset { known: 0.0, of_spread: OFFSET_OF_SPREAD };
    let (estimate, student) = from_units(logs.each_ref().map(Logs::launches), offset, base, new)?;
    Some((estimate, Student { of: NoiseSource::Processes, ..student }))
}

pub(crate) fn too_few(base: &SavedCase, new: &SavedCase) -> Objection {
    Objection::FewProcesses { processes: [base.processes(), new.processes()], needed: PROCESSES_MIN }
}

fn same_clock(base: &SavedCase, new: &SavedCase) -> bool {
    let lengths = base.reference_cycle_ns.zip(new.reference_cycle_ns);
    lengths.is_some_and(|(a, b)| (a / b - 1.0).abs() < SAME_CLOCK)
}

/// Logs of a side: one value per process, and one per session of processes.
struct Logs {
    launches: Vec<f64>,
    sessions: Vec<f64>,
}

impl Logs {
    /// One value from the logs of each process, as in a run, and the means of these per session.
    fn of(case: &SavedCase) -> Logs {
        Logs::made_by(case.location, case)
    }

    /// For both sides, with values made in the same way.
    fn of_both(base: &SavedCase, new: &SavedCase) -> [Logs; 2] {
        let location = Location::of_both(base.location, new.location);
        [base, new].map(|case| Logs::made_by(location, case))
    }

    fn made_by(location: Location, case: &SavedCase) -> Logs {
        let of_launch: Vec<Option<f64>> = match case.design {
            SavedDesign::Launches => case.launches.iter().map(|l| location.centre(&logs(l))).collect(),
            SavedDesign::Iterations => vec![location.centre(&logs(&case.launches.concat()))],
            SavedDesign::Summary(_) => Vec::new(),
        };
        let mut rest = &of_launch[..];
        let mut sessions = Vec::new();
        for session in &case.sessions {
            let (these, others) = rest.split_at(session.launches.min(rest.len()));
            sessions.extend(mean(&these.iter().flatten().copied().collect::<Vec<f64>>()));
            rest = others;
        }
        Logs { launches: of_launch.iter().flatten().copied().collect(), sessions }
    }

    fn launches(&self) -> &[f64] {
        &self.launches
    }

    fn sessions(&self) -> &[f64] {
        &self.sessions
    }
}

/// One value (log) per launch of a case that has enough of them.
pub(crate) fn launch_logs(case: &SavedCase) -> Option<Vec<f64>> {
    Some(Logs::of(case).launches).filter(|logs| logs.len() >= PROCESSES_MIN)
}

/// Whether the sessions of both sides alternate, so that changes of the machine over time affect both.
fn is_alternating(base: &SavedCase, new: &SavedCase) -> bool {
    let dates = |case: &SavedCase, side: usize| -> Option<Vec<(String, usize)>> {
        case.sessions.iter().map(|session| Some((session.date.clone()?, side))).collect()
    };
    let Some((mut all, of_new)) = dates(base, 0).zip(dates(new, 1)) else { return false };
    all.extend(of_new);
    all.sort();
    // Equal dates have no order, and copying a folder may give all its files one date.
    let in_order = all.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let pairs = all.chunks_exact(2);
    in_order && pairs.remainder().is_empty() && pairs.clone().all(|pair| pair[0].1 != pair[1].1)
}

fn logs(values: &[f64]) -> Vec<f64> {
    values.iter().filter(|v| v.is_finite() && **v > 0.0).map(|v| v.ln()).collect()
}

/// Standard deviation (log) of a side's offset as a whole: assumed, or as a share of its processes' spread.
struct Offset {
    known: f64,
    of_spread: f64,
}

/// Bound for the error of a ratio (log) from the tools' rounding of times: half a step on each side.
fn rounded(base: &SavedCase, new: &SavedCase) -> f64 {
    let of = |case: &SavedCase| match (case.resolution_ns, centre_ns(case)) {
        (Some(step), Some(ns)) => (0.5 * step / ns).ln_1p(),
        _ => 0.0,
    };
    of(base) + of(new)
}

/// The error of both sessions' clocks, each as a whole: variance and bound.
fn clocks(base: &SavedCase, new: &SavedCase) -> (f64, f64) {
    // Equal deviations of both clocks do no harm. The assumed part may be entirely wrong.
    let shift = |case: &SavedCase| match case.clock_away {
        0.0 => 0.0,
        away => away * assumed_share(case.clock_variance / (away * away)),
    };
    (base.clock_variance + new.clock_variance, (shift(new) - shift(base)).abs())
}

/// Welch's difference of two means of units, each side with its offset.
fn from_units(units: [&[f64]; 2], offset: Offset, base: &SavedCase, new: &SavedCase) -> Option<(f64, Student)> {
    let (clock_variance, clock_bound) = clocks(base, new);
    let (mut total, mut uncertain) = (clock_variance, 0.0);
    for side in units {
        let (spread, df) = (variance(side)?, (side.len() - 1) as f64);
        let (of_spread, known) = (spread * offset.of_spread.powi(2), offset.known.powi(2));
        let measured = spread / side.len() as f64 + if of_spread > known { of_spread } else { 0.0 };
        total += measured + if of_spread > known { 0.0 } else { known };
        // Satterthwaite's sum; assumed offsets add to the variance but not to its uncertainty.
        uncertain += measured * measured / df;
    }
    let df = if uncertain > 0.0 { (total * total / uncertain).min(1e6) } else { 1e6 };
    let (estimate, error) = (mean(units[1])? - mean(units[0])?, total.sqrt());
    let bound = clock_bound + super::core::bound(base, new) + rounded(base, new);
    let student = Student { error, df, bound, of: NoiseSource::Sessions };
    (estimate.is_finite() && error.is_finite() && df.is_finite()).then_some((estimate, student))
}

/// The ratio of both centres. The processes of both sides are assumed to have equal spread, so that one side may show it.
fn from_few(base: &SavedCase, new: &SavedCase, logs: &[Logs; 2], overhead: Option<Overhead>) -> Evidence {
    let statistic = Statistic::for_both(base, new);
    let estimate = match (statistic.log_value(base), statistic.log_value(new)) {
        (Some(a), Some(b)) => b - a,
        _ => f64::NAN,
    };
    let squares = |side: &Logs| variance(&side.launches).map_or(0.0, |v| v * (side.launches.len() - 1) as f64);
    let df: usize = logs.iter().map(|side| side.launches.len().saturating_sub(1)).sum();
    let uncertainty = (df > 0).then(|| {
        let spread = logs.iter().map(squares).sum::<f64>() / df as f64;
        let of_means: f64 = [base, new].iter().map(|case| spread / case.processes() as f64).sum();
        let offsets = 2.0 * SESSION_SD.powi(2).max(spread * OFFSET_OF_SPREAD.powi(2));
        let error = (of_means + offsets).sqrt();
        Student { error, df: df as f64, bound: rounded(base, new), of: NoiseSource::Sessions }
    });
    let with_loop = estimate;
    let estimate = overhead.map_or(with_loop, |overhead| overhead.net(with_loop));
    let uncertainty = uncertainty.map(|student| Uncertainty::Student(without_loop((with_loop, student), overhead).1));
    Evidence {
        estimate,
        uncertainty,
        p: None,
        may_be_same: false,
        looks: 0,
        objection: Some(too_few(base, new)),
        difference_ns: None,
    }
}

/// The difference (log) that the luck of processes is assumed to explain, if there is nothing else to judge a case's time by.
pub(crate) fn assumed_bound(case: &SavedCase) -> f64 {
    ASSUMED_SIGMAS * (LAUNCH_SD.powi(2) / case.processes() as f64 + within(case)).sqrt()
}

/// Squared standard error of a case from the scatter within its processes alone: too small, but better than nothing.
fn within(case: &SavedCase) -> f64 {
    let squared = match case.design {
        SavedDesign::Summary(s) => s.sd_ns.zip(s.mean_ns.or(s.median_ns)).map(|(sd, mean)| {
            let relative = sd / mean;
            relative * relative / s.values.unwrap_or(1).max(1) as f64
        }),
        _ => {
            let all = logs(&case.launches.concat());
            sd(&all).map(|sd| sd * sd / all.len() as f64)
        }
    };
    squared.filter(|v| v.is_finite()).unwrap_or(0.0)
}

/// The objection to a pair whose CPU time does not bear out the change of its wall time.
fn contradiction(base: &SavedCase, new: &SavedCase) -> Option<Objection> {
    let in_both = |quantity| base.in_quantity(quantity).zip(new.in_quantity(quantity));
    if base.quantity != WALL_TIME || new.quantity != WALL_TIME || (base.wall_is_meant && new.wall_is_meant) {
        return None;
    }
    let log_ratio = |(base, new): (&SavedCase, &SavedCase)| Some((centre_ns(new)? / centre_ns(base)?).ln());
    let (wall, cpu) = (log_ratio(in_both(WALL_TIME)?)?, log_ratio(in_both(CPU_TIME)?)?);
    let bears_out = wall.signum() * cpu >= CPU_BEARS_OUT * wall.abs();
    (!bears_out).then(|| Objection::CpuContradicts { wall: wall.exp(), cpu: cpu.exp() })
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Statistic {
    /// Mean over processes of the value of each.
    Centre(Location),
    Median,
    Mean,
}

impl Statistic {
    fn for_both(base: &SavedCase, new: &SavedCase) -> Statistic {
        let summaries: Vec<_> = [base, new]
            .iter()
            .filter_map(|c| match c.design {
                SavedDesign::Summary(s) => Some(s),
                _ => None,
            })
            .collect();
        if summaries.is_empty() {
            Statistic::Centre(Location::of_both(base.location, new.location))
        } else if summaries.iter().all(|s| s.median_ns.is_some()) {
            Statistic::Median
        } else {
            Statistic::Mean
        }
    }

    fn log_value(self, case: &SavedCase) -> Option<f64> {
        if let SavedDesign::Summary(summary) = case.design {
            let value = match self {
                Statistic::Mean => summary.mean_ns.or(summary.median_ns),
                _ => summary.median_ns.or(summary.mean_ns),
            };
            return value.filter(|v| *v > 0.0).map(f64::ln);
        }
        let values = || case.launches.concat().into_iter().filter(|v| v.is_finite() && *v > 0.0).collect::<Vec<f64>>();
        match self {
            Statistic::Centre(location) => {
                let centres: Vec<f64> = case.launches.iter().filter_map(|l| location.centre(&logs(l))).collect();
                location.over_launches(&centres)
            }
            Statistic::Median => tare_stats::location::median(&values()).map(f64::ln),
            Statistic::Mean => mean(&values()).map(f64::ln),
        }
    }
}

pub(crate) fn centre_ns(case: &SavedCase) -> Option<f64> {
    let statistic = Statistic::for_both(case, case);
    statistic.log_value(case).map(f64::exp).filter(|v| v.is_finite())
}

/// Whether the values of a case have several modes; not judged for samples with few distinct values.
pub(crate) fn has_several_modes(case: &SavedCase) -> bool {
    let values = case.launches.concat();
    if values.len() < MODE_VALUES_MIN {
        return false;
    }
    let mut different: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    different.sort_unstable();
    different.dedup();
    2 * different.len() >= values.len() && m_value(&values) > SEVERAL_MODES
}
