//! Why two sides of a benchmark differ, and what the time of one consists of: what was counted, ranked by what such a difference usually costs.
//! It is evidence that goes together with the difference of the times, and never more. Each kind of it is a line in [`SOURCES`]; the diagnosers
//! that sources name are those that `tare why` runs.

mod costs;
mod one;
mod pair;
mod rank;
mod sources;
#[cfg(test)]
mod tests;

pub use one::Part;
pub use sources::wished;

use crate::report::{Comparison, Report};
use crate::saved::key_of;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tare_model::{LanguageFacts, Run, RunStatus};
use tare_stats::interval::Interval;

use pair::{Pair, Side};

#[derive(Debug, Clone, Serialize)]
pub struct Why {
    pub cases: Vec<CaseWhy>,
    /// Benchmarks that are neither slower nor faster, or of which that is not known, so that nothing was looked at.
    pub undecided: Vec<Undecided>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Undecided {
    pub name: String,
    pub verdict: Verdict,
    pub times_ns: [Option<f64>; 2],
}

#[derive(Debug, Clone, Serialize, Default)]
pub struct CaseWhy {
    pub key: String,
    pub name: String,
    pub compared: Option<Compared>,
    /// Time of an operation of the new side, or of the only one, ns; None when it cannot be distinguished from nothing.
    pub time_ns: Option<f64>,
    pub evidence: Vec<Evidence>,
    pub equal: Vec<&'static str>,
    pub parts: Vec<Part>,
    pub missing: Vec<Missing>,
    pub conclusion: Option<Conclusion>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// What it is compared with, where that is another benchmark of the run; empty: the other side.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base: String,
    pub verdict: Verdict,
    pub ratio: f64,
    pub interval: Option<Interval>,
    /// Time of an operation of the base, ns.
    pub base_ns: Option<f64>,
}

impl Compared {
    /// new / base as the times say that stand beside it, where there are two: launches of the same waves can say something else.
    pub fn of_times(&self, new_ns: Option<f64>) -> f64 {
        self.base_ns.zip(new_ns).map_or(self.ratio, |(base, new)| new / base)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// What it is about, in one word: `mispredictions`.
    pub kind: &'static str,
    /// The name of what was counted, or the whole sentence where nothing was.
    pub text: String,
    /// Its values on both sides, per operation.
    pub values: Option<[f64; 2]>,
    pub unit: Unit,
    /// It was counted in a simulated processor.
    pub is_simulated: bool,
    /// What such a difference typically costs, in cycles of the core; positive: the new side costs more.
    pub cycles: f64,
    /// What one of it is taken to cost, in cycles; None where the cost has no such base.
    pub each: Option<f64>,
    /// That was measured on this machine, and is no typical cost.
    pub is_calibrated: bool,
    /// The same as a time at the clock of the run, ns; None where the clock is unknown.
    pub ns: Option<f64>,
    pub says: Says,
    /// It was measured in samples or by an experiment, and is no typical cost.
    pub is_measured: bool,
    /// What it costs as a share of the difference of the times; None where either is not known.
    pub share: Option<f64>,
    /// The same, or of the greatest cost where the difference is not decided; below 0: it goes the other way.
    #[serde(skip)]
    pub weight: f64,
    pub role: Role,
    /// It goes the other way than the difference of the times.
    pub is_against: bool,
    pub diagnoser: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Count,
    Time,
    Bytes,
}

/// What evidence is to the difference of the times, in the order in which it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Where most of the difference is.
    Place,
    /// It costs a tenth of the difference or more.
    Cause,
    /// The same, which the first cause brings with it.
    Follows,
    /// Where other parts of the difference are.
    Where,
    /// It differs, and costs less than a tenth of the difference or has no known cost.
    Remark,
    /// It goes the other way than the times, as far as they were measured.
    Against,
}

impl Role {
    pub fn word(self) -> &'static str {
        match self {
            Role::Place => "place",
            Role::Cause => "cause",
            Role::Follows => "follows",
            Role::Where => "where",
            Role::Remark => "remark",
            Role::Against => "against",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    What,
    HowMuch,
    Where,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    pub diagnoser: String,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Conclusion {
    /// What differs would typically cost this share of the difference of the times.
    Typical { share: f64 },
    /// Something differs, and its typical cost is unknown or there is no difference of the times to compare it with.
    Differs,
    /// What differs would cost little of the difference, or goes the other way.
    TooLittle { share: f64 },
    /// It is known where the time differs, and nothing that was counted says why.
    Place,
    /// Nothing that was looked at differs.
    Nothing,
}

/// Whether a run was made to see why.
pub fn is_why(run: &Run) -> bool {
    run.plan.diagnosis.why
}

/// What is known of the benchmarks of a run: of those that are compared with another why they differ, of others what their time consists of.
pub fn why(run: &Run, report: &Report) -> Why {
    let (mut cases, mut undecided, mut compared) = (Vec::new(), Vec::new(), HashSet::new());
    for group in &run.plan.groups {
        let Some(base) = group.baseline else { continue };
        for new in group.contestants() {
            compared.extend([base, new]);
            let [base, new] = [base, new].map(|case| &report.cases[case as usize]);
            let Some(pair) = Pair::of(run, report, [base, new]) else { continue };
            match pair.was_looked_at() {
                true => cases.push(of_pair(&pair)),
                false => undecided.push(Undecided {
                    name: new.selector(),
                    verdict: pair.compared.as_ref().map_or(Verdict::Unclear, |compared| compared.verdict),
                    times_ns: pair.times_ns,
                }),
            }
        }
    }
    cases.sort_by(|a, b| b.size().total_cmp(&a.size()));
    let alone = report.cases.iter().filter(|case| !compared.contains(&case.case));
    cases.extend(alone.filter_map(|case| Some(one::alone(&Side::of(run, report, case)?))));
    Why { cases, undecided }
}

impl CaseWhy {
    fn size(&self) -> f64 {
        self.compared.as_ref().map_or(0.0, |compared| compared.ratio.ln().abs())
    }
}

/// What is known of the benchmarks of two runs that were compared. `renames`: keys of the base to those of the new side.
pub fn why_saved(
    base: (&Run, &Report),
    new: (&Run, &Report),
    comparison: &Comparison,
    renames: &BTreeMap<String, String>,
) -> Why {
    let mut cases = Vec::new();
    for row in comparison.rows.iter().filter(|row| row.metric.is_none()) {
        let before = renames.iter().find(|(_, new)| **new == row.key).map_or(&row.key, |(base, _)| base);
        if let (Some(base), Some(new)) = (of_key(base, before), of_key(new, &row.key)) {
            cases.push(of_pair(&Pair::of_saved(base, new, row)));
        }
    }
    cases.sort_by(|a, b| b.size().total_cmp(&a.size()));
    Why { cases, undecided: Vec::new() }
}

/// Whether any diagnoser that tells why has looked at a run.
pub fn can_tell(run: &Run) -> bool {
    let wished = wished();
    run.diagnoses.iter().any(|pass| pass.failure.is_none() && wished.contains(&pass.diagnoser.as_str()))
}

fn of_key<'a>((run, report): (&'a Run, &'a Report), key: &str) -> Option<Side<'a>> {
    let at = run.plan.cases.iter().position(|case| key_of(run, case) == key)?;
    Side::of(run, report, report.cases.iter().find(|case| case.case as usize == at)?)
}

fn of_pair(pair: &Pair) -> CaseWhy {
    let mut evidence = sources::all(pair);
    rank::rank(&mut evidence, pair);
    let new = pair.new;
    CaseWhy {
        key: new.case.key.clone(),
        name: if pair.compared.as_ref().is_none_or(|compared| compared.base.is_empty()) {
            new.case.selector()
        } else {
            new.report.name_of(new.case)
        },
        compared: pair.compared.clone(),
        time_ns: pair.times_ns[1],
        conclusion: Some(rank::conclusion(&evidence, pair)),
        equal: sources::equal(pair),
        parts: Vec::new(),
        missing: if pair.is_of_one_run() { of_either(pair) } else { not_on_both(pair) },
        evidence,
    }
}

/// What did not look at one of two sides.
fn of_either(pair: &Pair) -> Vec<Missing> {
    let mut all = missing(&pair.new);
    let of_base = missing(&pair.base).into_iter().filter(|lack| all.iter().all(|of| of.diagnoser != lack.diagnoser));
    let of_base: Vec<Missing> =
        of_base.map(|lack| Missing { reason: format!("on the base: {}", lack.reason), ..lack }).collect();
    all.extend(of_base);
    all
}

/// What looked at no process of a case, and why.
fn missing(side: &Side) -> Vec<Missing> {
    let lacks = side.program().map(|program| &program.lacks);
    let lacked = lacks.into_iter().flatten().map(|(name, lack)| {
        let reason = if lack.reason.is_empty() { "the program does not have it" } else { lack.reason.as_str() };
        Missing { diagnoser: name.clone(), reason: reason.to_owned() }
    });
    let mut all: Vec<Missing> = lacked.chain(failed(side)).collect();
    // An interrupted run has not made all of its passes.
    let is_open = |name: &&String| {
        let is_ended = side.run.status != RunStatus::Finished;
        is_ended && side.passes(name).next().is_none() && all.iter().all(|lack| lack.diagnoser != **name)
    };
    let open: Vec<&String> = side.run.plan.diagnosis.of_changed.iter().filter(is_open).collect();
    let ended = |name: &String| Missing { diagnoser: name.clone(), reason: "the run ended before".to_owned() };
    all.extend(open.into_iter().map(ended));
    // What it allocates is counted with the times.
    all.retain(|lack| lack.diagnoser != "memory" || side.value("allocated_bytes").is_none());
    // The samples of other programs have all of it.
    let has_own = side.program().is_none_or(|program| LanguageFacts::of_any(&program.language).of_runtime.is_none());
    all.retain(|lack| lack.diagnoser != "runtime" || !has_own);
    all.dedup_by(|a, b| a.diagnoser == b.diagnoser);
    all
}

/// What tried to look at a case and failed, and why.
fn failed<'a>(side: &Side<'a>) -> impl Iterator<Item = Missing> + 'a {
    let case = side.case.case;
    let run = side.run;
    let passes = move || run.diagnoses.iter().filter(move |pass| pass.case == case);
    passes().filter_map(move |pass| {
        // Another pass of it has looked.
        if passes().any(|other| other.diagnoser == pass.diagnoser && other.failure.is_none()) {
            return None;
        }
        let failure = pass.failure.as_ref()?;
        Some(Missing { diagnoser: pass.diagnoser.clone(), reason: failure.cause.text() })
    })
}

/// What did not look at both sides of a benchmark of two runs.
fn not_on_both(pair: &Pair) -> Vec<Missing> {
    let looked = |side: &Side, name: &'static str| side.passes(name).any(|pass| pass.failure.is_none());
    let lack = |name: &'static str| {
        let run = |side: &Side| format!("run {} has nothing of it", side.run.id);
        let reason = match (looked(&pair.base, name), looked(&pair.new, name)) {
            (true, true) => return None,
            (false, false) => "neither run has it".to_owned(),
            (false, true) => run(&pair.base),
            (true, false) => run(&pair.new),
        };
        Some(Missing { diagnoser: name.to_owned(), reason })
    };
    wished().into_iter().filter_map(lack).collect()
}
