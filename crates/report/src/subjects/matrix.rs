//! Several machines beside each other.

use super::{ComparisonSubject, Picture, Subject, SubjectKind};
use crate::comparison::{matrix_csv, matrix_json};
use crate::exporters::Presentation;
use crate::values::Values;
use crate::{Document, Medium};
use tare_analysis::gate::{judge_matrix, Fits, Gate, Judgement};
use tare_analysis::{Comparison, Matrix};

/// Several machines, their comparisons, and those that lack a side, and which.
#[derive(Debug, Clone)]
pub struct MatrixSubject<'a> {
    pub matrix: &'a Matrix,
    pub compared: &'a [(String, Comparison)],
    /// What has one side alone.
    pub gone: Vec<(String, &'static str)>,
}

const KIND: SubjectKind = SubjectKind { name: "machines", ..*ComparisonSubject::SAVED };

pub(super) const WHAT_DECIDES: &str =
    "measure what is missing (use `--rename OLD=NEW` or `--exclude NAME` for benchmarks that were renamed or \
     removed); decide the rest by measuring both sides again";

impl Subject for MatrixSubject<'_> {
    fn kind(&self) -> &'static SubjectKind {
        &KIND
    }

    fn title(&self) -> String {
        "Tare: several machines".to_owned()
    }

    fn document(&self, shown: &Presentation, medium: &Medium) -> Document {
        Document::of_matrix(self.matrix, shown.judgement.as_ref(), medium)
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        values.is_of_rows = true;
        self.compared.iter().for_each(|(machine, comparison)| values.compared(comparison, machine));
    }

    fn json(&self, _: &Presentation) -> String {
        matrix_json(self.matrix)
    }

    fn csv(&self) -> String {
        matrix_csv(self.matrix)
    }

    fn dots(&self) -> Picture {
        Picture { title: "every case with its 95 % interval", charts: Vec::new(), why: None }
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement {
        judge_matrix(self.compared, &self.gone, gate, fits)
    }

    fn what_decides(&self) -> &'static str {
        WHAT_DECIDES
    }

    fn comparisons(&self) -> Vec<&Comparison> {
        self.compared.iter().map(|(_, comparison)| comparison).collect()
    }
}
