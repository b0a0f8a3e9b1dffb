//! Random orders of the sections of code, as linkers take them.

use super::pad;
use std::collections::{BTreeMap, BTreeSet};

/// Classes that the linker puts before the ordinary code. They stay apart, so that cold code does not mix with hot code.
const CLASSES: [&str; 5] = [".text.unlikely.", ".text.exit.", ".text.startup.", ".text.hot.", ".text."];

/// Limit on parts. Each adds about 6 kB to each of up to 64 programs.
const PARTS_MAX: usize = 128;

/// Parts of the code begin at multiples of this many bytes.
pub(super) const PART_STEP: usize = 8192;

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
}

/// Names that the macros of C and C++ give a benchmark, before its line number.
const WITH_LINE: [&str; 2] = ["tare_benchmark_", "tare_body_"];

/// A name without the line of its benchmark and, if mangled, without the length before it: the function stays the same when lines are added
/// above it.
fn without_line(name: &str) -> Option<String> {
    let (at, marker) = WITH_LINE.iter().find_map(|marker| Some((name.find(marker)?, marker)))?;
    let before = name[..at].trim_end_matches(|c: char| c.is_ascii_digit());
    let after = name[at + marker.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
    Some(format!("{before}{marker}{after}"))
}

/// The name of a section without the line of its benchmark and without the compiler's disambiguator of crates, which differs between
/// folders and versions of a crate although the function is the same.
fn plain(name: &str) -> String {
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    if let Some(name) = without_line(name) {
        return name;
    }
    let is_hash = |digits: &str| digits.len() >= 16 && digits.bytes().take(16).all(|b| b.is_ascii_hexdigit());
    if let Some((path, _)) = name.rsplit_once("17h").filter(|(_, rest)| name.contains("._ZN") && is_hash(rest)) {
        return path.to_owned();
    }
    if !name.contains("._R") {
        return name.to_owned();
    }
    // A crate name follows `Cs`, base-62 digits and `_`.
    let mut parts = name.split("Cs");
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest =
            part.split_once('_').filter(|(id, _)| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric()));
        without.push_str("Cs");
        without.push_str(rest.map_or(part, |(_, rest)| rest));
    }
    without
}

/// The position of a section in the order of a seed. It depends on nothing else, so that functions shared by two programs have the same
/// order in both.
fn rank(seed: u64, name: &str, number: u64) -> u64 {
    const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0100_0000_01b3);
    let of_name = name.bytes().fold(FNV.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV.1));
    Random(Random(seed ^ of_name).next() ^ number).next()
}

/// Sections of functions in a link map, sorted, without discarded ones.
pub(super) fn sections_of_map(map: &str) -> Vec<String> {
    // Discarded sections come before this line.
    let start = ["Linker script and memory map", "\nMemory map"].iter().find_map(|title| map.find(title)).unwrap_or(0);
    let named = map[start..].lines().filter_map(|line| {
        let name = line.strip_prefix(' ')?.split_whitespace().next()?;
        let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._$".contains(&b));
        (name.starts_with(".text.") && is_plain).then(|| name.to_owned())
    });
    named.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Sections of functions in a map of lld, which writes `file:(section)`.
pub(super) fn sections_of_lld_map(map: &str) -> Vec<String> {
    let named = map.lines().filter_map(|line| Some(line.trim_end().strip_suffix(')')?.rsplit_once(":(")?.1));
    let of_functions = named.filter(|name| name.starts_with(".text."));
    of_functions.map(str::to_owned).collect::<BTreeSet<String>>().into_iter().collect()
}

/// The symbols of sections in their order. In the class of cold code, the symbol of a split-off part ends in `.cold`.
pub(super) fn symbols(order: &[(&'static str, Vec<String>)]) -> Vec<String> {
    let functions = |(class, names): &(&'static str, Vec<String>)| -> Vec<String> {
        names.iter().map(|name| name[class.len()..].to_owned()).collect()
    };
    let cold = CLASSES[0];
    let usual: BTreeSet<String> = order.iter().filter(|(class, _)| *class != cold).flat_map(functions).collect();
    let symbol = |class: &str, function: String| match class == cold && usual.contains(&function) {
        true => function + ".cold",
        false => function,
    };
    order.iter().flat_map(|part| functions(part).into_iter().map(|function| symbol(part.0, function))).collect()
}

/// The sections in the order of the classes, within each in the order of a seed.
pub(super) fn ordered(sections: &[String], seed: u64) -> Vec<(&'static str, Vec<String>)> {
    let class_of = |name: &str| CLASSES.into_iter().find(|class| name.starts_with(class));
    // Instances of a generic function may have the same plain name. They are numbered as they occur, which may differ between programs.
    let mut seen = BTreeMap::<String, u64>::new();
    let mut ranked: Vec<(u64, &String)> = Vec::with_capacity(sections.len());
    for name in sections {
        let plain = plain(name);
        let number = seen.entry(plain.clone()).and_modify(|number| *number += 1).or_default();
        ranked.push((rank(seed, &plain, *number), name));
    }
    ranked.sort();
    let of_class = |class| ranked.iter().filter(move |(_, name)| class_of(name) == Some(class));
    CLASSES.map(|class| (class, of_class(class).map(|(_, name)| (*name).clone()).collect())).to_vec()
}

/// Adds a pad before each section that begins a part of the code, and returns the number of these pads. One section in 32 begins a part, by
/// its name. Parts begin at multiples of [`PART_STEP`], so that a function of another size moves only those of its own part.
pub(super) fn in_parts(mut order: Vec<(&'static str, Vec<String>)>) -> (Vec<(&'static str, Vec<String>)>, usize) {
    let mut count = 0;
    for (_, names) in order.iter_mut().filter(|(class, _)| *class == ".text.") {
        let mut parted = Vec::with_capacity(names.len());
        for name in names.drain(..) {
            if count < PARTS_MAX && rank(0, &plain(&name), 0) % 32 == 0 {
                count += 1;
                parted.push(pad::section(count));
            }
            parted.push(name);
        }
        *names = parted;
    }
    (order, count)
}

/// The linker script in the output of GNU ld with `--verbose`.
pub(super) fn script_of(output: &str) -> Option<&str> {
    let (_, rest) = output.split_once("\n==================================================\n")?;
    Some(rest.split_once("\n==================================================")?.0)
}

/// The script with the order inserted before its own patterns, and `pad` bytes before all code and before each part. None if its `.text`
/// has an unusual form.
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
        for (_, names) in here {
            for name in names {
                changed.push_str(&match pad::is_pad(name) {
                    true => format!("    . = ALIGN({PART_STEP}) + {pad};\n"),
                    false => format!("    *({name})\n"),
                });
            }
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
                       *(.text.x)\n .text.sp@ce 0x1\n .data.a 0x1\n";

    #[test]
    fn maps_of_ld() {
        assert_eq!(sections_of_map(MAP), [".text._ZN1aE", ".text.b", ".text.unlikely.c"]);
        assert_eq!(sections_of_map("Discarded\n .text.x 0\n\nMemory map\n\n .text.y 0x1\n"), [".text.y"]);
    }

    #[test]
    fn maps_of_lld_name_sections_by_their_files() {
        let map = "  VMA  LMA  Size Align Out  In  Symbol\n 1c20 1c20 4 16   a.o:(.text._ZL2sti)\n 1c20 1c20 4 1       st(int)\n \
                   1e2b 1e2b 21 1   a.o:(.text.unlikely.f)\n 1e50 1e50 1a 16   lib.a(b.o):(.text.f)\n 1 1 4 1  a.o:(.text.unlikely.g)\n \
                   1 1 4 1   a.o:(.text.startup.main)\n 1 1 4 1  a.o:(.text.unlikely.main)\n 9 9 8 16   a.o:(.data.x)\n";
        let sections = sections_of_lld_map(map);
        let cold = [".text.unlikely.f", ".text.unlikely.g", ".text.unlikely.main"];
        assert_eq!(sections[..3], [".text._ZL2sti", ".text.f", ".text.startup.main"]);
        assert_eq!(sections[3..], cold);
        let mut symbols = symbols(&ordered(&sections, 1));
        symbols[..3].sort();
        symbols[4..].sort();
        assert_eq!(symbols, ["f.cold", "g", "main.cold", "main", "_ZL2sti", "f"]);
    }

    #[test]
    fn the_script_gets_the_order_before_its_patterns() {
        let usual = ".text :\n{\n  *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n  *(.text.hot .text.hot.*)\n  \
                     *(.text .stub .text.*)\n}\n";
        let order = ordered(&sections_of_map(MAP), 1);
        let text = script(usual, &order, 32).unwrap();
        let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is not in {text}"));
        assert!(place(". = . + 32;") < place("*(.text.unlikely.c)"));
        assert!(place("*(.text.unlikely.c)") < place("*(.text.unlikely .text"));
        assert!(place("*(.text.hot .text") < place("*(.text.b)") && place("*(.text.b)") < place("*(.text .stub"));
        assert_eq!(script(".text : { *(.text*) }", &order, 32), None);
    }

    #[test]
    fn a_part_begins_before_the_same_functions_everywhere() {
        let usual = ".text :\n{\n  *(.text .stub .text.*)\n}\n";
        let text = |count: usize| {
            let names: Vec<String> = (0..count).map(|i| format!(".text.f{i}")).collect();
            script(usual, &in_parts(ordered(&names, 3)).0, 48).unwrap()
        };
        let beginnings = |text: &str| -> BTreeSet<String> {
            let lines: Vec<&str> = text.lines().collect();
            let part = format!("    . = ALIGN({PART_STEP}) + 48;");
            lines.windows(2).filter(|pair| pair[0] == part).map(|pair| pair[1].to_owned()).collect()
        };
        let (few, many) = (beginnings(&text(300)), beginnings(&text(600)));
        assert!((4..20).contains(&few.len()) && few.is_subset(&many) && few.len() < many.len(), "{few:?}");
    }

    #[test]
    fn seeds_give_orders() {
        let names: Vec<String> = (0..50).map(|i| format!(".text.f{i}")).collect();
        let order = |seed| ordered(&names, seed).pop().unwrap().1;
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort();
        let mut expected = names.clone();
        expected.sort();
        assert_eq!(sorted, expected);
    }

    #[test]
    fn what_two_programs_share_comes_in_the_same_order() {
        let names = |added: &[&str], hash: &str| -> Vec<String> {
            let shared = (0..50).map(|i| format!(".text._ZN5bench2f{i}17h{hash}E"));
            shared.chain(added.iter().map(|name| (*name).to_owned())).collect()
        };
        let base = names(&[".text.old"], "0123456789abcdef");
        let new = names(&[".text.new", ".text.new2"], "fedcba9876543210");
        let shared = |names: &[String]| -> Vec<String> {
            let order = ordered(names, 7).pop().unwrap().1;
            order.iter().filter(|name| name.contains("_ZN")).map(|name| plain(name)).collect()
        };
        assert_eq!(shared(&base).len(), 50);
        assert_eq!(shared(&base), shared(&new));
    }

    #[test]
    fn names_without_what_tells_crates_apart() {
        assert_eq!(plain(".text._ZN5bench4sort17h0123456789abcdefE"), ".text._ZN5bench4sort");
        assert_eq!(plain(".text._ZN4core17heapsort"), ".text._ZN4core17heapsort");
        assert_eq!(plain(".text._RNvCs4fqI2P2rA04_5bench4sort"), ".text._RNvCs5bench4sort");
        assert_eq!(plain(".text._RNvNtCsabc_4core3fmtCs1_5bench"), ".text._RNvNtCs4core3fmtCs5bench");
        assert_eq!(
            plain(".text.unlikely._ZN5bench4sort17h0123456789abcdefE.llvm.123"),
            ".text.unlikely._ZN5bench4sort"
        );
        assert_eq!(plain(".text.unlikely._RNvCs1_5bench4sort"), ".text.unlikely._RNvCs5bench4sort");
        assert_eq!(plain(".text.main.llvm.77"), ".text.main");
        let lambda = |line: &str| plain(&format!(".text._ZN4tare6detail4loopIN{line}_0MUlvE_EvEEvPv"));
        assert_eq!(lambda("L18tare_benchmark_7"), lambda("L19tare_benchmark_10"));
        assert_eq!(plain(".text.tare_body_7_0_loop"), plain(".text.tare_body_1203_0_loop"));
        assert_ne!(plain(".text.tare_body_7_0_loop"), plain(".text.tare_body_7_1_loop"));
    }
}
