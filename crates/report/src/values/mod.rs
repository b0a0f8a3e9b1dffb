//! A result as plain values with fixed names: what user templates see and what the forms of other tools are made from.
//!
//! `docs/reference/templates.md` documents every name with its type and unit: a name that is given away stays.

mod case;
mod row;

pub(crate) use case::{Case, Launch, Metric, Named};
pub(crate) use row::Row;

use crate::advice::{whole_text, Hint};
use crate::exporters::{Shown, Subject};
use crate::label::Naming;
use crate::{clean, failure_text, violation_text};
use serde::Serialize;
use tare_analysis::{Finding, ProgramReport};
use tare_model::{Environment, FailedProgram, Failure, Request};

/// Version of the names: the first number changes when a template must change.
pub const VALUES_VERSION: &str = "1.0";

/// A result.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Values<'a> {
    /// [`VALUES_VERSION`].
    pub version: &'static str,
    /// `run`, `comparison` or `machines`.
    pub kind: &'static str,
    /// Version of Tare that measured; empty for saved results.
    pub tare: &'a str,
    /// Id of the run; empty for saved results.
    pub run: &'a str,
    /// UTC, RFC 3339; empty for saved results.
    pub created: &'a str,
    /// The command line.
    pub command: String,
    /// Duration, s.
    pub elapsed_s: f64,
    /// The machine; None for saved results.
    pub machine: Option<&'a Environment>,
    /// What was measured.
    pub programs: &'a [ProgramReport],
    /// The name of the base of a comparison.
    pub base: &'a str,
    /// The name of its new side.
    pub new: &'a str,
    /// The rows of the table of a run; for a measured comparison, the rows of both sides.
    pub cases: Vec<Case<'a>>,
    /// The rows of a comparison.
    pub rows: Vec<Row>,
    /// Programs of a run without results; of a comparison they are rows.
    pub not_built: Vec<NotBuilt>,
    /// Remarks.
    pub findings: Vec<Remark>,
    /// What the gate says; None if nothing was asked.
    pub gate: Option<GateValues>,
}

/// A program that could not be built or listed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NotBuilt {
    /// The file or target, with its job where there are several.
    pub program: String,
    /// Why, in one line.
    pub reason: String,
    /// The first lines of what the compiler or program said.
    pub output: Vec<String>,
}

impl NotBuilt {
    fn of(failed: &FailedProgram) -> NotBuilt {
        let Failure { output, .. } = &failed.failure;
        let output = output.iter().map(|line| clean(line)).collect();
        NotBuilt { program: clean(&failed.program), reason: failure_text(&failed.failure), output }
    }
}

/// A finding in words.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Remark {
    pub code: &'static str,
    pub severity: &'static str,
    /// The case that it is about; empty if it is about several or the run.
    pub about: String,
    pub text: String,
    pub advice: String,
}

/// What a gate says.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct GateValues {
    pub passed: bool,
    pub exit_code: i32,
    pub failed: Vec<Broken>,
    pub undecided: Vec<Broken>,
}

/// A rule that is not kept.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Broken {
    pub benchmark: String,
    pub text: String,
}

impl<'a> Values<'a> {
    /// The values of what is shown.
    pub fn of(shown: &'a Shown<'a>) -> Values<'a> {
        let report = shown.subject.report();
        let cases = match shown.subject.run() {
            Some(run) => report.map(|report| case::cases(run, report)).unwrap_or_default(),
            None => Vec::new(),
        };
        let mut values = Values {
            version: VALUES_VERSION,
            kind: "run",
            tare: report.map_or("", |r| &r.tare),
            run: report.map_or("", |r| &r.run),
            created: report.map_or("", |r| &r.created),
            command: report.map(|r| r.request.words().join(" ")).unwrap_or_default(),
            elapsed_s: report.map_or(0.0, |r| r.elapsed_s),
            machine: report.map(|r| &r.environment),
            programs: report.map(|r| r.programs.as_slice()).unwrap_or_default(),
            base: "",
            new: "",
            cases,
            rows: Vec::new(),
            not_built: report.map(|r| r.not_built.iter().map(NotBuilt::of).collect()).unwrap_or_default(),
            findings: Vec::new(),
            gate: shown.judgement.as_ref().map(|judgement| {
                let exit_code = judgement.exit_code().number();
                let broken = |violations: &[tare_analysis::gate::Violation]| {
                    let one = |v: &tare_analysis::gate::Violation| Broken {
                        benchmark: v.benchmark.clone(),
                        text: violation_text(v),
                    };
                    violations.iter().map(one).collect()
                };
                GateValues {
                    passed: exit_code == 0,
                    exit_code,
                    failed: broken(&judgement.failed),
                    undecided: broken(&judgement.undecided),
                }
            }),
        };
        match &shown.subject {
            Subject::Run(_, report) => {
                let naming = Naming::of(report);
                values.findings = remarks(&report.findings, &report.request, &|case| naming.label(report, case));
            }
            Subject::Comparison(comparison, _) => {
                (values.kind, values.base, values.new) = ("comparison", &comparison.base.name, &comparison.new.name);
                values.elapsed_s = comparison.elapsed_s;
                values.rows = row::rows(comparison, "");
                values.findings = remarks(&comparison.findings, &comparison.request, &|_| String::new());
            }
            Subject::Matrix(_, compared, _) => {
                values.kind = "machines";
                let of = compared.iter().flat_map(|(machine, comparison)| row::rows(comparison, machine));
                values.rows = of.collect();
            }
        }
        values
    }
}

fn remarks(findings: &[Finding], request: &Request, label: &dyn Fn(u32) -> String) -> Vec<Remark> {
    let remark = |finding: &Finding| {
        let hint = Hint::of(&finding.advice, request);
        let advice = match &hint.command {
            Some(command) if hint.text.is_empty() => format!("`{command}`"),
            Some(command) => format!("{}: `{command}`", hint.text),
            None => hint.text,
        };
        Remark {
            code: finding.code.name(),
            severity: crate::findings::severity(finding.severity).0,
            about: finding.case.map(label).unwrap_or_default(),
            text: whole_text(&finding.evidence),
            advice,
        }
    };
    findings.iter().map(remark).collect()
}
