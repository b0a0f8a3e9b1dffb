//! `rename-without-effect`: a rename names missing benchmarks.

use super::{Code, Finding, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::ELSEWHERE;

/// These renames, each as `OLD=NEW`.
pub(crate) fn rename_without_effect(renames: Vec<String>) -> Finding {
    let evidence = Sentence::new("{renames}").names("renames", renames);
    let advice = "write `OLD=NEW`: first the name on the base, then the name on the new side";
    Finding::new(Code::RenameWithoutEffect, Severity::Warning, evidence, advice)
}
