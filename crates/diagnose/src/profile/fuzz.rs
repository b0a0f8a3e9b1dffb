//! Entry points for fuzzing of profiles.

use super::harness::{trimmed, Frame};
use super::space::{self, Module, ModuleAddress};
use super::symbols::{Compiled, Symbols};
use std::sync::Arc;
use tare_code::elf::Elf;

/// A runtime's file of names, also as frames of a stack.
pub(crate) fn names(text: &str) {
    let mut symbols = Symbols::of(&[], Compiled::parse(text));
    for address in [0, 0x1000, 0x7f00_0000_1010, u64::MAX] {
        let _ = symbols.at(ModuleAddress { module: None, address });
        let _ = symbols.compiled(address).map(|method| method.size);
    }
    let frames = text.lines().map(|line| Frame::of(line.to_owned(), false, Some(0)));
    let _ = trimmed(frames.collect(), text.len() % 2 == 0);
}

/// `/proc/PID/maps`.
pub(crate) fn mappings(text: &str) {
    space::mappings(text).iter().for_each(|mapping| assert!(!mapping.range.is_empty()));
}

/// A file that holds code of a process.
pub(crate) fn module(content: &[u8]) {
    let starts: Vec<u64> = Elf::read(content).iter().flat_map(Elf::functions_in_order).map(|f| f.address).collect();
    let modules = [Module { name: "program".to_owned(), content: Arc::new(content.to_vec()) }];
    let mut symbols = Symbols::of(&modules, Compiled::default());
    for address in starts.into_iter().take(8).chain([0, 0x1040, u64::MAX]) {
        let _ = symbols.at(ModuleAddress { module: Some(0), address });
    }
}
