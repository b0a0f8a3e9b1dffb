//! `inlined-differently`: a function of a body is inlined into the loop of one build and called in that of the other.

use super::{Context, Observation, Search, Sentence, Severity};
use crate::ratio::RatioReport;
use crate::verdict::Verdict;
use tare_model::{Case, LoopCalls};

const ADVICE: &str = "the ratio includes this decision of the compiler: to remove it, force or forbid inlining of the function on both sides";

/// Names of the values with the calls of the base, and of the new side.
pub(crate) const BASE_CALLS: &str = "base-calls";
pub(crate) const NEW_CALLS: &str = "new-calls";

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let mut found: Vec<Observation> = Vec::new();
    for group in context.run.plan.groups.iter().filter(|group| group.same_invocations) {
        let Some(baseline) = group.baseline else { continue };
        for case in group.contestants() {
            found.extend(of_benchmark(context, baseline, case));
            for of_programs in of_programs(context, baseline, case) {
                // Every benchmark of these programs finds the same.
                let is_known =
                    |known: &&mut Observation| known.case.is_none() && known.evidence == of_programs.evidence;
                match found.iter_mut().find(is_known) {
                    Some(known) => known.severity = known.severity.max(of_programs.severity),
                    None => found.push(of_programs),
                }
            }
        }
    }
    found
}

fn of_benchmark(context: &Context, baseline: u32, case: u32) -> Option<Observation> {
    let of = |case: u32| {
        let case = context.run.plan.cases.get(case as usize)?;
        loops(context, case).iter().find(|of| is_loop_of(context, of, case))
    };
    let evidence = evidence(context, [baseline, case], [of(baseline)?, of(case)?])?;
    let weight = ratio_of(context, case).map_or(0.0, |ratio| ratio.ratio.ln().abs());
    Some(Observation { case: Some(case), weight, ..of_evidence(context, case, evidence) })
}

/// Loops whose benchmark is unknown, by the name of the body.
fn of_programs(context: &Context, baseline: u32, case: u32) -> Vec<Observation> {
    let nameless = |case: u32| -> Vec<&LoopCalls> {
        let Some(of_plan) = context.run.plan.cases.get(case as usize) else { return Vec::new() };
        let program = context.run.plan.cases.iter().filter(|other| other.artifact == of_plan.artifact);
        let is_nameless =
            |of: &&LoopCalls| of.line.is_none() && !program.clone().any(|case| is_loop_of(context, of, case));
        loops(context, of_plan).iter().filter(is_nameless).collect()
    };
    let (base, new) = (nameless(baseline), nameless(case));
    let pairs = base.into_iter().filter_map(|base| Some((base, *new.iter().find(|new| new.body == base.body)?)));
    let of_pair = |(base, new): (&LoopCalls, &LoopCalls)| {
        let evidence = evidence(context, [baseline, case], [base, new])?;
        let evidence = match &base.body {
            Some(body) => evidence.then(Sentence::new(", in the loop of `{body}`").name("body", body)),
            None => evidence,
        };
        Some(of_evidence(context, case, evidence))
    };
    pairs.filter_map(of_pair).collect()
}

/// If a verdict may come from this decision instead of the change, the reader must know.
fn of_evidence(context: &Context, case: u32, evidence: Sentence) -> Observation {
    let is_told = |ratio: &RatioReport| matches!(ratio.verdict, Verdict::Slower | Verdict::Faster);
    let severity = if ratio_of(context, case).is_some_and(is_told) { Severity::Warning } else { Severity::Note };
    Observation::new(severity, evidence, ADVICE)
}

fn ratio_of<'a>(context: &'a Context, case: u32) -> Option<&'a RatioReport> {
    context.measured().find(|m| m.case == case).and_then(|m| m.estimates.ratio.as_ref())
}

fn loops<'a>(context: &Context<'a>, case: &Case) -> &'a [LoopCalls] {
    context.run.artifacts.get(case.artifact as usize).map_or(&[], |artifact| &artifact.loops)
}

/// By the line of the declaration or the name of the function; if two benchmarks fit, neither gets it.
fn is_loop_of(context: &Context, of: &LoopCalls, case: &Case) -> bool {
    let benchmark = &case.benchmark;
    let of_program = || context.run.plan.cases.iter().filter(|other| other.artifact == case.artifact);
    match (of.line, &of.body) {
        (Some(line), _) => {
            let is_other_file =
                |other: &Case| other.benchmark.line == Some(line) && other.benchmark.file != benchmark.file;
            benchmark.line == Some(line) && !of_program().any(is_other_file)
        }
        (None, Some(body)) => {
            let last = body.rsplit("::").next().unwrap_or(body);
            let is_other_group =
                |other: &Case| other.benchmark.name == last && other.benchmark.group != benchmark.group;
            benchmark.name == last && !of_program().any(is_other_group)
        }
        (None, None) => false,
    }
}

fn evidence(context: &Context, cases: [u32; 2], loops: [&LoopCalls; 2]) -> Option<Sentence> {
    let [base, new] = cases.map(|case| side(context, case));
    let ways = [
        (difference(loops[0], loops[1]), &base, &new, [BASE_CALLS, "base-called", "in-new"]),
        (difference(loops[1], loops[0]), &new, &base, [NEW_CALLS, "new-called", "in-base"]),
    ];
    let found = ways.into_iter().filter(|((functions, _), ..)| !functions.is_empty());
    let sentences = found.map(|((functions, became), caller, other, [names, in_caller, in_other])| {
        let pattern = format!("called in {{{in_caller}}}, {became} {{{in_other}}}: {{{names}}}");
        Sentence::new(&pattern).text(in_caller, caller).text(in_other, other).names(names, functions)
    });
    sentences.reduce(|first, second| first.then("; ".into()).then(second))
}

/// The functions that one side calls and the other does not, and what became of them there.
fn difference(caller: &LoopCalls, other: &LoopCalls) -> (Vec<String>, &'static str) {
    let is_inlined_in = |of: &LoopCalls, name: &String| of.inlined.as_ref().is_some_and(|all| all.contains(name));
    let missed =
        || caller.calls.iter().filter(|name| !other.calls.contains(name) && !is_inlined_in(caller, name)).cloned();
    // If the other side calls something that this one does not, it is different code.
    let is_known_code = other.calls.iter().all(|name| caller.calls.contains(name));
    match &other.inlined {
        Some(inlined) => (missed().filter(|name| inlined.contains(name)).collect(), "inlined in"),
        // Without debug information it is unknown whether they were inlined.
        None if is_known_code => (missed().collect(), "inlined or not used in"),
        None => (Vec::new(), ""),
    }
}

fn side(context: &Context, case: u32) -> String {
    let run = context.run;
    let Some(of_plan) = run.plan.cases.get(case as usize) else { return String::new() };
    let name = match (crate::finding::side_name(run, of_plan), run.jobs.get(of_plan.job as usize)) {
        ("", Some(job)) if !job.id.is_empty() => &job.id,
        ("", _) => run.artifacts.get(of_plan.artifact as usize).map_or(&of_plan.key, |artifact| &artifact.name),
        (side, _) => side,
    };
    format!("`{name}`")
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::Severity;
    use tare_model::LoopCalls;

    fn of(line: Option<u32>, body: Option<&str>, calls: &[&str], inlined: Option<&[&str]>) -> LoopCalls {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        LoopCalls { line, body: body.map(str::to_owned), calls: owned(calls), inlined: inlined.map(owned) }
    }

    /// Two builds of a benchmark on line 7.
    fn findings(base: LoopCalls, new: LoopCalls) -> Vec<crate::Finding> {
        of_times([100.0, 100.0], base, new)
    }

    /// The same with these times of the bodies.
    fn of_times(times_ns: [f64; 2], base: LoopCalls, new: LoopCalls) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        for (at, name) in ["a", "b"].into_iter().enumerate() {
            let case = builder.case("map", name, at == 0);
            twelve_launches(&mut builder, case, times_ns[at], |_, _, _| 0.0);
            builder.run.plan.cases[at].benchmark.name = "find".into();
            builder.run.plan.cases[at].benchmark.line = Some(7);
            builder.run.plan.cases[at].artifact = at as u32;
        }
        builder.run.artifacts.truncate(1);
        builder.run.artifacts.push(builder.run.artifacts[0].clone());
        for (artifact, (name, of)) in builder.run.artifacts.iter_mut().zip([("old", base), ("new", new)]) {
            (artifact.name, artifact.loops) = (name.into(), vec![of]);
        }
        builder.run.plan.groups[0].same_invocations = true;
        let found = crate::analyse(&builder.run()).findings;
        found.into_iter().filter(|finding| finding.code.name() == "inlined-differently").collect()
    }

    #[test]
    fn the_function_and_the_side_that_calls_it_are_named() {
        let found = findings(of(Some(7), None, &["find"], Some(&[])), of(Some(7), None, &[], Some(&["find"])));
        assert_eq!(codes(&found), ["inlined-differently"]);
        assert_eq!(found[0].case, Some(1));
        assert_eq!(found[0].evidence.to_string(), "called in `old`, inlined in `new`: `find`");
        let turned = findings(of(Some(7), None, &[], Some(&["find"])), of(Some(7), None, &["find"], Some(&[])));
        assert_eq!(turned[0].evidence.to_string(), "called in `new`, inlined in `old`: `find`");
        let both = findings(of(Some(7), None, &["f"], Some(&["g"])), of(Some(7), None, &["g"], Some(&["f"])));
        let text = "called in `old`, inlined in `new`: `f`; called in `new`, inlined in `old`: `g`";
        assert_eq!(both[0].evidence.to_string(), text);
    }

    #[test]
    fn a_verdict_that_may_show_the_decision_is_warned_of() {
        for (line, body) in [(Some(7), None), (None, Some("Sum"))] {
            let severity = |new_ns| {
                let (base, new) = (of(line, body, &["f"], Some(&[])), of(line, body, &[], Some(&["f"])));
                of_times([100.0, new_ns], base, new).iter().map(|finding| finding.severity).collect::<Vec<_>>()
            };
            assert_eq!((severity(50.0), severity(100.0)), (vec![Severity::Warning], vec![Severity::Note]), "{line:?}");
        }
    }

    #[test]
    fn other_code_is_no_decision_of_the_compiler() {
        let calls = || of(Some(7), None, &["find"], Some(&[]));
        assert!(findings(calls(), of(Some(7), None, &[], Some(&["other"]))).is_empty());
        assert!(findings(calls(), of(Some(8), None, &[], Some(&["find"]))).is_empty(), "another benchmark");
        assert!(findings(calls(), calls()).is_empty());
        let partly = of(Some(7), None, &["find"], Some(&["find"]));
        assert!(
            findings(partly, of(Some(7), None, &[], Some(&["find"]))).is_empty(),
            "inlined in both, at one place not"
        );
    }

    #[test]
    fn without_debug_information_less_is_said() {
        let found = findings(of(None, None, &["find"], None), of(None, None, &[], None));
        assert_eq!(found[0].case, None);
        assert_eq!(found[0].evidence.to_string(), "called in `old`, inlined or not used in `new`: `find`");
        assert!(findings(of(None, None, &["find"], None), of(None, None, &["seek"], None)).is_empty());
    }

    #[test]
    fn a_loop_is_found_by_the_name_of_its_function() {
        let of_function =
            |name| findings(of(None, Some(name), &["f"], Some(&[])), of(None, Some(name), &[], Some(&["f"])));
        assert_eq!(of_function("ns::find")[0].case, Some(1));
        assert_eq!(of_function("Sum")[0].case, None);
        assert_eq!(
            of_function("Sum")[0].evidence.to_string(),
            "called in `old`, inlined in `new`: `f`, in the loop of `Sum`"
        );
    }
}
