//! The data of charts: cases that are shown together, with their estimates and visits.

use crate::elements::chart::{svg, Tone};
use crate::parts::tabulate::{gaps, measured, ordered};
use crate::words::label::{alike, parameters, whole_name, Naming};
use crate::words::text::clean;
use tare_analysis::{CaseEstimates, CaseReport, CaseTrace, Comparison, ComparisonRow, Report};

#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    pub case: &'a CaseReport,
    pub estimates: &'a CaseEstimates,
    pub trace: Option<&'a CaseTrace>,
}

#[derive(Debug, Clone)]
pub struct Named<'a> {
    pub name: String,
    pub tone: Tone,
    pub member: Member<'a>,
}

#[derive(Debug, Clone)]
pub struct Panel<'a> {
    pub title: String,
    pub members: Vec<Named<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub report: &'a Report,
    pub traces: &'a [CaseTrace],
}

impl<'a> Source<'a> {
    pub fn member(&self, case: u32) -> Option<Member<'a>> {
        let report = self.report.cases.get(case as usize)?;
        let trace = self.traces.iter().find(|trace| trace.case == case);
        Some(Member { case: report, estimates: measured(report)?, trace })
    }

    pub fn base_of(&self, member: &Member<'a>) -> Option<Member<'a>> {
        self.member(member.estimates.ratio.as_ref()?.baseline)
    }

    pub fn pair(&self, row: &ComparisonRow) -> Option<[Member<'a>; 2]> {
        let is_new = |case: &&CaseReport| case.key == row.key && measured(case).is_some_and(|e| e.ratio.is_some());
        let new = self.report.cases.iter().find(is_new).filter(|_| row.metric.is_none())?;
        let new = self.member(new.case)?;
        Some([self.base_of(&new)?, new])
    }
}

/// The parameters of each case, `n=10, kind=sorted`, if cases with equal ones are adjacent and compared with each other.
pub(crate) fn sets(cases: &[&CaseReport]) -> Option<Vec<String>> {
    let compared = cases.iter().filter_map(|case| measured(case)).any(|e| e.ratio.is_some());
    let is_parted = gaps(cases, compared).contains(&true);
    let (varying, _) = parameters(cases);
    let set = |case: &&CaseReport| {
        let own = case.parameters.iter().filter(|p| varying.contains(&p.name));
        clean(&own.map(|p| format!("{}={}", p.name, p.value)).collect::<Vec<String>>().join(", "))
    };
    is_parted.then(|| cases.iter().map(set).collect())
}

/// Most cases on one axis that can be told apart.
const TOGETHER_MAX: usize = svg::TONES;
/// Largest ratio of two times on a linear axis: beyond it the short ones are indistinguishable.
const RATIO_MAX: f64 = 8.0;

/// Whether times differ so much that the axis must be logarithmic.
pub(crate) fn need_ratios<'a>(members: impl IntoIterator<Item = &'a Named<'a>>) -> bool {
    let sizes = members.into_iter().map(|named| named.member.estimates.centre_ns);
    let (least, most) = sizes.fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
    least > 0.0 && most > RATIO_MAX * least
}

/// The groups of a run, with compared cases on one axis. Large groups are split, first by parameters.
pub(crate) fn panels_of_run<'a>(source: &Source<'a>) -> Vec<Panel<'a>> {
    let naming = Naming::of(source.report);
    let mut panels = Vec::new();
    for group in &source.report.groups {
        let members: Vec<Member> =
            ordered(source.report, group).into_iter().filter_map(|case| source.member(case.case)).collect();
        let cases: Vec<&CaseReport> = members.iter().map(|member| member.case).collect();
        let sets = sets(&cases).filter(|_| members.len() > TOGETHER_MAX);
        let of = |at: usize| sets.as_ref().map(|sets| sets[at].as_str());
        for set in alike(members.into_iter().enumerate(), |(at, _)| of(*at)) {
            let parameters = of(set[0].0);
            let own: Vec<Member> = set.into_iter().map(|(_, member)| member).collect();
            let parts = own.chunks(TOGETHER_MAX);
            panels.extend(parts.map(|part| panel(source.report, naming, &group.name, part, parameters)));
        }
    }
    panels
}

/// A part of a group; `set`: the parameters that its cases share.
fn panel<'a>(report: &Report, naming: Naming, group: &str, part: &[Member<'a>], set: Option<&str>) -> Panel<'a> {
    let name = |m: &Member| {
        let name = if set.is_some() { clean(&m.case.name) } else { whole_name(m.case) };
        naming.within(report, m.case, &name)
    };
    let title = match (part, set) {
        ([one], _) => naming.label(report, one.case.case),
        (_, set) if group.is_empty() => set.unwrap_or("benchmarks without a group").to_owned(),
        (_, Some(set)) => format!("{}[{set}]", clean(group)),
        _ => clean(group),
    };
    let named = part.iter().enumerate().map(|(n, m)| Named { name: name(m), tone: Tone::Nth(n), member: *m });
    Panel { title, members: named.collect() }
}

pub(crate) fn panels_of_comparison<'a>(comparison: &Comparison, source: &Source<'a>) -> Vec<Panel<'a>> {
    let labels = comparison.labels();
    let panel = |row: &ComparisonRow| {
        let pair = source.pair(row)?;
        Some(Panel { title: clean(&labels.of(row)), members: sides(comparison, pair) })
    };
    comparison.rows.iter().filter_map(panel).collect()
}

pub(crate) fn sides<'a>(comparison: &Comparison, [base, new]: [Member<'a>; 2]) -> Vec<Named<'a>> {
    vec![
        Named { name: clean(&comparison.base.name), tone: Tone::Base, member: base },
        Named { name: clean(&comparison.new.name), tone: Tone::New, member: new },
    ]
}
