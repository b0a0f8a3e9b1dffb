//! Selection of targets: `--package`, `--bench`, and flags for Cargo only.

use super::error::DiscoverError;
use super::sniff::is_script;
use super::target::{ProjectTarget, Skipped, Statements, Target, TargetKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tare_harness::Declared;

/// Which targets of projects to build. By default all of them, as their own tool builds benchmarks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiscoverOptions {
    /// Packages of Cargo; empty: all.
    pub packages: Vec<String>,
    /// Bench targets of Cargo and executables of CMake; empty: all.
    pub benches: Vec<String>,
    pub features: Features,
    pub profile: Option<String>,
    /// A program with arguments that speaks the protocol; empty: none.
    pub command: Vec<String>,
    /// Statements instead of a file; None: none.
    pub statements: Option<Statements>,
    /// Command of the interpreter by the suffix of its scripts, without the dot.
    pub interpreters: BTreeMap<String, Vec<String>>,
    /// Harnesses that the project describes, by name.
    pub harnesses: BTreeMap<String, Declared>,
    /// Languages whose toolchain the user chose: the build reports it if it is missing.
    pub chosen: BTreeSet<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// In Cargo's syntax: `simd`, `serde/std`, `package/simd`.
    pub named: Vec<String>,
    /// From the project's settings; a feature that no package has is ignored.
    pub usual: Vec<String>,
    pub all: bool,
    /// Without the `default` features.
    pub no_default: bool,
}

impl Features {
    pub(crate) fn asked(&self) -> impl Iterator<Item = &String> {
        self.named.iter().chain(&self.usual)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    pub targets: Vec<Target>,
    pub skipped: Vec<Skipped>,
}

impl DiscoverOptions {
    pub(super) fn interpreted(&self, script: &Path) -> Option<TargetKind> {
        let words = self.interpreters.get(script.extension()?.to_str()?)?;
        let words = words.iter().cloned().chain(script.to_str().map(str::to_owned)).collect();
        Some(TargetKind::Command { words })
    }

    /// A script that speaks the protocol itself and whose suffix has an interpreter: the user's choice overrides the language's toolchain.
    pub(super) fn is_interpreted(&self, script: &Path) -> bool {
        self.interpreted(script).is_some() && is_script(script)
    }

    pub(crate) fn harness_of(&self, file: &Path) -> Option<(&String, &Declared)> {
        self.harnesses.iter().find(|(_, declared)| declared.runs(file))
    }

    pub(super) fn narrow(&self, survey: Survey) -> Result<Survey, DiscoverError> {
        self.check(&survey)?;
        let Survey { mut targets, mut skipped } = survey;
        let known: Vec<String> = benches(&targets).chain(skipped.iter().map(|s| s.bench.clone())).collect();
        // If all names are known, none of them needs a project that is not yet configured.
        let all_known = self.benches.iter().all(|bench| known.contains(bench));
        let takes = |list: &[String], name: &str| list.is_empty() || list.iter().any(|wanted| wanted == name);
        targets.retain(|target| match &target.kind {
            TargetKind::Project(project) if project.is_whole() => {
                self.packages.is_empty() && (self.benches.is_empty() || !all_known)
            }
            TargetKind::Project(project) => {
                takes(&self.packages, &project.package) && takes(&self.benches, &project.name)
            }
            TargetKind::File | TargetKind::Program | TargetKind::Statements(_) | TargetKind::Command { .. } => {
                self.packages.is_empty() && self.benches.is_empty()
            }
        });
        skipped.retain(|s| takes(&self.packages, s.package()) && takes(&self.benches, &s.bench));
        self.check_features(&targets)?;
        Ok(Survey { targets, skipped })
    }

    fn check_features(&self, targets: &[Target]) -> Result<(), DiscoverError> {
        let projects = || targets.iter().filter_map(Target::project);
        let packages = || projects().map(|project| (project.tool.tool(), &project.folder, &project.package));
        let is_known = |feature: &String| {
            let alone = Features { named: vec![feature.clone()], ..Features::default() };
            packages().any(|(tool, folder, package)| !(tool.features)(folder, package, &alone).is_empty())
        };
        match self.features.named.iter().find(|feature| !is_known(feature)) {
            Some(name) if projects().any(|project| project.tool.tool().has_features) => {
                let mut known: Vec<String> =
                    packages().flat_map(|(tool, folder, _)| (tool.known_features)(folder)).collect();
                known.sort();
                known.dedup();
                Err(DiscoverError::NoSuch { what: "feature", name: name.clone(), known })
            }
            _ => Ok(()),
        }
    }

    fn check(&self, survey: &Survey) -> Result<(), DiscoverError> {
        let mut packages: Vec<String> = survey.skipped.iter().map(|s| s.package().to_owned()).collect();
        packages.extend(packaged(&survey.targets).map(|project| project.package.clone()));
        packages.sort();
        packages.dedup();
        let mut projects = survey.targets.iter().filter_map(Target::project);
        let has_features = projects.any(|project| project.tool.tool().has_features);
        let flags = [
            (!self.packages.is_empty(), "--package"),
            (!self.features.named.is_empty() && !has_features, "--features"),
            (self.features.all, "--all-features"),
            (self.features.no_default, "--no-default-features"),
            (self.profile.is_some(), "--profile"),
        ];
        if let Some((_, flag)) = flags.into_iter().find(|(given, _)| *given && packages.is_empty()) {
            return Err(DiscoverError::NotCargo { flag });
        }
        let unknown = |what, name: &String, known| Err(DiscoverError::NoSuch { what, name: name.clone(), known });
        if let Some(name) = self.packages.iter().find(|name| !packages.contains(name)) {
            return unknown("package", name, packages);
        }
        let has_whole = survey.targets.iter().filter_map(Target::project).any(ProjectTarget::is_whole);
        let mut known: Vec<String> = benches(&survey.targets).collect();
        known.extend(survey.skipped.iter().map(|s| s.bench.clone()));
        match self.benches.iter().find(|name| !known.contains(name)) {
            Some(name) if !has_whole => unknown("bench target", name, known),
            _ => Ok(()),
        }
    }
}

fn packaged(targets: &[Target]) -> impl Iterator<Item = &ProjectTarget> {
    targets.iter().filter_map(Target::project).filter(|project| !project.package.is_empty())
}

fn benches(targets: &[Target]) -> impl Iterator<Item = String> + '_ {
    let known = targets.iter().filter_map(Target::project).filter(|project| !project.is_whole());
    known.map(|project| project.name.clone())
}
