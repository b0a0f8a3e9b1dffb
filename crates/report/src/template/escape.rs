//! Values in the text that a template makes, harmless for its kind of file.

use crate::chart::svg;
use crate::clean;
use crate::exporters::csv::quoted;
use crate::exporters::markdown;
use minijinja::value::ValueKind;
use minijinja::{escape_formatter, AutoEscape, Error, Output, State, Value};

pub(super) const MARKUP: &str = "markup";
/// JSON, YAML, JavaScript.
pub(super) const JSON: &str = "json";
/// Fields of CSV.
pub(super) const CSV: &str = "csv";
pub(super) const MARKDOWN: &str = "markdown";
/// Everything else: without control characters.
pub(super) const TEXT: &str = "text";

/// How the values in a file of this name are written.
pub(super) fn of_file(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" | "xhtml" | "xml" | "svg" => MARKUP,
        "json" | "jsonl" | "ndjson" | "yaml" | "yml" | "js" => JSON,
        "csv" | "tsv" => CSV,
        "md" | "markdown" => MARKDOWN,
        _ => TEXT,
    }
}

pub(super) fn format(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    let kind = match state.auto_escape() {
        AutoEscape::Custom(kind) => kind,
        _ => match value.as_str().filter(|_| !value.is_safe()) {
            Some(text) => return out.write_str(&json(text)).map_err(Error::from),
            None => return escape_formatter(out, state, value),
        },
    };
    let text = match value.kind() {
        // A value that is not known is an empty field, and no word.
        ValueKind::None => return Ok(()),
        ValueKind::Number | ValueKind::Bool => value.to_string(),
        _ if value.is_safe() => value.to_string(),
        _ => escape(kind, &value.to_string()),
    };
    out.write_str(&text).map_err(Error::from)
}

fn escape(kind: &str, text: &str) -> String {
    match kind {
        MARKUP => svg::escape(text),
        CSV => quoted(text),
        MARKDOWN => markdown::escape(text),
        _ => clean(text),
    }
}

/// A text of JSON with the same characters, none of which does anything on a terminal.
fn json(text: &str) -> String {
    let written = serde_json::Value::from(text).to_string();
    let harmful = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let safe = |c: char| if harmful(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    written.chars().map(safe).collect()
}
