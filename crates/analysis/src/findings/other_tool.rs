//! `other-tool`: both sides were measured by different tools, versions, settings or methods.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

const FACTS: &[&str] = &[fact::TOOL_VERSION, fact::TOOL_BUILD, fact::FRONT_END, fact::SETTINGS, fact::METHOD];
const VERSIONS: &str =
    "measure both sides with the same version, method and settings: a new version alone has caused thousands of \
     false alarms";
const TOOLS: &str =
    "measure both sides with one tool: each tool includes a different share of the loop and the harness in its times";

fn find(found: &Pairs) -> Vec<Finding> {
    let (base, new) = (found.base, found.new);
    let versions = differing(Code::OtherTool, FACTS, VERSIONS, base, new);
    let tools = (base.tool != new.tool).then(|| {
        let evidence = Sentence::new("the base was measured by {tool-of-base}, the new side by {tool-of-new}")
            .text("tool-of-base", &base.tool)
            .text("tool-of-new", &new.tool);
        Finding::new(Code::OtherTool, Severity::Warning, evidence, TOOLS)
    });
    [versions, tools].into_iter().flatten().collect()
}
