//! `not-repeatable`: two consecutive invocations returned different results. A random number generator does so on purpose, so it is a note.

use super::different_results::{cut, SHOWN};
use super::{Context, Measured, Observation, Search, Sentence};
use tare_model::Results;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(context: &Context, Measured { case, .. }: Measured) -> Option<Observation> {
    let result = context.run.results.get(case as usize)?;
    let (then, first) = (result.then.as_ref()?, result.text.as_ref().or(result.digest.as_ref())?);
    let mut evidence = Sentence::new("returned {first}, and {then} on the next call")
        .text("first", format!("`{}`", cut(first, SHOWN)))
        .text("then", format!("`{}`", cut(then, SHOWN)));
    let benchmark = &context.run.plan.cases.get(case as usize)?.benchmark;
    if benchmark.results == Results::Change {
        return None;
    }
    if let (Some(file), Some(line)) = (&benchmark.file, benchmark.line) {
        evidence = evidence.then(Sentence::new(" ({place})").text("place", format!("{file}:{line}")));
    }
    let advice = "unless this is intended, give each invocation its own input, or set up each iteration";
    Some(Observation::note(evidence, advice))
}

#[cfg(test)]
mod tests {
    use super::Results;
    use crate::findings::common::{twelve_launches, RunBuilder};

    #[test]
    fn what_changes_from_call_to_call_is_named_with_its_line() {
        let of = |then: Option<&str>, results: Results| {
            let mut builder = RunBuilder::new();
            let case = builder.case("g", "push", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            let benchmark = &mut builder.run.plan.cases[0].benchmark;
            (benchmark.file, benchmark.line, benchmark.results) = (Some("a.cpp".to_owned()), Some(7), results);
            builder.run.results[0].digest = Some("aa".to_owned());
            builder.run.results[0].text = Some("1".to_owned());
            builder.run.results[0].then = then.map(str::to_owned);
            let found = crate::analyse(&builder.run()).findings;
            found.iter().map(|f| format!("{} {}", f.code.name(), f.evidence)).collect::<Vec<_>>()
        };
        assert_eq!(of(Some("2"), Results::Same), ["not-repeatable returned `1`, and `2` on the next call (a.cpp:7)"]);
        assert!(of(None, Results::Same).is_empty());
        assert!(of(Some("2"), Results::Change).is_empty(), "it is its work");
    }
}
