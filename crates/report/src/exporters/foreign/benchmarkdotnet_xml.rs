//! BenchmarkDotNet's XML, full and brief: what its JSON holds, with the few differences that it has.

use super::benchmarkdotnet::{summary, Form, Tree};
use super::values;
use super::xml::{element, HEAD};
use crate::exporters::{Exporter, Needs, NoResult, Rendered};

pub(crate) const FULL: Exporter = Exporter {
    name: "bdn-full-xml",
    extension: ".bdn-full.xml",
    about: "XML as BenchmarkDotNet writes it, full",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(document(&summary(&values(shown), Form::Xml, true))),
    render_failure,
};

pub(crate) const BRIEF: Exporter = Exporter {
    name: "bdn-brief-xml",
    extension: ".bdn-brief.xml",
    about: "XML as BenchmarkDotNet writes it, brief",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(document(&summary(&values(shown), Form::Xml, false))),
    render_failure,
};

fn render_failure(failure: &NoResult) -> String {
    let fields = vec![
        ("Title", Tree::Text(crate::clean(&failure.error))),
        ("Benchmarks", Tree::List("BenchmarkCase", Vec::new())),
    ];
    document(&Tree::Object(fields))
}

fn document(root: &Tree) -> String {
    let mut text = HEAD.to_owned();
    write("Summary", root, 0, &mut text);
    text
}

fn write(name: &str, tree: &Tree, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let children: Vec<(&str, &Tree)> = match tree {
        Tree::List(item, items) => items.iter().map(|tree| (*item, tree)).collect(),
        Tree::Object(fields) => fields.iter().map(|(name, tree)| (*name, tree)).collect(),
        Tree::Null => Vec::new(),
        Tree::Text(text) if text.is_empty() => Vec::new(),
        leaf => {
            out.push_str(&format!("{indent}{}\n", element(name, &leaf_text(leaf))));
            return;
        }
    };
    if children.is_empty() {
        out.push_str(&format!("{indent}<{name} />\n"));
        return;
    }
    out.push_str(&format!("{indent}<{name}>\n"));
    for (name, child) in children {
        write(name, child, depth + 1, out);
    }
    out.push_str(&format!("{indent}</{name}>\n"));
}

/// Values as .NET writes them.
fn leaf_text(leaf: &Tree) -> String {
    match leaf {
        Tree::Bool(true) => "True".to_owned(),
        Tree::Bool(false) => "False".to_owned(),
        Tree::Number(value) if value.is_nan() => "NaN".to_owned(),
        Tree::Number(value) => value.to_string(),
        Tree::Integer(value) => value.to_string(),
        Tree::Text(text) => text.clone(),
        Tree::Null | Tree::List(..) | Tree::Object(_) => String::new(),
    }
}
