//! `tare.toml`: a project's settings, which the command line overrides. `docs/reference/config.md` has the table of settings.

use crate::diagnose::KnownDiagnosers;
use crate::failure::Failure;
use crate::jobs::{self, JobTable, Words};
use crate::units;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io::ErrorKind;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tare_analysis::gate::{CountLimit, Limit, Rule};
use tare_diagnose::External;
use tare_harness::Declared;
use tare_model::Metric;

const NAME: &str = "tare.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct Config {
    pub run: RunTable,
    pub build: BuildTable,
    pub compare: CompareTable,
    pub gate: GateTable,
    pub jobs: BTreeMap<String, JobTable>,
    pub history: HistoryTable,
    /// Commands that run scripts, by file suffix.
    pub interpreters: BTreeMap<String, Words>,
    /// Other harnesses and how to run their files, by name.
    pub harness: BTreeMap<String, Declared>,
    pub diagnosers: BTreeMap<String, DiagnoserTable>,
    /// Limits of the cost of benchmarks, by pattern.
    pub limits: BTreeMap<String, LimitTable>,
    #[serde(skip)]
    path: PathBuf,
    /// Its lines as written, by full name.
    #[serde(skip)]
    lines: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct RunTable {
    pub budget: Option<Budget>,
    pub precision: Option<Narrow>,
    pub timeout: Option<Duration>,
    pub min_effect: Option<Share>,
    #[serde(deserialize_with = "several")]
    pub jobs: Vec<String>,
    #[serde(deserialize_with = "several")]
    pub diagnose: Vec<String>,
    #[serde(deserialize_with = "several")]
    pub counters: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct BuildTable {
    pub cxx: Option<String>,
    pub cc: Option<String>,
    pub flags: Words,
    pub features: Words,
    pub align: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct CompareTable {
    pub budget: Option<Budget>,
    pub layouts: Option<Layouts>,
    pub threshold: Option<Share>,
    pub noise: Option<Time>,
    pub prepare: Option<String>,
    pub rename: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct GateTable {
    #[serde(deserialize_with = "several")]
    pub fail_on: Vec<RuleText>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct HistoryTable {
    /// Whether every finished run is added to the history.
    pub record: bool,
    /// The database of the history; without it `.tare/history.db`.
    pub url: Option<String>,
    /// Address prefix for showing a commit on the web.
    #[serde(alias = "commit_url")]
    pub commit_url: Option<String>,
    /// The project's name in a shared history.
    pub project: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table such as `{ command = [\"./calls.py\"] }`")]
pub struct DiagnoserTable {
    pub command: Words,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table such as `{ time = \"250 ns\" }`")]
pub struct LimitTable {
    time: Option<Time>,
    ratio: Option<Ratio>,
    allocations: Option<Count>,
    bytes: Option<Count>,
    instructions: Option<Count>,
}

impl DiagnoserTable {
    fn fault(&self, name: &str) -> Option<String> {
        if !Metric::is_name(name) {
            return Some(format!("the name of a diagnoser {}; not `{name}`", Metric::NAME_RULE));
        }
        if tare_diagnose::entry(name).is_some() {
            return Some(format!("`tare` has a diagnoser `{name}`: use another name"));
        }
        self.command.0.is_empty().then(|| format!("the `command` of the diagnoser `{name}` is empty"))
    }
}

/// A list, or a single text in its place.
fn several<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Several<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Several<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a list of texts")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<T>, E> {
            T::deserialize(text.to_owned().into_deserializer()).map(|one| vec![one])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }
    from.deserialize_any(Several(PhantomData))
}

/// Texts of the file that are parsed like the command line's, so that both mean the same.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($of:ty) = $read:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(pub $of);

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let read: fn(&str) -> Result<$of, String> = $read;
                read(&text).map($name)
            }
        }
    )*};
}

texts! {
    Duration(f64) = units::timeout_s;
    /// Seconds in total or per case.
    Budget(tare_engine::Budget) = units::budget;
    /// A share of a time, or a time.
    Narrow(tare_engine::Precision) = units::precision;
    Share(f64) = units::share;
    Time(f64) = units::time_ns;
    RuleText(Rule) = |text| text.parse();
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Layouts(pub u32);

impl TryFrom<i64> for Layouts {
    type Error = String;

    fn try_from(count: i64) -> Result<Layouts, String> {
        units::layouts(&count.to_string()).map(Layouts)
    }
}

/// What is counted, at most.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Count(f64);

impl TryFrom<f64> for Count {
    type Error = &'static str;

    fn try_from(most: f64) -> Result<Count, &'static str> {
        (0.0..f64::INFINITY).contains(&most).then_some(Count(most)).ok_or("a limit must be a number of at least 0")
    }
}

/// `2`, `1.5` or `"2 x baseline"`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "RatioText")]
pub struct Ratio(f64);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text such as \"2 x baseline\"")]
enum RatioText {
    Number(f64),
    Text(String),
}

impl TryFrom<RatioText> for Ratio {
    type Error = String;

    fn try_from(value: RatioText) -> Result<Ratio, String> {
        match value {
            RatioText::Number(ratio) if ratio > 0.0 && ratio.is_finite() => Ok(Ratio(ratio)),
            RatioText::Number(_) => Err("a ratio must be greater than 0".to_owned()),
            RatioText::Text(text) => Limit::ratio_of(&text).map(Ratio).map_err(|error| error.to_string()),
        }
    }
}

impl Config {
    /// The file in the nearest folder at or above `folder`, within the same working copy; without one, the defaults.
    pub fn find(folder: &Path) -> Result<Config, Failure> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        for above in folder.ancestors() {
            let path = above.join(NAME);
            // One that cannot be read is there too.
            if path.symlink_metadata().is_ok() {
                return Config::read(&path);
            }
            if above.join(".git").exists() {
                break;
            }
        }
        Ok(Config::default())
    }

    fn read(path: &Path) -> Result<Config, Failure> {
        let reason = |error: std::io::Error| match error.kind() {
            ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
            _ => error.to_string(),
        };
        let text = tare_store::read_text(path)
            .map_err(|error| Failure::Config { path: path.to_owned(), reason: reason(error) })?;
        Config::parse(&text, path)
    }

    pub fn parse(text: &str, path: &Path) -> Result<Config, Failure> {
        let wrong = |reason: String| Failure::Config { path: path.to_owned(), reason };
        let mut config: Config =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let has_limit = |l: &LimitTable| {
            let counted = [l.allocations, l.bytes, l.instructions].iter().any(Option::is_some);
            counted || l.time.is_some() || l.ratio.is_some()
        };
        let no_limit = config.limits.iter().find(|(_, limit)| !has_limit(limit)).map(|(pattern, _)| {
            format!("the limit for `{pattern}` is empty: set `time`, `ratio`, `allocations`, `bytes` or `instructions`")
        });
        let is_web = |url: &&String| ["https://", "http://"].iter().any(|start| url.starts_with(start));
        let no_web = config.history.commit_url.as_ref().filter(|url| !is_web(url));
        let no_web = no_web.map(|url| format!("`history.commit-url` begins with `https://`; not `{url}`"));
        let no_command = || config.interpreters.iter().find(|(_, command)| command.0.is_empty());
        let fault = no_limit
            .or(no_web)
            .or_else(|| config.diagnosers.iter().find_map(|(name, table)| table.fault(name)))
            .or_else(|| {
                let wrong = |(name, table): (&String, &Declared)| Some(format!("`harness.{name}`: {}", table.wrong()?));
                config.harness.iter().find_map(wrong)
            })
            .or_else(|| no_command().map(|(suffix, _)| format!("the interpreter of `{suffix}` is empty")));
        if let Some(reason) = fault {
            return Err(wrong(reason));
        }
        // `.rb` is the same extension.
        let suffix = |name: String| name.trim_start_matches('.').to_owned();
        config.interpreters = config.interpreters.into_iter().map(|(name, words)| (suffix(name), words)).collect();
        config.path = path.to_owned();
        config.lines = toml::from_str(text).map(|table| flat("", table)).unwrap_or_default();
        let folder = config.folder().to_owned();
        config.jobs.values_mut().for_each(|job| jobs::place_in(&mut job.0, &folder));
        Ok(config)
    }

    /// The line with this name; for a name that ends with a dot, all lines below it.
    pub fn lines(&self, name: &str) -> impl Iterator<Item = (String, String)> + '_ {
        let name = name.to_owned();
        let is_meant = move |line: &str| line == name || (name.ends_with('.') && line.starts_with(&name));
        let lines = self.lines.iter().filter(move |(line, _)| is_meant(line));
        lines.map(|(line, text)| (line.clone(), text.clone()))
    }

    /// The folder of the file, to which its paths are relative.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub fn diagnosers(&self) -> KnownDiagnosers {
        let external = |(name, table): (&String, &DiagnoserTable)| {
            (name.clone(), External::new(name, table.command.0.clone(), self.folder()))
        };
        self.diagnosers.iter().map(external).collect()
    }

    pub fn limits(&self) -> Vec<Limit> {
        let limit = |(pattern, table): (&String, &LimitTable)| Limit {
            pattern: pattern.clone(),
            time_ns: table.time.map(|t| t.0),
            ratio: table.ratio.map(|r| r.0),
            allocations: table.allocations.map(|most| most.0),
            bytes: table.bytes.map(|most| most.0),
            counts: table.instructions.map(|most| CountLimit::new("instructions", most.0)).into_iter().collect(),
        };
        self.limits.iter().map(limit).collect()
    }
}

/// The lines of a table by full name: `run.budget`.
fn flat(above: &str, table: toml::Table) -> BTreeMap<String, String> {
    fn text(value: &toml::Value) -> String {
        match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(is) => is.to_string(),
            toml::Value::Datetime(time) => time.to_string(),
            toml::Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
            // The lines of the table have their own names.
            toml::Value::Table(_) => String::new(),
        }
    }
    let mut lines = BTreeMap::new();
    for (name, value) in table {
        let name = format!("{above}{name}");
        match value {
            toml::Value::Table(table) => lines.extend(flat(&format!("{name}."), table)),
            value => _ = lines.insert(name, text(&value)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("tare.toml")).map_err(|failure| failure.causes().join("\n"))
    }

    #[test]
    fn everything_that_may_stand_in_it() {
        let config = parse(
            r#"
            [run]
            budget = "30s"
            precision = "0.5%"
            timeout = "2min"
            min-effect = "2%"
            jobs = ["fast", "-O3"]
            [jobs.fast]
            flags = ["-O3", "-DX=a b"]
            args = ["two words", ""]
            env = { A = 1 }
            nice = 5
            [build]
            cxx = "clang++"
            cc = "clang"
            flags = "-O3 -DX='a b'"
            features = ["A_BENCH"]
            align = false
            [compare]
            budget = "5s/case"
            layouts = 4
            threshold = "2%"
            noise = "0.3 ns"
            rename = { "a/old" = "a/new" }
            [gate]
            fail-on = ["slower:3%", "limit"]
            [history]
            record = true
            url = "postgres://ci@db.example/bench"
            project = "parser"
            [interpreters]
            py = "python3 -O"
            ".rb" = ["ruby", "--yjit"]
            [diagnosers.calls]
            command = "python3 calls.py"
            [limits]
            "parse/*" = { time = "250 ns", ratio = "2 x baseline", allocations = 0 }
            "sort/*" = { ratio = 1.5, bytes = 64 }
            "#,
        )
        .expect("a configuration");
        assert_eq!(
            (config.run.budget, config.run.min_effect),
            (Some(Budget(tare_engine::Budget::Total(30.0))), Some(Share(0.02)))
        );
        assert_eq!(config.compare.budget, Some(Budget(tare_engine::Budget::PerCase(5.0))));
        assert_eq!(config.gate.fail_on[0].0, Rule::Slower { from: Some(0.03) });
        assert!(config.history.record);
        assert_eq!(config.history.url.as_deref(), Some("postgres://ci@db.example/bench"));
        assert_eq!(config.history.project.as_deref(), Some("parser"));
        assert_eq!(config.interpreters["py"].0, ["python3", "-O"]);
        assert_eq!(config.interpreters["rb"].0, ["ruby", "--yjit"]);
        // A text is split as in a shell; the items of a list are words, here and in jobs.
        assert_eq!(config.build.flags.0, ["-O3", "-DX=a b"]);
        assert_eq!(config.build.features.0, ["A_BENCH"]);
        let listed = parse("[build]\nflags = [\"-O3\", \"-DX=a b\"]").expect("a configuration");
        assert_eq!(listed.build.flags, config.build.flags);
        assert_eq!(config.diagnosers["calls"].command.0, ["python3", "calls.py"]);
        let fast = &config.jobs["fast"].0;
        assert_eq!((fast.nice, fast.environment.len()), (Some(5), 1));
        // Items of a list are not split again.
        assert_eq!((fast.flags.join("|"), fast.arguments.join("|")), ("-O3|-DX=a b".into(), "two words|".into()));
        let limits = config.limits();
        assert_eq!((limits[0].time_ns, limits[0].ratio, limits[0].allocations), (Some(250.0), Some(2.0), Some(0.0)));
        assert_eq!((limits[1].ratio, limits[1].bytes), (Some(1.5), Some(64.0)));
        let one = parse("[run]\njobs = \"a: -O2 -g\"\n[gate]\nfail-on = \"slower:3%\"").expect("a configuration");
        assert_eq!((one.run.jobs, one.gate.fail_on.len()), (vec!["a: -O2 -g".to_owned()], 1));
        assert!(parse("").is_ok());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, words) in [
            ("[run]\nbudgit = \"3s\"", &["line 2", "budgit", "budget"][..]),
            ("[run]\nbudget = \"3\"", &["line 2", "needs a unit"]),
            ("[run]\nmin-effect = \"1\"", &["line 2", "percent sign"]),
            ("[limits]\n\"a\" = { tmie = \"3 ns\" }", &["line 2", "tmie"]),
            ("[limits]\n\"a\" = {}", &["`a` is empty"]),
            ("[limits]\n\"a\" = \"3 ns\"", &["line 2", "expected a table such as `{ time = \"250 ns\" }`"]),
            ("[compare]\nlayouts = 0", &["line 2", "it must be a whole number from 1 to 64"]),
            ("run = 3", &["line 1", "expected a table"]),
            ("[limits]\n\"a\" = { ratio = 0 }", &["line 2", "greater than 0"]),
            ("[gate]\nfail-on = [\"slow\"]", &["line 2", "`slower`"]),
            ("[gate]\nfail-on = \"slow\"", &["line 2", "`slower`"]),
            ("[gate]\nfail-on = true", &["line 2", "expected a text or a list of texts"]),
            ("[limits]\n\"a\" = { allocations = nan }", &["line 2", "a number of at least 0"]),
            ("[limits]\n\"a\" = { bytes = -1 }", &["line 2", "a number of at least 0"]),
            ("[jobs.a]\nenv = { A = true }", &["line 1", "`A` of `env`"]),
            ("[build]\nflags = 3", &["line 2", "expected a text or a list of texts"]),
            ("[jobs.a]\nniec = 3", &["line 1", "`niec`", "nice"]),
            ("[jobs.a]\nnice = true", &["line 1", "`nice` must be a text or a number"]),
            ("[build]\nflags = \"-O3 'x\"", &["line 2", "closing quote"]),
            ("[jobs.a]\ncpus = \"x\"", &["line 1", "`cpus`", "not a list of processors"]),
            ("[diagnosers.memory]\ncommand = \"x\"", &["`tare` has a diagnoser `memory`"]),
            ("[diagnosers.Two]\ncommand = \"x\"", &["lower-case letters", "`Two`"]),
            ("[diagnosers.a]\ncommand = []", &["`a` is empty"]),
            ("[diagnosers.a]\n", &["line 1", "command"]),
            ("[run", &["line 1"]),
        ] {
            let error = parse(text).expect_err(text);
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
    }
}
