//! Which functions were inlined into the code that is listed, and which are called.

use crate::calls::{Call, Calls, How};
use crate::names::{short, without_arguments};
use crate::values::{Code, Function, Goes};
use std::collections::BTreeSet;

/// The functions of a body, without their arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inlining {
    /// Those whose code is part of another one's. Empty without debug information.
    pub inlined: BTreeSet<String>,
    /// Those that are called, or jumped to at the end.
    pub called: BTreeSet<String>,
}

impl Code {
    /// Of all functions that are listed.
    pub fn inlining(&self) -> Inlining {
        let mut all = Inlining::default();
        for function in &self.functions {
            let of = self.inlining_of(function);
            all.inlined.extend(of.inlined);
            all.called.extend(of.called);
        }
        all
    }

    /// Of one function.
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
    /// Of all functions that are listed.
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

    /// What one side inlines and the other calls, a line each way.
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

/// Names that one side inlines and the other calls.
fn turned(inlines: &Inlining, calls: &Inlining) -> Vec<String> {
    let is_inlined = |name: &&String| inlines.inlined.contains(short(name));
    let still = |name: &&String| !inlines.called.contains(*name);
    calls.called.iter().filter(is_inlined).filter(still).cloned().collect()
}
