//! Both sides next to each other, line by line.

use super::{Difference, Item, Pair, Row, Sameness};
use crate::heat::Heat;
use crate::listing::{heading, Line};

/// A line of both sides. If a side has nothing, its text is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    pub sides: [Line; 2],
    pub sameness: Sameness,
}

impl Difference<'_> {
    /// All lines of both sides, aligned, with samples from the profiles given.
    pub fn beside(&self, heats: [Option<&Heat>; 2]) -> Vec<Beside> {
        let mut lines = Vec::new();
        for pair in &self.functions {
            let head =
                |of: Option<&crate::Function>| Line { text: of.map(heading).unwrap_or_default(), ..Line::default() };
            lines.push(Beside { sides: pair.sides.map(head), sameness: Sameness::Same });
            lines.extend(pair.beside(heats));
        }
        lines
    }
}

impl Pair<'_> {
    fn beside(&self, heats: [Option<&Heat>; 2]) -> Vec<Beside> {
        let line = |item: &Item, side: usize| {
            let samples = match (item, heats[side]) {
                (Item::Of(function, one), Some(heat)) => heat.at(function, one),
                _ => 0,
            };
            let is_hottest = samples > 0 && heats[side].is_some_and(|heat| heat.most() == samples);
            Line { text: item.text(), samples, is_hottest }
        };
        let mut lines: Vec<Beside> = Vec::new();
        // The first line in which one side waits for the other.
        let mut open = 0;
        for row in &self.rows {
            let (item, side) = match row {
                Row::Both(a, b) => {
                    let sameness = match (a, b) {
                        (Item::Label(_), _) => Sameness::Same,
                        _ if a.differs(b) => Sameness::Different,
                        _ if a.is_same(b) => Sameness::Same,
                        _ => Sameness::Registers,
                    };
                    lines.push(Beside { sides: [line(a, 0), line(b, 1)], sameness });
                    open = lines.len();
                    continue;
                }
                Row::Base(item) => (item, 0),
                Row::New(item) => (item, 1),
            };
            match lines[open..].iter_mut().find(|beside| beside.sides[side] == Line::default()) {
                Some(beside) => beside.sides[side] = line(item, side),
                None => {
                    let mut sides = [Line::default(), Line::default()];
                    sides[side] = line(item, side);
                    lines.push(Beside { sides, sameness: Sameness::Different });
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;
    use crate::values::{Block, Code, Function, Instruction};

    fn code(texts: &[&str]) -> Code {
        let one = |(text, address): (&&str, u64)| Instruction {
            address,
            text: (*text).to_owned(),
            normal: text.replace("rbx", "rax"),
            ..Instruction::default()
        };
        let block = Block { instructions: texts.iter().zip(0x10..).map(one).collect(), ..Block::default() };
        let functions = vec![Function { name: "body".to_owned(), blocks: vec![block], ..Function::default() }];
        Code { program: "p".to_owned(), functions, ..Code::default() }
    }

    #[test]
    fn what_stands_for_each_other_is_in_one_line() {
        let (base, new) = (code(&["mov rax", "inc", "dec", "ret"]), code(&["mov rbx", "neg", "ret"]));
        let heat = Heat::of(&base, "p 0x11 3\n");
        let lines = compare(&base, &new).beside([Some(&heat), None]);
        let shown: Vec<(&str, &str, Sameness)> = lines[1..]
            .iter()
            .map(|beside| (beside.sides[0].text.trim(), beside.sides[1].text.trim(), beside.sameness))
            .collect();
        let wanted = [
            ("mov rax", "mov rbx", Sameness::Registers),
            ("inc", "neg", Sameness::Different),
            ("dec", "", Sameness::Different),
            ("ret", "ret", Sameness::Same),
        ];
        assert_eq!(shown, wanted);
        assert_eq!((lines[1].sides[0].samples, lines[1].sides[1].samples), (3, 0));
        assert!(lines[1].sides[0].is_hottest && lines[0].sides[0].text.starts_with("body: "));
    }
}
