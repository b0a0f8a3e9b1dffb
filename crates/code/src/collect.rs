//! From the address of a measuring loop to the machine code of the body and its callees.

use crate::chain::chain;
use crate::copies::{copies, Keyed};
use crate::decode::{compares_with_one, decode, held, Decoded, Writer};
use crate::elf::{Elf, AARCH64, X86_64};
use crate::flow::{dominates, invocation, last, Edges, Goes as Flow, Loop};
use crate::left::{ends_the_program, is_stack_growth, Left};
use crate::lines::{Lines, ReadFile};
use crate::names::harmless;
use crate::shape::Shape;
use crate::symbols::{Reached, Symbols};
use crate::values::{
    copied, divides, is_atomic, Block, Code, Function, Goes, Instruction, Other, Place, Source, Summary, Target,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Larger functions are not shown, in bytes.
const BYTES_MAX: u64 = 128 << 10;
const INSTRUCTIONS_MAX: usize = 8_000;
const FUNCTIONS_MAX: usize = 40;
/// The call with which C++ begins to set up a static variable of a function.
const BEGINS_ONCE: &str = "__cxa_guard_acquire";

/// Which measuring loop is read, and how far.
pub struct LoopRequest<'a> {
    /// The path of the program, for display and to find files beside it.
    pub program: &'a str,
    /// Where the measuring loop begins, as an address in the file.
    pub start: u64,
    /// Depth to which calls are followed.
    pub depth: u32,
    /// Each turn of the measuring loop has several copies of the body, and is left after the first if only one invocation is wanted.
    pub leaves: bool,
    /// The measuring loop comes after others of its function, which set up its input.
    pub is_last: bool,
    /// Suffixes of the names of files that are not the user's sources: code inlined from them is attributed to its caller.
    pub own_files: &'a [&'a str],
}

/// Reads the machine code of a measuring loop and of what it calls.
pub fn collect(content: &[u8], request: &LoopRequest, read_file: ReadFile) -> Result<Code, String> {
    let elf = Elf::read(content)
        .ok_or_else(|| format!("`{}` is not an ELF program of 64 bits", harmless(request.program)))?;
    let machine = match elf.machine {
        X86_64 => "x86-64",
        AARCH64 => "aarch64",
        _ => return Err("machine code of this processor cannot be read; `objdump -d` can show it".to_owned()),
    };
    let symbols = Symbols::new(&elf);
    let lines = Lines::new(&elf, request.program, read_file);
    let mut collector = Collector {
        request,
        writer: Writer::new(&symbols),
        symbols: &symbols,
        lines: lines.as_ref().ok(),
        places: BTreeMap::new(),
        unnamed: BTreeMap::new(),
        left: Left::default(),
    };
    let functions = collector.all()?;
    let mut total = Summary::default();
    functions.iter().for_each(|function| total.add(&function.summary));
    let missing = lines.as_ref().map_or_else(|_| Vec::new(), Lines::missing);
    let is_whole = collector.left.is_whole();
    let mut left_out = collector.left.texts(request.depth);
    if let Some(first) = missing.first() {
        let others = if missing.len() > 1 { format!(", and {} more", missing.len() - 1) } else { String::new() };
        left_out.push(format!("names of inlined functions: there is no file `{first}`{others}"));
    }
    if !symbols.have_names() {
        left_out.push("names of functions: the program was stripped".to_owned());
    }
    let places = collector.places();
    let is_silent = places.is_empty() && total.instructions > 0;
    let no_lines = match (&lines, is_silent) {
        (Err(reason), _) => Some(reason.clone()),
        (Ok(_), true) => {
            Some("the debug information does not say where this code comes from; build with `-g`".to_owned())
        }
        (Ok(_), false) => None,
    };
    Ok(Code {
        version: Code::VERSION,
        machine: machine.to_owned(),
        program: harmless(request.program),
        functions,
        sources: sources(&places, read_file),
        places,
        no_lines,
        total,
        is_whole,
        left_out,
        ..Code::default()
    })
}

struct Collector<'a> {
    request: &'a LoopRequest<'a>,
    symbols: &'a Symbols<'a>,
    writer: Writer<'a>,
    lines: Option<&'a Lines<'a>>,
    places: BTreeMap<Place, u32>,
    /// Functions without a symbol: their numbers by address.
    unnamed: BTreeMap<u64, usize>,
    left: Left,
}

impl Collector<'_> {
    fn all(&mut self) -> Result<Vec<Function>, String> {
        let mut queue = VecDeque::from([(self.request.start, 0)]);
        let (mut seen, mut functions, mut instructions) = (BTreeSet::from([self.request.start]), Vec::new(), 0);
        while let Some((start, depth)) = queue.pop_front() {
            let (function, calls) = match self.function(start, depth) {
                Ok(found) => found,
                Err(reason) if functions.is_empty() => return Err(reason),
                Err(_) => {
                    let name = self.name(start);
                    self.left.large.insert(name);
                    continue;
                }
            };
            instructions += function.summary.instructions as usize;
            functions.push(function);
            for target in calls {
                let name = self.name(target);
                if is_stack_growth(&name) {
                } else if ends_the_program(&name) {
                    self.left.ends.insert(name);
                } else if seen.contains(&target) {
                } else if depth >= self.request.depth {
                    self.left.deep.insert(name);
                } else if seen.len() >= FUNCTIONS_MAX || instructions >= INSTRUCTIONS_MAX {
                    self.left.large.insert(name);
                } else {
                    seen.insert(target);
                    queue.push_back((target, depth + 1));
                }
            }
        }
        // A function may be shown because another path to it is shorter.
        let shown: BTreeSet<String> = functions.iter().map(|function: &Function| function.name.clone()).collect();
        self.left.deep.retain(|name| !shown.contains(name));
        Ok(functions)
    }

    /// One function, and the functions of the program that it calls.
    fn function(&mut self, address: u64, depth: u32) -> Result<(Function, Vec<u64>), String> {
        let (start, end) = self.bounds(address)?;
        let found = self.symbols.elf().from(start).filter(|found| found.is_code);
        let bytes = found.and_then(|found| found.bytes.get(..usize::try_from(end - start).ok()?));
        let bytes = bytes.ok_or_else(|| format!("there is no machine code at {start:#x}"))?;
        let code = decode(self.symbols.elf().machine, bytes, start);
        let flow: Vec<(u64, Flow)> = (0..code.len())
            .map(|at| match code[at].goes(start, end) {
                // Once the stack has grown, the function starts over, which is no loop of its own.
                Flow::To(to) if to == start && self.grows_stack(&code[..at]) => (code[at].ip(), Flow::Out),
                other => (code[at].ip(), other),
            })
            .collect();
        let edges = Edges::new(&flow);
        let dominators = edges.dominators();
        let loops = edges.loops(&dominators);
        let is_check = |block: usize| self.request.leaves && compares_with_one(&code[edges.blocks[block].clone()]);
        let is_own = |of: &Loop| {
            let all = of.blocks.iter().flat_map(|block| &code[edges.blocks[*block].clone()]);
            self.lines
                .is_none_or(|lines| all.filter_map(|one| lines.place(one.ip())).any(|place| place.frames.len() == 1))
        };
        let body = match (depth, self.request.is_last) {
            (0, true) => invocation(&edges, &dominators, &last(&edges, &loops, &is_own), &is_check),
            (0, false) => invocation(&edges, &dominators, &loops, &is_check),
            _ => None,
        };
        let once = self.once(&code, &edges, &dominators);
        let held = held(&code, &edges, self.symbols);
        let shape = Shape { start, end, edges: &edges, loops: &loops, held: &held, body: body.as_ref(), once: &once };
        let (mut blocks, calls) = self.blocks(&code, bytes, &shape);
        let others = if depth == 0 { self.others(&code, &mut blocks) } else { Vec::new() };
        let all: usize = edges.blocks.iter().map(|block| block.len()).sum();
        let shown: usize = blocks.iter().map(|block| block.instructions.len()).sum();
        let is_padding = |block: &std::ops::Range<usize>| code[block.clone()].iter().all(Decoded::is_padding);
        let padding: usize = edges.blocks.iter().filter(|block| is_padding(block)).map(|block| block.len()).sum();
        let name = if depth == 0 { "body".to_owned() } else { self.name(start) };
        let summary = summary(&blocks, &code, shape.body.map(|body| body.of.head), &loops, &edges);
        let hidden = if depth == 0 { all.saturating_sub(shown + padding) as u32 } else { 0 };
        Ok((Function { name, depth, address: start, blocks, summary, hidden, others, ..Function::default() }, calls))
    }

    /// Blocks that run once per process: those after the call that sets up a variable of a function when it is first reached.
    fn once(&self, code: &[Decoded], edges: &Edges, dominators: &[Option<usize>]) -> BTreeSet<usize> {
        let begins = |one: &Decoded| {
            let target = one.target();
            target != 0
                && one.is_call()
                && match self.symbols.called(target) {
                    Reached::Import(name) => name == BEGINS_ONCE,
                    Reached::Here(address) => self.symbols.name(address) == BEGINS_ONCE,
                }
        };
        let all = || 0..edges.blocks.len();
        let heads: Vec<usize> = all().filter(|block| code[edges.blocks[*block].clone()].iter().any(begins)).collect();
        let is_behind = |block: &usize| {
            let is_reached = *block == 0 || dominators[*block].is_some();
            is_reached && heads.iter().any(|head| dominates(dominators, *head, *block))
        };
        all().filter(is_behind).collect()
    }

    /// Whether the last call is to Go's runtime for more stack. Registers are saved around it.
    fn grows_stack(&self, before: &[Decoded]) -> bool {
        let calls = before.iter().rev().filter(|one| one.is_call() && one.target() != 0);
        calls.take(1).any(|call| is_stack_growth(&self.symbols.name(call.target())))
    }

    /// Records the copies of each instruction of the body; the measuring loop's own instructions are not included.
    fn others(&mut self, code: &[Decoded], blocks: &mut [Block]) -> Vec<Other> {
        let is_of_body: BTreeMap<u64, bool> = blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .map(|one| (one.address, !one.is_of_loop && !one.is_filling()))
            .collect();
        let (mut shown, mut hidden): (Vec<Keyed>, Vec<Keyed>) = (Vec::new(), Vec::new());
        for one in code {
            let keyed = (one.ip(), (self.writer.normal(one, None), self.place(one.ip())));
            match is_of_body.get(&one.ip()) {
                Some(true) => shown.push(keyed),
                Some(false) => {}
                None if !one.is_padding() => hidden.push(keyed),
                None => {}
            }
        }
        let mut found = copies(&shown, &hidden);
        let known: BTreeSet<u64> = found.values().flatten().copied().collect();
        for one in blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            one.copies = found.remove(&one.address).unwrap_or_default();
        }
        let others = hidden.into_iter().filter(|(address, _)| !known.contains(address));
        others.map(|(address, (_, place))| Other { address, place }).collect()
    }

    fn bounds(&self, address: u64) -> Result<(u64, u64), String> {
        let unknown = || format!("neither symbols nor unwind information say where the function at {address:#x} ends");
        let (_, end, _) = self.symbols.function(address).ok_or_else(unknown)?;
        match end - address > BYTES_MAX {
            true => Err(format!(
                "the function at {address:#x} has {} KiB of machine code, more than {} KiB",
                (end - address) >> 10,
                BYTES_MAX >> 10
            )),
            false => Ok((address, end)),
        }
    }

    fn name(&mut self, address: u64) -> String {
        match self.symbols.function(address) {
            Some((start, _, symbol)) if start != address || !symbol.is_empty() => self.symbols.name(address),
            _ => {
                let next = self.unnamed.len() + 1;
                format!("function {}", self.unnamed.entry(address).or_insert(next))
            }
        }
    }

    fn blocks(&mut self, code: &[Decoded], bytes: &[u8], shape: &Shape) -> (Vec<Block>, Vec<u64>) {
        let kept = shape.kept(code);
        let labels = shape.labels(code, &kept);
        let counting = shape.counting(code);
        let index: BTreeMap<usize, u32> = kept.iter().enumerate().map(|(at, block)| (*block, at as u32)).collect();
        let (mut blocks, mut calls) = (Vec::new(), Vec::new());
        for block in &kept {
            let range = shape.edges.blocks[*block].clone();
            let mut made = Block {
                label: labels.get(&code[range.start].ip()).cloned().unwrap_or_default(),
                loops: shape.loops_around(*block),
                next: shape.edges.next[*block].iter().filter_map(|next| index.get(next).copied()).collect(),
                instructions: Vec::new(),
            };
            for instruction in &code[range.clone()] {
                let mut one = self.instruction(instruction, bytes, shape, &labels, &mut calls);
                one.is_of_loop = counting.contains(&one.address);
                made.instructions.push(one);
            }
            blocks.push(made);
        }
        (blocks, calls)
    }

    fn instruction(
        &mut self,
        instruction: &Decoded,
        bytes: &[u8],
        shape: &Shape,
        labels: &BTreeMap<u64, String>,
        calls: &mut Vec<u64>,
    ) -> Instruction {
        let target = self.target(instruction, shape, labels, calls);
        let name = target.as_ref().map(|target| target.name.as_str()).filter(|name| !name.is_empty());
        let from = (instruction.ip() - shape.start) as usize;
        let bytes = bytes.get(from..from + instruction.len()).unwrap_or_default();
        let (text, normal) = (self.writer.text(instruction, name), self.writer.normal(instruction, name));
        Instruction {
            address: instruction.ip(),
            bytes: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            text: harmless(&text),
            normal: harmless(&normal),
            constant: if name.is_none() { self.writer.constant(instruction) } else { String::new() },
            place: self.place(instruction.ip()),
            target,
            is_of_loop: false,
            copies: Vec::new(),
        }
    }

    fn target(
        &mut self,
        instruction: &Decoded,
        shape: &Shape,
        labels: &BTreeMap<u64, String>,
        calls: &mut Vec<u64>,
    ) -> Option<Target> {
        let Some(reached) = instruction.leaves_to(self.symbols, shape.held, shape.start, shape.end) else {
            let is_jump = instruction.is_jump();
            let name = labels.get(&instruction.target()).filter(|_| is_jump);
            return match (name, is_jump) {
                (Some(name), _) => Some(Target { kind: Goes::Jump, name: name.clone() }),
                // Into a hidden part of the measuring loop.
                (None, true) => Some(Target { kind: Goes::Jump, name: OUTSIDE.to_owned() }),
                (None, false) => None,
            };
        };
        let is_call = instruction.is_call();
        let kind = if is_call { Goes::Call } else { Goes::TailCall };
        match reached {
            None => {
                self.left.indirect += 1;
                Some(Target { kind, name: String::new() })
            }
            Some(Reached::Import(name)) => {
                self.left.imports.insert(name.clone());
                Some(Target { kind, name })
            }
            Some(Reached::Here(address)) => {
                let name = self.name(address);
                let is_start = self.symbols.function(address).is_none_or(|(start, ..)| start == address);
                if !is_call && (name.contains(".cold") || !is_start) {
                    self.left.cold.insert(name.clone());
                    return Some(Target { kind: Goes::Jump, name });
                }
                calls.push(address);
                Some(Target { kind, name })
            }
        }
    }

    /// Where an instruction comes from, without the frames of the measuring loop.
    fn place(&mut self, address: u64) -> Option<u32> {
        let mut place = self.lines?.place(address)?;
        let own = self.request.own_files;
        place.frames.retain(|frame| !own.iter().any(|end| frame.file.ends_with(end)));
        if place.frames.is_empty() {
            return None;
        }
        let next = self.places.len() as u32;
        Some(*self.places.entry(place).or_insert(next))
    }

    fn places(&self) -> Vec<Place> {
        let mut places = vec![Place::default(); self.places.len()];
        self.places.iter().for_each(|(place, at)| places[*at as usize] = place.clone());
        places
    }
}

/// Target of a jump out of the shown part of a measuring loop.
const OUTSIDE: &str = "(outside)";

fn summary(blocks: &[Block], code: &[Decoded], measuring: Option<usize>, loops: &[Loop], edges: &Edges) -> Summary {
    let by_address = |address: u64| code.binary_search_by_key(&address, Decoded::ip).ok().map(|at| &code[at]);
    let mut sum = Summary::default();
    let has_loops = blocks.iter().any(|block| block.loops > 0);
    for block in blocks {
        if block.loops > 0 || !has_loops {
            sum.copied += copied(block.instructions.iter().map(|one| one.text.as_str()));
        }
        for one in block.instructions.iter().filter(|one| !one.is_of_loop) {
            let Some(instruction) = by_address(one.address).filter(|instruction| !instruction.is_padding()) else {
                continue;
            };
            sum.bytes += instruction.len() as u64;
            sum.instructions += 1;
            sum.branches += u32::from(instruction.is_conditional());
            sum.calls += u32::from(one.target.as_ref().is_some_and(|target| target.kind != Goes::Jump));
            sum.divisions += u32::from(divides(&one.text));
            if block.loops > 0 || !has_loops {
                sum.atomics += u32::from(is_atomic(&one.text));
                sum.vector_bits = sum.vector_bits.max(instruction.vector_bits().unwrap_or(0));
            }
        }
    }
    let shown: BTreeSet<u64> = blocks.iter().filter_map(|block| Some(block.instructions.first()?.address)).collect();
    let is_shown = |block: &usize| shown.contains(&code[edges.blocks[*block].start].ip());
    let of_body = loops.iter().filter(|of| Some(of.head) != measuring && is_shown(&of.head));
    let deepest = |of: &&Loop| loops.iter().filter(|other| other.blocks.contains(&of.head)).count();
    let size = |of: &&Loop| {
        let blocks = of.blocks.iter().filter(|block| is_shown(block));
        blocks.map(|block| code[edges.blocks[*block].clone()].iter().filter(|i| !i.is_padding()).count()).sum::<usize>()
    };
    sum.loops = of_body.clone().count() as u32;
    if let Some(hot) = of_body.max_by_key(|of| (deepest(of), size(of))) {
        sum.hot_loop = size(&hot) as u32;
        let is_one = hot.blocks.len() == 1;
        sum.chain = is_one.then(|| chain(&code[edges.blocks[hot.head].clone()])).flatten().unwrap_or(0);
    }
    sum
}

/// The source lines of the places, as far as their files exist.
fn sources(places: &[Place], read_file: ReadFile) -> Vec<Source> {
    const LINE_MAX: usize = 200;
    let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for frame in places.iter().flat_map(|place| &place.frames).filter(|frame| frame.line > 0) {
        wanted.entry(&frame.file).or_default().insert(frame.line);
    }
    let mut found = Vec::new();
    for (file, lines) in wanted {
        let Some(content) = read_file(file) else { continue };
        let content = String::from_utf8_lossy(&content);
        for (number, text) in (1..).zip(content.lines()).filter(|(number, _)| lines.contains(number)) {
            let text: String = harmless(&text.replace('\t', "    ")).trim_end().chars().take(LINE_MAX).collect();
            found.push(Source { file: file.to_owned(), line: number, text });
        }
    }
    found
}
