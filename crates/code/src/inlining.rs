//! Which functions were inlined into the code that is listed, and which are called.

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

/// Names that one side inlines and the other calls.
pub(crate) fn turned(inlines: &Inlining, calls: &Inlining) -> Vec<String> {
    let is_inlined = |name: &&String| inlines.inlined.contains(short(name));
    let still = |name: &&String| !inlines.called.contains(*name);
    calls.called.iter().filter(is_inlined).filter(still).cloned().collect()
}
