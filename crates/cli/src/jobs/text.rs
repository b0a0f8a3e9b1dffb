//! Jobs as typed: `fast`, `-O3 -march=native`, `'arenas: jemalloc MALLOC_CONF=narenas:1'`.

use super::settings::{self, of_word};
use super::{allocator, unknown, KnownJobs};
use crate::failure::Failure;
use crate::units;
use tare_model::text::nearest;
use tare_model::{Job, LanguageFacts};
use tare_report::clean;

/// Reads a job. A single name is a job of `tare.toml`, a compiler or an allocator. `NAME: SETTINGS` overrides the declared job of this
/// name, if any. Without a name, the text is the name.
pub fn read(text: &str, known: &KnownJobs) -> Result<Job, Failure> {
    let wrong = |why: String| Failure::Usage { what: format!("`--job {}`: {why}", clean(text)), hint: HINT.to_owned() };
    let text = text.trim();
    if text.is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    let (name, rest) = named(text).unwrap_or((text, text));
    let is_name_alone = name == rest;
    let mut job = match known.get(name) {
        Some(declared) => declared.0.clone(),
        None => Job::default(),
    };
    job.id = name.to_owned();
    if is_name_alone && known.contains_key(name) {
        return Ok(job);
    }
    // A compiler or allocator before the colon names the job and is also one of its settings.
    if !is_name_alone && !known.contains_key(name) && (of_word(name).is_some() || allocator::is_known(name)) {
        word(&mut job, name).map_err(wrong)?;
    }
    let words = units::words(rest).map_err(wrong)?;
    if let ([only], true) = (words.as_slice(), is_name_alone) {
        let is_plain = only.chars().all(|c| c.is_alphanumeric() || "_.+-".contains(c)) && !only.starts_with('-');
        if is_plain && of_word(only).is_none() && !allocator::is_known(only) {
            return Err(unknown(only, known));
        }
    }
    let mut words = words.into_iter();
    while let Some(one) = words.next() {
        if one.starts_with('-') {
            let takes_next = LanguageFacts::ALL.iter().any(|facts| facts.flags_with_word.contains(&one.as_str()));
            job.flags.push(one);
            job.flags.extend(if takes_next { words.next() } else { None });
        } else {
            word(&mut job, &one).map_err(wrong)?;
        }
    }
    Ok(job)
}

const HINT: &str = "such as `--job 'fast: -O3 -march=native'`, `--job jemalloc` or `--job 'late: nice=10 VARIABLE=1'`; see `tare help jobs`";

pub(super) fn named(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let fits =
        !name.is_empty() && !name.starts_with('-') && name.chars().all(|c| c.is_alphanumeric() || "_.+-".contains(c));
    fits.then(|| (name, rest.trim()))
}

fn word(job: &mut Job, word: &str) -> Result<(), String> {
    let Some((name, value)) = word.split_once('=') else {
        return match (of_word(word), allocator::is_known(word)) {
            (Some(setting), _) => settings::set(job, setting.name, word),
            (_, true) => settings::set(job, "allocator", word),
            _ => Err(format!("`{}` is neither a flag, a compiler, an allocator nor NAME=VALUE", clean(word))),
        };
    };
    if settings::names().any(|known| known == name) {
        return settings::set(job, name, value);
    }
    // A name in lower case may be a mistyped setting; any other name is a variable.
    let settings: Vec<String> = settings::names().map(str::to_owned).collect();
    let may_be_slip = name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    match nearest(name, &settings, 1).first().filter(|_| may_be_slip && !name.is_empty()) {
        Some(meant) => Err(format!("no setting is called `{}`; did you mean `{meant}`?", clean(name))),
        None if name.is_empty() => Err(format!("`{}` has no name before the `=`", clean(word))),
        None => {
            job.environment.insert(name.to_owned(), value.to_owned());
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Config;

    fn config() -> Config {
        let text = "[jobs.fast]\nflags = \"-O3\"\n[jobs.other]\nnice = 3\n";
        Config::parse(text, std::path::Path::new("tare.toml")).expect("a configuration")
    }

    fn shown(text: &str) -> String {
        let job = read(text, &config().jobs).unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
        let settings: Vec<String> = job.settings().iter().map(|s| format!("{}={}", s.name, s.value)).collect();
        format!("{}: {}", job.id, settings.join("; "))
    }

    #[test]
    fn what_a_user_types() {
        for (text, job) in [
            ("fast", "fast: flags=-O3"),
            ("fast: nice=5", "fast: flags=-O3; nice=5"),
            ("-O3 -march=native", "-O3 -march=native: flags=-O3 -march=native"),
            ("clang++", "clang++: compiler=clang++"),
            ("clang-14", "clang-14: compiler=clang++-14"),
            ("musl-gcc", "musl-gcc: compiler=musl-g++"),
            ("g++:-O2", "g++: compiler=g++; flags=-O2"),
            ("x: clang++ -O3", "x: compiler=clang++; flags=-O3"),
            ("jemalloc", "jemalloc: allocator=jemalloc"),
            ("arenas: jemalloc MALLOC_CONF=narenas:1", "arenas: allocator=jemalloc; env=MALLOC_CONF=narenas:1"),
            ("MALLOC_ARENA_MAX=1", "MALLOC_ARENA_MAX=1: env=MALLOC_ARENA_MAX=1"),
            ("DOTNET_TieredPGO=0", "DOTNET_TieredPGO=0: env=DOTNET_TieredPGO=0"),
            ("a: DOTNET_gcServer=1", "a: env=DOTNET_gcServer=1"),
            ("a: http_proxy=x 9_odd.name=", "a: env=9_odd.name= http_proxy=x"),
            ("c: -C opt-level=3 cpus=0-1 'wrapper=nice -n 3'", "c: flags=-C opt-level=3; wrapper=nice -n 3; cpus=0-1"),
            ("python3 -X gil=0 -X dev", "python3 -X gil=0 -X dev: python=python3; flags=-X gil=0 -X dev"),
            (
                "--add-opens java.base/java.lang=ALL-UNNAMED",
                "--add-opens java.base/java.lang=ALL-UNNAMED: flags=--add-opens java.base/java.lang=ALL-UNNAMED",
            ),
            ("node: --import ./a.mjs -r ./b.cjs", "node: node=node; flags=--import ./a.mjs -r ./b.cjs"),
            ("-tags simd -gcflags '-N -l'", "-tags simd -gcflags '-N -l': flags=-tags simd -gcflags -N -l"),
            ("m: strategy=monitoring invocations=3 warm-up=0ms", "m: strategy=monitoring; invocations=3; warm-up=0ms"),
        ] {
            assert_eq!(shown(text), job);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |text: &str| match read(text, &config().jobs) {
            Err(Failure::Usage { what, hint }) => format!("{what}; {hint}"),
            other => panic!("{text}: {other:?}"),
        };
        for (text, part) in [
            ("fats", "did you mean `--job fast`?"),
            ("zzz", "`fast` and `other`"),
            ("x: wrong", "`wrong` is neither"),
            ("x: niec=3", "did you mean `nice`?"),
            ("x: =3", "`=3` has no name before the `=`"),
            ("x: nice=30", "-20 to 19"),
            ("x: cpus=3-1", "3-1"),
            ("x: huge-pages=yes", "`on`, `reserved` or `off`"),
            ("x: strategy=fast", "throughput, monitoring or cold-start"),
            ("x: invocations=0", "at least 1"),
            ("x: compiler=icx", "`cxx`"),
            ("x: 'open", "closing quote"),
            (" ", "empty"),
        ] {
            let text = refused(text);
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}
