//! `inlining`: which calls of the body were inlined, and which are calls in the machine code. Nothing is run.

use crate::code::body::{self, file, Body};
use crate::events::{self, Events};
use crate::sides::Sides;
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
use tare_code::{inlined_late, Calls, Inlining as Inlined};
use tare_model::{Artifact, Lack, LaunchChange, Remark};

pub(crate) const INLINING: Entry = Entry {
    name: NAME,
    about: "which calls of the body and of what it calls were inlined, which were not, and which are tail calls",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64 or AArch64; for .NET any system"),
        Need::Language(
            "C, C++, Rust, .NET 5 and later, or a front end with the capability `code`; built with `-g1` or `-g`",
        ),
    ],
    metrics: &[],
    topic: "inlining",
    make: || Box::new(Inlining::default()),
};

pub const NAME: &str = "inlining";
const COLUMNS: usize = 100;

#[derive(Default)]
struct Inlining {
    body: Body,
    /// For a runtime that compiles late.
    events: Option<Events>,
    sides: Sides<Inlined>,
}

impl Diagnoser for Inlining {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        // A runtime reports it on any system.
        body::possible().map_err(|missing| Missing { is_fatal: false, ..missing })
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        events::lacks(program).unwrap_or_else(|| match body::possible() {
            Ok(()) => body::lacks(program),
            Err(missing) => Some(Lack { reason: missing.reason, advice: String::new() }),
        })
    }

    fn pass(&self, program: &Artifact) -> Pass {
        // Late-compiled code is inlined only after it has run.
        let work = if events::are_told(program) { Work::Iterations } else { Work::Open };
        Pass { once: true, follows_calls: true, ..Pass::of(work) }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        (self.body, self.events) = (Body::of(subject), Events::of(subject)?);
        Ok(self.events.as_ref().map(|events| events.change(|runtime| runtime.inlining)).unwrap_or_default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match self.events {
            Some(_) => Ok(()),
            None => self.body.signal(signal),
        }
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let (calls, inlined) = match &self.events {
            None => {
                let code = self.body.read()?;
                (Calls::of(&code), code.inlining())
            }
            Some(events) => {
                let subject = events.subject();
                let depth = subject.depth.unwrap_or(body::DEPTH);
                let calls = inlined_late(&events.read()?, &subject.method()?, &subject.program, depth)?;
                let inlined = calls.inlining();
                (calls, inlined)
            }
        };
        let tally = calls.of_body();
        let text = calls.text(COLUMNS).join("\n") + "\n";
        let files = vec![
            file("inlining.txt", "what was inlined", "text/plain", text.into_bytes()),
            file(Calls::FILE, "what was inlined, for programs", Calls::MEDIA_TYPE, calls.to_json()),
        ];
        let numbers = [
            ("inlined", tally.inlined),
            ("called", tally.called),
            ("tail_calls", tally.tail_calls),
            ("indirect", tally.indirect),
        ];
        let facts = numbers.into_iter().map(|(name, n)| (name, f64::from(n))).collect();
        let text = match &calls.no_lines {
            None => format!("the body has {}", tally.text()),
            Some(why) => {
                format!("the body has {} in its machine code; what was inlined is not known: {why}", tally.text())
            }
        };
        let mut remarks = vec![remark(text)];
        if let Some([base, new]) = self.body.subject().and_then(|subject| self.sides.pair(subject, inlined)) {
            remarks.extend(Inlined::differently(&base, &new).into_iter().map(remark));
        }
        Ok(Findings { files, facts, remarks, ..Findings::default() })
    }
}

fn remark(text: String) -> Remark {
    Remark { is_warning: false, text, advice: "`tare show --inlining` lists them".to_owned() }
}
