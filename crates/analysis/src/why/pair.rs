//! Two sides of a benchmark, as sources of evidence look at them.

use super::Compared;
use crate::clock::reference_cycle_ns;
use crate::finding::{Code, Finding};
use crate::report::{CaseEstimates, CaseReport, ComparisonRow, Report};
use crate::verdict::Verdict;
use tare_model::{Artifact, Diagnosis, Run, Stage};

/// Less than this of a count per operation is no difference, nor is this share of it.
const STEP: f64 = 0.001;
const SHARE: f64 = 0.001;
/// The same of counts that differ a little from process to process.
const ROUGH_STEP: f64 = 1.0;
const ROUGH_SHARE: f64 = 0.02;

/// Instructions that an allocation and its release take, and a byte that is written once more.
const OF_ALLOCATION: f64 = 120.0;
const OF_BYTE: f64 = 0.125;

/// What a byte costs that is cleared, used and collected, in cycles.
pub const OF_COLLECTED_BYTE: f64 = 0.5;

/// From this share of what the measured thread uses of the processors on, its program works in other threads too.
const OF_OTHER_THREADS: f64 = 0.5;

/// The diagnoser that counts in a simulated processor.
const SIMULATED: &str = "instructions";

/// Metrics of the diagnoser that counts what the processor and the system do.
const COUNTED: &str = "counters/";

/// Length of a cycle of a common core.
const COMMON_CYCLE_NS: f64 = 0.33;

#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub run: &'a Run,
    pub report: &'a Report,
    pub case: &'a CaseReport,
    pub estimates: &'a CaseEstimates,
}

impl<'a> Side<'a> {
    /// A case; None where it was not measured.
    pub fn of(run: &'a Run, report: &'a Report, case: &'a CaseReport) -> Option<Side<'a>> {
        Some(Side { run, report, case, estimates: case.estimates()? })
    }

    /// The value of a metric, of any diagnoser where its name has none.
    pub fn value(&self, name: &str) -> Option<f64> {
        let of_system = name.strip_prefix(COUNTED).map(|metric| self.of_most_iterations(metric));
        of_system.unwrap_or_else(|| self.estimates.metric_of_any_pass(name)).filter(|value| value.is_finite())
    }

    /// The median of a system count over iterations, so that work done once a process, such as growing its heap, does not count.
    fn of_most_iterations(&self, metric: &str) -> Option<f64> {
        let declared = self.run.plan.cases.get(self.case.case as usize)?.benchmark.operations;
        let of_pass = |pass: &'a Diagnosis| {
            let values = pass.metrics.get(metric).into_iter().flatten();
            let operations = pass.all_operations(declared) / values.clone().count() as f64;
            values.map(move |value| value / operations)
        };
        let all: Vec<f64> = self.passes(COUNTED.trim_end_matches('/')).flat_map(of_pass).collect();
        tare_stats::location::median(&all)
    }

    pub fn passes(&self, diagnoser: &'a str) -> impl Iterator<Item = &'a Diagnosis> {
        let case = self.case.case;
        self.run.diagnoses.iter().filter(move |pass| pass.case == case && pass.diagnoser == diagnoser)
    }

    /// Counts of this metric differ a little from process to process: what a runtime does beside the body is part of them.
    fn is_rough(&self, name: &str) -> bool {
        let Some((diagnoser, metric)) = name.split_once('/') else { return false };
        let case = self.case.case;
        let mut passes = self.run.diagnoses.iter().filter(|pass| pass.case == case && pass.diagnoser == diagnoser);
        diagnoser == SIMULATED && passes.any(|pass| pass.gives.iter().any(|given| given.name == metric && !given.exact))
    }

    /// A number that a diagnoser knows of it.
    pub fn fact(&self, diagnoser: &'a str, name: &str) -> Option<f64> {
        self.passes(diagnoser).find_map(|pass| pass.facts.get(name)).copied()
    }

    /// What other threads of its program used of the processors, as a share of what the measured thread used.
    fn of_other_threads(&self) -> f64 {
        let its = self.run.launches.iter().filter(|launch| launch.case == self.case.case);
        let measured = its.flat_map(|launch| &launch.series).filter(|series| series.stage == Stage::Actual);
        let (mut thread, mut process) = (0.0, 0.0);
        for columns in measured.map(|series| &series.columns).filter(|columns| !columns.process_cpu_ns.is_empty()) {
            thread += columns.cpu_ns.iter().sum::<f64>();
            process += columns.process_cpu_ns.iter().sum::<f64>();
        }
        if thread > 0.0 {
            process / thread - 1.0
        } else {
            0.0
        }
    }

    pub fn program(&self) -> Option<&'a Artifact> {
        self.run.artifacts.get(self.run.plan.cases.get(self.case.case as usize)?.artifact as usize)
    }
}

pub struct Pair<'a> {
    pub base: Side<'a>,
    pub new: Side<'a>,
    pub compared: Option<Compared>,
    pub times_ns: [Option<f64>; 2],
    pub cycle_ns: Option<f64>,
}

impl<'a> Pair<'a> {
    pub fn of(run: &'a Run, report: &'a Report, [base, new]: [&'a CaseReport; 2]) -> Option<Pair<'a>> {
        let [base, new] = [Side::of(run, report, base)?, Side::of(run, report, new)?];
        let times_ns = [base, new].map(|side| side.estimates.time.resolved_ns());
        let compared = new.estimates.ratio.as_ref().map(|ratio| Compared {
            base: if run.sides.is_some() { String::new() } else { report.name_of(base.case) },
            verdict: ratio.verdict,
            ratio: ratio.ratio,
            interval: Some(ratio.interval),
            base_ns: times_ns[0],
        });
        Some(Pair { base, new, compared, times_ns, cycle_ns: reference_cycle_ns(run) })
    }

    pub fn of_saved(base: Side<'a>, new: Side<'a>, row: &ComparisonRow) -> Pair<'a> {
        let compared = Compared {
            base: String::new(),
            verdict: row.verdict,
            ratio: row.ratio,
            interval: row.interval,
            base_ns: row.base_ns,
        };
        let times_ns = [row.base_ns, row.new_ns];
        Pair { base, new, compared: Some(compared), times_ns, cycle_ns: reference_cycle_ns(new.run) }
    }

    pub fn is_of_one_run(&self) -> bool {
        std::ptr::eq(self.base.run, self.new.run)
    }

    /// The value of a metric on both sides, base first, in its own unit; `None` unless both have it.
    pub fn values(&self, name: &str) -> Option<[f64; 2]> {
        Some([self.base.value(name)?, self.new.value(name)?])
    }

    /// A number that a diagnoser knows of both sides, base first; `None` unless it knows both.
    pub fn facts(&self, diagnoser: &'a str, name: &str) -> Option<[f64; 2]> {
        Some([self.base.fact(diagnoser, name)?, self.new.fact(diagnoser, name)?])
    }

    /// The same as [`Pair::values`], where both sides differ.
    pub fn change(&self, name: &str) -> Option<[f64; 2]> {
        self.values(name).filter(|values| self.differ(name, *values))
    }

    /// Two values of a metric differ by more than such counts do from process to process.
    pub fn differ(&self, name: &str, [base, new]: [f64; 2]) -> bool {
        let is_rough = [self.base, self.new].iter().any(|side| side.is_rough(name));
        let (step, share) = if is_rough { (ROUGH_STEP, ROUGH_SHARE) } else { (STEP, SHARE) };
        (new - base).abs() >= step && (new - base).abs() > share * base.abs().max(new.abs())
    }

    /// A metric is the same on both sides, in every process.
    pub fn is_equal(&self, name: &str) -> bool {
        let [base, new] = [self.base, self.new].map(|side| side.estimates.found_of_any_pass(name));
        let Some((base, new)) = base.zip(new) else { return false };
        let mut all = base.launches.iter().chain(&new.launches).chain([&new.value]);
        self.sees_all_threads(name) && all.all(|value| value.is_finite() && !self.differ(name, [base.value, *value]))
    }

    /// New less base of a metric, in its own unit; 0 where nothing is known.
    pub fn difference(&self, name: &str) -> f64 {
        self.change(name).map_or(0.0, |[base, new]| new - base)
    }

    /// New less base of the instructions, without those that the allocator takes for what is allocated more or less.
    pub fn executed(&self) -> f64 {
        let executed = self.difference("instructions/executed");
        let allocated = self.difference("allocations") * OF_ALLOCATION + self.difference("allocated_bytes") * OF_BYTE;
        match executed > 0.0 {
            true => (executed - allocated.max(0.0)).max(0.0),
            false => (executed - allocated.min(0.0)).min(0.0),
        }
    }

    /// New less base of the time, ns; `None` unless both sides have one.
    pub fn time_ns(&self) -> Option<f64> {
        let [base, new] = self.times_ns;
        // What is shown is without the loop; the difference is the same with it.
        let of_loop = || self.new.estimates.centre_ns - self.base.estimates.centre_ns;
        let difference = base.zip(new).map_or_else(of_loop, |(base, new)| new - base);
        difference.is_finite().then_some(difference)
    }

    pub fn ratio(&self) -> Option<f64> {
        self.compared.as_ref().map(|compared| compared.ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    }

    pub fn direction(&self) -> Option<f64> {
        match self.compared.as_ref()?.verdict {
            Verdict::Slower => Some(1.0),
            Verdict::Faster => Some(-1.0),
            _ => None,
        }
    }

    /// Which way the time went as far as it was measured, also where that is not decided; None where both sides took about the same.
    pub fn tendency(&self) -> Option<f64> {
        const LEAST: f64 = 0.05;
        let is_undecided = self.compared.as_ref().is_some_and(|compared| compared.verdict == Verdict::Unclear);
        let measured = || self.ratio().map(f64::ln).filter(|change| is_undecided && change.abs() >= LEAST);
        self.direction().or_else(|| measured().map(f64::signum))
    }

    /// A cost without a base of its own, on the side that takes longer.
    pub fn toward(&self, cycles: f64) -> f64 {
        cycles * self.tendency().unwrap_or(1.0)
    }

    /// A time in cycles; where their length is unknown, of a common core.
    pub fn cycles(&self, ns: f64) -> f64 {
        ns / self.cycle_ns.unwrap_or(COMMON_CYCLE_NS)
    }

    /// A cost is not so small beside the time that what the system did by chance explains it.
    pub fn matters(&self, cycles: f64) -> bool {
        const LEAST: f64 = 0.01;
        let most_ns = self.times_ns.iter().flatten().copied().fold(0.0, f64::max);
        cycles.abs() >= LEAST * self.cycles(most_ns)
    }

    /// A diagnoser that was asked for looked at it or tried to, or nothing could be.
    pub fn was_looked_at(&self) -> bool {
        let looked = self.new.run.diagnoses.iter().any(|pass| pass.case == self.new.case.case);
        looked || self.direction().is_some() || self.new.run.plan.diagnosis.of_changed.is_empty()
    }

    pub fn programs(&self) -> Option<[&'a Artifact; 2]> {
        Some([self.base.program()?, self.new.program()?])
    }

    /// What so many more allocated bytes of the new side cost to clear and collect, in cycles; 0 where memory is used again.
    pub fn collected(&self) -> f64 {
        let collects =
            |side: &Side| side.program().and_then(|program| program.child.as_ref()).is_some_and(|child| child.collects);
        let is_collected = collects(&self.base) && collects(&self.new);
        if is_collected {
            self.difference("allocated_bytes") * OF_COLLECTED_BYTE
        } else {
            0.0
        }
    }

    pub fn threads(&self) -> u32 {
        let run = self.new.run;
        run.plan.cases.get(self.new.case.case as usize).map_or(1, |case| case.benchmark.threads)
    }

    /// A metric counts what all threads of the program do. Where instructions are followed one by one, it is those of one thread.
    pub fn sees_all_threads(&self, name: &str) -> bool {
        !self.works_in_threads() || ![self.base, self.new].iter().any(|side| side.is_rough(name))
    }

    /// The work of both sides is the same, as far as it was counted.
    pub fn is_same_work(&self) -> bool {
        let counted = ["instructions/executed", "instructions/branches", "instructions/memory_accesses"];
        counted.iter().all(|name| {
            self.sees_all_threads(name) && self.values(name).is_some_and(|values| !self.differ(name, values))
        })
    }

    /// The program works in threads of its own, as far as it says so or is seen to on a side.
    pub fn works_in_threads(&self) -> bool {
        let is_own = |found: &Finding, case| found.code == Code::OwnThreads && found.concerns(case);
        let has_own = |side: &Side| side.report.findings.iter().any(|found| is_own(found, side.case.case));
        let works = |side: &Side| has_own(side) || side.of_other_threads() >= OF_OTHER_THREADS;
        self.threads() > 1 || works(&self.base) || works(&self.new)
    }
}
