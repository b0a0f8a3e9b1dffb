//! `inlining`: which calls of the body were inlined, and which are calls of the machine code. Nothing is run.

use crate::code::body::{self, file, Body};
use crate::sides::Sides;
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Signal, Subject, Tools, Work};
use tare_code::{compare, Calls, Code};
use tare_model::{Artifact, Lack, LaunchChange, Remark};

pub(crate) const INLINING: Entry = Entry {
    name: NAME,
    about: "which calls of the body and of what it calls were inlined, which were not, and which are tail calls",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64"),
        Need::Language("C, C++, Rust, or a front end with the capability `code`; built with `-g1` or `-g`"),
    ],
    metrics: &[],
    topic: "inlining",
    make: || Box::new(Inlining::default()),
};

const NAME: &str = "inlining";
/// Columns of the list for people.
const COLUMNS: usize = 100;

#[derive(Default)]
struct Inlining {
    body: Body,
    sides: Sides<Code>,
}

impl Diagnoser for Inlining {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        body::possible()
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        body::lacks(program)
    }

    fn work(&self) -> Work {
        Work::Open
    }

    fn follows_calls(&self) -> bool {
        true
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        self.body = Body::of(subject);
        Ok(LaunchChange::default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        self.body.signal(signal)
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let code = self.body.read()?;
        let calls = Calls::of(&code);
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
        if let Some([base, new]) = self.body.subject().and_then(|subject| self.sides.pair(subject, code)) {
            remarks.extend(compare(&base, &new).inlined_differently().into_iter().map(remark));
        }
        Ok(Findings { files, facts, remarks, ..Findings::default() })
    }
}

fn remark(text: String) -> Remark {
    Remark { is_warning: false, text, advice: "`tare show --inlining` lists them".to_owned() }
}
