//! The diagnosers of one command.

use crate::{entry, Declared, Diagnoser, External, Missing, Pass, Tools, ALL};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::{Artifact, Lack, LaunchChange};

/// The requested diagnosers, each once, by name.
#[derive(Default)]
pub struct Diagnosers {
    members: BTreeMap<String, Member>,
}

struct Member {
    diagnoser: Box<dyn Diagnoser>,
    /// Requested by name, not only because a limit needs its metrics.
    is_asked: bool,
    /// It may tell why, or a declaration requests it: being unable to inspect a program is recorded there, and is not an error.
    is_wished: bool,
    /// Only declarations of benchmarks request it, and it inspects only those.
    is_declared: bool,
    missing: Option<Missing>,
}

/// A name that no diagnoser has, for any of the programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub name: String,
    /// Why the first program cannot be inspected, if its diagnoser says so; may be empty.
    pub reason: String,
    pub known: Vec<String>,
}

impl Diagnosers {
    /// The diagnosers requested by name, and those that give a metric with a limit. A name unknown to the host and the user is taken as a
    /// diagnoser that programs bring.
    pub fn new(asked: &[String], limited: &[&str], externals: &BTreeMap<String, External>) -> Diagnosers {
        let mut members = BTreeMap::new();
        let implied = ALL.iter().filter(|entry| entry.metrics.iter().any(|metric| limited.contains(metric)));
        for name in asked.iter().map(String::as_str).chain(implied.map(|entry| entry.name)) {
            let diagnoser: Box<dyn Diagnoser> = match (entry(name), externals.get(name)) {
                (Some(entry), _) => (entry.make)(),
                (None, Some(external)) => Box::new(external.clone()),
                (None, None) => Box::new(Declared::new(name)),
            };
            let is_asked = asked.iter().any(|asked| asked == name);
            members.insert(name.to_owned(), Member { is_asked, ..Member::new(diagnoser) });
        }
        Diagnosers { members }
    }

    /// Adds the host's diagnosers that may tell why.
    #[must_use]
    pub fn wishing(mut self, names: &[&str]) -> Diagnosers {
        for entry in ALL.iter().filter(|entry| names.contains(&entry.name)) {
            let new = || Member { is_wished: true, ..Member::new((entry.make)()) };
            self.members.entry(entry.name.to_owned()).or_insert_with(new);
        }
        self
    }

    /// Adds the host's and the user's diagnosers that declarations of benchmarks request, and prepares each. The others belong to programs.
    pub fn declare(&mut self, names: &BTreeSet<&str>, externals: &BTreeMap<String, External>, tools: &dyn Tools) {
        for name in names {
            if let Some(known) = self.members.get_mut(*name) {
                // If it cannot inspect a program, that is recorded for the declaration.
                known.is_wished |= !known.is_asked;
                continue;
            }
            let diagnoser: Box<dyn Diagnoser> = match (entry(name), externals.get(*name)) {
                (Some(entry), _) => (entry.make)(),
                (None, Some(external)) => Box::new(external.clone()),
                (None, None) => continue,
            };
            let mut member = Member { is_wished: true, is_declared: true, ..Member::new(diagnoser) };
            member.missing = member.diagnoser.prepare(tools).err();
            self.members.insert((*name).to_owned(), member);
        }
    }

    /// Sets the events for diagnosers that count events by name.
    #[must_use]
    pub fn counting(mut self, events: &[String]) -> Diagnosers {
        self.members.values_mut().for_each(|member| member.diagnoser.choose(events));
        self
    }

    /// Prepares each; returns what is missing for those requested by name.
    pub fn prepare(&mut self, tools: &dyn Tools) -> Vec<(String, Missing)> {
        let prepared = self.members.iter_mut().map(|(name, member)| {
            member.missing = member.diagnoser.prepare(tools).err();
            member.missing.clone().filter(|_| member.is_asked).map(|missing| (name.clone(), missing))
        });
        prepared.flatten().collect()
    }

    /// How to start programs when asking for their benchmarks.
    pub fn listing(&self) -> LaunchChange {
        let mut change = LaunchChange::default();
        self.members.values().for_each(|member| change.add(member.diagnoser.listing()));
        change
    }

    /// Whether one of these changes how a program is started when asked for its benchmarks, and the program does not declare it itself.
    pub fn change_listing(&self, names: &[String], program: &Artifact) -> bool {
        let members = names.iter().filter(|name| !program.declares(name)).filter_map(|name| self.members.get(name));
        members.map(|member| member.diagnoser.listing()).any(|change| !change.is_empty())
    }

    /// Records in each program which diagnosers cannot inspect it, and why; returns the names of those that inspect all cases and can
    /// inspect at least one. A diagnoser that a limit no longer needs, since the times come with `counted` metrics, is left out. The error
    /// is the first requested name that can inspect none.
    pub fn settle(&self, artifacts: &mut [Artifact]) -> Result<Vec<String>, Unknown> {
        let mut names = Vec::new();
        for (name, member) in &self.members {
            let lacks: Vec<_> = artifacts.iter().map(|program| member.lacks(program)).collect();
            let can_look = lacks.iter().any(Option::is_none);
            if !can_look && member.is_asked {
                let reason = lacks.into_iter().flatten().map(|lack| lack.reason).find(|reason| !reason.is_empty());
                let (name, reason) = (name.clone(), reason.unwrap_or_default());
                return Err(Unknown { name, reason, known: self.known(artifacts) });
            }
            let is_needed = member.is_asked || member.is_declared || !is_counted(name, artifacts);
            if can_look && !is_needed || !can_look && !member.is_wished {
                continue;
            }
            names.extend((can_look && !member.is_declared).then(|| name.clone()));
            for (program, lack) in artifacts.iter_mut().zip(lacks) {
                program.lacks.extend(lack.map(|lack| (name.clone(), lack)));
            }
        }
        Ok(names)
    }

    /// Names that can be requested for these programs.
    fn known(&self, artifacts: &[Artifact]) -> Vec<String> {
        let children = artifacts.iter().filter_map(|program| program.child.as_ref());
        let declared = children.flat_map(|child| &child.diagnosers).map(|diagnoser| diagnoser.name.clone());
        let can_look = |member: &Member| artifacts.iter().any(|program| member.diagnoser.lacks(program).is_none());
        let mine = self.members.iter().filter(|(_, member)| can_look(member)).map(|(name, _)| name.clone());
        let all: BTreeSet<String> = declared.chain(mine).collect();
        all.into_iter().collect()
    }

    /// A diagnoser by name. If the command did not name it, it is one that programs bring.
    pub fn get(&mut self, name: &str) -> &mut dyn Diagnoser {
        let new = || Member { is_asked: true, ..Member::new(Box::new(Declared::new(name))) };
        self.members.entry(name.to_owned()).or_insert_with(new).diagnoser.as_mut()
    }

    /// How to make passes of one over a program; `None` if it is not in the set.
    pub fn pass(&self, name: &str, program: &Artifact) -> Option<Pass> {
        Some(self.members.get(name)?.diagnoser.pass(program))
    }

    /// Whether the passes of any of them over any of these programs fulfil a condition.
    pub fn any(&self, programs: &[Artifact], is: impl Fn(&Pass) -> bool) -> bool {
        let passes =
            |member: &Member| programs.iter().map(|program| member.diagnoser.pass(program)).any(|pass| is(&pass));
        self.members.values().any(passes)
    }

    /// Whether one can inspect a program.
    pub fn can_look(&self, name: &str, program: &Artifact) -> bool {
        let member = self.members.get(name);
        let lack = member.map_or_else(|| Declared::new(name).lacks(program), |member| member.lacks(program));
        lack.is_none()
    }
}

impl Member {
    fn new(diagnoser: Box<dyn Diagnoser>) -> Member {
        Member { diagnoser, is_asked: false, is_wished: false, is_declared: false, missing: None }
    }

    /// Why it cannot inspect a program, or any.
    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let missing = self.missing.as_ref();
        if let Some(fatal) = missing.filter(|missing| missing.is_fatal && self.is_wished) {
            return Some(Lack { reason: fatal.reason.clone(), advice: String::new() });
        }
        let mut lack = self.diagnoser.lacks(program)?;
        if let Some(missing) = missing.filter(|missing| !missing.is_fatal && lack.reason.is_empty()) {
            // It gives no reason, so the cause is what the machine lacks.
            lack.reason.clone_from(&missing.reason);
        }
        Some(lack)
    }
}

/// Whether a program gives a diagnoser's metrics along with its times.
fn is_counted(name: &str, artifacts: &[Artifact]) -> bool {
    let of = entry(name).map_or(&[][..], |entry| entry.metrics);
    let mut metrics = artifacts.iter().filter_map(|a| a.child.as_ref()).flat_map(|child| &child.metrics);
    metrics.any(|metric| of.first() == Some(&metric.name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{ChildFacts, Diagnoser as Facts, Metric};

    fn program(diagnosers: &[&str], metrics: &[&str]) -> Artifact {
        let named = |name: &&str| Facts { name: (*name).to_owned(), ..Facts::default() };
        let counted = |name: &&str| Metric { name: (*name).to_owned(), ..Metric::default() };
        let child = ChildFacts {
            diagnosers: diagnosers.iter().map(named).collect(),
            metrics: metrics.iter().map(counted).collect(),
            ..ChildFacts::default()
        };
        Artifact { child: Some(child), ..Artifact::default() }
    }

    fn names(asked: &[&str], limited: &[&str], programs: &mut [Artifact]) -> Result<Vec<String>, Unknown> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        let command = vec!["true".to_owned()];
        let externals = [("calls".to_owned(), External::new("calls", command, std::path::Path::new(".")))].into();
        Diagnosers::new(&asked, limited, &externals).settle(programs)
    }

    #[test]
    fn those_of_the_host_of_programs_and_of_users_come_through_one_door() {
        let mut programs = [program(&["memory", "waits"], &[]), program(&[], &[])];
        let found = names(&["waits", "calls", "memory", "calls"], &[], &mut programs).expect("all are known");
        assert_eq!(found, ["calls", "memory", "waits"]);
        assert_eq!(programs[0].lacks.len(), 0);
        assert_eq!(programs[1].lacks.keys().collect::<Vec<_>>(), ["memory", "waits"]);
    }

    #[test]
    fn one_that_can_look_at_nothing_is_an_error_with_what_there_is() {
        let unknown = names(&["time-travel"], &[], &mut [program(&["memory"], &[])]).expect_err("unknown");
        assert_eq!((unknown.name.as_str(), unknown.known), ("time-travel", vec!["memory".to_owned()]));
        assert!(names(&["memory"], &[], &mut [program(&[], &[])]).is_err());
        // The reason is given if known.
        let wrong = names(&["instructions"], &[], &mut [program(&[], &[])]).expect_err("it does not mark its loops");
        let counted =
            names(&["memory"], &[], &mut [program(&[], &[Metric::ALLOCATED_BYTES])]).expect_err("it has none");
        assert!(counted.reason.contains("with the times"), "{counted:?}");
        assert!(unknown.reason.is_empty() && wrong.reason.contains("does not tell callgrind"), "{wrong:?}");
    }

    /// A machine without a compiler.
    struct NoTools;

    impl Tools for NoTools {
        fn c_library(&self, _: &str, _: &str) -> Result<std::path::PathBuf, String> {
            Err("there is no C compiler".to_owned())
        }

        fn program(&self, program: &str) -> Result<(), String> {
            Err(format!("there is no `{program}` on the `PATH`"))
        }
    }

    #[test]
    fn what_declarations_ask_for_is_of_their_cases_and_is_no_mistake_where_it_cannot_work() {
        let command = vec!["no-such-program".to_owned()];
        let externals = [("calls".to_owned(), External::new("calls", command, std::path::Path::new(".")))].into();
        let mut programs = [program(&["waits"], &[]), program(&[], &[])];
        let mut all = Diagnosers::new(&["waits".to_owned()], &[], &externals);
        let declared = ["calls", "instructions", "memory", "remarks", "waits", "of-the-program"].into();
        all.declare(&declared, &externals, &NoTools);
        // Diagnosers requested by name inspect all cases, others only those that declare them.
        assert_eq!(all.settle(&mut programs).as_deref(), Ok(&["waits".to_owned()][..]));
        let lacks: Vec<(&str, &str)> =
            programs[0].lacks.iter().map(|(name, lack)| (name.as_str(), lack.reason.as_str())).collect();
        let names: Vec<&str> = lacks.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["calls", "instructions", "memory", "remarks"]);
        assert!(lacks.iter().all(|(_, reason)| !reason.is_empty()), "{lacks:?}");
        assert_eq!(lacks[2].1, "there is no C compiler");
        // A program with its own diagnoser is inspected no matter what the machine lacks.
        let own = program(&["memory"], &[]);
        assert!(all.can_look("memory", &own) && !all.can_look("calls", &own));
        assert!(!all.change_listing(&["memory".to_owned()], &own));
    }

    #[test]
    fn a_limit_asks_for_what_it_is_about_unless_it_is_counted_anyway() {
        let limited = [Metric::ALLOCATIONS];
        assert_eq!(names(&[], &limited, &mut [program(&["memory"], &[])]).as_deref(), Ok(&["memory".to_owned()][..]));
        let counted = &mut [program(&["memory"], &[Metric::ALLOCATIONS])];
        assert_eq!(names(&[], &limited, counted).as_deref(), Ok(&[][..]));
        assert_eq!(names(&["memory"], &limited, counted).as_deref(), Ok(&["memory".to_owned()][..]));
        // The diagnoser that the limit needs is missing, which the gate reports.
        assert_eq!(names(&[], &limited, &mut [program(&[], &[])]).as_deref(), Ok(&[][..]));
    }
}
