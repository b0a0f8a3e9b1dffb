//! The options of a build.

use super::check_command;
use super::config::Config;
use crate::args::BuildArgs;
use crate::failure::Failure;
use crate::units;
use std::path::PathBuf;
use tare_build::discover::{DiscoverOptions, Features};
use tare_build::toolchain::{self, BuildOptions};
use tare_harness::command::resolved;
use tare_model::{Job, Parameter, ToolchainSetting};
use tare_report::clean;

/// How to build the named paths, or the program of `command`, with these parameter values.
pub fn options(
    args: &BuildArgs,
    config: &Config,
    given: &[Parameter],
    (paths, command): (&[PathBuf], &[String]),
) -> Result<BuildOptions, Failure> {
    // The command line's flags come last, so that they win.
    let mut flags_of_all = config.build.flags.0.clone();
    for flags in &args.flags {
        let words = units::words(flags).map_err(|what| Failure::Usage {
            what: format!("`--flags {flags}`: {what}"),
            hint: "quote them as in a shell: --flags '-O3 -DNAME=\"two words\"'".to_owned(),
        })?;
        flags_of_all.extend(words);
    }
    // If paths are built, the words after them are the arguments of `Main`, unless they name a program.
    let is_of_main = !paths.is_empty() && command.first().is_some_and(|word| resolved(word).is_none());
    let (command, main_arguments) = if is_of_main { (&[][..], command) } else { (command, &[][..]) };
    check_command(command)?;
    let usual = if args.features.is_empty() { config.build.features.0.clone() } else { Vec::new() };
    let mut discover = DiscoverOptions {
        command: command.to_vec(),
        packages: args.package.clone(),
        benches: args.bench.clone(),
        features: Features {
            named: args.features.iter().flat_map(|f| f.split_whitespace()).map(str::to_owned).collect(),
            usual,
            all: args.all_features,
            no_default: args.no_default_features,
        },
        profile: args.profile.clone(),
        harnesses: config.harness.clone(),
        ..DiscoverOptions::default()
    };
    for (suffix, command) in &config.interpreters {
        discover.interpreters.insert(suffix.trim_start_matches('.').to_owned(), command.0.clone());
    }
    let mut job = Job { flags: flags_of_all, ..Job::default() };
    for (name, compiler) in [("cxx", &args.cxx), ("cc", &args.cc)] {
        // Like the settings of a job with these names.
        if let Some((setting, compiler)) = ToolchainSetting::named(name).zip(compiler.as_ref()) {
            let chosen = (setting.read)(compiler).unwrap_or_default();
            job.toolchain.extend(chosen.into_iter().map(|(language, by)| (language.to_owned(), by)));
        }
    }
    Ok(BuildOptions {
        // Only builds need it: see `pipeline::has_cache`.
        cache: tare_store::cache_dir().unwrap_or_default(),
        cache_max: cache_max(std::env::var(CACHE_MAX_VARIABLE).ok().as_deref())?,
        job,
        align: !args.no_align && config.build.align != Some(false),
        discover,
        given: given.to_vec(),
        main_arguments: main_arguments.to_vec(),
        ..BuildOptions::default()
    })
}

const CACHE_MAX_VARIABLE: &str = "TARE_CACHE_MAX";

/// The size limit of the cache, from the user's variable.
fn cache_max(given: Option<&str>) -> Result<u64, Failure> {
    let Some(text) = given.filter(|text| !text.is_empty()) else { return Ok(toolchain::CACHE_MAX) };
    units::bytes(text).map_err(|expected| Failure::Usage {
        what: format!("`{CACHE_MAX_VARIABLE}={}` is not a size: {expected}", clean(text)),
        hint: format!("write it as `{CACHE_MAX_VARIABLE}=2GB`, or leave it out for 1 GiB"),
    })
}
