//! Machine code of native programs: the code of a benchmark's body as values, as a listing and as a difference. Bytes and file contents are
//! passed in; nothing is read here.
#![forbid(unsafe_code)]

mod calls;
mod chain;
mod collect;
mod copies;
mod decode;
mod diff;
pub mod elf;
mod events;
mod flow;
mod heat;
mod inlining;
mod jit;
mod left;
mod lines;
mod listing;
mod names;
mod shape;
mod simulated;
mod slow;
mod symbols;
mod values;

pub use calls::{Call, Caller, Calls, How, Tally};
pub use collect::{collect, LoopRequest};
pub use diff::{compare, Beside, Difference, Sameness};
pub use events::{allocated, inlined_late, Allocated, TICK_BYTES};
pub use heat::Heat;
pub use inlining::Inlining;
pub use jit::{of_runtime, Method};
pub use lines::ReadFile;
pub use listing::{consists, lines, listing, Line};
pub use names::readable;
pub use simulated::{Executed, Processor, State};
pub use slow::{slow, Slow};
pub use values::{Block, Code, Frame, Function, Goes, Instruction, Other, Place, Source, Summary, Target};
