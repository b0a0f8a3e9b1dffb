//! Which functions were inlined into the listed code, and which are called.

use crate::calls::{Call, Calls, How};
use crate::names::{short, without_arguments};
use crate::values::{Code, Function, Goes};
use std::collections::BTreeSet;

/// The functions of a body, without their arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inlining {
    /// Those whose code is part of another function. Empty without debug information.
    pub inlined: BTreeSet<String>,
    /// Those that are called, or jumped to at the end.
    pub called: BTreeSet<String>,
}

impl Code {
    /// Of all listed functions.
    pub fn inlining(&self) -> Inlining {
        let mut all = Inlining::default();
        for function in &self.functions {
            let of = self.inlining_of(function);
            all.inlined.extend(of.inlined);
            all.called.extend(of.called);
        }
        all
    }

    /// The callees in loops of the body and of what it calls. What is called in a loop is in it as a whole.
    pub(crate) fn called_in_loops(&self) -> BTreeSet<&str> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        for function in &self.functions {
            let is_in_one = found.contains(without_arguments(&function.name));
            let in_loops = function.blocks.iter().filter(|block| block.loops > 0 || is_in_one);
            let targets = in_loops.flat_map(|block| &block.instructions).filter_map(|one| one.target.as_ref());
            let calls = targets.filter(|target| target.kind != Goes::Jump && !target.name.is_empty());
            found.extend(calls.map(|target| without_arguments(&target.name)));
        }
        found
    }

    pub(crate) fn inlining_of(&self, function: &Function) -> Inlining {
        let mut found = Inlining::default();
        for one in function.blocks.iter().flat_map(|block| &block.instructions) {
            let place = one.place.and_then(|at| self.places.get(at as usize));
            // The outermost one is the function itself, or the body.
            let frames = place.and_then(|place| place.frames.split_last()).map_or(&[][..], |(_, inner)| inner);
            let names = frames.iter().map(|frame| short(&frame.function)).filter(|name| !name.is_empty());
            found.inlined.extend(names.map(str::to_owned));
            let goes = one.target.as_ref().filter(|target| target.kind != Goes::Jump && !target.name.is_empty());
            found.called.extend(goes.map(|target| without_arguments(&target.name).to_owned()));
        }
        found
    }
}

impl Calls {
    /// Of all listed functions.
    pub fn inlining(&self) -> Inlining {
        let mut all = Inlining::default();
        self.functions.iter().for_each(|function| all.add(&function.calls));
        all
    }
}

impl Inlining {
    fn add(&mut self, calls: &[Call]) {
        for call in calls.iter().filter(|call| !call.function.is_empty()) {
            match call.how {
                How::Inlined => self.inlined.insert(short(&call.function).to_owned()),
                How::Called | How::TailCall => self.called.insert(without_arguments(&call.function).to_owned()),
            };
            self.add(&call.calls);
        }
    }

    /// What one side inlines and the other calls; one line per direction.
    pub fn differently(base: &Inlining, new: &Inlining) -> Vec<String> {
        let line = |what: &str, names: Vec<String>| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
        };
        let called = line("inlined in the base and called now", turned(base, new));
        let inlined = line("called in the base and inlined now", turned(new, base));
        called.into_iter().chain(inlined).collect()
    }
}

/// Names that one side inlines and the other calls. If a runtime looks up the method at run time, it names the call after the way it does
/// so, as in `invokeinterface:price`.
pub(crate) fn turned(inlines: &Inlining, calls: &Inlining) -> Vec<String> {
    let method =
        |name: &str| name.strip_prefix("invoke").and_then(|rest| rest.split_once(':')).map(|(_, name)| name.to_owned());
    let is_inlined = |name: &&String| {
        inlines.inlined.contains(short(name)) || method(name).is_some_and(|name| inlines.inlined.contains(&name))
    };
    let still = |name: &&String| !inlines.called.contains(*name);
    calls.called.iter().filter(is_inlined).filter(still).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::compare;
    use crate::values::{Block, Frame, Instruction, Place, Summary, Target};

    /// A loop that calls something, or contains its code.
    fn code(calls: Option<&str>) -> Code {
        let target = calls.map(|name| Target { kind: Goes::Call, name: name.to_owned() });
        let one = Instruction { target, place: calls.is_none().then_some(0), ..Instruction::default() };
        let frame = |name: &str| Frame { function: name.to_owned(), ..Frame::default() };
        Code {
            functions: vec![Function {
                blocks: vec![Block { loops: 1, instructions: vec![one], ..Block::default() }],
                summary: Summary { loops: 1, ..Summary::default() },
                ..Function::default()
            }],
            places: vec![Place { frames: vec![frame("price"), frame("total")] }],
            ..Code::default()
        }
    }

    #[test]
    fn a_call_in_a_loop_of_what_the_other_side_inlines_is_turned() {
        let none = Vec::<String>::new();
        for name in ["invokeinterface:price", "price(int)", "shop::price"] {
            let (inlines, calls) = (code(None), code(Some(name)));
            let name = without_arguments(name).to_owned();
            assert_eq!(compare(&inlines, &calls).turned_in_loops(), [vec![name.clone()], none.clone()]);
            assert_eq!(compare(&calls, &inlines).turned_in_loops(), [none.clone(), vec![name]]);
        }
        assert_eq!(compare(&code(None), &code(Some("other"))).turned_in_loops(), [none.clone(), none]);
    }
}
