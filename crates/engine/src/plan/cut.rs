//! Divides a plan into parts for several machines.

use tare_model::Plan;

/// The groups of at most `parts` parts of a plan, with about as many cases in each. Groups that have a case in common stay in one part:
/// what is compared is measured on one machine. The order of the plan stays.
pub fn cut(plan: &Plan, parts: usize) -> Vec<Vec<u32>> {
    let mut whole = together(plan);
    whole.retain(|groups| !groups.is_empty());
    let cases_of = |groups: &[u32]| groups.iter().map(|group| plan.groups[*group as usize].cases.len()).sum::<usize>();
    let (mut cases_left, mut parts_left) = (whole.iter().map(|groups| cases_of(groups)).sum::<usize>(), parts.max(1));
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut room = 0;
    for groups in whole {
        let cases = cases_of(&groups);
        // A group goes in if half of it fits, so the part ends as near as possible to its share.
        let is_full = all.is_empty() || (room * 2 < cases && parts_left > 0);
        if is_full {
            room = cases_left.div_ceil(parts_left.max(1));
            parts_left = parts_left.saturating_sub(1);
            all.push(Vec::new());
        }
        room = room.saturating_sub(cases);
        cases_left -= cases;
        all.last_mut().into_iter().for_each(|part| part.extend(&groups));
    }
    all.iter_mut().for_each(|part| part.sort_unstable());
    all
}

/// Groups that have to stay together, at the index of the first of them; the entries of the others are empty.
fn together(plan: &Plan) -> Vec<Vec<u32>> {
    let mut of_case: Vec<Option<usize>> = vec![None; plan.cases.len()];
    let mut all: Vec<Vec<u32>> = Vec::new();
    for (group, members) in plan.groups.iter().enumerate() {
        let mut met: Vec<usize> = members.cases.iter().filter_map(|case| of_case[*case as usize]).collect();
        met.sort_unstable();
        met.dedup();
        let place = met.first().copied().unwrap_or(all.len());
        if place == all.len() {
            all.push(Vec::new());
        }
        for other in met.into_iter().skip(1) {
            let moved = std::mem::take(&mut all[other]);
            all[place].extend(moved);
            of_case.iter_mut().filter(|of| **of == Some(other)).for_each(|of| *of = Some(place));
        }
        all[place].push(group as u32);
        members.cases.iter().for_each(|case| of_case[*case as usize] = Some(place));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, Case, CaseGroup};

    fn plan(groups: &[&[u32]]) -> Plan {
        let cases = groups.iter().flat_map(|cases| cases.iter()).max().map_or(0, |last| last + 1);
        let case = Case { artifact: 0, benchmark: Benchmark::default(), job: 0, side: None, key: String::new() };
        Plan {
            cases: vec![case; cases as usize],
            groups: groups.iter().map(|cases| CaseGroup { cases: cases.to_vec(), ..CaseGroup::default() }).collect(),
            seed: 1,
            ..Plan::default()
        }
    }

    #[test]
    fn every_group_is_in_one_part_and_parts_are_alike() {
        let alone: Vec<Vec<u32>> = (0..200).map(|case| vec![case]).collect();
        let alone = plan(&alone.iter().map(Vec::as_slice).collect::<Vec<_>>());
        for parts in [1, 4, 7, 16, 200, 999] {
            let cut = cut(&alone, parts);
            assert_eq!(cut.len(), parts.min(200), "{parts}");
            assert_eq!(cut.concat(), (0..200).collect::<Vec<u32>>(), "{parts}");
            let sizes = || cut.iter().map(Vec::len);
            assert!(
                sizes().max() <= sizes().min().map(|least| least + 1),
                "{parts}: {:?}",
                sizes().collect::<Vec<_>>()
            );
        }
        assert_eq!(cut(&plan(&[]), 4), Vec::<Vec<u32>>::new());
        assert_eq!(cut(&alone, 0).len(), 1);
    }

    #[test]
    fn what_is_compared_stays_together() {
        let large = plan(&[&[0], &[1, 2, 3, 4, 5, 6], &[7], &[8]]);
        assert_eq!(cut(&large, 2), [vec![0, 1], vec![2, 3]]);
        assert_eq!(cut(&large, 4), [vec![0], vec![1], vec![2], vec![3]]);
        // A case is compared in two groups, and a third overlaps both.
        assert_eq!(cut(&plan(&[&[0, 1], &[2], &[0, 3], &[4]]), 9), [vec![0, 2], vec![1], vec![3]]);
        assert_eq!(cut(&plan(&[&[0, 1], &[2, 3], &[4], &[1, 3]]), 9), [vec![0, 1, 3], vec![2]]);
    }
}
