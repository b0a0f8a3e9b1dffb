//! Comparisons of the same change on several machines, beside each other: where they agree, and where one machine stands alone.

use crate::finding::{Code, Finding, Sentence, Severity};
use crate::report::{Comparison, ComparisonRow};
use crate::saved::{geometric_mean, mean_of, GeometricMean};
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use tare_model::Parameter;
use tare_stats::interval::Interval;

/// How many comparisons have which word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct WordCounts {
    /// `faster`.
    pub faster: usize,
    /// `slower`.
    pub slower: usize,
    /// `same`.
    pub same: usize,
    /// `unclear`.
    pub unclear: usize,
}

impl WordCounts {
    /// Adds a verdict.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Faster => self.faster += 1,
            Verdict::Slower => self.slower += 1,
            Verdict::Same => self.same += 1,
            Verdict::Unclear => self.unclear += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> usize {
        self.faster + self.slower + self.same + self.unclear
    }

    /// Share of a verdict, 0 to 1; 0 if there are none.
    pub fn share(&self, verdict: Verdict) -> f64 {
        let count = match verdict {
            Verdict::Faster => self.faster,
            Verdict::Slower => self.slower,
            Verdict::Same => self.same,
            Verdict::Unclear => self.unclear,
        };
        count as f64 / self.total().max(1) as f64
    }
}

/// A column: one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixMachine {
    /// What the user called it.
    pub name: String,
    /// Words of all its comparisons.
    pub words: WordCounts,
    /// Geometric mean of its ratios.
    pub geometric_mean: GeometricMean,
    /// Benchmarks that failed on a side.
    pub failed: usize,
    /// Benchmarks that are on one side only.
    pub unpaired: usize,
    /// The remarks about its comparison.
    pub findings: Vec<Finding>,
}

/// A benchmark on a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixCell {
    pub verdict: Verdict,
    /// new / base of the cost.
    pub ratio: f64,
    /// 95 % interval of the ratio; None where the data has none.
    pub interval: Option<Interval>,
    /// Time of an operation of the base, ns.
    pub base_ns: Option<f64>,
    /// Time of an operation of the new side, ns.
    pub new_ns: Option<f64>,
    /// The values of a side have several modes.
    pub several_modes: bool,
    /// The ratio of the times shown, where it is beyond the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_of_times: Option<f64>,
    /// Why the verdict is not stronger, or what limits it.
    pub remark: String,
}

/// Whether machines agree about a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consistency {
    /// All machines that have it say the same word, and it is not `unclear`.
    Agree,
    /// Some say faster or slower, others same or unclear; none contradicts.
    Partial,
    /// Faster on one machine, slower on another.
    Contradict,
    /// No machine can say.
    Undecided,
}

/// A row: one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixRow {
    /// Unique and stable name.
    pub key: String,
    /// Group of the benchmark.
    pub group: String,
    /// Name of the benchmark.
    pub name: String,
    /// Parameters with values.
    pub parameters: Vec<Parameter>,
    /// One for each machine, in their order; None where the machine does not have the benchmark.
    pub cells: Vec<Option<MatrixCell>>,
    /// Whether the machines agree.
    pub consistency: Consistency,
    /// Geometric mean of its ratios over machines.
    pub geometric_mean: GeometricMean,
    /// Sum of the logs of those ratios that have the verdict faster or slower: above 0 it got slower on the whole.
    pub score: f64,
}

/// Several machines beside each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The columns, in the order given.
    pub machines: Vec<MatrixMachine>,
    /// The benchmarks: what got slower first, by score.
    pub rows: Vec<MatrixRow>,
    /// Words by group of benchmarks, over all machines, by name of the group.
    pub groups: BTreeMap<String, WordCounts>,
    /// Benchmarks that [`Matrix::top`] left out.
    pub left_out: usize,
}

/// Puts the comparisons of several machines beside each other.
pub fn compare_matrix(pairs: &[(String, Comparison)]) -> Matrix {
    let mut groups: BTreeMap<String, WordCounts> = BTreeMap::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut rows: Vec<MatrixRow> = Vec::new();
    for (machine, (_, comparison)) in pairs.iter().enumerate() {
        for row in &comparison.rows {
            groups.entry(row.group.clone()).or_default().add(row.verdict);
            let place = *places.entry(&row.key).or_insert_with(|| {
                rows.push(empty_row(row, pairs.len()));
                rows.len() - 1
            });
            rows[place].cells[machine] = Some(cell(row));
        }
    }
    for row in &mut rows {
        let cells = || row.cells.iter().flatten();
        let geometric_mean = mean_of(cells().map(|c| c.ratio));
        let consistency = consistency(cells());
        let score = cells().filter(|c| is_decided(c.verdict)).map(|c| c.ratio.ln()).filter(|s| s.is_finite()).sum();
        (row.geometric_mean, row.consistency, row.score) = (geometric_mean, consistency, score);
    }
    // Everything is read before anything is sorted or cut.
    rows.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.key.cmp(&b.key)));
    let machines = pairs.iter().map(|(name, comparison)| machine(name, comparison)).collect();
    Matrix { machines, rows, groups, left_out: 0 }
}

impl Matrix {
    /// The remarks about all comparisons, the worst first, with the machines that they are about.
    pub fn findings(&self) -> Vec<Finding> {
        let of = |machine: &MatrixMachine, f: &Finding| f.clone().of(&machine.name);
        let mut all: Vec<Finding> =
            self.machines.iter().flat_map(|machine| machine.findings.iter().map(move |f| of(machine, f))).collect();
        all.sort_by_key(|f| std::cmp::Reverse(f.severity));
        all
    }

    /// Keeps the `count` rows that changed most, in their order, and counts what it leaves out. Columns and groups stay those
    /// of all rows.
    #[must_use]
    pub fn top(mut self, count: usize) -> Matrix {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&a, &b| self.rows[b].score.abs().total_cmp(&self.rows[a].score.abs()));
        let mut keep: Vec<usize> = order.into_iter().take(count).collect();
        keep.sort_unstable();
        self.left_out += self.rows.len() - keep.len();
        self.rows = keep.into_iter().map(|i| self.rows[i].clone()).collect();
        self
    }
}

fn is_decided(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Faster | Verdict::Slower)
}

fn consistency<'a>(cells: impl Iterator<Item = &'a MatrixCell>) -> Consistency {
    let mut words = WordCounts::default();
    cells.for_each(|c| words.add(c.verdict));
    match words {
        WordCounts { faster: 1.., slower: 1.., .. } => Consistency::Contradict,
        WordCounts { faster: 0, slower: 0, same: 0, .. } => Consistency::Undecided,
        _ if [words.faster, words.slower, words.same].contains(&words.total()) => Consistency::Agree,
        _ => Consistency::Partial,
    }
}

fn empty_row(row: &ComparisonRow, machines: usize) -> MatrixRow {
    MatrixRow {
        key: row.key.clone(),
        group: row.group.clone(),
        name: row.name.clone(),
        parameters: row.parameters.clone(),
        cells: vec![None; machines],
        consistency: Consistency::Undecided,
        geometric_mean: mean_of(std::iter::empty()),
        score: 0.0,
    }
}

fn cell(row: &ComparisonRow) -> MatrixCell {
    MatrixCell {
        verdict: row.verdict,
        ratio: row.ratio,
        interval: row.interval,
        base_ns: row.base_ns,
        new_ns: row.new_ns,
        several_modes: row.several_modes,
        ratio_of_times: row.ratio_of_times,
        remark: row.remark.clone(),
    }
}

fn machine(name: &str, comparison: &Comparison) -> MatrixMachine {
    let mut words = WordCounts::default();
    comparison.rows.iter().for_each(|r| words.add(r.verdict));
    MatrixMachine {
        name: name.to_owned(),
        words,
        geometric_mean: geometric_mean(&comparison.rows),
        failed: comparison.benchmarks_failed(),
        unpaired: comparison.only_base.len() + comparison.only_new.len(),
        findings: comparison.findings.iter().cloned().chain(without_row(comparison)).collect(),
    }
}

/// What a machine has in no row: the tables only count it.
fn without_row(comparison: &Comparison) -> Vec<Finding> {
    let side = |side: u32| if side == 0 { "base" } else { "new side" };
    let failed = comparison.failed.iter();
    let failed = failed.map(|f| format!("{}: failed on the {}: {}", f.name, side(f.side), f.failure.cause.text()));
    let why = |name: &String| match comparison.why_not.get(name) {
        Some(why) => format!("{name}: {why}"),
        None => format!("{name}: not compared"),
    };
    let lost: Vec<String> = failed.chain(comparison.not_measured.iter().map(why)).collect();
    let alone = |names: &[String], side: &str| -> Vec<String> {
        names.iter().map(|name| format!("{name}: only on the {side}")).collect()
    };
    let skipped = comparison.skipped.iter().map(|row| format!("{}: skipped: {}", row.name, row.text()));
    let harmless = [alone(&comparison.only_base, "base"), alone(&comparison.only_new, "new side"), skipped.collect()];
    let found = [(Severity::Warning, lost), (Severity::Note, harmless.concat())];
    let said = found.into_iter().filter(|(_, names)| !names.is_empty()).map(|(severity, names)| {
        let evidence = Sentence::new("not in any row: {names}").names("names", names);
        Finding::new(Code::LeftOut, severity, evidence, "compare the files of this machine alone to see them")
    });
    said.collect()
}
