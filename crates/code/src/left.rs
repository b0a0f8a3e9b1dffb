//! What a listing leaves out, in words.

use std::collections::BTreeSet;

/// Most names listed.
const NAMES_MAX: usize = 6;

#[derive(Default)]
pub(crate) struct Left {
    pub imports: BTreeSet<String>,
    pub deep: BTreeSet<String>,
    pub ends: BTreeSet<String>,
    pub cold: BTreeSet<String>,
    pub large: BTreeSet<String>,
    pub indirect: usize,
}

impl Left {
    pub fn is_whole(&self) -> bool {
        self.deep.is_empty() && self.cold.is_empty() && self.large.is_empty()
    }

    pub fn texts(&self, depth: u32) -> Vec<String> {
        let mut texts = Vec::new();
        let mut say = |what: &str, names: &BTreeSet<String>| {
            if !names.is_empty() {
                let shown: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
                let more = names.len() - shown.len();
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                texts.push(format!("{what}: {}{more}", shown.join(", ")));
            }
        };
        say("functions of other files", &self.imports);
        say(&format!("functions behind more than {depth} calls"), &self.deep);
        say("functions that end the program", &self.ends);
        say("parts of functions that are rarely reached", &self.cold);
        say("functions that are too large, or beyond the limit of this listing", &self.large);
        match self.indirect {
            0 => {}
            1 => texts.push("one call by an address that is only known when the program runs".to_owned()),
            n => texts.push(format!("{n} calls by addresses that are only known when the program runs")),
        }
        texts
    }
}

/// Functions that do not return, so what happens in them is not part of a measurement. Only those of the languages are known.
pub(crate) fn ends_the_program(name: &str) -> bool {
    const ENDS: [&str; 7] = [
        "panicking",
        "_fail",
        "unwrap_failed",
        "expect_failed",
        "handle_error",
        "handle_alloc_error",
        "capacity_overflow",
    ];
    let is_of_rust = ["core::", "std::", "alloc::"].iter().any(|start| name.starts_with(start));
    is_of_rust && ENDS.iter().any(|part| name.contains(part))
        || name.starts_with("std::__throw_")
        || name.starts_with("_Unwind_Resume")
        || name.starts_with("runtime.panic")
        || name.starts_with("runtime.goPanic")
        || name.starts_with("runtime.gopanic")
}

/// Functions of Go's runtime that a function calls if its stack is too small; they are not part of its work.
pub(crate) fn is_stack_growth(name: &str) -> bool {
    name.starts_with("runtime.morestack")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_the_languages_end_the_program() {
        for name in [
            "core::panicking::panic_bounds_check",
            "core::slice::index::slice_index_fail",
            "std::__throw_bad_alloc()",
            "runtime.panicIndex",
        ] {
            assert!(ends_the_program(name), "{name}");
        }
        for name in ["parse_fail", "app::panicking::sum", "std::sort(int*)", "operator new(unsigned long)"] {
            assert!(!ends_the_program(name), "{name}");
        }
    }
}
