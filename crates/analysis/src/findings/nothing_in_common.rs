//! `nothing-in-common`: no benchmark of two saved sides has the same name.

use super::{Code, Finding, Means, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::ELSEWHERE;

pub(crate) fn nothing_in_common(only_base: &[String], only_new: &[String]) -> Finding {
    let evidence = Sentence::new(
        "no benchmark has the same name on both sides: the base has {only-base}, the new side has {only-new}",
    )
    .names("only-base", only_base.to_vec())
    .names("only-new", only_new.to_vec());
    let advice = Sentence::new("match renamed benchmarks with {rename}, or check that these are the right files")
        .means("rename", Means::Rename);
    Finding::new(Code::NothingInCommon, Severity::Error, evidence, advice)
}
