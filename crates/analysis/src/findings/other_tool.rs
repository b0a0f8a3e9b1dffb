//! `other-tool`: both sides were measured by different tools, versions, settings or methods.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::{differing, fact, Calls};
use std::collections::BTreeMap;

pub(super) const SEARCH: Search = Search::of_saved(find);

const FACTS: &[&str] = &[fact::TOOL_VERSION, fact::TOOL_BUILD, fact::FRONT_END, fact::METHOD];
const VERSIONS: &str =
    "measure both sides with the same version, method and settings: a new version alone has caused thousands of \
     false alarms";
const SETTINGS: &str = "measure both sides with the same settings: they change what a time includes";
const TOOLS: &str =
    "measure both sides with one tool: each tool includes a different share of the loop and the harness in its times";

fn find(found: &Pairs) -> Vec<Finding> {
    let (base, new) = (found.base, found.new);
    let [of_base, of_new] = [base, new].map(|side| side.machine.get(fact::TOOL).unwrap_or(&side.tool));
    let versions = differing(Code::OtherTool, FACTS, VERSIONS, base, new).filter(|_| of_base == of_new);
    let tools = (of_base != of_new).then(|| {
        let evidence = Sentence::new("the base was measured by {tool-of-base}, the new side by {tool-of-new}")
            .text("tool-of-base", of_base)
            .text("tool-of-new", of_new);
        Finding::new(Code::OtherTool, Severity::Warning, evidence, TOOLS)
    });
    let fewer = fewer_calls(found).filter(|_| base.tool == new.tool);
    [versions, tools, settings(found), fewer].into_iter().flatten().collect()
}

fn settings(found: &Pairs) -> Option<Finding> {
    let mut all: BTreeMap<(&str, &str, &str), Vec<String>> = BTreeMap::new();
    for (base, new) in found.pairs {
        for (name, after) in &new.settings {
            if let Some(before) = base.settings.get(name).filter(|before| *before != after) {
                all.entry((name, before, after)).or_default().push(new.key.clone());
            }
        }
    }
    let mut evidence = Sentence::default();
    for (at, ((name, before, after), keys)) in all.into_iter().enumerate() {
        let start = if at == 0 { "settings differ: " } else { "; " };
        let part = Sentence::new("{name} `{base}` and `{new}` of {names}").text("name", name).text("base", before);
        evidence = evidence.then(start.into()).then(part.text("new", after).names("names", keys));
    }
    (!evidence.pattern.is_empty()).then(|| Finding::new(Code::OtherTool, Severity::Warning, evidence, SETTINGS))
}

/// Benchmarks whose values average far fewer calls on one side.
fn fewer_calls(found: &Pairs) -> Option<Finding> {
    let fewer = found.pairs.iter().filter(|(base, new)| Calls::of(base, new) == Calls::Fewer);
    let names: Vec<String> = fewer.map(|(_, new)| new.key.clone()).collect();
    let evidence = Sentence::new("a value is the mean of far fewer calls on one side: {names}");
    (!names.is_empty())
        .then(|| Finding::new(Code::OtherTool, Severity::Warning, evidence.names("names", names), SETTINGS))
}
