//! Machine code as people read it: source lines between instructions, bars beside loops.

use crate::decode::is_label;
use crate::names::{short, without_arguments};
use crate::values::{Block, Code, Frame, Function, Goes, Instruction, Place, Summary};
use tare_text::plural;

/// Bars beside the code of more loops than this are not drawn.
const BARS_MAX: usize = 4;
/// Folders of sources that come with a compiler.
const FOREIGN: [&str; 2] = ["/usr/", "/rustc/"];

/// The whole listing, in lines of at most so many columns.
pub fn listing(code: &Code, columns: usize) -> Vec<String> {
    let mut page = Page { lines: Vec::new(), columns: columns.max(40) };
    for function in &code.functions {
        if !page.lines.is_empty() {
            page.add(String::new());
        }
        page.wrapped("", &heading(function));
        let inlined: Vec<String> = code.inlining_of(function).inlined.iter().map(|name| format!("`{name}`")).collect();
        if !inlined.is_empty() {
            page.wrapped("  inlined: ", &inlined.join(", "));
        }
        page.function(code, function);
    }
    page.lines.push(String::new());
    if let Some(reason) = &code.no_lines {
        page.wrapped("no source lines: ", reason);
    }
    for left in &code.left_out {
        page.wrapped("not shown: ", left);
    }
    if page.lines.last().is_some_and(String::is_empty) {
        page.lines.pop();
    }
    page.lines
}

/// A function in a line: its name and what it consists of.
pub(crate) fn heading(function: &Function) -> String {
    format!("{}: {}", function.name, consists(&function.summary))
}

/// What code consists of, in words.
pub fn consists(of: &Summary) -> String {
    if of.instructions == 0 {
        return "empty: the compiler left nothing of it".to_owned();
    }
    let mut parts = vec![plural(of.instructions, "instruction"), plural(of.bytes, "byte")];
    if of.branches > 0 {
        parts.push(plural(of.branches, "branch"));
    }
    if of.calls > 0 {
        parts.push(plural(of.calls, "call"));
    }
    if of.loops > 0 {
        let hot = plural(of.hot_loop, "instruction");
        parts.push(match of.loops {
            1 => format!("a loop of {hot}"),
            n => format!("{n} loops, the hot one of {hot}"),
        });
    }
    if of.vector_bits > 0 {
        parts.push(format!("vectors of {} bits", of.vector_bits));
    }
    parts.join(", ")
}

struct Page {
    lines: Vec<String>,
    columns: usize,
}

impl Page {
    /// Adds a line, cut where it is too long.
    fn add(&mut self, line: String) {
        self.lines.push(cut(&line, self.columns));
    }

    /// Adds text behind a label, in as many lines as it needs.
    fn wrapped(&mut self, label: &str, text: &str) {
        let mut line = label.to_owned();
        let mut is_empty = true;
        for word in text.split(' ') {
            if !is_empty && line.chars().count() + 1 + word.chars().count() > self.columns {
                self.add(std::mem::replace(&mut line, "    ".to_owned()));
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = false;
        }
        self.add(line);
    }

    fn function(&mut self, code: &Code, function: &Function) {
        let last = function.blocks.iter().flat_map(|block| block.instructions.last()).map(|one| one.address).max();
        let digits = format!("{:x}", last.unwrap_or_default()).len();
        let (mut place, mut shown) = (None, String::new());
        for block in &function.blocks {
            let bars = bars(block);
            if !block.label.is_empty() {
                self.add(format!("  {bars}{}:", block.label));
            }
            // What only fills a gap says nothing.
            for one in block.instructions.iter().filter(|one| !one.is_filling()) {
                if one.place != place && one.place.is_some() {
                    let from = one.place.and_then(|at| code.places.get(at as usize));
                    let found = from.and_then(|from| source(code, from)).filter(|(line, _)| *line != shown);
                    if let Some((line, text)) = found {
                        self.add(format!("  {bars}; {line}{text}"));
                        shown = line;
                    }
                    place = one.place;
                }
                self.add(format!("  {bars}{:digits$x}  {}", one.address, written(function, one)));
            }
        }
        match function.hidden {
            0 => {}
            n => self.wrapped(
                "  ",
                &format!("({n} more instructions of the measuring loop, such as further copies of the body)"),
            ),
        }
    }
}

fn bars(block: &Block) -> String {
    "│ ".repeat((block.loops as usize).min(BARS_MAX))
}

/// An instruction with what is to be said of it.
pub(crate) fn written(function: &Function, one: &Instruction) -> String {
    let mut text = one.text.clone();
    if let Some(target) = &one.target {
        // Arguments are in the heading of the function that is called.
        let short = without_arguments(&target.name);
        if short.len() < target.name.len() {
            text = text.replace(&target.name, short);
        }
        if is_label(&target.name) {
            let to = function.blocks.iter().find(|block| block.label == target.name);
            let is_back =
                to.and_then(|block| block.instructions.first()).is_some_and(|first| first.address <= one.address);
            text.push_str(if is_back { " ↑" } else { " ↓" });
        }
    }
    let notes = notes(one);
    match notes.is_empty() {
        true => text,
        false => format!("{text}  ; {notes}"),
    }
}

fn notes(one: &Instruction) -> String {
    let mut notes = Vec::new();
    if !one.constant.is_empty() {
        notes.push(one.constant.clone());
    }
    match &one.target {
        Some(target) if target.kind == Goes::TailCall => notes.push("tail call".to_owned()),
        Some(target) if target.name.is_empty() => notes.push("known only when it runs".to_owned()),
        _ => {}
    }
    if one.is_of_loop {
        notes.push("of the measuring loop".to_owned());
    }
    notes.join(", ")
}

/// Where code comes from: the innermost line that the user can have written; behind it what was inlined there, and what the line says.
fn source(code: &Code, place: &Place) -> Option<(String, String)> {
    let text = |frame: &Frame| code.source(&frame.file, frame.line);
    let is_foreign = |frame: &Frame| FOREIGN.iter().any(|folder| frame.file.starts_with(folder));
    let of_user = || place.frames.iter().position(|frame| text(frame).is_some() && !is_foreign(frame));
    let at = of_user().or_else(|| place.frames.iter().position(|frame| text(frame).is_some())).unwrap_or(0);
    let frame = place.frames.get(at).filter(|frame| frame.line > 0)?;
    let line = text(frame).map_or_else(String::new, |text| format!("  {}", text.trim()));
    let inlined = match &place.frames[..at] {
        [] if at + 1 < place.frames.len() => short(&frame.function),
        [innermost, ..] => short(&innermost.function),
        [] => "",
    };
    let inlined = if inlined.is_empty() { String::new() } else { format!("  [{inlined}]") };
    Some((where_of(frame), inlined + &line))
}

fn where_of(frame: &Frame) -> String {
    let file = frame.file.rsplit('/').next().unwrap_or(&frame.file);
    format!("{file}:{}", frame.line)
}

/// A line that is not longer than so many columns.
pub(crate) fn cut(line: &str, columns: usize) -> String {
    match line.char_indices().nth(columns) {
        None => line.trim_end().to_owned(),
        Some(_) => line.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}
