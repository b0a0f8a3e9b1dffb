//! Uncompared cases whose runtimes compile by the clock are measured side by side, so that they wait together.

use tare_model::{Artifact, Case, CaseGroup, Plan};

/// Most uncompared cases whose children are alive together.
const CASES_MAX: usize = 6;
/// Most children of such cases if each case may have several.
const CHILDREN_MAX: u32 = 4;

/// Measures uncompared cases whose runtimes compile by the clock together, a few at a time. A single one may have several children at a
/// time.
pub fn side_by_side(plan: &mut Plan, artifacts: &[Artifact]) {
    let by_clock = |case: &Case| {
        let child = artifacts.get(case.artifact as usize).and_then(|artifact| artifact.child.as_ref());
        child.is_some_and(|facts| facts.compiles_by_clock) && !case.benchmark.strategy.keeps_all()
    };
    let is_alone = |group: &CaseGroup| match group.cases[..] {
        [case] => group.baseline.is_none() && plan.cases.get(case as usize).is_some_and(by_clock),
        _ => false,
    };
    if plan.policy.keep_order {
        return;
    }
    let (alone, mut groups): (Vec<CaseGroup>, Vec<CaseGroup>) = plan.groups.iter().cloned().partition(is_alone);
    let cases: Vec<u32> = alone.into_iter().flat_map(|group| group.cases).collect();
    let each = cases.len().div_ceil(cases.len().div_ceil(CASES_MAX).max(1)).max(1);
    groups.extend(cases.chunks(each).map(|part| CaseGroup {
        cases: part.to_vec(),
        side_by_side: part.len() as u32 * plan.policy.width <= CHILDREN_MAX,
        ..CaseGroup::default()
    }));
    plan.groups = groups;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, ChildFacts, Strategy};

    fn plan(alone: u32) -> (Plan, Vec<Artifact>) {
        let case = |artifact: u32, strategy: Strategy| Case {
            artifact,
            benchmark: Benchmark { strategy, ..Benchmark::default() },
            job: 0,
            side: None,
            key: String::new(),
        };
        let mut cases = vec![case(0, Strategy::Throughput); alone as usize];
        cases.extend([case(0, Strategy::ColdStart), case(1, Strategy::Throughput)]);
        let group = |cases: Vec<u32>| CaseGroup { cases, ..CaseGroup::default() };
        let groups = (0..cases.len() as u32).map(|case| group(vec![case])).collect();
        let child = |compiles_by_clock| Some(ChildFacts { compiles_by_clock, ..ChildFacts::default() });
        let artifacts = [true, false].map(|by_clock| Artifact { child: child(by_clock), ..Artifact::default() });
        (Plan { cases, groups, seed: 1, ..Plan::default() }, artifacts.to_vec())
    }

    #[test]
    fn cases_that_wait_for_their_compiler_wait_together() {
        for (alone, wanted) in
            [(1, vec![(1, 2)]), (2, vec![(2, 2)]), (5, vec![(5, 1)]), (13, vec![(5, 1), (5, 1), (3, 1)])]
        {
            let (mut plan, artifacts) = plan(alone);
            side_by_side(&mut plan, &artifacts);
            let of = |group: &CaseGroup| (group.cases.len(), plan.policy.width_of(group));
            let (apart, together) = plan.groups.split_at(2);
            assert!(apart.iter().all(|group| of(group) == (1, 1)), "native code and cold starts stay as they are");
            assert_eq!(together.iter().map(of).collect::<Vec<_>>(), wanted);
            for group in &plan.groups {
                let (waves, _) = plan.policy.waves_of(group);
                assert_eq!(waves * plan.policy.width_of(group), 12, "launches of each case");
            }
        }
    }
}
