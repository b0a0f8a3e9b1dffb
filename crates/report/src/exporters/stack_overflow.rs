//! Markdown for Stack Overflow and other places without folded parts: the table as a block of code.

use super::{Exporter, Needs, NoResult, Presentation, Rendered};
use crate::{screen, Content, Medium, View};

pub(super) const STACK_OVERFLOW: Exporter = Exporter {
    name: "stack-overflow",
    extension: ".stackoverflow.md",
    about: "Markdown with the table as a code block",
    common: false,
    needs: Needs::Nothing,
    render: |shown| Rendered::Text(render(shown)),
    render_failure: |failure: &NoResult| indented(&failure.text),
};

const COLUMNS: usize = 100;

fn render(shown: &Presentation) -> String {
    let view = View { columns: COLUMNS, ..shown.view };
    let mut document = shown.document(&Medium { saved: false, ..Medium::screen(&view) });
    // Those who read it did not run the command.
    for part in &mut document.parts {
        part.contents.retain(|content| !matches!(content, Content::Next { .. }));
    }
    document.parts.retain(|part| !part.contents.is_empty());
    let text: String = screen(&document, &view).iter().map(|line| line.plain() + "\n").collect();
    indented(&text)
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}
