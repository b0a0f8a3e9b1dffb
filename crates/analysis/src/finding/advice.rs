//! Advice as a value.

use super::Sentence;
use serde::Serialize;
use std::collections::HashSet;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    pub text: Sentence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Again {
    pub how: How,
    /// Patterns of the benchmarks that are needed; empty: all that the run had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    AsBefore,
    Longer,
    Launches(u64),
    InFull,
    WithoutBudget,
    /// Let Tare find the number of invocations.
    FreeInvocations,
    /// Let Tare choose the number of code layouts, if the given one was too small.
    FreeLayouts,
    /// Use this as the smallest change that counts, as a share.
    MinimumEffect(f64),
}

/// Most benchmarks that a command names; beyond that it names their group, or all of the run.
pub const LISTED_MAX: usize = 4;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decide {
    Again(Again),
    Interleaved { sides: Option<[String; 2]>, only: Vec<String> },
}

impl Again {
    pub fn new(how: How) -> Again {
        Again { how, only: Vec::new() }
    }

    pub fn only<S: Into<String>>(how: How, names: impl IntoIterator<Item = S>) -> Again {
        Again { how, only: names.into_iter().map(Into::into).collect() }
    }

    /// One run for everyone who needs the same change as the first: for their benchmarks, or for all if they are too many to name.
    pub fn for_all<'a>(needed: impl IntoIterator<Item = &'a Again>, listed_max: usize) -> Option<Again> {
        let mut needed = needed.into_iter().peekable();
        let how = needed.peek()?.how;
        let alike: Vec<&Again> = needed.filter(|again| again.how == how).collect();
        let only = each_once(alike.iter().flat_map(|again| &again.only));
        let is_whole = alike.iter().any(|again| again.only.is_empty()) || only.len() > listed_max;
        Some(if is_whole { Again::new(how) } else { Again { how, only } })
    }
}

pub fn each_once<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Vec<String> {
    let mut known = HashSet::new();
    let names = names.into_iter().map(|name| name.as_ref().to_owned());
    names.filter(|name| known.insert(name.clone())).collect()
}

impl Decide {
    pub fn only(&self) -> &[String] {
        match self {
            Decide::Again(again) => &again.only,
            Decide::Interleaved { only, .. } => only,
        }
    }

    pub fn with_only(&self, only: Vec<String>) -> Decide {
        match self {
            Decide::Again(again) => Decide::Again(Again { how: again.how, only }),
            Decide::Interleaved { sides, .. } => Decide::Interleaved { sides: sides.clone(), only },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_helps_all_who_need_the_same() {
        let only = |how, names: &[&str]| Again::only(how, names.iter().copied());
        let all =
            [only(How::Longer, &["base", "a"]), only(How::Launches(12), &["c"]), only(How::Longer, &["base", "b"])];
        assert_eq!(Again::for_all(&all, 4), Some(only(How::Longer, &["base", "a", "b"])));
        assert_eq!(Again::for_all(&all, 2), Some(Again::new(How::Longer)), "too many to name");
        let with_whole = [only(How::Longer, &["a"]), Again::new(How::Longer)];
        assert_eq!(Again::for_all(&with_whole, 4), Some(Again::new(How::Longer)));
        assert_eq!(Again::for_all(&[], 4), None);
    }
}
