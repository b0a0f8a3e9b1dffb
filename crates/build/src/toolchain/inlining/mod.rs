//! Finds functions that the compiler inlined into the measuring loop of one program but called in another. It decides by size, so that a
//! small change elsewhere can flip the decision; the ratio then includes it.
//!
//! The symbol table names the loops, since the front ends have one function for each body. Their machine code shows the calls, the debug
//! information the inlined functions. Programs without symbols or for other processors give nothing.

mod calls;
mod debug;
mod loops;

#[cfg(test)]
mod tests;

use super::elf::content;
use loops::{Loop, Program};
use std::collections::BTreeSet;
use tare_model::{Artifact, LoopCalls};

/// Limit on names and on loops kept for each program.
const KEPT_MAX: usize = 64;

/// Fills [`Artifact::loops`] of the programs of a run.
pub fn note_inlining(artifacts: &mut [Artifact]) {
    let hashes: BTreeSet<&str> = artifacts.iter().map(|artifact| artifact.hash.as_str()).collect();
    if hashes.len() < 2 {
        return;
    }
    let files: Vec<Vec<u8>> = artifacts.iter().map(|artifact| content(artifact).unwrap_or_default()).collect();
    let programs: Vec<Option<Program>> = files.iter().map(|file| Program::read(file)).collect();
    let mut different = programs.iter().flatten().map(Program::symbols);
    let first = different.next();
    if different.all(|symbols| Some(symbols) == first) {
        return;
    }
    let loops: Vec<Vec<Loop>> =
        programs.iter().map(|program| program.as_ref().map_or_else(Vec::new, Program::loops)).collect();
    for (at, artifact) in artifacts.iter_mut().enumerate() {
        artifact.loops = kept(&loops, at);
    }
}

/// Of a program's loops, what another program does the other way round.
fn kept(programs: &[Vec<Loop>], at: usize) -> Vec<LoopCalls> {
    let others = || programs.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, loops)| loops);
    let is_called = |name: &String| others().flatten().any(|of| of.calls.contains(name));
    let is_inlined =
        |name: &String| others().flatten().any(|of| of.inlined.as_ref().is_some_and(|inlined| inlined.contains(name)));
    // Without debug information, all that is known is that no loop of the other program calls it.
    let is_missed = |name: &String| {
        others()
            .any(|loops| loops.iter().any(|of| of.inlined.is_none()) && !loops.iter().any(|of| of.calls.contains(name)))
    };
    let few = |names: &BTreeSet<String>, is_kept: &dyn Fn(&String) -> bool| -> Vec<String> {
        names.iter().filter(|name| is_kept(name)).take(KEPT_MAX).cloned().collect()
    };
    let of = |of: &Loop| LoopCalls {
        line: of.line,
        body: of.body.clone(),
        calls: few(&of.calls, &|name| is_inlined(name) || is_missed(name)),
        inlined: of.inlined.as_ref().map(|inlined| few(inlined, &is_called)),
    };
    let says_something = |of: &LoopCalls| !of.calls.is_empty() || of.inlined.as_ref().is_none_or(|of| !of.is_empty());
    let found = programs.get(at).into_iter().flatten().map(of).filter(says_something);
    found.take(KEPT_MAX).collect()
}
