//! A simulated processor for code that is followed instruction by instruction. Its two-level branch predictor and its caches are the ones
//! of valgrind's callgrind, so that both counts mean the same.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, OpAccess,
    Register, UsedMemory,
};
use std::collections::HashMap;

/// Bits of the branch history, and the number of counters selected by history and address.
const HISTORY_BITS: u32 = 7;
const COUNTERS: usize = 16_384;
/// Number of places with a remembered target.
const TARGETS: usize = 512;
/// Log2 of the bytes of a cache line, in every cache.
const LINE_BITS: u32 = 6;

#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    /// The address of the next instruction.
    pub next: u64,
    /// `rax`, `rcx`, `rdx`, `rbx`, `rsp`, `rbp`, `rsi`, `rdi`, `r8` to `r15`.
    pub general: [u64; 16],
    /// Base addresses of the segments `fs` and `gs`.
    pub segments: [u64; 2],
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Executed {
    pub instructions: u64,
    /// Conditional and indirect branches.
    pub branches: u64,
    /// Mispredicted ones among them.
    pub mispredicted: u64,
    /// Indirect branches and calls, without returns.
    pub indirect: u64,
    /// Reads and writes.
    pub accesses: u64,
    /// Accesses and instruction fetches that miss the first cache.
    pub first_misses: u64,
    /// The same for the last cache.
    pub last_misses: u64,
}

/// A processor, and the counts of what it has executed.
pub struct Processor {
    known: HashMap<u64, Remembered>,
    info: InstructionInfoFactory,
    history: u64,
    counters: Vec<u8>,
    targets: Vec<u64>,
    code: Cache,
    data: Cache,
    last: Cache,
    executed: Executed,
}

/// Fewest bytes that a repeated instruction moves at a time.
const AT_A_TIME: u64 = 32;

struct Remembered {
    instruction: Instruction,
    memory: Vec<UsedMemory>,
}

/// A cache with least-recently-used replacement.
struct Cache {
    /// The lines in each set, newest first.
    sets: Vec<Vec<u64>>,
    ways: usize,
}

impl Cache {
    fn new(bytes: usize, ways: usize) -> Cache {
        Cache { sets: vec![Vec::new(); (bytes / ways) >> LINE_BITS], ways }
    }

    /// Uses a line; returns whether it was present.
    fn uses(&mut self, line: u64) -> bool {
        let count = self.sets.len() as u64;
        let set = &mut self.sets[(line % count) as usize];
        let at = set.iter().position(|held| *held == line);
        set.truncate(if at.is_some() { set.len() } else { self.ways - 1 });
        at.map(|at| set.remove(at));
        set.insert(0, line);
        at.is_some()
    }
}

impl Default for Processor {
    fn default() -> Processor {
        Processor {
            known: HashMap::new(),
            info: InstructionInfoFactory::new(),
            history: 0,
            counters: vec![0; COUNTERS],
            targets: vec![0; TARGETS],
            code: Cache::new(32_768, 8),
            data: Cache::new(32_768, 8),
            last: Cache::new(8_388_608, 16),
            executed: Executed::default(),
        }
    }
}

impl Processor {
    pub fn executed(&self) -> Executed {
        self.executed
    }

    /// Executes the instruction at which a thread stands; `after` is the next address. `bytes` returns the memory from an address on.
    pub fn execute(&mut self, at: &State, after: u64, bytes: impl FnOnce(u64) -> Vec<u8>) {
        let Some(known) = self.known(at.next, bytes) else { return };
        let (length, flow) = (known.instruction.len() as u64, known.instruction.flow_control());
        // A call through a cell at a fixed place always reaches one function: runtimes that compile late call all of theirs this way.
        let is_by_cell = known.instruction.is_ip_rel_memory_operand();
        let repeats = known.instruction.has_rep_prefix() || known.instruction.has_repne_prefix();
        let is_last = after != at.next;
        let accesses: Vec<(u64, u64)> = known.memory.iter().filter_map(|used| access(used, at)).collect();
        for (address, size) in accesses {
            // A repeated instruction moves many bytes at a time, no matter how small its elements are.
            let is_counted = !repeats || is_last || address % AT_A_TIME < size.max(1);
            self.executed.accesses += u64::from(is_counted);
            self.touches(address, size, true);
        }
        // A repeated instruction counts once.
        if !is_last {
            return;
        }
        self.executed.instructions += 1;
        self.touches(at.next, length, false);
        let is_taken = after != at.next + length;
        match flow {
            FlowControl::ConditionalBranch => self.decides(at.next, is_taken),
            FlowControl::IndirectBranch | FlowControl::IndirectCall if !is_by_cell => self.goes(at.next, after),
            _ => {}
        }
    }

    fn known(&mut self, address: u64, bytes: impl FnOnce(u64) -> Vec<u8>) -> Option<&Remembered> {
        let Processor { known, info, .. } = self;
        let found = known.entry(address).or_insert_with(|| {
            let bytes = bytes(address);
            let instruction = Decoder::with_ip(64, &bytes, address, DecoderOptions::NONE).decode();
            let used = info.info_options(&instruction, InstructionInfoOptions::NO_REGISTER_USAGE);
            Remembered { instruction, memory: used.used_memory().to_vec() }
        });
        (!found.instruction.is_invalid()).then_some(found)
    }

    /// A conditional branch.
    fn decides(&mut self, address: u64, is_taken: bool) {
        let mask = (1 << HISTORY_BITS) - 1;
        let place = ((self.history & mask) ^ address.wrapping_shl(HISTORY_BITS)) as usize % COUNTERS;
        let counter = &mut self.counters[place];
        self.executed.branches += 1;
        self.executed.mispredicted += u64::from((*counter >= 2) != is_taken);
        *counter = if is_taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        self.history = self.history << 1 | u64::from(is_taken);
    }

    /// An indirect branch.
    fn goes(&mut self, address: u64, to: u64) {
        let target = &mut self.targets[address as usize % TARGETS];
        self.executed.branches += 1;
        self.executed.indirect += 1;
        self.executed.mispredicted += u64::from(*target != to);
        *target = to;
    }

    /// A memory access; one across two lines misses once.
    fn touches(&mut self, address: u64, size: u64, is_data: bool) {
        let lines = address >> LINE_BITS..=address.saturating_add(size.max(1) - 1) >> LINE_BITS;
        let (mut misses_first, mut misses_last) = (false, false);
        for line in lines.take(2) {
            let first = if is_data { &mut self.data } else { &mut self.code };
            if !first.uses(line) {
                misses_first = true;
                misses_last |= !self.last.uses(line);
            }
        }
        self.executed.first_misses += u64::from(misses_first);
        self.executed.last_misses += u64::from(misses_last);
    }
}

/// The address and size of an access; `None` if it is none or its place is unknown.
fn access(used: &UsedMemory, at: &State) -> Option<(u64, u64)> {
    if matches!(used.access(), OpAccess::None | OpAccess::NoMemAccess) {
        return None;
    }
    let address = used.virtual_address(0, |register, _, _| value(register, at))?;
    Some((address, used.memory_size().size() as u64))
}

fn value(register: Register, at: &State) -> Option<u64> {
    match register {
        Register::FS => Some(at.segments[0]),
        Register::GS => Some(at.segments[1]),
        Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        Register::RIP => Some(0),
        _ if register.is_gpr64() => Some(at.general[register.number()]),
        _ if register.is_gpr32() => Some(at.general[register.number()] & 0xffff_ffff),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executes consecutive instructions once for each value of `rax`, with whether the last of them jumps.
    fn run(code: &[u8], values: &[(u64, bool)]) -> Executed {
        const START: u64 = 0x10_0000;
        let mut processor = Processor::default();
        let all: Vec<Instruction> = Decoder::with_ip(64, code, START, DecoderOptions::NONE).into_iter().collect();
        for (value, jumps) in values {
            for instruction in &all {
                let mut at = State { next: instruction.ip(), ..State::default() };
                at.general[0] = *value;
                let is_last = instruction.next_ip() == START + code.len() as u64;
                let after = if is_last && *jumps { START + 0x100 } else { instruction.next_ip() };
                processor.execute(&at, after, |address| code[(address - START) as usize..].to_vec());
            }
        }
        processor.executed()
    }

    fn random(count: usize) -> Vec<u32> {
        let mut state = 1_u32;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    /// `test eax,eax; jne`.
    const BRANCH: &[u8] = &[0x85, 0xc0, 0x0f, 0x85, 0xf8, 0x00, 0x00, 0x00];

    #[test]
    fn one_of_two_branches_on_random_data_is_mispredicted_and_few_on_sorted_data() {
        let decisions: Vec<bool> = random(10_000).into_iter().map(|number| number >> 20 & 1 == 1).collect();
        let random = run(BRANCH, &decisions.iter().map(|taken| (0, *taken)).collect::<Vec<_>>());
        assert_eq!((random.instructions, random.branches, random.indirect), (20_000, 10_000, 0));
        assert!((4_500..5_500).contains(&random.mispredicted), "{random:?}");
        let sorted: Vec<(u64, bool)> = (0..10_000).map(|at| (0, at >= 5_000)).collect();
        // The history is new twice: at the start and at the step.
        assert!(run(BRANCH, &sorted).mispredicted <= 20);
    }

    #[test]
    fn the_first_cache_holds_32_kib_and_the_last_8_mib() {
        // mov eax,[rax]
        let read = |values: &[u64]| run(&[0x8b, 0x00], &values.iter().map(|at| (*at, false)).collect::<Vec<_>>());
        let lines = |bytes: u64| (0..bytes / 64).map(|line| line * 64).collect::<Vec<u64>>();
        let twice = |bytes: u64| [lines(bytes), lines(bytes)].concat();
        // One miss is the code itself.
        assert_eq!(read(&lines(32_768)).first_misses, 513);
        assert_eq!(read(&twice(32_768)).first_misses, 513);
        assert_eq!(read(&twice(65_536)).first_misses, 2 * 1024 + 1);
        assert_eq!(read(&twice(65_536)).last_misses, 1024 + 1);
        assert_eq!(read(&twice(65_536)).accesses, 2048);
        // An access on two lines misses once.
        assert_eq!(read(&[62]).first_misses, 2);
    }

    #[test]
    fn calls_to_one_place_are_predicted_and_to_two_in_turn_are_not() {
        // call [rax]
        let call =
            |targets: [bool; 2]| run(&[0xff, 0x10], &(0..1000).map(|at| (64, targets[at % 2])).collect::<Vec<_>>());
        assert_eq!((call([true, true]).indirect, call([true, true]).mispredicted), (1000, 1));
        assert_eq!(call([true, false]).mispredicted, 1000);
        // call [rip]
        assert_eq!(run(&[0xff, 0x15, 0, 0, 0, 0], &[(0, true); 9]).indirect, 0);
        // It reads its target, and writes its return address.
        assert_eq!(call([true, true]).accesses, 2000);
    }

    #[test]
    fn what_repeats_itself_is_one_instruction_and_accesses_many_bytes_at_a_time() {
        // rep movsb; the thread is seen at each byte.
        let mut processor = Processor::default();
        let code = [0xf3, 0xa4];
        for byte in 0..64 {
            let mut state = State { next: 0x1000, ..State::default() };
            // From `rsi` to `rdi`.
            (state.general[6], state.general[7]) = (0x2000 + byte, 0x4000 + byte);
            processor.execute(&state, if byte < 63 { 0x1000 } else { 0x1002 }, |_| code.to_vec());
        }
        let executed = processor.executed();
        // At the start of each 32 bytes, and at the end; in both places.
        assert_eq!((executed.instructions, executed.accesses), (1, 6));
    }
}
