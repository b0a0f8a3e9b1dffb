//! What `-v` draws on a screen: the visits of each case below its statistics, and the visits of both sides if a case changed.

use crate::chart::{sides, strip, Named, Source, Tone};
use crate::clean;
use crate::comparison::{rows_of, ORDER};
use crate::document::{Content, Document, Part};
use crate::label::Naming;
use tare_analysis::{CaseTrace, Comparison, Report};

/// Rows of a comparison whose visits are drawn.
const ROWS_MAX: usize = 20;

impl Document {
    /// Adds the visits of each case to its part.
    pub(crate) fn draw_cases(&mut self, report: &Report, traces: &[CaseTrace]) {
        let source = Source { report, traces };
        let naming = Naming::of(report);
        for case in &report.cases {
            let Some(member) = source.member(case.case) else { continue };
            let own = Named { name: clean(&case.name), tone: Tone::Nth(0), member };
            let title = naming.label(report, case.case);
            let part = self.parts.iter_mut().find(|part| part.folded.as_ref() == Some(&title));
            if let (Some(part), Some(chart)) = (part, strip(&[&own])) {
                part.contents.push(Content::Chart(Box::new(chart)));
            }
        }
    }

    /// Adds the visits of both sides of what changed or is unclear, above the next command.
    pub(crate) fn draw_pairs(&mut self, comparison: &Comparison, report: &Report, traces: &[CaseTrace]) {
        let source = Source { report, traces };
        let labels = comparison.labels();
        let rows = ORDER[..3].iter().flat_map(|verdict| rows_of(comparison, *verdict, None).0);
        let drawn = rows.filter_map(|row| {
            let members = sides(comparison, source.pair(row)?);
            let chart = strip(&members.iter().collect::<Vec<_>>())?;
            let heading = Content::Heading(clean(&labels.of(row)));
            Some(Part { folded: None, anchor: None, contents: vec![heading, Content::Chart(Box::new(chart))] })
        });
        let drawn: Vec<Part> = drawn.take(ROWS_MAX).collect();
        let before_next = self.parts.len().saturating_sub(1);
        self.parts.splice(before_next..before_next, drawn);
    }
}
