//! Names of Google Benchmark: in `family/64/n:8/iterations:100/real_time/threads:2`, arguments and settings follow the name.

use crate::builder::parameter;
use tare_model::Parameter;

#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    pub bare: String,
    pub parameters: Vec<Parameter>,
    /// The full name without settings of the measured amount, which may change although the benchmark does not.
    pub key: String,
    /// The settings that the key leaves out, with a slash before each.
    pub settings: String,
    pub is_real_time: bool,
    /// Whether it selects the CPU time of all threads of the process.
    pub is_process_time: bool,
}

/// Settings of how much is measured rather than what.
pub(super) const HOW_MUCH: [&str; 4] = ["iterations", "repeats", "min_time", "min_warmup_time"];

impl Name {
    pub(super) fn setting(&self, wanted: &str) -> &str {
        let mut all = self.settings.split('/').filter_map(|setting| setting.split_once(':'));
        all.find(|(name, _)| *name == wanted).map_or("not set", |(_, value)| value)
    }
}

/// Splits a name from its end, since the name or a template argument may contain slashes.
pub fn take_apart(full: &str) -> Name {
    let (mut rest, mut parameters, mut kept, mut settings) = (full, Vec::new(), Vec::new(), Vec::new());
    let (mut is_real_time, mut is_process_time) = (false, false);
    while let Some((front, last)) = rest.rsplit_once('/') {
        let (name, value) = last.split_once(':').unwrap_or(("", last));
        if ["real_time", "manual_time"].contains(&last) {
            is_real_time = true;
            kept.push(last);
        } else if last == "process_time" {
            is_process_time = true;
            kept.push(last);
        } else if HOW_MUCH.contains(&name) && is_number(value) {
            settings.push(last);
        } else if is_number(value) && is_identifier(name) {
            parameters.push((name, value));
            kept.push(last);
        } else {
            break;
        }
        rest = front;
    }
    parameters.reverse();
    let named = parameters.into_iter().enumerate().map(|(place, (name, value))| match name {
        "" => parameter(format!("arg{place}"), value),
        _ => parameter(name, value),
    });
    let joined = |words: Vec<&str>| words.into_iter().rev().map(|w| format!("/{w}")).collect::<String>();
    Name {
        bare: rest.to_owned(),
        parameters: named.collect(),
        key: format!("{rest}{}", joined(kept)),
        settings: joined(settings),
        is_real_time,
        is_process_time,
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.parse::<f64>().is_ok()
}

fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' ')
}
