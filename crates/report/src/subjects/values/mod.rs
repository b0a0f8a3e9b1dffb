//! A result as plain values with fixed names, for user templates and other tools' formats.
//!
//! `docs/reference/templates.md` documents every name with type and unit: published names stay.

mod case;
mod row;

pub(crate) use case::{Case, Launch, Metric, Named};
pub(crate) use row::Row;

use crate::parts::comparison::violation_text;
use crate::parts::failures::failure_text;
use crate::subjects::presentation::Presentation;
use crate::words::advice::{severity, whole_text, Hint};
use crate::words::text::clean;
use serde::Serialize;
use tare_analysis::gate::{Judgement, Violation};
use tare_analysis::{Comparison, Finding, ProgramReport};
use tare_model::{CommandLine, Environment, FailedProgram, Failure};
use tare_stats::interval::Interval;

#[derive(Debug, Clone, Default, Serialize)]
pub struct Values<'a> {
    /// Version of the names: the first number changes when a template must change.
    pub(crate) version: &'static str,
    /// `run`, `comparison`, `history` or `bisection`.
    pub(crate) kind: &'static str,
    /// Version of Tare that measured it; empty for saved results.
    pub(crate) tare: &'a str,
    /// Id of the run; empty for saved results.
    pub run: &'a str,
    /// UTC, RFC 3339; empty for saved results.
    pub created: &'a str,
    pub command: String,
    pub elapsed_s: f64,
    /// The machine; None for saved results.
    pub(crate) machine: Option<&'a Environment>,
    pub(crate) programs: &'a [ProgramReport],
    pub(crate) base: &'a str,
    pub(crate) new: &'a str,
    /// Rows of a run's table; for a measured comparison, those of both sides.
    pub(crate) cases: Vec<Case<'a>>,
    pub(crate) rows: Vec<Row>,
    /// Programs of a run without results; in a comparison they are rows.
    pub(crate) not_built: Vec<NotBuilt>,
    pub(crate) findings: Vec<Remark>,
    /// The gate's result; None without a gate.
    pub(crate) gate: Option<GateValues>,
    /// Forms with one entry per benchmark use its rows rather than its cases.
    #[serde(skip)]
    pub(crate) is_of_rows: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct NotBuilt {
    /// The file or target, with its job if there are several.
    pub program: String,
    pub reason: String,
    /// The first lines of output of the compiler or program.
    pub output: Vec<String>,
}

impl NotBuilt {
    fn of(failed: &FailedProgram) -> NotBuilt {
        let Failure { output, .. } = &failed.failure;
        let output = output.iter().map(|line| clean(line)).collect();
        NotBuilt { program: clean(&failed.program), reason: failure_text(&failed.failure), output }
    }
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Remark {
    pub code: &'static str,
    pub severity: &'static str,
    /// Its case; empty if it is about several or the run.
    pub about: String,
    pub text: String,
    pub advice: String,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct GateValues {
    pub passed: bool,
    pub exit_code: i32,
    pub failed: Vec<Broken>,
    pub undecided: Vec<Broken>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Broken {
    pub benchmark: String,
    pub text: String,
}

impl<'a> Values<'a> {
    pub(crate) fn of(shown: &'a Presentation<'a>) -> Values<'a> {
        let (run, report) = shown.subject.measured().unzip();
        let cases = run.zip(report).map(|(run, report)| case::cases(run, report)).unwrap_or_default();
        let mut values = Values {
            version: "1.0",
            kind: shown.subject.name(),
            tare: report.map_or("", |r| &r.tare),
            run: report.map_or("", |r| &r.run),
            created: report.map_or("", |r| &r.created),
            command: report.map(|r| r.request.words().join(" ")).unwrap_or_default(),
            elapsed_s: report.map_or(0.0, |r| r.elapsed_s),
            machine: report.map(|r| &r.environment),
            programs: report.map(|r| r.programs.as_slice()).unwrap_or_default(),
            cases,
            not_built: report.map(|r| r.not_built.iter().map(NotBuilt::of).collect()).unwrap_or_default(),
            gate: shown.judgement.as_ref().map(GateValues::of),
            ..Values::default()
        };
        shown.subject.values(&mut values);
        values
    }

    /// Marks the values as a comparison, with a row per benchmark.
    pub fn between(&mut self, base: &'a str, new: &'a str) {
        (self.base, self.new, self.is_of_rows) = (base, new, true);
    }

    /// Adds a row: name, verdict, ratio with its interval, reason.
    pub fn row(&mut self, name: &str, verdict: &'static str, ratio: Option<(f64, Option<Interval>)>, reason: &str) {
        self.rows.push(Row::of_ratio(name, verdict, ratio, reason));
    }

    pub(crate) fn compared(&mut self, comparison: &Comparison) {
        self.rows.extend(row::rows(comparison));
    }

    pub(crate) fn remark(&mut self, findings: &[Finding], request: &CommandLine, label: &dyn Fn(u32) -> String) {
        let remark = |finding: &Finding| {
            let hint = Hint::of(&finding.advice, request);
            let advice = match &hint.command {
                Some(command) if hint.text.is_empty() => format!("`{command}`"),
                Some(command) => format!("{}: `{command}`", hint.text),
                None => hint.text,
            };
            Remark {
                code: finding.code.name(),
                severity: severity(finding.severity).0,
                about: finding.case.map(label).unwrap_or_default(),
                text: whole_text(&finding.evidence),
                advice,
            }
        };
        self.findings = findings.iter().map(remark).collect();
    }
}

impl GateValues {
    fn of(judgement: &Judgement) -> GateValues {
        let exit_code = judgement.exit_code().number();
        let one = |v: &Violation| Broken { benchmark: v.benchmark.clone(), text: violation_text(v) };
        let broken = |violations: &[Violation]| violations.iter().map(one).collect();
        GateValues {
            passed: exit_code == 0,
            exit_code,
            failed: broken(&judgement.failed),
            undecided: broken(&judgement.undecided),
        }
    }
}
