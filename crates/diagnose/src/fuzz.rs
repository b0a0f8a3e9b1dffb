//! Entry points for fuzzing: input from programs, kernels and runtimes, as arbitrary bytes. Nothing may panic.

use crate::{external, instructions, profile, remarks};

/// The first byte selects the kind of the rest.
pub fn read(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    match kind % 6 {
        0 => profile::fuzz::names(&text),
        1 => profile::fuzz::mappings(&text),
        2 => profile::fuzz::module(rest),
        3 => rest.split(|byte| *byte == b'\n').for_each(|line| drop(external::heard(line))),
        4 => drop(instructions::counts(&text)),
        _ => text.lines().for_each(|line| drop(remarks::remark(line))),
    }
}

#[cfg(test)]
#[path = "../../../fixtures/kept_inputs.rs"]
mod kept_inputs;

#[cfg(test)]
mod tests {
    #[test]
    fn no_kept_input_panics() {
        let inputs = super::kept_inputs::kept_inputs("diagnose");
        assert!(!inputs.is_empty());
        for (path, input) in inputs {
            println!("{path}");
            super::read(&input);
        }
    }
}
