//! What a job may set, by the names of `tare.toml`, which the command line shares.

use super::huge_pages;
use crate::units;
use serde::Deserialize;
use std::collections::BTreeMap;
use tare_model::{Job, Setting, Strategy};

/// Every setting but the environment, whose variables have names of their own.
pub fn names() -> impl Iterator<Item = &'static str> {
    Setting::ORDER.into_iter().filter(|name| *name != "env")
}

/// `[jobs.NAME]`, without its name and over nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct JobTable(pub Job);

/// Several words: a text is split as in a shell, the items of a list are words already, which may hold spaces. The same everywhere in
/// `tare.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WordsText")]
pub struct Words(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
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

/// What may stand behind a name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Number(i64),
    List(Vec<String>),
    Table(BTreeMap<String, String>),
    Other(toml::Value),
}

impl TryFrom<BTreeMap<String, Value>> for JobTable {
    type Error = String;

    fn try_from(table: BTreeMap<String, Value>) -> Result<JobTable, String> {
        let mut job = Job::default();
        for (name, value) in table {
            match (name.as_str(), value) {
                ("env", Value::Table(variables)) => job.environment = variables,
                ("env", _) => return Err("`env` must be a table: env = { NAME = \"value\" }".to_owned()),
                (name, Value::Text(text)) => set(&mut job, name, &text)?,
                (name, Value::Number(number)) => set(&mut job, name, &number.to_string())?,
                // As `Words` has it.
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

/// A compiler by its usual name, with or without a version, for another C library or system, or in a folder: `clang-19`, `musl-gcc`,
/// `/opt/bin/aarch64-linux-gnu-g++-13`.
pub fn is_compiler(word: &str) -> bool {
    let is_version = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let file = word.rsplit('/').next().unwrap_or(word);
    let name = file.rsplit_once('-').filter(|(_, version)| is_version(version)).map_or(file, |(name, _)| name);
    let family = name.rsplit_once('-').map_or(name, |(_, family)| family);
    ["clang++", "clang", "g++", "gcc"].contains(&family)
}

/// The compilers of C++ and of C that belong together. The name is looked for in file names alone: folders may have it too.
fn compilers(text: &str) -> Result<(String, String), String> {
    let mut end = text.len();
    // The last word that is no flag: before it a launcher may stand, such as ccache.
    for word in text.rsplit(char::is_whitespace) {
        let start = end - word.len();
        if !word.starts_with('-') {
            let name = start + word.rfind('/').map_or(0, |at| at + 1);
            // The longer name first: each holds the shorter one of its family.
            for (cxx, c) in [("clang++", "clang"), ("g++", "gcc")] {
                let with = |old: &str, new: &str| {
                    let at = name + text[name..end].rfind(old)?;
                    Some(format!("{}{new}{}", &text[..at], &text[at + old.len()..]))
                };
                if let Some(other) = with(cxx, c) {
                    return Ok((text.to_owned(), other));
                }
                if let Some(other) = with(c, cxx) {
                    return Ok((other, text.to_owned()));
                }
            }
        }
        // What stands between two words is one character, which may be longer than a byte.
        end = text[..start].char_indices().next_back().map_or(0, |(at, _)| at);
    }
    Err(format!("`{text}` is neither gcc nor clang: name its language with `cxx` or `cc`"))
}

/// Sets what has this name.
pub fn set(job: &mut Job, name: &str, value: &str) -> Result<(), String> {
    if value.trim().is_empty() {
        return Err(format!("`{name}` is empty"));
    }
    let own = value.to_owned();
    let about = |why: String| format!("`{name}`: {why}");
    let words = |value: &str| units::words(value).map_err(about);
    match name {
        "compiler" => {
            let (cxx, c) = compilers(value)?;
            job.toolchain.insert("c++".to_owned(), cxx);
            job.toolchain.insert("c".to_owned(), c);
        }
        "cxx" => drop(job.toolchain.insert("c++".to_owned(), own)),
        "cc" => drop(job.toolchain.insert("c".to_owned(), own)),
        "dotnet" => drop(job.toolchain.insert("c#".to_owned(), own)),
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
            let strategy = Strategy::named(value);
            job.strategy =
                Some(strategy.ok_or_else(|| about("it must be throughput, monitoring or cold-start".to_owned()))?);
        }
        "invocations" => {
            let count = value.parse().ok().filter(|count| *count > 0);
            job.policy.invocations =
                Some(count.ok_or_else(|| about("it must be a whole number of at least 1".to_owned()))?);
        }
        "warm-up" => {
            job.policy.warmup_ns =
                Some(if is_zero(value) { 0.0 } else { units::duration_s(value).map_err(about)? * 1e9 })
        }
        "visit" => job.policy.visit_ns = Some(units::duration_s(value).map_err(about)? * 1e9),
        _ => {
            return Err(format!(
                "no setting of a job is called `{name}`: use {} or env",
                names().collect::<Vec<_>>().join(", ")
            ))
        }
    }
    Ok(())
}

/// No warm-up at all.
fn is_zero(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim().parse::<f64>().is_ok_and(|number| number == 0.0)
}

/// Numbers of `0-2,5`, each once and in order.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_compiler_has_the_same_folder_and_the_same_flags() {
        for (text, cxx, c) in [
            ("/opt/gcc-14/bin/gcc", "/opt/gcc-14/bin/g++", "/opt/gcc-14/bin/gcc"),
            ("/opt/g++/bin/clang++-16", "/opt/g++/bin/clang++-16", "/opt/g++/bin/clang-16"),
            ("ccache g++", "ccache g++", "ccache gcc"),
            ("clang --gcc-toolchain=/opt/gcc", "clang++ --gcc-toolchain=/opt/gcc", "clang --gcc-toolchain=/opt/gcc"),
            ("'/opt/my gcc/bin/gcc' -m32", "'/opt/my gcc/bin/g++' -m32", "'/opt/my gcc/bin/gcc' -m32"),
            ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc"),
            ("musl-gcc", "musl-g++", "musl-gcc"),
        ] {
            assert_eq!(compilers(text), Ok((cxx.to_owned(), c.to_owned())), "{text}");
        }
        for text in ["/opt/gcc/bin/icx", "cc -gcc", ""] {
            assert!(compilers(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_compiler_is_known_by_the_end_of_its_name() {
        for name in
            ["gcc", "g++-13", "clang-19.1", "musl-gcc", "x86_64-w64-mingw32-g++", "/opt/bin/riscv64-linux-gnu-gcc-14"]
        {
            assert!(is_compiler(name), "{name}");
        }
        for name in ["icx", "gcc-", "gcc-new", "mygcc", "-gcc.so", "jemalloc", "13"] {
            assert!(!is_compiler(name), "{name}");
        }
    }
}
