//! From the benchmarks of two sides to a plan: partners, the selection among them, and those without a partner.

use super::catalog::{filter_name, select, unfitting, CatalogEntry, Selection};
use super::compare::{plan_comparison, Alone, ComparisonPlan};
use std::collections::HashSet;
use tare_model::{Artifact, Benchmark, CaseGroup, FailedProgram, Missing, Plan, Policy};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideCatalog {
    pub artifacts: Vec<Artifact>,
    /// Their benchmarks; an entry's artifact is an index into `artifacts`.
    pub entries: Vec<CatalogEntry>,
    pub failed: Vec<FailedProgram>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    pub artifacts: Vec<Artifact>,
    /// Pairs, the base first.
    pub plan: Plan,
    /// What exists only on the base or failed there, and the same for the new side.
    pub missing: [Missing; 2],
    pub all: Vec<String>,
    pub taken: Vec<String>,
    /// Parts of the selection that fit no benchmark; they may concern programs that failed.
    pub unfitting: Selection,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PairingError {
    /// No benchmark of one side has a partner on the other.
    NothingInCommon { base: Vec<String>, new: Vec<String> },
    /// The selection, or a part of it, fits none of these.
    NothingMatched { entries: Vec<CatalogEntry>, selection: Box<Selection> },
}

/// Pairs the benchmarks of two sides (see [`plan_comparison`]) and applies the selection. Fails if nothing is left, or if a part of the
/// selection fits nothing and no failed program could explain it.
pub fn pair(
    base: SideCatalog,
    new: SideCatalog,
    renames: &[(String, String)],
    selection: &Selection,
    policy: Policy,
    seed: u64,
) -> Result<Pairs, PairingError> {
    let offset = base.artifacts.len() as u32;
    let shifted = |entry: CatalogEntry| CatalogEntry { artifact: entry.artifact + offset, ..entry };
    let new_entries: Vec<CatalogEntry> = new.entries.into_iter().map(shifted).collect();
    let planned = plan_comparison(&base.entries, &new_entries, renames, policy, seed);
    if planned.plan.groups.is_empty() {
        return Err(PairingError::NothingInCommon { base: names(&base.entries), new: names(&new_entries) });
    }
    let entries: Vec<CatalogEntry> = base.entries.iter().chain(&new_entries).cloned().collect();
    let unfitting = unfitting(&entries, selection);
    if !unfitting.is_empty() && base.failed.is_empty() && new.failed.is_empty() {
        return Err(PairingError::NothingMatched { entries, selection: Box::new(unfitting) });
    }
    let taken = Choice::of(&entries, selection);
    let ComparisonPlan { mut plan, mut only_base, mut only_new } = taken.narrow(planned);
    if plan.groups.is_empty() {
        return Err(PairingError::NothingMatched { entries: new_entries, selection: Box::new(selection.clone()) });
    }
    let failed = [missing(base.failed, &mut only_new), missing(new.failed, &mut only_base)];
    let mut artifacts = drop_idle(base.artifacts.into_iter().chain(new.artifacts).collect(), &mut plan);
    even_layouts(&mut artifacts, &plan);
    let [of_base, of_new] = failed;
    let names_of = |alone: Vec<Alone>| alone.into_iter().map(|alone| alone.name).collect();
    let missing = [
        Missing { alone: names_of(only_base), failed: of_base },
        Missing { alone: names_of(only_new), failed: of_new },
    ];
    Ok(Pairs { artifacts, plan, missing, all: names(&entries), taken: taken.names.into_iter().collect(), unfitting })
}

/// Equalises the number of layouts of a pair, so that the same seed draws the same one: linking may end early.
fn even_layouts(artifacts: &mut [Artifact], plan: &Plan) {
    loop {
        let mut is_even = true;
        for group in &plan.groups {
            let programs = group.cases.iter().map(|&case| plan.cases[case as usize].artifact as usize);
            let varied: Vec<usize> = programs.filter(|&at| artifacts[at].varies_layout()).collect();
            let fewest = varied.iter().map(|&at| artifacts[at].layouts.len()).min().unwrap_or(0);
            for at in varied {
                is_even &= artifacts[at].layouts.len() == fewest;
                artifacts[at].layouts.truncate(fewest);
            }
        }
        if is_even {
            return;
        }
    }
}

fn names(entries: &[CatalogEntry]) -> Vec<String> {
    entries.iter().flat_map(|e| &e.benchmarks).map(filter_name).collect()
}

/// The failed programs of one side, each with its benchmarks that exist on the `other` side, which are removed there: whether both sides
/// have them is unknown.
fn missing(failed: Vec<FailedProgram>, other: &mut Vec<Alone>) -> Vec<FailedProgram> {
    let with_partners = |failed: FailedProgram| {
        // A project that cannot be configured has no programs of its own yet.
        let is_same = |alone: &Alone| {
            let rest = alone.program.strip_prefix(&failed.program);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let (partners, rest): (Vec<Alone>, Vec<Alone>) = std::mem::take(other).into_iter().partition(is_same);
        *other = rest;
        FailedProgram { partners: partners.into_iter().map(|alone| alone.name).collect(), ..failed }
    };
    failed.into_iter().map(with_partners).collect()
}

/// The selection. A pair is selected if one of its names is, as a renamed benchmark has two.
struct Choice {
    benchmarks: HashSet<(u32, u32)>,
    names: HashSet<String>,
}

impl Choice {
    fn of(entries: &[CatalogEntry], selection: &Selection) -> Choice {
        let kept = select(entries.to_vec(), selection);
        let each = || kept.iter().flat_map(|e| e.benchmarks.iter().map(move |b| (e.artifact, b)));
        let place = |(artifact, b): (u32, &Benchmark)| (artifact, b.index);
        Choice { benchmarks: each().map(place).collect(), names: each().map(|(_, b)| filter_name(b)).collect() }
    }

    fn narrow(&self, planned: ComparisonPlan) -> ComparisonPlan {
        let ComparisonPlan { plan, mut only_base, mut only_new } = planned;
        let takes = |case: u32| {
            let case = &plan.cases[case as usize];
            self.benchmarks.contains(&(case.artifact, case.benchmark.index))
        };
        let (mut cases, mut groups) = (Vec::new(), Vec::new());
        for group in plan.groups.iter().filter(|group| group.cases.iter().any(|&case| takes(case))) {
            let first = cases.len() as u32;
            cases.extend(group.cases.iter().map(|&case| plan.cases[case as usize].clone()));
            let members: Vec<u32> = (first..cases.len() as u32).collect();
            groups.push(CaseGroup { cases: members, baseline: Some(first), ..group.clone() });
        }
        let takes = |alone: &Alone| self.benchmarks.contains(&(alone.artifact, alone.index));
        only_base.retain(takes);
        only_new.retain(takes);
        ComparisonPlan { plan: Plan { cases, groups, ..plan }, only_base, only_new }
    }
}

/// Drops the programs that no case needs: reports do not mention what is not measured.
fn drop_idle(artifacts: Vec<Artifact>, plan: &mut Plan) -> Vec<Artifact> {
    let mut places: Vec<Option<u32>> = vec![None; artifacts.len()];
    let mut kept = Vec::new();
    for (at, artifact) in artifacts.into_iter().enumerate() {
        if plan.cases.iter().any(|case| case.artifact as usize == at) {
            places[at] = Some(kept.len() as u32);
            kept.push(artifact);
        }
    }
    for case in &mut plan.cases {
        case.artifact = places[case.artifact as usize].unwrap_or_default();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::tests::benchmark_at;
    use tare_model::{Failure, FailureKind, Step};

    fn side(programs: &[(&str, &[&str])]) -> SideCatalog {
        let artifact = |name: &str| -> Artifact {
            serde_json::from_value(serde_json::json!({
                "name": name, "language": "c", "toolchain": "file", "command": [name], "directory": ".", "hash": "",
            }))
            .expect("an artifact")
        };
        let entry = |(at, (name, benchmarks)): (usize, &(&str, &[&str]))| CatalogEntry {
            artifact: at as u32,
            program: (*name).to_owned(),
            benchmarks: benchmarks.iter().zip(0..).map(|(b, index)| benchmark_at(index, "g", b)).collect(),
        };
        SideCatalog {
            artifacts: programs.iter().map(|(name, _)| artifact(name)).collect(),
            entries: programs.iter().enumerate().map(entry).collect(),
            failed: Vec::new(),
        }
    }

    fn paired(base: SideCatalog, new: SideCatalog, filter: &[&str]) -> Result<Pairs, PairingError> {
        let filters = filter.iter().map(|f| (*f).to_owned()).collect();
        pair(base, new, &[], &Selection { filters, ..Selection::default() }, Policy::default(), 1)
    }

    #[test]
    fn a_selection_leaves_pairs_and_the_programs_that_they_need() {
        let two = || side(&[("p", &["a", "b"]), ("q", &["c"])]);
        let all = paired(two(), two(), &[]).expect("pairs");
        assert_eq!((all.plan.groups.len(), all.artifacts.len(), all.all.len()), (3, 4, 6));
        let one = paired(two(), two(), &["g/c"]).expect("a pair");
        let names: Vec<&str> = one.artifacts.iter().map(|a| a.name.as_str()).collect();
        assert_eq!((names, one.taken), (vec!["q", "q"], vec!["g/c".to_owned()]));
        assert_eq!(one.plan.cases.iter().map(|c| c.artifact).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn both_sides_of_a_pair_have_the_same_number_of_layouts() {
        let linked = |counts: [usize; 3]| -> SideCatalog {
            let mut side = side(&[("p", &["a", "b"]), ("q", &["c"]), ("r", &["d"])]);
            for (artifact, count) in side.artifacts.iter_mut().zip(counts) {
                artifact.layouts = (0..count).map(|at| at.to_string()).collect();
            }
            side
        };
        let counts = |base: [usize; 3], new: [usize; 3]| -> Vec<usize> {
            let paired = paired(linked(base), linked(new), &[]).expect("pairs");
            paired.artifacts.iter().map(|artifact| artifact.layouts.len()).collect()
        };
        assert_eq!(counts([64, 41, 9], [64, 42, 8]), [64, 41, 8, 64, 41, 8]);
        // A side whose layout is not varied has nothing to equalise.
        assert_eq!(counts([64, 0, 3], [33, 64, 64]), [33, 0, 3, 33, 64, 64]);
    }

    #[test]
    fn what_fits_nothing_is_an_error_unless_a_program_failed() {
        let one = || side(&[("p", &["a"])]);
        assert!(matches!(paired(one(), side(&[("p", &["b"])]), &[]), Err(PairingError::NothingInCommon { .. })));
        assert!(matches!(paired(one(), one(), &["a", "x"]), Err(PairingError::NothingMatched { .. })));
        let cause = FailureKind::NotBuilt { reason: "exit status 1".to_owned(), hint: None };
        let failure = Failure { cause, step: Step::Start, output: Vec::new() };
        let failed = FailedProgram { program: "q".to_owned(), failure, partners: Vec::new() };
        let without = SideCatalog { failed: vec![failed], ..one() };
        let paired = paired(without, side(&[("p", &["a"]), ("q", &["x"])]), &["a", "x", "y"]).expect("a pair");
        assert_eq!(paired.unfitting.filters, ["y"]);
        // The base may have it too; that is unknown.
        assert_eq!(
            (paired.missing[0].failed[0].partners.clone(), paired.missing[1].alone.len()),
            (vec!["g/x".into()], 0)
        );
        let other = side(&[("p", &["a"]), ("r", &["a", "x"])]);
        let paired = super::pair(one(), other, &[], &Selection::default(), Policy::default(), 1).expect("a pair");
        assert_eq!(paired.missing[1].alone, ["r:g/a", "g/x"]);
    }
}
