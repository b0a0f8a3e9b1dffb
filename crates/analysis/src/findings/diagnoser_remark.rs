//! `diagnoser-remark`: a diagnoser's remark on a case, in its own words.

use super::{Context, Observation, Search, Sentence, Severity};
use tare_model::Remark;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let mut said: Vec<(u32, &str, &Remark)> = Vec::new();
    for pass in &context.run.diagnoses {
        for remark in &pass.remarks {
            let one = (pass.case, pass.diagnoser.as_str(), remark);
            // Several passes over a case mostly give the same remarks.
            if !said.contains(&one) {
                said.push(one);
            }
        }
    }
    said.into_iter().map(found).collect()
}

fn found((case, name, remark): (u32, &str, &Remark)) -> Observation {
    const NONE: &str = "see the page of the diagnoser; times are not affected";
    let evidence = Sentence::new("the diagnoser `{name}` says: {text}").text("name", name).text("text", &remark.text);
    let advice = match remark.advice.is_empty() {
        true => NONE.into(),
        false => Sentence::new("{advice}").text("advice", &remark.advice),
    };
    let severity = if remark.is_warning { Severity::Warning } else { Severity::Note };
    Observation::new(severity, evidence, advice).of(case)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::Severity;
    use tare_model::{Diagnosis, Remark};

    #[test]
    fn what_a_diagnoser_says_is_a_finding_of_its_case_once() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let remark = |is_warning: bool, advice: &str| Remark {
            is_warning,
            text: "1000 calls".to_owned(),
            advice: advice.to_owned(),
        };
        let pass = |remarks| Diagnosis { remarks, ..Diagnosis::new(case, "calls", 0, 1) };
        builder.run.diagnoses =
            vec![pass(vec![remark(true, "call it less often")]), pass(vec![remark(true, "call it less often")])];
        let report = crate::analyse(&builder.run());
        let found: Vec<_> = report.findings.iter().filter(|f| f.code == crate::Code::DiagnoserRemark).collect();
        assert_eq!((found.len(), found[0].severity, found[0].case), (1, Severity::Warning, Some(0)));
        assert_eq!(found[0].evidence.to_string(), "the diagnoser `calls` says: 1000 calls");
        assert_eq!(found[0].advice.text.to_string(), "call it less often");
    }
}
