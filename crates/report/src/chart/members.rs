//! What charts are made of: the cases that are looked at together, each with its estimates and its visits.

use super::Tone;
use crate::clean;
use crate::label::Naming;
use crate::tabulate::measured;
use tare_analysis::{CaseEstimates, CaseReport, CaseTrace, Comparison, ComparisonRow, Report};

/// A case in a chart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'a> {
    pub case: &'a CaseReport,
    pub estimates: &'a CaseEstimates,
    pub trace: Option<&'a CaseTrace>,
}

/// A member with what it is called in the chart.
#[derive(Debug, Clone)]
pub(crate) struct Named<'a> {
    pub name: String,
    pub tone: Tone,
    pub member: Member<'a>,
}

/// Cases on one axis.
#[derive(Debug, Clone)]
pub(crate) struct Panel<'a> {
    pub title: String,
    pub members: Vec<Named<'a>>,
}

/// A report with the visits of its cases, where they are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub report: &'a Report,
    pub traces: &'a [CaseTrace],
}

impl<'a> Source<'a> {
    /// A case by its index, if it was measured.
    pub fn member(&self, case: u32) -> Option<Member<'a>> {
        let report = self.report.cases.get(case as usize)?;
        let trace = self.traces.iter().find(|trace| trace.case == case);
        Some(Member { case: report, estimates: measured(report)?, trace })
    }

    /// The case that another is compared with.
    pub fn base_of(&self, member: &Member<'a>) -> Option<Member<'a>> {
        self.member(member.estimates.ratio.as_ref()?.baseline)
    }

    /// Both sides of a row that compares a time.
    pub fn pair(&self, row: &ComparisonRow) -> Option<[Member<'a>; 2]> {
        let is_new = |case: &&CaseReport| case.key == row.key && measured(case).is_some_and(|e| e.ratio.is_some());
        let new = self.report.cases.iter().find(is_new).filter(|_| row.metric.is_none())?;
        let new = self.member(new.case)?;
        Some([self.base_of(&new)?, new])
    }
}

/// The groups of a run. Cases of very different size are parted, since none could be seen on one axis.
pub(crate) fn panels_of_run<'a>(source: &Source<'a>) -> Vec<Panel<'a>> {
    const TOGETHER_MAX: usize = super::svg::TONES;
    const RATIO_MAX: f64 = 8.0;
    let naming = Naming::of(source.report);
    let mut panels = Vec::new();
    for group in &source.report.groups {
        let members: Vec<Member> = group.cases.iter().filter_map(|&case| source.member(case)).collect();
        let size = |m: &Member| m.estimates.centre_ns;
        let (least, most) =
            members.iter().map(size).fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
        let each = if most > RATIO_MAX * least { 1 } else { TOGETHER_MAX };
        for part in members.chunks(each) {
            let name = |m: &Member| crate::parameters::full_name(m.case, &names(m.case));
            let title = match part {
                [one] => naming.label(source.report, one.case.case),
                _ if group.name.is_empty() => "benchmarks without a group".to_owned(),
                _ => clean(&group.name),
            };
            let named = part.iter().enumerate().map(|(n, m)| Named { name: name(m), tone: Tone::Nth(n), member: *m });
            panels.push(Panel { title, members: named.collect() });
        }
    }
    panels
}

fn names(case: &CaseReport) -> Vec<String> {
    case.parameters.iter().map(|p| p.name.clone()).collect()
}

/// The rows of a comparison that the run holds.
pub(crate) fn panels_of_comparison<'a>(comparison: &Comparison, source: &Source<'a>) -> Vec<Panel<'a>> {
    let labels = comparison.labels();
    let panel = |row: &ComparisonRow| {
        let pair = source.pair(row)?;
        Some(Panel { title: clean(&labels.of(row)), members: sides(comparison, pair) })
    };
    comparison.rows.iter().filter_map(panel).collect()
}

/// Both sides by their names.
pub(crate) fn sides<'a>(comparison: &Comparison, [base, new]: [Member<'a>; 2]) -> Vec<Named<'a>> {
    vec![
        Named { name: clean(&comparison.base.name), tone: Tone::Base, member: base },
        Named { name: clean(&comparison.new.name), tone: Tone::New, member: new },
    ]
}
