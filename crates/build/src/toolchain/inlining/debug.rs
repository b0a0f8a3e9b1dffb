//! Reads the names of functions, and the functions inlined into them, from the debug information of a program.

use super::super::elf::Elf;
use gimli::{
    AttributeValue, DW_AT_abstract_origin, DW_AT_low_pc, DW_AT_name, DW_AT_specification, DW_TAG_inlined_subroutine,
    DW_TAG_subprogram, DebuggingInformationEntry, DwAt, Dwarf, EndianSlice, LittleEndian, Unit,
};
use std::collections::{BTreeSet, HashMap};

/// Reading more would delay the start of a comparison.
const SIZE_MAX: usize = 32 << 20;
/// Limit on references from entry to entry until a name.
const STEPS_MAX: usize = 4;

type Slice<'d> = EndianSlice<'d, LittleEndian>;
type Entry<'a, 'u, 'd> = DebuggingInformationEntry<'a, 'u, Slice<'d>>;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct KnownFunction {
    /// As written in the source, with template arguments.
    pub(super) name: String,
    pub(super) inlined: BTreeSet<String>,
}

/// The functions that begin at these places. Damaged or unknown information is left out.
pub(super) fn functions(elf: &Elf, wanted: &BTreeSet<u64>) -> HashMap<u64, KnownFunction> {
    let mut found = HashMap::new();
    if elf.section(".debug_info").is_none_or(|info| info.len() > SIZE_MAX) {
        return found;
    }
    let load = |id: gimli::SectionId| -> Result<Slice, gimli::Error> {
        Ok(EndianSlice::new(elf.section(id.name()).unwrap_or_default(), LittleEndian))
    };
    let Ok(dwarf) = Dwarf::load(load) else { return found };
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        units.extend(dwarf.unit(header).ok());
    }
    let all = All { dwarf, units };
    for unit in all.units.iter().filter(|unit| all.may_have(unit, wanted)) {
        // Keeps what was read before an error.
        let _ = all.read(unit, wanted, &mut found);
    }
    found
}

struct All<'d> {
    dwarf: Dwarf<Slice<'d>>,
    units: Vec<Unit<Slice<'d>>>,
}

impl<'d> All<'d> {
    /// Skips most units of a program, which come from libraries.
    fn may_have(&self, unit: &Unit<Slice<'d>>, wanted: &BTreeSet<u64>) -> bool {
        let Ok(mut ranges) = self.dwarf.unit_ranges(unit) else { return true };
        let (mut is_empty, mut has) = (true, false);
        while let Ok(Some(range)) = ranges.next() {
            is_empty = false;
            has |= range.begin < range.end && wanted.range(range.begin..range.end).next().is_some();
        }
        has || is_empty
    }

    fn read(
        &self,
        unit: &Unit<Slice<'d>>,
        wanted: &BTreeSet<u64>,
        found: &mut HashMap<u64, KnownFunction>,
    ) -> Result<(), gimli::Error> {
        let mut entries = unit.entries();
        let mut depth = 0;
        // Depth and address of the current function.
        let mut within: Option<(isize, u64)> = None;
        while let Some((delta, entry)) = entries.next_dfs()? {
            depth += delta;
            if within.is_some_and(|(of_function, _)| depth <= of_function) {
                within = None;
            }
            if entry.tag() == DW_TAG_subprogram {
                let Some(start) = self.start(unit, entry)?.filter(|start| wanted.contains(start)) else { continue };
                if let Some(name) = self.name(unit, entry, STEPS_MAX) {
                    found.entry(start).or_default().name = name;
                    within = Some((depth, start));
                }
            } else if entry.tag() == DW_TAG_inlined_subroutine {
                let Some((_, start)) = within else { continue };
                if let (Some(name), Some(known)) = (self.name(unit, entry, STEPS_MAX), found.get_mut(&start)) {
                    known.inlined.insert(name);
                }
            }
        }
        Ok(())
    }

    fn start(&self, unit: &Unit<Slice<'d>>, entry: &Entry<'_, '_, 'd>) -> Result<Option<u64>, gimli::Error> {
        match entry.attr_value(DW_AT_low_pc)? {
            Some(low) => self.dwarf.attr_address(unit, low),
            // Split into several parts: the first is the entry.
            None => Ok(self.dwarf.die_ranges(unit, entry)?.next()?.map(|range| range.begin)),
        }
    }

    /// Its name, or the name of the entry that it refers to.
    fn name(&self, unit: &Unit<Slice<'d>>, entry: &Entry<'_, '_, 'd>, steps: usize) -> Option<String> {
        let value = |at: DwAt| entry.attr_value(at).ok().flatten();
        if let Some(name) = value(DW_AT_name) {
            return Some(self.dwarf.attr_string(unit, name).ok()?.to_string_lossy().into_owned());
        }
        let steps = steps.checked_sub(1)?;
        match value(DW_AT_abstract_origin).or_else(|| value(DW_AT_specification))? {
            AttributeValue::UnitRef(offset) => self.name(unit, &unit.entry(offset).ok()?, steps),
            // In another unit, after link-time optimisation.
            AttributeValue::DebugInfoRef(offset) => self.units.iter().find_map(|other| {
                let place = offset.to_unit_offset(&other.header)?;
                self.name(other, &other.entry(place).ok()?, steps)
            }),
            _ => None,
        }
    }
}
