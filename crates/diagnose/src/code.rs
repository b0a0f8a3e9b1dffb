//! `code`: the machine code of the body and its callees. Nothing is run if the code is in a file.

pub(crate) mod body;
mod late;

use crate::profile::work;
use crate::sides::Sides;
use crate::{told, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
use body::{file, Body};
use late::Late;
use tare_code::{compare, consists, listing, Code, Goes, Sameness};
use tare_model::text::plural;
use tare_model::{Artifact, ChildFindings, Diagnosis, Lack, LaunchChange, Remark};

pub(crate) const CODE: Entry = Entry {
    name: NAME,
    about: "the machine code of the body and of what it calls, with source lines",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64 or AArch64, for programs that do not list their code themselves"),
        Need::Language("C, C++, Rust, Go, .NET 7 and later and Java 17 and later, or a front end with the capability `code`; built with `-g` for source lines; JavaScript (Node) and Python (bytecode) list it themselves"),
    ],
    metrics: &[],
    topic: "code",
    make: || Box::new(Disassembler::default()),
};

pub const NAME: &str = "code";
const ADVICE: &str = "`tare show --code` prints it";
const COLUMNS: usize = 100;

#[derive(Default)]
struct Disassembler {
    /// Why code cannot be read here, for programs that do not report it themselves.
    missing: Option<String>,
    /// What a program reported itself.
    told: Option<ChildFindings>,
    body: Body,
    late: Option<Late>,
    sides: Sides<Code>,
}

impl Diagnoser for Disassembler {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        self.missing = None;
        body::possible().map_err(|missing| {
            self.missing = Some(missing.reason.clone());
            Missing { is_fatal: false, ..missing }
        })
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        if program.declares(NAME) {
            return None;
        }
        let of_machine = self.missing.clone().map(|reason| Lack { reason, advice: String::new() });
        of_machine.or_else(|| late::lacks(program).unwrap_or_else(|| body::lacks(program)))
    }

    fn pass(&self, program: &Artifact) -> Pass {
        let work = match program.declares(NAME) {
            true => Work::Diagnose,
            // Late-compiled code exists only after it has run.
            false if late::is_listed(program) => Work::Iterations,
            false => Work::Open,
        };
        Pass { once: true, follows_calls: true, ..Pass::of(work) }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        (self.body, self.late, self.told) = (Body::of(subject), None, None);
        if subject.declares {
            return Ok(LaunchChange::default());
        }
        self.late = Late::of(subject)?;
        Ok(self.late.as_ref().map(Late::change).unwrap_or_default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let is_elsewhere = self.late.is_some() || self.body.subject().is_some_and(|subject| subject.declares);
        if is_elsewhere {
            return Ok(());
        }
        self.body.signal(signal)
    }

    fn told(&mut self, found: ChildFindings) {
        self.told = Some(found);
    }

    fn findings(&mut self) -> Result<Findings, String> {
        if let Some(found) = self.told.take() {
            return Ok(told::findings(NAME, found));
        }
        let code = match &self.late {
            Some(late) => late.read()?,
            None => self.body.read()?,
        };
        let (facts, counts) = (numbers(&code), work::calls(&code));
        let mut findings = Findings { files: files(&code), facts, counts, ..Findings::default() };
        let Some(subject) = self.body.subject() else { return Ok(findings) };
        if subject.side.is_none() {
            findings.remarks = remarks(&code);
        } else if let Some(both) = self.sides.pair(subject, code) {
            add_difference(&both, &mut findings);
        }
        Ok(findings)
    }
}

/// Adds how the code of two sides differs.
fn add_difference([base, new]: &[Code; 2], findings: &mut Findings) {
    let difference = compare(base, new);
    let text = difference.lines(COLUMNS).join("\n") + "\n";
    findings.files.push(file("code-diff.txt", "differences of the machine code", "text/plain", text.into_bytes()));
    findings.facts.push(("same", f64::from(u8::from(difference.sameness == Sameness::Same))));
    let [called, inlined] = difference.turned_in_loops();
    let facts = [(Diagnosis::CALLED_NOW, called), (Diagnosis::INLINED_NOW, inlined)];
    let counts =
        facts.into_iter().flat_map(|(fact, names)| names.into_iter().map(move |name| (format!("{fact}{name}"), 1.0)));
    findings.counts.extend(counts);
    let body = |code: &Code| code.functions.first().map(|body| consists(&body.summary)).unwrap_or_default();
    let text = match difference.sameness {
        Sameness::Different => {
            format!("{}; the body is {} in the base and {} now", difference.summary(), body(base), body(new))
        }
        _ => format!("{}; the body is {}", difference.summary(), body(new)),
    };
    let text = difference.inlined_differently().into_iter().fold(text, |text, line| format!("{text}; {line}"));
    findings.remarks.push(Remark { is_warning: false, text, advice: ADVICE.to_owned() });
}

/// The summary of the body and its callees as numbers.
fn numbers(code: &Code) -> Vec<(&'static str, f64)> {
    let of = &code.total;
    vec![
        ("bytes", of.bytes as f64),
        ("instructions", f64::from(of.instructions)),
        ("calls", f64::from(of.calls)),
        ("functions", code.functions.len() as f64),
        ("vector_bits", f64::from(of.vector_bits)),
        ("divisions", f64::from(of.divisions)),
        ("atomics", f64::from(of.atomics)),
        ("copying", f64::from(of.copied)),
        ("hot_loop", f64::from(of.hot_loop)),
        ("chain", f64::from(of.chain)),
        ("pointers", pointers(code) as f64),
        ("whole", f64::from(u8::from(code.is_whole))),
    ]
}

/// Calls whose target is only known at run time.
fn pointers(code: &Code) -> usize {
    let blocks = code.functions.iter().flat_map(|function| &function.blocks);
    let targets = blocks.flat_map(|block| &block.instructions).filter_map(|one| one.target.as_ref());
    targets.filter(|target| target.kind != Goes::Jump && target.name.is_empty()).count()
}

/// The readable listing, and the values for programs.
fn files(code: &Code) -> Vec<File> {
    let text = listing(code, None, COLUMNS).join("\n") + "\n";
    vec![
        file("code.txt", "machine code", "text/plain", text.into_bytes()),
        file(Code::FILE, "machine code for programs", Code::MEDIA_TYPE, code.to_json()),
    ]
}

fn remarks(code: &Code) -> Vec<Remark> {
    let Some(body) = code.functions.first() else { return Vec::new() };
    let called = code.functions.len() - 1;
    let mut text = format!("the body is {}", consists(&body.summary));
    if called > 0 {
        let functions = plural(called, "function");
        text.push_str(&format!("; with {functions} that it calls, {}", consists(&code.total)));
    }
    if let Some(reasons) = &code.deoptimised {
        text.push_str(&format!("; the runtime left its code for the interpreter: {reasons}"));
    }
    vec![Remark { is_warning: false, text, advice: ADVICE.to_owned() }]
}
