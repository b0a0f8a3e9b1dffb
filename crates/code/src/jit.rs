//! Machine code compiled at run time, as listed by .NET's compiler (`DOTNET_JitDisasm`) or logged by the Java virtual machine.

mod hotspot;
mod text;

use crate::flow::{Edges, Goes as Flow, Loop};
use crate::left::Left;
use crate::names::harmless;
use crate::values::{
    copied, divides, is_atomic, Block, Code, Frame, Function, Goes, Instruction, Place, Summary, Target,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const FUNCTIONS_MAX: usize = 40;
const HEAD: &str = "; Assembly listing for method ";
const SIZE: &str = "; Total bytes of code ";

/// One compilation of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Compiled {
    /// With its class, arguments and result: `Parse:ByHand():int:this`.
    method: String,
    /// The runtime's number of this compilation; empty if it has none.
    id: String,
    /// `Tier0`, `Tier1`, `Tier1-OSR @0x1f`; empty if the runtime does not report it.
    tier: String,
    bytes: u64,
    lines: Vec<Raw>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Raw {
    /// With its place in the code, if the runtime reports it.
    Label(String, Option<u64>),
    /// Bytes that fill a gap.
    Gap(u64),
    Instruction {
        bytes: String,
        text: String,
        note: String,
        /// Where it comes from, innermost method first; empty if the runtime does not report it.
        frames: Vec<Frame>,
    },
}

pub struct Method<'a> {
    /// Its class with the namespace and the enclosing classes: `Space.Outer+Inner`.
    pub class: &'a str,
    pub name: &'a str,
}

/// Reads the code of a method and its callees from the compiler's listing of a program run.
pub fn of_runtime(listing: &str, method: &Method, program: &str, depth: u32) -> Result<Code, String> {
    let is_logged = hotspot::is(listing);
    let all = if is_logged { hotspot::parse(listing) } else { parse(listing) };
    if all.is_empty() {
        return Err("the runtime listed none of the code that it compiled".to_owned());
    }
    // The last compilation is what runs in the end, except code that counts for the next compiler.
    let (counting, lasting): (Vec<&Compiled>, Vec<&Compiled>) = all.iter().partition(|compiled| compiled.counts());
    let latest: BTreeMap<&str, &Compiled> =
        counting.into_iter().chain(lasting).map(|compiled| (compiled.method.as_str(), compiled)).collect();
    let body = body(&all, method).ok_or_else(|| {
        let name = harmless(&format!("{}.{}", method.class, method.name));
        format!("the runtime compiled no method `{name}` in this process")
    })?;
    let chosen = latest.get(body.method.as_str()).copied().unwrap_or(body);
    if chosen.counts() {
        return Err(format!(
            "the runtime has not compiled the body to its end: its code ({}) still counts for that",
            tier(chosen)
        ));
    }
    let mut left = Left::default();
    let mut queue = VecDeque::from([(chosen, 0)]);
    let (mut seen, mut functions, mut places) = (BTreeSet::from([body.method.as_str()]), Vec::new(), Vec::new());
    while let Some((compiled, at)) = queue.pop_front() {
        let function = function(compiled, at, &mut places);
        for target in targets(&function) {
            let called = latest.get_key_value(target.as_str());
            match called {
                _ if target.is_empty() => left.indirect += 1,
                None => {
                    left.imports.insert(target);
                }
                Some((name, _)) if seen.contains(name) => {}
                Some(_) if at >= depth => {
                    left.deep.insert(target);
                }
                Some(_) if seen.len() >= FUNCTIONS_MAX => {
                    left.large.insert(target);
                }
                Some((name, called)) => {
                    seen.insert(*name);
                    queue.push_back((*called, at + 1));
                }
            }
        }
        functions.push(function);
    }
    let mut total = Summary::default();
    functions.iter().for_each(|function| total.add(&function.summary));
    let mut earlier: Vec<String> = all
        .iter()
        .filter(|compiled| compiled.method == body.method)
        .map(|compiled| format!("{}, {} bytes", tier(compiled), compiled.bytes))
        .collect();
    earlier.dedup();
    let is_whole = left.is_whole() && left.imports.is_empty();
    let mut left_out = left.texts(depth);
    if let Some((_, earlier)) = earlier.split_last().filter(|(_, earlier)| !earlier.is_empty()) {
        left_out.push(format!("what the body was compiled to before: {}", earlier.join("; ")));
    }
    let no_lines = places.is_empty().then(|| "the runtime lists its code without them".to_owned());
    let ids: Vec<&str> = all.iter().filter(|of| of.method == body.method).map(|of| of.id.as_str()).collect();
    let deoptimised = is_logged.then(|| hotspot::traps(listing, &ids)).flatten();
    Ok(Code {
        version: Code::VERSION,
        machine: "x86-64".to_owned(),
        program: harmless(program),
        functions,
        places,
        no_lines,
        deoptimised,
        total,
        is_whole,
        left_out,
        ..Code::default()
    })
}

impl Compiled {
    fn parts(&self) -> (&str, &str) {
        let (class, rest) = self.method.split_once(':').unwrap_or(("", &self.method));
        (class, rest.split(['(', '[']).next().unwrap_or(rest))
    }
}

/// The last compilation of the body.
fn body<'c>(all: &'c [Compiled], method: &Method) -> Option<&'c Compiled> {
    last_named(all.iter().map(|of| (of, of.parts())), method)
}

/// The last entry that is the method, by its full class name or else by its simple class name.
pub(crate) fn last_named<'c, T>(all: impl Iterator<Item = (T, (&'c str, &'c str))>, method: &Method) -> Option<T> {
    let simple = |class: &str| -> String {
        let class = class.split(['[', '<', '`']).next().unwrap_or_default();
        class.rsplit(['.', '+']).next().unwrap_or_default().to_owned()
    };
    let wanted = simple(method.class);
    let (mut exact, mut similar) = (None, None);
    for (of, (class, name)) in all.filter(|(_, (_, name))| *name == method.name) {
        match (class, name) == (method.class, method.name) {
            true => exact = Some(of),
            false if simple(class) == wanted => similar = Some(of),
            false => {}
        }
    }
    exact.or(similar)
}

impl Compiled {
    /// Whether it comes from a compiler that runs first and counts for the next one.
    fn counts(&self) -> bool {
        ["C1, level 2", "C1, level 3"].iter().any(|counting| self.tier.starts_with(counting))
    }
}

fn tier(compiled: &Compiled) -> &str {
    if compiled.tier.is_empty() {
        "of an unknown tier"
    } else {
        &compiled.tier
    }
}

fn targets(function: &Function) -> Vec<String> {
    let all = function.blocks.iter().flat_map(|block| &block.instructions).filter_map(|one| one.target.as_ref());
    all.filter(|target| target.kind != Goes::Jump).map(|target| target.name.clone()).collect()
}

/// All compiled methods, in order.
fn parse(listing: &str) -> Vec<Compiled> {
    let mut all: Vec<Compiled> = Vec::new();
    for line in listing.lines() {
        if let Some(head) = line.strip_prefix(HEAD) {
            let (method, tier) = match head.strip_suffix(')').and_then(|head| head.rsplit_once(" (")) {
                Some((method, tier)) => (method, tier),
                None => (head, ""),
            };
            all.push(Compiled { method: harmless(method.trim()), tier: harmless(tier), ..Compiled::default() });
            continue;
        }
        let Some(compiled) = all.last_mut() else { continue };
        if let Some(size) = line.strip_prefix(SIZE) {
            compiled.bytes = size.trim().split([' ', ',']).next().and_then(|size| size.parse().ok()).unwrap_or(0);
        } else if let Some(tier) = line.strip_prefix("; ").and_then(|line| line.strip_suffix(" compilation")) {
            // .NET 7 reports it in a separate line.
            if compiled.tier.is_empty() {
                compiled.tier = harmless(tier).replace("Tier-", "Tier");
            }
        } else {
            compiled.lines.extend(text::raw(line));
        }
    }
    all
}

fn function(compiled: &Compiled, depth: u32, places: &mut Vec<Place>) -> Function {
    let (mut flat, mut labels): (Vec<Instruction>, BTreeMap<&str, u64>) = (Vec::new(), BTreeMap::new());
    let mut address = 0;
    for line in &compiled.lines {
        match line {
            Raw::Gap(size) => address += size,
            Raw::Label(label, at) => {
                address = address.max(at.unwrap_or(0));
                labels.insert(label.as_str(), address);
            }
            Raw::Instruction { bytes, text, note, frames } => {
                let place = index(frames, places);
                let (bytes, text) = (bytes.to_lowercase(), harmless(text));
                // Without bytes only the order is known.
                let size = (bytes.len() as u64 / 2).max(1);
                let constant = harmless(note);
                flat.push(Instruction { address, bytes, text, constant, place, ..Instruction::default() });
                address += size;
            }
        }
    }
    let flow: Vec<(u64, Flow)> = flat.iter().map(|one| (one.address, text::goes(&one.text, &labels))).collect();
    let edges = if flow.is_empty() { Edges::default() } else { Edges::new(&flow) };
    let loops = edges.loops(&edges.dominators());
    let jumped: BTreeSet<u64> = flow
        .iter()
        .filter_map(|(_, goes)| match goes {
            Flow::Maybe(to) | Flow::To(to) => Some(*to),
            _ => None,
        })
        .collect();
    let named: BTreeMap<u64, String> = jumped.iter().zip(1..).map(|(at, number)| (*at, format!("L{number}"))).collect();
    let names: BTreeMap<&str, &String> =
        labels.iter().filter_map(|(label, at)| Some((*label, named.get(at)?))).collect();
    for one in &mut flat {
        text::finish(one, &names);
    }
    let blocks: Vec<Block> = edges
        .blocks
        .iter()
        .enumerate()
        .map(|(at, range)| Block {
            label: named.get(&flat[range.start].address).cloned().unwrap_or_default(),
            loops: loops.iter().filter(|of| of.blocks.contains(&at)).count() as u32,
            next: edges.next[at].iter().map(|next| *next as u32).collect(),
            instructions: flat[range.clone()].to_vec(),
        })
        .collect();
    let summary = summary(&blocks, &loops, compiled.bytes);
    let name = if depth == 0 { "body" } else { &compiled.method };
    let name = format!("{name} ({})", tier(compiled));
    let method = compiled.method.clone();
    Function { name, method, depth, address: 0, blocks, summary, ..Function::default() }
}

/// The index of a place, added if new.
fn index(frames: &[Frame], places: &mut Vec<Place>) -> Option<u32> {
    if frames.is_empty() {
        return None;
    }
    let known = places.iter().position(|place| place.frames == frames);
    let at = known.unwrap_or_else(|| {
        places.push(Place { frames: frames.to_vec() });
        places.len() - 1
    });
    u32::try_from(at).ok()
}

/// A call of the virtual machine's that leaves the code for the interpreter.
const NEVER_BACK: &str = "runtime:UncommonTrapBlob";

fn summary(blocks: &[Block], loops: &[Loop], bytes: u64) -> Summary {
    let mut sum = Summary { bytes, loops: loops.len() as u32, ..Summary::default() };
    let has_loops = !loops.is_empty();
    for block in blocks {
        if block.loops > 0 || !has_loops {
            sum.copied += copied(block.instructions.iter().map(|one| one.text.as_str()));
        }
        for one in block.instructions.iter().filter(|one| !one.is_filling()) {
            sum.instructions += 1;
            sum.branches += u32::from(text::is_branch(&one.text));
            sum.calls += u32::from(
                one.target.as_ref().is_some_and(|target| target.kind != Goes::Jump && target.name != NEVER_BACK),
            );
            sum.divisions += u32::from(divides(&one.text));
            if block.loops > 0 || !has_loops {
                sum.atomics += u32::from(is_atomic(&one.text));
                sum.vector_bits = sum.vector_bits.max(text::vector_bits(&one.text));
            }
        }
    }
    let size = |of: &Loop| -> usize {
        let shown = of.blocks.iter().flat_map(|block| &blocks[*block].instructions);
        shown.filter(|one| !one.is_filling()).count()
    };
    let deepest = |of: &Loop| loops.iter().filter(|other| other.blocks.contains(&of.head)).count();
    sum.hot_loop = loops.iter().map(|of| (deepest(of), size(of))).max().map_or(0, |(_, size)| size as u32);
    sum
}

fn target(kind: Goes, name: &str) -> Option<Target> {
    Some(Target { kind, name: name.to_owned() })
}

#[cfg(test)]
mod tests;
