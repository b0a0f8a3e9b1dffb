//! `layout-limited`: a small difference between two functions of one program that their placement may explain.

use super::{Context, How, Measured, Observation, Search, Sentence, Unit};
use crate::verdict::Verdict;

/// Larger differences exceed the usual effect of layout.
const LAYOUT_MAX: f64 = 0.03;

pub(super) const SEARCH: Search = Search::of_cases(find);

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let program = |case: u32| context.run.plan.cases[case as usize].artifact;
    let ratio = m.estimates.ratio.as_ref()?;
    let reported = matches!(ratio.verdict, Verdict::Slower | Verdict::Faster);
    let one_program = program(m.case) == program(ratio.baseline);
    let fixed = context.run.artifacts[program(m.case) as usize].has_fixed_layout();
    let size = ratio.ratio.ln().abs();
    (reported && one_program && fixed && size < LAYOUT_MAX.ln_1p()).then(|| {
        let evidence = Sentence::new(ratio.verdict.word())
            .then(" by {change}: code layout alone can change a time by 2 to 4 %".into())
            .number("change", size.exp_m1(), Unit::Share);
        let advice = "raise the minimum effect above what layout can cause";
        Observation::note(evidence, advice).weighing(-size).again(How::MinimumEffect(LAYOUT_MAX))
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Again, How};

    fn findings(share: f64, randomised: bool) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.run.artifacts[0].layouts = if randomised { vec!["a".into(); 8] } else { Vec::new() };
        for (name, share) in [("a", 0.0), ("b", share)] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0 * (1.0 + share), |_, _, _| 0.0);
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn two_per_cent_may_be_layout_and_five_are_not() {
        let found = findings(0.02, false);
        assert_eq!(codes(&found), ["layout-limited"]);
        assert!(found[0].evidence.to_string().starts_with("slower by 2."), "{}", found[0].evidence);
        assert_eq!(found[0].advice.again, Some(Again::only(How::MinimumEffect(0.03), ["g/a", "g/b"])));
        assert!(findings(0.05, false).is_empty());
        assert!(findings(0.0, false).is_empty(), "the same is not a difference");
        assert!(findings(0.02, true).is_empty(), "then it was averaged out");
    }
}
