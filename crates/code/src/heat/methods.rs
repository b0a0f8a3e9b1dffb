//! Methods that a runtime compiled: profile and listing come from different processes, and write names differently.

use crate::values::{Code, Function};

/// A listed method to which samples can be mapped.
#[derive(Debug)]
struct Listed {
    class: String,
    name: String,
    parameters: usize,
    bytes: u64,
    /// Its index among the functions of the code.
    at: usize,
}

#[derive(Debug, Default)]
pub(super) struct Methods(Vec<Listed>);

/// Where samples of a method belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Belongs {
    To(usize),
    /// To a listed method that was compiled to other code in that process.
    ToOtherCode,
    /// To none, or to an unknown one.
    Nowhere,
}

impl Methods {
    pub(super) fn of(code: &Code) -> Methods {
        let listed = |(at, function): (usize, &Function)| {
            let (class, rest) = function.method.split_once(':')?;
            let (name, parameters) = signature(rest);
            is_exact(function).then(|| Listed {
                class: plain(class),
                name: name.to_owned(),
                parameters,
                bytes: function.summary.bytes,
                at,
            })
        };
        Methods(code.functions.iter().enumerate().filter_map(listed).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The function for a profiled method, by its class, name and code size in bytes. Whitespace in its name is `?`.
    pub(super) fn find(&self, method: &str, bytes: u64) -> Belongs {
        let Some((before, rest)) = method.split_once("::") else { return Belongs::Nowhere };
        let class = plain(before.rsplit('?').next().unwrap_or_default());
        let (name, parameters) = signature(rest);
        let named: Vec<&Listed> = self.0.iter().filter(|of| of.class == class && of.name == name).collect();
        let of_size: Vec<&&Listed> = named.iter().filter(|of| of.bytes == bytes).collect();
        match (&of_size[..], &named[..]) {
            (_, []) => Belongs::Nowhere,
            ([], _) => Belongs::ToOtherCode,
            ([one], _) => Belongs::To(one.at),
            (several, _) => {
                let mut fitting = several.iter().filter(|of| of.parameters == parameters);
                match (fitting.next(), fitting.next()) {
                    (Some(one), None) => Belongs::To(one.at),
                    _ => Belongs::Nowhere,
                }
            }
        }
    }
}

/// Whether the addresses of its instructions are known: with the gaps between them, they make up all its bytes.
pub(super) fn is_exact(function: &Function) -> bool {
    let all = function.blocks.iter().flat_map(|block| &block.instructions);
    let end = all.clone().map(|one| one.address + one.bytes.len() as u64 / 2).max();
    end == Some(function.summary.bytes) && all.clone().all(|one| !one.bytes.is_empty())
}

/// A class name without type arguments.
fn plain(class: &str) -> String {
    class.split(['[', '`']).next().unwrap_or_default().replace('/', "+")
}

/// The name of a method and its number of parameters: `Parse(int32,int64)[Tier1]` in a profile, `Parse[int](int,long):int` in a listing.
fn signature(text: &str) -> (&str, usize) {
    let name = text.split(['(', '[']).next().unwrap_or(text);
    let Some((_, parameters)) = text.split_once('(') else { return (name, 0) };
    let (mut depth, mut commas, mut is_empty) = (0_usize, 0, true);
    for c in parameters.chars() {
        match c {
            ')' if depth == 0 => break,
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
        is_empty = false;
    }
    (name, if is_empty { 0 } else { commas + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Block, Instruction, Summary};

    fn function(method: &str, bytes: u64) -> Function {
        let one = |address| Instruction { address, bytes: "90".to_owned(), ..Instruction::default() };
        let blocks = vec![Block { instructions: (0..bytes).map(one).collect(), ..Block::default() }];
        let summary = Summary { bytes, ..Summary::default() };
        Function { method: method.to_owned(), blocks, summary, ..Function::default() }
    }

    #[test]
    fn a_method_is_found_by_its_class_its_name_and_its_size() {
        let functions = vec![
            function("Space.Two:Sum():int:this", 7),
            function("Space.Two:Other(int):int", 4),
            function("Space.Two:Other(int,System.Func`2[int,int]):int", 4),
            function("Space.Outer+Box`1[int]:Get[int](int):int:this", 5),
        ];
        let methods = Methods::of(&Code { functions, ..Code::default() });
        let found = |method, bytes| methods.find(method, bytes);
        assert_eq!(found("instance?int32?[two]?Space.Two::Sum()[OptimizedTier1]", 7), Belongs::To(0));
        assert_eq!(found("instance?int32?[two]?Space.Two::Sum()[QuickJitted]", 70), Belongs::ToOtherCode);
        assert_eq!(found("int32?[two]?Space.Two::Other(int32)[OptimizedTier1]", 4), Belongs::To(1));
        let two = "int32?[two]?Space.Two::Other(int32,class?System.Func`2<int32,int32>)[OptimizedTier1]";
        assert_eq!(found(two, 4), Belongs::To(2));
        assert_eq!(found("int32?[two]?Space.Outer/Box`1[System.Int32]::Get(!!0)[OptimizedTier1]", 5), Belongs::To(3));
        assert_eq!(found("int32?[two]?Other.Two::Sum()[OptimizedTier1]", 7), Belongs::Nowhere);
        assert_eq!(found("stub", 7), Belongs::Nowhere);
    }

    #[test]
    fn samples_of_one_of_two_that_cannot_be_told_apart_belong_nowhere() {
        let functions = vec![function("A:F(int):int", 4), function("A:F(uint):int", 4)];
        let methods = Methods::of(&Code { functions, ..Code::default() });
        assert_eq!(methods.find("int32?[a]?A::F(int32)", 4), Belongs::Nowhere);
    }

    #[test]
    fn a_listing_without_bytes_has_no_places() {
        let mut without = function("A:F()", 4);
        without.blocks[0].instructions[2].bytes.clear();
        assert!(!is_exact(&without) && is_exact(&function("A:F()", 4)));
        assert!(Methods::of(&Code { functions: vec![without], ..Code::default() }).is_empty());
    }
}
