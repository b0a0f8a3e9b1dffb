//! `--preset NAME`: an amount of measuring by its name. `quick`, `default` and `long` are built in, others stand in `tare.toml` as
//! `[presets.NAME]`. What the command line says itself wins over the preset, and the preset over `[run]`.

use super::config::{Budget, Config, Duration, Narrow, Share};
use crate::args::{Command, EffortArgs, ROUNDS_MAX};
use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use serde::Deserialize;
use tare_engine::{Precision, LAUNCHES_MAX};
use tare_model::text::nearest;
use tare_report::clean;

/// `[presets.NAME]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct PresetTable {
    extends: BuiltIn,
    budget: Option<Budget>,
    precision: Option<Narrow>,
    timeout: Option<Duration>,
    min_effect: Option<Share>,
    launches: Option<u32>,
    rounds: Option<u32>,
    invocations: Option<u64>,
    memory_randomization: bool,
}

/// The presets that are always there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BuiltIn {
    Quick,
    #[default]
    Default,
    Long,
}

impl BuiltIn {
    const ALL: [(&'static str, BuiltIn); 3] =
        [("quick", BuiltIn::Quick), ("default", BuiltIn::Default), ("long", BuiltIn::Long)];

    fn named(name: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, preset)| preset)
    }

    fn fill(self, effort: &mut EffortArgs) {
        effort.quick = self == BuiltIn::Quick;
        effort.long = self == BuiltIn::Long;
    }
}

impl PresetTable {
    /// What is wrong with a preset of this name.
    pub fn fault(&self, name: &str) -> Option<String> {
        if name == DRY {
            return Some(format!("{DRY_IS_A_FLAG}: give the preset another name"));
        }
        if BuiltIn::named(name).is_some() {
            return Some(format!("the preset `{name}` is built in: choose another name"));
        }
        let out_of = |key: &str, value: Option<u64>, range: std::ops::RangeInclusive<u64>| {
            let value = value.filter(|value| !range.contains(value))?;
            let (from, to) = range.into_inner();
            let range = if to == u64::MAX { format!("at least {from}") } else { format!("from {from} to {to}") };
            Some(format!("`{key}` of the preset `{name}` is {value}; it must be {range}"))
        };
        out_of("launches", self.launches.map(u64::from), 1..=u64::from(LAUNCHES_MAX))
            .or_else(|| out_of("rounds", self.rounds.map(u64::from), 2..=u64::from(ROUNDS_MAX)))
            .or_else(|| out_of("invocations", self.invocations, 1..=u64::MAX))
    }

    /// Puts what the preset says where the command line says nothing.
    fn fill(&self, effort: &mut EffortArgs, precision: &mut Option<Precision>) {
        self.extends.fill(effort);
        effort.budget = effort.budget.or(self.budget.map(|budget| budget.0));
        effort.timeout = effort.timeout.or(self.timeout.map(|timeout| timeout.0));
        effort.min_effect = effort.min_effect.or(self.min_effect.map(|effect| effect.0));
        effort.launches = effort.launches.or(self.launches);
        effort.rounds = effort.rounds.or(self.rounds);
        effort.invocations = effort.invocations.or(self.invocations);
        effort.memory_randomization |= self.memory_randomization;
        *precision = precision.or(self.precision.map(|precision| precision.0));
    }
}

/// Runs every body once; it measures nothing, and is a flag of `tare run` alone.
const DRY: &str = "dry";
const DRY_IS_A_FLAG: &str = "`dry` is a flag of `tare run`, not a preset";

/// Replaces the name of a preset by what it stands for; the name of one that `tare.toml` declares.
pub fn apply(command: &mut Command, config: &Config, console: &Console) -> Result<Option<String>, Failure> {
    let mut ignored = None;
    let (effort, precision, is_used) = match command {
        Command::Run(args) => {
            let args = &mut **args;
            (&mut args.effort, &mut args.precision, true)
        }
        Command::Compare(args) => (&mut args.effort, &mut ignored, false),
        Command::Bisect(args) => (&mut args.effort, &mut ignored, false),
        Command::Watch(args) => (&mut args.effort, &mut ignored, false),
        _ => return Ok(None),
    };
    let Some(name) = effort.preset.clone() else { return Ok(None) };
    if let Some(preset) = BuiltIn::named(&name) {
        preset.fill(effort);
        return Ok(None);
    }
    let preset = config.presets.get(&name).ok_or_else(|| unknown(&name, config))?;
    preset.fill(effort, precision);
    if precision.is_some() && !is_used {
        console.warn(&format!("`precision` of the preset `{}` is ignored: only `tare run` uses it", clean(&name)));
    }
    Ok(Some(name))
}

fn unknown(name: &str, config: &Config) -> Failure {
    if name == DRY {
        let hint = "to run every body once: `tare run --dry`".to_owned();
        return Failure::Usage { what: DRY_IS_A_FLAG.to_owned(), hint };
    }
    let declared = config.presets.keys().cloned();
    let known: Vec<String> = BuiltIn::ALL.iter().map(|(name, _)| (*name).to_owned()).chain(declared).collect();
    let hint = match nearest(name, &known, 1).first() {
        Some(meant) => format!("did you mean `--preset {meant}`?"),
        None => format!("use {}, or declare `[presets.NAME]` in `tare.toml`", quoted_list(&known)),
    };
    Failure::Usage { what: format!("no preset is called `{}`", clean(name)), hint }
}

#[cfg(test)]
mod tests {
    use crate::args::{Cli, Command};
    use crate::request::Config;
    use clap::Parser;
    use std::path::Path;

    #[test]
    fn the_command_line_wins_over_the_preset() {
        let text = "[presets.ci]\nextends = \"quick\"\nbudget = \"30s\"\nlaunches = 24\nprecision = \"0.5%\"\n";
        let config = Config::parse(text, Path::new("tare.toml")).expect("a configuration");
        let filled = |words: &[&str]| {
            let cli = Cli::try_parse_from(["tare", "run"].iter().chain(words)).expect("arguments");
            let Command::Run(mut args) = cli.command else { panic!("it is a run") };
            config.presets["ci"].fill(&mut args.effort, &mut args.precision);
            args
        };
        let args = filled(&[]);
        assert!(args.effort.quick && !args.effort.long && args.precision.is_some());
        assert_eq!((args.effort.launches, args.effort.rounds), (Some(24), None));
        assert_eq!(filled(&["--launches", "8"]).effort.launches, Some(8));
    }

    #[test]
    fn mistakes_in_the_file_are_named() {
        let parse = |text: &str| {
            Config::parse(text, Path::new("tare.toml")).map_err(|failure| failure.causes().join("\n")).map(drop)
        };
        for (text, part) in [
            ("[presets.dry]\nlaunches = 3", "`dry` is a flag of `tare run`"),
            ("[presets.quick]\nlaunches = 3", "`quick` is built in"),
            ("[presets.a]\nlaunches = 500", "`launches` of the preset `a` is 500; it must be from 1 to 224"),
            ("[presets.a]\ninvocations = 0", "at least 1"),
            ("[presets.a]\nextends = \"fast\"", "line 2"),
            ("[presets.a]\nlaunchs = 3", "launchs"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
