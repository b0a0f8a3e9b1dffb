//! The settings of a job, by the names shared by `tare.toml` and the command line.

use super::huge_pages;
use crate::units;
use serde::Deserialize;
use std::collections::BTreeMap;
use tare_model::{Job, Setting, Strategy, ToolchainSetting};

/// All settings except environment variables, which have arbitrary names.
pub fn names() -> impl Iterator<Item = &'static str> {
    Setting::names().filter(|name| *name != "env")
}

/// `[jobs.NAME]`, without its name and its base.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct JobTable(pub Job);

/// Several words. A text is split as in a shell; the items of a list are words, which may contain spaces. This holds everywhere in
/// `tare.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WordsText")]
pub struct Words(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum WordsText {
    Text(String),
    List(Vec<String>),
}

impl TryFrom<WordsText> for Words {
    type Error = String;

    fn try_from(value: WordsText) -> Result<Words, String> {
        match value {
            WordsText::Text(text) => units::words(&text).map(Words),
            WordsText::List(list) => Ok(Words(list)),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Number(i64),
    List(Vec<String>),
    Table(BTreeMap<String, toml::Value>),
    Other(toml::Value),
}

impl TryFrom<BTreeMap<String, Value>> for JobTable {
    type Error = String;

    fn try_from(table: BTreeMap<String, Value>) -> Result<JobTable, String> {
        let mut job = Job::default();
        for (name, value) in table {
            match (name.as_str(), value) {
                ("env", Value::Table(variables)) => {
                    job.environment = variables.into_iter().map(variable).collect::<Result<_, _>>()?;
                }
                ("env", _) => return Err("`env` must be a table: env = { NAME = \"value\" }".to_owned()),
                (name, Value::Text(text)) => set(&mut job, name, &text)?,
                (name, Value::Number(number)) => set(&mut job, name, &number.to_string())?,
                // Items of a list are not split, as in `Words`.
                ("flags", Value::List(list)) => job.flags.extend(list),
                ("args", Value::List(list)) => job.arguments.extend(list),
                ("wrapper", Value::List(list)) => job.runtime = list,
                (name, Value::Other(other)) => {
                    return Err(format!("`{name}` must be a text or a number, not `{other}`"))
                }
                (name, _) => return Err(format!("`{name}` must be one text or number")),
            }
        }
        Ok(JobTable(job))
    }
}

fn variable((name, value): (String, toml::Value)) -> Result<(String, String), String> {
    match value {
        toml::Value::String(text) => Ok((name, text)),
        toml::Value::Integer(number) => Ok((name, number.to_string())),
        other => Err(format!("`{name}` of `env` must be a text or a whole number, not `{other}`")),
    }
}

/// The setting that chooses a compiler or runtime by a single word such as `clang-19`.
pub fn of_word(word: &str) -> Option<&'static ToolchainSetting> {
    ToolchainSetting::all().find(|setting| (setting.is_value)(word))
}

pub fn set(job: &mut Job, name: &str, value: &str) -> Result<(), String> {
    if value.trim().is_empty() {
        return Err(format!("`{name}` is empty"));
    }
    let own = value.to_owned();
    let about = |why: String| format!("`{name}`: {why}");
    let words = |value: &str| units::words(value).map_err(about);
    if let Some(setting) = ToolchainSetting::named(name) {
        let chosen = (setting.read)(value)?;
        job.toolchain.extend(chosen.into_iter().map(|(language, by)| (language.to_owned(), by)));
        return Ok(());
    }
    match name {
        "flags" => job.flags.extend(words(value)?),
        "target-cpu" => job.target_cpu = Some(own),
        "linker" => job.linker = Some(own),
        "profile" => job.profile = Some(own),
        "allocator" => job.allocator = Some(own),
        "huge-pages" => {
            let pages = huge_pages(value)
                .ok_or_else(|| format!("`huge-pages` must be `on`, `reserved` or `off`, not `{value}`"))?;
            job.huge_pages = Some(pages);
        }
        "args" => job.arguments.extend(words(value)?),
        "wrapper" => job.runtime = words(value)?,
        "dir" => job.directory = Some(own),
        "cpus" => job.processors = processors(value).map_err(about)?,
        "nice" => {
            let nice = value.parse().ok().filter(|nice| (-20..=19).contains(nice));
            job.nice = Some(nice.ok_or_else(|| about("a priority must be a number from -20 to 19".to_owned()))?);
        }
        "strategy" => {
            let strategy = tare_model::named(value).filter(|strategy| *strategy != Strategy::Process);
            job.strategy =
                Some(strategy.ok_or_else(|| about("it must be throughput, monitoring or cold-start".to_owned()))?);
        }
        "invocations" => {
            let count = value.parse().ok().filter(|count| *count > 0);
            job.policy.invocations =
                Some(count.ok_or_else(|| about("it must be a whole number of at least 1".to_owned()))?);
        }
        "warm-up" => {
            job.policy.warmup_ns = Some(if is_zero(value) { 0.0 } else { units::visit_ns(value).map_err(about)? })
        }
        "visit" => job.policy.visit_ns = Some(units::visit_ns(value).map_err(about)?),
        _ => {
            return Err(format!(
                "no setting of a job is called `{name}`: use {} or env",
                names().collect::<Vec<_>>().join(", ")
            ))
        }
    }
    Ok(())
}

fn is_zero(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim().parse::<f64>().is_ok_and(|number| number == 0.0)
}

/// The numbers of `0-2,5`, sorted and without duplicates.
fn processors(text: &str) -> Result<Vec<u32>, String> {
    /// More than any machine has.
    const MOST: u32 = 4095;
    let wrong = || format!("`{text}` is not a list of processors, such as `2` or `0-3,6`");
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n <= MOST).ok_or_else(wrong);
    let mut all = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(wrong());
        }
        all.extend(first..=last);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
