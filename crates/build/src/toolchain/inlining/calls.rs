//! Direct calls in machine code, and the functions that a loop reaches through them.

use super::super::elf::{Elf, Function};
use std::collections::{BTreeSet, HashMap};
use tare_code::elf::{AARCH64, X86_64};

/// Limit on functions that a loop reaches; loops beyond it are left out.
const REACHED_MAX: usize = 300;

pub(super) struct Calls<'e, 'd> {
    elf: &'e Elf<'d>,
    /// If a place has several names, the alphabetically first, so that two builds agree.
    pub(super) functions: HashMap<u64, Function<'d>>,
    known: HashMap<u64, Vec<u64>>,
}

impl<'e, 'd> Calls<'e, 'd> {
    pub(super) fn new(elf: &'e Elf<'d>) -> Calls<'e, 'd> {
        let mut functions: HashMap<u64, Function> = HashMap::new();
        for function in elf.functions() {
            let of_place = functions.entry(function.address).or_insert(function);
            if function.name < of_place.name {
                *of_place = function;
            }
        }
        Calls { elf, functions, known: HashMap::new() }
    }

    /// The functions that `start` reaches by direct calls, without those of the language and of Tare; None if there are too many.
    pub(super) fn reached(&mut self, start: u64) -> Option<BTreeSet<u64>> {
        let (mut reached, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(address) = next.pop() {
            for target in self.direct(address) {
                if target != start && reached.insert(target) {
                    next.push(target);
                }
            }
            if reached.len() > REACHED_MAX {
                return None;
            }
        }
        Some(reached)
    }

    pub(super) fn into_functions(self) -> HashMap<u64, Function<'d>> {
        self.functions
    }

    fn direct(&mut self, address: u64) -> Vec<u64> {
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let Some(function) = self.functions.get(&address) else { return Vec::new() };
        let code = self.elf.code(function).unwrap_or_default();
        let inside = address..address.saturating_add(function.size);
        let is_call = |target: &u64| {
            !inside.contains(target) && self.functions.get(target).is_some_and(|called| is_of_the_user(called.name))
        };
        let found: BTreeSet<u64> = targets(self.elf.machine, code, address).into_iter().filter(is_call).collect();
        let found: Vec<u64> = found.into_iter().collect();
        self.known.insert(address, found.clone());
        found
    }
}

/// Possible targets of calls and tail jumps. On x86-64, whose instructions vary in length, some matches are not calls: one in many millions
/// of them hits the beginning of a function.
fn targets(machine: u16, code: &[u8], address: u64) -> Vec<u64> {
    let place = |at: usize| address.wrapping_add(at as u64);
    match machine {
        X86_64 => code
            .windows(5)
            .enumerate()
            .filter(|(_, bytes)| matches!(bytes[0], 0xe8 | 0xe9))
            .map(|(at, bytes)| {
                let distance = i32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]);
                place(at + 5).wrapping_add_signed(i64::from(distance))
            })
            .collect(),
        AARCH64 => code
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .enumerate()
            .filter(|(_, word)| matches!(word >> 26, 0b100101 | 0b000101))
            .map(|(at, word)| {
                let distance = ((word << 6) as i32) >> 4;
                place(at * 4).wrapping_add_signed(i64::from(distance))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Excludes the language's runtime, Tare, and cold parts of functions.
fn is_of_the_user(symbol: &str) -> bool {
    const OTHERS: [&str; 11] =
        ["__", "_Unwind", "_Znw", "_Zna", "_Zdl", "_Zda", "_ZN4core", "_ZN5alloc", "_ZN3std", "_ZN4tare", "tare_"];
    !symbol.is_empty()
        && !symbol.contains(".cold")
        && !OTHERS.iter().any(|other| symbol.starts_with(other))
        && !is_v0_of(symbol, &["4core", "5alloc", "3std", "4tare"])
}

/// Whether it is a Rust symbol of the v0 scheme from one of these crates.
fn is_v0_of(symbol: &str, crates: &[&str]) -> bool {
    let Some(rest) = symbol.strip_prefix("_R") else { return false };
    // Crate roots are written `Cs<hash>_<length><name>`; the first is the function's own crate.
    let name = rest.split_once("Cs").and_then(|(_, root)| root.split_once('_')).map_or("", |(_, name)| name);
    crates.iter().any(|other| name.starts_with(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_the_code_of_both_machines() {
        // At 0x1000: nop; call 0x2000; jmp 0xf00; a truncated e8.
        let mut code = vec![0x90, 0xe8];
        code.extend((0x2000_i32 - 0x1006).to_le_bytes());
        code.push(0xe9);
        code.extend((0xf00_i32 - 0x100b).to_le_bytes());
        code.push(0xe8);
        assert_eq!(targets(X86_64, &code, 0x1000), [0x2000, 0xf00]);
        // At 0x1000: nop; bl 0x2000; b 0xf00.
        let bl = 0x9400_0000_u32 | ((0x2000 - 0x1004) / 4);
        let b = 0x1400_0000_u32 | (((0xf00_i32 - 0x1008) / 4) as u32 & 0x03ff_ffff);
        let code: Vec<u8> = [0xd503_201f, bl, b].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        assert_eq!(targets(AARCH64, &code, 0x1000), [0x2000, 0xf00]);
        assert!(targets(0, &code, 0x1000).is_empty());
    }

    #[test]
    fn only_functions_of_the_user_count() {
        for name in
            ["helper", "_ZNK2v15tableIiE4findEi.isra.0", "_ZN1b6helper17h1ea96409da455619E", "_RNvCsabc_1b6helper"]
        {
            assert!(is_of_the_user(name), "{name}");
        }
        for name in
            ["", "__cxa_throw", "_Znwm", "find.cold", "_ZN4tare4failE", "tare_ratio", "_RNvNtCsjrHS_4core6option3get"]
        {
            assert!(!is_of_the_user(name), "{name}");
        }
    }
}
