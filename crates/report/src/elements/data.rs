//! Machine-readable data: CSV rows (RFC 4180) and JSON.

use crate::words::text::clean;
use serde::Serialize;
use tare_stats::interval::{Estimate, Interval};

/// A row under construction. Names and values are added together, so they always match.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    pub(crate) names: Vec<String>,
    pub(crate) values: Vec<String>,
}

impl Fields {
    pub fn put(&mut self, name: &str, value: impl ToString) {
        self.names.push(name.to_owned());
        self.values.push(value.to_string());
    }

    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        let places = self.names.iter().zip(&mut self.values);
        places.filter(|(known, _)| *known == name).for_each(|(_, place)| *place = value.to_string());
    }

    pub fn number(&mut self, name: &str, value: Option<f64>) {
        self.put(name, value.map(exact).unwrap_or_default());
    }

    pub fn count(&mut self, name: &str, value: Option<usize>) {
        self.put(name, value.map(|n| n.to_string()).unwrap_or_default());
    }

    pub(crate) fn estimate(&mut self, name: &str, unit: &str, e: Option<&Estimate>) {
        self.number(&format!("{name}{unit}"), e.map(|e| e.value));
        self.number(&format!("{name}_lower{unit}"), e.map(|e| e.interval.lower));
        self.number(&format!("{name}_upper{unit}"), e.map(|e| e.interval.upper));
    }

    pub fn interval(&mut self, name: &str, i: Option<&Interval>) {
        self.number(&format!("{name}_lower"), i.map(|i| i.lower));
        self.number(&format!("{name}_upper"), i.map(|i| i.upper));
    }

    pub(crate) fn header(&self) -> String {
        record(&self.names)
    }

    /// Rows with the same columns, below a header; empty without rows.
    pub fn csv(rows: impl IntoIterator<Item = Fields>) -> String {
        let mut text = String::new();
        for row in rows {
            if text.is_empty() {
                text.push_str(&row.header());
            }
            text.push_str(&record(&row.values));
        }
        text
    }
}

/// The shortest text that parses to the same number; empty for infinite and missing values.
pub(crate) fn exact(value: f64) -> String {
    Some(value).filter(|value| value.is_finite()).map(|value| value.to_string()).unwrap_or_default()
}

/// Quotes a field (RFC 4180). Text that a spreadsheet would take for a formula is prefixed with `'` (OWASP, "CSV Injection"); numbers are
/// unchanged.
pub(crate) fn quoted(field: &str) -> String {
    if field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return field.to_owned();
    }
    let text = clean(field);
    let begins_formula =
        text.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let safe = if begins_formula && text.parse::<f64>().is_err() { format!("'{text}") } else { text };
    if safe.contains(['"', ',', ';']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

pub(crate) fn record(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|f| quoted(f)).collect();
    fields.join(",") + "\r\n"
}

/// A document as JSON with a line end. Infinite interval ends become `null`.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // All keys are strings and the writer is memory, so this cannot fail.
    serde_json::to_string_pretty(document).expect("plain data") + "\n"
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        for (field, cell) in [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("+1+2", "'+1+2"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "' =1"),
            ("\r\n=A1,B1", "\"'  =A1,B1\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("-O2 -g", "'-O2 -g"),
            ("a=b", "a=b"),
            ("-1.5e-7", "-1.5e-7"),
            ("+4", "+4"),
            ("0.25", "0.25"),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("\u{1b}[31mred\u{7}", "red?"),
        ] {
            assert_eq!(quoted(field), cell);
        }
    }
}
