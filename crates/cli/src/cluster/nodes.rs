//! What is known of the nodes that measure: their names, and what the doctor finds there before anything is measured.

use super::folder::Folder;
use crate::console::Console;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use tare_machine::doctor::{self, Look, State};
use tare_report::clean;

/// A node that began a part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What the doctor warns of there.
    pub warnings: Vec<Warning>,
}

/// What makes a node unfit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Name of the check.
    pub code: String,
    /// What was seen.
    pub evidence: String,
    /// The command that fixes it.
    pub fix: Option<String>,
}

impl Node {
    /// This machine.
    pub fn here() -> Node {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let named = || fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned());
        let name = ["SLURMD_NODENAME", "TARE_NODE"].into_iter().find_map(variable).or_else(named);
        // That there is a hypervisor stands above the table.
        let is_told = |check: &doctor::Check| check.state == State::Warning && check.code != "hypervisor";
        let checks = doctor::examine(Look::QUICK).into_iter().filter(is_told);
        let warning =
            |check: doctor::Check| Warning { code: check.code.to_owned(), evidence: check.evidence, fix: check.fix };
        Node { name: name.unwrap_or_default(), warnings: checks.map(warning).collect() }
    }

    /// Writes it beside what else is known of a part.
    pub fn keep(&self, folder: &Folder, id: &str) -> Result<(), Failure> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        folder.write(&format!("node-{id}.json"), &text)
    }

    /// The node that measured the run of a part.
    pub fn of(folder: &Folder, id: &str) -> Option<Node> {
        let text = fs::read(folder.cluster().join(format!("node-{id}.json"))).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// Says what the doctor found, each check once for all nodes that have it.
pub fn say(nodes: &[Node], console: &Console) {
    let mut all: BTreeMap<&str, Vec<(&Node, &Warning)>> = BTreeMap::new();
    for node in nodes {
        for warning in &node.warnings {
            let of_check = all.entry(&warning.code).or_default();
            if of_check.iter().all(|(other, _)| other.name != node.name) {
                of_check.push((node, warning));
            }
        }
    }
    for (code, of_check) in all {
        let Some((first, warning)) = of_check.first() else { continue };
        let others = match of_check.len() {
            1 => String::new(),
            2 => " and 1 more node".to_owned(),
            more => format!(" and {} more nodes", more - 1),
        };
        let fix = warning.fix.as_ref().map(|fix| format!("; `{fix}`")).unwrap_or_default();
        let (name, evidence) = (clean(&first.name), clean(&warning.evidence));
        console.warn(&format!("{code} on {name}{others}: {evidence}{fix}"));
    }
}
