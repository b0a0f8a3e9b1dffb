//! Markdown for GitHub and GitLab.

use super::{Exporter, NoResult, Rendered, Shown, Subject};
use crate::comparison::{comparison_markdown, gate_markdown, matrix_markdown};
use crate::markdown::markdown;

pub(super) const MARKDOWN: Exporter = Exporter {
    name: "md",
    extension: ".md",
    about: "Markdown",
    details: "Markdown for GitHub",
    needs_run: false,
    render: |shown| Rendered::Text(render(shown)),
    render_failure,
};

fn render(shown: &Shown) -> String {
    let gate = || shown.judgement.as_ref().and_then(gate_markdown).map(|text| text + "\n").unwrap_or_default();
    let glyphs = shown.view.glyphs;
    match &shown.subject {
        Subject::Run(_, report) => gate() + &markdown(report, glyphs),
        Subject::Comparison(c, run) => comparison_markdown(&shown.compared(c, run), glyphs),
        Subject::Matrix(matrix, ..) => gate() + &matrix_markdown(matrix, glyphs),
    }
}

fn render_failure(failure: &NoResult) -> String {
    let longest = failure.text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("### Tare: nothing was measured\n\n{fence}text\n{}{fence}\n", failure.text)
}
