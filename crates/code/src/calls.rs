//! What became of the calls in the source: which were inlined, and which are calls in the machine code.

use crate::listing::cut;
use crate::names::{short, without_arguments};
use crate::values::{Code, Frame, Function, Goes, Instruction};
use serde::{Deserialize, Serialize};

/// The calls of a body and of the functions that it calls. `docs/reference/code.md` documents the form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The version of this form, [`Calls::VERSION`].
    pub version: u32,
    /// The file with the machine code.
    pub program: String,
    /// The body first, then what it calls.
    pub functions: Vec<Caller>,
    /// Why it is unknown what was inlined; only calls in the machine code are listed then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lines: Option<String>,
    /// What was left out, in words.
    #[serde(default)]
    pub left_out: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// `body`, or its name.
    pub name: String,
    /// Calls from the body.
    pub depth: u32,
    /// Its calls, in the order of the code.
    pub calls: Vec<Call>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The called function; empty if it is only known at run time.
    pub function: String,
    pub how: How,
    /// The file of the line with the call; empty if unknown.
    pub file: String,
    /// That line, from 1; 0 if unknown.
    pub line: u32,
    /// Of an inlined function, its remaining instructions, 0 if unknown; otherwise the calling instructions.
    pub instructions: u32,
    /// Why it was not inlined, if the compiler says so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The calls in an inlined function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The code of the function is part of its caller.
    #[default]
    Inlined,
    Called,
    /// It is jumped to, and returns to its caller's caller.
    TailCall,
}

/// Calls by what became of them, including those in inlined functions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Inlined functions.
    pub inlined: u32,
    /// Functions that are called.
    pub called: u32,
    /// Those of them reached by a jump at the end.
    pub tail_calls: u32,
    /// Those of them whose target is only known at run time.
    pub indirect: u32,
}

impl Calls {
    pub const VERSION: u32 = 1;
    pub const MEDIA_TYPE: &'static str = "application/vnd.tare.inlining+json";
    pub const FILE: &'static str = "inlining.json";

    /// Reads them off machine code.
    pub fn of(code: &Code) -> Calls {
        Calls {
            version: Calls::VERSION,
            program: code.program.clone(),
            functions: code.functions.iter().map(|function| caller(code, function)).collect(),
            no_lines: code.no_lines.clone(),
            left_out: code.left_out.clone(),
        }
    }

    pub fn parse(content: &[u8]) -> Result<Calls, String> {
        let calls: Calls = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        match calls.version == Calls::VERSION {
            true => Ok(calls),
            false => {
                Err(format!("it is of version {}, and this `tare` reads version {}", calls.version, Calls::VERSION))
            }
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The calls of the body alone.
    pub fn of_body(&self) -> Tally {
        let mut tally = Tally::default();
        self.functions.first().into_iter().for_each(|body| tally.add(&body.calls));
        tally
    }

    /// The calls as text, in lines of at most `columns` columns.
    pub fn text(&self, columns: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for caller in &self.functions {
            let nothing = match (caller.calls.is_empty(), &self.no_lines) {
                (true, None) => ": calls nothing, and nothing was inlined",
                (true, Some(_)) => ": no calls are known",
                (false, _) => "",
            };
            lines.push(format!("{}{nothing}", caller.name));
            rows(&caller.calls, 1, &mut lines);
        }
        lines.extend(self.no_lines.iter().map(|why| format!("inlined functions are not known: {why}")));
        lines.extend(self.left_out.iter().map(|left| format!("not shown: {left}")));
        lines.iter().map(|line| cut(line, columns.max(40))).collect()
    }
}

impl Tally {
    fn add(&mut self, calls: &[Call]) {
        for call in calls {
            match call.how {
                How::Inlined => self.inlined += 1,
                How::Called => self.called += 1,
                How::TailCall => (self.called, self.tail_calls) = (self.called + 1, self.tail_calls + 1),
            }
            self.indirect += u32::from(call.function.is_empty());
            self.add(&call.calls);
        }
    }

    pub fn text(&self) -> String {
        let counted = |n: u32| format!("{n} {}", if n == 1 { "call" } else { "calls" });
        if self.inlined + self.called == 0 {
            return "no calls".to_owned();
        }
        let mut text = format!("{} inlined, {} not", counted(self.inlined), self.called);
        if self.tail_calls > 0 {
            text.push_str(&format!(", {} of them as a tail call", self.tail_calls));
        }
        if self.indirect > 0 {
            text.push_str(&format!(", {} by an address that is only known when it runs", self.indirect));
        }
        text
    }
}

fn caller(code: &Code, function: &Function) -> Caller {
    let mut calls = Vec::new();
    for one in function.blocks.iter().flat_map(|block| &block.instructions) {
        if one.is_filling() || one.is_of_loop {
            continue;
        }
        let place = one.place.and_then(|at| code.places.get(at as usize));
        note(&mut calls, place.map_or(&[], |place| &place.frames), one);
    }
    Caller { name: function.name.clone(), depth: function.depth, calls }
}

/// Counts an instruction for the functions into which it is inlined, and its call for the innermost.
fn note(calls: &mut Vec<Call>, frames: &[Frame], one: &Instruction) {
    let mut within = calls;
    // The outermost is the function itself.
    for pair in frames.windows(2).rev() {
        let [callee, caller] = pair else { continue };
        let call = found(within, &callee.function, How::Inlined, caller);
        call.instructions += 1;
        within = &mut call.calls;
    }
    let Some(target) = one.target.as_ref().filter(|target| target.kind != Goes::Jump) else { return };
    let how = if target.kind == Goes::Call { How::Called } else { How::TailCall };
    found(within, &target.name, how, frames.first().unwrap_or(&Frame::default())).instructions += 1;
}

/// The entry of a function called at a line, added if new.
fn found<'c>(calls: &'c mut Vec<Call>, function: &str, how: How, at: &Frame) -> &'c mut Call {
    let is_it =
        |call: &Call| call.function == function && call.how == how && call.line == at.line && call.file == at.file;
    let place = calls.iter().position(is_it).unwrap_or_else(|| {
        let (function, file) = (function.to_owned(), at.file.clone());
        calls.push(Call { function, how, file, line: at.line, ..Call::default() });
        calls.len() - 1
    });
    &mut calls[place]
}

/// Deeper inlining is not indented further.
const INDENT_MAX: usize = 12;

fn rows(calls: &[Call], depth: usize, lines: &mut Vec<String>) {
    for call in calls {
        let how = match call.how {
            How::Inlined => "inlined   ",
            How::Called => "called    ",
            How::TailCall => "tail call ",
        };
        let name = match call.function.as_str() {
            "" => "a function that is only known when it runs",
            // Names with template arguments may be as long as a page.
            name if name.len() > 60 => short(name),
            name => without_arguments(name),
        };
        let file = call.file.rsplit('/').next().unwrap_or_default();
        let place = if call.line > 0 { format!("  {file}:{}", call.line) } else { String::new() };
        let count = match (call.how, call.instructions) {
            (How::Inlined, 1) => "  (1 instruction)".to_owned(),
            (How::Inlined, n) if n > 0 => format!("  ({n} instructions)"),
            (_, 0 | 1) => String::new(),
            (_, n) => format!("  ({n} times)"),
        };
        let why = if call.why.is_empty() { String::new() } else { format!("  ({})", call.why) };
        lines.push(format!("{}{how}{name}{place}{count}{why}", "  ".repeat(depth.min(INDENT_MAX))));
        rows(&call.calls, depth + 1, lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Block, Place, Target};

    #[test]
    fn calls_are_listed_by_what_became_of_them() {
        let frame =
            |function: &str, line: u32| Frame { function: function.to_owned(), file: "/a/b.c".to_owned(), line };
        let places = vec![
            Place { frames: vec![frame("body()", 3)] },
            Place { frames: vec![frame("twice(int)", 9), frame("body()", 3)] },
            Place { frames: vec![frame("add(int)", 12), frame("twice(int)", 8), frame("body()", 3)] },
        ];
        let one = |place: u32, target: Option<(Goes, &str)>| Instruction {
            place: Some(place),
            target: target.map(|(kind, name)| Target { kind, name: name.to_owned() }),
            normal: "x".to_owned(),
            ..Instruction::default()
        };
        let instructions = vec![
            one(1, None),
            one(2, None),
            one(2, Some((Goes::Jump, "L1"))),
            one(1, Some((Goes::Call, "slow(int)"))),
            one(0, Some((Goes::Call, ""))),
            one(0, Some((Goes::Call, ""))),
            one(0, Some((Goes::TailCall, "last"))),
        ];
        let blocks = vec![Block { instructions, ..Block::default() }];
        let body = Function { name: "body".to_owned(), blocks, ..Function::default() };
        let leaf = Function { name: "last()".to_owned(), depth: 1, ..Function::default() };
        let calls = Calls::of(&Code { functions: vec![body, leaf], places, ..Code::default() });
        let text = "\
body
  inlined   twice  b.c:3  (4 instructions)
    inlined   add  b.c:8  (2 instructions)
    called    slow  b.c:9
  called    a function that is only known when it runs  b.c:3  (2 times)
  tail call last  b.c:3
last(): calls nothing, and nothing was inlined";
        assert_eq!(calls.text(200).join("\n"), text);
        assert_eq!(calls.of_body(), Tally { inlined: 2, called: 3, tail_calls: 1, indirect: 1 });
        assert_eq!(
            calls.of_body().text(),
            "2 calls inlined, 3 not, 1 of them as a tail call, 1 by an address that is only known when it runs"
        );
        assert_eq!(Tally::default().text(), "no calls");
        assert_eq!(Calls::parse(&calls.to_json()), Ok(calls));
        assert!(Calls::parse(b"{}").is_err());
    }
}
