//! Another order of the sections of code: what is passed to linkers.

use std::collections::BTreeSet;

/// Classes that the linker puts before the ordinary code, each together; they stay classes, so that cold code is not
/// mixed among the hot.
const CLASSES: [&str; 5] = [".text.unlikely.", ".text.exit.", ".text.startup.", ".text.hot.", ".text."];

/// A small generator (splitmix64): the same seed gives the same layout on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is greater than 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// Sections of functions that a link map names, sorted, without those that were dropped.
pub(super) fn sections_of_map(map: &str) -> Vec<String> {
    // Before this line stands what was dropped.
    let start = ["Linker script and memory map", "\nMemory map"].iter().find_map(|title| map.find(title)).unwrap_or(0);
    let named = map[start..].lines().filter_map(|line| {
        let name = line.strip_prefix(' ')?.split_whitespace().next()?;
        let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._$".contains(&b));
        (name.starts_with(".text.") && is_plain && name != super::pad::SECTION).then(|| name.to_owned())
    });
    named.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The sections, shuffled within their classes, in the order of the classes.
pub(super) fn shuffled(sections: &[String], random: &mut Random) -> Vec<(&'static str, Vec<String>)> {
    let class_of = |name: &str| CLASSES.into_iter().find(|class| name.starts_with(class));
    let of_class = |class| sections.iter().filter(move |name| class_of(name) == Some(class)).cloned().collect();
    let mut classes: Vec<(&'static str, Vec<String>)> = CLASSES.map(|class| (class, of_class(class))).to_vec();
    for (_, names) in &mut classes {
        random.shuffle(names);
    }
    classes
}

/// The linker script that GNU ld shows with `--verbose`.
pub(super) fn script_of(output: &str) -> Option<&str> {
    let (_, rest) = output.split_once("\n==================================================\n")?;
    Some(rest.split_once("\n==================================================")?.0)
}

/// The script with the order written before its own patterns, and a pad of `pad` bytes before all code. None when its
/// `.text` is not as usual.
pub(super) fn script(usual: &str, order: &[(&str, Vec<String>)], pad: usize) -> Option<String> {
    let mut changed =
        String::with_capacity(usual.len() + order.iter().map(|(_, names)| names.len() * 64).sum::<usize>());
    let mut waiting: Vec<_> = order.iter().collect();
    let mut is_padded = false;
    for line in usual.lines() {
        let pattern = line.trim_start();
        if pattern.starts_with("*(.text") && !is_padded {
            changed.push_str(&format!("    . = . + {pad};\n"));
            is_padded = true;
        }
        let is_before = |class: &str| match class {
            ".text." => pattern.starts_with("*(.text ") && pattern.contains(" .text.*"),
            _ => pattern.starts_with("*(.text") && pattern.contains(&format!("{class}*")),
        };
        let (here, later) = waiting.into_iter().partition::<Vec<_>, _>(|(class, _)| is_before(class));
        waiting = later;
        for name in here.into_iter().flat_map(|(_, names)| names) {
            changed.push_str(&format!("    *({name})\n"));
        }
        changed.push_str(line);
        changed.push('\n');
    }
    let is_whole = is_padded && waiting.iter().all(|(class, _)| *class != ".text.");
    is_whole.then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = " .text.dropped  0x0 0x1 a.o\n\nLinker script and memory map\n\n .text  0x1 0x2 a.o\n \
                       .text.b\n                0x1 0x2 a.o\n .text._ZN1aE 0x0 0x1 a.o\n .text.unlikely.c 0x1 0x1 b.o\n \
                       .text.tare_pad 0x1 0x1 b.o\n *(.text.x)\n .text.sp@ce 0x1\n .data.a 0x1\n";

    #[test]
    fn maps_of_ld_and_gold() {
        assert_eq!(sections_of_map(MAP), [".text._ZN1aE", ".text.b", ".text.unlikely.c"]);
        assert_eq!(sections_of_map("Discarded\n .text.x 0\n\nMemory map\n\n .text.y 0x1\n"), [".text.y"]);
    }

    #[test]
    fn the_script_gets_the_order_before_its_patterns() {
        let usual = ".text :\n{\n  *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n  *(.text.hot .text.hot.*)\n  \
                     *(.text .stub .text.*)\n}\n";
        let order = shuffled(&sections_of_map(MAP), &mut Random(1));
        let text = script(usual, &order, 32).unwrap();
        let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is not in {text}"));
        assert!(place(". = . + 32;") < place("*(.text.unlikely.c)"));
        assert!(place("*(.text.unlikely.c)") < place("*(.text.unlikely .text"));
        assert!(place("*(.text.hot .text") < place("*(.text.b)") && place("*(.text.b)") < place("*(.text .stub"));
        assert_eq!(script(".text : { *(.text*) }", &order, 32), None);
    }

    #[test]
    fn seeds_give_orders() {
        let names: Vec<String> = (0..50).map(|i| format!(".text.f{i}")).collect();
        let order = |seed| shuffled(&names, &mut Random(seed)).pop().unwrap().1;
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort();
        let mut expected = names.clone();
        expected.sort();
        assert_eq!(sorted, expected);
    }
}
