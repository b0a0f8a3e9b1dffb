//! Machine code for people: source lines between instructions, bars beside loops.

use crate::decode::is_label;
use crate::heat::Heat;
use crate::names::{short, without_arguments};
use crate::values::{Block, Code, Frame, Function, Goes, Instruction, Place, Summary};
use std::collections::BTreeMap;
use tare_model::text::plural;

/// Most nested loops with bars beside their code.
const BARS_MAX: usize = 4;
/// Folders of sources that come with a compiler.
const FOREIGN: [&str; 2] = ["/usr/", "/rustc/"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// Samples of its instruction, or of all instructions of its source line.
    pub samples: u64,
    /// Whether it has the most samples of all instructions or source lines.
    pub is_hottest: bool,
}

/// The whole listing in lines of at most `columns` columns, preceded by the samples of a profile.
pub fn listing(code: &Code, heat: Option<&Heat>, columns: usize) -> Vec<String> {
    const SAMPLES: usize = 17;
    let Some(heat) = heat else { return lines(code, None, columns).into_iter().map(|line| line.text).collect() };
    let text = |line: Line| {
        let mark = if line.is_hottest { "*" } else { " " };
        match line.samples {
            0 if line.text.is_empty() => String::new(),
            0 => format!("{:SAMPLES$}{}", "", line.text),
            n => format!("{mark}{:>7} {n:>6}  {}", heat.share(n), line.text),
        }
    };
    let mut about = Page { columns: columns.max(40), ..Page::default() };
    let mut sentences = heat.about();
    if let Some(skid) = sentences.last_mut() {
        skid.push_str("; `*` marks the most");
    }
    sentences.iter().for_each(|sentence| about.wrapped("", sentence));
    about.add(String::new());
    let lines = lines(code, Some(heat), columns.saturating_sub(SAMPLES));
    about.lines.into_iter().map(|line| line.text).chain(lines.into_iter().map(text)).collect()
}

/// The same with the samples as numbers.
pub fn lines(code: &Code, heat: Option<&Heat>, columns: usize) -> Vec<Line> {
    let hottest_line = heat.map_or(0, |heat| hottest_line(code, heat));
    let mut page = Page { lines: Vec::new(), columns: columns.max(40), heat, hottest_line };
    for (at, function) in code.functions.iter().enumerate() {
        if !page.lines.is_empty() {
            page.add(String::new());
        }
        let of_it = heat.map(|heat| (heat.in_function(at), heat)).filter(|(samples, _)| *samples > 0);
        let samples = of_it.map(|(samples, heat)| format!("; {samples} samples ({})", heat.share(samples)));
        page.wrapped("", &format!("{}{}", heading(function), samples.unwrap_or_default()));
        let inlined: Vec<String> = code.inlining_of(function).inlined.iter().map(|name| format!("`{name}`")).collect();
        if !inlined.is_empty() {
            page.wrapped("  inlined: ", &inlined.join(", "));
        }
        page.function(code, at);
    }
    page.add(String::new());
    if let Some(reason) = &code.no_lines {
        page.wrapped("no source lines: ", reason);
    }
    if let Some(reasons) = &code.deoptimised {
        page.wrapped("deoptimised: ", reasons);
    }
    for left in &code.left_out {
        page.wrapped("not shown: ", left);
    }
    if page.lines.last().is_some_and(|line| line.text.is_empty()) {
        page.lines.pop();
    }
    page.lines
}

/// The title line of a function: its name and summary.
pub(crate) fn heading(function: &Function) -> String {
    format!("{}: {}", function.name, consists(&function.summary))
}

/// A summary in words.
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
    if of.divisions > 0 {
        parts.push(plural(of.divisions, "division"));
    }
    if of.vector_bits > 0 {
        parts.push(format!("vectors of {} bits", of.vector_bits));
    }
    parts.join(", ")
}

#[derive(Default)]
struct Page<'a> {
    lines: Vec<Line>,
    columns: usize,
    heat: Option<&'a Heat>,
    /// Most samples of a source line.
    hottest_line: u64,
}

impl Page<'_> {
    /// Adds a line, cut if too long.
    fn add(&mut self, line: String) {
        self.add_hot(line, 0, false);
    }

    fn add_hot(&mut self, line: String, samples: u64, is_hottest: bool) {
        self.lines.push(Line { text: cut(&line, self.columns), samples, is_hottest });
    }

    /// Adds text after a label, in as many lines as needed.
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

    fn function(&mut self, code: &Code, at: usize) {
        let function = &code.functions[at];
        let last = function.blocks.iter().flat_map(|block| block.instructions.last()).map(|one| one.address).max();
        let digits = format!("{:x}", last.unwrap_or_default()).len();
        let mut of_lines = self.heat.map(|heat| samples_of_lines(code, heat, at)).unwrap_or_default();
        let most = self.heat.map_or(0, Heat::most);
        let (mut place, mut shown) = (None, String::new());
        for block in &function.blocks {
            let bars = bars(block);
            if !block.label.is_empty() {
                self.add(format!("  {bars}{}:", block.label));
            }
            // Filling instructions say nothing.
            for one in block.instructions.iter().filter(|one| !one.is_filling()) {
                if one.place != place && one.place.is_some() {
                    let found = source_of(code, one.place).filter(|(line, _)| *line != shown);
                    if let Some((line, text)) = found {
                        // Samples of a repeated line were already shown.
                        let samples = of_lines.remove(&line).unwrap_or(0);
                        let is_hottest = samples > 0 && samples == self.hottest_line;
                        self.add_hot(format!("  {bars}; {line}{text}"), samples, is_hottest);
                        shown = line;
                    }
                    place = one.place;
                }
                let samples = self.heat.map_or(0, |heat| heat.at(function, one));
                let text = format!("  {bars}{:digits$x}  {}", one.address, written(function, one));
                self.add_hot(text, samples, samples > 0 && samples == most);
            }
        }
        let samples: u64 = self.heat.map_or(0, |heat| heat.of_others(at).map(|(_, count)| count).sum());
        let samples = if samples > 0 { format!("; {samples} samples are there") } else { String::new() };
        match function.hidden {
            0 => {}
            n => self.wrapped(
                "  ",
                &format!("({n} more instructions of the measuring loop, such as further copies of the body{samples})"),
            ),
        }
    }
}

/// Samples of the source lines of a function, by shown line.
fn samples_of_lines(code: &Code, heat: &Heat, at: usize) -> BTreeMap<String, u64> {
    let shown = code.functions[at].blocks.iter().flat_map(|block| &block.instructions);
    let shown = shown.map(|one| (one.place, heat.at(&code.functions[at], one)));
    let mut found = BTreeMap::new();
    for (place, samples) in shown.chain(heat.of_others(at)).filter(|(_, samples)| *samples > 0) {
        if let Some((line, _)) = source_of(code, place) {
            *found.entry(line).or_default() += samples;
        }
    }
    found
}

/// Most samples of a source line within a function.
fn hottest_line(code: &Code, heat: &Heat) -> u64 {
    let of_functions = (0..code.functions.len()).flat_map(|at| samples_of_lines(code, heat, at).into_values());
    of_functions.max().unwrap_or(0)
}

fn bars(block: &Block) -> String {
    "│ ".repeat((block.loops as usize).min(BARS_MAX))
}

/// An instruction with its notes.
pub(crate) fn written(function: &Function, one: &Instruction) -> String {
    let mut text = one.text.clone();
    if let Some(target) = &one.target {
        // The heading of the called function has the arguments.
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

fn source_of(code: &Code, place: Option<u32>) -> Option<(String, String)> {
    place.and_then(|at| code.places.get(at as usize)).and_then(|place| source(code, place))
}

/// Where code comes from: the innermost line that may be the user's, followed by what was inlined there; and the text of the line.
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

/// A line cut to `columns` columns.
pub(crate) fn cut(line: &str, columns: usize) -> String {
    match line.char_indices().nth(columns) {
        None => line.trim_end().to_owned(),
        Some(_) => line.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}
