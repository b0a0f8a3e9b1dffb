//! What became of the calls of a method that the runtime compiled, from its compiler's events.

use super::file::Trace;
use super::{Fields, MethodName, INLINED, LOADED, NOT_INLINED, TAIL_CALLED};
use crate::calls::{Call, Caller, Calls, How};
use crate::jit::{last_named, Method};
use crate::names::harmless;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const FUNCTIONS_MAX: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    /// The method with the call: the compiled one, or one inlined into it.
    from: MethodName,
    to: MethodName,
    how: How,
    why: String,
}

/// Position of the compilation tier in the flags of a loaded method.
const TIER_SHIFT: u32 = 7;
const TIER_MASK: u32 = 7;
/// Tiers that inline nothing: unoptimised code, quick code, and instrumented quick code.
const QUICK_TIERS: [u32; 3] = [1, 3, 6];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Compiled {
    decisions: Vec<Decision>,
    /// It runs as quick code, into which nothing is inlined.
    is_quick: bool,
}

/// The calls of a method and its callees, from the events that the compiler wrote while the program ran.
pub fn inlined_late(file: &[u8], method: &Method, program: &str, depth: u32) -> Result<Calls, String> {
    let compiled = compiled(&Trace::read(file)?);
    if compiled.is_empty() {
        return Err("the runtime wrote no event of its compiler".to_owned());
    }
    let names = compiled.keys().map(|of| (of, (of.class.as_str(), of.name.as_str())));
    let body = last_named(names, method).ok_or_else(|| {
        let name = harmless(&format!("{}.{}", method.class, method.name));
        format!("the runtime compiled no method `{name}` in this process")
    })?;
    let (mut queue, mut seen) = (VecDeque::from([(body, 0)]), BTreeSet::from([body]));
    let mut functions = Vec::new();
    let mut left_out =
        vec!["calls that the compiler of the runtime cannot inline, such as those of virtual methods".to_owned()];
    while let Some((of, at)) = queue.pop_front() {
        let method = compiled.get(of);
        let decisions = method.map_or(&[][..], |method| &method.decisions);
        let name = if at == 0 { "body".to_owned() } else { harmless(&of.full()) };
        if at > 0 && method.is_some_and(|method| method.is_quick) {
            left_out.push(format!("the calls of {name}, which was not compiled in its last tier yet"));
            continue;
        }
        functions.push(Caller { name, depth: at, calls: tree(of, decisions) });
        for one in decisions.iter().filter(|one| one.how != How::Inlined && at < depth) {
            if let Some((called, _)) = compiled.get_key_value(&one.to).filter(|_| seen.len() < FUNCTIONS_MAX) {
                if seen.insert(called) {
                    queue.push_back((called, at + 1));
                }
            }
        }
    }
    let is_quick = compiled.get(body).is_some_and(|method| method.is_quick);
    let no_lines = is_quick.then(|| {
        "the runtime had not compiled it in its last tier yet, and quick code inlines nothing (`--diagnose-for 5s` waits for it)".to_owned()
    });
    Ok(Calls { version: Calls::VERSION, program: harmless(program), functions, no_lines, left_out })
}

/// The decisions of the last compilation of each method, which is what runs.
fn compiled(trace: &Trace) -> BTreeMap<MethodName, Compiled> {
    let (mut done, mut under_way) = (BTreeMap::new(), BTreeMap::<MethodName, Vec<Decision>>::new());
    for event in &trace.events {
        let mut fields = Fields::of(event);
        match event.id {
            LOADED => {
                // Numbers of the method and its module, the place of its code, and its flags.
                let flags = fields.take(3 * 8 + 2 * 4).and_then(|_| fields.u32());
                if let Some((named, flags)) = MethodName::read(&mut fields).zip(flags) {
                    let decisions = under_way.remove(&named).unwrap_or_default();
                    let is_quick = QUICK_TIERS.contains(&(flags >> TIER_SHIFT & TIER_MASK));
                    done.insert(named, Compiled { decisions, is_quick });
                }
            }
            INLINED | NOT_INLINED | TAIL_CALLED => {
                if let Some((of, decision)) = decision(event.id, &mut fields) {
                    under_way.entry(of).or_default().push(decision);
                }
            }
            _ => {}
        }
    }
    // A compilation in progress at the end of the trace has no load event.
    for (of, decisions) in under_way {
        done.entry(of).or_insert(Compiled { decisions, is_quick: false });
    }
    done
}

fn decision(id: u32, fields: &mut Fields) -> Option<(MethodName, Decision)> {
    let (of, from, to) = (MethodName::read(fields)?, MethodName::read(fields)?, MethodName::read(fields)?);
    let (how, why) = match id {
        INLINED => (How::Inlined, String::new()),
        TAIL_CALLED => (How::TailCall, String::new()),
        _ => {
            let _is_always = fields.u32()?;
            (How::Called, fields.text()?)
        }
    };
    Some((of, Decision { from, to, how, why }))
}

/// The calls of a method, with those of inlined methods below them.
fn tree(of: &MethodName, decisions: &[Decision]) -> Vec<Call> {
    let mut calls = Vec::new();
    // The latest place of each inlined method in the tree.
    let mut places: BTreeMap<&MethodName, Vec<usize>> = BTreeMap::new();
    for one in decisions {
        let path = if one.from == *of { Vec::new() } else { places.get(&one.from).cloned().unwrap_or_default() };
        let mut within = &mut calls;
        for at in &path {
            let next: &mut Call = &mut within[*at];
            within = &mut next.calls;
        }
        let at = note(within, one);
        if one.how == How::Inlined {
            places.insert(&one.to, path.into_iter().chain([at]).collect());
        }
    }
    calls
}

/// The index of a call among those of one method.
fn note(calls: &mut Vec<Call>, one: &Decision) -> usize {
    let function = harmless(&one.to.full());
    let is_it = |call: &Call| call.function == function && call.how == one.how;
    // A tail call is one that was not inlined, with a further event.
    let is_same = |call: &Call| call.function == function && one.how == How::TailCall && call.how == How::Called;
    let at = calls.iter().position(|call| is_it(call) || is_same(call)).unwrap_or_else(|| {
        calls.push(Call { function: function.clone(), how: one.how, ..Call::default() });
        calls.len() - 1
    });
    let call = &mut calls[at];
    call.how = one.how;
    if one.how == How::Called {
        call.instructions += 1;
        call.why = harmless(&one.why);
    }
    at
}
