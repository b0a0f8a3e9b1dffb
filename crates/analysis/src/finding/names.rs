//! How the cases of a run are named in text.

use tare_model::Run;

/// The keys of the cases, without the program's name if the rest is unique (as in the table).
pub(crate) fn names(run: &Run) -> Vec<&str> {
    let program = |artifact: u32| run.artifacts.get(artifact as usize).map_or("", |a| a.name.as_str());
    let rest = |key: &'_ str, program: &str| Some(key.strip_prefix(program)?.strip_prefix(':')?.len());
    let short = |case: &tare_model::Case| {
        // Both sides of a comparison have the key of the new one, whose program may have another name.
        let any = || run.artifacts.iter().find_map(|artifact| rest(&case.key, &artifact.name));
        let other = || case.side.and_then(|_| any());
        rest(&case.key, program(case.artifact)).or_else(other).map_or(0, |length| case.key.len() - length)
    };
    let names: Vec<&str> = run.plan.cases.iter().map(|case| &case.key[short(case)..]).collect();
    // The two sides of a comparison have the same names, and a filter selects both.
    let each = || names.iter().zip(&run.plan.cases).map(|(name, case)| (name, case.job, case.side));
    let unique = each().collect::<std::collections::HashSet<_>>().len() == names.len();
    if unique {
        names
    } else {
        run.plan.cases.iter().map(|case| case.key.as_str()).collect()
    }
}

/// The name of the side of a case; empty without a comparison.
pub(crate) fn side_name<'a>(run: &'a Run, case: &tare_model::Case) -> &'a str {
    run.sides.as_ref().zip(case.side).map_or("", |(sides, side)| &sides.of(side).name)
}

#[cfg(test)]
mod tests {
    use super::names;
    use crate::findings::common::RunBuilder;

    #[test]
    fn the_program_is_named_where_it_tells_cases_apart() {
        let mut builder = RunBuilder::new();
        builder.case("g", "a", true);
        builder.case("g", "b", false);
        assert_eq!(names(&builder.run), ["g/a", "g/b"]);
        let other = tare_model::Artifact { name: "other.cpp".to_owned(), ..builder.run.artifacts[0].clone() };
        builder.run.artifacts.push(other);
        builder.run.plan.cases[1].artifact = 1;
        builder.run.plan.cases[1].key = "other.cpp:g/b".to_owned();
        assert_eq!(names(&builder.run), ["g/a", "g/b"]);
        builder.run.plan.cases[1].key = "other.cpp:g/a".to_owned();
        assert_eq!(names(&builder.run), ["bench.cpp:g/a", "other.cpp:g/a"]);
        // Two compared files: one benchmark under the key of the new side.
        builder.run.plan.cases[0].key = "other.cpp:g/a".to_owned();
        builder.run.plan.cases[0].side = Some(tare_model::Side::Base);
        builder.run.plan.cases[1].side = Some(tare_model::Side::New);
        assert_eq!(names(&builder.run), ["g/a", "g/a"]);
    }
}
